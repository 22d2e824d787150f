//! The nodes of new keys and values.

use hashbrown::HashMap;

use crate::arena::{Arena, Index, Style, flag};
use crate::node::{Body, Kind, NodeId, Tree};
use crate::restore::text_edit::{EditKind, is_flow};
use crate::scalar::Scalar;
use crate::source::FileId;

/// The document that whiteouts and nullouts are copied from.
pub(in crate::restore) const MARKERS: &str = "[{+%: whiteout}, {+%: nullout}]";

/// The indices of the two mappings in the arena of [`MARKERS`].
const WHITEOUT: Index = 1;
const NULLOUT: Index = 4;

/// Makes nodes for the values of the edited text: as they are written there, or in the
/// style of what they replace.
pub(in crate::restore) struct NewValues<'a> {
    source: &'a Tree,
    /// The document that holds the edited values.
    document: &'a Tree,
    /// True if new values take the style of their neighbours.
    restyles: bool,
    /// True if new values are spelled as they were written, whatever stood there.
    pub keeps_spelling: bool,
    /// The texts of several lines that a program put in quotes, in ascending order. They
    /// become blocks.
    quoted_lines: Vec<Index>,
    /// True if a new scalar has the tag of the one that stood there: the edited text has the
    /// data only.
    keeps_tags: bool,
    /// The file that whiteouts and nullouts are copied from.
    markers: FileId,
    /// The node of the edited text that each filled-in node was.
    written: HashMap<NodeId, NodeId>,
    /// The file of the edited text.
    pub file: FileId,
}

