//! The methods of `str`.

use std::collections::HashSet;

use super::super::character::only;
use super::super::{
    Arguments, Bound, Class, Dict, Exception, Key, Number, Result, Signature, Stamp, Str,
    Value, character, codec, format, format_map, item, iterate, limit_bytes,
    limit_members, max_members, text,
};
use super::dispatch::{MethodTable, method, plain};

pub const TEXT: MethodTable<Str> = &[
    plain("capitalize", |text, _| Ok(character::capitalize(text).into())),
    plain("casefold", |text, _| Ok(character::fold(text).into())),
    method(Signature::positional("center", &["width"], &["fillchar"]), justify),
    method(Signature::parsed("count", &["sub"], &["start", "end"]), count),
    method(Signature::named("encode", &["encoding", "errors"]), encode),
    method(Signature::parsed("endswith", &["suffix"], &["start", "end"]), any_end),
    method(Signature::named("expandtabs", &["tabsize"]), expand_tabs),
    method(Signature::parsed("find", &["sub"], &["start", "end"]), place),
    method(Signature::any("format"), |text, arguments| {
        let positional = arguments.rest.to_vec();
        let arguments = Arguments { positional, keywords: arguments.keywords.clone() };
        Ok(Value::Str(format(text, &arguments)?))
    }),
    method(Signature::one_argument("format_map"), |text, arguments| {
        Ok(Value::Str(format_map(text, &arguments.value(0))?))
    }),
    method(Signature::parsed("index", &["sub"], &["start", "end"]), place),
    plain("isalnum", |text, _| Ok(character::all(text, character::is_word).into())),
    plain("isalpha", |text, _| Ok(character::all(text, character::is_alpha).into())),
    plain("isascii", |text, _| Ok(text.is_ascii().into())),
    plain("isdecimal", |text, _| Ok(character::all(text, character::is_decimal).into())),
    plain("isdigit", |text, _| Ok(character::all(text, character::is_digit).into())),
    plain("isidentifier", |text, _| Ok(character::is_identifier(text).into())),
    plain("islower", |text, _| Ok(character::is_lower(text).into())),
    plain("isnumeric", |text, _| Ok(character::all(text, character::is_numeric).into())),
    plain("isprintable", |text, _| Ok(text.chars().all(character::is_printable).into())),
    plain("isspace", |text, _| Ok(character::all(text, character::is_space).into())),
    plain("istitle", |text, _| Ok(character::is_title(text).into())),
    plain("isupper", |text, _| Ok(character::is_upper(text).into())),
    method(Signature::one_argument("join"), |text, arguments| {
        Ok(Value::Str(join(text, &arguments.value(0))?))
    }),
    method(Signature::positional("ljust", &["width"], &["fillchar"]), justify),
    plain("lower", |text, _| Ok(text.to_lowercase().into())),
    method(Signature::positional("lstrip", &[], &["chars"]), strip),
    method(Signature::positional("maketrans", &["x"], &["y", "z"]), make_table),
    method(Signature::one_argument("partition"), partition),
    method(Signature::one_argument("removeprefix"), |text, arguments| {
        Ok(text.strip_prefix(&*argument(arguments)?).unwrap_or(text).into())
    }),
    method(Signature::one_argument("removesuffix"), |text, arguments| {
        Ok(text.strip_suffix(&*argument(arguments)?).unwrap_or(text).into())
    }),
    method(Signature::positional("replace", &["old", "new"], &["count"]), replace),
    method(Signature::parsed("rfind", &["sub"], &["start", "end"]), place),
    method(Signature::parsed("rindex", &["sub"], &["start", "end"]), place),
    method(Signature::positional("rjust", &["width"], &["fillchar"]), justify),
    method(Signature::one_argument("rpartition"), partition),
    method(Signature::named("rsplit", &["sep", "maxsplit"]), split),
    method(Signature::positional("rstrip", &[], &["chars"]), strip),
    method(Signature::named("split", &["sep", "maxsplit"]), split),
    method(Signature::named("splitlines", &["keepends"]), lines),
    method(Signature::parsed("startswith", &["prefix"], &["start", "end"]), any_end),
    method(Signature::positional("strip", &[], &["chars"]), strip),
    plain("swapcase", |text, _| Ok(character::swap(text).into())),
    plain("title", |text, _| Ok(character::title(text).into())),
    method(Signature::one_argument("translate"), translate),
    plain("upper", |text, _| Ok(text.to_uppercase().into())),
    method(Signature::one_argument("zfill"), zeros),
];

