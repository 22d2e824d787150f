//! JSONPath (RFC 9535): a query and a tree come in; the nodes that it selects go out, each
//! with the way to it.

mod budget;
mod dead_end;
mod document_selector;
mod error;
mod foreign;
mod i_regexp;
mod lexer;
mod normalized_paths;
mod parser;
mod query;
mod repair;
mod selection;
mod syntax;

pub use budget::{MAX_STEPS, QueryBudget};
pub use dead_end::DeadEnd;
pub use document_selector::DocumentSelector;
pub(crate) use document_selector::choosing;
pub use error::{Mistake, PatternWarning, QueryError};
pub use normalized_paths::NormalizedPaths;
pub(crate) use normalized_paths::normalized_name;
pub use query::Query;
pub use repair::{condition_of_filter, meant};
pub use selection::Selection;
