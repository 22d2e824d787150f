//! The parser: a text becomes an [`Arena`] in one pass over its
//! bytes, without recursion, without a copy, and without an allocation per node.
//!
//! The pass goes line by line. The column of a line closes the collections that are
//! deeper; the rest is read token by token. A scalar is pushed only when the byte behind
//! it shows whether it is a key, so that the nodes come out in pre-order.

mod block;
mod cursor;
mod expected;
mod flow;
mod properties;
mod scalar;
mod stream;

use std::sync::Arc;

use self::cursor::TextCursor;
use self::expected::Expected;
use self::properties::Properties;
use super::options::Options;
use crate::arena::{Arena, Index, Layout, NONE, Nodes, Section, Style, flag};
use crate::diagnostic::{Diagnostic, Result};
use crate::source::{FileId, Source, Span, Text};

const CONTROL_CHARACTER: &str = "control characters are not allowed";

/// Message for what stands between two documents and is none.
const NO_DOCUMENT_START: &str = "did not find expected <document start>";

const NO_TOKEN: &str = "found character that cannot start any token";

/// Parses a text; for [`Dialect::Go`](crate::scalar::Dialect::Go) it has passed
/// [`accept`](super::accept).
pub(super) fn parse(
    file: FileId,
    source: Arc<Source>,
    options: &Options,
) -> Result<Arena> {
    let text = &source.text;
    // Offsets are `u32`, and NONE is taken.
    if text.len() >= NONE as usize {
        let place = Span { file, start: 0, end: 0 };
        return Err(Diagnostic::error("a text may not be 4 GiB long").at(place));
    }
    let (tree, ignored_error) = Parser::new(file, text, options).run()?;
    Ok(Arena::new(file, source, options.dialect, tree).with_ignored_error(ignored_error))
}

/// Parses a text that belongs to no file, by the rules of the parser alone: [`read`] also
/// asks what accepts a text in Go's dialect, and adds advice to errors.
///
/// # Errors
/// A syntax error with its span.
///
/// [`read`]: super::read()
pub fn text(file: FileId, text: impl Into<Text>, options: &Options) -> Result<Arena> {
    parse(file, Arc::new(Source::unnamed(text)), options)
}

struct Parser<'a> {
    text: TextCursor<'a>,
    max_depth: usize,
    /// True if a block collection may begin at `at`.
    block_allowed: bool,

    /// The open collections without the innermost, outer ones first.
    frames: Vec<OpenNode>,
    /// The innermost open collection.
    top: OpenNode,
    properties: Properties<'a>,
    /// Node that the last alias stands for.
    alias_target: Index,
    /// Offset of the indicator before the next node, or NONE.
    indicator: u32,
    /// Offset after the last indicator or property.
    after_prefix: usize,
    /// Offset after the last complete node.
    last_end: usize,
    /// True if the last flow node was quoted or a collection, so that `:` needs no blank.
    json_like: bool,

    nodes: Nodes,
    sections: Vec<Section>,
    aliases: Vec<(Index, Index)>,
    ignored_error: Option<Box<Diagnostic>>,
    /// Offsets of the byte order marks before documents.
    byte_order_marks: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct OpenNode {
    node: Index,
    /// Column of its entries. The document has -1, a flow collection that of its block.
    column: i64,
    phase: Expected,
    /// Flags of its descendants: HAS_ALIAS, HAS_ANCHOR.
    flags: u8,
}

impl OpenNode {
    fn root() -> OpenNode {
        OpenNode { node: NONE, column: -1, phase: Expected::Root, flags: 0 }
    }
}

/// A scalar or alias that was read and is not pushed yet.
#[derive(Clone, Copy)]
struct Leaf {
    style: Style,
    flags: u8,
    start: u32,
    end: u32,
    /// Number of spaces before each line of a block scalar's content.
    column: u32,
}

impl Leaf {
    fn new(style: Style, flags: u8, start: usize, end: usize) -> Leaf {
        Leaf { style, flags, start: start as u32, end: end as u32, column: 0 }
    }

    fn start(self) -> usize {
        self.start as usize
    }

    fn end(self) -> usize {
        self.end as usize
    }
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, options: &Options) -> Parser<'a> {
        Parser {
            text: TextCursor::new(file, text, options),
            max_depth: options.depth as usize,
            block_allowed: true,
            frames: Vec::new(),
            top: OpenNode::root(),
            properties: Properties::new(),
            alias_target: NONE,
            indicator: NONE,
            after_prefix: 0,
            last_end: 0,
            json_like: false,
            // A first guess for configuration files; a denser text costs a growth.
            nodes: Nodes::with_capacity(text.len() / 16),
            sections: Vec::new(),
            aliases: Vec::new(),
            ignored_error: None,
            byte_order_marks: Vec::new(),
        }
    }

    /// Returns the tree, and the error that ended the text early for yaml.v2.
    fn run(mut self) -> Result<(Layout, Option<Box<Diagnostic>>)> {
        self.stream()?;
        let Parser { properties, nodes, sections, aliases, ignored_error, .. } = self;
        let (props, handles) = properties.into_parts();
        Ok((Layout { nodes, props, sections, aliases, handles }, ignored_error))
    }
}

