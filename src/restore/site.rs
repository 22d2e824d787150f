//! The documents of a stream before and after an edit, and their import sites: mappings with
//! directives, the values that each directive imports now, and those that it will import
//! after the edit.

use hashbrown::{HashMap, HashSet};

use super::compare::{Ancestor, Change, ChildIndex, Comparer};
use super::expander::ExpandedSource;
use crate::arena::Index;
use crate::node::{NodeId, Step, Tree};
use crate::patch::{Base, Edit, Merge, Patch, Source};

#[derive(Clone, Copy)]
pub(super) struct SiteImport<'a> {
    /// The key, as it was written.
    pub key: NodeId,
    pub source: &'a Source,
    /// The value that it imports now.
    pub found: Option<NodeId>,
    /// True if that is not what its source expands to: a raw import takes the text of its
    /// source, and one by a name takes the value without what the source inherits.
    pub indirect: bool,
}

impl SiteImport<'_> {
    /// Returns true if its pointer starts at the mapping that it stands in.
    pub(super) fn is_relative(&self) -> bool {
        matches!(self.source.base, Base::Parent(_))
    }
}

/// The place that a directive names.
struct ImportTarget {
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

/// The directives of each mapping that has some, by the index of the mapping in the source.
#[derive(Default)]
pub(super) struct ImportSites<'a>(HashMap<Index, Vec<SiteImport<'a>>>);

impl<'a> ImportSites<'a> {
    /// Returns the sites of the document at `root` without the values that they import.
    pub(super) fn without_values(
        source: &Tree,
        root: NodeId,
        patch: &'a Patch,
    ) -> ImportSites<'a> {
        let mut written = ChildIndex::new(source.base());
        let mut sites = HashMap::new();
        for merge in merges(patch) {
            let nodes = written.nodes_on_path(root, &merge.site);
            let imports = site_imports(merge, &mut std::iter::empty());
            sites.extend(nodes.and_then(|nodes| Some((*nodes.last()?, imports))));
        }
        ImportSites(sites)
    }

    pub(super) fn get(&self, i: Index) -> Option<&[SiteImport<'a>]> {
        self.0.get(&i).map(|imports| &imports[..])
    }

    /// Returns the directives of a mapping.
    pub(super) fn imports(&self, i: Index) -> &[SiteImport<'a>] {
        self.get(i).unwrap_or_default()
    }

    /// Returns the index of a node of the source that is a site.
    pub(super) fn at(&self, node: NodeId) -> Option<Index> {
        let NodeId::Clean(_, i) = node else { return None };
        self.0.contains_key(&i).then_some(i)
    }
}

/// Returns the merges of directives of a patch.
pub(super) fn merges(patch: &Patch) -> impl Iterator<Item = &Merge> {
    patch.ops.iter().filter_map(|op| {
        let Edit::Merge(merge) = &op.edit else { return None };
        Some(merge)
    })
}

/// Returns the directives of a site. `imported` has the values of those that found one.
fn site_imports<'a>(
    merge: &'a Merge,
    imported: &mut dyn Iterator<Item = NodeId>,
) -> Vec<SiteImport<'a>> {
    let imports = merge.imports.iter().map(|import| SiteImport {
        key: import.key,
        source: &import.source,
        found: import.found.and_then(|_| imported.next()),
        indirect: false,
    });
    imports.collect()
}

/// One document with directives, its expansion and the edited expansion.
pub(super) struct DocumentEdit<'a> {
    pub source: &'a Tree,
    /// The root of the document in the source.
    pub root: NodeId,
    pub view: NodeId,
    pub edited: NodeId,
    pub sites: ImportSites<'a>,
    /// The nodes from the root to each site whose directives will import another value.
    changed: HashSet<Index>,
    /// True if the value that a directive imports counts as unchanged, so that no override
    /// keeps it as it was.
    follows: bool,
}

