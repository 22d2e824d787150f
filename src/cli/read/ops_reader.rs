//! Ops-files and the other options of the patch.

use std::ffi::OsString;
use std::path::Path;

use interpolate::unstable::compile;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::{Os, Span, World};
use interpolate::unstable::yaml::DecodeTarget;

use super::input_reader::{InputReader, nonempty};
use crate::cli::bosh;
use crate::cli::failure::{Failure, Result, all, unreadable, unreadable_in, warn};
use crate::cli::options::{Format, GivenPatch};

/// Reads every patch that the options name.
pub fn read_ops(reader: &mut InputReader<'_>) -> Result<Patch> {
    reader.given_ops()
}

impl InputReader<'_> {
    fn given_ops(&mut self) -> Result<Patch> {
        let input = self.input;
        let wrong = |i| move |failure| bosh::argument(input, "ops_file", i, failure);
        let patches = input.patching.given.iter().map(|given| match given {
            GivenPatch::OpsFile(i, path) => self.ops(path).map_err(wrong(*i)),
            GivenPatch::Merge(path) => self.merge_patch(path),
            GivenPatch::Argument(verb, text) => {
                let options = input.reading(self.dialect.unwrap_or_default());
                let patch = compile::argument(self.sources, *verb, text, &options);
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
        compile::merge_patch(&document).map_err(Failure::from)
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
            let world = world.map_err(|e| unreadable(&self.world, path, &e))?;
            self.ops_file(file, &world)
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
            unreadable_in(&self.world, &reading, path, &error)
        })?;
        let document = self
            .document(path.as_os_str(), bytes, DecodeTarget::Records(compile::FIELDS))
            .map_err(|error| error.within(&format!("Deserializing ops file '{name}'")))?;
        if let Some(&second) = document.roots().get(1) {
            let message = "only the first document of an ops-file is applied";
            let place = document.span(second).map(|at| Span { end: at.start, ..at });
            let warning = Diagnostic::warning(message).label(place, "the second one");
            warn(&[*warning], self.sources, self.output);
        }
        let patch = match self.output.format() {
            Format::Bosh => compile::ops(&document, &name),
            Format::Yaml | Format::Json => compile::patch(&document, &name),
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
