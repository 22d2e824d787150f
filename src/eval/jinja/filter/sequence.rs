//! Filters of sequences: their parts, their length and sum, nested ones, and combinations
//! of several.

use super::html;
use super::parameter::{
    AttributePath, count, flag, given, index, is_sequence, members, shown, type_error,
    type_error_of, value_error, values,
};
use crate::eval::jinja::access::item;
use crate::eval::jinja::{CallSite, Plugin, PluginTable, Undefined, defined};
use crate::eval::python::{
    self, Bound, Class, Exception, Key, Result, Signature, Value, limit_bytes,
    limit_members,
};
use crate::eval::visit::VisitCounter;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("batch", "do_batch", &["value", "linecount"], &["fill_with"], batch),
    Plugin::new("combinations", "combinations", &["iterable", "r"], &[], combinations),
    Plugin::of_value("count", "len", length),
    Plugin::new("extract", "extract", &["item", "container"], &["morekeys"], extract),
    Plugin::of_value("first", "do_first", end),
    Plugin::new("flatten", "flatten", &["mylist"], &["levels", "skip_nulls"], flatten),
    Plugin::of_value("items", "do_items", items),
    Plugin::new("join", "sync_do_join", &["value"], &["d", "attribute"], join),
    Plugin::of_value("last", "do_last", end),
    Plugin::of_value("length", "len", length),
    Plugin::of_value("list", "do_list", list),
    Plugin::new("permutations", "permutations", &["iterable"], &["r"], permutations),
    Plugin::signed("product", Signature::new("product", &[], &[]).rest().keyword_only(&["repeat"]), product),
    Plugin::of_value("reverse", "do_reverse", reverse),
    Plugin::new("slice", "do_slice", &["value", "slices"], &["fill_with"], slice),
    Plugin::new("subelements", "subelements", &["obj", "subelements"], &["skip_missing"], subelements),
    Plugin::new("sum", "sync_do_sum", &["iterable"], &["attribute", "start"], sum),
    Plugin::signed("zip", Signature::new("zip", &[], &[]).rest().keyword_only(&["strict"]), zip),
    Plugin::signed("zip_longest",
        Signature::new("zip_longest", &[], &[]).rest().keyword_only(&["fillvalue"]), zip_longest),
];

/// `first` and `last`.
fn end(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let is_first = call.name == "first";
    // Only the item that is taken is evaluated.
    let found = match &value {
        Value::List(items) if is_first => items.get(0)?,
        Value::List(items) => items.get(items.len().saturating_sub(1))?,
        Value::Str(text) if !text.is_empty() => {
            Some(python::item(&value, &Value::Int(if is_first { 0 } else { -1 }))?)
        }
        other if is_first => python::iterate(other)?.into_iter().next(),
        other => backwards(other)?.into_iter().next(),
    };
    let message = format!("No {} item, sequence was empty.", call.name);
    Ok(found.unwrap_or_else(|| Undefined::because(message)))
}

/// `reversed(value)`
fn backwards(value: &Value) -> Result<Vec<Value>> {
    // A set is iterable, but has no order that could be reversed.
    let members = match value {
        Value::Set(_) => None,
        other => python::iterate(other).ok(),
    };
    let Some(mut members) = members else {
        return type_error_of(value, "'{}' object is not reversible");
    };
    members.reverse();
    Ok(members)
}

fn length(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(Value::Int(i64::try_from(python::length(&arguments.only())?).unwrap_or(i64::MAX)))
}

fn list(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(Value::list(python::iterate(&arguments.only())?))
}

fn reverse(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    if let Value::Str(_) = &value {
        return python::slice(&value, &Value::None, &Value::None, &Value::Int(-1));
    }
    let mut members = python::iterate(&value).map_err(|error| {
        Exception::of_type(format!("argument must be iterable: {error}"))
    })?;
    members.reverse();
    Ok(Value::list(members))
}

fn items(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Dict(dict) => {
            let pairs = dict.entries()?.into_iter();
            Ok(Value::list(pairs.map(|(key, one)| Value::tuple([key.into_value(), one]))))
        }
        _ => type_error("Can only get item pairs from a mapping."),
    }
}

