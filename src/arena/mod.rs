//! The flat span tree of one text: every node in pre-order as a range of bytes, made by
//! [`yaml`](crate::yaml) in one pass and never changed. A scalar is decoded when
//! somebody asks.

mod decode;
mod scalar;
mod tag;

use crate::diagnostic::Diagnostic;
use crate::scalar::Dialect;
use crate::source::{FileId, Span, Text};

/// The number of a node in its [`Arena`].
pub type Index = u32;

/// The first offset and the one after the last.
pub(crate) type Range = (u32, u32);

/// No offset, no node.
pub(crate) const NONE: u32 = u32::MAX;

/// How a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Style {
    /// Nothing at all: `a:`
    Empty,
    /// `text`
    Plain,
    /// `'text'`
    Single,
    /// `"text"`
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// `*name`
    Alias,
    /// `- a`
    BlockSequence,
    /// `a: b`
    BlockMapping,
    /// `[a]`
    FlowSequence,
    /// `{a: b}`
    FlowMapping,
    /// The mapping of one pair in `[a: b]`
    FlowPair,
}

/// One node: 24 bytes, no pointer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw {
    pub(crate) style: Style,
    pub(crate) flags: u8,
    /// Offset of the content's first byte: after the properties, at the quote, bracket or
    /// block header, at the first entry of a block collection. Of an empty node, the
    /// offset after its indicator or properties, else after the node before it.
    pub(crate) start: u32,
    /// Offset after the content's last byte: after the closing quote or bracket; of a
    /// block collection the end of its last descendant; of a block scalar after the line
    /// break of its last line of content (all trailing blank lines only for `+`).
    pub(crate) end: u32,
    /// Nodes in this subtree, this one included.
    pub(crate) len: u32,
    /// Offset of the `-` of an item, the `?` of a key, the `:` of a value, or NONE.
    pub(crate) indicator: u32,
    /// Byte column of the entries of a block collection; spaces before each line of a
    /// block scalar's content.
    pub(crate) column: u32,
}

/// Bits of [`Raw::flags`].
pub(crate) mod flag {
    /// The scalar spans several lines.
    pub(crate) const MULTILINE: u8 = 1;
    /// An alias stands in this subtree (the node itself included).
    pub(crate) const HAS_ALIAS: u8 = 2;
    /// An anchor stands in this subtree (the node itself included).
    pub(crate) const HAS_ANCHOR: u8 = 4;
    /// The plain key `<<`.
    pub(crate) const MERGE_KEY: u8 = 8;
    /// Decoding has something to do beyond cutting off quotes: escapes, `''`, folding.
    pub(crate) const COOKED: u8 = 16;
    /// The node has properties.
    pub(crate) const PROPS: u8 = 32;
}

/// The properties before a node: `&anchor !tag`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Props {
    /// The node that has them.
    pub(crate) node: Index,
    /// Offset of the first property's first byte.
    pub(crate) start: u32,
    /// The name after `&`, or an empty range.
    pub(crate) anchor: Range,
    /// The tag with its `!`, or an empty range.
    pub(crate) tag: Range,
}

impl Props {
    /// No properties.
    pub(crate) const NONE: Props =
        Props { node: NONE, start: NONE, anchor: (0, 0), tag: (0, 0) };
}

/// What a `%TAG` line says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle {
    /// The section it stands in.
    pub(crate) section: u32,
    /// The handle, `!name!`.
    pub(crate) name: Range,
    /// What it stands for.
    pub(crate) prefix: Range,
}

/// One document of a stream. Sections follow each other without a gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// Offset of its first byte: its directives, comments or `---`.
    pub(crate) start: u32,
    /// Offset after its last byte, `...` included.
    pub(crate) end: u32,
    /// Its root node (an empty document has an Empty node).
    pub(crate) root: Index,
    /// Offset after its `---`, or NONE.
    pub(crate) marker: u32,
    /// Offset of its `...`, or NONE.
    pub(crate) suffix: u32,
}

