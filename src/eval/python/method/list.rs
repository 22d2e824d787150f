//! The methods of `list`, `tuple`, `range` and `set`.

use super::super::access::member_index;
use super::super::{
    Arguments, Bound, Class, Exception, IntRange, Key, List, Number, Result, Set,
    Signature, Tuple, Value, call, equal, iterate, limit, limit_members, repr,
    sort_by_key, truth, with_members_raised,
};
use super::dispatch::{MethodTable, method, plain};

pub const LIST: MethodTable<List> = &[
    method(Signature::one_argument("append"), |list, arguments| {
        limit_members(list.len() + 1)?;
        list.extend(vec![arguments.value(0)]);
        Ok(Value::None)
    }),
    plain("clear", |list, _| {
        list.clear();
        Ok(Value::None)
    }),
    plain("copy", |list, _| Ok(Value::list(list.read().clone()))),
    method(Signature::one_argument("count"), |list, arguments| {
        count(&list.items()?, arguments)
    }),
    method(Signature::one_argument("extend"), |list, arguments| {
        let more = iterate(&arguments.value(0))?;
        limit_members(list.len() + more.len())?;
        list.extend(more);
        Ok(Value::None)
    }),
    method(
        Signature::positional("index", &["value"], &["start", "stop"]),
        |list, arguments| {
            index(
                &compared(list)?,
                arguments,
                &format!("{} is not in list", repr(&arguments.value(0))?),
            )
        },
    ),
    method(Signature::positional("insert", &["index", "object"], &[]), insert),
    method(Signature::positional("pop", &[], &["index"]), pop),
    method(Signature::one_argument("remove"), remove),
    plain("reverse", |list, _| {
        limit::charge_moved(list.len());
        list.write().reverse();
        Ok(Value::None)
    }),
    method(Signature::named_only("sort", &["key", "reverse"]), sort),
];

pub const TUPLE: MethodTable<Tuple> = &[
    method(Signature::one_argument("count"), |tuple, arguments| count(tuple, arguments)),
    method(
        Signature::positional("index", &["value"], &["start", "stop"]),
        |tuple, arguments| index(tuple, arguments, "tuple.index(x): x not in tuple"),
    ),
];

pub const RANGE: MethodTable<IntRange> = &[
    method(Signature::one_argument("count"), |range, arguments| {
        let found = super::super::contains(&Value::Range(*range), &arguments.value(0))?;
        Ok(Value::Int(found.into()))
    }),
    method(Signature::one_argument("index"), |range, arguments| {
        match arguments.value(0) {
            Value::Int(number) if let Some(at) = range.position(number) => {
                Ok(Value::Int(at as i64))
            }
            item => Err(Exception::of_value(format!("{} is not in range", repr(&item)?))),
        }
    }),
];

/// Returns the items. Only those that are compared may raise.
fn compared(list: &List) -> Result<Vec<Value>> {
    with_members_raised(false, || list.items())
}

fn count(members: &[Value], arguments: &Bound) -> Result<Value> {
    let wanted = arguments.value(0);
    let mut count = 0;
    for member in members {
        count += i64::from(equal(member, &wanted)?);
    }
    Ok(Value::Int(count))
}

fn index(members: &[Value], arguments: &Bound, missing: &str) -> Result<Value> {
    let wanted = arguments.value(0);
    for end in [1, 2].into_iter().filter_map(|at| arguments.get(at)) {
        if Number::of(end).is_none_or(|end| matches!(end, Number::Float(_))) {
            let message = "slice indices must be integers or have an __index__ method";
            return Err(Exception::of_type(message));
        }
    }
    if let Some((start, stop)) = arguments.window(1, members.len())? {
        for (at, member) in members.iter().enumerate().take(stop).skip(start) {
            if equal(member, &wanted)? {
                return Ok(Value::Int(at as i64));
            }
        }
    }
    Err(Exception::of_value(missing))
}