impl<'a> NewValues<'a> {
    /// Prepares for an edit of the expansion `document` of `source`.
    pub(in crate::restore) fn new(
        source: &'a Tree,
        edited: &Tree,
        document: &'a Tree,
        markers: FileId,
        kind: EditKind,
        tags_count: bool,
    ) -> NewValues<'a> {
        let file = edited.file();
        let mut written = HashMap::new();
        for opened in document.opened_nodes() {
            let Some((from, _)) = opened.origin() else { continue };
            let slots = match opened.body() {
                Body::Sequence(slots) | Body::Mapping(slots) if from == file => slots,
                _ => continue,
            };
            for slot in slots.iter() {
                let Some(was) = slot.was else { continue };
                let value =
                    if slot.key.is_some() { edited.base().next(was) } else { was };
                let key = slot.key.map(|key| (key, was));
                for (node, was) in key.into_iter().chain([(slot.value, value)]) {
                    if node != NodeId::Clean(file, was) {
                        written.insert(node, NodeId::Clean(file, was));
                    }
                }
            }
        }
        // A dump as JSON has no style to keep, unless the source is JSON itself.
        let is_json = is_flow(edited.base()) && !tags_count;
        let restyles = kind == EditKind::Dump && is_json && !is_flow(source.base());
        let keeps_spelling = kind == EditKind::Text;
        let is_unfolded = kind == EditKind::Dump && !is_flow(source.base());
        let quoted_lines =
            if is_unfolded { quoted_lines_of(edited.base()) } else { Vec::new() };
        let keeps_tags = !keeps_spelling && !tags_count;
        NewValues {
            source,
            document,
            restyles,
            keeps_spelling,
            quoted_lines,
            keeps_tags,
            markers,
            written,
            file,
        }
    }

    /// Returns the node of the edited document that `node` was written as.
    fn written(&self, node: NodeId) -> Option<NodeId> {
        match (node, self.written.get(&node)) {
            (_, Some(&written)) => Some(written),
            (NodeId::Clean(file, _), None) if file == self.file => Some(node),
            _ => None,
        }
    }

    /// Returns the node that the edited text has for a value, if it is copied from there.
    pub(super) fn kept_text(&self, edited: NodeId) -> Option<NodeId> {
        self.written(edited).filter(|_| self.keeps_spelling)
    }

    /// Returns the written node whose tag an edited value has, or the lack of one.
    pub(super) fn tag_of(&self, edited: NodeId) -> Option<(FileId, Index)> {
        let node = self.written(edited).unwrap_or(edited);
        self.document.tagged_as(self.document.follow(node))
    }

    pub(super) fn whiteout(&self) -> NodeId {
        NodeId::Clean(self.markers, WHITEOUT)
    }

    pub(super) fn nullout(&self) -> NodeId {
        NodeId::Clean(self.markers, NULLOUT)
    }

    /// Returns the value of a new directive, written as that of the directive `key`.
    pub(super) fn directive_value(&self, out: &mut Tree, key: NodeId) -> NodeId {
        let arena = self.source.base();
        let bare = match key {
            NodeId::Clean(_, i) => arena.is_bare(arena.next(i)),
            NodeId::Opened(_) => true,
        };
        let null = out.new_null();
        if bare {
            out.hints_mut().leave_out(null);
        }
        null
    }

    /// Returns a new value. A string in place of a quoted one is quoted the same way.
    pub(super) fn value(
        &self,
        out: &mut Tree,
        edited: NodeId,
        was: Option<NodeId>,
    ) -> NodeId {
        let document = self.document;
        let node = document.follow(self.written(edited).unwrap_or(edited));
        if was.is_some_and(|was| is_block_text(self.source, was))
            && let NodeId::Clean(file, i) = node
            && has_quoted_lines(document.arena(file), i)
        {
            return out.new_scalar(document.scalar(node).into_owned());
        }
        let is_plain_data = !self.keeps_spelling
            && document.kind(node) == Kind::Scalar
            && document.own_tag(node).is_none();
        let Some(was) = was.filter(|_| is_plain_data) else {
            return self.copy(out, edited);
        };
        let Scalar::String(text) = document.scalar(node) else {
            return self.copy(out, edited);
        };
        if let Some((file, i)) = self.tag_to_keep(was) {
            let new = out.new_scalar(Scalar::String(text.into_owned().into()));
            if let NodeId::Opened(id) = new {
                out.retag(id, file, i);
            }
            return new;
        }
        if is_quoted(self.source, was) && !text.contains('\n') {
            return out.new_text_like(&text, was);
        }
        self.copy(out, edited)
    }

    /// Returns the written scalar whose tag a new text in its place has. With another kind of
    /// value it would not read back.
    fn tag_to_keep(&self, was: NodeId) -> Option<(FileId, Index)> {
        let NodeId::Clean(file, i) = was else { return None };
        let arena = self.source.base();
        if !self.keeps_tags || file != arena.file() {
            return None;
        }
        let target = (file, arena.target(i));
        let node = NodeId::Clean(target.0, target.1);
        let is_tagged =
            self.source.kind(node) == Kind::Scalar && self.source.own_tag(node).is_some();
        is_tagged.then_some(target)
    }

    /// Returns the key of a new entry. A key as it was given brings its comments.
    pub(super) fn key(&self, out: &mut Tree, name: NodeId) -> NodeId {
        self.written_key(name).unwrap_or_else(|| self.respelled_key(out, name, None))
    }

    /// Returns the new key of an entry that had the key `was`.
    pub(super) fn renamed_key(
        &self,
        out: &mut Tree,
        name: NodeId,
        was: Option<NodeId>,
    ) -> NodeId {
        if self.keeps_spelling
            && let Some(written) = self.written_key(name)
        {
            return written;
        }
        self.respelled_key(out, name, was)
    }

    fn respelled_key(&self, out: &mut Tree, name: NodeId, was: Option<NodeId>) -> NodeId {
        let document = self.document;
        let name = self.written(name).unwrap_or(name);
        if document.kind(name) != Kind::Scalar {
            return self.copy(out, name);
        }
        match (document.scalar(name), was.filter(|&was| is_quoted(self.source, was))) {
            (Scalar::String(text), Some(was)) => out.new_text_like(&text, was),
            (scalar, _) => out.new_scalar(scalar.into_owned()),
        }
    }

    /// Returns a key as the edited text has it, if it can stand so in any place.
    fn written_key(&self, name: NodeId) -> Option<NodeId> {
        let key = self.written(name).filter(|_| !self.restyles)?;
        let NodeId::Clean(file, i) = key else { return None };
        let arena = self.document.arena(file);
        let bare = !arena.has(i, flag::PROPS | flag::MULTILINE)
            && !arena.raw(i).contains('\u{feff}');
        let style = arena.style(i);
        let plain = matches!(style, Style::Plain | Style::Single | Style::Double);
        (plain && bare).then_some(key)
    }

    /// Returns a new value: as it was given, or in the style of its neighbours.
    fn copy(&self, out: &mut Tree, node: NodeId) -> NodeId {
        let document = self.document;
        let mut made = Vec::new();
        let mut todo = vec![(node, None)];
        while let Some((node, home)) = todo.pop() {
            let written = self.written(node);
            let node = written.unwrap_or(node);
            let copy = match document.kind(node) {
                _ if written.is_some()
                    && !self.restyles
                    && !self.holds_quoted_lines(node) =>
                {
                    node
                }
                Kind::Scalar => out.new_scalar(document.scalar(node).into_owned()),
                Kind::Sequence => {
                    let copy = out.new_sequence();
                    let items = document.items(node).into_iter().rev();
                    todo.extend(items.map(|item| (item, Some((copy, None)))));
                    copy
                }
                Kind::Mapping => {
                    let copy = out.new_mapping(&[], None);
                    let pairs = document.pairs(node).into_iter().rev();
                    todo.extend(pairs.map(|(key, item)| (item, Some((copy, Some(key))))));
                    copy
                }
            };
            // Templates that were put back bring tags into JSON.
            if let NodeId::Opened(id) = copy
                && let Some((file, i)) = document.tagged_as(node)
            {
                if let Some(text) = document.arenas().find(|it| it.file() == file) {
                    out.add_arena(text);
                }
                out.retag(id, file, i);
            }
            match home {
                None => made.push(copy),
                Some((NodeId::Opened(id), None)) => {
                    out.insert_item(id, out.children(id).len(), copy, None);
                }
                Some((NodeId::Opened(id), Some(key))) => {
                    let written = self.written_key(key);
                    let key = written.unwrap_or_else(|| self.copy_of_key(out, key));
                    out.push_entry(id, key, copy);
                }
                Some((NodeId::Clean(..), _)) => {}
            }
        }
        made.pop().unwrap_or(node)
    }

    /// Returns true if a written value holds a text of several lines that a program put in
    /// quotes, or is one.
    fn holds_quoted_lines(&self, node: NodeId) -> bool {
        let NodeId::Clean(file, i) = node else { return false };
        let next = self.quoted_lines.partition_point(|&at| at < i);
        let end = self.document.arena(file).next(i);
        self.quoted_lines.get(next).is_some_and(|&at| at < end)
    }

    fn copy_of_key(&self, out: &mut Tree, key: NodeId) -> NodeId {
        let key = self.written(key).unwrap_or(key);
        match self.document.kind(key) {
            Kind::Scalar => out.new_scalar(self.document.scalar(key).into_owned()),
            Kind::Sequence | Kind::Mapping => key,
        }
    }
}