fn batch(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, size], [fill]) = arguments.split();
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    for member in members(&value)? {
        // Python compares for equality: a batch of size 1.5 or 0 is never full.
        if python::equal(&Value::Int(batch.len() as i64), &size)? {
            batches.push(Value::list(std::mem::take(&mut batch)));
        }
        batch.push(member);
    }
    if batch.is_empty() {
        return Ok(Value::list(batches));
    }
    if let Some(fill) = given(fill) {
        let size = usize::try_from(index(&size)?).unwrap_or(0);
        limit_members(size)?;
        batch.resize(size.max(batch.len()), fill);
    }
    batches.push(Value::list(batch));
    Ok(Value::list(batches))
}

fn slice(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, slices], [fill]) = arguments.split();
    let members = members(&value)?;
    // Python divides by the number of slices before it uses it.
    if index(&slices)? == 0 {
        let message = "integer division or modulo by zero";
        return Err(Exception::new(Class::ZeroDivision, message));
    }
    let slices = count(Some(slices), 0)?;
    limit_members(slices)?;
    let each = members.len() / slices.max(1);
    let longer = members.len() % slices.max(1);
    let mut all = Vec::with_capacity(slices);
    let mut rest = members.into_iter();
    for at in 0..slices {
        // The first slices take one of the remaining members each.
        let size = each + usize::from(at < longer);
        let mut part: Vec<Value> = rest.by_ref().take(size).collect();
        if let Some(fill) = given(fill.clone())
            && at >= longer
        {
            part.push(fill);
        }
        all.push(Value::list(part));
    }
    Ok(Value::list(all))
}

fn join(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [between, attribute]) = arguments.split();
    let between = between.map_or(Ok(String::new()), |between| python::str(&between))?;
    let path = AttributePath::new(attribute.as_ref());
    if call.escapes {
        let parts = python::iterate(&value)?;
        let parts: Vec<Value> =
            parts.iter().map(|m| path.get(m)).collect::<Result<_>>()?;
        if parts.iter().any(html::is_markup) {
            return html::joined(&parts, &between);
        }
    }
    let mut out = String::new();
    for (at, member) in python::iterate(&value)?.iter().enumerate() {
        if at > 0 {
            out.push_str(&between);
        }
        out.push_str(&python::str(&path.get(member)?)?);
        limit_bytes(out.len())?;
    }
    Ok(Value::from(out))
}

fn sum(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [attribute, start]) = arguments.split();
    let start = start.unwrap_or(Value::Int(0));
    if start.as_str().is_some() {
        return type_error("sum() can't sum strings [use ''.join(seq) instead]");
    }
    let path = AttributePath::new(attribute.as_ref());
    python::iterate(&value)?
        .iter()
        .try_fold(start, |sum, member| python::add(&sum, &defined(path.find(member)?)?))
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::None) || matches!(value.as_str(), Some("None" | "null"))
}

/// Replaces sequences by their members, down to a number of levels. `skip` drops nulls.
pub(super) fn flat(
    items: Vec<Value>,
    levels: Option<i64>,
    skip: bool,
    walk: &VisitCounter<'_>,
) -> Result<Vec<Value>> {
    // A stack instead of recursion: the nesting is limited by the walk, not by the size
    // of the thread's stack.
    let mut flat = Vec::new();
    let mut open = vec![items.into_iter()];
    while let Some(rest) = open.last_mut() {
        let Some(member) = rest.next() else {
            open.pop();
            continue;
        };
        if skip && is_null(&member) {
            continue;
        }
        let depth = open.len();
        walk.visit(depth)?;
        let opens = levels.is_none_or(|levels| depth as i64 <= levels);
        if opens && is_sequence(&member) {
            open.push(members(&member)?.into_iter());
        } else {
            flat.push(member);
        }
    }
    Ok(flat)
}