/// Escapes arguments of a method of markup that returns parts of them, as `markupsafe`.
pub fn soften(name: &str, arguments: &mut Arguments) {
    let only_reads = name.starts_with("is")
        || name.ends_with("with")
        || name.contains("find")
        || name.contains("index")
        || name.contains("split")
        || matches!(
            name,
            "count" | "encode" | "format" | "format_map" | "join" | "maketrans"
        );
    if !only_reads {
        for value in &mut arguments.positional {
            if let Value::Str(text) = value {
                *text = text::to_markup(std::mem::take(text));
            }
        }
    }
}

/// Marks the result of a method as markup or secret, as the receiver is.
pub fn mark(text: &Str, value: &Value) -> Value {
    map_texts(value, |part| {
        let secrecy = text.secrecy().max(part.secrecy());
        let stamp = Stamp { markup: text.is_markup(), secrecy, ..Stamp::default() };
        Value::Str(Str::stamped(part.shared(), stamp))
    })
}

/// Replaces a string, or the strings in a list or tuple.
pub fn map_texts(value: &Value, change: impl Fn(&Str) -> Value) -> Value {
    let one = |value: &Value| match value {
        Value::Str(text) => change(text),
        other => other.clone(),
    };
    match value {
        Value::List(items) => Value::list(items.read().iter().map(one)),
        Value::Tuple(items) => Value::tuple(items.iter().map(one)),
        other => one(other),
    }
}

pub fn join(separator: &Str, members: &Value) -> Result<Str> {
    let members = iterate(members)
        .map_err(|error| error.or_type_of(members, "can only join an iterable"))?;
    let mut out = String::new();
    let mut secrecy = separator.secrecy();
    for (at, member) in members.iter().enumerate() {
        let member = member.force()?;
        let Value::Str(text) = &member else {
            let what = format!("sequence item {at}: expected str instance, {{}} found");
            return Err(Exception::of_type_of(&member, &what));
        };
        secrecy = secrecy.max(text.secrecy());
        if at > 0 {
            out.push_str(separator);
        }
        // A separator that is markup escapes the members, as in `markupsafe`.
        if separator.is_markup() && !text.is_markup() {
            out.push_str(&text::escape(text));
        } else {
            out.push_str(text);
        }
        limit_bytes(out.len())?;
    }
    let stamp = Stamp { secrecy, markup: separator.is_markup(), ..Stamp::default() };
    Ok(Str::made(out, stamp))
}

fn encode(text: &Str, arguments: &Bound) -> Result<Value> {
    let (encoding, errors) = coding(arguments)?;
    Ok(Value::bytes(codec::encode(text, &encoding, &errors)?))
}

/// Reads the parameters `encoding` and `errors`.
pub fn coding(arguments: &Bound) -> Result<(Str, Str)> {
    let argument = |at: usize, name: &str, default: &str| match arguments.get(at) {
        None => Ok(default.into()),
        Some(_) => arguments.text(at, |of| {
            format!("{}() argument '{name}' must be str, not {of}", arguments.name())
        }),
    };
    Ok((argument(0, "encoding", "utf-8")?, argument(1, "errors", "strict")?))
}

fn translate(text: &Str, arguments: &Bound) -> Result<Value> {
    let table = arguments.value(0);
    let mut out = String::new();
    for c in text.chars() {
        match item(&table, &code(c)) {
            Ok(Value::None) => {}
            Ok(Value::Str(with)) => out.push_str(&with),
            Ok(Value::Int(code)) => {
                let found = u32::try_from(code).ok().and_then(char::from_u32);
                out.push(found.ok_or_else(|| {
                    Exception::of_value("character mapping must be in range(0x110000)")
                })?);
            }
            Ok(_) => {
                let message = "character mapping must return integer, None or str";
                return Err(Exception::of_type(message));
            }
            Err(error) if matches!(error.class, Class::Key | Class::Index) => out.push(c),
            Err(error) => return Err(error),
        }
        limit_bytes(out.len())?;
    }
    Ok(out.into())
}

