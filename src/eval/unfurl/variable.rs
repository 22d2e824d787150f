//! Variables of expressions, and the settings that travel with them under names that no
//! expression can write: all begin with a dot.

use crate::eval::Scope;
use crate::eval::python::{Result, Value};

/// The value that the outermost expression starts from: `$start`.
pub(super) const START: &str = ".start";

/// Set if paths start from an item of a loop instead of a resource.
pub(super) const ITEM: &str = ".item";

/// The resource that the items of a loop were found in.
pub(super) const RESOURCE: &str = ".resource";

/// The level of `trace`.
pub(super) const TRACE: &str = ".trace";

/// The folder that `src` stands for, relative to the document's.
pub(super) const FOLDER: &str = ".base_dir";

/// Returns the value of `$name`.
pub(super) fn variable(scope: &Scope, name: &str) -> Result<Option<Value>> {
    // Settings are no variables.
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
