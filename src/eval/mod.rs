//! Evaluation. A patched document and languages in, values out. A member of a container
//! is evaluated when its value is needed, once; a cycle is reported with the chain of
//! places that leads back to the first.
//!
//! The languages do not import each other: [`Scope::evaluate`] finds the language of a
//! source, and [`Scope::look_up`] finds names of other languages.

mod complete;
mod container_path;
mod context;
mod dialect;
mod expression;
mod fill;
mod finalize;
pub(crate) mod hidden_text;
pub mod jinja;
mod outside;
#[allow(
    unreachable_pub,
    reason = "laid out as a library of its own: `pub` marks what other modules use"
)]
pub(crate) mod python;
mod read;
mod report;
mod scope;
mod secret;
mod sensitive;
mod session;
mod stack;
pub mod unfurl;
mod visit;
mod write;
pub mod yaml;
pub mod yaql;

pub use complete::complete;
pub use context::{Context, Limits};
pub use dialect::{Dialect, DocumentView, LookupKind, Start, TemplateOptions};
pub use expression::{Language, LanguageSettings, Quota};
pub use fill::{fill, is_data, is_source};
pub use outside::Outside;
pub use python::{Dict, Exception, Key, OperationLimits, Stamp, Str, Value};
#[cfg(feature = "hot")]
pub(crate) use read::scalar as read_scalar;
pub use read::{given, read, read_text};
pub use report::report;
pub use scope::{Names, Scope, Strict, Thunk};
pub use session::Session;
pub use write::{to_json, to_raw, to_yaml, write};

use std::sync::Arc;

/// Returns every language. The first that speaks a source evaluates it.
pub fn languages(settings: &LanguageSettings) -> Vec<Arc<dyn Dialect>> {
    let LanguageSettings { python_literals, templates, quota, .. } = *settings;
    vec![
        Arc::new(unfurl::Unfurl(*settings)),
        Arc::new(jinja::Jinja::new(python_literals, templates)),
        Arc::new(yaql::Yaql { quota }),
    ]
}