/// `str.maketrans`
fn make_table(_: &Str, arguments: &Bound) -> Result<Value> {
    let table = Dict::default();
    let (Some(from), Some(_)) = (arguments.get(0), arguments.get(1)) else {
        let Some(Value::Dict(entries)) = arguments.get(0) else {
            let message = "if you give only one argument to maketrans it must be a dict";
            return Err(Exception::of_type(message));
        };
        for (key, value) in entries.entries()? {
            table.set(Key::new(single(key.value())?)?, value);
        }
        return Ok(Value::Dict(table));
    };
    let text = |at: usize| {
        arguments.text(at, |of| {
            format!("maketrans() argument {} must be str, not {of}", at + 1)
        })
    };
    if !matches!(from, Value::Str(_)) {
        let message =
            "first maketrans argument must be a string if there is a second argument";
        return Err(Exception::of_type(message));
    }
    let from = text(0)?;
    let to = text(1)?;
    if from.chars().count() != to.chars().count() {
        let message = "the first two maketrans arguments must have equal length";
        return Err(Exception::of_value(message));
    }
    for (from, to) in from.chars().zip(to.chars()) {
        table.set(Key::new(code(from))?, code(to));
    }
    if arguments.get(2).is_some() {
        for c in text(2)?.chars() {
            table.set(Key::new(code(c))?, Value::None);
        }
    }
    Ok(Value::Dict(table))
}

fn code(c: char) -> Value {
    Value::Int(u32::from(c).into())
}

/// Returns the code point of a key of `maketrans`, a single character or an integer.
fn single(key: &Value) -> Result<Value> {
    match (key, Number::of(key)) {
        (Value::Str(text), _) => only(text).map(code).ok_or_else(|| {
            Exception::of_value("string keys in translate table must be of length 1")
        }),
        (_, Some(Number::Small(code))) => Ok(Value::Int(code)),
        _ => {
            Err(Exception::of_type("keys in translate table must be strings or integers"))
        }
    }
}

/// Returns the number of characters to add, and the fill character.
fn missing(text: &Str, arguments: &Bound) -> Result<(usize, char)> {
    let wide = usize::try_from(arguments.integer(0, 0)?).unwrap_or(0);
    let fill = match arguments.get(1) {
        None => ' ',
        Some(Value::Str(fill)) => only(fill).ok_or_else(|| {
            Exception::of_type("The fill character must be exactly one character long")
        })?,
        Some(other) => {
            let message = "The fill character must be a unicode character, not {}";
            return Err(Exception::of_type_of(other, message));
        }
    };
    let count = wide.saturating_sub(text.chars().count());
    limit_bytes(text.len().saturating_add(count.saturating_mul(fill.len_utf8())))?;
    Ok((count, fill))
}

/// `ljust`, `rjust` and `center`.
fn justify(text: &Str, arguments: &Bound) -> Result<Value> {
    let (missing, fill) = missing(text, arguments)?;
    let before = match arguments.name() {
        "ljust" => 0,
        "rjust" => missing,
        _ => {
            // CPython gives the odd space to the left if the width is odd, too.
            let wide = missing + text.chars().count();
            missing / 2 + (missing & wide & 1)
        }
    };
    let fill = fill.to_string();
    let after = fill.repeat(missing - before);
    Ok(format!("{}{}{after}", fill.repeat(before), &**text).into())
}

fn zeros(text: &Str, arguments: &Bound) -> Result<Value> {
    // `zfill` has no fill character: the second parameter is never given.
    let (missing, _) = missing(text, arguments)?;
    let sign = usize::from(text.starts_with(['+', '-']));
    let (sign, digits) = text.split_at(sign);
    Ok(format!("{sign}{}{digits}", "0".repeat(missing)).into())
}

fn expand_tabs(text: &Str, arguments: &Bound) -> Result<Value> {
    let size = usize::try_from(arguments.integer(0, 8)?).unwrap_or(0);
    limit_bytes(size)?;
    let mut out = String::new();
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let blanks = if size == 0 { 0 } else { size - column % size };
                limit_bytes(out.len() + blanks)?;
                out.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            '\n' | '\r' => {
                out.push(c);
                column = 0;
            }
            other => {
                out.push(other);
                column += 1;
            }
        }
    }
    Ok(out.into())
}

