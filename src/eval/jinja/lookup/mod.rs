//! Lookups: terms and options come in, the list of what they lead to goes out. What is read
//! outside is data: it is never a template.

pub(super) mod collection;
mod data;
mod file;
mod host;
mod name;
mod option;
mod outside;
mod password;
mod sequence;
mod table;
mod template;

pub(super) use file::home;
pub(super) use option::Options;

use super::plugin::{CallSite, Plugin, PluginTable};
use crate::eval::python::{Arguments, Result, Value};
use crate::eval::read_text;

/// Every lookup, in the order of their names.
pub const LOOKUPS: PluginTable = &[
    Plugin::variadic("cartesian", data::nested),
    Plugin::variadic("config", name::config),
    Plugin::variadic("csvfile", table::csvfile),
    Plugin::variadic("dict", data::dict),
    Plugin::variadic("env", outside::env).lenient(),
    Plugin::variadic("file", file::file),
    Plugin::variadic("fileglob", file::fileglob),
    Plugin::variadic("first_found", file::first_found).lenient(),
    Plugin::variadic("indexed_items", data::indexed_items),
    Plugin::variadic("ini", table::ini),
    Plugin::variadic("inventory_hostnames", host::inventory_hostnames),
    Plugin::variadic("items", data::items),
    Plugin::variadic("lines", outside::lines),
    Plugin::variadic("list", data::list),
    Plugin::variadic("nested", data::nested),
    Plugin::variadic("password", password::password),
    Plugin::variadic("pipe", outside::pipe),
    Plugin::variadic("random_choice", data::random_choice),
    Plugin::variadic("sequence", sequence::sequence),
    Plugin::variadic("subelements", data::subelements),
    Plugin::variadic("template", template::template),
    Plugin::variadic("together", data::together),
    Plugin::variadic("unvault", file::unvault),
    Plugin::variadic("url", outside::url),
    Plugin::variadic("varnames", name::varnames),
    Plugin::variadic("vars", name::vars),
];

/// What each term leads to.
fn each(
    call: &CallSite<'_>,
    arguments: Arguments,
    find: impl Fn(&CallSite<'_>, &Value, Options) -> Result<Value>,
) -> Result<Value> {
    let options = Options(arguments.keywords);
    let terms = arguments.positional.iter();
    let found = terms.map(|term| find(call, term, options.clone()));
    Ok(Value::list(found.collect::<Result<Vec<_>>>()?))
}

/// A text from outside, as a value.
fn data(text: &str) -> Value {
    read_text(text)
}
