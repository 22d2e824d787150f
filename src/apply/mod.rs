//! Applies a patch to a document, one op after another. No input or output happens here:
//! a compiled patch holds all it needs.

mod budget;
mod combine;
mod comments;
mod failure;
mod hint;
mod in_place;
mod json_value;
mod note;
mod op;
mod order_hint;
mod place;
mod remark;
mod resolve;
mod run;
mod site;
mod steps;
mod stream_hint;
mod stream_run;
#[cfg(test)]
mod tests;
mod traversal;

pub(crate) use budget::OpsBudget;
pub use hint::likely_meant;
pub use op::{apply, apply_to, find, find_all, find_places, find_target, observe};
pub(crate) use op::{
    apply_within, find_from, no_match, observe_to, put, reaches, remove,
};
pub(crate) use place::Purpose;
pub use place::Reach;
pub use remark::{ChangeRemark, RemarkKind};
pub(crate) use resolve::{LocatedNode, resolve};
pub(crate) use site::{entry_budget, merge_all};
pub(crate) use steps::Steps;
pub use stream_run::{Applied, Observer};
pub(crate) use traversal::locate;
