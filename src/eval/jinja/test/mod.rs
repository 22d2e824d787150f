//! Tests: a value and arguments come in, a bool goes out. Each file has a table of its tests.

pub(in crate::eval::jinja) mod collection;
mod compare;
mod file;
mod task;
mod text;
mod value;

use super::plugin::PluginTable;

/// The tables of tests.
pub const TESTS: &[PluginTable] = &[
    collection::TESTS,
    compare::TESTS,
    file::TESTS,
    task::TESTS,
    text::TESTS,
    value::TESTS,
];
