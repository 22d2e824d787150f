//! Functions that later versions know only to refuse them.

use crate::eval::python::{Result, Value};
use crate::hot::Stack;
use crate::hot::resolve::written;
use crate::hot::version::{Version, invalid};

use super::{Call, Function};

/// What does the same in later versions.
const INSTEAD: [(&str, &str); 6] = [
    ("Fn::Join", "`list_join`"),
    ("Fn::Replace", "`str_replace`"),
    ("Fn::ResourceFacade", "`resource_facade`"),
    ("Fn::Select", "a path in `get_param` or `get_attr`"),
    ("Fn::Split", "`str_split`"),
    ("Ref", "`get_resource` or `get_param`"),
];

/// A function that is refused from a version on.
pub(super) const fn since(name: &'static str, first: Version) -> Function {
    Function::new(name, resolve).since(first).in_conditions(first).validate(refuse)
}

fn refuse(call: &Call, _: &Stack) -> Result<()> {
    let name = call.name();
    let message = format!("The function {name} is not supported in this version of HOT.");
    let raised = invalid(&message);
    Err(match INSTEAD.iter().find(|(removed, _)| *removed == name) {
        Some((_, instead)) => raised.hint(format!("{instead} does what it did")),
        None => raised,
    })
}

/// Where nobody validates it, it is data.
fn resolve(call: &Call, stack: &Stack) -> Result<Value> {
    Ok(written(call, stack.resolve(&call.arguments)?))
}
