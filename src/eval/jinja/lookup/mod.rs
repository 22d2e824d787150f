//! Lookups: terms and options come in, the list of what they lead to goes out. What is read
//! outside is data: it is never a template.

mod file;
mod list;
mod option;
mod outside;
mod password;
mod table;
mod variable;

pub(super) use file::home;
pub(super) use option::Options;

use super::plugin::PluginTable;

/// The tables of lookups.
pub const LOOKUPS: &[PluginTable] = &[
    file::LOOKUPS,
    list::LOOKUPS,
    outside::LOOKUPS,
    password::LOOKUPS,
    table::LOOKUPS,
    variable::LOOKUPS,
];
