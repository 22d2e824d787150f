//! Unfurl's expressions: a path such as `people::[name=ann]::age`, or a mapping with
//! `eval`, come in; what they lead to goes out.
//!
//! A path starts from a resource: a document is one, with its top-level keys as attributes.
//! Attributes may be expressions and templates themselves; each is evaluated once, when a
//! path or a template comes by.

mod dialect;
mod expression;
mod external;
mod foreach;
mod function;
mod path;
mod plugin;
mod quantity;
mod resource;
mod trace;
mod variable;
mod walk;

pub use dialect::Unfurl;
