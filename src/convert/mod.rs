//! Rust values and nodes: [`serialize`] makes a node of a value, [`deserialize`] makes a
//! value of a node, both through serde and without a text between.
//!
//! | Rust | YAML |
//! | --- | --- |
//! | `bool`, integers, floats | a scalar of that type, also 128 bits, `.inf` and `.nan` |
//! | `char`, strings | a string, which may be borrowed from the text |
//! | bytes | `!!binary` |
//! | [`Spelled`] | a plain scalar as it is spelled |
//! | `None`, `()`, unit structs | null |
//! | `Some(value)`, newtype structs | the value itself |
//! | sequences, tuples | a sequence |
//! | maps, structs | a mapping, in the order of the fields |
//! | a unit variant | the string `Variant` |
//! | any other variant | the mapping `{Variant: value}` |
//!
//! Reading accepts a little more than writing makes: `!Variant value` is a variant, too,
//! and a value of which nothing is written (`key:`) is an empty collection where one is
//! expected. `Some(None)` is written as null, and so is read as `None`. Nothing is
//! converted between types: the number `5` is no `String`.

mod de;
mod error;
mod ser;
#[cfg(test)]
mod tests;

pub use de::deserialize;
pub use error::MAX_DEPTH;
pub use ser::{Spelled, serialize, tree_of};
