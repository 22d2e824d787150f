//! The ops that turn one stream of documents into another, as text.

use interpolate::unstable::compare::DocumentName;
use interpolate::unstable::compare::DocumentPairs;
use interpolate::unstable::diagnostic::{self, Diagnostic};
use interpolate::unstable::diff::{self, TagRule};
use interpolate::unstable::language;
use interpolate::unstable::node::Tree;

use super::failure::Result;

/// The ops-file of equal documents.
pub const NO_OPS: &str = "[]\n";

/// The ops-files of a stream.
pub struct StreamOps {
    /// One for all documents, or one for each up to the last one that differs.
    files: Vec<String>,
}

impl StreamOps {
    /// Compares the documents that are pairs.
    pub fn new(
        old: &Tree,
        new: &Tree,
        pairs: &DocumentPairs,
        tags: TagRule,
    ) -> Result<StreamOps> {
        let patches = diff::diff_streams(old, new, pairs, tags)?;
        let mut files = language::print_each(&patches)?;
        let is_for_all = pairs.names.is_some() && files.len() == 1;
        if !is_for_all {
            let mut placed = vec![NO_OPS.to_owned(); old.roots().len()];
            for (file, &(at, _)) in files.into_iter().zip(&pairs.pairs) {
                placed[at] = file;
            }
            files = placed;
        }
        let last = files.iter().rposition(|ops| ops != NO_OPS);
        files.truncate(last.map_or(1, |last| last + 1));
        Ok(StreamOps { files })
    }

    /// Returns true if no document differs.
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|ops| ops == NO_OPS)
    }

    /// Returns the ops-files as documents of one stream.
    pub fn text(&self) -> String {
        self.files.join("---\n")
    }

    /// Returns the ops-file of all documents, or of the first one.
    pub fn first(&self) -> &str {
        self.files.first().map_or(NO_OPS, String::as_str)
    }

    /// Returns the note about ops-files for later documents.
    pub fn notes(&self, new: &Tree) -> Vec<Diagnostic> {
        let note = "not only the first documents differ: document N of this output is the \
                    ops-file for document N";
        self.later(note, new).into_iter().collect()
    }

    /// Returns the warning about ops for later documents, which one ops-file cannot hold.
    pub fn unusable(&self, new: &Tree) -> Option<Diagnostic> {
        let note = "not only the first documents differ: the ops of the others are left out, \
                    as not all documents have a kind and a name";
        self.later(note, new)
    }

    fn later(&self, note: &str, new: &Tree) -> Option<Diagnostic> {
        let last = self.files.len().checked_sub(1).filter(|&last| last > 0)?;
        let place = new.roots().get(last).and_then(|&root| new.span(root));
        Some(*Diagnostic::warning(note).at(place))
    }
}

/// Maximum number of documents that a note names.
// Their kinds and names fit a line or two.
const MAX_NAMED: usize = 5;

/// Returns the notes about documents that only one of two streams has, and about their
/// order.
pub fn unpaired(pairs: &DocumentPairs, old: &Tree, new: &Tree) -> Vec<Diagnostic> {
    let counts = (old.roots().len(), new.roots().len());
    let Some((old_names, new_names)) = &pairs.names else {
        let note = format!(
            "OLD has {} documents and NEW {}; ops cannot add or remove one",
            counts.0, counts.1
        );
        let differ = counts.0 != counts.1;
        return differ.then(|| *Diagnostic::warning(note)).into_iter().collect();
    };
    let mut notes = Vec::new();
    let sides = [
        (&pairs.only_old, old_names, old, "only in OLD", "remove"),
        (&pairs.only_new, new_names, new, "only in NEW", "add"),
    ];
    for (only, names, tree, side, verb) in sides {
        let Some(&first) = only.first() else { continue };
        let is = if only.len() == 1 { "is" } else { "are" };
        let which = listed(names, only);
        let one = if only.len() == 1 { "a document" } else { "documents" };
        let note =
            Diagnostic::warning(format!("{which} {is} {side}: ops cannot {verb} {one}"));
        let place = tree.span(tree.roots()[first]).map(|place| tree.first_line(place));
        notes.push(*note.at(place));
    }
    if pairs.are_reordered() {
        let note = "NEW has the documents in another order: ops cannot move them";
        notes.push(*Diagnostic::warning(note));
    }
    notes
}

/// Names some documents of a stream: `Service 'web' and Job 'init'`.
fn listed(names: &[DocumentName], which: &[usize]) -> String {
    let shown = which.iter().take(MAX_NAMED).map(|&at| names[at].to_string());
    diagnostic::listed(shown.collect(), which.len().saturating_sub(MAX_NAMED))
}