fn insert(list: &List, arguments: &Bound) -> Result<Value> {
    let at = arguments.integer(0, 0)?;
    limit_members(list.len() + 1)?;
    let length = list.len();
    let at = match usize::try_from(at) {
        Ok(at) => at.min(length),
        Err(_) => length.saturating_sub(at.unsigned_abs() as usize),
    };
    limit::charge_moved(length - at);
    list.insert(at, arguments.value(1));
    Ok(Value::None)
}

fn pop(list: &List, arguments: &Bound) -> Result<Value> {
    let at = arguments.integer(0, -1)?;
    // The lock is released before the item is forced, which may read the list again.
    let popped = {
        let mut items = list.write();
        let Some(place) = member_index(at, items.len()) else {
            let message = if items.is_empty() {
                "pop from empty list"
            } else {
                "pop index out of range"
            };
            return Err(Exception::new(Class::Index, message));
        };
        limit::charge_moved(items.len() - place);
        items.remove(place)
    };
    popped.force()
}

/// `list.remove`
// The items are compared without the lock, which the evaluation of an item may need. The list
// may have become shorter meanwhile.
fn remove(list: &List, arguments: &Bound) -> Result<Value> {
    let wanted = arguments.value(0);
    for (at, item) in compared(list)?.iter().enumerate() {
        if equal(item, &wanted)? {
            let mut items = list.write();
            if at < items.len() {
                let removed = items.remove(at);
                drop(items);
                drop(removed);
            }
            return Ok(Value::None);
        }
    }
    Err(Exception::of_value("list.remove(x): x not in list"))
}

fn sort(list: &List, arguments: &Bound) -> Result<Value> {
    let items = list.items()?;
    let keys = match arguments.get(0) {
        None | Some(Value::None) => items.clone(),
        Some(key) => {
            let keys = items.iter().map(|item| call(key, Arguments::of([item.clone()])));
            keys.collect::<Result<_>>()?
        }
    };
    let order = sort_by_key(&keys, arguments.get(1).map_or(Ok(false), truth)?)?;
    *list.write() = order.into_iter().filter_map(|at| items.get(at).cloned()).collect();
    Ok(Value::None)
}

pub const SET: MethodTable<Set> = &[
    plain("copy", |set, _| Ok(Value::Set(set.clone()))),
    method(Signature::any("difference"), |set, arguments| {
        fold(set, arguments, |a, b| a.0.difference(&b.0).cloned().collect())
    }),
    method(Signature::any("intersection"), |set, arguments| {
        fold(set, arguments, |a, b| a.0.intersection(&b.0).cloned().collect())
    }),
    method(Signature::one_argument("isdisjoint"), |set, arguments| {
        Ok(set.0.is_disjoint(&set_of(&arguments.value(0))?.0).into())
    }),
    method(Signature::one_argument("issubset"), |set, arguments| {
        Ok(set.0.is_subset(&set_of(&arguments.value(0))?.0).into())
    }),
    method(Signature::one_argument("issuperset"), |set, arguments| {
        Ok(set.0.is_superset(&set_of(&arguments.value(0))?.0).into())
    }),
    method(Signature::one_argument("symmetric_difference"), |set, arguments| {
        let other = set_of(&arguments.value(0))?;
        Ok(Value::Set(set.0.symmetric_difference(&other.0).cloned().collect()))
    }),
    method(Signature::any("union"), |set, arguments| {
        fold(set, arguments, |a, b| a.0.union(&b.0).cloned().collect())
    }),
];

fn set_of(value: &Value) -> Result<Set> {
    iterate(value)?.into_iter().map(Key::new).collect()
}

fn fold(set: &Set, arguments: &Bound, with: fn(&Set, &Set) -> Set) -> Result<Value> {
    let others = arguments.rest.iter();
    others.map(set_of).try_fold(set.clone(), |a, b| Ok(with(&a, &b?))).map(Value::Set)
}
