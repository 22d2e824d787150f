//! Filters that sort, group and compare sequences, and remove duplicates.

use super::parameter::{AttributePath, flag, members, method, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, Undefined};
use crate::eval::python::{self, Bound, Comparison, Key, Object, Result, Set, Value};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("dictsort", "do_dictsort", &["value"], &["case_sensitive", "by", "reverse"], dictsort),
    Plugin::new("difference", "difference", &["a", "b"], &[], combine),
    Plugin::new("groupby", "sync_do_groupby", &["value", "attribute"], &["default", "case_sensitive"],
        groupby),
    Plugin::new("intersect", "intersect", &["a", "b"], &[], combine),
    Plugin::new("max", "do_max", &["value"], &["case_sensitive", "attribute"], extreme),
    Plugin::new("min", "do_min", &["value"], &["case_sensitive", "attribute"], extreme),
    Plugin::new("sort", "do_sort", &["value"], &["reverse", "case_sensitive", "attribute"], sort),
    Plugin::new("symmetric_difference", "symmetric_difference", &["a", "b"], &[], combine),
    Plugin::new("union", "union", &["a", "b"], &[], combine),
    Plugin::new("unique", "unique", &["a"], &["case_sensitive", "attribute"], unique),
];

/// Returns members sorted by their keys.
pub(super) fn sorted(keys: &[Value], items: &[Value], desc: bool) -> Result<Vec<Value>> {
    let places = python::sort_by_key(keys, desc)?.into_iter();
    Ok(places.filter_map(|at| items.get(at).cloned()).collect())
}

fn sort(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [reverse, case, attribute]) = arguments.split();
    let reverse = flag(reverse, false)?;
    let case = flag(case, false)?;
    let paths = AttributePath::several(attribute.as_ref()).into_iter();
    let paths: Vec<AttributePath> = paths.map(|path| path.lower(!case)).collect();
    let key = |member: &Value| {
        python::charge_key(0)?;
        let keys = paths.iter().map(|path| path.get(member));
        keys.collect::<Result<Vec<_>>>().map(Value::tuple)
    };
    let members = python::iterate(&value)?;
    let keys = members.iter().map(key).collect::<Result<Vec<_>>>()?;
    sorted(&keys, &members, reverse).map(Value::list)
}

fn dictsort(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [case, by, reverse]) = arguments.split();
    let at = match &*text(by, "key")? {
        "key" => 0,
        "value" => 1,
        _ => return value_error("You can only sort by either \"key\" or \"value\""),
    };
    let path = AttributePath::new(Some(&Value::Int(at))).lower(!flag(case, false)?);
    let pairs = python::iterate(&method(&value, "items", [])?)?;
    let keys = pairs.iter().map(|pair| path.get(pair)).collect::<Result<Vec<_>>>()?;
    sorted(&keys, &pairs, flag(reverse, false)?).map(Value::list)
}

fn extreme(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [case, attribute]) = arguments.split();
    let path = AttributePath::new(attribute.as_ref()).lower(!flag(case, false)?);
    let order = if call.name == "min" { Comparison::Less } else { Comparison::Greater };
    let members = python::iterate(&value)?;
    let best = best(order, members.iter().map(|member| path.get(member)))?;
    let best = best.and_then(|at| members.get(at).cloned());
    let message = "No aggregated item, sequence was empty.";
    Ok(best.unwrap_or_else(|| Undefined::because(message)))
}

/// Returns the index of the first key that comes before, or after, all others.
pub(super) fn best(
    order: Comparison,
    keys: impl IntoIterator<Item = Result<Value>>,
) -> Result<Option<usize>> {
    let mut best: Option<(usize, Value)> = None;
    for (at, key) in keys.into_iter().enumerate() {
        let key = key?;
        let better = match &best {
            None => true,
            // A strict comparison keeps the first of equal members, as Python does.
            Some((_, best)) => python::order(order, &key, best)?,
        };
        if better {
            best = Some((at, key));
        }
    }
    Ok(best.map(|(at, _)| at))
}

fn groupby(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, attribute], [other, case]) = arguments.split();
    // The groups are compared in lower case, but shown as the first member has it.
    let shown = AttributePath::new(Some(&attribute)).or(other.clone());
    let path = AttributePath::new(Some(&attribute)).or(other).lower(!flag(case, false)?);
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
    Ok(Value::list(groups.into_iter().map(|(_, name, members)| {
        Value::object(GroupTuple([name, Value::list(members)]))
    })))
}

