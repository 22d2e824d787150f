//! The functions: a name and a version come in, the function that it is there goes out.
//!
//! A function is a row of the table of its family, and up to four Rust functions beside that
//! table. All of them get the [`FunctionCall`](super::stack::FunctionCall), whose `arguments`
//! are parsed: data, with other calls anywhere in it.
//!
//! * `check` looks at the shape of the arguments when the template is parsed. A call among
//!   them may become anything: it is a `FunctionCall` here, neither list nor map.
//! * `validate` says what is wrong that can be known without resolving; it has to validate
//!   the arguments too (`Stack::validate_arguments` is what all others do).
//! * `resolve` makes the value: arguments first, by `Stack::resolve`.
//! * `resource` is the name of the resource that the call needs, if it needs one.
//!
//! What goes wrong is an [`Exception`](crate::eval::python::Exception) in Heat's words; its class
//! matters: a `TypeError`, `ValueError` or `KeyError` of `check` is reported with its path
//! in the template, other classes as they are. The place of the call is added by who called.
//!
//! `get_param`, `get_resource` and `list_join` show how it is done.

mod argument;
mod cfn;
mod collection;
mod condition;
mod make_url;
mod reference;
mod registry;
mod repeat;
mod str_replace;
mod text;
mod yaql;

pub(super) use reference::validate_facade;
pub(super) use registry::{Position, find, hint};
