//! Ops-files and the other options of the patch, compiled with the directives of a document.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use interpolate::unstable::apply::{Applied, Reach};
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::history::Recorder;
use interpolate::unstable::job::Patches;
use interpolate::unstable::language;
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::{self, Patch};
use interpolate::unstable::source::{Os, Sources, Span, World};
use interpolate::unstable::yaml::DecodeTarget;

use super::input_reader::{InputReader, nonempty};
use crate::cli::bosh;
use crate::cli::failure::{Failure, Result, all, both, unreadable, unreadable_in, warn};
use crate::cli::habits::output_hint;
use crate::cli::options::{Format, GivenPatch};

impl InputReader<'_> {
    /// Reads every patch that the options name.
    pub fn read_ops(&mut self) -> Result<Patch> {
        let input = self.input;
        let patches = input.patching.given.iter().map(|given| match given {
            GivenPatch::OpsFile(i, path) => self
                .ops(path)
                .map_err(|failure| bosh::argument(input, "ops_file", *i, failure)),
            GivenPatch::Merge(path) => self.merge_patch(path),
            GivenPatch::Argument(verb, text) => {
                let options = input.reading(self.dialect.unwrap_or_default());
                let patch = language::argument(self.sources, *verb, text, &options);
                patch.map_err(|error| Failure::from(error).of_usage())
            }
        });
        let mut patch = all(patches).map(join)?;
        if let Some(aliases) = input.patching.anchors {
            patch.set_aliases(aliases);
        }
        patch.set_query_steps(input.query_steps());
        patch.set_limit(input.expansion().0);
        Ok(patch)
    }

    fn merge_patch(&mut self, path: &OsString) -> Result<Patch> {
        let path = Path::new(nonempty(path)?);
        let bytes = self.world.read(path).map_err(|error| {
            let reading = format!("Reading merge patch '{}'", path.display());
            unreadable_in(&self.world, &reading, path, &error)
        })?;
        let document = self.document(path.as_os_str(), bytes, DecodeTarget::Value)?;
        language::merge_patch(&document).map_err(Failure::from)
    }

    /// Reads an ops-file, or every ops-file of a folder.
    fn ops(&mut self, path: &OsString) -> Result<Patch> {
        let path = Path::new(nonempty(path)?);
        if !self.world.is_folder(path) {
            return self.ops_file(path, &self.world.clone());
        }
        let files = self.world.list(path);
        let mut files = files.map_err(|e| unreadable(&self.world, path, &e))?;
        files.retain(|file| is_yaml_file(file) && !self.world.is_folder(file));
        files.sort();
        if files.is_empty() {
            let message = format!("no ops-files in folder '{}'", path.display());
            return Err(Failure::file(message)
                .hint(Some("an ops-file is called *.yml or *.yaml".into())));
        }
        let patches = files.iter().map(|file| {
            let world = self.world_in(path, file);
            self.ops_file(file, &world.map_err(|e| unreadable(&self.world, path, &e))?)
        });
        all(patches).map(join)
    }

    /// Reads an ops-file in a world.
    fn ops_file(&mut self, path: &Path, world: &Os) -> Result<Patch> {
        let name = path.display().to_string();
        let bytes = match path.as_os_str().to_str() {
            // bosh reads `-` as standard input for BASE only.
            Some("-") if self.output.format() == Format::Bosh => {
                world.read(Path::new("./-"))
            }
            _ => world.read(path),
        };
        let bytes = bytes.map_err(|error| {
            let reading = format!("Reading ops file '{name}'");
            let failure = unreadable_in(&self.world, &reading, path, &error);
            // A name that is near is what was meant.
            let is_explained = failure.diagnostics.iter().any(|it| !it.hints.is_empty());
            let may_hint = self.output.format() != Format::Bosh
                && error.kind() == io::ErrorKind::NotFound
                && !is_explained;
            failure.hint(may_hint.then(|| output_hint(&name).to_owned()))
        })?;
        let document = self
            .document(path.as_os_str(), bytes, DecodeTarget::Records(language::FIELDS))
            .map_err(|error| error.within(&format!("Deserializing ops file '{name}'")))?;
        if let Some(&second) = document.roots().get(1) {
            let message = "only the first document of an ops-file is applied";
            let place = document.span(second).map(|at| Span { end: at.start, ..at });
            let warning = Diagnostic::warning(message).label(place, "the second one");
            warn(&[*warning], self.sources, self.output);
        }
        let patch = match self.output.format() {
            Format::Bosh => language::ops(&document, &name),
            Format::Yaml | Format::Json => language::patch(&document, &name),
        };
        patch.map_err(Failure::input)
    }
}

/// Returns true for a name that a shell finds with `*.yml` and `*.yaml`.
pub fn is_yaml_file(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "yml" || e == "yaml") && !is_hidden(path)
}

pub fn is_hidden(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn join(patches: Vec<Patch>) -> Patch {
    let mut all = Patch::default();
    patches.into_iter().for_each(|patch| all.extend(patch));
    all
}

/// Reads the document at a path, compiles its directives and reads every ops-file. Fails with
/// all errors of any of them.
pub fn read_patched(
    reader: &mut InputReader<'_>,
    path: &OsStr,
) -> Result<(Tree, Patches)> {
    let base = reader.base(path);
    let (base, ops) = both(base, reader.read_ops())?;
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
        Failure::ops(diagnostics, patch::ops(&patches.ops), count, sources)
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
    let selected = selector.select(base, &all, &mut reader.input.query_budget())?;
    let warnings: Vec<Diagnostic> = selector.pattern_warnings().collect();
    warn(&warnings, reader.sources, reader.output);
    Ok(Reach::only(selected))
}
