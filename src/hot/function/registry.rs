//! The registry of functions: looks up the row for a name and a version.

use std::sync::LazyLock;

use crate::eval::python::{Exception, Result};
use crate::hot::stack::IntrinsicFunction;
use crate::hot::version::Version;

use super::{cfn, collection, control, make_url, reference, text, yaql};

/// Tables of the files that implement functions.
#[rustfmt::skip]
const FAMILIES: [&[IntrinsicFunction]; 7] = [
    cfn::FUNCTIONS, collection::FUNCTIONS, control::FUNCTIONS, make_url::FUNCTIONS,
    reference::FUNCTIONS,  text::FUNCTIONS,
    yaql::FUNCTIONS,
];

/// All functions, sorted by name. A name has a row for each variant.
static FUNCTIONS: LazyLock<Vec<IntrinsicFunction>> = LazyLock::new(|| {
    let mut functions = FAMILIES.concat();
    functions.sort_by_key(|function| function.name);
    functions
});

/// The position of a mapping that may be a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hot) enum Position {
    Value,
    Condition,
}

/// Returns the function of a name, if a version has it in a position. Raises a
/// `ValueError` if the version has it, but not in conditions.
pub(in crate::hot) fn find(
    name: &str,
    version: Version,
    place: Position,
) -> Result<Option<&'static IntrinsicFunction>> {
    let first = FUNCTIONS.partition_point(|function| function.name < name);
    let rows = FUNCTIONS.get(first..).unwrap_or_default().iter();
    let mut rows = rows.take_while(|function| function.name == name);
    let is_value = |row: &&IntrinsicFunction| row.is_value_in(version);
    let is_condition = |row: &&IntrinsicFunction| {
        row.conditions_since().is_some_and(|first| first <= version)
    };
    if place == Position::Value {
        return Ok(rows.find(is_value));
    }
    match (rows.clone().find(is_condition), rows.find(is_value)) {
        // Only names of functions are refused; other mappings are data, and Heat rejects
        // them later as conditions that are no booleans.
        (None, Some(_)) => {
            let message = format!("The function \"{name}\" is invalid in this context");
            Err(Exception::of_value(message))
        }
        (found, _) => Ok(found),
    }
}

/// Adds a hint at a function that a condition may have meant, or at its version.
pub(in crate::hot) fn hint(
    raised: Box<Exception>,
    name: &str,
    version: Version,
) -> Box<Exception> {
    let known = FUNCTIONS.iter().filter_map(|f| Some((f.name, f.conditions_since()?)));
    let later = known.clone().find(|(known, _)| *known == name);
    if let Some((_, first)) = later.filter(|(_, first)| *first > version) {
        return raised.hint(first.hint(name));
    }
    let known = known.filter(|(_, first)| *first <= version);
    raised.did_you_mean(known.map(|(known, _)| known), name)
}
