//! The sites of a document: what the directives of each import today, and what they will
//! import once the edit is made.

use std::collections::{HashMap, HashSet};

use super::compare::Compare;
use super::compare::{Both, Frame};
use super::written::{self, Written};
use crate::arena::Index;
use crate::node::{Document, Node};
use crate::patch::{Base, Edit, Import, Merge, Patch, Source, Step};

/// A mapping with directives.
pub(super) struct Site<'a> {
    pub(super) imports: Vec<Imported<'a>>,
}

impl Site<'_> {
    pub(super) fn is_raw(&self) -> bool {
        self.imports.iter().any(|import| import.source.raw)
    }
}

/// One directive.
pub(super) struct Imported<'a> {
    /// The key, as it was written.
    pub(super) key: Node,
    source: &'a Source,
    /// What it imports today.
    pub(super) found: Option<Node>,
}

/// What a directive will import.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum After {
    /// This.
    Found(Node),
    /// This, but it has to be asked for by another pointer.
    Renamed(Node, Vec<String>),
    /// Nothing, which it may.
    Missing,
    /// Nothing, which is an error.
    Gone,
    /// Nothing of the kind: another item stands there now.
    Taken,
}

/// The sites by the mapping in the source.
#[derive(Default)]
pub(super) struct Sites<'a> {
    sites: HashMap<Index, Site<'a>>,
    /// What surrounds a site whose directives will import something else.
    stirred: HashSet<Index>,
}

impl<'a> Sites<'a> {
    /// The sites of the document at `root`. `founds` are what the imports of the patch
    /// import, in order.
    pub(super) fn new(
        (source, root): (&Document, Node),
        patch: &'a Patch,
        founds: &mut impl Iterator<Item = Node>,
        compare: &mut Compare<'a>,
        roots: Both,
    ) -> Sites<'a> {
        let mut sites = Sites::default();
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let mut import = |import: &'a Import| Imported {
                key: import.key,
                source: &import.source,
                found: import.found.and_then(|_| founds.next()),
            };
            let site = Site { imports: merge.imports.iter().map(&mut import).collect() };
            sites.add((source, root), merge, site, compare, roots);
        }
        sites
    }

    /// The sites of the document at `root`, whatever they import.
    pub(super) fn written(source: &Document, root: Node, patch: &'a Patch) -> Sites<'a> {
        let mut tree = Written::new(source.base());
        let mut sites = Sites::default();
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let imports = merge.imports.iter().map(|import| Imported {
                key: import.key,
                source: &import.source,
                found: None,
            });
            let site = Site { imports: imports.collect() };
            let at = written::way(&mut tree, root, &merge.site)
                .and_then(|way| way.last().copied());
            sites.sites.extend(at.map(|at| (at, site)));
        }
        sites
    }

    fn add(
        &mut self,
        (source, root): (&Document, Node),
        merge: &Merge,
        site: Site<'a>,
        compare: &mut Compare<'a>,
        roots: Both,
    ) {
        let Some(way) = written::way(&mut compare.written, root, &merge.site) else {
            return;
        };
        let frames = compare.trace(&merge.site, roots);
        let here = frames.len() - 1;
        let indexed = merge.site.iter().any(|step| matches!(step, Step::Index(_)));
        let stirred = site.imports.iter().any(|import| {
            let unclear = indexed && matches!(import.source.base, Base::Parent(_));
            let after =
                self.after(import, (source, root), (&frames, here), compare, roots);
            unclear || after != import.found.map_or(After::Missing, After::Found)
        });
        if stirred {
            self.stirred.extend(&way);
        }
        self.sites.extend(way.last().map(|&at| (at, site)));
    }

    /// The site that node `i` of the source is.
    pub(super) fn get(&self, i: Index) -> Option<&Site<'a>> {
        self.sites.get(&i)
    }

    /// Whether node `i` is or holds a site whose directives will import something else.
    pub(super) fn is_stirred(&self, i: Index) -> bool {
        self.stirred.contains(&i)
    }

    /// What a directive in the collection `here` will import.
    pub(super) fn after(
        &self,
        import: &Imported<'a>,
        (source, root): (&Document, Node),
        (frames, here): (&[Frame], usize),
        compare: &mut Compare<'a>,
        roots: Both,
    ) -> After {
        let mut pointer = import.source.pointer.clone();
        let base = match &import.source.base {
            Base::File(..) => {
                return import.found.map_or(After::Missing, After::Found);
            }
            Base::Root => roots,
            Base::Parent(dots) => climb(frames, here, *dots).unwrap_or(roots),
            Base::Anchor(_) => Both::NONE,
        };
        let (base, both) = match &import.source.base {
            Base::Anchor(_) => written::origin(source, compare.document, import.found)
                .and_then(|i| written::steps(source, &mut compare.written, root, i))
                .map_or((base, base), |path| compare.lead(roots, &path, &mut pointer)),
            _ => (base, compare.look_up(base, &mut pointer)),
        };
        let aimed = |found| {
            if pointer == import.source.pointer {
                After::Found(found)
            } else {
                After::Renamed(found, pointer.clone())
            }
        };
        // What a raw import will give is known only once the edit is in its source.
        let is_raw = |compare: &mut Compare<'a>, found, view| {
            import.source.raw && !compare.same(found, view)
        };
        match (import.found, both.view, both.edited) {
            (Some(found), Some(view), Some(edited))
                if compare.same(view, edited) || is_raw(compare, found, view) =>
            {
                aimed(found)
            }
            (Some(found), None, _) => After::Found(found),
            (_, _, Some(edited)) => aimed(edited),
            (Some(_), Some(_), None)
                if compare.is_there(base.edited, &import.source.pointer) =>
            {
                After::Taken
            }
            (Some(_), Some(_), None) if !import.source.optional => After::Gone,
            (_, _, None) => After::Missing,
        }
    }
}

/// So many dots up: one is the collection itself.
fn climb(frames: &[Frame], mut at: usize, dots: u32) -> Option<Both> {
    for _ in 1..dots {
        at = frames.get(at)?.around?;
    }
    Some(frames.get(at)?.both)
}
