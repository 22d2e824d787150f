//! Patch YAML without losing a byte.
//!
//! ```
//! use interpolate::{Document, Patch};
//!
//! let mut document = Document::parse("name: shop # the old name\nazs: [z1, z2]\n")?;
//! let ops = "- type: replace\n  path: /azs/-\n  value: z3\n";
//! document.apply(&Patch::parse("ops.yml", ops)?)?;
//! document.set("/name", "store")?;
//! let expected = "name: store # the old name\nazs: [z1, z2, z3]\n";
//! assert_eq!(document.to_string(), expected);
//! # Ok::<(), interpolate::Error>(())
//! ```
//!
//! | to … | use |
//! | --- | --- |
//! | parse a text, a file, another dialect | [`Document::parse`], [`Reader`] |
//! | read a part | [`Document::get`], [`Node`], [`Node::deserialize`] |
//! | visit all nodes, or those that a JSONPath selects | [`Document::nodes`], [`Document::select`] |
//! | name any key by code | [`JsonPointer`], [`Document::at`], [`Patch::add_at`] |
//! | change a part | [`Document::set`], [`append`](Document::append), [`remove`](Document::remove) |
//! | apply an ops-file | [`Patch::parse`], [`Document::apply`] |
//! | apply a merge patch, an argument of the command line | [`Reader::merge_patch`], [`Reader::argument`] |
//! | choose documents of a stream | [`Document::apply_to_all`], [`Document::apply_where`] |
//! | apply merge directives | [`Patch::directives`], [`Document::apply`] |
//! | build a patch in code | [`Patch::replace`], [`Patch::remove`], [`Patch::test`] |
//! | fill in `((variables))` | [`Variables`], [`Document::fill`] |
//! | evaluate templates and expressions | `Document::evaluate`, `Document::evaluate_all` (feature `eval`) |
//! | do all of this in the order of the program | [`Job`], [`Recording::run`] |
//! | put an edited copy back | [`Document::put`] |
//! | compare | [`Document::diff`] |
//! | merge two versions | [`merge`](merge()) |
//! | carry a patch over to the next version of its document | [`rebase()`] |
//! | see where a value comes from | [`Node::origin`]; all that happened to it: [`Recording`] |
//! | show an error | [`Error`], `Error::render` (feature `render`) |
//!
//! Merge directives are keys that begin with `+`: `+/pointer`, `+include: file`; the
//! README describes them. An alias stands for a copy of its anchor's value.
//!
//! Everything else is [`unstable`].
//!
//! # Cargo features
//!
//! The default is the program with everything. `default-features = false` leaves reading,
//! patching, saving, comparing and filling in; `render` adds [`Error`]s with excerpts,
//! `eval` templates and expressions, `hot` Heat templates, `network` includes from URLs,
//! `generate` generated passwords and certificates, `serde` the traits of serde for results.

mod api;
mod apply;
mod arena;
mod check;
mod compare;
mod compile;
mod converge;
mod convert;
mod diagnostic;
mod diff;
#[cfg(feature = "eval")]
mod eval;
mod history;
#[cfg(feature = "hot")]
mod hot;
mod job;
mod language;
mod layout;
mod merge;
mod node;
mod patch;
mod plan;
mod pointer;
mod rebase;
mod restore;
mod scalar;
mod select;
mod source;
mod target;
mod three_way;
pub mod unstable;
mod variables;
mod yaml;

pub use api::{
    Bookmark, Document, Documents, Error, Event, History, Job, Line, Merge, Node, Nodes,
    Origin, Place, PlaceHistory, Problem, Reader, Rebased, RebasedOp, Recording, Result,
    Variables, merge, rebase,
};
pub use convert::MAX_DEPTH as MAX_VALUE_DEPTH;
pub use convert::Spelled;
pub use diagnostic::Severity;
pub use history::{Action, By};
pub use language::Verb;
pub use node::{Aliases, Kind};
pub use patch::Patch;
pub use pointer::JsonPointer;
pub use rebase::Status as RebaseStatus;
pub use scalar::Dialect;
pub use source::{Allow, Memory, Os};
pub use three_way::Conflict;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/manual.md")]
struct Readme;
