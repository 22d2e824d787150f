//! Lookups of passwords and random strings.

use std::path::Path;

use super::option::{LookupOptions, each, term};
use super::outside::allowed;
use crate::eval::jinja::filter::parameter::{
    flag, given, index, optional_text, text, value_error,
};
use crate::eval::jinja::filter::random::generator;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::random::Random;
use crate::eval::python::{
    self, Arguments, Class, Exception, Result, Str, Value, limit_bytes,
};
use crate::eval::read_text;
use crate::scalar::to_base64;
use crate::source::reason;

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("community.general.random_string", random_string),
    Plugin::variadic("password", password),
];

const TERM_OPTIONS: &[&str] = &["length", "chars", "encrypt", "ident", "seed"];

/// The path that stands for no file.
const NO_FILE: &str = "/dev/null";

struct PasswordOptions {
    length: usize,
    characters: Vec<char>,
    seed: Option<String>,
    encrypt: Option<String>,
    ident: Option<String>,
}

/// The content of a password file: `password salt=… ident=…`.
#[derive(Clone, Default)]
struct PasswordFile {
    password: String,
    salt: Option<String>,
    ident: Option<String>,
}

/// `password path length=20 chars=ascii_letters,digits encrypt=… ident=… seed=…`
fn password(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, term_, mut options| {
        let name = with_term(term(term_)?, &mut options)?;
        let wanted = password_options(&mut options)?;
        let path = call.scope.context.folder.join(&name);
        let there = if name == NO_FILE { None } else { read(call, &path)? };
        let known = there.is_some();
        let mut kept = match there {
            Some(kept) => kept,
            None => {
                PasswordFile { password: wanted.make(call)?, ..PasswordFile::default() }
            }
        };
        let before = kept.salt.is_some();
        if wanted.encrypt.is_some() && kept.salt.is_none() {
            kept.salt = Some(salt(call)?);
        }
        kept.ident = kept.ident.or_else(|| wanted.ident.clone());
        // A file is written only for something new in it, so that an existing one needs
        // no permission to write.
        if name != NO_FILE && !(known && before == kept.salt.is_some()) {
            write(call, &path, &kept)?;
        }
        match wanted.encrypt {
            None => Ok(read_text(&kept.password)),
            Some(method) => encrypted(call, &method, kept),
        }
    })
}

/// Adds the options of a term, which replace those given by name; returns its path. The
/// path may hold spaces, quotes and `=`: only what follows its first word can be an option.
fn with_term(term: &str, options: &mut LookupOptions) -> Result<String> {
    let Some((first, more)) = term.split_once(' ') else { return Ok(term.to_owned()) };
    let mut own = LookupOptions::new(Vec::new());
    let rest = own.inline(more, TERM_OPTIONS)?;
    if !own.is_empty() {
        *options = own;
    }
    let path = rest.map_or_else(|| first.to_owned(), |rest| format!("{first} {rest}"));
    if term.starts_with(&path) {
        Ok(path)
    } else {
        value_error(
            "Unrecognized value after key=value parameters given to password lookup",
        )
    }
}

fn password_options(options: &mut LookupOptions) -> Result<PasswordOptions> {
    let length = usize::try_from(options.number("length", 20)?).unwrap_or_default();
    limit_bytes(length)?;
    let method = optional_text(options.take("encrypt"))?;
    Ok(PasswordOptions {
        length,
        characters: characters(options)?,
        seed: optional_text(options.take("seed"))?,
        encrypt: method.filter(|method| !method.is_empty()),
        ident: optional_text(options.take("ident"))?,
    })
}

