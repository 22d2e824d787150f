//! An edited copy of a filled-in document, and the way back to what was written: `((names))` are
//! put back wherever they still have their values.

use hashbrown::{HashMap, HashSet};

use super::syntax::{is_use, is_whole, may_have_uses, uses};
use super::used_values::{TextUses, UsedValues};
use super::value_search::{NamedText, named_texts};
use crate::arena::{Index, Style, flag};
use crate::compare::{PairedNodes, pair_nodes};
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::scalar::Scalar;
use crate::source::FileId;

/// An edited copy of a document that was filled in.
pub(super) struct EditedCopy<'a> {
    written: &'a Tree,
    filled: &'a Tree,
    edited: &'a Tree,
    /// The written form of each node that was filled in.
    written_as: HashMap<NodeId, NodeId>,
    /// The edited texts in which names were put back, by node of the copy.
    texts: Vec<(NodeId, String)>,
    /// The edited nodes that have the tag of a written one.
    tagged: Vec<(NodeId, NodeId)>,
}

impl<'a> EditedCopy<'a> {
    pub(super) fn new(
        written: &'a Tree,
        filled: &'a Tree,
        edited: &'a Tree,
        is_template: &dyn Fn(&Tree, NodeId) -> bool,
    ) -> EditedCopy<'a> {
        let written_as = written_places(written, filled, is_template);
        EditedCopy {
            written,
            filled,
            edited,
            written_as,
            texts: Vec::new(),
            tagged: Vec::new(),
        }
    }

    /// Has nodes of the written document put back where the copy has their values, although
    /// nothing was filled in there: by their tags they are data.
    pub(super) fn add_data(&mut self, is_data: &dyn Fn(&Tree, NodeId) -> bool) {
        for arena in self.written.arenas() {
            let tagged = arena.tags().map(|(i, _)| i);
            let all = tagged.chain(arena.aliases().iter().map(|&(alias, _)| alias));
            for node in all.map(|i| NodeId::Clean(arena.file(), i)) {
                if is_data(self.written, self.written.follow(node)) {
                    self.written_as.entry(node).or_insert(node);
                }
            }
        }
    }

    /// Has the data that was edited tagged as it is written.
    pub(super) fn tag_data(
        &mut self,
        paired: &PairedNodes,
        is_data: &dyn Fn(&Tree, NodeId) -> bool,
    ) {
        for &(old, new) in &paired.changed {
            let was = self.written(old).filter(|&was| is_data(self.written, was));
            self.tagged.extend(was.map(|was| (new, was)));
        }
    }

    /// Pairs the nodes that were filled in with those of the copy.
    pub(super) fn pair(&self) -> PairedNodes {
        pair_nodes(self.filled, self.edited, |node| self.written_as.contains_key(&node))
    }

    /// Returns the written form of a node that was filled in.
    pub(super) fn written(&self, old: NodeId) -> Option<NodeId> {
        self.written_as.get(&old).map(|&was| self.written.follow(was))
    }

    /// Returns the copy with the written form of the old node for the new one of each pair,
    /// and with the texts in which names were put back.
    pub(super) fn put_back(&self, pairs: &[(NodeId, NodeId)]) -> Tree {
        let written = self.written;
        let edited = self.edited;
        let mut document = edited.clone();
        for arena in written.arenas() {
            document.add_arena(arena);
        }
        let mut back: Vec<PutNode> = Vec::new();
        for &(old, new) in pairs {
            let NodeId::Clean(file, i) = new else { continue };
            // An alias stays one if its anchor is still there.
            let is_alias = edited.arena(file).style(i) == Style::Alias;
            let kept = self.written_as.get(&old).copied().filter(|_| is_alias);
            let Some(was) = kept.or_else(|| self.written(old)) else { continue };
            let put = match (was, written.scalar(was)) {
                (NodeId::Clean(..), _) => Put::Node(was),
                (NodeId::Opened(_), Scalar::String(text)) => {
                    Put::Node(document.new_text(&text))
                }
                // A collection of ops.
                (NodeId::Opened(_), _) => Put::Nothing,
            };
            back.push(PutNode { at: (file, i), put });
        }
        for (node, text) in &self.texts {
            if let &NodeId::Clean(file, i) = node {
                let put = Put::Node(document.new_text_like(text, *node));
                back.push(PutNode { at: (file, i), put });
            }
        }
        for &(new, was) in &self.tagged {
            let (NodeId::Clean(file, i), Some(tag)) = (new, written.tagged_as(was))
            else {
                continue;
            };
            let put = match edited.string(new) {
                Some(text) => {
                    let node = document.new_text_like(&text, new);
                    if let NodeId::Opened(id) = node {
                        document.retag(id, tag.0, tag.1);
                    }
                    Put::Node(node)
                }
                None => Put::Tag(tag),
            };
            back.push(PutNode { at: (file, i), put });
        }
        back.sort_by_key(|node| node.at);
        PutBack { back, document }.run()
    }

    /// Puts names back into texts that were edited beside them, and for the values of the
    /// vars-store in any text.
    pub(super) fn restore_uses(
        &mut self,
        paired: &PairedNodes,
        values: &UsedValues,
    ) -> RestoredUses {
        let written = self.written;
        let edited = self.edited;
        let texts = TextUses::new(values, written);
        let mut found = RestoredUses::default();
        let mut done: HashSet<NodeId> = HashSet::new();
        for &(old, new) in &paired.same {
            let was = self.written(old);
            found.is_any_kept |= was.is_some_and(|was| is_use(written, was));
            done.insert(edited.follow(new));
        }
        for &(old, new) in &paired.changed {
            let Some(was) = self.written(old).filter(|&was| is_use(written, was)) else {
                continue;
            };
            let new = edited.follow(new);
            if !done.insert(new) {
                continue;
            }
            let [text, filled, now] = [(written, was), (self.filled, old), (edited, new)]
                .map(|(tree, node)| tree.string(node).unwrap_or_default());
            self.restore_members(&text, new, values);
            let back = texts.put_back(&text, &filled, &now);
            let is_kept = has_names_of(back.as_deref().unwrap_or(&now), &text);
            found.is_any_kept |= is_kept || back.is_some();
            found.replaced.extend((!is_kept).then_some(was));
            self.texts.extend(back.map(|back| (new, back)));
        }
        if texts.searches() {
            let arena = edited.base();
            let nodes = arena.indices().map(|i| NodeId::Clean(arena.file(), i));
            for node in nodes.filter(|node| !done.contains(node)) {
                // An alias has the text of its anchor.
                let text = edited.string(node).filter(|_| edited.follow(node) == node);
                let back = text.and_then(|text| texts.put_back("", "", &text));
                found.is_any_kept |= back.is_some();
                self.texts.extend(back.map(|back| (node, back)));
            }
        }
        found
    }

    /// Puts the names of members back into a collection that was edited: it stands in place
    /// of the variable that `written` is.
    fn restore_members(&mut self, written: &str, new: NodeId, values: &UsedValues) {
        let name = is_whole(written).then(|| uses(written).next()).flatten();
        let Some(name) = name.map(|found| found.name.to_owned()) else { return };
        if self.edited.kind(new) == Kind::Scalar {
            return;
        }
        for NamedText { name, text, node } in named_texts(self.edited, [(name, new)]) {
            // An index would be wrong after the next edit of the list.
            let has_index = name.split('.').any(|part| part.parse::<usize>().is_ok());
            let is_same = values.is_string(&name) && values.text(&name) == Some(&text);
            if is_same && !has_index {
                self.texts.push((node, format!("(({name}))")));
            }
        }
    }
}

