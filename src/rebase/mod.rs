//! A patch that was written for one document → a verdict for each op on the next version
//! of the document: the same, a changed target, a moved one, none at all.
//!
//! Every op is applied to both documents, and once more to the new one with the ops before
//! it mended. An op that stopped working has led somewhere in the old document; the search
//! looks for the same thing in the new one, by its name and by what it holds.

mod bases;
mod difference;
mod effects;
mod finding;
mod fix;
mod item_place;
mod judgement;
mod level;
mod lost;
mod mend;
mod name;
mod pool;
mod respell;
mod run;
mod search;
mod searches;
mod trail;
mod verdict;
mod verdicts;
mod ways;

pub use fix::{Fixed, fixed};
pub use run::rebase;
pub use verdict::{Status, Verdict};
