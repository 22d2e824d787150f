//! Edits of ops-files: paths that moved, and ops that are of no use any more.

use std::collections::{BTreeMap, BTreeSet};

use super::verdicts::Verdict;
use crate::apply;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;
use crate::patch::Patch;
use crate::pointer::{Pointer, Token};
use crate::source::FileId;

/// An ops-file with edits.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The text that was edited.
    pub file: FileId,
    /// The new text.
    pub text: String,
}

/// Returns the ops-files of a patch with the edits of which the verdicts are sure. Nothing
/// else in them changes. What was given on the command line is no file.
///
/// # Errors
/// An op is not where its verdict says.
pub fn fixed(patch: &Patch, verdicts: &[Verdict]) -> Result<Vec<Fixed>> {
    let mut files: BTreeMap<FileId, Vec<&Verdict>> = BTreeMap::new();
    for verdict in verdicts.iter().filter(|verdict| verdict.is_mended()) {
        if let Some(origin) = verdict.origin {
            files.entry(origin.path.file).or_default().push(verdict);
        }
    }
    let mut all = Vec::new();
    for arena in &patch.arenas {
        // A file that was given twice has two arenas, and each its own verdicts.
        if let Some(verdicts) = files.remove(&arena.file()) {
            let tree = edited(Tree::of_shared(arena.clone()), &verdicts)?;
            all.push(Fixed { file: arena.file(), text: tree.to_string() });
        }
    }
    Ok(all)
}

fn edited(mut ops: Tree, verdicts: &[&Verdict]) -> Result<Tree> {
    let mut done = BTreeSet::new();
    for verdict in verdicts {
        let Some(origin) = verdict.origin else { continue };
        if verdict.is_done {
            done.insert(origin.number);
        } else if let Some(to) = &verdict.to {
            let path = pointer(origin.number, Some("path"));
            let was = apply::find(&mut ops, &path, 0)?;
            if ops.string(was).is_none() {
                return Err(Diagnostic::error("the path of an op is a string"));
            }
            let text = ops.new_text_like(to, was);
            apply::replace(&mut ops, &path, 0, text)?;
        }
    }
    // From the last: a removal moves the ops behind it.
    for number in done.into_iter().rev() {
        apply::remove(&mut ops, &pointer(number, None), 0)?;
    }
    Ok(ops)
}

fn pointer(number: u32, key: Option<&str>) -> Pointer {
    let item = Token::Index(i64::from(number), Vec::new());
    let key = key.map(|key| Token::Key(key.to_owned()));
    let tokens: Vec<Token> = std::iter::once(item).chain(key).collect();
    Pointer { required: tokens.len(), tokens }
}
