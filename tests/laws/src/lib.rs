//! Laws that hold for any document and any edit. The choices come from others: from proptest
//! in `tests/properties`, from libFuzzer in `fuzz`.

#![allow(clippy::unwrap_used)]

pub mod applied;
pub mod bytes;
pub mod comment;
pub mod diff;
pub mod directives;
pub mod edit;
mod edited;
pub mod evaluated;
mod extent;
pub mod first;
pub mod follow;
pub mod history;
pub mod language;
pub mod meaning;
pub mod merged_comment;
pub mod merged_lead;
mod op_text;
pub mod patched;
pub mod plain;
pub mod rebase;
mod save;
pub mod saved;
pub mod saved_comment;
pub mod secret;
pub mod text;
pub mod text_edit;
pub mod three_way;
pub mod unfill;
pub mod untouched;
pub mod variable;
pub mod version;
