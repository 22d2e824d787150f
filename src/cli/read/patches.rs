//! The directives of a document and the ops, as they are given on the command line.

use std::ffi::OsStr;

use interpolate::unstable::apply::{Applied, Reach};
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::history::Recorder;
use interpolate::unstable::job::Patches;
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::{self, Patch};
use interpolate::unstable::source::{Sources, Span};

use super::input_reader::InputReader;
use super::ops_reader::read_ops;
use crate::cli::failure::{Failure, Result, both, warn};
use crate::cli::options::Format;

/// Reads the document at a path, compiles its directives and reads every ops-file. Fails with
/// all errors of any of them.
pub fn read_patched(
    reader: &mut InputReader<'_>,
    path: &OsStr,
) -> Result<(Tree, Patches)> {
    let base = reader.base(path);
    let (base, ops) = both(base, read_ops(reader))?;
    let patches = compile_patches(reader, &base, ops)?;
    Ok((base, patches))
}

/// Compiles the directives of the documents that ops are for.
pub fn compile_patches(
    reader: &mut InputReader<'_>,
    base: &Tree,
    ops: Patch,
) -> Result<Patches> {
    let reach = reach(reader, base)?;
    let rules = reader.input.rules(base.dialect());
    let rules = (!reader.input.reading.no_directives).then_some(&rules);
    Patches::compile(base, ops, reach, rules, reader.sources, &reader.documents)
        .map_err(Failure::input)
}

/// Applies patches to the document that they were read for. A recorder keeps what they do.
pub fn apply_patches(
    patches: &Patches,
    document: &mut Tree,
    recorder: Option<&mut Recorder>,
    sources: &Sources,
) -> Result<Applied> {
    patches.apply(document, recorder).map_err(|diagnostics| {
        let count = patches.reach.default.len();
        Failure::ops(diagnostics, (patch::ops(&patches.ops), count), sources)
    })
}

/// Returns the documents of the stream that the patch is for.
fn reach(reader: &mut InputReader<'_>, base: &Tree) -> Result<Reach> {
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
