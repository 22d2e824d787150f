//! The driver of a save: puts the edit into the source, expands the result again, and
//! removes directives until the expansion is the edited document.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use super::compare::{ChildIndex, Comparer};
use super::conflict::{Conflicts, directives_named_by, is_directive, without};
use super::expander::{ExpandedSource, Expander};
use super::explain::{DroppedDirective, Saved};
use super::follow;
use super::layout_edit::{Correspondence, LayoutParts};
use super::put::{DirectiveChange, MARKERS, NewValues, PutMode, write_edit};
use super::site::{DocumentEdit, merges};
use super::text_edit::{
    Comments, EditKind, EditedTexts, RestoreOptions, TextEdit, has_tags, is_flow,
};
use crate::apply;
use crate::arena::Index;
use crate::converge::{Budget, Outcome, converge};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{NodeId, Tree};
use crate::source::{FileId, Sources};
use crate::yaml::{self, Options};

/// Returns the error of an edited stream with another number of documents than its source.
pub fn wrong_document_count(source: usize, edited: usize) -> Box<Diagnostic> {
    let [there, given] = [source, edited].map(|count| match count {
        1 => "1 document".to_owned(),
        count => format!("{count} documents"),
    });
    Diagnostic::error(format!("SOURCE has {there}, and EDITED has {given}"))
        .hint("a save neither adds nor removes documents: do so in SOURCE")
}

/// Puts the edit of an expansion into the document that was expanded.
///
/// Returns `source` with the smallest change after which it expands to `edited`.
///
/// # Errors
/// The source does not expand, `edited` has another number of documents, or the edit
/// cannot be written: a new key would read back as a directive, for example.
pub fn save(
    sources: &mut Sources,
    source: &Tree,
    edited: &Tree,
    options: &RestoreOptions,
    expander: &mut dyn Expander,
) -> Result<Saved, Diagnostics> {
    let file = sources.add("markers", MARKERS);
    let markers = yaml::read(sources, file, &Options::default())?;
    let reading = &Options { dialect: source.base().dialect(), ..options.reading };
    let save = Save {
        sources,
        reading,
        options,
        tags_count: options.has_tags.unwrap_or_else(|| has_tags(edited)),
        kind: EditKind::Text,
        edited: Cow::Borrowed(edited),
        expander,
        markers,
        file: source.file(),
        notes: Vec::new(),
        dropped: Vec::new(),
        had_directives: false,
        naming: Naming::Possible,
    };
    save.run(source.clone())
}

struct Save<'a> {
    sources: &'a mut Sources,
    reading: &'a Options,
    options: &'a RestoreOptions,
    /// True if values with different tags differ: EDITED has tags.
    tags_count: bool,
    /// The origin of the edited text.
    kind: EditKind,
    edited: Cow<'a, Tree>,
    expander: &'a mut dyn Expander,
    /// The document that whiteouts and nullouts are copied from.
    markers: Tree,
    /// The file of the source as it was given.
    file: FileId,
    notes: Vec<Diagnostic>,
    /// The directives that were written out.
    dropped: Vec<DroppedDirective>,
    /// True if the source as it was given has directives.
    had_directives: bool,
    naming: Naming,
}

/// New lists that name inherited items.
#[derive(Clone, Copy, PartialEq)]
enum Naming {
    /// No list names items yet.
    Possible,
    /// A list of the last draft or of one before names items.
    Used,
    /// A directive had to be written out since a list names items: lists are restated.
    Refuted,
}

/// The way in which one attempt puts the edit into the source.
#[derive(Clone, Copy)]
struct Attempt {
    /// True if sites with indirect imports are left alone.
    defers_indirect: bool,
    /// True if the values that directives import count as unchanged.
    follows: bool,
}

enum PutResult {
    /// The document expands to the edited one already.
    Equal,
    /// Nothing could be changed although the expansion differs.
    Unchanged,
    Changed(Box<Tree>),
}

