//! The documents of a stream before and after an edit, and their import sites: mappings with
//! directives, the values that each directive imports now, and those that it will import
//! after the edit.

use hashbrown::{HashMap, HashSet};

use super::compare::{Ancestor, Change, Comparer};
use super::expander::Expanded;
use super::written::ChildIndex;
use crate::arena::Index;
use crate::node::{NodeId, Step, Tree};
use crate::patch::{Base, Edit, Import, Merge, Patch, Source};

pub(super) struct ImportSite<'a> {
    pub imports: Vec<SiteImport<'a>>,
}

impl<'a> ImportSite<'a> {
    /// Returns the site of a merge; `found` tells the value that an import has now.
    fn new(
        merge: &'a Merge,
        found: &mut dyn FnMut(&Import) -> Option<NodeId>,
    ) -> ImportSite<'a> {
        let import = |import: &'a Import| SiteImport {
            key: import.key,
            source: &import.source,
            found: found(import),
            indirect: false,
        };
        ImportSite { imports: merge.imports.iter().map(import).collect() }
    }

    /// Returns true if what a directive will import is not known until the edit is in its
    /// source: its value is not what its source expands to.
    pub(super) fn is_indirect(&self) -> bool {
        self.imports.iter().any(|import| import.indirect)
    }
}

#[derive(Clone, Copy)]
pub(super) struct SiteImport<'a> {
    /// The key, as it was written.
    pub key: NodeId,
    pub source: &'a Source,
    /// The value that it imports now.
    pub found: Option<NodeId>,
    /// True if that is not what its source expands to: a raw import takes the text of its
    /// source, and one by a name takes the value without what the source inherits.
    indirect: bool,
}

impl SiteImport<'_> {
    /// Returns true if its pointer starts at the mapping that it stands in.
    pub(super) fn is_relative(&self) -> bool {
        matches!(self.source.base, Base::Parent(_))
    }
}

/// The place that a directive names.
struct Target {
    /// The value at which its pointer starts.
    base: Change,
    /// The value at the end of its pointer.
    value: Change,
    /// The pointer that leads there after the edit.
    pointer: Vec<String>,
}

/// The value that a directive will import after the edit.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ImportOutcome {
    /// A value at the same pointer.
    Found(NodeId),
    /// A value at another pointer.
    Renamed(NodeId, Vec<String>),
    /// No value, and none is required.
    Missing,
    /// No value although one is required: the value is gone.
    Dangling,
    /// The value is gone, and another one stands at its pointer.
    Reused,
}

impl ImportOutcome {
    pub(super) fn value(&self) -> Option<NodeId> {
        match self {
            ImportOutcome::Found(node) | ImportOutcome::Renamed(node, _) => Some(*node),
            ImportOutcome::Missing | ImportOutcome::Dangling | ImportOutcome::Reused => {
                None
            }
        }
    }
}

/// The sites of a document by their mapping in the source.
#[derive(Default)]
pub(super) struct ImportSites<'a> {
    sites: HashMap<Index, ImportSite<'a>>,
    /// The nodes from the root to each site whose directives will import another value.
    changed: HashSet<Index>,
    /// True if the value that a directive imports counts as unchanged, so that no override
    /// keeps it as it was.
    follows: bool,
}

