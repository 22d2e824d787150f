//! Python's values and the operations on them. Unfurl, Ansible, Heat and yaql are written
//! in Python, so their expressions have Python's semantics.
//!
//! Nothing here knows a document: values come in, values go out. A failed operation is an
//! [`Exception`] with Python's message.

mod access;
pub mod base64;
pub mod character;
mod codec;
mod compare;
pub mod configparser;
mod container;
mod convert;
pub mod csv;
mod exception;
pub mod float;
mod format;
pub mod hashlib;
mod integer;
pub mod json;
mod key;
mod limit;
pub mod literal;
mod method;
mod number;
mod object;
mod operate;
pub mod path;
mod printf;
pub mod random;
pub mod regex;
mod repr;
pub mod shell;
mod signature;
mod slice;
mod text;
pub mod textwrap;
pub mod time;
pub mod url;
mod value;
pub mod version;
mod view;
pub mod yaml;

use access::not_subscriptable;
pub use access::{
    attribute, call, call_method, columns, item, iterate, length, no_attribute, truth,
    unpack, unpack_count, wrong_count,
};
#[cfg(feature = "hot")]
pub use codec::encode;
pub use compare::{Comparison, compare, equal, merge_runs, order, sort, sort_by_key};
pub(crate) use container::discard;
pub use container::{Dict, List, Lock, Set, Tuple, with_members_raised};
pub use convert::{float, float_hash, int, parse_int};
pub use exception::{Class, Exception, Result};
pub use format::{format, format_map};
pub use integer::{bitwise, power_modulo, round};
pub use key::Key;
pub use limit::{
    OperationLimits, charge_key, charge_new_container, charge_steps, charge_suggestion,
    exhausted, limit_bytes, limit_depth, limit_living, limit_members, max_depth,
    max_members, set_operation_limits, set_steps_left, take_steps, too_deep, too_large,
};
pub use method::{Method, dict, join};
pub use number::{Number, index};
pub use object::{Callable, Lazy, Object};
pub use operate::{Operator, add, binary, contains, mul, negative, positive, sub};
pub use printf::printf;
pub use repr::{ascii, repr, str};
pub use signature::{Arguments, Bound, Signature, take_keyword};
pub use slice::slice;
pub use text::{Secrecy, Stamp, Str, escape};
pub use value::{IntRange, Value};
pub use view::{View, ViewKind};
