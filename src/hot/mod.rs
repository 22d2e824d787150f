//! Heat's templates: a patched document and what is given to it come in; its parameters,
//! conditions, resources and outputs go out, resolved, as Heat's engine resolves them.
//!
//! What is checked, and in which order, is `evaluate`'s; every step is a file. Functions
//! are told apart by version in `function`.

mod evaluate;
mod exception;
mod function;
mod input;
mod parameter;
mod parse;
mod path;
mod resource;
mod secret;
mod section;
mod stack;
mod template;
mod version;

pub use evaluate::{Evaluated, Section, SectionError, evaluate};
pub use input::{File, Input, Unresolved};
