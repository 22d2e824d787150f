//! The content of each anchor name at the point that has been written. An alias stays an
//! alias only while its name leads to the same content. If an edit removed the anchor,
//! the content is written at the first alias that is left, together with the anchor.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::arena::{Arena, Index, flag};
use crate::node::{Body, NodeId, Tree};
use crate::source::FileId;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Provenance {
    /// True if it stands in its own place in the printed text.
    pub(super) in_place: bool,
    /// True if it is written out for an alias.
    pub(super) expanded: bool,
}

/// The anchors at the point that has been written.
pub(super) struct AnchorNames<'a> {
    document: &'a Tree,
    content_of_name: HashMap<String, NodeId>,
    /// The last name of each content.
    name_of_content: HashMap<NodeId, String>,
    /// The last number appended to a name, by name and by whether its text is foreign.
    last_numbers: HashMap<(&'a str, bool), u32>,
    /// The nodes that are written with their anchors.
    written: HashSet<(FileId, Index)>,
    /// The number of aliases that are still to be written, by their target.
    aliases_left: HashMap<NodeId, u32>,
    /// Opened nodes that mean the same as before.
    unchanged: HashSet<u32>,
    /// The anchor names of the printed text, collected when they are needed first.
    base_names: Option<HashSet<&'a str>>,
    /// The last node found that cannot be copied, until it is written.
    blocker: Option<(FileId, Index)>,
    /// The number of aliases of a text, by their target.
    counts: HashMap<FileId, HashMap<Index, u32>>,
}