/// Returns true if a written node is a text of several lines in quotes, without anchor and tag.
fn has_quoted_lines(arena: &Arena, i: Index) -> bool {
    let is_quoted = matches!(arena.style(i), Style::Single | Style::Double);
    is_quoted && !arena.has(i, flag::PROPS) && arena.string(i).contains('\n')
}

/// Returns the texts of several lines that are in quotes where a block can stand.
fn quoted_lines_of(arena: &Arena) -> Vec<Index> {
    let mut found = Vec::new();
    let mut inside = 0;
    for i in arena
        .indices()
        .filter(|&i| arena.style(i).is_flow() || has_quoted_lines(arena, i))
    {
        if i < inside {
            continue;
        }
        if arena.style(i).is_flow() {
            inside = arena.next(i);
        } else {
            found.push(i);
        }
    }
    found
}

/// Returns true if a scalar of the source is a block.
fn is_block_text(source: &Tree, was: NodeId) -> bool {
    let NodeId::Clean(file, i) = was else { return false };
    file == source.file()
        && matches!(source.base().style(i), Style::Literal | Style::Folded)
}

/// Returns true if a scalar of the source is quoted and another string can be quoted the
/// same way.
pub(super) fn is_quoted(source: &Tree, was: NodeId) -> bool {
    let NodeId::Clean(file, i) = was else { return false };
    if file != source.file() {
        return false;
    }
    let arena = source.base();
    // The layout of block scalars and multi-line strings fits their own text only.
    let quoted = matches!(arena.style(i), Style::Single | Style::Double);
    quoted && arena.tag(i).is_none() && !arena.has(i, flag::MULTILINE)
}