/// Returns the characters to choose from. A comma among them is written twice.
fn characters(options: &mut LookupOptions) -> Result<Vec<char>> {
    let sets = match options.take("chars") {
        None => ["ascii_letters", "digits", ".,:-_"].map(str::to_owned).to_vec(),
        Some(Value::Str(text)) => {
            // The comma separates the sets: as a character of its own it is written twice.
            let comma = text.contains(",,").then(|| ",".to_owned());
            let others = text.split(',').filter(|set| !set.is_empty());
            let others: Vec<String> = others.map(str::to_owned).collect();
            others.into_iter().chain(comma).collect()
        }
        Some(list) => {
            python::iterate(&list)?.iter().map(python::str).collect::<Result<_>>()?
        }
    };
    let all: String = sets.iter().map(|set| named(set)).collect();
    // Ansible removes quotes from the candidates.
    let all: Vec<char> = all.chars().filter(|c| !matches!(c, '"' | '\'')).collect();
    if all.is_empty() { value_error("chars must not be empty") } else { Ok(all) }
}

/// Returns the characters of a set of Python's module `string`, or the name itself.
fn named(set: &str) -> String {
    match set {
        "ascii_lowercase" => LOWER.into(),
        "ascii_uppercase" => UPPER.into(),
        "ascii_letters" => format!("{LOWER}{UPPER}"),
        "digits" => DIGITS.into(),
        "hexdigits" => format!("{DIGITS}abcdefABCDEF"),
        "octdigits" => "01234567".into(),
        "punctuation" => SPECIAL.into(),
        "whitespace" => " \t\n\r\x0b\x0c".into(),
        "printable" => format!("{DIGITS}{LOWER}{UPPER}{SPECIAL} \t\n\r\x0b\x0c"),
        other => other.into(),
    }
}

impl PasswordOptions {
    fn make(&self, call: &CallSite<'_>) -> Result<String> {
        let mut random = match &self.seed {
            Some(seed) => Random::of_text(seed),
            None => generator(call, None)?,
        };
        Ok((0..self.length).filter_map(|_| random.choice(&self.characters)).collect())
    }
}

fn salt(call: &CallSite<'_>) -> Result<String> {
    let letters: Vec<char> = [LOWER, UPPER, DIGITS].concat().chars().collect();
    let mut random = generator(call, None)?;
    Ok((0..8).filter_map(|_| random.choice(&letters).copied()).collect())
}

fn encrypted(call: &CallSite<'_>, method: &str, kept: PasswordFile) -> Result<Value> {
    let mut keywords = Vec::new();
    let options = [("salt", kept.salt), ("ident", kept.ident)];
    for (name, value) in options {
        keywords.extend(value.map(|value| (Str::from(name), Value::text(value))));
    }
    let positional = vec![Value::text(kept.password), Value::text(method)];
    call.filter("password_hash", Arguments { positional, keywords })
}

fn read(call: &CallSite<'_>, path: &Path) -> Result<Option<PasswordFile>> {
    allowed(call, "file")?;
    let bytes = match call.scope.context.read(path)? {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, &reason(&error))),
    };
    let text = String::from_utf8(bytes).map_err(|_| unusable(path, "it is not UTF-8"))?;
    let text = text.trim_end_matches(['\n', '\r']);
    let (text, ident) = split_part(text, " ident=");
    let (password, salt) = split_part(text, " salt=");
    Ok(Some(PasswordFile { password: password.to_owned(), salt, ident }))
}

/// Splits a text at the last mark, if there is one.
fn split_part<'t>(text: &'t str, mark: &str) -> (&'t str, Option<String>) {
    let parts = text.rsplit_once(mark);
    parts.map_or((text, None), |(before, after)| (before, Some(after.to_owned())))
}

fn write(call: &CallSite<'_>, path: &Path, kept: &PasswordFile) -> Result<()> {
    allowed(call, "write")?;
    let mut text = kept.password.clone();
    for (name, value) in [("salt", &kept.salt), ("ident", &kept.ident)] {
        text.extend(value.iter().map(|value| format!(" {name}={value}")));
    }
    text.push('\n');
    call.scope.context.world.write(path, text.as_bytes(), true);
    Ok(())
}

