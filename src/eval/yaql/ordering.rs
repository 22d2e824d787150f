//! What `orderBy` gives: a collection and what it is ordered by come in, its members in
//! order go out, when somebody asks.

use std::cmp;
use std::sync::OnceLock;

use super::argument::Library;
use super::flow::flow;
use super::lambda::Lambda;
use crate::eval::python::{Lock, Object, Result, Value, truth};

/// A collection in an order.
#[derive(Debug)]
pub(super) struct Ordering {
    collection: Value,
    library: Library,
    /// What it is ordered by, and whether that falls.
    fields: Lock<Vec<(Lambda, bool)>>,
    sorted: OnceLock<Vec<Value>>,
}

impl Ordering {
    /// A collection ordered by one thing.
    pub(super) fn new(
        collection: Value,
        library: Library,
        field: Lambda,
        falls: bool,
    ) -> Ordering {
        let fields = Lock::new(vec![(field, falls)]);
        Ordering { collection, library, fields, sorted: OnceLock::new() }
    }

    /// Orders by another thing where members are equal so far.
    pub(super) fn refine(&self, field: Lambda, falls: bool) {
        self.fields.write().push((field, falls));
    }

    /// The members in order.
    pub(super) fn sorted(&self) -> Result<Vec<Value>> {
        if let Some(sorted) = self.sorted.get() {
            return Ok(sorted.clone());
        }
        let sorted = self.sort(flow(&self.collection)?.rest()?)?;
        Ok(self.sorted.get_or_init(|| sorted).clone())
    }

    /// Merges runs that are in order, each twice as long as those before.
    fn sort(&self, mut members: Vec<Value>) -> Result<Vec<Value>> {
        let mut size = 1;
        while size < members.len() {
            let mut merged = Vec::with_capacity(members.len());
            for pair in members.chunks(size * 2) {
                let (mut left, mut right) = pair.split_at(size.min(pair.len()));
                while let ([a, rest @ ..], [b, others @ ..]) = (left, right) {
                    if self.compare(b, a)?.is_lt() {
                        merged.push(b.clone());
                        right = others;
                    } else {
                        merged.push(a.clone());
                        left = rest;
                    }
                }
                merged.extend(left.iter().chain(right).cloned());
            }
            members = merged;
            size *= 2;
        }
        Ok(members)
    }

    fn compare(&self, a: &Value, b: &Value) -> Result<cmp::Ordering> {
        let fields = self.fields.read().clone();
        for (field, falls) in fields {
            let pair = [field.call([a.clone()])?, field.call([b.clone()])?];
            let order = if truth(&self.library.function("#operator_<", &pair)?)? {
                cmp::Ordering::Less
            } else if truth(&self.library.function("#operator_>", &pair)?)? {
                cmp::Ordering::Greater
            } else {
                continue;
            };
            return Ok(if falls { order.reverse() } else { order });
        }
        Ok(cmp::Ordering::Equal)
    }
}

impl Object for Ordering {
    fn type_name(&self) -> &str {
        "OrderingIterable"
    }
}
