//! The deep merge: layers of one document come in, each overriding those before it; a
//! node goes out. Only the mappings that meet are made anew, whatever else there is stays
//! the node it was.

mod layer;
mod merger;
mod rule;
mod whiteout;

pub(crate) use merger::{Merger, too_large};
pub(crate) use rule::{NAME_KEY, STRATEGY_KEY, Strategy};
pub(crate) use whiteout::{may_have_whiteouts, remove_whiteouts};