fn unusable(path: &Path, why: &str) -> Box<Exception> {
    let message = format!("cannot use the password file '{}': {why}", path.display());
    Exception::new(Class::Missing, message)
}

const DIGITS: &str = "0123456789";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SPECIAL: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// Removes an option and returns it as a number of characters.
fn count(arguments: &mut Arguments, name: &str, default: i64) -> Result<usize> {
    let given = arguments.take(name).unwrap_or(Value::Int(default));
    let count = index(&python::int(&given)?)?;
    let count = usize::try_from(count).unwrap_or(0);
    limit_bytes(count).map(|()| count)
}

fn random_string(call: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    let options = &mut arguments;
    let seed = optional_text(options.take("seed"))?.map(Value::from);
    let seeded = seed.is_some();
    let mut random = generator(call, seed)?;
    let mut parts = parts(options)?;
    let needed = parts.iter().map(|part| part.0).sum::<usize>();
    let rest = count(options, "length", 8)?.saturating_sub(needed);
    parts.push((rest, alphabet(options)?));
    let mut made: Vec<char> = Vec::new();
    for (count, chars) in parts {
        if chars.is_empty() {
            let why = "Available characters cannot be None, please change constraints";
            return value_error(why);
        }
        for _ in 0..count {
            made.extend(random.choice(&chars));
        }
    }
    if !seeded {
        random.shuffle(&mut made);
    }
    let made: String = made.into_iter().collect();
    let made = if flag(options.take("base64"), false)? {
        to_base64(made.as_bytes())
    } else {
        made
    };
    Ok(Value::list([Value::from(made)]))
}

/// Returns the characters of a set without those that an option excludes.
fn character_set(arguments: &Arguments, all: &str) -> Result<Vec<char>> {
    let option = |name: &str| {
        let found = arguments.keywords.iter().find(|(known, _)| **known == *name);
        found.map(|(_, value)| value.clone())
    };
    let own = if all == SPECIAL { given(option("override_special")) } else { None };
    if let Some(own) = own.filter(|own| own.as_str() != Some("")) {
        return Ok(python::str(&own)?.chars().collect());
    }
    let similar = if flag(option("ignore_similar_chars"), false)? {
        given(option("similar_chars")).unwrap_or("il1LoO0".into())
    } else {
        Value::from("")
    };
    let similar = python::str(&similar)?;
    Ok(all.chars().filter(|c| !similar.contains(*c)).collect())
}

/// Returns the minimum number of characters of each set.
// The order is that of the reference: with a seed, it decides which characters are drawn.
fn parts(arguments: &mut Arguments) -> Result<Vec<(usize, Vec<char>)>> {
    let mut parts = Vec::new();
    for (name, all) in [
        ("min_numeric", DIGITS),
        ("min_lower", LOWER),
        ("min_upper", UPPER),
        ("min_special", SPECIAL),
    ] {
        match count(arguments, name, 0)? {
            0 => {}
            count => parts.push((count, character_set(arguments, all)?)),
        }
    }
    // `override_all` replaces the sets, and so their minimums.
    let own = arguments.keywords.iter().any(|(name, all)| {
        &**name == "override_all" && all.as_str().is_some_and(|all| !all.is_empty())
    });
    Ok(if own { Vec::new() } else { parts })
}

/// Returns the characters that all others are drawn from.
fn alphabet(arguments: &mut Arguments) -> Result<Vec<char>> {
    let own = text(given(arguments.take("override_all")), "")?;
    let mut alphabet: Vec<char> = own.chars().collect();
    let kinds =
        [("upper", UPPER), ("lower", LOWER), ("numbers", DIGITS), ("special", SPECIAL)];
    for (name, all) in kinds {
        if flag(arguments.take(name), true)? && own.is_empty() {
            alphabet.extend(character_set(arguments, all)?);
        }
    }
    Ok(alphabet)
}