/// The tree of one text.
#[derive(Debug)]
pub struct Arena {
    pub(crate) file: FileId,
    pub(crate) text: Text,
    pub(crate) dialect: Dialect,
    pub(crate) nodes: Vec<Raw>,
    /// By node.
    pub(crate) props: Vec<Props>,
    pub(crate) sections: Vec<Section>,
    /// (alias node, its target), by alias node.
    pub(crate) aliases: Vec<(Index, Index)>,
    /// The tag handles, by section and name.
    pub(crate) handles: Vec<Handle>,
    /// Why the text behind the last section was not read: Go's reader takes the first
    /// document, whatever follows it.
    pub(crate) rest: Option<Box<Diagnostic>>,
    /// Whether it holds secrets.
    pub(crate) secret: bool,
}

impl Arena {
    /// The rules the text is read by.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How node `i` is written.
    pub fn style(&self, i: Index) -> Style {
        self.nodes[i as usize].style
    }

    /// The bytes of node `i`, without properties.
    pub fn raw(&self, i: Index) -> &str {
        let node = &self.nodes[i as usize];
        &self.text[node.start as usize..node.end as usize]
    }

    /// Where node `i` stands, without properties.
    pub fn span(&self, i: Index) -> Span {
        let node = &self.nodes[i as usize];
        Span { file: self.file, start: node.start, end: node.end }
    }

    /// The node after the subtree of node `i`.
    pub fn next(&self, i: Index) -> Index {
        i + self.nodes[i as usize].len
    }

    /// The direct children of node `i`: items, or keys and values by turns.
    pub fn children(&self, i: Index) -> impl Iterator<Item = Index> + '_ {
        let end = self.next(i);
        let mut at = i + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.next(child);
            Some(child)
        })
    }

    /// The entries of mapping `i`: key and value.
    pub fn entries(&self, i: Index) -> impl Iterator<Item = (Index, Index)> + '_ {
        let mut children = self.children(i);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// The name of the anchor on node `i`, without `&`.
    pub fn anchor(&self, i: Index) -> Option<&str> {
        self.property(i, |props| props.anchor)
    }

    /// The tag on node `i` as written, with its `!`.
    pub fn tag(&self, i: Index) -> Option<&str> {
        self.property(i, |props| props.tag)
    }

    fn property(&self, i: Index, which: fn(&Props) -> Range) -> Option<&str> {
        let (start, end) = which(self.props(i)?);
        (start < end).then(|| &self.text[start as usize..end as usize])
    }

    /// The properties of node `i`.
    pub(crate) fn props(&self, i: Index) -> Option<&Props> {
        if !self.has(i, flag::PROPS) {
            return None;
        }
        let found = self.props.binary_search_by_key(&i, |props| props.node).ok()?;
        self.props.get(found)
    }

    /// Where node `i` begins and ends, properties included.
    pub(crate) fn extent(&self, i: Index) -> (u32, u32) {
        (self.outer_start(i), self.nodes[i as usize].end)
    }

    /// The offset at which node `i` begins, properties included.
    pub(crate) fn outer_start(&self, i: Index) -> u32 {
        self.props(i).map_or(self.nodes[i as usize].start, |props| props.start)
    }

    /// The node that alias `i` stands for.
    pub(crate) fn target(&self, i: Index) -> Index {
        match self.aliases.binary_search_by_key(&i, |&(alias, _)| alias) {
            Ok(found) => self.aliases[found].1,
            Err(_) => i,
        }
    }

    /// Whether nothing at all is written for node `i`.
    pub(crate) fn is_bare(&self, i: Index) -> bool {
        self.style(i) == Style::Empty && !self.has(i, flag::PROPS)
    }

    pub(crate) fn has(&self, i: Index, flag: u8) -> bool {
        self.nodes[i as usize].flags & flag != 0
    }
}
