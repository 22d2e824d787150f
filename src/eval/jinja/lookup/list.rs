//! Lookups that arrange the terms they are given, and number sequences.

use super::option::LookupOptions;
use crate::eval::jinja::filter::parameter::{
    ansible_bool, list_of, members, shown, value_error, values,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined};
use crate::eval::python::{
    self, Arguments, Class, Dict, Exception, Key, Result, Str, Value, limit_members,
};
use crate::eval::visit::VisitCounter;

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("community.general.cartesian", cartesian),
    Plugin::variadic("community.general.flattened", flattened),
    Plugin::variadic("dict", dict),
    Plugin::variadic("indexed_items", indexed_items),
    Plugin::variadic("items", items),
    Plugin::variadic("list", list),
    Plugin::variadic("nested", nested),
    Plugin::variadic("random_choice", random_choice),
    Plugin::variadic("sequence", sequence),
    Plugin::variadic("subelements", subelements),
    Plugin::variadic("together", together),
];

fn list(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    Ok(Value::list(arguments.positional))
}

/// `items`: the terms, with lists replaced by their items.
fn items(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    flat(arguments.positional).map(Value::list)
}

/// `indexed_items`: the results of `items`, each with its index.
fn indexed_items(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let numbered = flat(arguments.positional)?.into_iter().zip(0..);
    Ok(Value::list(numbered.map(|(item, n)| Value::tuple([Value::Int(n), item]))))
}

fn dict(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut entries = Vec::new();
    for term in arguments.positional {
        let Value::Dict(dict) = term else {
            return value_error(format!(
                "the 'dict' lookup plugin expects a dictionary, got '{}'",
                python::str(&term)?
            ));
        };
        entries.extend(dict.entries()?.into_iter().map(|(key, value)| {
            let pair = [("key", key.value().clone()), ("value", value)];
            Value::Dict(Dict::named(pair))
        }));
    }
    Ok(Value::list(entries))
}

/// `nested`: all combinations of one item of each term.
// Ansible flattens a combination by one level each time a term is added and once more at the
// end: items that are lists of lists come apart, the deeper the further left they stand.
fn nested(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let [first, others @ ..] = &arguments.positional[..] else {
        let message = "with_nested requires at least one element in the nested list";
        return value_error(message);
    };
    let mut ways = python::iterate(first)?;
    for term in others {
        let items = python::iterate(term)?;
        // Each term multiplies the combinations.
        limit_members(ways.len().saturating_mul(items.len()))?;
        let mut longer = Vec::with_capacity(ways.len() * items.len());
        for way in &ways {
            for item in &items {
                longer.push(Value::list(flat(vec![way.clone(), item.clone()])?));
            }
        }
        ways = longer;
    }
    flattened_ways(&ways)
}

/// Returns a list of combinations, each flattened by one level.
fn flattened_ways(ways: &[Value]) -> Result<Value> {
    list_of(ways.iter().map(|way| flat(python::iterate(way)?).map(Value::list)))
}

/// `together`: the first items of all terms, then the second ones; `None` if missing.
fn together(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let columns = python::columns(&arguments.positional, usize::MAX)?;
    let Some(length) = columns.iter().map(Vec::len).max() else {
        return value_error("with_together requires at least one element in each list");
    };
    limit_members(length.saturating_mul(columns.len()))?;
    let row = |at: usize| -> Result<Value> {
        let cells = columns.iter().map(|column| column.get(at).cloned());
        flat(cells.map(|cell| cell.unwrap_or(Value::None)).collect()).map(Value::list)
    };
    list_of((0..length).map(row))
}

/// `subelements`: the pairs of an item, without its list, and an element of the list.
fn subelements(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let what = "subelements lookup expects a list of two or three items";
    let (elements, path, skip) = match &arguments.positional[..] {
        [elements, Value::Str(path)] => (elements, path, false),
        [elements, Value::Str(path), options] => (elements, path, skips(options)?),
        _ => return value_error(what),
    };
    let keys: Vec<String> = path.split('.').map(str::to_owned).collect();
    let elements = match elements {
        Value::Dict(dict) if is_skipped(dict)? => return Ok(Value::list([])),
        Value::Dict(dict) => values(dict)?,
        Value::List(list) => list.items()?,
        _ => {
            return value_error(
                "subelements lookup expects a list or a dictionary first",
            );
        }
    };
    let mut pairs = Vec::new();
    for element in elements {
        let Value::Dict(dict) = &element else {
            return value_error(format!(
                "subelements lookup expects a dictionary, got '{}'",
                python::str(&element)?
            ));
        };
        if is_skipped(dict)? {
            continue;
        }
        let Some((item, list)) = cut(dict, &keys, skip)? else { continue };
        pairs.extend(list.into_iter().map(|each| Value::tuple([item.clone(), each])));
        limit_members(pairs.len())?;
    }
    Ok(Value::list(pairs))
}

