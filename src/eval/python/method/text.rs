//! The methods of `str`.

use super::super::{
    Arguments, Bound, Class, Dict, Exception, Key, Number, Result, Signature, Stamp, Str,
    Value, character, codec, format, format_map, item, iterate, limit_bytes, text,
};
use super::table::{MethodTable, method};
use super::{case, search};

pub(super) const TEXT: MethodTable<Str> = &[
    method(Signature::no_arguments("capitalize"), |text, _| {
        Ok(case::capitalize(text).into())
    }),
    method(Signature::no_arguments("casefold"), |text, _| Ok(case::fold(text).into())),
    method(Signature::positional("center", &["width"], &["fillchar"]), center),
    method(Signature::parsed("count", &["sub"], &["start", "end"]), search::count),
    method(Signature::named("encode", &["encoding", "errors"]), encode),
    method(
        Signature::parsed("endswith", &["suffix"], &["start", "end"]),
        search::ends_with,
    ),
    method(Signature::named("expandtabs", &["tabsize"]), expand_tabs),
    method(Signature::parsed("find", &["sub"], &["start", "end"]), search::find),
    method(Signature::any("format"), |text, arguments| {
        let positional = arguments.rest.iter().cloned().collect();
        let arguments = Arguments { positional, keywords: arguments.keywords.clone() };
        Ok(Value::Str(format(text, &arguments)?))
    }),
    method(Signature::one_argument("format_map"), |text, arguments| {
        Ok(Value::Str(format_map(text, &arguments.value(0))?))
    }),
    method(Signature::parsed("index", &["sub"], &["start", "end"]), search::index),
    method(Signature::no_arguments("isalnum"), |text, _| {
        Ok(case::all(text, case::is_word).into())
    }),
    method(Signature::no_arguments("isalpha"), |text, _| {
        Ok(case::all(text, character::is_alpha).into())
    }),
    method(Signature::no_arguments("isascii"), |text, _| Ok(text.is_ascii().into())),
    method(Signature::no_arguments("isdecimal"), |text, _| {
        Ok(case::all(text, character::is_decimal).into())
    }),
    method(Signature::no_arguments("isdigit"), |text, _| {
        Ok(case::all(text, character::is_digit).into())
    }),
    method(Signature::no_arguments("isidentifier"), |text, _| {
        Ok(case::is_identifier(text).into())
    }),
    method(Signature::no_arguments("islower"), |text, _| Ok(case::is_lower(text).into())),
    method(Signature::no_arguments("isnumeric"), |text, _| {
        Ok(case::all(text, character::is_numeric).into())
    }),
    method(Signature::no_arguments("isprintable"), |text, _| {
        Ok(text.chars().all(character::is_printable).into())
    }),
    method(Signature::no_arguments("isspace"), |text, _| {
        Ok(case::all(text, character::is_space).into())
    }),
    method(Signature::no_arguments("istitle"), |text, _| Ok(case::is_title(text).into())),
    method(Signature::no_arguments("isupper"), |text, _| Ok(case::is_upper(text).into())),
    method(Signature::one_argument("join"), |text, arguments| {
        Ok(Value::Str(join(text, &arguments.value(0))?))
    }),
    method(Signature::positional("ljust", &["width"], &["fillchar"]), left),
    method(Signature::no_arguments("lower"), |text, _| Ok(text.to_lowercase().into())),
    method(Signature::positional("lstrip", &[], &["chars"]), |text, arguments| {
        search::strip(text, arguments, true, false)
    }),
    method(Signature::positional("maketrans", &["x"], &["y", "z"]), make_table),
    method(Signature::one_argument("partition"), |text, arguments| {
        search::partition(text, arguments, false)
    }),
    method(Signature::one_argument("removeprefix"), |text, arguments| {
        let prefix = search::argument(arguments)?;
        Ok(text.strip_prefix(&*prefix).unwrap_or(text).into())
    }),
    method(Signature::one_argument("removesuffix"), |text, arguments| {
        let suffix = search::argument(arguments)?;
        Ok(text.strip_suffix(&*suffix).unwrap_or(text).into())
    }),
    method(
        Signature::positional("replace", &["old", "new"], &["count"]),
        search::replace,
    ),
    method(Signature::parsed("rfind", &["sub"], &["start", "end"]), search::find_last),
    method(Signature::parsed("rindex", &["sub"], &["start", "end"]), search::index_last),
    method(Signature::positional("rjust", &["width"], &["fillchar"]), right),
    method(Signature::one_argument("rpartition"), |text, arguments| {
        search::partition(text, arguments, true)
    }),
    method(Signature::named("rsplit", &["sep", "maxsplit"]), search::split_last),
    method(Signature::positional("rstrip", &[], &["chars"]), |text, arguments| {
        search::strip(text, arguments, false, true)
    }),
    method(Signature::named("split", &["sep", "maxsplit"]), search::split),
    method(Signature::named("splitlines", &["keepends"]), search::lines),
    method(
        Signature::parsed("startswith", &["prefix"], &["start", "end"]),
        search::starts_with,
    ),
    method(Signature::positional("strip", &[], &["chars"]), |text, arguments| {
        search::strip(text, arguments, true, true)
    }),
    method(Signature::no_arguments("swapcase"), |text, _| Ok(case::swap(text).into())),
    method(Signature::no_arguments("title"), |text, _| Ok(case::title(text).into())),
    method(Signature::one_argument("translate"), translate),
    method(Signature::no_arguments("upper"), |text, _| Ok(text.to_uppercase().into())),
    method(Signature::one_argument("zfill"), zeros),
];

