//! The meaning of a scalar's text in each dialect, and the spelling of a value so that it
//! reads back as the same value.

mod float;
mod quote;
mod tag;
mod time;
mod value;

pub(crate) use float::spell_go;
#[cfg(feature = "eval")]
pub(crate) use float::{positional, scientific};
pub(crate) use quote::push_escape;
pub use quote::{
    Context, Literal, Quote, is_plain, literal, spell, spell_in, spell_json,
    spell_quoted, spell_with,
};
pub(crate) use tag::MERGE_TAG;
pub use tag::{Tag, YAML_TAG_PREFIX, to_base64};
pub(crate) use time::is_timestamp;
pub(crate) use value::{
    BREAKS_1_1, MAX_INTEGER_DIGITS, is_string_in_go, is_surely_string,
};
pub use value::{Dialect, Identity, Scalar};