impl<'a> ImportSites<'a> {
    /// Returns the sites of the document at `root`; `founds` are the imported values.
    pub(super) fn new(
        (source, root): (&Tree, NodeId),
        patch: &'a Patch,
        founds: &mut impl Iterator<Item = NodeId>,
        compare: &mut Comparer<'a>,
        roots: Change,
        follows: bool,
    ) -> ImportSites<'a> {
        let mut sites = ImportSites { follows, ..ImportSites::default() };
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let mut found = |import: &Import| import.found.and_then(|_| founds.next());
            let site = ImportSite::new(merge, &mut found);
            sites.add((source, root), merge, site, compare, roots);
        }
        sites
    }

    /// Returns the sites of the document at `root` without the values that they import.
    pub(super) fn without_values(
        source: &Tree,
        root: NodeId,
        patch: &'a Patch,
    ) -> ImportSites<'a> {
        let mut written = ChildIndex::new(source.base());
        let mut sites = ImportSites::default();
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let site = ImportSite::new(merge, &mut |_| None);
            let nodes = written.nodes_on_path(root, &merge.site);
            sites.sites.extend(nodes.and_then(|nodes| Some((*nodes.last()?, site))));
        }
        sites
    }

    fn add(
        &mut self,
        (source, root): (&Tree, NodeId),
        merge: &Merge,
        mut site: ImportSite<'a>,
        compare: &mut Comparer<'a>,
        roots: Change,
    ) {
        let Some(nodes) = compare.written.nodes_on_path(root, &merge.site) else {
            return;
        };
        let ancestors = compare.trace_path(&merge.site, roots);
        let here = ancestors.len() - 1;
        let in_list = merge.site.iter().any(|step| matches!(step, Step::Index(_)));
        for import in &mut site.imports {
            let here = (&ancestors[..], here);
            let target = self.target(import, (source, root), here, compare, roots);
            let known = import.found.zip(target.value.was);
            import.indirect =
                known.is_some_and(|(found, view)| !compare.equal(found, view));
        }
        let changed = site.imports.iter().any(|import| {
            // The item may be paired with another one when its list is written.
            let unclear = in_list && matches!(import.source.base, Base::Parent(_));
            let outcome =
                self.outcome(import, (source, root), (&ancestors, here), compare, roots);
            let now = import.found.map_or(ImportOutcome::Missing, ImportOutcome::Found);
            unclear || outcome != now
        });
        if changed {
            self.changed.extend(&nodes);
        }
        self.sites.extend(nodes.last().map(|&at| (at, site)));
    }

    pub(super) fn get(&self, i: Index) -> Option<&ImportSite<'a>> {
        self.sites.get(&i)
    }

    /// Returns the index of a node of the source that is a site.
    pub(super) fn at(&self, node: NodeId) -> Option<Index> {
        let NodeId::Clean(_, i) = node else { return None };
        self.sites.contains_key(&i).then_some(i)
    }

    /// Returns true if node `i` is or holds a site that will import another value.
    pub(super) fn holds_changed(&self, i: Index) -> bool {
        self.changed.contains(&i)
    }

    /// Returns the place that a directive of the mapping `ancestors[here]` names.
    fn target(
        &self,
        import: &SiteImport<'a>,
        (source, root): (&Tree, NodeId),
        (ancestors, here): (&[Ancestor], usize),
        compare: &mut Comparer<'a>,
        roots: Change,
    ) -> Target {
        let mut pointer = import.source.pointer.clone();
        let (base, value) = match &import.source.base {
            Base::File(..) => (Change::NONE, Change::NONE),
            Base::Anchor(_) => import
                .found
                .and_then(|found| compare.document.origin_of(found))
                .filter(|&(file, _)| file == source.file())
                .and_then(|(_, i)| compare.written.path_to(source, root, i))
                .map_or((Change::NONE, Change::NONE), |path| {
                    compare.resolve_path(roots, &path, &mut pointer)
                }),
            Base::Root => (roots, compare.resolve_pointer(roots, &mut pointer)),
            Base::Parent(dots) => {
                let base = climb(ancestors, here, *dots).unwrap_or(roots);
                (base, compare.resolve_pointer(base, &mut pointer))
            }
        };
        Target { base, value, pointer }
    }

    /// Returns the value that a directive of the mapping `ancestors[here]` will import.
    pub(super) fn outcome(
        &self,
        import: &SiteImport<'a>,
        document: (&Tree, NodeId),
        (ancestors, here): (&[Ancestor], usize),
        compare: &mut Comparer<'a>,
        roots: Change,
    ) -> ImportOutcome {
        // Other files are never written, so that their values do not change.
        if let Base::File(..) = import.source.base {
            return import.found.map_or(ImportOutcome::Missing, ImportOutcome::Found);
        }
        let place = (ancestors, here);
        let Target { base, value: target, pointer } =
            self.target(import, document, place, compare, roots);
        let is_same_pointer = pointer == import.source.pointer;
        let versions = ancestors.get(here).map(|it| it.change);
        let at_pointer = |found| {
            if is_same_pointer {
                ImportOutcome::Found(found)
            } else {
                ImportOutcome::Renamed(found, pointer)
            }
        };
        // A source that is gone is nothing to follow.
        let follows = self.follows && target.now.is_some();
        if let (true, Some(found)) = (follows, import.found) {
            return at_pointer(found);
        }
        if !is_same_pointer
            && let Some(literal) =
                literal_value(import, (base, target), versions, compare)
        {
            return ImportOutcome::Found(literal);
        }
        match (import.found, target.was, target.now) {
            (Some(found), Some(view), Some(edited))
                if compare.equal(view, edited) || import.indirect =>
            {
                at_pointer(found)
            }
            (Some(found), None, _) => ImportOutcome::Found(found),
            (_, _, Some(edited)) => at_pointer(edited),
            (Some(_), Some(_), None)
                if compare.at(base.now, &import.source.pointer).is_some() =>
            {
                ImportOutcome::Reused
            }
            (Some(_), Some(_), None) if !import.source.optional => {
                ImportOutcome::Dangling
            }
            (_, _, None) => ImportOutcome::Missing,
        }
    }
}

