//! yaql as Heat runs it: an expression and data → a value.
//!
//! An expression is parsed to a flat program (`parse`). A call is resolved at run time by
//! its arguments (`resolve`) among the overloads of the library (`function`). Most
//! functions on collections are lazy: they return iterators (`iterable`).

#![allow(
    unreachable_pub,
    reason = "the modules are private: `pub` marks what their siblings use"
)]

mod call;
mod engine;
mod evaluate;
mod function;
mod iterable;
mod key;
mod lexer;
mod overload;
mod parse;
mod program;
mod redact;
mod resolve;

pub use program::{Program, Yaql, evaluate, read};
#[cfg(feature = "hot")]
pub(crate) use redact::without_data;
