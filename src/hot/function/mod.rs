//! The intrinsic functions of templates.
//!
//! A function is a row in the table `FUNCTIONS` of its file, with up to four Rust
//! functions beside the table. Each gets the
//! [`IntrinsicCall`](super::stack::IntrinsicCall), whose `arguments` are
//! parsed: data, with other calls anywhere in it.
//!
//! * `check` checks the shape of the arguments when the template is parsed. A call among
//!   them may return anything: it is neither a list nor a mapping here.
//! * `validate` reports errors that are known without resolving. It must validate the
//!   arguments, too; the default, `Stack::validate_arguments`, does only this.
//! * `resolve` computes the result: first the arguments, by `Stack::resolve`.
//! * `resource` returns the name of the resource that the call refers to, if any.
//!
//! A row also has the versions of the format that know the function, and the names of its
//! entries if the argument is a mapping; `FunctionCall::bind` binds these. Exceptions
//! have Heat's words and class. The class matters: a `TypeError`, `ValueError` or
//! `KeyError` of `check` is reported with its path in the template, others as they are.
//! The caller adds the place of the call.
//!
//! `get_param`, `get_resource` and `list_join` are good examples.

mod cfn;
mod collection;
mod control;
mod reference;
mod text;
mod yaql;

pub(super) use reference::validate_facade;

use std::sync::LazyLock;

use crate::eval::python::{Exception, Result};

use super::stack::IntrinsicFunction;
use super::version::Version;

/// Tables of the files that implement functions.
#[rustfmt::skip]
const FAMILIES: [&[IntrinsicFunction]; 6] = [
    cfn::FUNCTIONS, collection::FUNCTIONS, control::FUNCTIONS, reference::FUNCTIONS,
    text::FUNCTIONS, yaql::FUNCTIONS,
];

/// All functions, sorted by name. A name has a row for each variant.
static FUNCTIONS: LazyLock<Vec<IntrinsicFunction>> = LazyLock::new(|| {
    let mut functions = FAMILIES.concat();
    functions.sort_by_key(|function| function.name);
    functions
});

/// The position of a mapping that may be a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallPosition {
    Value,
    Condition,
}

/// Returns the function of a name, if a version has it in a position. Raises a
/// `ValueError` if the version has it, but not in conditions.
pub(super) fn find(
    name: &str,
    version: Version,
    place: CallPosition,
) -> Result<Option<&'static IntrinsicFunction>> {
    let first = FUNCTIONS.partition_point(|function| function.name < name);
    let rows = FUNCTIONS.get(first..).unwrap_or_default().iter();
    let mut rows = rows.take_while(|function| function.name == name);
    let condition =
        rows.clone().find(|row| row.conditions.is_some_and(|first| first <= version));
    let value = rows.find(|row| row.is_value_in(version));
    match (condition, value) {
        _ if place == CallPosition::Value => Ok(value),
        // Only names of functions are refused; other mappings are data, and Heat rejects
        // them later as conditions that are no booleans.
        (None, Some(_)) => Err(Exception::of_value(format!(
            "The function \"{name}\" is invalid in this context"
        ))),
        (found, _) => Ok(found),
    }
}

/// Adds a hint at a function that a condition may have meant, or at its version.
pub(super) fn hint(
    raised: Box<Exception>,
    name: &str,
    version: Version,
) -> Box<Exception> {
    let known = FUNCTIONS.iter().filter_map(|f| Some((f.name, f.conditions?)));
    let later = known.clone().find(|(known, _)| *known == name);
    if let Some((_, first)) = later.filter(|(_, first)| *first > version) {
        return raised.hint(first.hint(name));
    }
    let known = known.filter(|(_, first)| *first <= version);
    raised.did_you_mean(known.map(|(known, _)| known), name)
}
