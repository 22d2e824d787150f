//! The lookups of collections that reach nothing outside: lists and options come in, a list
//! goes out.

use crate::eval::jinja::defined;
use crate::eval::jinja::filter::chance::generator;
use crate::eval::jinja::filter::parameter::{flag, given, index, members};
use crate::eval::jinja::plugin::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Arguments, Exception, Result, Value, width};
use crate::eval::walk::Walk;
use crate::scalar::to_base64;

/// Every lookup of a collection, in the order of their names.
pub(in crate::eval::jinja) const LOOKUPS: PluginTable = &[
    Plugin::variadic("community.general.cartesian", cartesian),
    Plugin::variadic("community.general.flattened", flattened),
    Plugin::variadic("community.general.random_string", random_string),
];

/// Every way to take one member of each list.
fn cartesian(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        let message = "with_cartesian requires at least one element in each list";
        return Err(Exception::of_value(message));
    }
    let listed = |term: Value| match term {
        Value::Str(_) => Value::list([term]),
        other => other,
    };
    let lists = Arguments::of(arguments.positional.into_iter().map(listed));
    let ways = members(&defined(call.filter("product", lists)?)?)?;
    let flat = |way: &Value| -> Result<Value> {
        let mut flat = Vec::new();
        for member in members(way)? {
            match &member {
                Value::List(_) | Value::Tuple(_) => flat.extend(members(&member)?),
                _ => flat.push(member),
            }
        }
        Ok(Value::list(flat))
    };
    ways.iter().map(flat).collect::<Result<Vec<_>>>().map(Value::list)
}

/// The members of all lists, and of the lists among those.
fn flattened(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let walk = Walk::new(&call.scope.context);
    let (mut flat, mut todo) = (Vec::new(), vec![arguments.positional.into_iter()]);
    while let Some(open) = todo.last_mut() {
        let member = open.next();
        walk.meet(todo.len())?;
        match member {
            None => drop(todo.pop()),
            // A list ends where nothing is defined.
            Some(Value::Str(text)) if matches!(&*text, "None" | "null") => {
                drop(todo.pop());
            }
            Some(list @ Value::List(_)) => todo.push(members(&list)?.into_iter()),
            Some(other) => flat.push(other),
        }
    }
    Ok(Value::list(flat))
}

const DIGITS: &str = "0123456789";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SPECIAL: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// The text of an option.
fn text(arguments: &mut Arguments, name: &str, default: &str) -> Result<String> {
    match arguments.take(name) {
        None | Some(Value::None) => Ok(default.to_owned()),
        Some(given) => python::str(&given),
    }
}

/// The count of an option.
fn count(arguments: &mut Arguments, name: &str, default: i64) -> Result<usize> {
    let given = arguments.take(name).unwrap_or(Value::Int(default));
    let count = index(&python::int(&given)?)?;
    let count = usize::try_from(count).unwrap_or(0);
    width(count).map(|()| count)
}

fn random_string(call: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    let options = &mut arguments;
    let seed = given(options.take("seed"));
    let seed = seed.map(|seed| python::str(&seed).map(Value::from)).transpose()?;
    let (seeded, mut random) = (seed.is_some(), generator(call, seed)?);
    let mut parts = parts(options)?;
    let needed = parts.iter().map(|part| part.0).sum::<usize>();
    let rest = count(options, "length", 8)?.saturating_sub(needed);
    parts.push((rest, alphabet(options)?));
    let mut made: Vec<char> = Vec::new();
    for (count, chars) in parts {
        if chars.is_empty() {
            return Err(Exception::of_value(
                "Available characters cannot be None, please change constraints",
            ));
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

/// Characters of one kind, without those that are to be left out.
fn kind(arguments: &Arguments, all: &str) -> Result<Vec<char>> {
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

/// How many there must be of each kind, in the order Python asks for them.
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
            count => parts.push((count, kind(arguments, all)?)),
        }
    }
    let own = arguments.keywords.iter().any(|(name, all)| {
        &**name == "override_all" && all.as_str().is_some_and(|all| !all.is_empty())
    });
    Ok(if own { Vec::new() } else { parts })
}

/// What all others are taken from.
fn alphabet(arguments: &mut Arguments) -> Result<Vec<char>> {
    let own = text(arguments, "override_all", "")?;
    let mut alphabet: Vec<char> = own.chars().collect();
    let kinds =
        [("upper", UPPER), ("lower", LOWER), ("numbers", DIGITS), ("special", SPECIAL)];
    for (name, all) in kinds {
        if flag(arguments.take(name), true)? && own.is_empty() {
            alphabet.extend(kind(arguments, all)?);
        }
    }
    Ok(alphabet)
}
