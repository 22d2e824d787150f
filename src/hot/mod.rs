//! Heat Orchestration Templates (HOT). Input: a patched document and what is given beside
//! it. Output: its parameters, conditions, resources and outputs, resolved as Heat's
//! engine resolves them.
//!
//! `evaluate` holds the order of the checks. `parse` turns the document into values with
//! function calls in them, `stack` resolves these, `function` holds the functions of
//! every version of the format.

mod evaluate;
mod exception;
mod function;
mod input;
mod parameter;
mod parse;
mod resource;
mod secret;
mod section;
mod stack;
mod template;
mod version;

pub use evaluate::{Evaluated, Section, SectionError, evaluate};
pub use input::{File, Input, Unresolved};