/// `unique`: that of Jinja. Values that are not hashable are compared one by one, as in
/// Ansible, unless a parameter is given that only Jinja has.
fn unique(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [case, attribute]) = arguments.split();
    // Ansible falls back to its own implementation only without these parameters.
    let strict = matches!(case, Some(Value::Bool(false)))
        || attribute.as_ref().map_or(Ok(false), python::truth)?;
    let path = AttributePath::new(attribute.as_ref()).lower(!flag(case, false)?);
    let members = python::iterate(&value)?;
    let keys: Vec<Value> = members.iter().map(|m| path.get(m)).collect::<Result<_>>()?;
    let hashed: Result<Vec<Key>> = keys.into_iter().map(Key::new).collect();
    match hashed {
        Ok(keys) => {
            let mut known = indexmap::IndexSet::new();
            let mut kept = Vec::new();
            for (key, member) in keys.into_iter().zip(members) {
                // Comparisons with keys that have the same hash are charged.
                call.scope.context.spend(1)?;
                if known.insert(key) {
                    kept.push(member);
                }
            }
            Ok(Value::list(kept))
        }
        Err(error) if strict => Err(error),
        Err(_) => distinct(call, members).map(Value::list),
    }
}

/// Removes the values that equal an earlier one. They need not be hashable.
pub(super) fn distinct(call: &CallSite<'_>, members: Vec<Value>) -> Result<Vec<Value>> {
    let mut kept: Vec<Value> = Vec::new();
    for member in members {
        if !has(call, &kept, &member)? {
            kept.push(member);
        }
    }
    Ok(kept)
}

pub(super) fn has(call: &CallSite<'_>, members: &[Value], value: &Value) -> Result<bool> {
    for member in members {
        // Removing duplicates this way takes quadratic time: each comparison counts as a step.
        call.scope.context.spend(1)?;
        if python::equal(member, value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the values that are, or are not, members of others.
pub(super) fn retain(
    call: &CallSite<'_>,
    values: Vec<Value>,
    others: &[Value],
    wanted: bool,
) -> Result<Vec<Value>> {
    let mut kept = Vec::new();
    for value in values {
        if has(call, others, &value)? == wanted {
            kept.push(value);
        }
    }
    Ok(kept)
}

/// A group of `groupby`: the tuple `(grouper, list)`, whose members have names.
#[derive(Debug)]
struct GroupTuple([Value; 2]);

impl GroupTuple {
    fn tuple(&self) -> Value {
        Value::tuple(self.0.clone())
    }
}

impl Object for GroupTuple {
    fn type_name(&self) -> &str {
        "GroupTuple"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let [grouper, list] = &self.0;
        match name {
            "grouper" => Ok(Some(grouper.clone())),
            "list" => Ok(Some(list.clone())),
            _ => python::attribute(&self.tuple(), name),
        }
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        python::item(&self.tuple(), key).map(Some)
    }

    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        Ok(Some(self.0.to_vec()))
    }

    fn length(&self) -> Option<usize> {
        Some(2)
    }

    fn display(&self) -> Result<String> {
        python::repr(&self.tuple())
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        let other = match other.downcast::<GroupTuple>() {
            Some(other) => other.tuple(),
            None => other.clone(),
        };
        Some(python::equal(&self.tuple(), &other).unwrap_or(false))
    }

    fn plain(&self) -> Option<Value> {
        Some(self.tuple())
    }
}

pub(crate) fn set(members: Vec<Value>) -> Result<Set> {
    members.into_iter().map(Key::new).collect::<Result<Vec<Key>>>().map(Set::from_iter)
}

/// `union`, `intersect`, `difference` and `symmetric_difference`.
fn combine(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    if let (Ok(left), Ok(right)) = (members(&a).and_then(set), members(&b).and_then(set))
    {
        let keys: Vec<&Key> = match call.name {
            "union" => left.0.union(&right.0).collect(),
            "intersect" => left.0.intersection(&right.0).collect(),
            "difference" => left.0.difference(&right.0).collect(),
            _ => left.0.symmetric_difference(&right.0).collect(),
        };
        return Ok(Value::list(keys.into_iter().map(|key| key.value().clone())));
    }
    // Not all members are hashable. This path also raises the errors of `members`.
    let found = match call.name {
        "union" => joined(call, &a, &b)?,
        "intersect" => kept(call, &a, &b, true)?,
        "difference" => kept(call, &a, &b, false)?,
        _ => {
            let common = kept(call, &a, &b, true)?;
            retain(call, joined(call, &a, &b)?, &common, false)?
        }
    };
    Ok(Value::list(found))
}

fn joined(call: &CallSite<'_>, a: &Value, b: &Value) -> Result<Vec<Value>> {
    distinct(call, members(&python::add(a, b)?)?)
}

/// Returns the members of `a` that are in `b`, or those that are not, without duplicates.
fn kept(call: &CallSite<'_>, a: &Value, b: &Value, wanted: bool) -> Result<Vec<Value>> {
    let mut kept = Vec::new();
    for member in members(a)? {
        call.scope.context.spend(1)?;
        if python::contains(b, &member)? == wanted {
            kept.push(member);
        }
    }
    distinct(call, kept)
}
