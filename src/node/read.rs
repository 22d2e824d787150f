//! Reading a document: a node comes in, its value goes out as a reader of the dialect
//! sees it, with aliases and `<<` followed, duplicates settled and scalars typed.

use std::borrow::Cow;

use super::settle::EffectivePairs;
use super::{Body, Document, Node, Opened, Slot};
use crate::arena::{Arena, NONE, Style, flag};
use crate::scalar::{Dialect, Scalar};
use crate::source::Span;

/// What a node is, aliases followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `text`
    Scalar,
    /// `[a]`
    Sequence,
    /// `{a: b}`
    Mapping,
}

impl Document {
    /// What `node` is.
    pub fn kind(&self, node: Node) -> Kind {
        match self.follow(node) {
            Node::Clean(file, i) => match self.arena(file).style(i) {
                Style::BlockSequence | Style::FlowSequence => Kind::Sequence,
                Style::BlockMapping | Style::FlowMapping | Style::FlowPair => {
                    Kind::Mapping
                }
                Style::Empty | Style::Plain | Style::Single | Style::Double => {
                    Kind::Scalar
                }
                Style::Literal | Style::Folded | Style::Alias => Kind::Scalar,
            },
            Node::Opened(id) => match self.opened[id as usize].body {
                Body::Scalar(_) => Kind::Scalar,
                Body::Sequence(_) => Kind::Sequence,
                Body::Mapping(_) => Kind::Mapping,
            },
        }
    }

