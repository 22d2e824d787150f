//! The records a parser writes, and the [`Arena`] that reads them: structure, properties,
//! tags and the values of scalars.

use std::borrow::Cow;
use std::sync::Arc;

use super::decode::Lines;
use super::flag;
use super::nodes::{Index, NONE, Nodes, RawNode, Style};
use crate::diagnostic::Diagnostic;
use crate::scalar::{Dialect, Scalar, Tag, YAML_TAG_PREFIX, is_surely_string};
use crate::source::{FileId, Source, Span, Text};

/// Offsets of the first byte and after the last.
pub type Range = (u32, u32);

/// The properties before a node: `&anchor !tag`.
#[derive(Clone, Copy, Debug)]
pub struct Props {
    /// The node that has them.
    pub node: Index,
    /// Offset of the first property's first byte.
    pub start: u32,
    /// The name after `&`, or an empty range.
    pub anchor: Range,
    /// The tag with its `!`, or an empty range.
    pub tag: Range,
}

impl Props {
    pub(crate) const NONE: Props =
        Props { node: NONE, start: NONE, anchor: (0, 0), tag: (0, 0) };
}

/// A tag handle that a `%TAG` line declares.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// The number of the section that declares it.
    pub section: u32,
    /// The handle, `!name!`.
    pub name: Range,
    /// The prefix that it stands for.
    pub prefix: Range,
}

/// One document of a stream. Sections follow each other without a gap.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Offset of its first byte: its directives, comments or `---`.
    pub start: u32,
    /// Offset after its last byte, `...` included.
    pub end: u32,
    /// Its root node (an empty document has an [`Empty`](Style::Empty) node).
    pub root: Index,
    /// Offset after its `---`, or `NONE`.
    pub marker: u32,
    /// Offset of its `...`, or `NONE`.
    pub suffix: u32,
}

/// The records of one text, as a parser writes them.
#[derive(Debug, Default)]
pub struct Layout {
    /// Every node, in pre-order.
    pub nodes: Nodes,
    /// The properties, sorted by node.
    pub props: Vec<Props>,
    /// The documents of the stream.
    pub sections: Vec<Section>,
    /// Pairs of an alias node and its target, sorted by alias node.
    pub aliases: Vec<(Index, Index)>,
    /// The tag handles, sorted by section and name.
    pub handles: Vec<Handle>,
}

/// The tree of one text.
#[derive(Debug)]
pub struct Arena {
    file: FileId,
    /// The text of `source`, one step nearer.
    text: Text,
    source: Arc<Source>,
    dialect: Dialect,
    tree: Layout,
    /// The error behind the last section that was not raised: Go's reader takes the first
    /// document and ignores the rest of the text.
    ignored_error: Option<Box<Diagnostic>>,
}

// `inline`: these are called for every node, also from other crates.
impl Arena {
    pub(crate) fn new(
        file: FileId,
        source: Arc<Source>,
        dialect: Dialect,
        tree: Layout,
    ) -> Arena {
        let text = source.text.clone();
        Arena { file, text, source, dialect, tree, ignored_error: None }
    }

    pub(crate) fn with_ignored_error(self, error: Option<Box<Diagnostic>>) -> Arena {
        Arena { ignored_error: error, ..self }
    }

    pub(crate) fn ignored_error(&self) -> Option<&Diagnostic> {
        self.ignored_error.as_deref()
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.source.is_secret()
    }

    /// The number of the text.
    #[inline]
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The text with its name.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The whole text.
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The rules the text is read by.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The records of all nodes, in pre-order.
    pub fn nodes(&self) -> &[RawNode] {
        &self.tree.nodes
    }

    /// The numbers of all nodes, in pre-order.
    pub fn indices(&self) -> std::ops::Range<Index> {
        0..self.tree.nodes.len() as Index
    }

    /// The documents of the stream.
    pub fn sections(&self) -> &[Section] {
        &self.tree.sections
    }

    /// Pairs of an alias node and its target, sorted by alias node.
    pub fn aliases(&self) -> &[(Index, Index)] {
        &self.tree.aliases
    }