/// Returns true if a text uses all names that the written one uses.
pub(super) fn has_names_of(text: &str, written: &str) -> bool {
    let names: HashSet<&str> = uses(text).map(|found| found.name).collect();
    uses(written).all(|found| names.contains(found.name))
}

/// Returns the written form of each node that was filled in.
fn written_places(
    written: &Tree,
    filled: &Tree,
    is_template: &dyn Fn(&Tree, NodeId) -> bool,
) -> HashMap<NodeId, NodeId> {
    let mut places = HashMap::new();
    let roots = written.roots().iter().copied().zip(filled.roots().iter().copied());
    let mut todo = roots.collect::<Vec<_>>();
    let mut met = HashSet::new();
    while let Some((was, is)) = todo.pop() {
        let from = written.follow(was);
        let to = filled.follow(is);
        // An alias in an unchanged node may stand for a value that was filled in.
        if let NodeId::Clean(file, i) = from
            && from == to
            && !written.arena(file).has(i, flag::HAS_ALIAS)
        {
            continue;
        }
        let before = written.slots(from);
        let after = filled.slots(to);
        let is_other = before.len() != after.len();
        if is_other || is_use(written, from) || is_template(written, from) {
            places.extend([(is, was), (to, from)]);
            continue;
        }
        if !met.insert((from, to)) {
            continue;
        }
        for (before, after) in before.iter().zip(after.iter()) {
            todo.push((before.value, after.value));
            if let (Some(was), Some(is)) = (before.key, after.key)
                && was != is
            {
                places.insert(is, was);
            }
        }
    }
    places
}

/// The `((names))` of a document in an edited copy of what it was filled in to.
#[derive(Debug, Default)]
pub struct RestoredUses {
    /// True if one has the value that it was filled in with.
    pub is_any_kept: bool,
    /// The written texts in whose place the copy has a value without their names.
    pub replaced: Vec<NodeId>,
}