    /// The value of a scalar; null for anything else.
    pub fn scalar(&self, node: Node) -> Scalar<'_> {
        let scalar = self.scalar_as_written(node);
        match node {
            Node::Clean(file, _) if file != self.base().file() => self.rewritten(scalar),
            Node::Clean(..) | Node::Opened(_) => scalar,
        }
    }

    /// The value of a scalar as its own text has it.
    pub(crate) fn scalar_as_written(&self, node: Node) -> Scalar<'_> {
        match self.follow(node) {
            Node::Clean(file, i) => self.arena(file).scalar(i),
            Node::Opened(id) => match &self.opened[id as usize].body {
                Body::Scalar(scalar) => scalar.borrowed(),
                Body::Sequence(_) | Body::Mapping(_) => Scalar::Null,
            },
        }
    }

    /// bosh prints an op's value and reads it again before it lands in the document, and
    /// so `1.0` becomes the integer 1.
    fn rewritten<'a>(&self, scalar: Scalar<'a>) -> Scalar<'a> {
        match scalar {
            Scalar::Float(x) if self.base().dialect() == Dialect::Go && x.abs() < 1e6 => {
                if x.fract() == 0.0 {
                    Scalar::Int(x as i128)
                } else {
                    scalar
                }
            }
            other => other,
        }
    }

    /// The items of a sequence; none for anything else.
    pub fn items(&self, node: Node) -> Vec<Node> {
        match self.follow(node) {
            Node::Clean(file, i) if self.kind(node) == Kind::Sequence => {
                self.arena(file).children(i).map(|item| Node::Clean(file, item)).collect()
            }
            Node::Clean(..) => Vec::new(),
            Node::Opened(id) => match &self.opened[id as usize].body {
                Body::Sequence(slots) => slots.iter().map(|slot| slot.value).collect(),
                Body::Scalar(_) | Body::Mapping(_) => Vec::new(),
            },
        }
    }

    /// The entries of a mapping, each key once; none for anything else.
    pub fn pairs(&self, node: Node) -> Vec<(Node, Node)> {
        self.effective_pairs(node).0
    }

    /// The entries of a mapping, each key once, and how many were passed over for it.
    pub(crate) fn effective_pairs(&self, node: Node) -> (Vec<(Node, Node)>, usize) {
        match self.distinct(node) {
            Some(pairs) => (pairs, 0),
            None => EffectivePairs::new(self).run(node),
        }
    }

    /// The entries of a mapping as they stand, if no key is `<<` and surely none is there
    /// twice.
    fn distinct(&self, node: Node) -> Option<Vec<(Node, Node)>> {
        let pairs: Vec<(Node, Node)> = match self.follow(node) {
            Node::Clean(file, i) if self.kind(node) == Kind::Mapping => {
                let arena = self.arena(file);
                if arena.entries(i).any(|(key, _)| arena.has(key, flag::MERGE_KEY)) {
                    return None;
                }
                let pair =
                    |(key, value)| (Node::Clean(file, key), Node::Clean(file, value));
                arena.entries(i).map(pair).collect()
            }
            Node::Clean(..) => Vec::new(),
            Node::Opened(id) => match &self.opened[id as usize] {
                Opened { merges, .. } if !merges.is_empty() => return None,
                Opened { body: Body::Mapping(slots), .. } => slots
                    .iter()
                    .filter_map(|slot| Some((slot.key?, slot.value)))
                    .collect(),
                _ => Vec::new(),
            },
        };
        let several = if pairs.len() > 1 { &pairs[..] } else { &[] };
        let mut digests = Vec::with_capacity(several.len());
        for &(key, _) in several {
            if self.kind(key) != Kind::Scalar {
                return None;
            }
            digests.push(self.scalar(key).identity().digest());
        }
        digests.sort_unstable();
        digests.is_sorted_by(|a, b| a < b).then_some(pairs)
    }

    /// The entries that a `<<` with this value gives.
    pub(super) fn merged_pairs(&self, value: Node) -> Vec<(Node, Node)> {
        let mut settle = EffectivePairs::new(self);
        settle.push_sources(value);
        settle.settle().0
    }

    /// The value of the entry of a mapping whose key is the string `key`.
    pub fn get(&self, node: Node, key: &str) -> Option<Node> {
        let is = |k: Node| self.is_text(k, key);
        let merges = |k: Node| self.is_merge_key(k);
        let (found, merges) = match self.follow(node) {
            Node::Clean(file, i) if self.kind(node) == Kind::Mapping => {
                let node = |i| Node::Clean(file, i);
                let entries = self.arena(file).entries(i);
                last(entries.map(|(k, v)| (node(k), node(v))), is, merges)
            }
            Node::Opened(id) => {
                let slots = self.children(id).iter();
                last(slots.filter_map(|slot| Some((slot.key?, slot.value))), is, merges)
            }
            Node::Clean(..) => return None,
        };
        if !merges {
            return found;
        }
        EffectivePairs::new(self).find(node, key)
    }

    /// Whether no document stands where `root` is: the text has comments at most.
    pub fn is_absent(&self, root: Node) -> bool {
        let Node::Clean(file, i) = root else { return false };
        let arena = self.arena(file);
        let Ok(at) = arena.sections().binary_search_by_key(&i, |section| section.root)
        else {
            return false;
        };
        arena.sections()[at].marker == NONE && arena.is_bare(i)
    }

    /// Whether `node` is the value of a variable or a part of one.
    pub(crate) fn is_secret(&self, node: Node) -> bool {
        let is_written = match self.follow(node) {
            Node::Clean(file, _) => self.arena(file).is_secret(),
            Node::Opened(_) => false,
        };
        is_written || self.is_hidden(node)
    }

    /// Whether no message shows `node`. The keys of a variable's value are shown.
    pub(crate) fn is_hidden(&self, key: Node) -> bool {
        self.secret.contains(&self.follow(key))
    }

    /// The tag on `node` with its handle resolved, aliases followed.
    pub fn tag(&self, node: Node) -> Option<Cow<'_, str>> {
        let (file, i) = match self.follow(node) {
            Node::Clean(file, i) => (file, i),
            Node::Opened(id) => self.opened.get(id as usize)?.was?,
        };
        self.arena(file).resolved_tag(i)
    }

    /// Where `node` was written, if it was.
    pub fn span(&self, node: Node) -> Option<Span> {
        match node {
            Node::Clean(file, i) => Some(self.arena(file).span(i)),
            Node::Opened(id) => {
                let (file, i) = self.opened.get(id as usize)?.was?;
                Some(self.arena(file).span(i))
            }
        }
    }

    /// The first line of a span, to be shown to people.
    pub(crate) fn first_line(&self, span: Span) -> Span {
        let text = &self.arena(span.file).text()[span.start as usize..span.end as usize];
        let line = text.lines().next().unwrap_or_default().trim_end().len() as u32;
        Span { end: span.start + line, ..span }
    }

    /// What Go calls the type of `node`.
    pub(crate) fn type_name(&self, node: Node) -> &'static str {
        match self.kind(node) {
            Kind::Scalar => self.scalar(node).type_name(),
            Kind::Sequence => "[]interface {}",
            Kind::Mapping => "map[interface {}]interface {}",
        }
    }

    /// Whether `node` is null.
    pub(crate) fn is_null(&self, node: Node) -> bool {
        self.kind(node) == Kind::Scalar && self.scalar(node) == Scalar::Null
    }

    /// The node an alias stands for; any other node itself.
    pub(crate) fn follow(&self, node: Node) -> Node {
        match node {
            Node::Clean(file, i) if self.arena(file).style(i) == Style::Alias => {
                let target = (file, self.arena(file).target(i));
                self.alias_values
                    .get(&target)
                    .copied()
                    .unwrap_or(Node::Clean(target.0, target.1))
            }
            Node::Clean(..) | Node::Opened(_) => node,
        }
    }

    /// The children of a collection as they stand, `<<` and duplicates included.
    pub(crate) fn slots(&self, node: Node) -> Cow<'_, [Slot]> {
        match self.follow(node) {
            Node::Clean(file, i) => Cow::Owned(written_slots(self.arena(file), i)),
            Node::Opened(id) => match &self.opened[id as usize].body {
                Body::Scalar(_) => Cow::Borrowed(&[]),
                Body::Sequence(slots) | Body::Mapping(slots) => slots.to_slice(),
            },
        }
    }

    /// Whether `slot` is an entry with the key `<<`.
    pub(crate) fn is_merge(&self, slot: &Slot) -> bool {
        slot.key.is_some_and(|key| self.is_merge_key(key))
    }

    fn is_merge_key(&self, key: Node) -> bool {
        match key {
            Node::Clean(file, i) => self.arena(file).has(i, flag::MERGE_KEY),
            Node::Opened(_) => false,
        }
    }

    /// Whether `node` is the string `text`.
    pub(crate) fn is_text(&self, node: Node, text: &str) -> bool {
        if let Node::Clean(file, i) = node
            && self.arena(file).style(i) == Style::Plain
            && !self.arena(file).has(i, flag::MULTILINE)
            && self.arena(file).raw(i) != text
        {
            return false;
        }
        matches!(self.scalar(node), Scalar::String(found) if found == text)
            && self.kind(node) == Kind::Scalar
    }
}

/// The value of the last entry whose key is the one, and whether any key merges.
fn last(
    entries: impl Iterator<Item = (Node, Node)>,
    is: impl Fn(Node) -> bool,
    merges: impl Fn(Node) -> bool,
) -> (Option<Node>, bool) {
    entries.fold((None, false), |(found, any), (key, value)| {
        (if is(key) { Some(value) } else { found }, any || merges(key))
    })
}

/// The children of written node `i`.
pub(super) fn written_slots(arena: &Arena, i: u32) -> Vec<Slot> {
    let slot = |was, key, value| Slot {
        was: Some(was),
        key,
        value: Node::Clean(arena.file(), value),
        by: None,
    };
    match arena.style(i) {
        Style::BlockSequence | Style::FlowSequence => {
            arena.children(i).map(|item| slot(item, None, item)).collect()
        }
        Style::BlockMapping | Style::FlowMapping | Style::FlowPair => arena
            .entries(i)
            .map(|(key, value)| slot(key, Some(Node::Clean(arena.file(), key)), value))
            .collect(),
        Style::Empty | Style::Plain | Style::Single | Style::Double => Vec::new(),
        Style::Literal | Style::Folded | Style::Alias => Vec::new(),
    }
}
