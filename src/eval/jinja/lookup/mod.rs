//! Lookups: terms and options come in, a list of values goes out. What is read from outside is
//! data and never evaluated as a template.

mod compose;
mod file;
mod list;
mod option;
mod outside;
mod password;
mod table;
mod variable;

pub(super) use file::home;
pub(super) use option::LookupOptions;

use super::filter::collection::PATH_LOOKUPS;
use super::plugin::PluginTable;

/// The tables of lookups.
pub const LOOKUPS: &[PluginTable] = &[
    PATH_LOOKUPS,
    compose::LOOKUPS,
    file::LOOKUPS,
    list::LOOKUPS,
    outside::LOOKUPS,
    password::LOOKUPS,
    table::LOOKUPS,
    variable::LOOKUPS,
];
