//! The methods of `list`, `tuple` and `range`.

use super::super::{
    Arguments, Class, Exception, List, Number, Range, Result, Tuple, Value, call, equal,
    iterate, repr, room, sort_by_key, truth,
};
use super::{Given, Table, Takes, entry};

pub(super) const LIST: Table<List> = &[
    entry("append", Takes::One, |list, given| {
        room(list.len() + 1)?;
        list.write().push(given.value(0));
        Ok(Value::None)
    }),
    entry("clear", Takes::Nothing, |list, _| {
        let items = std::mem::take(&mut *list.write());
        drop(items);
        Ok(Value::None)
    }),
    entry("copy", Takes::Nothing, |list, _| Ok(Value::list(list.read().clone()))),
    entry("count", Takes::One, |list, given| count(&list.items()?, given)),
    entry("extend", Takes::One, |list, given| {
        let more = iterate(&given.value(0))?;
        room(list.len() + more.len())?;
        list.write().extend(more);
        Ok(Value::None)
    }),
    entry("index", Takes::Between(1, 3), |list, given| {
        index(
            &list.items()?,
            given,
            &format!("{} is not in list", repr(&given.value(0))?),
        )
    }),
    entry("insert", Takes::Between(2, 2), insert),
    entry("pop", Takes::Between(0, 1), pop),
    entry("remove", Takes::One, remove),
    entry("reverse", Takes::Nothing, |list, _| {
        list.write().reverse();
        Ok(Value::None)
    }),
    entry("sort", Takes::Keywords(&["key", "reverse"]), sort),
];

pub(super) const TUPLE: Table<Tuple> = &[
    entry("count", Takes::One, |tuple, given| count(tuple, given)),
    entry("index", Takes::Between(1, 3), |tuple, given| {
        index(tuple, given, "tuple.index(x): x not in tuple")
    }),
];

pub(super) const RANGE: Table<Range> = &[
    entry("count", Takes::One, |range, given| {
        let found = super::super::contains(&Value::Range(*range), &given.value(0))?;
        Ok(Value::Int(found.into()))
    }),
    entry("index", Takes::One, |range, given| match given.value(0) {
        Value::Int(number) if let Some(at) = range.position(number) => {
            Ok(Value::Int(at as i64))
        }
        other => Err(Exception::of_value(format!("{} is not in range", repr(&other)?))),
    }),
];

fn count(members: &[Value], given: &Given) -> Result<Value> {
    let (mut count, wanted) = (0, given.value(0));
    for member in members {
        count += i64::from(equal(member, &wanted)?);
    }
    Ok(Value::Int(count))
}

fn index(members: &[Value], given: &Given, missing: &str) -> Result<Value> {
    let wanted = given.value(0);
    for end in given.values.iter().skip(1).flatten() {
        if Number::of(end).is_none_or(|end| matches!(end, Number::Float(_))) {
            let message = "slice indices must be integers or have an __index__ method";
            return Err(Exception::of_type(message));
        }
    }
    if let Some((start, stop)) = given.window(1, members.len())? {
        for (at, member) in members.iter().enumerate().take(stop).skip(start) {
            if equal(member, &wanted)? {
                return Ok(Value::Int(at as i64));
            }
        }
    }
    Err(Exception::of_value(missing))
}

fn insert(list: &List, given: &Given) -> Result<Value> {
    let at = given.integer(0, 0)?;
    room(list.len() + 1)?;
    let mut items = list.write();
    let length = items.len();
    let at = match usize::try_from(at) {
        Ok(at) => at.min(length),
        Err(_) => length.saturating_sub(at.unsigned_abs() as usize),
    };
    items.insert(at, given.value(1));
    Ok(Value::None)
}

fn pop(list: &List, given: &Given) -> Result<Value> {
    let at = given.integer(0, -1)?;
    let popped = {
        let mut items = list.write();
        let length = items.len();
        let wrong = |message| Err(Exception::new(Class::Index, message));
        let place = if at < 0 { at.saturating_add_unsigned(length as u64) } else { at };
        match usize::try_from(place) {
            _ if length == 0 => return wrong("pop from empty list"),
            Ok(place) if place < length => items.remove(place),
            _ => return wrong("pop index out of range"),
        }
    };
    popped.force()
}

fn remove(list: &List, given: &Given) -> Result<Value> {
    let wanted = given.value(0);
    for (at, item) in list.items()?.iter().enumerate() {
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

fn sort(list: &List, given: &Given) -> Result<Value> {
    let items = list.items()?;
    let keys = match given.get(0) {
        None | Some(Value::None) => items.clone(),
        Some(key) => {
            let of = |item: &Value| call(key, Arguments::of([item.clone()]));
            items.iter().map(of).collect::<Result<_>>()?
        }
    };
    let order = sort_by_key(&keys, given.get(1).map_or(Ok(false), truth)?)?;
    *list.write() = order.into_iter().filter_map(|at| items.get(at).cloned()).collect();
    Ok(Value::None)
}
