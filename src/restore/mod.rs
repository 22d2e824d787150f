//! A document with directives and its expansion as somebody edited it → the document with
//! the edit in it and the directives kept.
//!
//! This is the put of a lens whose get is [`Get`]: compile, apply, fill in variables. The
//! result is read and expanded again before it goes out; what does not expand to what was
//! given is tried again, and what cannot be said as an override is written out.

mod align;
mod blame;
mod compare;
mod directives;
mod entry;
mod explain;
mod holder;
mod layer;
mod list;
mod pair;
mod put;
mod rename;
mod site;
mod trace;
mod value;
mod writing;
mod written;

use std::ops::Range;

use crate::apply;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Document, Node};
use crate::patch::{Edit, Patch};
use crate::scalar::Scalar;
use crate::source::{FileId, Sources};
use crate::yaml::{self, Options};
use compare::Compare;
pub use directives::Directives;
use holder::Fate;
use put::Put;
use site::{Both, Sites};
use writing::Writing;
use written::Written;

/// What an expansion is made by.
pub trait Get {
    /// How many documents of the stream have their directives expanded.
    fn count(&self, document: &Document) -> usize;

    /// Compiles the directives of a document of the stream.
    ///
    /// # Errors
    /// What is wrong with them.
    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Document,
        root: usize,
    ) -> Result<Patch, Diagnostics>;

    /// Fills in the variables of all documents of the stream.
    ///
    /// # Errors
    /// What is wrong with them.
    fn fill(&mut self, document: &mut Document) -> Result<(), Diagnostics>;
}

/// A document that expands to what was given.
#[derive(Debug)]
pub struct Saved {
    /// Its text.
    pub text: String,
    /// What became of directives that could not be kept.
    pub notes: Vec<Diagnostic>,
    name: String,
    /// How many documents were given.
    given: usize,
    first: Expanded,
    /// What it became, if it is something else.
    last: Option<Expanded>,
    /// The mappings that lost directives, and why.
    dropped: Vec<(String, String)>,
}

/// Puts into `source` what its expansion was edited to.
///
/// # Errors
/// The source does not expand, or the edit cannot be said in it.
pub fn save(
    sources: &mut Sources,
    source: &Document,
    edited: &Document,
    options: &Options,
    get: &mut dyn Get,
) -> Result<Saved, Diagnostics> {
    let file = sources.add("strategies", value::STRATEGIES);
    let strategies = yaml::read(sources, file, &Options::default())?;
    let options = &Options { dialect: source.base().dialect(), ..*options };
    let notes = Vec::new();
    let dropped = Vec::new();
    let save = Save {
        sources,
        options,
        edited,
        get,
        strategies,
        file: source.file(),
        notes,
        dropped,
        sited: false,
        tries: 0,
    };
    save.run(source.clone())
}

struct Save<'a> {
    sources: &'a mut Sources,
    options: &'a Options,
    edited: &'a Document,
    get: &'a mut dyn Get,
    /// What whiteouts and nullouts are copied from.
    strategies: Document,
    /// SOURCE, as it was given.
    file: FileId,
    notes: Vec<Diagnostic>,
    dropped: Vec<(String, String)>,
    /// Whether SOURCE has directives.
    sited: bool,
    /// How often directives may still be given up.
    tries: usize,
}

/// A document and what it expands to.
#[derive(Debug)]
struct Expanded {
    source: Document,
    /// By document of the stream.
    patches: Vec<Patch>,
    /// Its documents are followed by the edited ones and by what the imports found.
    view: Document,
}

/// So often an edit is put before directives are given up for it: what imports what it
/// does not change itself is known only after the first time.
const PATIENCE: usize = 3;

