//! The public face: documents, patches and errors that own their texts. The
//! engine does the work.

mod bookmark;
mod document;
mod error;
#[cfg(feature = "eval")]
mod evaluate;
mod history;
mod items;
mod job;
mod merge;
mod node;
mod patch;
mod path;
mod reader;
mod rebase;
mod recording;
#[cfg(test)]
mod tests;
mod variables;

pub use bookmark::Bookmark;
pub use document::Document;
pub use error::{Error, Place, Problem, Result};
pub use history::{Event, History, Line, PlaceHistory};
pub use job::{Documents, Job};
pub use merge::{Merge, merge};
pub use node::{Node, Nodes, Origin};
pub use reader::Reader;
pub use rebase::{Rebased, RebasedOp, rebase};
pub use recording::Recording;
pub use variables::Variables;