/// Returns the value at the pointer as it is written, if it is nearer to the edited mapping
/// `site` than the value `target`, which moved.
// A person who inserts an item does not respell pointers: as written, the pointer may give
// just what the edited text has.
fn literal_value(
    import: &SiteImport<'_>,
    (base, target): (Change, Change),
    site: Option<Change>,
    compare: &mut Comparer<'_>,
) -> Option<NodeId> {
    let moved = target.now?;
    let literal = compare.at(base.now, &import.source.pointer)?;
    let edited = site?.now?;
    let is_nearer =
        compare.differences(literal, edited) < compare.differences(moved, edited);
    is_nearer.then_some(literal)
}

/// Returns the collection that a number of dots leads to; one dot is that at `at`.
fn climb(ancestors: &[Ancestor], mut at: usize, dots: u32) -> Option<Change> {
    for _ in 1..dots {
        at = ancestors.get(at)?.parent?;
    }
    Some(ancestors.get(at)?.change)
}

/// One document with directives, its expansion and the edited expansion.
pub(super) struct DocumentEdit<'a> {
    /// The source, and the root of the document in it.
    pub written: (&'a Tree, NodeId),
    pub view: NodeId,
    pub edited: NodeId,
    pub sites: ImportSites<'a>,
}

impl<'a> DocumentEdit<'a> {
    /// Returns the first `count` documents. If `follows`, the values that directives import
    /// count as unchanged.
    pub(super) fn all(
        current: &'a Expanded,
        count: usize,
        compare: &mut Comparer<'a>,
        follows: bool,
    ) -> Vec<DocumentEdit<'a>> {
        let Expanded { source, patches, view } = current;
        let there = source.roots().len();
        let mut imported = view.roots()[there + count..].iter().copied();
        let document = |root: usize| {
            let written = (source, source.roots()[root]);
            let patch = patches.get(root).unwrap_or(Patch::NONE);
            let (view, edited) = (view.roots()[root], view.roots()[there + root]);
            let roots = Change { was: Some(view), now: Some(edited) };
            let imported = &mut imported;
            let sites =
                ImportSites::new(written, patch, imported, compare, roots, follows);
            DocumentEdit { written, view, edited, sites }
        };
        (0..count).map(document).collect()
    }

    /// Returns the two roots of the document.
    pub(super) fn roots(&self) -> Change {
        Change { was: Some(self.view), now: Some(self.edited) }
    }
}
