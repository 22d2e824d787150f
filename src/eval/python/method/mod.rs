//! The methods of the built-in types. A receiver, a name and arguments come in; the result
//! of Python's own method goes out.
//!
//! Each type has a table of [`MethodRow`]: a row is the signature of a method and the
//! function that runs it. [`call`] finds the row, binds the arguments and runs it.

mod bytes;
mod dict;
mod dispatch;
mod list;
mod number;
mod text;

pub use dict::dict;
pub use dispatch::{Method, MethodRow, MethodTable, call, find, method, row};
pub use text::join;