/// A node of a document, with what is put in its place.
struct PutNode {
    at: (FileId, Index),
    put: Put,
}

/// The edit of a node.
#[derive(Clone, Copy)]
enum Put {
    Nothing,
    Node(NodeId),
    /// The tag of a node of another text.
    Tag((FileId, Index)),
}

/// Puts nodes into a document in place of its own.
struct PutBack {
    /// The nodes to be replaced, in order. Of two for one place, the first one counts.
    back: Vec<PutNode>,
    document: Tree,
}

impl PutBack {
    /// Returns the document with these nodes replaced.
    fn run(mut self) -> Tree {
        let roots = self.document.roots().len();
        let mut todo: Vec<Seat> = (0..roots).map(Seat::Root).collect();
        while let Some(seat) = todo.pop() {
            let NodeId::Clean(file, i) = self.document.node_at(seat) else { continue };
            let end = self.document.arena(file).next(i);
            let from = self.back.partition_point(|node| node.at < (file, i));
            let next = self.back.get(from).filter(|node| node.at < (file, end));
            let Some(&PutNode { at: (_, at), put }) = next else { continue };
            if at == i
                && let Put::Node(node) = put
            {
                self.document.set_at(seat, node, None);
                self.set_alias_value(file, i, node);
                continue;
            }
            let Some(id) = self.document.open(seat, true) else { continue };
            self.set_alias_value(file, i, NodeId::Opened(id));
            if at == i
                && let Put::Tag((file, tag)) = put
            {
                self.document.retag(id, file, tag);
            }
            let slots: Vec<_> = self.document.children(id).ids().collect();
            for at in slots {
                self.key(id, at);
                todo.push(Seat::Slot(id, at));
            }
        }
        self.document
    }

    fn set_alias_value(&mut self, file: FileId, i: Index, node: NodeId) {
        if self.document.arena(file).anchor(i).is_some() {
            self.document.set_alias_value(file, i, node);
        }
    }

    fn key(&mut self, id: u32, at: u32) {
        let Some(NodeId::Clean(file, i)) = self.document.children(id).get(at).key else {
            return;
        };
        let found = self.back.binary_search_by_key(&(file, i), |node| node.at);
        if let Some(Put::Node(key)) = found.ok().map(|found| self.back[found].put) {
            self.document.rename(id, at, key);
        }
    }
}

/// An edited copy with its `((names))` put back.
#[derive(Debug)]
pub struct RestoredPlaceholders {
    /// The copy.
    pub document: Tree,
    /// The variables at the places that were edited.
    pub uses: RestoredUses,
}

/// Returns `edited` with the written text at each place that was filled in and not
/// edited, and the names in texts that were edited beside them. A section of variables that
/// lost its definitions is put back as well.
///
/// # Example
/// ```text
/// written: url: ((host)):80   filled: url: db:80   edited: url: db:8080
/// document: url: ((host)):8080
/// ```
pub fn restore_placeholders(
    written: &Tree,
    filled: &Tree,
    edited: &Tree,
    values: &UsedValues,
) -> RestoredPlaceholders {
    let mut copy = EditedCopy::new(written, filled, edited, &|_, _| false);
    let paired = copy.pair();
    let uses = copy.restore_uses(&paired, values);
    let document = copy.put_back(&paired.same);
    RestoredPlaceholders { document, uses }
}

/// Returns the templates that have a value in the edited copy, in order.
pub fn overwritten_templates(
    document: &Tree,
    edited: &Tree,
    is_template: &dyn Fn(&Tree, NodeId) -> bool,
) -> Vec<NodeId> {
    let changed =
        pair_nodes(document, edited, |node| is_template(document, node)).changed;
    let is_value = |&(old, new): &(NodeId, NodeId)| {
        let kinds =
            (document.kind(document.follow(old)), edited.kind(edited.follow(new)));
        // A mapping in the place of another may be data that looks like an expression.
        kinds != (Kind::Mapping, Kind::Mapping) && !is_template(edited, new)
    };
    let mut replaced: Vec<NodeId> =
        changed.into_iter().filter(is_value).map(|(old, _)| old).collect();
    replaced
        .sort_by_key(|node| document.span(*node).map(|span| (span.file.0, span.start)));
    replaced
}

/// Returns the places of `((names))` without a value that have one in the edited copy, in
/// order; none if the copy still has some: then it was made without their values.
pub fn overwritten_placeholders(filled: &Tree, edited: &Tree) -> Vec<NodeId> {
    // Most documents have no `((`, and pairing all nodes takes time.
    if !filled.arenas().any(|arena| may_have_uses(arena.text())) {
        return Vec::new();
    }
    let kept = pair_nodes(filled, edited, |node| is_use(filled, node)).same;
    if kept.is_empty() {
        overwritten_templates(filled, edited, &is_use)
    } else {
        Vec::new()
    }
}
