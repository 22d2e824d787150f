//! Python's values and what Python does with them. Unfurl, Ansible, Heat and yaql are
//! written in Python, and what their expressions mean is what Python makes of them.
//!
//! Nothing here knows a document: values come in, values go out. What cannot be done is an
//! [`Exception`], with Python's own words.

mod argument;
mod container;
mod exception;
mod object;
mod text;
mod value;

pub use argument::Arguments;
pub use container::{Dict, Key, List, Set};
pub use exception::{Class, Exception, Result};
pub use object::{Lazy, Object};
pub use text::{Stamp, Str};
pub use value::{Range, Value};

/// The most characters, items or bytes that one operation may make.
pub const WIDTH: usize = 1 << 24;

/// The deepest nesting that an operation follows; Python's own limit is 1,000 calls.
pub const DEPTH: usize = 900;

/// Lets an operation make something of `count` parts.
///
/// # Errors
/// That is more than [`WIDTH`].
pub fn width(count: usize) -> Result<()> {
    match count <= WIDTH {
        true => Ok(()),
        false => Err(Exception::new(
            Class::Limit,
            format!(
                "a result of {count} parts is more than the {WIDTH} that are allowed"
            ),
        )),
    }
}
