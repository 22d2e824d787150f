//! [`View`]: the results of `dict.keys()`, `dict.values()` and `dict.items()`, which
//! follow changes of the dict.

use super::{Dict, Key, Object, Operator, Result, Set, Value, iterate, repr};

/// `dict.keys()`, `dict.values()` or `dict.items()`.
#[derive(Clone, Debug)]
pub struct View {
    dict: Dict,
    kind: ViewKind,
}

/// The members of a dict that a view consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    Keys,
    Values,
    /// The entries, as tuples.
    Items,
}

impl View {
    /// Makes a view as a value.
    pub fn value(dict: &Dict, kind: ViewKind) -> Value {
        Value::object(View { dict: dict.clone(), kind })
    }

    pub fn dict(&self) -> &Dict {
        &self.dict
    }

    pub(super) fn name(&self) -> &'static str {
        match self.kind {
            ViewKind::Keys => "dict_keys",
            ViewKind::Values => "dict_values",
            ViewKind::Items => "dict_items",
        }
    }

    pub fn members(&self) -> Result<Vec<Value>> {
        if self.kind == ViewKind::Keys {
            return Ok(self.dict.keys());
        }
        let member = |(key, value): (Key, Value)| match self.kind {
            ViewKind::Items => Value::tuple([key.into_value(), value]),
            ViewKind::Keys | ViewKind::Values => value,
        };
        Ok(self.dict.entries()?.into_iter().map(member).collect())
    }

    /// Returns true if its members are the keys of the dict.
    pub(super) fn is_of_keys(&self) -> bool {
        self.kind == ViewKind::Keys
    }

    fn set(&self) -> Result<Set> {
        self.members()?.into_iter().map(Key::new).collect()
    }
}

impl Object for View {
    fn type_name(&self) -> &str {
        self.name()
    }

    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        self.members().map(Some)
    }

    fn length(&self) -> Option<usize> {
        Some(self.dict.len())
    }

    fn display(&self) -> Result<String> {
        repr(&Value::object(self.clone()))
    }

    fn binary(
        &self,
        operator: Operator,
        other: &Value,
        reflected: bool,
    ) -> Result<Option<Value>> {
        if operator != Operator::Sub || self.kind == ViewKind::Values {
            return Ok(None);
        }
        let other = iterate(other)?.into_iter().map(Key::new).collect::<Result<Set>>()?;
        let ours = self.set()?;
        let (a, b) = if reflected { (other, ours) } else { (ours, other) };
        Ok(Some(Value::Set(a.0.difference(&b.0).cloned().collect())))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        let theirs = match (other, other.downcast::<View>()) {
            (Value::Set(set), _) => Some(set.clone()),
            (_, Some(view)) if view.kind != ViewKind::Values => view.set().ok(),
            _ => None,
        };
        let theirs = theirs.filter(|_| self.kind != ViewKind::Values);
        Some(theirs.is_some_and(|b| self.set().is_ok_and(|a| a.0 == b.0)))
    }

    fn stored(&self) -> Result<Option<Value>> {
        self.members().map(Value::list).map(Some)
    }

    fn plain(&self) -> Option<Value> {
        self.members().ok().map(Value::list)
    }
}
