//! The intrinsic functions of templates.
//!
//! A function is a row in the table `FUNCTIONS` of its file, with up to four Rust
//! functions beside the table. Each gets the
//! [`FunctionCall`](super::stack::FunctionCall), whose `arguments` are parsed: data, with
//! other calls anywhere in it.
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
mod make_url;
mod reference;
mod registry;
mod text;
mod yaql;

pub(super) use reference::validate_facade;
pub(super) use registry::{Position, find, hint};
