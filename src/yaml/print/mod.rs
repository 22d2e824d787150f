//! The lossless printer: a document becomes text. Text that no edit touched is copied;
//! edited values are written in the style of their neighbours.
//!
//! The printer walks the written text once, from front to back, along the opened nodes. A
//! cursor lags behind it and copies the text between two edits in one piece. Values from
//! elsewhere are copied in the same way, through a cursor of their own, with their lines
//! moved to another column.

mod anchor;
mod comment;
mod lines;
mod output;
mod printer;
mod unplaced;

use std::fmt;

use super::expanded::Expansion;
use super::options::Options;
use super::{json, parse};
use crate::arena::Style;
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Context, Scalar, spell};
use crate::source::FileId;

pub use output::Printed;
pub use unplaced::UnplacedComments;

/// Prints `document`: byte for byte the text it was read from, except for the edits.
pub fn print(document: &Tree) -> Printed<'_> {
    if document.is_clean() {
        return Printed::whole(document.base().text());
    }
    printer::write(document)
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self).fmt(f)
    }
}

/// Prints the node that `--path` found: a scalar without its quotes, a collection as a
/// document of its own.
///
/// # Errors
/// None that a document can cause.
pub fn print_found(document: &Tree, node: NodeId) -> Result<Vec<u8>> {
    let node = document.follow(node);
    if document.kind(node) != Kind::Scalar {
        let options =
            Options { dialect: document.base().dialect(), ..Options::default() };
        let blank = parse::text(FileId::BLANK, "", &options)?;
        return Ok(document.standalone(node, blank).to_string().into_bytes());
    }
    let mut text = match (document.scalar(node), node) {
        (Scalar::String(text), _) => text.into_owned().into_bytes(),
        (Scalar::Binary(bytes), _) => bytes,
        (_, NodeId::Clean(file, i)) if document.arena(file).style(i) == Style::Plain => {
            document.arena(file).raw(i).into()
        }
        (scalar, _) => spell(&scalar, Context::Block).into(),
    };
    text.push(b'\n');
    Ok(text)
}

/// Prints a value for a script, on a line: a scalar without quotes, a collection in JSON. A text
/// that ends with a line break gets no other one.
///
/// # Errors
/// JSON cannot hold a value, or a collection is larger than the limit.
pub fn print_raw(document: &Tree, node: NodeId, limit: Expansion) -> Result<Vec<u8>> {
    if document.kind(node) != Kind::Scalar {
        return Ok((json::print_line(document, node, limit)? + "\n").into_bytes());
    }
    let mut text = print_found(document, node)?;
    let is_text = matches!(document.scalar(node), Scalar::String(_));
    if is_text && text.ends_with(b"\n\n") {
        text.pop();
    }
    Ok(text)
}