impl<'a> DocumentEdit<'a> {
    /// Returns the first `count` documents. If `follows`, the values that directives import
    /// count as unchanged.
    pub(super) fn all(
        current: &'a ExpandedSource,
        count: usize,
        compare: &mut Comparer<'a>,
        follows: bool,
    ) -> Vec<DocumentEdit<'a>> {
        let ExpandedSource { source, patches, view } = current;
        let there = source.roots().len();
        let mut imported = view.roots()[there + count..].iter().copied();
        let document = |at: usize| {
            let mut document = DocumentEdit {
                source,
                root: source.roots()[at],
                view: view.roots()[at],
                edited: view.roots()[there + at],
                sites: ImportSites::default(),
                changed: HashSet::new(),
                follows,
            };
            for merge in merges(patches.get(at).unwrap_or(Patch::NONE)) {
                document.add(merge, site_imports(merge, &mut imported), compare);
            }
            document
        };
        (0..count).map(document).collect()
    }

    /// Returns the two roots of the document.
    pub(super) fn roots(&self) -> Change {
        Change { was: Some(self.view), now: Some(self.edited) }
    }

    /// Returns true if node `i` is or holds a site that will import another value.
    pub(super) fn holds_changed(&self, i: Index) -> bool {
        self.changed.contains(&i)
    }

    fn add(
        &mut self,
        merge: &Merge,
        mut imports: Vec<SiteImport<'a>>,
        compare: &mut Comparer<'a>,
    ) {
        let Some(nodes) = compare.written.nodes_on_path(self.root, &merge.site) else {
            return;
        };
        let ancestors = compare.trace_path(&merge.site, self.roots());
        let here = SitePlace { ancestors: &ancestors, at: ancestors.len() - 1 };
        let in_list = merge.site.iter().any(|step| matches!(step, Step::Index(_)));
        for import in &mut imports {
            let target = self.target(import, here, compare);
            let known = import.found.zip(target.value.was);
            import.indirect =
                known.is_some_and(|(found, view)| !compare.equal(found, view));
        }
        let changed = imports.iter().any(|import| {
            // The item may be paired with another one when its list is written.
            let unclear = in_list && import.is_relative();
            let outcome = self.outcome(import, here, compare);
            let now = import.found.map_or(ImportOutcome::Missing, ImportOutcome::Found);
            unclear || outcome != now
        });
        if changed {
            self.changed.extend(&nodes);
        }
        self.sites.0.extend(nodes.last().map(|&at| (at, imports)));
    }

    /// Returns the place that a directive of the mapping `here` names.
    fn target(
        &self,
        import: &SiteImport<'a>,
        here: SitePlace<'_>,
        compare: &mut Comparer<'a>,
    ) -> ImportTarget {
        let mut pointer = import.source.pointer.clone();
        let roots = self.roots();
        let (base, value) = match &import.source.base {
            Base::File(..) => (Change::NONE, Change::NONE),
            Base::Anchor(_) => import
                .found
                .and_then(|found| compare.document.origin_of(found))
                .filter(|&(file, _)| file == self.source.file())
                .and_then(|(_, i)| compare.written.path_to(self.source, self.root, i))
                .map_or((Change::NONE, Change::NONE), |path| {
                    compare.resolve_path(roots, &path, &mut pointer)
                }),
            Base::Root => (roots, compare.resolve_pointer(roots, &mut pointer)),
            Base::Parent(dots) => {
                let base = here.climb(*dots).unwrap_or(roots);
                (base, compare.resolve_pointer(base, &mut pointer))
            }
        };
        ImportTarget { base, value, pointer }
    }

    /// Returns the value that a directive of the mapping `here` will import.
    pub(super) fn outcome(
        &self,
        import: &SiteImport<'a>,
        here: SitePlace<'_>,
        compare: &mut Comparer<'a>,
    ) -> ImportOutcome {
        // Other files are never written, so that their values do not change.
        if let Base::File(..) = import.source.base {
            return import.found.map_or(ImportOutcome::Missing, ImportOutcome::Found);
        }
        let ImportTarget { base, value: target, pointer } =
            self.target(import, here, compare);
        let is_same_pointer = pointer == import.source.pointer;
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
        // A person who inserts an item does not respell pointers: as written, the pointer may
        // give just what the edited text has, and more of it than the value that moved.
        if !is_same_pointer
            && let Some(moved) = target.now
            && let Some(literal) = compare.at(base.now, &import.source.pointer)
            && let Some(edited) = here.ancestors.get(here.at).and_then(|it| it.change.now)
            && compare.differences(literal, edited) < compare.differences(moved, edited)
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

/// A collection among the visited ones.
#[derive(Clone, Copy)]
pub(super) struct SitePlace<'s> {
    pub ancestors: &'s [Ancestor],
    pub at: usize,
}

impl SitePlace<'_> {
    /// Returns the collection that a number of dots leads to; one dot is this one.
    fn climb(self, dots: u32) -> Option<Change> {
        let mut dots = 1..dots;
        let at = dots.try_fold(self.at, |at, _| self.ancestors.get(at)?.parent)?;
        Some(self.ancestors.get(at)?.change)
    }
}
