//! The directives of a document and its included files, by the mappings that hold them.

use hashbrown::HashMap;

use crate::arena::Index;
use crate::node::OpId;
use crate::patch::Link;
use crate::source::FileId;

/// The directives, by the mappings that hold them.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The weakest first: a later directive overrides an earlier one.
    by_holder: HashMap<(FileId, Index), Vec<Link>>,
    /// The mappings in the order of the texts.
    holders: Vec<(FileId, Index)>,
    /// The numbers of the ops that import, by the keys of their directives.
    imports: HashMap<(FileId, Index), OpId>,
}

impl Links {
    pub(super) fn new(
        mut links: Vec<Link>,
        imports: HashMap<(FileId, Index), OpId>,
    ) -> Links {
        // Of one directive, the first referent is the strongest.
        links.reverse();
        links.sort_by_key(|link| link.key);
        let mut all = Links { imports, ..Links::default() };
        for link in links {
            let of_holder = all.by_holder.entry(link.holder).or_default();
            if of_holder.is_empty() {
                all.holders.push(link.holder);
            }
            of_holder.push(link);
        }
        all.holders.sort_unstable();
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.holders.is_empty()
    }

    /// Returns the number of the op that imports for a directive of the document.
    pub(super) fn op(&self, link: &Link) -> Option<OpId> {
        self.imports.get(&link.key).copied()
    }

    /// Returns the directives that a mapping holds, the weakest first.
    pub(super) fn of(&self, holder: (FileId, Index)) -> &[Link] {
        self.by_holder.get(&holder).map_or(&[], |links| links)
    }

    /// Returns true if a directive stands at node `from` of a text or later, and before
    /// node `to`.
    pub(super) fn any(&self, file: FileId, (from, to): (Index, Index)) -> bool {
        let at = self.holders.partition_point(|&holder| holder < (file, from));
        self.holders.get(at).is_some_and(|&holder| holder < (file, to))
    }
}
