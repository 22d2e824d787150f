//! A way through the document as people read it.

use crate::node::{Step, Tree};
use crate::pointer::Token;

/// Returns a way as a path that people read.
pub(super) fn shown(tree: &Tree, path: &[Step]) -> String {
    let tokens = path.iter().map(|step| match step {
        Step::Index(index) => index.to_string(),
        Step::Key(key) if tree.is_hidden(*key) => "***".into(),
        Step::Key(key) => {
            Token::Key(tree.member_name(*key).unwrap_or_default().into()).to_string()
        }
    });
    tokens.map(|token| format!("/{token}")).collect()
}
