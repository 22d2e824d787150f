//! yaql as Heat runs it: an expression and data → a value.
//!
//! An expression is parsed to a flat program (`parse`). A call is resolved at run time by
//! its arguments (`resolve`) among the overloads of the library (`function`). Most
//! functions on collections are lazy: they return iterators (`iterable`).

#![allow(
    unreachable_pub,
    reason = "the modules are private: `pub` marks what their siblings use"
)]

mod ast;
mod call;
mod convert;
mod engine;
mod env;
mod evaluate;
mod function;
mod iterable;
mod key;
mod lexer;
mod measure;
mod overload;
mod parse;
mod program;
mod redact;
mod regex;
mod resolve;
mod show;

pub use program::{Program, Quota, Yaql, evaluate, read};
#[cfg(feature = "hot")]
pub(crate) use redact::without_data;