fn flatten(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [levels, skip]) = arguments.split();
    let levels = given(levels).map(|levels| match levels {
        // Ansible compares the levels with numbers only, so that a float works.
        Value::Float(levels) => Ok(levels.floor() as i64),
        other => index(&other),
    });
    let levels = levels.transpose()?;
    let walk = VisitCounter::new(&call.scope.context);
    flat(members(&value)?, levels, flag(skip, true)?, &walk).map(Value::list)
}

fn extract(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([first, container], [more]) = arguments.split();
    let mut keys = vec![first];
    match more {
        None | Some(Value::None) => {}
        Some(Value::List(more)) => keys.extend(more.items()?),
        Some(one) => keys.push(one),
    }
    keys.iter().try_fold(container, |value, key| item(&value, key))
}

fn subelements(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, path], [skip]) = arguments.split();
    let elements = match &value {
        Value::Dict(dict) => values(dict)?,
        Value::List(list) => list.items()?,
        _ => return type_error("obj must be a list of dicts or a nested dict"),
    };
    let path = match &path {
        Value::List(path) => path.items()?,
        Value::Str(path) => path.split('.').map(Value::text).collect(),
        _ => return type_error("subelements must be a list or a string"),
    };
    let skip = flag(skip, false)?;
    let mut pairs = Vec::new();
    for element in elements {
        let members = below(&element, &path, skip)?.into_iter();
        pairs.extend(members.map(|member| Value::tuple([element.clone(), member])));
        limit_members(pairs.len())?;
    }
    Ok(Value::list(pairs))
}

/// Returns the members of the list at a path of keys in an element.
fn below(element: &Value, path: &[Value], skip: bool) -> Result<Vec<Value>> {
    let mut value = element.clone();
    for key in path {
        let found = match &value {
            Value::Dict(dict) => dict.get(&Key::new(key.clone())?)?,
            other => Some(python::item(other, key).map_err(|_| no_mapping(key, other))?),
        };
        value = match found {
            Some(found) => found,
            None if skip => return Ok(Vec::new()),
            None => {
                let key = python::repr(key)?;
                let within = python::repr(&value)?;
                let what = format!("could not find {key} key in iterated item {within}");
                return Err(Exception::new(Class::Key, what));
            }
        };
    }
    match &value {
        Value::List(list) => list.items(),
        other => {
            let key = path.last().map_or(Ok(String::new()), python::repr)?;
            let other = python::repr(other)?;
            type_error(format!("the key {key} should point to a list, got {other}"))
        }
    }
}

fn no_mapping(key: &Value, value: &Value) -> Box<Exception> {
    Exception::of_type(format!(
        "the key {} should point to a dictionary, got '{}'",
        shown(key),
        shown(value)
    ))
}

/// Returns the first members of the iterables, `most` of each. Raises if one is undefined.
fn sequences(arguments: &Bound, most: usize) -> Result<Vec<Vec<Value>>> {
    let columns = python::columns(&arguments.rest, most)?.into_iter();
    columns.map(|column| column.into_iter().map(defined).collect()).collect()
}

fn product(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let repeat = arguments.get(0).map_or(Ok(1), index)?;
    let repeat = usize::try_from(repeat)
        .map_err(|_| Exception::of_value("repeat argument cannot be negative"))?;
    let once = sequences(&arguments, usize::MAX)?;
    limit_members(once.len().saturating_mul(repeat))?;
    call.scope.context.spend((once.len() * repeat) as u64)?;
    let pools: Vec<&Vec<Value>> = once.iter().cycle().take(once.len() * repeat).collect();
    if pools.iter().any(|pool| pool.is_empty()) {
        return Ok(Value::list([]));
    }
    let total = pools.iter().map(|pool| pool.len()).fold(1, usize::saturating_mul);
    limit_members(total.saturating_mul(pools.len().max(1)))?;
    let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
    for pool in pools {
        let longer = tuples.iter().flat_map(|start| {
            pool.iter().map(|member| [&**start, std::slice::from_ref(member)].concat())
        });
        tuples = longer.collect();
    }
    Ok(Value::list(tuples.into_iter().map(Value::tuple)))
}

