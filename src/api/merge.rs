//! Three-way merges.

use super::document::Document;
use super::error::{Error, Result, texts};
use crate::job::with_keys_of_ours;
use crate::node::Tree;
use crate::three_way::{self, Conflict, Markers, Merged};
use crate::yaml::{self, Expansion};

/// The result of [`merge`](merge()).
#[derive(Clone, Debug)]
pub struct Merge {
    document: Document,
    merged: Merged,
}

/// Merges two versions of a document by meaning. The result is the text of `ours` with what
/// `theirs` changed since `base`; all documents of a stream are merged.
///
/// Equal changes and changes of different places merge: entries by key, items of lists by
/// `name`, `id` or `key`, else by value, texts by lines. What both sides changed differently is
/// a conflict, where `ours` stays, and so are two comments on one line. Comments of both sides
/// are taken. In a JSON text, a key `"200"` is the number 200 if `ours` has that there. Directives
/// and ops are data.
///
/// # Errors
/// A document was edited and cannot be printed so that it reads back, or is too large with its
/// `<<` written out.
///
/// ```
/// use interpolate::Document;
///
/// let base = Document::parse("image: shop:1\nreplicas: 1\nport: 80\n")?;
/// let ours = Document::parse("image: shop:1\nreplicas: 2\nport: 8080 # no root\n")?;
/// let theirs = Document::parse("image: shop:2\nreplicas: 3\nport: 80\n")?;
/// let merge = interpolate::merge(&base, &ours, &theirs)?;
/// let text = "image: shop:2\nreplicas: 2\nport: 8080 # no root\n";
/// assert_eq!(merge.document().to_string(), text);
/// assert_eq!(merge.conflicts()[0].path, "/replicas");
/// # Ok::<(), interpolate::Error>(())
/// ```
pub fn merge(base: &Document, ours: &Document, theirs: &Document) -> Result<Merge> {
    let clean = |document: &Document| {
        let tree = yaml::clean(document.tree()).and_then(|tree| {
            Expansion::default().check_merged(&tree)?;
            Ok(tree.into_owned())
        });
        tree.map_err(|error| Error::about(error, document.tree()))
    };
    let versions = [clean(base)?, clean(ours)?, clean(theirs)?];
    let mut texts = texts(versions.iter().flat_map(Tree::arenas));
    let dialect = ours.tree().dialect();
    let options = yaml::Options { dialect, ..yaml::Options::default() };
    let versions = with_keys_of_ours(&mut texts, versions, &options);
    let [base, kept, theirs] = versions.map_err(|errors| Error::new(errors, texts))?;
    let merged = three_way::merge(&base, &kept, &theirs);
    let name = &kept.base().source().name;
    let document = ours.reader().parse(name, merged.ours())?;
    Ok(Merge { document, merged })
}

impl Merge {
    /// The merged document, with `ours` at all conflicts.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The places that both sides changed differently, in their order; none if all was merged.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.merged.conflicts
    }

    /// Returns the merged text with the conflict markers of git around the lines of each
    /// conflict.
    pub fn marked(&self) -> String {
        self.merged.marked(&Markers::default())
    }
}
