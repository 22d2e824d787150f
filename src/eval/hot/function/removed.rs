//! Functions that later versions know only to refuse them.

use crate::eval::hot::Stack;
use crate::eval::hot::version::{Version, invalid};
use crate::python::{Dict, Key, Result, Value};

use super::{Call, Function};

/// A function that is refused from a version on.
pub(super) const fn since(name: &'static str, first: Version) -> Function {
    Function::new(name, resolve).since(first).in_conditions(first).validate(refuse)
}

fn refuse(call: &Call, _: &Stack) -> Result<()> {
    let name = call.name();
    Err(invalid(&format!("The function {name} is not supported in this version of HOT.")))
}

/// Where nobody validates it, it is data.
fn resolve(call: &Call, stack: &Stack) -> Result<Value> {
    let arguments = stack.resolve(&call.arguments)?;
    Ok(Value::Dict(Dict::from_iter([(Key::text(call.name()), arguments)])))
}