impl<'a> AnchorNames<'a> {
    pub(super) fn new(document: &'a Tree) -> AnchorNames<'a> {
        let mut anchors = AnchorNames {
            document,
            content_of_name: HashMap::new(),
            name_of_content: HashMap::new(),
            last_numbers: HashMap::new(),
            written: HashSet::new(),
            aliases_left: HashMap::new(),
            unchanged: HashSet::new(),
            base_names: None,
            blocker: None,
            counts: HashMap::new(),
        };
        // Most documents have none and need no survey.
        if !document.has_aliases() {
            return anchors;
        }
        let opened = anchors.survey();
        // Inner nodes first: an outer one is unchanged only if they are.
        for &id in opened.iter().rev() {
            if anchors.is_unchanged(id) {
                anchors.unchanged.insert(id);
            }
        }
        anchors
    }

    /// Counts the aliases that are left, and returns the opened nodes, outer ones first.
    /// Those that only aliases stand for follow.
    fn survey(&mut self) -> Vec<u32> {
        let document = self.document;
        let mut opened = Vec::new();
        let mut met = HashSet::new();
        let roots = document.roots().to_vec();
        for (is_part, mut todo) in [(true, roots), (false, document.alias_values())] {
            while let Some(node) = todo.pop() {
                match node {
                    NodeId::Clean(file, i) if is_part => self.count(file, i),
                    NodeId::Opened(id) if met.insert(id) => {
                        opened.push(id);
                        let slots = document.children(id).iter();
                        todo.extend(slots.flat_map(|slot| {
                            slot.key.into_iter().chain(Some(slot.value))
                        }));
                    }
                    NodeId::Clean(..) | NodeId::Opened(_) => {}
                }
            }
        }
        opened
    }

    fn count(&mut self, file: FileId, i: Index) {
        let arena = self.document.arena(file);
        for &(_, target) in aliases(arena, &(i..arena.next(i))) {
            *self.aliases_left.entry(NodeId::Clean(file, target)).or_default() += 1;
        }
    }

    fn is_unchanged(&self, id: u32) -> bool {
        let opened = self.document.opened(id);
        let (Some((file, i)), Body::Sequence(_) | Body::Mapping(_)) =
            (opened.origin(), opened.body())
        else {
            return false;
        };
        let arena = self.document.arena(file);
        let mut at = i + 1;
        for slot in self.document.children(id).iter() {
            let value = if slot.key.is_some() && at < arena.next(i) {
                arena.next(at)
            } else {
                at
            };
            let here = slot.was == Some(at)
                && slot.key.is_none_or(|key| key == NodeId::Clean(file, at))
                && self.content(slot.value) == NodeId::Clean(file, value);
            if !here {
                return false;
            }
            at = arena.next(value);
        }
        at == arena.next(i)
    }

    /// Returns the written node for an opened one that is unchanged.
    fn content(&self, node: NodeId) -> NodeId {
        match node {
            NodeId::Opened(id) if self.unchanged.contains(&id) => {
                let was = self.document.origin(id);
                was.map_or(node, |(file, i)| NodeId::Clean(file, i))
            }
            NodeId::Opened(_) | NodeId::Clean(..) => node,
        }
    }

    /// Forgets all names, which do not reach into the next document of a stream.
    pub(super) fn clear(&mut self) {
        self.content_of_name.clear();
        self.name_of_content.clear();
        self.last_numbers.clear();
        self.written.clear();
    }

    /// Returns true if nodes can be copied as text.
    pub(super) fn can_copy(
        &mut self,
        file: FileId,
        nodes: Range<Index>,
        provenance: Provenance,
    ) -> bool {
        // Without this, each level of nesting would search all below it again.
        if self.blocker.is_some_and(|(other, at)| other == file && nodes.contains(&at)) {
            return false;
        }
        let found = self.find_blocker(file, &nodes, provenance);
        self.blocker = found.map(|at| (file, at)).or(self.blocker);
        found.is_none()
    }

    /// Returns the first node that cannot be copied.
    fn find_blocker(
        &mut self,
        file: FileId,
        nodes: &Range<Index>,
        provenance: Provenance,
    ) -> Option<Index> {
        let arena = self.document.arena(file);
        let strays = |&&(alias, target): &&(Index, Index)| {
            let name = arena.raw(alias).strip_prefix('*');
            // An alias to a node among them is copied with its anchor.
            !nodes.contains(&target) && self.name(NodeId::Clean(file, target)) != name
        };
        let stray = aliases(arena, nodes).iter().find(strays).map(|&(alias, _)| alias);
        let stray = stray.or_else(|| self.stale_anchor(file, nodes));
        if stray.is_some() || provenance.in_place {
            return stray;
        }
        let spare = |&(at, name): &(Index, &'a str)| {
            let content = NodeId::Clean(file, at);
            self.choose_name(content, name, provenance, 0).as_deref() != Some(name)
        };
        anchors(arena, nodes).find(spare).map(|(at, _)| at)
    }

    /// Returns the first anchor whose aliases stand for something else, if any are left.
    fn stale_anchor(&self, file: FileId, nodes: &Range<Index>) -> Option<Index> {
        if !self.document.has_alias_values() {
            return None;
        }
        let mut found = anchors(self.document.arena(file), nodes).map(|(at, _)| at);
        found.find(|&at| {
            self.is_stale(NodeId::Clean(file, at)) && self.has_aliases_left(file, at)
        })
    }

    /// Returns true for a written node that is not what its aliases stand for.
    // An entry that another one overrides is not filled in, but its aliases are.
    fn is_stale(&self, node: NodeId) -> bool {
        let NodeId::Clean(file, i) = node else { return false };
        let value = self.document.alias_value(file, i);
        value.is_some_and(|value| self.content(value) != node)
    }

    pub(super) fn record_copy(
        &mut self,
        file: FileId,
        nodes: Range<Index>,
        provenance: Provenance,
    ) {
        let arena = self.document.arena(file);
        for (at, name) in anchors(arena, &nodes) {
            self.bind_written(name.to_owned(), NodeId::Clean(file, at));
        }
        if !provenance.expanded {
            for &(_, target) in aliases(arena, &nodes) {
                self.consume_alias(NodeId::Clean(file, target));
            }
        }
    }

    fn consume_alias(&mut self, target: NodeId) {
        if let Some(left) = self.aliases_left.get_mut(&target) {
            *left = left.saturating_sub(1);
        }
    }

    pub(super) fn bind(&mut self, name: String, content: NodeId) {
        self.written.extend(self.document.origin_of(content));
        self.content_of_name.insert(name.clone(), content);
        self.name_of_content.insert(content, name);
    }

    /// Notes the name of a written node, which no alias finds if the node is stale.
    fn bind_written(&mut self, name: String, node: NodeId) {
        let is_stale = self.is_stale(node);
        self.bind(name, node);
        if is_stale {
            self.name_of_content.remove(&node);
        }
    }

    /// Returns true if a name stands for `content` now.
    pub(super) fn has_name(&self, content: NodeId) -> bool {
        self.name(content).is_some()
    }

    /// Returns the name that stands for `content` now.
    fn name(&self, content: NodeId) -> Option<&str> {
        let name = self.name_of_content.get(&content)?;
        (self.content_of_name.get(name) == Some(&content)).then_some(name)
    }

    /// Returns the name by which alias `i` still finds its target.
    pub(super) fn alias(
        &mut self,
        file: FileId,
        i: Index,
        provenance: Provenance,
    ) -> Option<String> {
        let target = NodeId::Clean(file, self.document.arena(file).target(i));
        self.blocker = self.blocker.filter(|&at| at != (file, i));
        if !provenance.expanded {
            self.consume_alias(target);
        }
        self.name(target).map(str::to_owned)
    }

    /// Returns the anchor to write on `node`, written at `i`, in place of `aliases`.
    pub(super) fn anchor(
        &mut self,
        node: NodeId,
        file: FileId,
        i: Index,
        provenance: Provenance,
        aliases: u32,
    ) -> Option<String> {
        self.blocker = self.blocker.filter(|&at| at != (file, i));
        let written = self.document.arena(file).anchor(i)?;
        let content = match self.document.alias_value(file, i) {
            Some(other) if other == node => NodeId::Clean(file, i),
            Some(_) if self.is_stale(node) => {
                let stays = provenance.in_place && !self.has_aliases_left(file, i);
                let name = stays.then(|| written.to_owned())?;
                self.bind_written(name.clone(), node);
                return Some(name);
            }
            Some(_) | None => self.content(node),
        };
        let name = if provenance.in_place {
            let lost =
                content != NodeId::Clean(file, i) && self.has_aliases_left(file, i);
            (!lost).then(|| written.to_owned())
        } else {
            self.choose_name(content, written, provenance, aliases)
        };
        self.bind(name.clone()?, content);
        name
    }

    pub(super) fn has_aliases_left(&self, file: FileId, i: Index) -> bool {
        self.aliases_left.get(&NodeId::Clean(file, i)).is_some_and(|&left| left > 0)
    }

    /// Returns a name for content outside of its own place, if aliases need one, or if an op
    /// brings the anchor with its value.
    fn choose_name(
        &mut self,
        content: NodeId,
        written: &'a str,
        provenance: Provenance,
        aliases: u32,
    ) -> Option<String> {
        let (file, i) = self.document.origin_of(content)?;
        let hints = self.document.hints();
        let is_foreign = file != self.document.base().file();
        let is_brought = !provenance.expanded
            && !self.written.contains(&(file, i))
            && if is_foreign { hints.is_patch_text(file) } else { hints.is_moved(i) };
        let has_aliases = self.has_aliases_left(file, i)
            || provenance.expanded && self.alias_count(file, i) > aliases;
        let is_asked_for = has_aliases
            && matches!(content, NodeId::Clean(..))
            && (provenance.expanded || !self.document.is_copied(file, i));
        if !(is_brought || is_asked_for) || self.name(content).is_some() {
            return None;
        }
        // Names are never given back, so that the search goes on behind the last number:
        // from 1 it would take quadratic time.
        let mut number =
            self.last_numbers.get(&(written, is_foreign)).copied().unwrap_or(1);
        let mut name = numbered(written, number);
        while self.content_of_name.contains_key(&name)
            || is_foreign && self.is_taken(&name)
        {
            number += 1;
            name = numbered(written, number);
        }
        self.last_numbers.insert((written, is_foreign), number);
        Some(name)
    }

    fn alias_count(&mut self, file: FileId, i: Index) -> u32 {
        let arena = self.document.arena(file);
        let counts = self.counts.entry(file).or_insert_with(|| {
            let mut counts = HashMap::new();
            for &(_, target) in arena.aliases() {
                *counts.entry(target).or_default() += 1;
            }
            counts
        });
        counts.get(&i).copied().unwrap_or(0)
    }

    /// Returns true if the printed text uses that name.
    fn is_taken(&mut self, name: &str) -> bool {
        let base = self.document.base();
        let names = self.base_names.get_or_insert_with(|| {
            base.props_nodes().filter_map(|i| base.anchor(i)).collect()
        });
        names.contains(name)
    }
}

fn numbered(name: &str, number: u32) -> String {
    match number {
        1 => name.to_owned(),
        _ => format!("{name}{number}"),
    }
}

/// Returns the aliases among nodes with their targets.
fn aliases<'a>(arena: &'a Arena, nodes: &Range<Index>) -> &'a [(Index, Index)] {
    if !has(arena, nodes, flag::HAS_ALIAS) {
        return &[];
    }
    let from = arena.aliases().partition_point(|&(alias, _)| alias < nodes.start);
    let to = arena.aliases().partition_point(|&(alias, _)| alias < nodes.end);
    &arena.aliases()[from..to]
}

fn anchors<'a>(
    arena: &'a Arena,
    nodes: &Range<Index>,
) -> impl Iterator<Item = (Index, &'a str)> {
    let any = has(arena, nodes, flag::HAS_ANCHOR);
    let nodes = if any { nodes.clone() } else { 0..0 };
    nodes.filter_map(|at| Some((at, arena.anchor(at)?)))
}

/// Returns true if a node of a subtree, with or without its root, may have `flag`.
fn has(arena: &Arena, nodes: &Range<Index>, flag: u8) -> bool {
    let whole = nodes.start < nodes.end && arena.next(nodes.start) == nodes.end;
    nodes.start < nodes.end && (!whole || arena.has(nodes.start, flag))
}
