//! What `keys`, `values` and `items` of a dict give: the dict comes in, its members as they
//! are when somebody looks go out.

use super::{Dict, Key, Object, Operator, Result, Set, Value, iterate, repr};

/// `dict.keys()`, `dict.values()` or `dict.items()`.
#[derive(Clone, Debug)]
pub struct View {
    dict: Dict,
    part: Part,
}

/// What a view shows of a dict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The keys.
    Keys,
    /// The values.
    Values,
    /// The entries, as tuples.
    Items,
}

impl View {
    /// A view of a dict.
    pub fn new(dict: &Dict, part: Part) -> View {
        View { dict: dict.clone(), part }
    }

    /// `dict.keys()`
    pub fn keys(dict: &Dict) -> View {
        View::new(dict, Part::Keys)
    }

    /// `dict.values()`
    pub fn values(dict: &Dict) -> View {
        View::new(dict, Part::Values)
    }

    /// `dict.items()`
    pub fn items(dict: &Dict) -> View {
        View::new(dict, Part::Items)
    }

    /// What it is a view of.
    pub fn dict(&self) -> &Dict {
        &self.dict
    }

    /// The name of its type.
    pub(super) fn name(&self) -> &'static str {
        match self.part {
            Part::Keys => "dict_keys",
            Part::Values => "dict_values",
            Part::Items => "dict_items",
        }
    }

    /// What it shows.
    pub fn members(&self) -> Result<Vec<Value>> {
        if self.part == Part::Keys {
            return Ok(self.dict.keys());
        }
        let member = |(key, value): (Key, Value)| match self.part {
            Part::Items => Value::tuple([key.into_value(), value]),
            Part::Keys | Part::Values => value,
        };
        Ok(self.dict.entries()?.into_iter().map(member).collect())
    }

    /// Whether it shows a key; nothing if it shows no keys.
    pub(super) fn has(&self, key: &Value) -> Result<Option<bool>> {
        Ok(match self.part {
            Part::Keys => Some(self.dict.read().contains_key(&Key::new(key.clone())?)),
            Part::Values | Part::Items => None,
        })
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
        if operator != Operator::Sub || self.part == Part::Values {
            return Ok(None);
        }
        let other: Set =
            iterate(other)?.into_iter().map(Key::new).collect::<Result<_>>()?;
        let ours = self.set()?;
        let (a, b) = if reflected { (other, ours) } else { (ours, other) };
        Ok(Some(Value::Set(a.0.difference(&b.0).cloned().collect())))
    }

    fn equals(&self, other: &Value) -> bool {
        let theirs = match other.downcast::<View>() {
            Some(view) if view.part != Part::Values => view.set().ok(),
            _ => match other {
                Value::Set(set) => Some(set.clone()),
                _ => None,
            },
        };
        self.part != Part::Values
            && theirs.is_some_and(|b| self.set().is_ok_and(|a| a.0 == b.0))
    }

    fn plain(&self) -> Option<Value> {
        self.members().ok().map(Value::list)
    }
}
