//! A patch that was written for one document → a verdict for each op on the next version
//! of the document: the same, a changed target, a moved one, none at all.
//!
//! Every op is applied to both documents, and once more to the new one with the ops before
//! it mended. An op that stopped working has led somewhere in the old document; the search
//! looks for the same thing in the new one, by its name and by what it holds.

mod bases;
mod difference;
mod judgement;
mod level;
mod name;
mod search;
mod trail;
mod verdicts;

pub use judgement::rebase;
pub use verdicts::{Fixed, Status, Verdict, fixed};
