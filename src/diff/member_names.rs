//! The names that the keys of a document have in JSON.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::arena::flag;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{NodeId, Tree};
use crate::scalar::{Identity, Scalar};

/// Refuses a document in which two keys of a mapping have the same name in JSON, as `1` and
/// `"1"` have: a patch in a language of JSON could not tell them apart.
///
/// # Errors
/// There are such keys; the error has the place of the second one.
pub fn check_member_names(document: &Tree) -> Result<()> {
    let arena = document.base();
    let node = |i| NodeId::Clean(arena.file(), i);
    let is_text = |key| matches!(document.scalar(key), Scalar::String(_));
    for mapping in arena.indices().filter(|&i| arena.style(i).is_mapping()) {
        let written = || arena.entries(mapping).map(|(key, _)| key);
        let keys: Vec<NodeId> = if written().any(|key| arena.has(key, flag::MERGE_KEY)) {
            document.pairs(node(mapping)).into_iter().map(|(key, _)| key).collect()
        } else {
            written().map(node).collect()
        };
        if keys.iter().copied().all(is_text) {
            continue;
        }
        let mut met: HashMap<Cow<'_, str>, Identity<'_>> = HashMap::new();
        for key in keys {
            let (Some(name), Some(identity)) =
                (document.member_name(key), document.identity(key))
            else {
                continue;
            };
            let known = met.entry(name).or_insert_with(|| identity.clone());
            if *known != identity {
                let message = "another key of the mapping has the same name in JSON";
                let error = Diagnostic::error(message).at(document.span(key));
                return Err(error.hint("`--as ops` tells them apart"));
            }
        }
    }
    Ok(())
}
