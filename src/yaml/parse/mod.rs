//! Text in, [`Arena`] out: one pass over the bytes without recursion, a copy, or an
//! allocation per node.
//!
//! The pass goes line by line. The column of a line closes the collections that stand
//! deeper; what follows is read token by token, and a scalar is pushed only after the
//! byte behind it told whether it is a key, so that the nodes come out in pre-order.

#[cfg(test)]
mod events;
mod parser;

pub(super) use parser::parse;
