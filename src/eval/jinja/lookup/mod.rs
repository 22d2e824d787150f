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

use super::plugin::{Call, Entry, Table};
use crate::eval::python::{Arguments, Result, Value};
use crate::eval::read_text;

/// Every lookup, in the order of their names.
pub const LOOKUPS: Table = &[
    Entry::new("cartesian", data::nested),
    Entry::new("config", name::config),
    Entry::new("csvfile", table::csvfile),
    Entry::new("dict", data::dict),
    Entry::lenient("env", outside::env),
    Entry::new("file", file::file),
    Entry::new("fileglob", file::fileglob),
    Entry::lenient("first_found", file::first_found),
    Entry::new("indexed_items", data::indexed_items),
    Entry::new("ini", table::ini),
    Entry::new("inventory_hostnames", host::inventory_hostnames),
    Entry::new("items", data::items),
    Entry::new("lines", outside::lines),
    Entry::new("list", data::list),
    Entry::new("nested", data::nested),
    Entry::new("password", password::password),
    Entry::new("pipe", outside::pipe),
    Entry::new("random_choice", data::random_choice),
    Entry::new("sequence", sequence::sequence),
    Entry::new("subelements", data::subelements),
    Entry::new("template", template::template),
    Entry::new("together", data::together),
    Entry::new("unvault", file::unvault),
    Entry::new("url", outside::url),
    Entry::new("varnames", name::varnames),
    Entry::new("vars", name::vars),
];

/// What each term leads to.
fn each(
    call: &Call<'_>,
    arguments: Arguments,
    find: impl Fn(&Call<'_>, &Value, Options) -> Result<Value>,
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