/// Returns true for the result of a skipped task: any `skipped` but false.
fn is_skipped(dict: &Dict) -> Result<bool> {
    let skipped = dict.get_text("skipped")?;
    Ok(!matches!(skipped, None | Some(Value::Bool(false))))
}

fn random_choice(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        return Ok(Value::list([]));
    }
    let terms = Value::list(arguments.positional);
    Ok(Value::list([call.filter("random", Arguments::of([terms]))?]))
}

/// Replaces lists by their items, one level deep.
fn flat(terms: Vec<Value>) -> Result<Vec<Value>> {
    let mut items = Vec::new();
    for term in terms {
        match &term {
            Value::List(list) => items.extend(list.items()?),
            Value::Tuple(tuple) => items.extend(tuple.iter().cloned()),
            _ => items.push(term),
        }
        limit_members(items.len())?;
    }
    Ok(items)
}

fn skips(options: &Value) -> Result<bool> {
    let Value::Dict(options) = options else {
        return value_error("the optional third item must be a dict with flags");
    };
    let Some(skip) = options.get_text("skip_missing")? else { return Ok(false) };
    Ok(ansible_bool(&python::str(&skip)?.to_lowercase()) == Some(true))
}

/// Returns a mapping without the list at a path, and its items; nothing if it is skipped.
fn cut(dict: &Dict, keys: &[String], skip: bool) -> Result<Option<(Value, Vec<Value>)>> {
    let Some((last, path)) = keys.split_last() else { return Ok(None) };
    let whole: Dict = dict.entries()?.into_iter().collect();
    let mut level = whole.clone();
    for key in path {
        let inner = match level.get_text(key)? {
            Some(Value::Dict(inner)) => inner.entries()?.into_iter().collect::<Dict>(),
            None if skip => continue,
            // Ansible goes on with the next key in the same mapping.
            Some(_) if skip => continue,
            Some(_) => return Err(unlike(key, "dictionary", &level)),
            None => return Err(absent(key, &level)),
        };
        // Each mapping on the path is copied: the term itself must not lose its list.
        level.set(Key::text(key), Value::Dict(inner.clone()));
        level = inner;
    }
    match level.get_text(last)? {
        Some(Value::List(list)) => {
            level.write().shift_remove(&Key::text(last));
            Ok(Some((Value::Dict(whole), list.items()?)))
        }
        None if skip => Ok(None),
        None => Err(absent(last, &level)),
        Some(_) => Err(unlike(last, "list", &level)),
    }
}

fn absent(key: &str, within: &Dict) -> Box<Exception> {
    let within = shown(&Value::Dict(within.clone()));
    Exception::of_value(format!("could not find '{key}' key in iterated item '{within}'"))
}

fn unlike(key: &str, what: &str, within: &Dict) -> Box<Exception> {
    let found = shown(&within.get_text(key).ok().flatten().unwrap_or(Value::None));
    Exception::of_value(format!("the key {key} should point to a {what}, got '{found}'"))
}

/// `community.general.cartesian`: all combinations of one member of each list.
fn cartesian(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        return value_error("with_cartesian requires at least one element in each list");
    }
    let listed = |term: Value| match term {
        Value::Str(_) => Value::list([term]),
        other => other,
    };
    let lists = Arguments::of(arguments.positional.into_iter().map(listed));
    flattened_ways(&members(&defined(call.filter("product", lists)?)?)?)
}

/// `community.general.flattened`: the members of all lists, at any depth.
fn flattened(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let walk = VisitCounter::new(&call.scope.context);
    let mut flat = Vec::new();
    let mut todo = vec![arguments.positional.into_iter()];
    while let Some(open) = todo.last_mut() {
        let member = open.next();
        walk.visit(todo.len())?;
        match member {
            None => drop(todo.pop()),
            Some(member) => match unwrapped(member, &walk)? {
                // The reference leaves its loop at such a string instead of skipping it.
                Value::Str(text) if matches!(&*text, "None" | "null") => {
                    drop(todo.pop());
                }
                Value::Str(text) if text.trim() != &*text => {
                    todo.push(vec![Value::text(text.trim())].into_iter());
                }
                list @ Value::List(_) => todo.push(members(&list)?.into_iter()),
                other => flat.push(other),
            },
        }
    }
    Ok(Value::list(flat))
}

