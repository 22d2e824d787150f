//! The names that expressions and loops make known: a name comes in, its value goes out.

use crate::eval::Scope;
use crate::eval::python::{Result, Value};

/// The name of what a loop or an expression starts from; no expression can ask for it by
/// this name, as for all that begin with a dot.
pub(super) const START: &str = ".start";

/// Its presence says that paths start from an item, not from a resource.
pub(super) const ITEM: &str = ".item";

/// The resource that items were found in.
pub(super) const RESOURCE: &str = ".resource";

/// The name that says whether steps are shown; no expression can ask for it.
pub(super) const TRACE: &str = ".trace";

/// The folder that `src` names, where an expression says so.
pub(super) const FOLDER: &str = ".base_dir";

/// What `$name` stands for.
pub(super) fn variable(scope: &Scope, name: &str) -> Result<Option<Value>> {
    if name.starts_with('.') {
        return Ok(None);
    }
    if name == "start" {
        let start = scope.names.get(START)?;
        return Ok(Some(start.unwrap_or_else(|| scope.here.clone())));
    }
    if let Some(value) = scope.names.get(name)? {
        return Ok(Some(value));
    }
    Ok(match name {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "null" => Some(Value::None),
        _ => None,
    })
}