/// The part of a string between the parameters `start` and `end`.
struct Window<'a> {
    text: &'a str,
    /// The number of characters before it.
    start: usize,
}

fn window<'a>(text: &'a str, arguments: &Bound) -> Result<Option<Window<'a>>> {
    if arguments.get(1).is_none() && arguments.get(2).is_none() {
        return Ok(Some(Window { text, start: 0 }));
    }
    // Byte and character positions are the same in ASCII, which saves counting.
    let length = if text.is_ascii() { text.len() } else { text.chars().count() };
    let Some((start, stop)) = arguments.window(1, length)? else { return Ok(None) };
    let byte = |at: usize| {
        if text.is_ascii() {
            at
        } else {
            text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte)
        }
    };
    let text = text.get(byte(start)..byte(stop)).unwrap_or_default();
    Ok(Some(Window { text, start }))
}

fn wanted(arguments: &Bound) -> Result<Str> {
    arguments.text(0, |of| format!("must be str, not {of}"))
}

/// Returns the string that is the only argument.
fn argument(arguments: &Bound) -> Result<Str> {
    arguments
        .text(0, |of| format!("{}() argument must be str, not {of}", arguments.name()))
}

fn count(text: &Str, arguments: &Bound) -> Result<Value> {
    let wanted = wanted(arguments)?;
    let window = window(text, arguments)?;
    let count = window.map_or(0, |window| window.text.matches(&*wanted).count());
    Ok(Value::Int(count as i64))
}

/// `find`, `index`, `rfind` and `rindex`.
fn place(text: &Str, arguments: &Bound) -> Result<Value> {
    let wanted = wanted(arguments)?;
    let name = arguments.name();
    let found = window(text, arguments)?.and_then(|window| {
        let byte = if name.starts_with('r') {
            window.text.rfind(&*wanted)?
        } else {
            window.text.find(&*wanted)?
        };
        Some(window.start + window.text[..byte].chars().count())
    });
    match found {
        Some(at) => Ok(Value::Int(at as i64)),
        None if name.ends_with("find") => Ok(Value::Int(-1)),
        None => Err(Exception::of_value("substring not found")),
    }
}