/// Reads the parameter `r`: the number of members of a tuple.
fn size(value: &Value) -> Result<usize> {
    usize::try_from(index(value)?)
        .map_err(|_| Exception::of_value("r must be non-negative"))
}

fn permutations(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [r]) = arguments.split();
    let pool = members(&value)?;
    let r = given(r).map_or(Ok(pool.len()), |r| size(&r))?;
    // Python returns nothing for tuples that are longer than the pool.
    if r > pool.len() {
        return Ok(Value::list([]));
    }
    let total = (pool.len() - r + 1..=pool.len()).fold(1usize, usize::saturating_mul);
    limit_members(total.saturating_mul(r.max(1)))?;
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..r {
        let longer = |places: Vec<usize>| {
            let free = (0..pool.len()).filter({
                let places = places.clone();
                move |at| !places.contains(at)
            });
            free.map(move |at| places.iter().copied().chain([at]).collect())
        };
        chosen = chosen.into_iter().flat_map(longer).collect();
    }
    Ok(tuples(&pool, chosen))
}

fn combinations(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, r], []) = arguments.split();
    let pool = members(&value)?;
    let r = size(&r)?;
    if r > pool.len() {
        return Ok(Value::list([]));
    }
    let fewer = r.min(pool.len() - r);
    // The binomial coefficient is checked before the tuples are made, and from its smaller
    // side: `range(100)` in tuples of 98 has few of them.
    let total = (1..=fewer).try_fold(1usize, |total, at| {
        total.checked_mul(pool.len() - fewer + at).map(|product| product / at)
    });
    limit_members(total.unwrap_or(usize::MAX).saturating_mul(r.max(1)))?;
    let mut chosen = Vec::new();
    let mut places: Vec<usize> = (0..r).collect();
    loop {
        chosen.push(places.clone());
        // Advances the last place that is not at its end, and resets those after it.
        let last = pool.len() - r;
        let Some(at) = (0..r).rev().find(|at| places[*at] < last + at) else { break };
        let next = places[at] + 1;
        places.splice(at.., next..next + r - at);
    }
    Ok(tuples(&pool, chosen))
}

/// Returns a tuple of members for each choice of their places.
fn tuples(pool: &[Value], chosen: Vec<Vec<usize>>) -> Value {
    Value::list(chosen.into_iter().map(|places| {
        Value::tuple(places.into_iter().filter_map(|at| pool.get(at).cloned()))
    }))
}

fn zip(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let strict = arguments.flag(0, false)?;
    let lengths = arguments.rest.iter().filter_map(|it| python::length(it).ok());
    // Of the others, no more members are pulled than the shortest one has.
    let most = if strict { None } else { lengths.min() };
    let sequences = sequences(&arguments, most.unwrap_or(usize::MAX))?;
    let length = sequences.iter().map(Vec::len).min().unwrap_or(0);
    let first = sequences.first().map_or(0, Vec::len);
    if let Some(at) = sequences.iter().position(|s| s.len() != first)
        && strict
    {
        let other = sequences.get(at).map_or(0, Vec::len);
        let than = if other < first { "shorter" } else { "longer" };
        let others =
            if at == 1 { "argument 1".to_owned() } else { format!("arguments 1-{at}") };
        return value_error(format!("zip() argument {} is {than} than {others}", at + 1));
    }
    limit_members(length.saturating_mul(sequences.len()))?;
    Ok(rows(&sequences, length, &Value::None))
}

fn zip_longest(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let fill = arguments.value(0);
    let sequences = sequences(&arguments, usize::MAX)?;
    let length = sequences.iter().map(Vec::len).max().unwrap_or(0);
    limit_members(length.saturating_mul(sequences.len()))?;
    Ok(rows(&sequences, length, &fill))
}

fn rows(sequences: &[Vec<Value>], length: usize, fill: &Value) -> Value {
    Value::list((0..length).map(|at| {
        Value::tuple(sequences.iter().map(|one| one.get(at).unwrap_or(fill).clone()))
    }))
}
