//! The ops that turn one stream of documents into another.

use super::comparison::diff_documents;
use crate::compare::{DocumentName, DocumentPairs};
use crate::diagnostic::Result;
use crate::node::Tree;
use crate::patch::Patch;
use crate::select::DocumentSelector;

/// Returns the ops that turn each document of `old` into the one of `new` that it is paired
/// with: one patch for all, whose ops select the documents by name; or, if the documents are
/// paired by place or a name cannot be selected, a patch for each pair.
///
/// # Errors
/// As [`diff`](super::diff).
pub fn diff_streams(old: &Tree, new: &Tree, pairs: &DocumentPairs) -> Result<Vec<Patch>> {
    let mut patches = diff_documents(old, new, &pairs.pairs)?;
    let Some((names, _)) = pairs.names.as_ref().filter(|(names, _)| names.len() > 1)
    else {
        return Ok(patches);
    };
    let texts = DocumentName::selectors(names);
    let selectors = pairs.pairs.iter().map(|&(at, _)| {
        let text = texts[at].as_deref()?;
        DocumentSelector::parse(text).ok()
    });
    let Some(selectors) = selectors.collect::<Option<Vec<_>>>() else {
        return Ok(patches);
    };
    let mut all = Patch::default();
    for (patch, selector) in patches.iter_mut().zip(selectors) {
        for op in &mut patch.ops {
            op.only = vec![selector.clone()];
        }
        // All values stand in one text, that of NEW.
        if all.arenas.is_empty() {
            all.arenas.append(&mut patch.arenas);
        }
        all.ops.append(&mut patch.ops);
    }
    Ok(vec![all])
}
