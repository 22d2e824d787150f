//! `((names))` put back into an edited copy of a document that was filled in, wherever
//! they still have their values.

use hashbrown::{HashMap, HashSet};

use super::syntax::uses;
use crate::arena::{Index, Style, flag};
use crate::diff::pair;
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::scalar::Scalar;
use crate::source::FileId;

/// Returns `edited` with the written text at each place that was filled in and not
/// edited. A section of variables that lost its definitions is put back as well.
pub fn restore_placeholders(written: &Tree, filled: &Tree, edited: &Tree) -> Tree {
    let written_as = written_places(written, filled, &|_, _| false);
    let same = pair(filled, edited, |node| written_as.contains_key(&node)).same;
    put_back(written, edited, &written_as, &same)
}

/// Returns the templates that have a value in the edited copy, in order.
pub fn overwritten_templates(
    document: &Tree,
    edited: &Tree,
    is_template: &dyn Fn(&Tree, NodeId) -> bool,
) -> Vec<NodeId> {
    let changed = pair(document, edited, |node| is_template(document, node)).changed;
    let is_value = |&(old, new): &(NodeId, NodeId)| {
        let kinds =
            (document.kind(document.follow(old)), edited.kind(edited.follow(new)));
        // A mapping in the place of another may be data that looks like an expression.
        kinds != (Kind::Mapping, Kind::Mapping) && !is_template(edited, new)
    };
    let mut replaced: Vec<NodeId> =
        changed.into_iter().filter(is_value).map(|(old, _)| old).collect();
    let place =
        |node: &NodeId| document.span(*node).map(|span| (span.file.0, span.start));
    replaced.sort_by_key(place);
    replaced
}

/// Returns the places of `((names))` without a value that have one in the edited copy, in
/// order; none if the copy still has some: then it was made without their values.
pub fn overwritten_placeholders(filled: &Tree, edited: &Tree) -> Vec<NodeId> {
    // Most documents have no `((`, and pairing all nodes takes time. An escape in quotes
    // may stand for a bracket.
    let may_use = |text: &str| text.contains("((") || text.contains('\\');
    if !filled.arenas().any(|arena| may_use(arena.text())) {
        return Vec::new();
    }
    let kept = pair(filled, edited, |node| is_use(filled, node)).same;
    if kept.is_empty() {
        overwritten_templates(filled, edited, &is_use)
    } else {
        Vec::new()
    }
}

/// Returns `edited` with the written form of the old node for the new one of each pair.
pub(super) fn put_back(
    written: &Tree,
    edited: &Tree,
    written_as: &HashMap<NodeId, NodeId>,
    pairs: &[(NodeId, NodeId)],
) -> Tree {
    let mut back: Vec<(FileId, Index, NodeId)> = pairs
        .iter()
        .filter_map(|&(old, new)| match new {
            // An alias stays one if its anchor is still there.
            NodeId::Clean(file, i) if edited.arena(file).style(i) == Style::Alias => {
                Some((file, i, *written_as.get(&old)?))
            }
            NodeId::Clean(file, i) => {
                Some((file, i, written.follow(*written_as.get(&old)?)))
            }
            NodeId::Opened(_) => None,
        })
        .collect();
    back.sort_by_key(|&(file, i, _)| (file, i));
    let mut document = edited.clone();
    for arena in written.arenas() {
        document.add_arena(arena);
    }
    PutBack { written, back, document }.run()
}

/// Returns the written form of each node that was filled in.
pub(super) fn written_places(
    written: &Tree,
    filled: &Tree,
    is_template: &dyn Fn(&Tree, NodeId) -> bool,
) -> HashMap<NodeId, NodeId> {
    let mut places = HashMap::new();
    let roots = written.roots().iter().copied().zip(filled.roots().iter().copied());
    let (mut todo, mut met) = (roots.collect::<Vec<_>>(), HashSet::new());
    while let Some((was, is)) = todo.pop() {
        let (from, to) = (written.follow(was), filled.follow(is));
        // An alias in an unchanged node may stand for a value that was filled in.
        if let NodeId::Clean(file, i) = from
            && from == to
            && !written.arena(file).has(i, flag::HAS_ALIAS)
        {
            continue;
        }
        let (before, after) = (written.slots(from), filled.slots(to));
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

fn is_use(document: &Tree, node: NodeId) -> bool {
    first_use(document, node).is_some()
}

/// Returns the name of the first variable in a string, or in binary data that is text.
///
/// # Example
/// ```
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::variables::first_use;
/// use interpolate::unstable::yaml::{self, Options};
///
/// let mut sources = Sources::default();
/// let file = sources.add("base.yml", "((a)) and ((b))");
/// let tree = yaml::read(&sources, file, &Options::default())?;
/// assert_eq!(first_use(&tree, tree.root()).as_deref(), Some("a"));
/// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
/// ```
pub fn first_use(document: &Tree, node: NodeId) -> Option<String> {
    if document.kind(node) != Kind::Scalar {
        return None;
    }
    let text = match document.scalar(node) {
        Scalar::String(text) => text,
        Scalar::Binary(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        _ => return None,
    };
    uses(&text).next().map(|found| found.name.to_owned())
}

/// Puts written nodes into a document in place of its own.
struct PutBack<'a> {
    written: &'a Tree,
    /// The nodes to be replaced, in order, with the written ones.
    back: Vec<(FileId, Index, NodeId)>,
    document: Tree,
}

impl PutBack<'_> {
    fn run(mut self) -> Tree {
        let roots = self.document.roots().len();
        let mut todo: Vec<Seat> = (0..roots).map(Seat::Root).collect();
        while let Some(seat) = todo.pop() {
            let NodeId::Clean(file, i) = self.document.node_at(seat) else { continue };
            let end = self.document.arena(file).next(i);
            let from = self.back.partition_point(|&(f, at, _)| (f, at) < (file, i));
            let next = self.back.get(from).filter(|&&(f, at, _)| (f, at) < (file, end));
            let Some(&(_, at, written)) = next else { continue };
            if at == i
                && let Some(node) = self.node(written)
            {
                self.document.set_at(seat, node, None);
                self.set_alias_value(file, i, node);
                continue;
            }
            let Some(id) = self.document.open(seat, true) else { continue };
            self.set_alias_value(file, i, NodeId::Opened(id));
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
        let found = self.back.binary_search_by_key(&(file, i), |&(f, i, _)| (f, i));
        if let Some(key) = found.ok().and_then(|found| self.node(self.back[found].2)) {
            self.document.rename(id, at, key);
        }
    }

    /// Returns a written node as one of the document; `None` for collections of ops.
    fn node(&mut self, written: NodeId) -> Option<NodeId> {
        match (written, self.written.scalar(written)) {
            (NodeId::Clean(..), _) => Some(written),
            (NodeId::Opened(_), Scalar::String(text)) => {
                Some(self.document.new_text(&text))
            }
            (NodeId::Opened(_), _) => None,
        }
    }
}