/// The tree: leaves are pushed, collections opened and closed.
impl Parser<'_> {
    /// Reads the property at the cursor.
    fn property(&mut self) -> Result<()> {
        self.properties.read(&mut self.text, self.top.phase.is_flow())?;
        self.after_prefix = self.text.at;
        Ok(())
    }

    /// Reads the alias at the cursor and looks its node up.
    fn alias(&mut self) -> Result<Leaf> {
        let start = self.text.at;
        self.alias_target = self.properties.alias(&mut self.text, &self.nodes)?;
        Ok(Leaf::new(Style::Alias, flag::HAS_ALIAS, start, self.text.at))
    }

    /// Records the properties on the line of the next node. Returns its flags.
    #[inline(always)]
    fn push_line_props(&mut self) -> u8 {
        self.properties.push_line(&self.text, self.nodes.len() as Index)
    }

    /// Adds the properties on the lines above to the complete node `i`.
    fn join_outer(&mut self, i: Index) -> Result<()> {
        let flags = self.properties.join_to(&self.text, i)?;
        self.nodes[i as usize].flags |= flags;
        self.top.flags |= flags & flag::HAS_ANCHOR;
        Ok(())
    }

    /// Pushes a leaf as the node that the innermost collection takes.
    #[inline]
    fn push_value(&mut self, mut leaf: Leaf) -> Result<()> {
        let Some(phase) = self.top.phase.after_node() else {
            return self.unexpected(leaf.start(), leaf.end());
        };
        let is_key = match self.top.phase {
            Expected::Key | Expected::PairKey => true,
            // Those with a text have their flag already.
            Expected::FlowKey | Expected::FlowExplicitKey => leaf.style == Style::Empty,
            _ => false,
        };
        if is_key {
            leaf.flags |= self.merge_flag(leaf);
            if self.properties.has_merge_tag_above(&self.text) {
                leaf.flags |= flag::MERGE_KEY;
            }
        }
        if self.properties.are_pending() {
            if leaf.style == Style::Alias {
                return self.property_of_alias(leaf);
            }
            let i = self.nodes.len() as Index;
            leaf.flags |= self.properties.push_all(&self.text, i)?;
        }
        self.top.phase = phase;
        let indicator = std::mem::replace(&mut self.indicator, NONE);
        self.push_leaf(leaf, indicator);
        Ok(())
    }

    /// Pushes a key, which has no indicator of its own.
    #[inline]
    fn push_key(&mut self, mut leaf: Leaf) -> Result<()> {
        leaf.flags |= self.merge_flag(leaf);
        if self.properties.on_line() {
            if leaf.style == Style::Alias {
                return self.property_of_alias(leaf);
            }
            leaf.flags |= self.push_line_props();
        }
        self.push_leaf(leaf, NONE);
        Ok(())
    }

    /// Returns MERGE_KEY for a merge key, else 0.
    #[inline(always)]
    fn merge_flag(&self, key: Leaf) -> u8 {
        let merges = match self.properties.line_tag() {
            // The length decides for nearly every key without a look at the text.
            (0, 0) => {
                key.end - key.start == 2
                    && key.style == Style::Plain
                    && self.text.name((key.start, key.end)) == b"<<"
            }
            tag => self.properties.is_merge_tag(&self.text, tag),
        };
        if merges { flag::MERGE_KEY } else { 0 }
    }

    #[cold]
    fn property_of_alias<T>(&self, alias: Leaf) -> Result<T> {
        let message = "did not find expected node content";
        self.error(message, alias.start(), alias.end())
    }

    #[inline(always)]
    fn push_leaf(&mut self, leaf: Leaf, indicator: u32) {
        let Leaf { style, flags, start, end, column } = leaf;
        self.top.flags |= flags & (flag::HAS_ALIAS | flag::HAS_ANCHOR);
        if flags & flag::HAS_ALIAS != 0 {
            self.aliases.push((self.nodes.len() as Index, self.alias_target));
        }
        self.nodes.push((style, flags), (start, end), indicator, column);
        self.last_end = end as usize;
    }

    /// Opens a collection; its length and end are known when it is closed.
    fn open(
        &mut self,
        style: Style,
        start: usize,
        column: i64,
        phase: Expected,
        flags: u8,
    ) -> Result<()> {
        if self.frames.len() >= self.max_depth {
            let message = format!("exceeded max depth of {}", self.max_depth);
            let raise = "`--limit depth=N` raises the limit";
            return self.error(&message, start, start + 1).map_err(|e| e.hint(raise));
        }
        let node = self.nodes.len() as Index;
        let indicator = std::mem::replace(&mut self.indicator, NONE);
        // The collection is not complete, so that `last_end` stays.
        let last = self.last_end;
        let leaf = Leaf::new(style, flags, start, start);
        let column_of_entries = if style.is_block_collection() { column } else { 0 };
        self.push_leaf(Leaf { column: column_of_entries as u32, ..leaf }, indicator);
        self.last_end = last;
        // Marks the node as open: an alias to it would contain itself.
        self.nodes[node as usize].len = 0;
        let frame = OpenNode { node, column, phase, flags: 0 };
        self.frames.push(std::mem::replace(&mut self.top, frame));
        Ok(())
    }

    /// Opens a block collection as the node that the innermost collection takes.
    fn open_block(&mut self, style: Style, start: usize, phase: Expected) -> Result<()> {
        let flags = self.properties.push_above(&self.text, self.nodes.len() as Index);
        let column = (start - self.text.line_start) as i64;
        if let Some(filled) = self.top.phase.after_node() {
            self.top.phase = filled;
        }
        self.open(style, start, column, phase, flags)
    }

    /// Closes the innermost collection, with an empty node for what was left out.
    fn close(&mut self) -> Result<()> {
        if self.top.phase.takes_node() {
            self.push_empty()?;
        }
        self.push_empty_value();
        let Some(outer) = self.frames.pop() else { return Ok(()) };
        let closed = std::mem::replace(&mut self.top, outer);
        let len = self.nodes.len() as u32 - closed.node;
        let node = &mut self.nodes[closed.node as usize];
        node.len = len;
        node.end = self.last_end as u32;
        node.flags |= closed.flags;
        self.top.flags |= closed.flags;
        Ok(())
    }

    /// Pushes an empty node as the node that the innermost collection takes.
    fn push_empty(&mut self) -> Result<()> {
        let at = match (self.top.phase, self.properties.are_pending()) {
            (Expected::Root, false) if self.after_prefix == NONE as usize => self.text.at,
            (Expected::FlowKey | Expected::FlowItem, false) => self.text.at,
            _ => self.after_prefix,
        };
        self.push_value(Leaf::new(Style::Empty, 0, at, at))
    }

    /// Pushes an empty value for a key that has no `:`.
    fn push_empty_value(&mut self) {
        self.top.phase = match self.top.phase {
            Expected::AfterKey => Expected::NextKey,
            Expected::AfterFlowKey => Expected::NextFlowKey,
            Expected::AfterPairKey => Expected::AfterPair,
            _ => return,
        };
        self.push_leaf(Leaf::new(Style::Empty, 0, self.last_end, self.last_end), NONE);
    }

    /// Puts a new collection around the complete node `first` and all behind it.
    fn wrap(&mut self, first: Index, style: Style, column: i64) -> Result<()> {
        let start = self.start_of(first);
        // Few nodes move: a key has at most 1,024 characters.
        let mut moved = self.nodes.split_off(first);
        let moved_properties = self.properties.split_off(first);
        self.indicator = moved.take_first_indicator();
        let flags = self.properties.push_above(&self.text, self.nodes.len() as Index);
        self.open(style, start as usize, column, Expected::AfterKey, flags)?;
        let flags = moved.iter().fold(0, |flags, node| flags | node.flags);
        self.top.flags |= flags & (flag::HAS_ALIAS | flag::HAS_ANCHOR);
        self.nodes.append(moved);
        self.properties.append_shifted(&self.text, moved_properties);
        for (alias, target) in
            self.aliases.iter_mut().rev().take_while(|(i, _)| *i >= first)
        {
            *alias += 1;
            *target += u32::from(*target >= first);
        }
        Ok(())
    }

    /// Returns the start of node `i`, properties included.
    fn start_of(&self, i: Index) -> u32 {
        self.properties.start_of(i).unwrap_or(self.nodes[i as usize].start)
    }

    /// Returns an error for a token that the innermost collection does not take.
    #[cold]
    fn unexpected<T>(&self, start: usize, end: usize) -> Result<T> {
        let message = match self.top.phase {
            Expected::NextItem => "did not find expected '-' indicator",
            Expected::NextKey if self.is_column(start) => "could not find expected ':'",
            Expected::AfterKey | Expected::NextKey => "did not find expected key",
            Expected::Rooted => NO_DOCUMENT_START,
            Expected::NextFlowItem | Expected::AfterPairKey | Expected::AfterPair => {
                "did not find expected ',' or ']'"
            }
            Expected::AfterFlowKey | Expected::NextFlowKey => {
                "did not find expected ',' or '}'"
            }
            _ => "did not find expected node content",
        };
        if start == end {
            self.text.error_at(message, start)
        } else {
            self.error(message, start, end)
        }
    }

    #[cold]
    fn error<T>(&self, message: &str, start: usize, end: usize) -> Result<T> {
        self.text.error(message, start, end)
    }

    /// Returns an error at the character at the cursor.
    #[cold]
    fn error_here<T>(&self, message: &str) -> Result<T> {
        self.text.error_at(message, self.text.at)
    }

    #[cold]
    fn unexpected_here<T>(&self) -> Result<T> {
        self.unexpected(self.text.at, self.text.at)
    }

    /// Returns true if `at` is in the column of the innermost collection's entries.
    fn is_column(&self, at: usize) -> bool {
        let line =
            self.text.bytes[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        at - line.map_or(0, |end| end + 1) == self.top.column.max(0) as usize
    }
}
