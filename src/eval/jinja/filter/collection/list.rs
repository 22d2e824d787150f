//! Filters on lists: set operations, groups, counts and sums.

use std::cmp::Ordering;

use crate::eval::jinja::filter::order::{distinct, retain, sorted};
use crate::eval::jinja::filter::parameter::{
    flag, is_sequence, members, string, type_error, type_error_of, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined};
use crate::eval::python::version::{self, Scheme};
use crate::eval::python::{
    self, Arguments, Bound, Dict, Exception, Key, Object, Result, Str, Value,
};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::of_value("community.general.accumulate", "list_accumulate", accumulate),
    Plugin::of_value("community.general.counter", "counter", counter),
    Plugin::of_value("community.general.dict", "dict_filter", dict),
    Plugin::new("community.general.dict_kv", "dict_kv", &["value", "key"], &[], dict_kv),
    Plugin::new("community.general.groupby_as_dict", "groupby_as_dict", &["sequence", "attribute"], &[],
        groupby_as_dict),
    Plugin::variadic("community.general.lists_difference", lists),
    Plugin::variadic("community.general.lists_intersect", lists),
    Plugin::variadic("community.general.lists_mergeby", lists_mergeby),
    Plugin::variadic("community.general.lists_symmetric_difference", lists),
    Plugin::variadic("community.general.lists_union", lists),
    Plugin::new("community.general.version_sort", "version_sort", &["value"], &["reverse"], version_sort),
];

fn sequence(value: &Value, name: &str) -> Result<Vec<Value>> {
    if is_sequence(value) || matches!(value, Value::Str(_) | Value::Bytes(_)) {
        members(value)
    } else {
        type_error(format!(
            "Argument for {name} must be a sequence, {} is {}",
            python::str(value)?,
            value.type_name()
        ))
    }
}

/// Returns the lists among the arguments. `flatten` takes the members of a list of lists.
// Not bound by a signature, because the message for other keywords is the filter's own.
fn lists_of(mut arguments: Arguments, function: &str) -> Result<Vec<Value>> {
    let flatten = flag(arguments.take("flatten"), false)?;
    if let Some((name, _)) = arguments.keywords.first() {
        return value_error(format!(
            "{function}() got unexpected keywords arguments: {}",
            &**name
        ));
    }
    if flatten { flat(&arguments.positional) } else { Ok(arguments.positional) }
}

fn flat(lists: &[Value]) -> Result<Vec<Value>> {
    let mut flat = Vec::new();
    for list in lists {
        if !is_sequence(list) {
            return value_error(format!(
                "All arguments must be lists. {} is {}",
                python::str(list)?,
                list.type_name()
            ));
        }
        let inner = members(list)?;
        if inner.iter().all(is_sequence) {
            flat.extend(inner);
        } else {
            flat.push(list.clone());
        }
    }
    Ok(flat)
}

fn lists(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let name = call.short_name();
    let lists = lists_of(arguments, name)?;
    let (first, others) = match &*lists {
        [] => return Ok(Value::list([])),
        [only] => return Ok(only.clone()),
        [first, others @ ..] => (first, others),
    };
    if name == "lists_union" {
        let sum = others.iter().try_fold(first.clone(), |sum, x| python::add(&sum, x))?;
        return distinct(call, members(&sum)?).map(Value::list);
    }
    let mut sum = first.clone();
    let mut found = distinct(call, members(first)?)?;
    for other in others {
        if name == "lists_symmetric_difference" {
            // Python adds up both, which must be of one type, and makes a list of the sum.
            python::add(&sum, other)?;
            sum = Value::list([]);
        }
        let other = members(other)?;
        found = match name {
            "lists_intersect" => retain(call, found, &other, true)?,
            "lists_difference" => retain(call, found, &other, false)?,
            _ => {
                let only_there =
                    retain(call, distinct(call, other.clone())?, &found, false)?;
                let mut only_here = retain(call, found, &other, false)?;
                only_here.extend(only_there);
                only_here
            }
        };
    }
    Ok(Value::list(found))
}

fn lists_mergeby(call: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    let names = ["recursive", "list_merge"];
    let options = names.map(|name| Some((Str::from(name), arguments.take(name)?)));
    let options: Vec<(Str, Value)> = options.into_iter().flatten().collect();
    if !arguments.keywords.is_empty() {
        let why = "'recursive' and 'list_merge' are the only valid keyword arguments.";
        return value_error(why);
    }
    let Some((index, terms)) =
        arguments.positional.split_last().filter(|x| !x.1.is_empty())
    else {
        return value_error("At least one list and index are needed.");
    };
    let lists = flat(terms)?;
    if let [] | [_] = &*lists {
        return Ok(lists.into_iter().next().unwrap_or_else(|| Value::list([])));
    }
    string(index, "First argument after the lists must be string,")?;
    let index = Key::new(index.clone())?;
    // From the last: values of later lists win.
    let mut lists = lists.into_iter().rev();
    let last = lists.next().unwrap_or(Value::None);
    lists.try_fold(last, |high, low| {
        let mut all = members(&low)?;
        all.extend(members(&high)?);
        merged(call, all, &index, &options)
    })
}

