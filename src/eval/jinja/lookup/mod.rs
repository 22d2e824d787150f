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

use super::plugin::{Plugin, PluginTable};

/// Every lookup, in the order of their names.
pub const LOOKUPS: PluginTable = &[
    Plugin::variadic("cartesian", list::nested),
    Plugin::variadic("config", variable::config),
    Plugin::variadic("csvfile", table::csvfile),
    Plugin::variadic("dict", list::dict),
    Plugin::variadic("env", outside::env).lenient(),
    Plugin::variadic("file", file::file),
    Plugin::variadic("fileglob", file::fileglob),
    Plugin::variadic("first_found", file::first_found).lenient(),
    Plugin::variadic("indexed_items", list::indexed_items),
    Plugin::variadic("ini", table::ini),
    Plugin::variadic("inventory_hostnames", variable::inventory_hostnames),
    Plugin::variadic("items", list::items),
    Plugin::variadic("lines", outside::lines),
    Plugin::variadic("list", list::list),
    Plugin::variadic("nested", list::nested),
    Plugin::variadic("password", password::password),
    Plugin::variadic("pipe", outside::pipe),
    Plugin::variadic("random_choice", list::random_choice),
    Plugin::variadic("sequence", list::sequence),
    Plugin::variadic("subelements", list::subelements),
    Plugin::variadic("template", file::template),
    Plugin::variadic("together", list::together),
    Plugin::variadic("unvault", file::unvault),
    Plugin::variadic("url", outside::url),
    Plugin::variadic("varnames", variable::varnames),
    Plugin::variadic("vars", variable::vars),
];

/// Every lookup of a collection, in the order of their names.
pub(in crate::eval::jinja) const COLLECTION_LOOKUPS: PluginTable = &[
    Plugin::variadic("community.general.cartesian", list::cartesian),
    Plugin::variadic("community.general.flattened", list::flattened),
    Plugin::variadic("community.general.random_string", password::random_string),
];