/// Markup escapes what its methods are arguments; those that only look do not.
pub(super) fn soften(name: &str, arguments: &mut Arguments) {
    let looks = name.starts_with("is")
        || name.ends_with("with")
        || name.contains("find")
        || name.contains("index")
        || name.contains("split")
        || matches!(
            name,
            "count" | "encode" | "format" | "format_map" | "join" | "maketrans"
        );
    if !looks {
        for value in &mut arguments.positional {
            if let Value::Str(text) = value {
                *text = text::to_markup(std::mem::take(text));
            }
        }
    }
}

/// What a method made of a text, marked as the text is.
pub(super) fn mark(text: &Str, value: Value) -> Value {
    let (markup, of) = (text.is_markup(), text.secrecy());
    let one = |value: &Value| match value {
        Value::Str(part) => {
            let secrecy = of.max(part.secrecy());
            let stamp = Stamp { markup, secrecy, ..Stamp::default() };
            Value::Str(Str::stamped(part.shared(), stamp))
        }
        other => other.clone(),
    };
    match value {
        Value::List(items) => Value::list(items.read().iter().map(one)),
        Value::Tuple(items) => Value::tuple(items.iter().map(one)),
        other => one(&other),
    }
}

/// `separator.join(members)`
pub fn join(separator: &Str, members: &Value) -> Result<Str> {
    let members = iterate(members).map_err(|error| match error.class {
        Class::Type => Exception::of_type("can only join an iterable"),
        _ => error,
    })?;
    let mut out = String::new();
    let mut secrecy = separator.secrecy();
    for (at, member) in members.iter().enumerate() {
        let member = member.force()?;
        let Value::Str(text) = &member else {
            return Err(Exception::of_type(format!(
                "sequence item {at}: expected str instance, {} found",
                member.type_name()
            )));
        };
        secrecy = secrecy.max(text.secrecy());
        if at > 0 {
            out.push_str(separator);
        }
        if separator.is_markup() && !text.is_markup() {
            out.push_str(&text::escape(text));
        } else {
            out.push_str(text);
        }
        limit_bytes(out.len())?;
    }
    let stamp = Stamp { secrecy, markup: separator.is_markup(), ..Stamp::default() };
    Ok(if stamp == Stamp::default() { out.into() } else { Str::stamped(out, stamp) })
}

