//! The verdicts on ops: one in the making, those on the ops so far, and the edits of ops-files that
//! follow from them.

use std::collections::{BTreeMap, BTreeSet};

use super::name::{SpelledPath, Way};
use crate::apply::{self, Purpose};
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;
use crate::patch::{Op, Origin, Patch};
use crate::pointer::{Pointer, Token};
use crate::source::FileId;

/// The verdicts on the first ops of a patch.
pub(super) struct Verdicts<'a> {
    patch: &'a Patch,
    verdicts: Vec<Verdict>,
    /// For each op that is mended, its new target.
    mends: Vec<Option<Mend>>,
}

impl<'a> Verdicts<'a> {
    pub(super) fn new(patch: &'a Patch) -> Verdicts<'a> {
        Verdicts { patch, verdicts: Vec::new(), mends: Vec::new() }
    }

    /// Adds the verdict on the next op.
    pub(super) fn push(&mut self, finding: Judged) {
        let number = self.verdicts.len();
        let Judged { status, to, sure, is_done, why } = finding;
        self.verdicts.push(Verdict {
            number,
            origin: self.patch.ops[number].origin,
            path: self.spelled(number).text,
            status,
            to: to.as_ref().map(|to| to.at.text.clone()),
            sure,
            is_done,
            why,
        });
        self.mends.push(to.filter(|_| sure));
    }

    /// Returns the verdicts on all ops but directives.
    pub(super) fn of_ops(mut self) -> Vec<Verdict> {
        let ops = &self.patch.ops;
        self.verdicts.retain(|verdict| !ops[verdict.number].edit.merges());
        self.verdicts
    }

    /// Returns true if an op fails on the new document as it is.
    pub(super) fn is_broken(&self, number: usize) -> bool {
        let status = self.verdicts.get(number).map(|verdict| verdict.status);
        status.is_some_and(|status| status >= Status::Follows)
    }

    /// Returns the new target of an op that is mended.
    pub(super) fn mend(&self, number: usize) -> Option<&Mend> {
        self.mends.get(number)?.as_ref()
    }

    /// Takes back the mends that an op meets which fails because of them; all, if it meets
    /// none.
    pub(super) fn doubt_mends(&mut self, number: usize) {
        let place = self.place(number);
        let tokens = self.patch.ops[number].at.tokens();
        let meets = |mend: &Mend| {
            let other = mend.at.target.tokens();
            other.starts_with(tokens) || tokens.starts_with(other)
        };
        let met: Vec<bool> =
            self.mends.iter().map(|it| it.as_ref().is_some_and(meets)).collect();
        let any = met.contains(&true);
        for (at, mend) in self.mends.iter_mut().enumerate() {
            if mend.is_some() && (met[at] || !any) {
                *mend = None;
                let verdict = &mut self.verdicts[at];
                verdict.sure = false;
                verdict.why += &format!("; but then the op at {place} fails");
            }
        }
    }

    /// Returns the target of an op as it was written.
    pub(super) fn spelled(&self, number: usize) -> SpelledPath {
        let op = &self.patch.ops[number];
        SpelledPath::of(op, self.arena(op))
    }

    /// Returns the place of an op for messages: its file and line.
    pub(super) fn place(&self, number: usize) -> String {
        let op = &self.patch.ops[number];
        let place = op.origin.zip(self.arena(op)).map(|(origin, arena)| {
            let (line, _) = arena.source().position(origin.path.start);
            format!("{}:{line}", arena.source().name)
        });
        place.unwrap_or_else(|| format!("'{}'", op.at))
    }

    fn arena(&self, op: &Op) -> Option<&Arena> {
        let file = op.origin?.path.file;
        self.patch.arenas.iter().find(|arena| arena.file() == file).map(|arena| &**arena)
    }
}

/// The result of judging an op in one pair of documents.
#[derive(Default)]
pub(super) struct Judged {
    pub status: Status,
    pub to: Option<Mend>,
    pub sure: bool,
    pub is_done: bool,
    pub why: String,
}

impl Judged {
    pub(super) fn new(status: Status, sure: bool, why: impl Into<String>) -> Judged {
        Judged { status, sure, why: why.into(), ..Judged::default() }
    }

    /// Returns a value that is greater for a worse finding.
    pub(super) fn badness(&self) -> (Status, bool) {
        (self.status, !self.sure)
    }
}

/// A new target for an op, and the way that it leads along.
#[derive(Clone)]
pub(super) struct Mend {
    pub at: SpelledPath,
    pub way: Way,
}

/// An op, and what becomes of it on the new document.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The number of the op in the patch.
    pub number: usize,
    /// The place it was written at; `None` if it was built in code.
    pub origin: Option<Origin>,
    /// Its target, as it was written.
    pub path: String,
    /// The effect of the new version on it.
    pub status: Status,
    /// The target that it needs on the new document, if it is known.
    pub to: Option<String>,
    /// True if nobody has to look: the op works on the new document, as it is or once
    /// [`fixed`] has changed it.
    pub sure: bool,
    /// True if the op is of no use any more: what it removes is gone.
    pub is_done: bool,
    /// The reason, in words.
    pub why: String,
}

/// The effect of the new version on an op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Status {
    /// It does the same.
    #[default]
    Same,
    /// Its target is there, but held something else.
    Changed,
    /// It fails only because an op before it does.
    Follows,
    /// Its target is somewhere else.
    Moved,
    /// Its target is nowhere.
    Gone,
}

impl Status {
    /// Returns its name: `same`, `changed`, `follows`, `moved` or `gone`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Same => "same",
            Status::Changed => "changed",
            Status::Follows => "follows",
            Status::Moved => "moved",
            Status::Gone => "gone",
        }
    }
}

impl Verdict {
    /// Returns true if [`fixed`] changes the op.
    pub fn is_mended(&self) -> bool {
        self.sure && (self.is_done || self.to.is_some())
    }

    /// Returns true if [`fixed`] changes the op once somebody has made it sure.
    pub fn is_acceptable(&self) -> bool {
        !self.sure && self.to.is_some()
    }
}

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
            apply::put(&mut ops, &path, Purpose::Replace, 0, text)?;
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
