//! The parser: a text becomes an [`Arena`](crate::arena::Arena) in one pass over its
//! bytes, without recursion, without a copy, and without an allocation per node.
//!
//! The pass goes line by line. The column of a line closes the collections that are
//! deeper; the rest is read token by token. A scalar is pushed only when the byte behind
//! it shows whether it is a key, so that the nodes come out in pre-order.

#[cfg(test)]
mod events;
mod parser;

pub(super) use parser::parse;
