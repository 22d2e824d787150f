//! A node of a document comes in, its text alone goes out: a scalar without its quotes, a
//! collection as its own lines.

use crate::arena::Style;
use crate::diagnostic::Result;
use crate::node::{Document, Kind, Node};
use crate::scalar::{Context, Scalar, spell};
use crate::source::Text;
use crate::yaml::{Options, parse};

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