/// Number of retries before directives are removed.
// The first attempt defers indirect imports, the second writes them, and the third writes
// imports from other imports.
const RETRIES: usize = 3;

const CANNOT_SAVE: &str = "this cannot be saved so that it reads back";

impl Save<'_> {
    fn run(mut self, source: Tree) -> Result<Saved, Diagnostics> {
        let options = self.options;
        let mut first = self.expand(source)?;
        let there = first.source.roots().len();
        let given = self.edited.roots().len();
        // The source has no place for others: they would be lost.
        if given != 1 && given != there {
            return Err(wrong_document_count(there, given).into());
        }
        let written = first.source.clone();
        let edited = self.edited.clone();
        let text_edit = TextEdit::new(EditedTexts {
            source: &written,
            edited: &edited,
            expanded: first.printed()?,
            options,
            same_values: self.expands_to_edited(&first),
        });
        self.kind = text_edit.kind;
        let sites = first.patches.iter().flat_map(merges).count();
        self.had_directives = sites > 0;
        if options.follow_sources {
            first = self.follow(first)?;
        }
        let drafts = self.sources.count();
        let mut last = self.put_values_shortly(&first, sites)?;
        let mut missing = 0;
        if self.kind == EditKind::Text {
            let printed = match &last {
                None => Cow::Borrowed(&text_edit.expanded),
                Some(last) => Cow::Owned(last.printed()?),
            };
            let current = last.as_ref().unwrap_or(&first);
            last = self.put_layout(current, &printed, &text_edit, &mut missing).or(last);
        }
        let saved = &last.as_ref().unwrap_or(&first).source;
        self.notes.extend(text_edit.notes(&self.edited, saved, missing));
        self.release(drafts..self.sources.count());
        let mut saved = Saved {
            text: last.as_ref().unwrap_or(&first).source.to_string(),
            notes: self.notes,
            name: self.sources.get(self.file).name.clone(),
            count: self.edited.roots().len(),
            first,
            last,
            dropped: self.dropped,
            tags_count: self.tags_count,
            reports: OnceLock::new(),
        };
        if self.had_directives && !options.follow_sources {
            saved.note_kept();
        }
        Ok(saved)
    }

    /// Puts the edited values into a source, with lists that name inherited items if the
    /// expansion is the edited document then.
    fn put_values_shortly(
        &mut self,
        first: &ExpandedSource,
        sites: usize,
    ) -> Result<Option<ExpandedSource>, Diagnostics> {
        let notes = self.notes.len();
        let dropped = self.dropped.len();
        let put = self.put_values(first, sites);
        match (self.naming, &put) {
            (Naming::Possible, _) | (Naming::Used, Ok(_)) => put,
            (Naming::Used, Err(_)) | (Naming::Refuted, _) => {
                self.naming = Naming::Refuted;
                self.notes.truncate(notes);
                self.dropped.truncate(dropped);
                self.put_values(first, sites)
            }
        }
    }

    /// Puts the edited values into a source with a number of sites, until it expands to
    /// them. Returns the changed document; `None` if nothing had to change.
    fn put_values(
        &mut self,
        first: &ExpandedSource,
        sites: usize,
    ) -> Result<Option<ExpandedSource>, Diagnostics> {
        // A site may have to be removed twice: an edit that copies the mapping around it
        // copies its directives as well.
        let budget = Budget { retries: RETRIES, concessions: 2 * sites + RETRIES };
        let mut last: Option<ExpandedSource> = None;
        let mut drafts = self.sources.count();
        let converged = converge(budget, |left| {
            let current = last.as_ref().unwrap_or(first);
            let (next, outcome) = self.put_once(current, left)?;
            let Some(next) = next else { return Ok(outcome) };
            let end = self.sources.count();
            last = Some(self.reread(next)?);
            self.release(drafts..end);
            drafts = end;
            Ok::<_, Diagnostics>(outcome)
        })?;
        match converged {
            Some(()) => Ok(last),
            None => Err(Diagnostic::error(CANNOT_SAVE).into()),
        }
    }

    /// Makes one attempt. Returns the next draft, if it is another one, and the way on.
    fn put_once(
        &mut self,
        current: &ExpandedSource,
        left: Budget,
    ) -> Result<(Option<Tree>, Outcome<()>), Diagnostics> {
        let defers_indirect = left.retries == RETRIES;
        let attempt = Attempt { defers_indirect, follows: false };
        let put = match self.put(current, attempt)? {
            PutResult::Equal => return Ok((None, Outcome::Done(()))),
            PutResult::Unchanged if defers_indirect => return Ok((None, Outcome::Retry)),
            PutResult::Unchanged => None,
            PutResult::Changed(put) if left.retries == 0 => Some(*put),
            PutResult::Changed(put) => return Ok((Some(*put), Outcome::Retry)),
        };
        let next = self.concede(current, put, left)?;
        Ok((Some(next), Outcome::Concede))
    }

    fn comparer<'t>(&self, view: &'t Tree) -> Comparer<'t> {
        Comparer::new(view, self.tags_count)
    }

    /// Returns true if a document expands to the edited values.
    fn expands_to_edited(&self, current: &ExpandedSource) -> bool {
        let mut compare = self.comparer(&current.view);
        let there = current.source.roots().len();
        let given = self.edited.roots().len();
        let roots = current.view.roots();
        (0..given).all(|root| compare.equal(roots[root], roots[there + root]))
    }

    /// Lets the edits of sources through to their users: changes the edited values so.
    fn follow(&mut self, first: ExpandedSource) -> Result<ExpandedSource, Diagnostics> {
        let attempt = Attempt { defers_indirect: false, follows: true };
        let put = self.put(&first, attempt)?;
        // The notes of this attempt are made again.
        self.notes.clear();
        self.dropped.clear();
        let PutResult::Changed(put) = put else { return Ok(first) };
        let drafts = self.sources.count();
        let next = self.reread(*put)?;
        let [expanded, follows] = [first.printed()?, next.printed()?];
        let followed =
            follow::follow(&expanded, &follows, &self.edited, self.tags_count)?;
        self.notes.clear();
        self.notes.extend(follow::note(&followed.paths));
        self.release(drafts..self.sources.count());
        // Messages may point into it.
        let text = followed.edited.to_string();
        let file = self.sources.add_draft(text, self.edited.file(), "");
        self.edited = Cow::Owned(yaml::read(self.sources, file, self.reading)?);
        self.expand(first.source)
    }

    /// Puts what an edit of the text says beside the values into a document. An edit after
    /// which it would expand to other values is left out. Returns the changed document, and
    /// counts the comments that the edited text lacks.
    fn put_layout(
        &mut self,
        current: &ExpandedSource,
        printed: &Tree,
        edit: &TextEdit<'_>,
        missing: &mut usize,
    ) -> Option<ExpandedSource> {
        let edited = self.edited.clone();
        let matched = Correspondence::find(current, printed.base(), edited.base());
        let edits = edit.layout_edits(&current.source, printed, &edited, &matched);
        *missing = edits.missing;
        LayoutParts::ATTEMPTS.into_iter().find_map(|parts| {
            let changed = edits.applied(&current.source, &matched, parts)?;
            self.checked(changed.to_string())
        })
    }

    /// Reads a draft; `None` if it does not expand to the edited values.
    fn checked(&mut self, text: String) -> Option<ExpandedSource> {
        let drafts = self.sources.count();
        let file = self.add_draft(text);
        let source = yaml::read(self.sources, file, self.reading).ok();
        let expanded = source.and_then(|source| self.expand(source).ok());
        let checked = expanded.filter(|expanded| self.expands_to_edited(expanded));
        if checked.is_none() {
            self.release(drafts..self.sources.count());
        }
        checked
    }

    /// Releases the texts of earlier drafts, but for those that notes show.
    fn release(&mut self, drafts: Range<usize>) {
        let labels = self.notes.iter().flat_map(|note| &note.labels);
        let shown: Vec<FileId> = labels.map(|label| label.span.file).collect();
        self.sources.release(drafts, &shown);
    }

    fn expand(&mut self, source: Tree) -> Result<ExpandedSource, Diagnostics> {
        let mut view = source.clone();
        let mut patches = Vec::new();
        let mut imported = Vec::new();
        for root in 0..self.expander.document_count(&source) {
            let patch = self.expander.compile(self.sources, &source, root)?;
            let by = view.opened_count() as u32;
            apply::apply(&patch, &mut view, root..root + 1)?;
            let imports = merges(&patch).flat_map(|merge| &merge.imports);
            let found = imports.filter_map(|import| import.found);
            imported.extend(found.map(|node| node.shifted(by)));
            patches.push(patch);
        }
        view.add_arena(self.edited.shared_base());
        view.add_roots(self.edited.roots());
        view.add_roots(&imported);
        self.expander.fill(&mut view)?;
        Ok(ExpandedSource { source, patches, view })
    }

    fn put(
        &mut self,
        current: &ExpandedSource,
        attempt: Attempt,
    ) -> Result<PutResult, Diagnostics> {
        let ExpandedSource { source, patches, view } = current;
        let mut compare = self.comparer(view);
        let there = source.roots().len();
        let given = self.edited.roots().len();
        let different = (0..given)
            .find(|&root| !compare.equal(view.roots()[root], view.roots()[there + root]));
        let Some(first) = different else { return Ok(PutResult::Equal) };
        let mut out = self.new_output(source);
        let markers = self.markers.file();
        let kind = self.kind;
        let values =
            NewValues::new(source, &self.edited, view, markers, kind, self.tags_count);
        let documents = DocumentEdit::all(current, given, &mut compare, attempt.follows);
        let mut problems = Vec::new();
        let mut names_items = false;
        for (root, document) in documents.into_iter().enumerate().skip(first) {
            let mode = PutMode {
                expands_directives: root < patches.len(),
                defers_indirect: attempt.defers_indirect,
                names_items: !attempt.follows && self.naming != Naming::Refuted,
                had_directives: self.had_directives,
            };
            let written =
                write_edit(root, document, &mut compare, &mut out, &values, mode);
            names_items |= written.names_items;
            problems.extend(written.problems);
            self.note(source, written.changes);
        }
        if names_items && self.naming == Naming::Possible {
            self.naming = Naming::Used;
        }
        if !problems.is_empty() {
            return Err(Diagnostics(problems));
        }
        let unchanged = out.to_string() == source.base().text();
        Ok(if unchanged {
            PutResult::Unchanged
        } else {
            PutResult::Changed(Box::new(out))
        })
    }

    /// Returns a copy of the source that takes nodes of the edited document.
    fn new_output(&self, source: &Tree) -> Tree {
        let mut out = source.clone();
        out.add_arena(self.edited.shared_base());
        out.add_arena(self.markers.shared_base());
        if self.options.comments == Comments::Source {
            out.hints_mut().leave_out_comments_of(self.edited.file());
        } else {
            out.hints_mut().bring_comments_from(self.edited.file());
        }
        // From JSON to JSON even a dump has the words of new values.
        let [from, to] = [&*self.edited, source].map(|tree| is_flow(tree.base()));
        if self.kind == EditKind::Text || from && to {
            out.hints_mut().print_verbatim();
        }
        if self.kind == EditKind::Dump {
            out.hints_mut().relist(self.edited.file());
        }
        out
    }

    fn note(&mut self, source: &Tree, changes: Vec<(NodeId, DirectiveChange)>) {
        let mut written = ChildIndex::new(source.base());
        for (key, change) in changes {
            let name = source.string(key).unwrap_or_default();
            let note = match change {
                DirectiveChange::WrittenOut(why) => {
                    if self.naming == Naming::Used {
                        self.naming = Naming::Refuted;
                    }
                    let parent = written.pointer_to_parent(source, key);
                    let note = format!("'{name}' was written out: {why}");
                    self.dropped.extend(parent.map(|(document, holder)| {
                        DroppedDirective { document, holder, why: note.clone() }
                    }));
                    note
                }
                DirectiveChange::Renamed(new) => format!("'{name}' is '{new}' now"),
            };
            let note = Diagnostic::warning(note);
            self.notes.push(*note.at(source.span(key)));
        }
    }

    /// Reads a draft as the saved file. Removes directives that errors name.
    fn reread(&mut self, mut out: Tree) -> Result<ExpandedSource, Diagnostics> {
        loop {
            let file = self.add_draft(out.to_string());
            let source = yaml::read(self.sources, file, self.reading)?;
            let expanded = self.expand(source.clone());
            let Err(Diagnostics(errors)) = expanded else { return expanded };
            let keys = failing_directives(&source, &errors);
            if keys.is_empty() {
                return Err(Diagnostics(errors));
            }
            out = self.remove_directives(&source, keys);
            // A directive that comes from `<<` cannot be removed here: the error stays.
            if out.to_string() == source.base().text() {
                return Err(Diagnostics(errors));
            }
        }
    }

    /// Adds the text of a draft to the sources, where errors show it as the source.
    fn add_draft(&mut self, text: String) -> FileId {
        self.sources.add_draft(text, self.file, " (as it would be saved)")
    }

    /// Returns the document without the deepest sites above the values that differ; if
    /// there is no such site, the document with the edit.
    fn concede(
        &mut self,
        current: &ExpandedSource,
        put: Option<Tree>,
        left: Budget,
    ) -> Result<Tree, Diagnostics> {
        let ExpandedSource { source, view, .. } = current;
        let mut compare = self.comparer(view);
        let count = self.edited.roots().len();
        let mut keys = Vec::new();
        let mut place = None;
        for document in DocumentEdit::all(current, count, &mut compare, false) {
            let found = Conflicts::find(document, &mut compare);
            place = place.or(found.first);
            keys.extend(found.directives);
        }
        if left.concessions == 0 || keys.is_empty() && put.is_none() {
            let error = Diagnostic::error(CANNOT_SAVE);
            let span = place.and_then(|node| view.span(node));
            return Err(error.at(span).into());
        }
        if let (true, Some(put)) = (keys.is_empty(), put) {
            return Ok(put);
        }
        let why = "the edit cannot be written beside it";
        let keys = keys.into_iter().map(|key| (key, why.to_owned()));
        Ok(self.remove_directives(source, keys.collect()))
    }

    /// Returns the document without some of its directives, each given with the reason.
    fn remove_directives(&mut self, source: &Tree, keys: Vec<(Index, String)>) -> Tree {
        let out = without(source, &keys);
        let file = source.file();
        let changes = keys.into_iter().map(|(key, why)| {
            (NodeId::Clean(file, key), DirectiveChange::WrittenOut(why))
        });
        self.note(source, changes.collect());
        out
    }
}

/// Returns the directives that are the cause of errors, each with the message.
fn failing_directives(source: &Tree, errors: &[Diagnostic]) -> Vec<(Index, String)> {
    let arena = source.base();
    let labels = errors
        .iter()
        .flat_map(|error| error.labels.iter().map(|label| (label.span, &error.message)));
    let mut keys: Vec<(Index, String)> = Vec::new();
    for (span, message) in labels.filter(|(span, _)| span.file == arena.file()) {
        let first = arena.nodes().partition_point(|node| node.start < span.start);
        let there = (first as Index..arena.nodes().len() as Index)
            .take_while(|&i| arena.span(i).start == span.start)
            .find(|&i| is_directive(arena, i));
        keys.extend(there.map(|i| (i, message.clone())));
    }
    if keys.is_empty() { directives_named_by(source, errors) } else { keys }
}
