//! What `groupby` gives for each group: a tuple whose members have names.

use crate::eval::python::{self, Object, Result, Value};

/// `(grouper, list)`
#[derive(Debug)]
pub(super) struct Group {
    members: [Value; 2],
}

impl Group {
    /// A group of what has the same attribute.
    pub(super) fn new(grouper: Value, list: Value) -> Group {
        Group { members: [grouper, list] }
    }

    fn tuple(&self) -> Value {
        Value::tuple(self.members.clone())
    }
}

impl Object for Group {
    fn type_name(&self) -> &str {
        "GroupTuple"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let [grouper, list] = &self.members;
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
        Ok(Some(self.members.to_vec()))
    }

    fn length(&self) -> Option<usize> {
        Some(2)
    }

    fn display(&self) -> Result<String> {
        python::repr(&self.tuple())
    }

    fn equals(&self, other: &Value) -> bool {
        let other = match other.downcast::<Group>() {
            Some(other) => other.tuple(),
            None => other.clone(),
        };
        python::equal(&self.tuple(), &other).unwrap_or(false)
    }

    fn plain(&self) -> Option<Value> {
        Some(self.tuple())
    }
}
