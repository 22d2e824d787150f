//! JSONPath (RFC 9535): a query and a tree come in; the nodes that it selects go out, each
//! with the way to it.

mod document_name;
mod document_selector;
mod equality;
mod error;
mod i_regexp;
mod lexer;
mod normalized;
mod parser;
mod query;
mod requirement;
mod selection;
mod syntax;

pub use document_name::DocumentName;
pub(crate) use document_name::choosing;
pub use document_selector::DocumentSelector;
pub(crate) use equality::is_json_equal;
pub use error::QueryError;
pub use normalized::normalized;
pub(crate) use normalized::normalized_name;
pub use query::Query;
pub use selection::{MAX_STEPS, Selection};
