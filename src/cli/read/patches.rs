//! The directives of a document and the ops, as one patch.

use std::ffi::OsStr;

use interpolate::unstable::apply::{self, Applied, Reach};
use interpolate::unstable::compile;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::history::Recorder;
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::{self, Op, Patch};
use interpolate::unstable::source::{Sources, Span};

use super::input_reader::InputReader;
use super::ops_reader::read_ops;
use crate::cli::failure::{Failure, all, both, warn};
use crate::cli::options::Format;

/// The patches for a document: its directives, then the ops.
pub struct Patches {
    /// The patches of the directives, one for each document that the patch is for.
    merges: Vec<Patch>,
    pub ops: Patch,
    /// The documents of the stream that the patch is for.
    pub reach: Reach,
}

impl Patches {
    /// Reads the document at a path, compiles its directives and reads every ops-file.
    /// Fails with all errors of any of them.
    pub fn read(
        reader: &mut InputReader<'_>,
        path: &OsStr,
    ) -> Result<(Tree, Patches), Failure> {
        let base = reader.base(path);
        let (base, ops) = both(base, read_ops(reader))?;
        let patches = Patches::new(reader, &base, ops)?;
        Ok((base, patches))
    }

    /// Compiles the directives of the documents that a patch is for.
    pub fn new(
        reader: &mut InputReader<'_>,
        base: &Tree,
        ops: Patch,
    ) -> Result<Patches, Failure> {
        let reach = reach(reader, base)?;
        let merges = merges(reader, base, &reach.default)?;
        Ok(Patches { merges, ops, reach })
    }

    /// Returns the patch of the only document that it is for, with its reach.
    pub fn of_one(mut self) -> Result<(Patch, Reach), Failure> {
        let [_] = self.reach.default[..] else {
            let count = self.reach.default.len();
            let message =
                format!("--where selects {count} documents, and a plan is for one");
            return Err(Failure::input([*Diagnostic::error(message)]));
        };
        let mut patch = self.merges.drain(..).next().unwrap_or_default();
        patch.extend(self.ops);
        Ok((patch, self.reach))
    }

    /// Applies the directives to the document.
    pub fn apply_merges(&self, document: &mut Tree) -> Result<(), Failure> {
        for (root, patch) in self.merges() {
            apply::apply(patch, document, [root]).map_err(Failure::input)?;
        }
        Ok(())
    }

    /// Returns true if the documents have directives.
    pub fn expands(&self) -> bool {
        self.merges().next().is_some()
    }

    /// Returns the patches of directives that have an op, with their documents. Each
    /// application takes time proportional to the number of documents.
    fn merges(&self) -> impl Iterator<Item = (usize, &Patch)> {
        let all = self.reach.default.iter().copied().zip(&self.merges);
        all.filter(|(_, patch)| !patch.is_empty())
    }

    /// Applies the patches to the document, directives first.
    pub fn apply(
        mut self,
        document: &mut Tree,
        sources: &Sources,
    ) -> Result<Applied, Failure> {
        let reach = &self.reach;
        let failed = |ops: &[Op], d| Failure::ops(d, (ops, reach.default.len()), sources);
        if let [merges] = &mut self.merges[..] {
            let (mut patch, ops) = (std::mem::take(merges), self.ops);
            let first = patch::ops(&patch).len();
            patch.extend(ops);
            return apply::apply_to(&patch, document, reach)
                .map_err(|d| failed(&patch::ops(&patch)[first..], d));
        }
        self.apply_merges(document)?;
        apply::apply_to(&self.ops, document, reach)
            .map_err(|d| failed(patch::ops(&self.ops), d))
    }

    /// Applies the patches as [`Patches::apply`] does, for a history.
    pub fn record(
        self,
        document: &mut Tree,
        sources: &Sources,
        recorder: &mut Recorder,
    ) -> Result<Applied, Failure> {
        let reach = &self.reach;
        let mut uses_default = false;
        for (root, patch) in self.merges() {
            let reach = Reach::of(document, [root]);
            let merged = recorder.apply(patch, document, &reach);
            uses_default |= merged.map_err(Failure::input)?.uses_default;
        }
        let mut applied = recorder.apply(&self.ops, document, reach).map_err(|d| {
            Failure::ops(d, (patch::ops(&self.ops), reach.default.len()), sources)
        })?;
        applied.uses_default |= uses_default;
        Ok(applied)
    }
}

/// Returns the documents of the stream that the patch is for.
fn reach(reader: &mut InputReader<'_>, base: &Tree) -> Result<Reach, Failure> {
    let Some(selector) = reader.input.patching.selectors.first() else {
        let roots = reader.input.roots(base);
        // In bosh the other documents are not there.
        return Ok(match reader.output.format() {
            Format::Bosh => Reach::only(roots),
            Format::Yaml | Format::Json => Reach::of(base, roots),
        });
    };
    let text = selector.text();
    let file = reader.sources.add("--where", text);
    let place = Span { file, start: 0, end: text.len() as u32 };
    let all: Vec<usize> = (0..base.roots().len()).collect();
    let selector = selector.clone().at(place);
    let selected = selector.select(base, &all, reader.input.query_steps())?;
    let warnings: Vec<Diagnostic> = selector.pattern_warnings().collect();
    warn(&warnings, reader.sources, reader.output);
    Ok(Reach::only(selected))
}

/// Compiles the directives of some documents.
fn merges(
    reader: &mut InputReader<'_>,
    base: &Tree,
    roots: &[usize],
) -> Result<Vec<Patch>, Failure> {
    if reader.input.reading.no_directives {
        return Ok(Vec::new());
    }
    let rules = reader.input.rules(base.dialect());
    let patches = roots.iter().map(|&root| {
        compile::directives(base, root, reader.sources, &reader.documents, &rules)
            .map_err(Failure::input)
    });
    all(patches)
}