/// Returns true if a string has one of the prefixes or suffixes in the first argument.
fn any_end(text: &Str, arguments: &Bound) -> Result<Value> {
    let name = arguments.name();
    let ends = match arguments.value(0) {
        Value::Tuple(ends) => ends.to_vec(),
        text @ Value::Str(_) => vec![text],
        other => {
            let message =
                format!("{name} first arg must be str or a tuple of str, not {{}}");
            return Err(Exception::of_type_of(&other, &message));
        }
    };
    let window = window(text, arguments)?;
    for end in ends {
        let end = end.force()?;
        let Value::Str(end) = &end else {
            let message = format!("tuple for {name} must only contain str, not {{}}");
            return Err(Exception::of_type_of(&end, &message));
        };
        if window.as_ref().is_some_and(|window| match name {
            "startswith" => window.text.starts_with(&**end),
            _ => window.text.ends_with(&**end),
        }) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn replace(text: &Str, arguments: &Bound) -> Result<Value> {
    let argument = |at: usize| {
        arguments
            .text(at, |of| format!("replace() argument {} must be str, not {of}", at + 1))
    };
    let old = argument(0)?;
    let new = argument(1)?;
    let most = usize::try_from(arguments.integer(2, -1)?).unwrap_or(usize::MAX);
    let count = text.matches(&*old).count().min(most);
    // The result is never longer than this, and is not made before the check.
    limit_bytes(text.len().saturating_add(count.saturating_mul(new.len())))?;
    Ok(text.replacen(&*old, &new, count).into())
}

/// `strip`, `lstrip` and `rstrip`.
fn strip(text: &Str, arguments: &Bound) -> Result<Value> {
    let set = match arguments.get(0) {
        None | Some(Value::None) => None,
        Some(Value::Str(set)) => Some(set.chars().collect::<HashSet<char>>()),
        Some(_) => {
            let message = format!("{} arg must be None or str", arguments.name());
            return Err(Exception::of_type(message));
        }
    };
    let strips = |c: char| match &set {
        Some(set) => set.contains(&c),
        None => character::is_space(c),
    };
    Ok(Value::from(match arguments.name() {
        "lstrip" => text.trim_start_matches(strips),
        "rstrip" => text.trim_end_matches(strips),
        _ => text.trim_matches(strips),
    }))
}

/// `partition` and `rpartition`.
fn partition(text: &Str, arguments: &Bound) -> Result<Value> {
    let separator = wanted(arguments)?;
    let last = arguments.name() == "rpartition";
    if separator.is_empty() {
        return Err(Exception::of_value("empty separator"));
    }
    let halves =
        if last { text.rsplit_once(&*separator) } else { text.split_once(&*separator) };
    let parts: [&str; 3] = match (halves, last) {
        (Some((before, after)), _) => [before, &separator, after],
        (None, true) => ["", "", text],
        (None, false) => [text, "", ""],
    };
    Ok(Value::tuple(parts.map(Value::from)))
}

/// `split` and `rsplit`.
fn split(text: &Str, arguments: &Bound) -> Result<Value> {
    let last = arguments.name() == "rsplit";
    let (separator, most) = separator(arguments)?;
    let pieces = most.saturating_add(1);
    let mut parts = match &separator {
        Some(separator) if last => gather(text.rsplitn(pieces, &**separator))?,
        Some(separator) => gather(text.splitn(pieces, &**separator))?,
        None => words(text, most, last)?,
    };
    if last {
        parts.reverse();
    }
    Ok(Value::list(parts.into_iter().map(Value::from)))
}

/// Collects the parts of a string, up to the limit of a container's members.
fn gather<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>> {
    // One more than allowed, so that an excess shows without collecting all parts.
    let parts: Vec<&str> = parts.take(max_members() + 1).collect();
    limit_members(parts.len())?;
    Ok(parts)
}

/// Reads the parameters `sep` and `maxsplit`. A negative number of splits is unlimited.
fn separator(arguments: &Bound) -> Result<(Option<Str>, usize)> {
    let most = usize::try_from(arguments.integer(1, -1)?).unwrap_or(usize::MAX);
    match arguments.get(0) {
        None | Some(Value::None) => Ok((None, most)),
        Some(Value::Str(separator)) if separator.is_empty() => {
            Err(Exception::of_value("empty separator"))
        }
        Some(Value::Str(separator)) => Ok((Some(separator.clone()), most)),
        Some(other) => Err(Exception::of_type_of(other, "must be str or None, not {}")),
    }
}

/// Returns the words, with `last` the last one first.
fn words<'a>(text: &'a str, most: usize, last: bool) -> Result<Vec<&'a str>> {
    let trim = |text: &'a str| {
        if last {
            text.trim_end_matches(character::is_space)
        } else {
            text.trim_start_matches(character::is_space)
        }
    };
    let mut parts = Vec::new();
    let mut rest = trim(text);
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(rest);
            break;
        }
        let (word, others) = if last {
            let space = rest.char_indices().rfind(|(_, c)| character::is_space(*c));
            let start = space.map_or(0, |(at, c)| at + c.len_utf8());
            (&rest[start..], &rest[..start])
        } else {
            rest.split_at(rest.find(character::is_space).unwrap_or(rest.len()))
        };
        parts.push(word);
        limit_members(parts.len())?;
        rest = trim(others);
    }
    Ok(parts)
}

fn lines(text: &Str, arguments: &Bound) -> Result<Value> {
    let keep = arguments.flag(0, false)?;
    let mut parts = Vec::new();
    let mut rest = &**text;
    while !rest.is_empty() {
        let end = rest.find(character::is_line_end).unwrap_or(rest.len());
        let mark = if rest[end..].starts_with("\r\n") {
            2
        } else {
            rest[end..].chars().next().map_or(0, char::len_utf8)
        };
        parts.push(&rest[..if keep { end + mark } else { end }]);
        limit_members(parts.len())?;
        rest = &rest[end + mark..];
    }
    Ok(Value::list(parts.into_iter().map(Value::from)))
}