    /// The nodes with an anchor or a tag, in pre-order.
    pub fn props_nodes(&self) -> impl Iterator<Item = Index> + '_ {
        self.tree.props.iter().map(|props| props.node)
    }

    /// Returns true if a `%TAG` line declares a handle.
    pub fn declares_tags(&self) -> bool {
        !self.tree.handles.is_empty()
    }

    /// The style of node `i`.
    #[inline]
    pub fn style(&self, i: Index) -> Style {
        self.tree.nodes[i as usize].style
    }

    /// The bytes of node `i`, without properties.
    #[inline]
    pub fn raw(&self, i: Index) -> &str {
        let node = &self.tree.nodes[i as usize];
        &self.text[node.start as usize..node.end as usize]
    }

    /// The span of node `i`, without properties.
    pub fn span(&self, i: Index) -> Span {
        let node = &self.tree.nodes[i as usize];
        Span { file: self.file, start: node.start, end: node.end }
    }

    /// The offset of the `-` of an item, the `?` of a key or the `:` of a value.
    #[inline]
    pub fn indicator(&self, i: Index) -> Option<u32> {
        self.tree.nodes.indicator(i)
    }

    /// The byte column of the entries of a block collection, or the number of spaces
    /// before each line of a block scalar's content. Of other nodes it says nothing.
    #[inline]
    pub fn column(&self, i: Index) -> u32 {
        self.tree.nodes.column(i)
    }

    /// The node after the subtree of node `i`.
    #[inline]
    pub fn next(&self, i: Index) -> Index {
        i + self.tree.nodes[i as usize].len
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
        (start < end).then(|| self.slice((start, end)))
    }

    fn slice(&self, (start, end): Range) -> &str {
        &self.text[start as usize..end as usize]
    }

    /// The properties of node `i`.
    pub fn props(&self, i: Index) -> Option<&Props> {
        // The flag spares nearly every node the search.
        if !self.has(i, flag::PROPS) {
            return None;
        }
        let found = self.tree.props.binary_search_by_key(&i, |props| props.node).ok()?;
        self.tree.props.get(found)
    }

    /// The offsets at which node `i` begins and ends, properties included.
    pub fn extent(&self, i: Index) -> Range {
        (self.outer_start(i), self.tree.nodes[i as usize].end)
    }

    /// The offset at which node `i` begins, properties included.
    pub fn outer_start(&self, i: Index) -> u32 {
        self.props(i).map_or(self.tree.nodes[i as usize].start, |props| props.start)
    }

    /// The node that alias `i` stands for; any other node itself.
    pub fn target(&self, i: Index) -> Index {
        let aliases = &self.tree.aliases;
        match aliases.binary_search_by_key(&i, |&(alias, _)| alias) {
            Ok(found) => aliases[found].1,
            Err(_) => i,
        }
    }

    /// Returns true if nothing at all is written for node `i`.
    pub fn is_bare(&self, i: Index) -> bool {
        self.style(i) == Style::Empty && !self.has(i, flag::PROPS)
    }

    /// Returns true if node `i` has any of the bits of [`flag`].
    #[inline]
    pub fn has(&self, i: Index, flag: u8) -> bool {
        self.tree.nodes[i as usize].flags & flag != 0
    }

    /// Returns true if node `i` and one of another text are surely the same but for their
    /// descendants: they have the same style, and scalars the same bytes. False tells
    /// nothing.
    #[inline]
    pub(crate) fn is_surely_same(&self, i: Index, (other, j): (&Arena, Index)) -> bool {
        let (a, b) = (&self.tree.nodes[i as usize], &other.tree.nodes[j as usize]);
        if a.style != b.style || a.len != b.len || (a.flags | b.flags) & flag::PROPS != 0
        {
            return false;
        }
        match a.style {
            Style::Alias => false,
            // The indentation of a block scalar is no part of its text.
            Style::Literal | Style::Folded if self.column(i) != other.column(j) => false,
            style if style.is_mapping() || style.is_sequence() => true,
            _ => self.raw(i) == other.raw(j) && self.dialect() == other.dialect(),
        }
    }

    /// The tag on node `i` with its handle resolved. `!` alone stays `!`.
    pub fn resolved_tag(&self, i: Index) -> Option<Cow<'_, str>> {
        let tag = self.tag(i)?;
        if let Some(verbatim) = tag.strip_prefix("!<") {
            return Some(decode_tag(verbatim.trim_end_matches('>')));
        }
        let handle = match tag.get(1..).and_then(|rest| rest.find('!')) {
            Some(end) => &tag[..end + 2],
            None if tag.len() > 1 => "!",
            None => return Some(tag.into()),
        };
        let prefix = match (self.declared_prefix(i, handle), handle) {
            (Some(prefix), _) => decode_tag(prefix),
            (None, "!!") => YAML_TAG_PREFIX.into(),
            (None, _) => handle.into(),
        };
        Some((prefix.into_owned() + &decode_tag(&tag[handle.len()..])).into())
    }

    /// Every tag, resolved, and the node it is on.
    pub fn tags(&self) -> impl Iterator<Item = (Index, Cow<'_, str>)> + '_ {
        let tagged = |props: &Props| Some((props.node, self.resolved_tag(props.node)?));
        self.tree.props.iter().filter_map(tagged)
    }

    /// The prefix that a `%TAG` line gives `handle` in the document of node `i`.
    fn declared_prefix(&self, i: Index, handle: &str) -> Option<&str> {
        let Layout { sections, handles, .. } = &self.tree;
        let section = sections.partition_point(|section| section.root <= i) - 1;
        let place =
            |h: &Handle| (h.section as usize, self.slice(h.name)).cmp(&(section, handle));
        let found = handles.binary_search_by(place).ok()?;
        Some(self.slice(handles[found].prefix))
    }

    /// The text of scalar `i`; of an alias its name, of a collection nothing.
    pub fn string(&self, i: Index) -> Cow<'_, str> {
        let raw = self.raw(i);
        let cooked = self.has(i, flag::COOKED);
        let lines = Lines::of(self.dialect);
        match self.style(i) {
            Style::Plain if cooked => lines.plain(raw).into(),
            Style::Plain => raw.into(),
            Style::Single if cooked => lines.single(unquoted(raw)).into(),
            Style::Double if cooked => lines.double(unquoted(raw)).into(),
            Style::Single | Style::Double => unquoted(raw).into(),
            Style::Literal | Style::Folded => {
                let indent = self.column(i) as usize;
                lines.block(raw, indent).into()
            }
            Style::Alias => raw.get(1..).unwrap_or_default().into(),
            Style::Empty | Style::BlockSequence | Style::BlockMapping => "".into(),
            Style::FlowSequence | Style::FlowMapping | Style::FlowPair => "".into(),
        }
    }

    /// The value of scalar `i` in the arena's dialect, a string if the text does not fit
    /// its tag. Null for a collection.
    pub fn scalar(&self, i: Index) -> Scalar<'_> {
        if let Some(text) = self.plain_string(i) {
            return Scalar::String(text.into());
        }
        self.typed(i).unwrap_or_else(|_| Scalar::String(self.string(i)))
    }

    /// Returns the text of a plain scalar that is a string and stands on one line, without
    /// properties; `None` if only [`typed`](Arena::typed) can tell.
    // Most scalars are of this kind.
    #[inline]
    pub(crate) fn plain_string(&self, i: Index) -> Option<&str> {
        let node = &self.tree.nodes[i as usize];
        if node.style != Style::Plain || node.flags & (flag::PROPS | flag::COOKED) != 0 {
            return None;
        }
        Some(self.raw(i)).filter(|text| is_surely_string(text))
    }

    /// Returns the value of scalar `i`, null for a collection, or yaml.v2's message.
    pub(crate) fn typed(&self, i: Index) -> Result<Scalar<'_>, String> {
        let style = self.style(i);
        if style == Style::Alias || style.is_sequence() || style.is_mapping() {
            return Ok(Scalar::Null);
        }
        let plain = matches!(style, Style::Plain | Style::Empty);
        let tag = self.resolved_tag(i).map(|name| Tag::named(&name));
        match tag {
            None if plain => Ok(Scalar::plain(self.string(i), self.dialect)),
            None => Ok(Scalar::String(self.string(i))),
            Some(Tag::NonSpecific) if !plain => Ok(Scalar::String(self.string(i))),
            Some(tag) => tag.resolve(self.string(i), self.dialect),
        }
    }
}

fn unquoted(raw: &str) -> &str {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
}

/// Returns the verbatim form of a resolved tag, with `%20` for a blank and for what else a tag
/// cannot have.
pub(crate) fn verbatim_tag(tag: &str) -> String {
    let mut verbatim = "!<".to_owned();
    for byte in tag.bytes() {
        if byte.is_ascii_alphanumeric() || b"-#;/?:@&=+$,_.!~*'()[]".contains(&byte) {
            verbatim.push(byte.into());
        } else {
            verbatim += &format!("%{byte:02X}");
        }
    }
    verbatim + ">"
}

/// Decodes `%21` to `!` in a part of a tag, which stays as it is if that is not UTF-8.
fn decode_tag(part: &str) -> Cow<'_, str> {
    if !part.contains('%') {
        return part.into();
    }
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|x| std::str::from_utf8(x).ok());
        let code = digits.and_then(|x| u8::from_str_radix(x, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => part.into(),
    }
}
