//! JSONPath (RFC 9535): a query and a tree come in; the nodes that it selects go out, each
//! with the way to it.

mod dead_end;
mod document_name;
mod document_selector;
mod error;
mod i_regexp;
mod lexer;
mod normalized_paths;
mod parser;
mod query;
mod repair;
mod selection;
mod spot;
mod syntax;

pub use dead_end::DeadEnd;
pub(crate) use document_name::choosing;
pub use document_selector::DocumentSelector;
pub use error::Mistake;
pub use error::PatternWarning;
pub use error::QueryError;
pub use normalized_paths::NormalizedPaths;
pub(crate) use normalized_paths::normalized_name;
pub use query::Query;
pub use repair::meant;
pub(crate) use selection::too_many_steps;
pub use selection::{MAX_STEPS, Selection};
