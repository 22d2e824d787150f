//! The lossless printer: a document comes in, its text goes out. What no edit touched is
//! copied; what was edited is written in the style of its neighbours.
//!
//! The text that is printed is walked once, from the front, along the opened nodes. A
//! cursor lags behind and copies what lies between two edits in one piece. What comes
//! from elsewhere is copied in the same way, from a cursor of its own, with its lines
//! moved. One stack of tasks stands for all recursion.

mod anchor;
mod layout;
mod output;
mod printer;

use std::fmt;

use super::options::Options;
use super::parse;
use crate::arena::Style;
use crate::diagnostic::Result;
use crate::node::{Document, Kind, Node};
use crate::scalar::{Context, Scalar, spell};
use crate::source::Text;
use printer::Printer;

pub use output::Printed;

/// The text of `document`: byte for byte the text it was read from, but for the edits.
pub fn print(document: &Document) -> Printed<'_> {
    if document.is_clean() {
        return Printed::whole(document.base().text());
    }
    Printer::new(document).run()
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self).fmt(f)
    }
}

/// Prints what `--path` found.
///
/// # Errors
/// None that a document can cause.
pub fn print_found(document: &Document, node: Node) -> Result<Vec<u8>> {
    let node = document.follow(node);
    if document.kind(node) != Kind::Scalar {
        let options =
            Options { dialect: document.base().dialect(), ..Options::default() };
        let blank = parse::parse(document.unused_file(), Text::default(), &options)?;
        return Ok(document.standalone(node, blank).to_string().into_bytes());
    }
    let mut text = match (document.scalar(node), node) {
        (Scalar::String(text), _) => text.into_owned().into_bytes(),
        (Scalar::Binary(bytes), _) => bytes,
        (_, Node::Clean(file, i)) if document.arena(file).style(i) == Style::Plain => {
            document.arena(file).raw(i).into()
        }
        (scalar, _) => spell(&scalar, Context::Block).into(),
    };
    text.push(b'\n');
    Ok(text)
}
