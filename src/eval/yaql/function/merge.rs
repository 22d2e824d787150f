//! Several collections as one.

use std::cell::Cell;

use super::super::argument::{Call, Library};
use super::super::flow::{Flow, Memo, flow, is_iterator};
use super::super::key::key;
use super::super::lambda::Lambda as Expression;
use super::super::overload::Kind::{Dict, Int, Iterable, Lambda};
use super::super::overload::{Overload, may, method, need};
use crate::eval::python::{self, Exception, Key, Result, Value, add, room};

pub(super) const TABLE: &[Overload] = &[
    method(
        "join",
        &[
            need("collection1", Iterable),
            need("collection2", Iterable),
            need("predicate", Lambda),
            need("selector", Lambda),
        ],
        join,
    ),
    method(
        "mergeWith",
        &[
            need("dict", Dict),
            need("another", Dict),
            may("listMerger", Lambda),
            may("itemMerger", Lambda),
            may("maxLevels", Int),
        ],
        merge_with,
    ),
    method("zip", &[], zip).more(Iterable),
    method("zipLongest", &[], zip_longest).more(Iterable).names(),
];

/// What is selected of each pair for which it holds.
fn join(call: &Call) -> Result<Value> {
    let (mut left, mut right) = (call.flow(0)?, call.value(1));
    let (predicate, selector) = (call.lambda(2)?, call.lambda(3)?);
    if is_iterator(&right) {
        right = Memo::value(&call.engine, &right);
    }
    let mut open: Option<(Value, Flow)> = None;
    call.iter(move || {
        loop {
            if let Some((own, others)) = &mut open {
                while let Some(other) = others.next()? {
                    let pair = [own.clone(), other];
                    if predicate.holds(pair.clone())? {
                        return selector.call(pair).map(Some);
                    }
                }
            }
            let Some(own) = left.next()? else { return Ok(None) };
            open = Some((own, flow(&right)?));
        }
    })
}

fn flows(call: &Call) -> Result<Vec<Flow>> {
    call.more().iter().map(flow).collect()
}

fn zip(call: &Call) -> Result<Value> {
    let mut flows = flows(call)?;
    call.iter(move || {
        let mut row = Vec::with_capacity(flows.len());
        for flow in &mut flows {
            match flow.next()? {
                Some(member) => row.push(member),
                None => return Ok(None),
            }
        }
        Ok((!row.is_empty()).then(|| Value::tuple(row)))
    })
}

fn zip_longest(call: &Call) -> Result<Value> {
    let mut flows = flows(call)?;
    let filler = call.names.iter().find(|(name, _)| &**name == "default");
    let filler = filler.map_or(Value::None, |(_, value)| value.clone());
    call.iter(move || {
        let (mut row, mut found) = (Vec::with_capacity(flows.len()), false);
        for flow in &mut flows {
            let next = flow.next()?;
            found = found || next.is_some();
            row.push(next.unwrap_or_else(|| filler.clone()));
        }
        Ok(found.then(|| Value::tuple(row)))
    })
}

fn merge_with(call: &Call) -> Result<Value> {
    let merger = Merger {
        library: call.library(),
        lists: call.maybe_lambda(2),
        items: call.maybe_lambda(3),
        met: Cell::new(0),
    };
    merger.dicts(&call.dict(0)?, &call.dict(1)?, call.int(4, 0)?).map(Value::Dict)
}

struct Merger {
    library: Library,
    lists: Option<Expression>,
    items: Option<Expression>,
    /// How many entries were met.
    met: Cell<usize>,
}

impl Merger {
    /// One dict over the other, down to a level; 0 is any.
    fn dicts(
        &self,
        own: &python::Dict,
        other: &python::Dict,
        levels: i64,
    ) -> Result<python::Dict> {
        self.library.engine.within(1, || {
            let merged = python::Dict::default();
            for (name, value) in own.entries()? {
                self.library.engine.spend(1)?;
                self.met.set(self.met.get() + 1);
                room(self.met.get())?;
                let value = match other.get(&name)? {
                    Some(other) => self.values(value, other, levels)?,
                    None => value,
                };
                merged.set(name, value);
            }
            for (name, value) in other.entries()? {
                if !own.read().contains_key(&name) {
                    merged.set(name, value);
                }
            }
            Ok(merged)
        })
    }

    fn values(&self, own: Value, other: Value, levels: i64) -> Result<Value> {
        let deeper = levels != 1;
        match (&own, &other) {
            (Value::Dict(a), Value::Dict(b)) if deeper => {
                let levels = if levels == 0 { 0 } else { levels - 1 };
                self.dicts(a, b, levels).map(Value::Dict)
            }
            (Value::Tuple(_) | Value::List(_), Value::Tuple(_) | Value::List(_))
                if deeper =>
            {
                match &self.lists {
                    Some(merger) => merger.call([own, other]),
                    None => self.union(&own, &other),
                }
            }
            (_, Value::Dict(_) | Value::Tuple(_) | Value::List(_)) if deeper => {
                Err(Exception::of_type(format!(
                    "Cannot merge <class '{}'> with <class '{}'>",
                    own.type_name(),
                    other.type_name()
                )))
            }
            _ => match &self.items {
                Some(merger) => merger.call([own, other]),
                None => Ok(other),
            },
        }
    }

    /// The members of both lists, each once.
    fn union(&self, own: &Value, other: &Value) -> Result<Value> {
        let mut seen = indexmap::IndexMap::<Key, Value>::new();
        for member in flow(&add(own, other)?)?.rest()? {
            seen.entry(key(&member)?).or_insert(member);
        }
        let members = Value::tuple(seen.into_values());
        self.library.admit(Iterable, members)
    }
}