/// Returns the only member of a list, at any depth, or the value itself.
fn unwrapped(mut value: Value, walk: &VisitCounter<'_>) -> Result<Value> {
    let mut depth = 0;
    while let Value::List(list) = &value {
        let [only] = &*members(&Value::List(list.clone()))? else { break };
        value = only.clone();
        depth += 1;
        walk.visit(depth)?;
    }
    Ok(value)
}

const SEQUENCE_OPTIONS: &[&str] = &["start", "end", "count", "stride", "format"];

/// `start=1 end=5 stride=2 format=%02d`, `1-5/2:%02d` or options.
fn sequence(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let options = LookupOptions::new(arguments.keywords);
    if arguments.positional.is_empty() {
        if !SEQUENCE_OPTIONS.iter().any(|name| options.has(name)) {
            return Ok(Value::list([]));
        }
        return numbers(options).map(Value::list);
    }
    let mut all = Vec::new();
    for term in &arguments.positional {
        let Some(text) = term.as_str() else {
            return value_error(format!(
                "unknown error parsing with_sequence arguments: {}",
                python::str(term)?
            ));
        };
        all.extend(numbers(with_term(text, options.clone())?)?);
        limit_members(all.len())?;
    }
    Ok(Value::list(all))
}

fn with_term(text: &str, mut options: LookupOptions) -> Result<LookupOptions> {
    let Some(short) = shortcut(text) else {
        let wrong = |error: Box<Exception>| match error.class {
            Class::Value => Exception::of_value(format!(
                "unrecognized arguments to with_sequence: {text}"
            )),
            _ => error,
        };
        return match options.inline(text, SEQUENCE_OPTIONS).map_err(wrong)? {
            Some(_) => {
                value_error(format!("unrecognized arguments to with_sequence: {text}"))
            }
            None => Ok(options),
        };
    };
    let short = short.into_iter().filter_map(|(name, value)| {
        value.map(|value| (Str::from(name), Value::text(value)))
    });
    options.prepend(short.collect());
    Ok(options)
}

/// Parses `start-end/stride:format`. All but the end are optional.
fn shortcut(text: &str) -> Option<[(&'static str, Option<&str>); 4]> {
    let (numbers, format) = match text.split_once(':') {
        Some((numbers, format)) => (numbers, Some(format)),
        None => (text, None),
    };
    let (range, stride) = match numbers.split_once('/') {
        Some((range, stride)) => (range, Some(stride)),
        None => (numbers, None),
    };
    let (start, end) = match range.split_once('-') {
        Some((start, end)) if !start.is_empty() => (Some(start), end),
        _ => (None, range),
    };
    // Numbers may be hexadecimal: `0x10-0x1f`. They have no sign.
    let is_number = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'x')
            && text.starts_with(|c: char| c.is_ascii_digit())
    };
    [Some(end), start, stride].into_iter().flatten().all(is_number).then_some([
        ("start", start),
        ("end", Some(end)),
        ("stride", stride),
        ("format", format),
    ])
}

fn numbers(mut options: LookupOptions) -> Result<Vec<Value>> {
    let ends = options.has("end");
    let counts = options.has("count");
    let start = options.number("start", 1)?;
    let stride = options.number("stride", 1)?;
    let end = options.number("end", 0)?;
    let count = options.number("count", 0)?;
    let format = options.text("format", "%d")?;
    let end = match (ends, counts) {
        (true, true) => {
            return value_error("can't specify both count and end in with_sequence");
        }
        (false, false) => {
            return value_error("must specify count or end in with_sequence");
        }
        (false, true) if count == 0 => return Ok(Vec::new()),
        (false, true) => count
            .checked_mul(stride)
            // Also for a negative stride, which therefore counts further.
            .and_then(|way| start.checked_add(way)?.checked_sub(1))
            .ok_or_else(|| Exception::of_value("the sequence is too long"))?,
        (true, false) => end,
    };
    if stride == 0 {
        return Ok(Vec::new());
    }
    if stride > 0 && end < start {
        return value_error("to count backwards make stride negative");
    }
    if stride < 0 && end > start {
        return value_error("to count forward don't make stride negative");
    }
    if format.matches('%').count() != 1 {
        return value_error(format!("bad formatting string: {format}"));
    }
    let range = python::IntRange {
        start,
        stop: end.saturating_add(stride.signum()),
        step: stride,
    };
    limit_members(range.len())?;
    let spelled = |at: usize| -> Result<Value> {
        let number = Value::Int(range.get(at).unwrap_or_default());
        let wrong =
            |_| Exception::of_value(format!("problem formatting with '{format}'"));
        python::printf(&Str::from(&*format), &number).map(Value::Str).map_err(wrong)
    };
    (0..range.len()).map(spelled).collect()
}