fn encode(text: &Str, arguments: &Bound) -> Result<Value> {
    let (encoding, errors) = coding(arguments)?;
    Ok(Value::Bytes(codec::encode(text, &encoding, &errors)?.into()))
}

/// The encoding, and what is done about errors.
pub(super) fn coding(arguments: &Bound) -> Result<(Str, Str)> {
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
        match item(&table, &Value::Int(i64::from(u32::from(c)))) {
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
    let code = |c: char| Value::Int(i64::from(u32::from(c)));
    let table = Dict::default();
    let (Some(from), Some(_)) = (arguments.get(0), arguments.get(1)) else {
        let Some(Value::Dict(entries)) = arguments.get(0) else {
            return Err(Exception::of_type(
                "if you give only one argument to maketrans it must be a dict",
            ));
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
        return Err(Exception::of_type(
            "first maketrans argument must be a string if there is a second argument",
        ));
    }
    let (from, to) = (text(0)?, text(1)?);
    if from.chars().count() != to.chars().count() {
        return Err(Exception::of_value(
            "the first two maketrans arguments must have equal length",
        ));
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

/// The number of a key's only character.
fn single(key: &Value) -> Result<Value> {
    match (key, Number::of(key)) {
        (Value::Str(text), _) => match text.chars().collect::<Vec<_>>()[..] {
            [c] => Ok(Value::Int(i64::from(u32::from(c)))),
            _ => Err(Exception::of_value(
                "string keys in translate table must be of length 1",
            )),
        },
        (_, Some(Number::Small(code))) => Ok(Value::Int(code)),
        _ => {
            let message = "keys in translate table must be strings or integers";
            Err(Exception::of_type(message))
        }
    }
}

/// How many characters are missing, and what fills in for them.
fn missing(text: &Str, arguments: &Bound) -> Result<(usize, char)> {
    let wide = usize::try_from(arguments.integer(0, 0)?).unwrap_or(0);
    let fill = match arguments.get(1) {
        None => ' ',
        Some(Value::Str(fill)) => match fill.chars().collect::<Vec<_>>()[..] {
            [c] => c,
            _ => {
                let message = "The fill character must be exactly one character long";
                return Err(Exception::of_type(message));
            }
        },
        Some(other) => {
            let of = other.type_name();
            let message =
                format!("The fill character must be a unicode character, not {of}");
            return Err(Exception::of_type(message));
        }
    };
    let count = wide.saturating_sub(text.chars().count());
    limit_bytes(text.len().saturating_add(count.saturating_mul(fill.len_utf8())))?;
    Ok((count, fill))
}

fn between(before: usize, text: &str, after: usize, fill: char) -> Value {
    let fill = |count| std::iter::repeat_n(fill, count);
    let padded: String = fill(before).chain(text.chars()).chain(fill(after)).collect();
    padded.into()
}

fn left(text: &Str, arguments: &Bound) -> Result<Value> {
    let (missing, fill) = missing(text, arguments)?;
    Ok(between(0, text, missing, fill))
}

fn right(text: &Str, arguments: &Bound) -> Result<Value> {
    let (missing, fill) = missing(text, arguments)?;
    Ok(between(missing, text, 0, fill))
}

fn center(text: &Str, arguments: &Bound) -> Result<Value> {
    let (missing, fill) = missing(text, arguments)?;
    let wide = missing + text.chars().count();
    let before = missing / 2 + (missing & wide & 1);
    Ok(between(before, text, missing - before, fill))
}

fn zeros(text: &Str, arguments: &Bound) -> Result<Value> {
    let (missing, _) = missing(text, arguments)?;
    let sign = usize::from(text.starts_with(['+', '-']));
    let (sign, digits) = text.split_at(sign);
    Ok(format!("{sign}{}{digits}", "0".repeat(missing)).into())
}

fn expand_tabs(text: &Str, arguments: &Bound) -> Result<Value> {
    let size = usize::try_from(arguments.integer(0, 8)?).unwrap_or(0);
    limit_bytes(size)?;
    let (mut out, mut column) = (String::new(), 0);
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
