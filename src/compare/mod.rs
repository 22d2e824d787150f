//! Two documents, or two versions of one → what in them is the same.
//!
//! Everything that compares asks here: which key names an item ([`identity`]) or a document
//! ([`document`]), which values are equal ([`value`]), how two sequences line up ([`align`](mod@align),
//! [`weighted`]), which child of an old collection is which of a new one ([`pairs`]), and
//! which key was renamed ([`renamed`]). What to do with a pair, the others decide.

mod align;
mod document;
mod entries;
mod identity;
mod json_equality;
mod likeness;
mod overlap;
mod pairs;
mod renamed;
mod value;
mod weighted;

pub use document::DocumentName;
pub use pairs::DocumentPairs;

pub(crate) use align::{
    Numbering, UnalignedRanges, align, ascending, common_ends, unaligned,
};
pub(crate) use document::{group_and_version, kind, name_of_document};
pub(crate) use entries::{EntryKey, MappingEntry, MappingIndex};
pub(crate) use identity::{
    ItemName, ItemNames, KeySet, ListVersion, NAME_KEYS, NameIdentity, naming_key,
};
pub(crate) use json_equality::{
    compare_scalars, is_equal_scalar, is_json_equal, is_tagged_json_equal,
};
pub(crate) use likeness::{ContentStore, Contents, Likeness, Weights};
pub(crate) use overlap::Overlap;
pub(crate) use pairs::{
    Choice, ENOUGH, ENOUGH_EVIDENCE, ENOUGH_RENAMED, Features, KeptItems, ListPart,
    ListSides, MovedNodes, NewPosition, PairedNodes, is_renamed, pair_certain,
    pair_nodes, pair_nodes_by_place, pair_similar, pair_text_keys,
};
pub(crate) use renamed::{RenamedKeys, pair_renamed};
pub(crate) use value::{
    Meaning, Side, Values, are_equal_documents, has_complex_key, is_copy, is_distinctive,
    is_same_text, step_limit, visit_limit,
};