impl Save<'_> {
    fn run(mut self, source: Document) -> Result<Saved, Diagnostics> {
        let first = self.expand(source)?;
        self.check_count(&first.source)?;
        let ops = first.patches.iter().flat_map(|patch| &patch.ops);
        let sites = ops.filter(|op| matches!(op.edit, Edit::Merge(_))).count();
        self.sited = sites > 0;
        // What was given up may have come back, copied with what holds it.
        self.tries = 2 * sites + PATIENCE;
        let (mut last, mut patience): (Option<Expanded>, usize) = (None, PATIENCE);
        let mut drafts = self.sources.count();
        loop {
            let current = last.as_ref().unwrap_or(&first);
            let patient = patience == PATIENCE;
            let Some(put) = self.put(current, patient)? else {
                let text = current.source.to_string();
                let name = self.sources.get(self.file).name.clone();
                let Save { notes, dropped, .. } = self;
                let given = self.edited.roots().len();
                return Ok(Saved { text, notes, name, given, first, last, dropped });
            };
            let stuck = put.to_string() == current.source.base().text();
            if stuck && patient {
                patience -= 1;
                continue;
            }
            let (next, left) = if stuck || patience == 0 {
                (self.give_up(current, Some(put).filter(|_| !stuck))?, 1)
            } else {
                (put, patience - 1)
            };
            let now = self.sources.count();
            (last, patience) = (Some(self.reread(next)?), left);
            self.release(drafts..now);
            drafts = now;
        }
    }

    /// Lets go of earlier drafts, but for those that notes show.
    fn release(&mut self, drafts: Range<usize>) {
        let labels = self.notes.iter().flat_map(|note| &note.labels);
        let shown: Vec<FileId> = labels.map(|label| label.span.file).collect();
        self.sources.release(drafts, &shown);
    }

    /// An edit of a document that is not there would be lost.
    fn check_count(&self, source: &Document) -> Result<(), Diagnostics> {
        let (there, given) = (source.roots().len(), self.edited.roots().len());
        if given == 1 || given == there {
            return Ok(());
        }
        let message =
            format!("{given} documents cannot be saved where {there} are written");
        Err(Diagnostic::error(message).into())
    }

    fn expand(&mut self, source: Document) -> Result<Expanded, Diagnostics> {
        let (mut view, mut patches, mut founds) =
            (source.clone(), Vec::new(), Vec::new());
        for root in 0..self.get.count(&source) {
            let patch = self.get.compile(self.sources, &source, root)?;
            let by = view.opened_count() as u32;
            apply::apply(&patch, &mut view, root..root + 1)?;
            founds.extend(found(&patch).map(|node| node.shifted(by)));
            patches.push(patch);
        }
        view.add_arena(self.edited.shared_base());
        view.add_roots(self.edited.roots());
        view.add_roots(&founds);
        self.get.fill(&mut view)?;
        Ok(Expanded { source, patches, view })
    }

    /// The document with the edit in it; none if it expands to that already.
    fn put(
        &mut self,
        current: &Expanded,
        patient: bool,
    ) -> Result<Option<Document>, Diagnostics> {
        let Expanded { source, patches, view } = current;
        let mut compare = Compare::new(view);
        let (there, given) = (source.roots().len(), self.edited.roots().len());
        let wrong = (0..given)
            .find(|&root| !compare.same(view.roots()[root], view.roots()[there + root]));
        let Some(first) = wrong else { return Ok(None) };
        let mut out = source.clone();
        out.add_arena(self.edited.shared_base());
        out.add_arena(self.strategies.shared_base());
        out.bring_comments_from(self.edited.file());
        let mut founds = view.roots()[there + given..].iter().copied();
        let mut problems = Vec::new();
        for root in 0..given {
            let edited = view.roots()[there + root];
            let roots = Both { view: Some(view.roots()[root]), edited: Some(edited) };
            let written = (source, source.roots()[root]);
            let patch = patches.get(root).unwrap_or(Patch::NONE);
            let sites = Sites::new(written, patch, &mut founds, &mut compare, roots);
            if root < first {
                continue;
            }
            let writing = Writing::new(self.edited, view, self.strategies.file());
            let expands = root < patches.len();
            let mut put = Put::new(
                written,
                roots,
                sites,
                (&mut compare, &mut out),
                writing,
                expands,
            );
            put.patient = patient;
            put.sited = self.sited;
            put.run(root, edited);
            problems.append(&mut put.problems);
            let notes = std::mem::take(&mut put.notes);
            self.note(source, notes);
        }
        if problems.is_empty() { Ok(Some(out)) } else { Err(Diagnostics(problems)) }
    }

    fn note(&mut self, source: &Document, fates: Vec<(Node, Fate)>) {
        let mut written = Written::new(source.base());
        for (key, fate) in fates {
            let name = match source.scalar(key) {
                Scalar::String(name) => name.into_owned(),
                _ => String::new(),
            };
            let note = match fate {
                Fate::Gone(why) => {
                    let holder = site::holder(source, &mut written, key);
                    let note = format!("'{name}' was written out: {why}");
                    self.dropped.extend(holder.map(|holder| (holder, note.clone())));
                    note
                }
                Fate::Renamed(new) => format!("'{name}' is '{new}' now"),
            };
            let note = Diagnostic::warning(note);
            let place = source.span(key);
            self.notes.push(*place.into_iter().fold(note, Diagnostic::at));
        }
    }
}

/// What the imports of a patch found.
fn found(patch: &Patch) -> impl Iterator<Item = Node> + '_ {
    let imports = patch.ops.iter().filter_map(|op| match &op.edit {
        Edit::Merge(merge) => Some(&merge.imports),
        Edit::Test(_) | Edit::Replace(_) | Edit::Remove | Edit::RemoveWhiteouts => None,
    });
    imports.flatten().filter_map(|import| import.found)
}
