//! Sequences → the same in order, in groups, without repetition; their least and greatest.

use super::attribute::Path;
use super::group::Group;
use super::parameter::{flag, method, text};
use crate::eval::jinja::{CallSite, Undefined};
use crate::eval::python::{self, Bound, Comparison, Exception, Key, Result, Value};

/// Values in the order of their keys.
fn sorted(keys: &[Value], members: &[Value], reverse: bool) -> Result<Vec<Value>> {
    let places = python::sort_by_key(keys, reverse)?.into_iter();
    Ok(places.filter_map(|at| members.get(at).cloned()).collect())
}

pub(super) fn sort(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [reverse, case, attribute]) = arguments.split();
    let (reverse, case) = (flag(reverse, false)?, flag(case, false)?);
    let paths = Path::several(attribute.as_ref()).into_iter();
    let paths: Vec<Path> = paths.map(|path| path.lower(!case)).collect();
    let key = |member: &Value| {
        let keys = paths.iter().map(|path| path.get(member));
        keys.collect::<Result<Vec<_>>>().map(Value::tuple)
    };
    let members = python::iterate(&value)?;
    let keys = members.iter().map(key).collect::<Result<Vec<_>>>()?;
    sorted(&keys, &members, reverse).map(Value::list)
}

pub(super) fn dictsort(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [case, by, reverse]) = arguments.split();
    let at = match &*text(by, "key")? {
        "key" => 0,
        "value" => 1,
        _ => {
            let message = "You can only sort by either \"key\" or \"value\"";
            return Err(Exception::of_value(message));
        }
    };
    let path = Path::new(Some(&Value::Int(at))).lower(!flag(case, false)?);
    let pairs = python::iterate(&method(&value, "items", [])?)?;
    let keys = pairs.iter().map(|pair| path.get(pair)).collect::<Result<Vec<_>>>()?;
    sorted(&keys, &pairs, flag(reverse, false)?).map(Value::list)
}

/// `min`, `max`
pub(super) fn extreme(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [case, attribute]) = arguments.split();
    let path = Path::new(attribute.as_ref()).lower(!flag(case, false)?);
    let order = match call.name {
        "min" => Comparison::Less,
        _ => Comparison::Greater,
    };
    let mut best: Option<(Value, Value)> = None;
    for member in python::iterate(&value)? {
        let key = path.get(&member)?;
        let better = match &best {
            None => true,
            Some((best, _)) => python::order(order, &key, best)?,
        };
        if better {
            best = Some((key, member));
        }
    }
    let nothing = || Undefined::because("No aggregated item, sequence was empty.");
    Ok(best.map_or_else(nothing, |(_, member)| member))
}

pub(super) fn groupby(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, attribute], [default, case]) = arguments.split();
    let shown = Path::new(Some(&attribute)).or(default.clone());
    let path = Path::new(Some(&attribute)).or(default).lower(!flag(case, false)?);
    let members = python::iterate(&value)?;
    let keys = members.iter().map(|m| path.get(m)).collect::<Result<Vec<_>>>()?;
    let mut groups: Vec<(Value, Value, Vec<Value>)> = Vec::new();
    for member in sorted(&keys, &members, false)? {
        let key = path.get(&member)?;
        match groups.last_mut() {
            Some((last, _, group)) if python::equal(last, &key)? => group.push(member),
            _ => groups.push((key, shown.get(&member)?, vec![member])),
        }
    }
    let group =
        |(_, name, members)| Value::object(Group::new(name, Value::list(members)));
    Ok(Value::list(groups.into_iter().map(group)))
}

/// Jinja's `unique`, and without cases or attributes that of Ansible for what is no key.
pub(super) fn unique(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [case, attribute]) = arguments.split();
    let strict = matches!(case, Some(Value::Bool(false)))
        || attribute.as_ref().map_or(Ok(false), python::truth)?;
    let path = Path::new(attribute.as_ref()).lower(!flag(case, false)?);
    let members = python::iterate(&value)?;
    let keys: Vec<Value> = members.iter().map(|m| path.get(m)).collect::<Result<_>>()?;
    let hashed: Result<Vec<Key>> = keys.into_iter().map(Key::new).collect();
    match hashed {
        Ok(keys) => {
            let mut seen = indexmap::IndexSet::new();
            let new =
                keys.into_iter().zip(members).filter(|(key, _)| seen.insert(key.clone()));
            Ok(Value::list(new.map(|(_, member)| member).collect::<Vec<_>>()))
        }
        Err(error) if strict => Err(error),
        Err(_) => distinct(call, members).map(Value::list),
    }
}

/// Values that may be no keys, without those that equal an earlier one.
pub(super) fn distinct(call: &CallSite<'_>, members: Vec<Value>) -> Result<Vec<Value>> {
    let mut kept: Vec<Value> = Vec::new();
    for member in members {
        if !has(call, &kept, &member)? {
            kept.push(member);
        }
    }
    Ok(kept)
}

/// Whether one of them equals a value.
pub(super) fn has(call: &CallSite<'_>, members: &[Value], value: &Value) -> Result<bool> {
    for member in members {
        call.scope.context.spend(1)?;
        if python::equal(member, value)? {
            return Ok(true);
        }
    }
    Ok(false)
}
