//! The containers around the place where a walk over a value is. A value that contains
//! itself is found when the walk comes back to one of them.

use hashbrown::HashSet;

use crate::eval::python::{Class, Exception, Result, Value, max_depth, too_deep};

/// The open containers of a walk.
#[derive(Debug, Default)]
pub(super) struct ContainerPath {
    /// The addresses of lists and mappings.
    open: HashSet<usize>,
    depth: usize,
}

impl ContainerPath {
    /// Enters a value, which counts if it is a container.
    ///
    /// # Errors
    /// `Recursion` if it is one of those around it, or if it nests too deeply.
    pub(super) fn enter(&mut self, value: &Value) -> Result<()> {
        self.depth += usize::from(is_container(value));
        if address(value).is_some_and(|address| !self.open.insert(address)) {
            let message = "Recursive loop detected: the value contains itself";
            return Err(Exception::new(Class::Recursion, message));
        }
        if self.depth > max_depth() {
            return Err(too_deep(format!("a value nests deeper than {}", max_depth())));
        }
        Ok(())
    }

    /// Leaves the value that was entered last.
    pub(super) fn leave(&mut self, value: &Value) {
        self.depth = self.depth.saturating_sub(usize::from(is_container(value)));
        if let Some(address) = address(value) {
            self.open.remove(&address);
        }
    }
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Dict(_) | Value::Tuple(_) | Value::Set(_))
}

/// Returns the address of a container that can be one of its own members.
fn address(value: &Value) -> Option<usize> {
    match value {
        Value::List(items) => Some(items.address()),
        Value::Dict(entries) => Some(entries.address()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::ContainerPath;
    use crate::eval::python::{List, Result, Value, max_depth};

    #[test]
    fn a_value_twice_is_no_value_in_itself() -> Result<()> {
        let list = Value::List(List::default());
        let mut path = ContainerPath::default();
        for _ in 0..2 {
            path.enter(&list)?;
            path.leave(&list);
        }
        path.enter(&list)?;
        assert!(path.enter(&list).is_err());
        Ok(())
    }

    #[test]
    fn depth_is_limited() -> Result<()> {
        let mut path = ContainerPath::default();
        // Each has an address of its own while all are there.
        let new_list = |_| Value::List(List::default());
        let lists: Vec<Value> = (0..=max_depth()).map(new_list).collect();
        let last = &lists[max_depth()];
        lists[..max_depth()].iter().try_for_each(|list| path.enter(list))?;
        path.enter(&Value::None)?;
        assert!(path.enter(last).is_err());
        Ok(())
    }
}