/// Combines the mappings with the same value of a key, and sorts them by that value.
fn merged(
    call: &CallSite<'_>,
    mappings: Vec<Value>,
    index: &Key,
    options: &[(Str, Value)],
) -> Result<Value> {
    let groups = Dict::default();
    for mapping in mappings {
        let Value::Dict(dict) = &mapping else {
            return value_error(format!(
                "Elements of list arguments for lists_mergeby must be dictionaries. {} is {}",
                python::str(&mapping)?,
                mapping.type_name()
            ));
        };
        let Some(value) = dict.get(index)? else { continue };
        let key = Key::new(value)?;
        let low = groups.get(&key)?.unwrap_or_else(|| Value::Dict(Dict::default()));
        let both =
            Arguments { positional: vec![low, mapping], keywords: options.to_vec() };
        groups.set(key, defined(call.filter("combine", both)?)?);
    }
    let groups = groups.entries()?;
    let groups = groups.into_iter().map(|(key, group)| (key.into_value(), group));
    let (keys, groups): (Vec<Value>, Vec<Value>) = groups.unzip();
    sorted(&keys, &groups, false).map(Value::list)
}

fn accumulate(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], []) = arguments.split();
    let mut sums: Vec<Value> = Vec::new();
    for member in sequence(&value, "accumulate")? {
        let sum =
            if let Some(sum) = sums.last() { python::add(sum, &member)? } else { member };
        sums.push(sum);
    }
    Ok(Value::list(sums))
}

fn counter(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], []) = arguments.split();
    let counts = Dict::default();
    for member in sequence(&value, "community.general.counter")? {
        let key = Key::new(member).map_err(|error| {
            Exception::of_type(format!(
                "community.general.counter needs a sequence with hashable elements (int, \
                 float or str) - {}",
                error.message
            ))
        })?;
        let count = counts.get(&key)?.unwrap_or(Value::Int(0));
        counts.set(key, python::add(&count, &Value::Int(1))?);
    }
    Ok(Value::Dict(counts))
}

fn dict(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], []) = arguments.split();
    python::dict(Arguments::of([value])).map(Value::Dict)
}

fn dict_kv(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, key], []) = arguments.split();
    Ok(Value::Dict(Dict::from_iter([(Key::new(key)?, value)])))
}

fn groupby_as_dict(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, attribute], []) = arguments.split();
    if !is_sequence(&value) {
        return value_error("Input is not a sequence");
    }
    let attribute = Key::new(attribute)?;
    let groups = Dict::default();
    for (at, element) in members(&value)?.into_iter().enumerate() {
        let Value::Dict(entries) = &element else {
            return value_error(format!("Sequence element #{at} is not a mapping"));
        };
        let Some(group) = entries.get(&attribute)? else {
            let message = format!("Attribute not contained in element #{at} of sequence");
            return value_error(message);
        };
        let group = Key::new(group)?;
        if groups.get(&group)?.is_some() {
            let group = python::repr(group.value())?;
            return value_error(format!(
                "Multiple sequence entries have attribute value {group}"
            ));
        }
        groups.set(group, element);
    }
    Ok(Value::Dict(groups))
}

fn version_sort(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [reverse]) = arguments.split();
    let versions = members(&value)?;
    let key = |version: &Value| {
        let text = match version {
            Value::None => String::new(),
            Value::Str(text) => text.to_string(),
            other => {
                let wrong = "expected string or bytes-like object, got '{}'";
                return type_error_of(other, wrong);
            }
        };
        // A text that is there many times is copied each time.
        call.scope.context.spend_bytes(text.len())?;
        Ok(Value::object(LooseVersion(text)))
    };
    let keys = versions.iter().map(key).collect::<Result<Vec<_>>>()?;
    sorted(&keys, &versions, flag(reverse, false)?).map(Value::list)
}

#[derive(Debug)]
struct LooseVersion(String);

impl Object for LooseVersion {
    fn type_name(&self) -> &str {
        "LooseVersion"
    }

    fn order(&self, other: &Value) -> Result<Option<Ordering>> {
        let Some(other) = other.downcast::<LooseVersion>() else { return Ok(None) };
        version::compare(&self.0, &other.0, Scheme::Loose).map(Some)
    }
}
