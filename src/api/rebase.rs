//! A patch and the next version of its document.

use super::document::Document;
use super::error::{Error, Place, Result, texts};
use crate::patch::Patch;
use crate::rebase::{self as engine, Fixed, Status, Verdict};

/// The ops of a patch, and what becomes of each on another document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rebased {
    /// The ops, in the order they are applied.
    pub ops: Vec<RebasedOp>,
    /// The name and the new text of each ops-file with an op that is surely mended.
    /// Whatever else is in it keeps its bytes.
    pub files: Vec<(String, String)>,
}

/// An op, and what becomes of it on another document.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct RebasedOp {
    /// The place of its path; `None` if it was built in code.
    pub place: Option<Place>,
    /// Its path, as it was written.
    pub path: String,
    /// The effect of the new version on it.
    pub status: Status,
    /// The path that it needs on the other document, if it is known.
    pub to: Option<String>,
    /// True if nobody has to look: it works as it is, or as [`files`](Rebased::files) have
    /// it.
    pub sure: bool,
    /// True if it is of no use any more, since what it removes is gone.
    pub is_done: bool,
    /// The reason, in words. Empty for an op that does the same.
    pub why: String,
}

/// Tells what becomes of each op of a patch for the first document of `old` on that of
/// `new`, and mends the ops-files where that is sure.
///
/// Merge directives count as they are: apply them first. Those of the patch are left out.
///
/// # Errors
/// A selector of an op cannot be evaluated.
///
/// ```
/// use interpolate::{Document, Patch, RebaseStatus};
///
/// let old = Document::parse("web: {image: shop:1, replicas: 2}\n")?;
/// let new = Document::parse("front: {image: shop:1, replicas: 2}\n")?;
/// let ops = "- type: replace   # for the sale\n  path: /web/replicas\n  value: 5\n";
/// let rebased = interpolate::rebase(&old, &new, &Patch::parse("ops.yml", ops)?)?;
/// assert_eq!(rebased.ops[0].status, RebaseStatus::Moved);
/// assert_eq!(rebased.ops[0].to.as_deref(), Some("/front/replicas"));
/// assert_eq!(rebased.files, [("ops.yml".into(), ops.replace("/web/", "/front/"))]);
/// # Ok::<(), interpolate::Error>(())
/// ```
pub fn rebase(old: &Document, new: &Document, patch: &Patch) -> Result<Rebased> {
    let (old, new) = (old.tree(), new.tree());
    let verdicts = engine::rebase(old, new, patch, [0, 0]);
    let arenas = || patch.arenas.iter().chain(old.arenas()).chain(new.arenas());
    let verdicts = verdicts.map_err(|errors| Error::new(errors, texts(arenas())))?;
    let fixed = engine::fixed(patch, &verdicts);
    let fixed = fixed.map_err(|error| Error::new(error, texts(arenas())))?;
    let sources = texts(&patch.arenas);
    let file = |Fixed { file, text }| (sources.get(file).name.clone(), text);
    let op = |verdict: Verdict| RebasedOp {
        place: verdict.origin.and_then(|origin| {
            let span = origin.path;
            let arena = patch.arenas.iter().find(|it| it.file() == span.file)?;
            Some(Place::new(arena.source(), span))
        }),
        path: verdict.path,
        status: verdict.status,
        to: verdict.to,
        sure: verdict.sure,
        is_done: verdict.is_done,
        why: verdict.why,
    };
    Ok(Rebased {
        ops: verdicts.into_iter().map(op).collect(),
        files: fixed.into_iter().map(file).collect(),
    })
}
