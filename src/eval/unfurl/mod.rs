//! Unfurl's expressions: paths such as `people::[name=ann]::age`, and mappings with
//! `eval`. Input: an expression and a scope. Output: the values that it leads to.
//!
//! A path starts from a resource: a document is one, with its top-level keys as
//! attributes. Attributes may be expressions and templates themselves; each is evaluated
//! once, when an expression reaches it.
//!
//! `path` parses and follows paths, `expression` evaluates everything else,
//! `function` holds the functions, `dialect` what templates of other languages may use.

mod dialect;
mod expression;
mod external;
mod foreach;
mod function;
mod path;
mod quantity;
mod resource;
mod trace;

use super::LanguageSettings;

/// Unfurl's expressions, with the settings of the languages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unfurl(pub LanguageSettings);
