//! The loop of a save.

use std::collections::HashSet;
use std::ops::Range;

use super::compare::{Both, Compare};
use super::conflict::{Search, blamed, directive_keys, is_directive, outs, remove};
use super::expander::{Expanded, Get};
use super::explain::Saved;
use super::put::{Fate, Put, STRATEGIES};
use super::site::Sites;
use super::writing::Writing;
use super::written::{self, Written};
use crate::apply;
use crate::arena::Index;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Document, Node};
use crate::patch::{Edit, Patch};
use crate::scalar::Scalar;
use crate::source::{Encoding, FileId, Source, Sources};
use crate::yaml::{self, Options};

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
    let file = sources.add("strategies", STRATEGIES);
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
                    let holder = written::holder(source, &mut written, key);
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

    /// Reads what is to be saved as anybody will read it. Directives that stand in the way
    /// are left out.
    pub(super) fn reread(&mut self, mut out: Document) -> Result<Expanded, Diagnostics> {
        loop {
            let file = self.draft(out.to_string());
            let source = yaml::read(self.sources, file, self.options)?;
            let expanded = self.expand(source.clone());
            let Err(Diagnostics(errors)) = expanded else { return expanded };
            let labels = errors.iter().flat_map(|error| {
                error.labels.iter().map(|label| (label.span, &error.message))
            });
            let arena = source.base();
            let mut keys: Vec<(Index, String)> = Vec::new();
            for (span, message) in labels.filter(|(span, _)| span.file == file) {
                let first = arena.nodes().partition_point(|node| node.start < span.start);
                let there = (first as Index..arena.nodes().len() as Index)
                    .take_while(|&i| arena.span(i).start == span.start)
                    .find(|&i| is_directive(arena, i));
                keys.extend(there.map(|i| (i, message.clone())));
            }
            if keys.is_empty() {
                keys = blamed(&source, &errors);
            }
            if keys.is_empty() {
                return Err(Diagnostics(errors));
            }
            out = self.without(&source, keys);
            if out.to_string() == source.base().text() {
                return Err(Diagnostics(errors));
            }
        }
    }

    /// Adds a text that is to be written over SOURCE.
    fn draft(&mut self, text: String) -> FileId {
        let Source { name, secret, .. } = self.sources.get(self.file);
        self.sources.push(Source {
            name: format!("{name} (as it would be saved)"),
            text: text.into(),
            encoding: Encoding::Utf8,
            secret: *secret,
            stands_for: Some(self.file),
        })
    }

    /// The document without some of its directives, and what was left out of what they gave.
    fn without(&mut self, source: &Document, keys: Vec<(Index, String)>) -> Document {
        let mut out = source.clone();
        let mut written = Written::new(source.base());
        let gone: HashSet<Index> = keys.iter().map(|&(key, _)| key).collect();
        let mut bare: Vec<Index> = Vec::new();
        for &(key, _) in &keys {
            let holder = remove(&mut out, &mut written, key);
            bare.extend(
                holder.filter(|&i| {
                    directive_keys(source, i).all(|key| gone.contains(&key))
                }),
            );
        }
        bare.sort_unstable();
        bare.dedup();
        for key in bare.into_iter().flat_map(|holder| outs(source, holder)) {
            remove(&mut out, &mut written, key);
        }
        let file = source.file();
        let keys =
            keys.into_iter().map(|(key, why)| (Node::Clean(file, key), Fate::Gone(why)));
        self.note(source, keys.collect());
        out
    }

    /// The document without the deepest sites above what is not what it should be; if no
    /// site is left there, the edit as it was put is all that there is to say.
    pub(super) fn give_up(
        &mut self,
        current: &Expanded,
        put: Option<Document>,
    ) -> Result<Document, Diagnostics> {
        let Expanded { source, patches, view } = current;
        let (there, given) = (source.roots().len(), self.edited.roots().len());
        let mut compare = Compare::new(view);
        let mut founds = view.roots()[there + given..].iter().copied();
        let (mut keys, mut place) = (Vec::new(), None);
        for root in 0..given {
            let (view, edited) = (view.roots()[root], view.roots()[there + root]);
            let roots = Both { view: Some(view), edited: Some(edited) };
            let written = (source, source.roots()[root]);
            let patch = patches.get(root).unwrap_or(Patch::NONE);
            let sites = Sites::new(written, patch, &mut founds, &mut compare, roots);
            let mut search = Search {
                source,
                compare: &mut compare,
                sites,
                found: Vec::new(),
                place: None,
            };
            search.run(written.1, view, edited);
            place = place.or(search.place);
            keys.append(&mut search.found);
        }
        if self.tries == 0 || keys.is_empty() && put.is_none() {
            let error = Diagnostic::error("this cannot be saved so that it reads back");
            let span = place.and_then(|node| view.span(node));
            return Err(span.into_iter().fold(error, Diagnostic::at).into());
        }
        self.tries -= 1;
        if let (true, Some(put)) = (keys.is_empty(), put) {
            return Ok(put);
        }
        let why = "the edit cannot be said beside it";
        Ok(self
            .without(source, keys.into_iter().map(|key| (key, why.to_owned())).collect()))
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
