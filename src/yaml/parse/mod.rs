//! Text in, [`Arena`] out: one pass over the bytes without recursion, a copy, or an
//! allocation per node.
//!
//! The pass goes line by line. The column of a line closes the collections that stand
//! deeper; what follows is read token by token, and a scalar is pushed only after the
//! byte behind it told whether it is a key, so that the nodes come out in pre-order.

mod block;
mod build;
mod character;
mod directive;
#[cfg(test)]
mod events;
mod flow;
mod key;
mod property;
mod quoted;
mod scalar;
mod scan;
mod state;
mod stream;

use std::collections::HashMap;

use crate::arena::{Arena, Handle, Index, NONE, Props, RawNode, Section, Tree};
use crate::diagnostic::{Diagnostic, Result};
use crate::scalar::Dialect;
use crate::source::{FileId, Span, Text};

use super::Options;

use scan::WIDE;
use state::Frame;

/// Reads `text` into its nodes. For [`Dialect::Go`] the text has passed that reader's own
/// checks before.
pub(crate) fn parse(file: FileId, text: Text, options: &Options) -> Result<Arena> {
    if text.len() >= NONE as usize {
        let place = Span { file, start: 0, end: 0 };
        return Err(Diagnostic::error("a text may not be 4 GiB long").at(place));
    }
    let mut parser = Parser::new(file, &text, options);
    parser.stream()?;
    let Parser { nodes, props, sections, aliases, handles, rest, .. } = parser;
    let tree = Tree { nodes, props, sections, aliases, handles };
    Ok(Arena::new(file, text, options.dialect, tree).with_ignored_error(rest))
}

struct Parser<'a> {
    file: FileId,
    text: &'a [u8],
    strict: bool,
    /// The grammar is libyaml's, as far as Go's reader differs.
    go: bool,
    /// Next line, line separator and paragraph separator are line breaks; no block scalar
    /// stands at column 0.
    yaml11: bool,
    /// The class WIDE, if its bytes matter.
    wide: u8,
    depth: usize,

    /// Offset of the next byte.
    at: usize,
    /// Offset of the line's first byte.
    line: usize,
    /// Spaces at the beginning of the line.
    column: usize,
    /// A tab stands in front of the line's content.
    tab: bool,
    /// A block collection may begin at `at`.
    fresh: bool,

    /// The collections that are open, but for the innermost.
    frames: Vec<Frame>,
    /// The innermost collection that is open.
    top: Frame,
    /// The properties on the line of the next node.
    inner: Props,
    /// The properties on lines above the next node.
    outer: Props,
    /// What the alias that was read last stands for.
    alias: Index,
    /// Offset of the indicator before the next node, or NONE.
    indicator: u32,
    /// Offset after the last indicator or property.
    after: usize,
    /// Offset after the last node that is complete.
    last: usize,
    /// The last node of a flow collection was quoted or a collection.
    json: bool,

    nodes: Vec<RawNode>,
    props: Vec<Props>,
    sections: Vec<Section>,
    aliases: Vec<(Index, Index)>,
    handles: Vec<Handle>,
    rest: Option<Box<Diagnostic>>,
    /// Offsets of the byte order marks before documents.
    marks: Vec<usize>,
    /// The nodes that the anchors of this document stand for so far.
    anchors: HashMap<&'a [u8], Index>,
    /// The tag handles of this document and their prefixes.
    declared: HashMap<&'a [u8], &'a [u8]>,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, options: &Options) -> Parser<'a> {
        Parser {
            file,
            text: text.as_bytes(),
            strict: options.strict,
            go: options.dialect == Dialect::Go,
            yaml11: options.dialect != Dialect::Core,
            wide: if options.dialect == Dialect::Core { 0 } else { WIDE },
            depth: options.depth as usize,
            at: 0,
            line: 0,
            column: 0,
            tab: false,
            fresh: true,
            frames: Vec::new(),
            top: Frame::root(),
            inner: Props::NONE,
            outer: Props::NONE,
            alias: NONE,
            indicator: NONE,
            after: 0,
            last: 0,
            json: false,
            nodes: Vec::with_capacity(text.len() / 16),
            props: Vec::new(),
            sections: Vec::new(),
            aliases: Vec::new(),
            handles: Vec::new(),
            rest: None,
            marks: Vec::new(),
            anchors: HashMap::new(),
            declared: HashMap::new(),
        }
    }

    #[cold]
    fn error<T>(&self, message: &str, start: usize, end: usize) -> Result<T> {
        let span = Span { file: self.file, start: start as u32, end: end as u32 };
        Err(Diagnostic::error(message).at(span))
    }

    /// An error at the character at `at`.
    #[cold]
    fn error_at<T>(&self, message: &str, at: usize) -> Result<T> {
        let rest = self.text.get(at..).unwrap_or_default();
        let follows = |byte: &&u8| (0x80..0xC0).contains(*byte);
        let more = rest.iter().skip(1).take_while(follows).count();
        self.error(message, at, (at + 1 + more).min(self.text.len()))
    }
}
