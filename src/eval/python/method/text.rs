//! The methods of `str`.

use super::super::{
    Arguments, Exception, Number, Result, Stamp, Str, Value, character, codec, format,
    format_map, item, iterate, markup, width,
};
use super::super::{Class, Dict, Key};
use super::{Given, Table, Takes, case, entry, pad, part, search};

pub(super) const TEXT: Table<Str> = &[
    entry("capitalize", Takes::Nothing, |text, _| Ok(case::capitalize(text).into())),
    entry("casefold", Takes::Nothing, |text, _| Ok(case::fold(text).into())),
    entry("center", Takes::Between(1, 2), pad::center),
    entry("count", Takes::Parsed(1, 3), search::count),
    entry("encode", Takes::Named(&["encoding", "errors"]), encode),
    entry("endswith", Takes::Parsed(1, 3), search::ends_with),
    entry("expandtabs", Takes::Named(&["tabsize"]), pad::expand_tabs),
    entry("find", Takes::Parsed(1, 3), search::find),
    entry("format", Takes::Any, |text, given| {
        let positional = given.values.iter().flatten().cloned().collect();
        let arguments = Arguments { positional, keywords: given.keywords.clone() };
        Ok(Value::Str(format(text, &arguments)?))
    }),
    entry("format_map", Takes::One, |text, given| {
        Ok(Value::Str(format_map(text, &given.value(0))?))
    }),
    entry("index", Takes::Parsed(1, 3), search::index),
    entry("isalnum", Takes::Nothing, |text, _| Ok(case::all(text, case::is_word).into())),
    entry("isalpha", Takes::Nothing, |text, _| {
        Ok(case::all(text, character::is_alpha).into())
    }),
    entry("isascii", Takes::Nothing, |text, _| Ok(text.is_ascii().into())),
    entry("isdecimal", Takes::Nothing, |text, _| {
        Ok(case::all(text, character::is_decimal).into())
    }),
    entry("isdigit", Takes::Nothing, |text, _| {
        Ok(case::all(text, character::is_digit).into())
    }),
    entry("isidentifier", Takes::Nothing, |text, _| Ok(case::is_identifier(text).into())),
    entry("islower", Takes::Nothing, |text, _| Ok(case::is_lower(text).into())),
    entry("isnumeric", Takes::Nothing, |text, _| {
        Ok(case::all(text, character::is_numeric).into())
    }),
    entry("isprintable", Takes::Nothing, |text, _| {
        Ok(text.chars().all(character::is_printable).into())
    }),
    entry("isspace", Takes::Nothing, |text, _| {
        Ok(case::all(text, character::is_space).into())
    }),
    entry("istitle", Takes::Nothing, |text, _| Ok(case::is_title(text).into())),
    entry("isupper", Takes::Nothing, |text, _| Ok(case::is_upper(text).into())),
    entry("join", Takes::One, |text, given| Ok(Value::Str(join(text, &given.value(0))?))),
    entry("ljust", Takes::Between(1, 2), pad::left),
    entry("lower", Takes::Nothing, |text, _| Ok(text.to_lowercase().into())),
    entry("lstrip", Takes::Between(0, 1), |text, given| {
        part::strip(text, given, true, false)
    }),
    entry("maketrans", Takes::Between(1, 3), make_table),
    entry("partition", Takes::One, |text, given| part::partition(text, given, false)),
    entry("removeprefix", Takes::One, |text, given| {
        let prefix = search::argument(given)?;
        Ok(text.strip_prefix(&*prefix).unwrap_or(text).into())
    }),
    entry("removesuffix", Takes::One, |text, given| {
        let suffix = search::argument(given)?;
        Ok(text.strip_suffix(&*suffix).unwrap_or(text).into())
    }),
    entry("replace", Takes::Between(2, 3), search::replace),
    entry("rfind", Takes::Parsed(1, 3), search::find_last),
    entry("rindex", Takes::Parsed(1, 3), search::index_last),
    entry("rjust", Takes::Between(1, 2), pad::right),
    entry("rpartition", Takes::One, |text, given| part::partition(text, given, true)),
    entry("rsplit", Takes::Named(&["sep", "maxsplit"]), part::split_last),
    entry("rstrip", Takes::Between(0, 1), |text, given| {
        part::strip(text, given, false, true)
    }),
    entry("split", Takes::Named(&["sep", "maxsplit"]), part::split),
    entry("splitlines", Takes::Named(&["keepends"]), part::lines),
    entry("startswith", Takes::Parsed(1, 3), search::starts_with),
    entry("strip", Takes::Between(0, 1), |text, given| {
        part::strip(text, given, true, true)
    }),
    entry("swapcase", Takes::Nothing, |text, _| Ok(case::swap(text).into())),
    entry("title", Takes::Nothing, |text, _| Ok(case::title(text).into())),
    entry("translate", Takes::One, translate),
    entry("upper", Takes::Nothing, |text, _| Ok(text.to_uppercase().into())),
    entry("zfill", Takes::One, pad::zeros),
];

/// Markup escapes what its methods are given; those that only look do not.
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
                *text = markup::soften(std::mem::take(text));
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
            out.push_str(&markup::escape(text));
        } else {
            out.push_str(text);
        }
        width(out.len())?;
    }
    let stamp = Stamp { secrecy, markup: separator.is_markup(), ..Stamp::default() };
    Ok(if stamp == Stamp::default() { out.into() } else { Str::stamped(out, stamp) })
}

fn encode(text: &Str, given: &Given) -> Result<Value> {
    let (encoding, errors) = coding(given)?;
    Ok(Value::Bytes(codec::encode(text, &encoding, &errors)?.into()))
}

/// The encoding, and what is done about errors.
pub(super) fn coding(given: &Given) -> Result<(Str, Str)> {
    let argument = |at: usize, name: &str, default: &str| match given.get(at) {
        None => Ok(default.into()),
        Some(_) => given.text(at, |of| {
            format!("{}() argument '{name}' must be str, not {of}", given.name)
        }),
    };
    Ok((argument(0, "encoding", "utf-8")?, argument(1, "errors", "strict")?))
}

fn translate(text: &Str, given: &Given) -> Result<Value> {
    let table = given.value(0);
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
        width(out.len())?;
    }
    Ok(out.into())
}

/// `str.maketrans`
fn make_table(_: &Str, given: &Given) -> Result<Value> {
    let code = |c: char| Value::Int(i64::from(u32::from(c)));
    let table = Dict::default();
    let (Some(from), Some(_)) = (given.get(0), given.get(1)) else {
        let Some(Value::Dict(entries)) = given.get(0) else {
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
        given.text(at, |of| {
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
    if given.get(2).is_some() {
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
