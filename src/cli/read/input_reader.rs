//! Documents and other texts from the paths in the options.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use interpolate::unstable::diagnostic::{self, Diagnostic};
use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Shown, Source, Sources, World};
use interpolate::unstable::variables::{Store, Tell};
use interpolate::unstable::yaml::{self, DecodeTarget};

use crate::cli::bosh;
use crate::cli::failure::{Failure, Result, opening, unreadable};
use crate::cli::habits::word_hint;
use crate::cli::main_options::MainOptions;
use crate::cli::options::{Format, Input, Output};
use crate::cli::progress::{Progress, tell_of_wait};
use crate::cli::side_output::StoreFile;

/// The reader of everything that the options of a command name.
pub struct InputReader<'a> {
    pub input: &'a Input,
    pub output: &'a Output,
    /// The dialect that the options ask for.
    pub dialect: Option<Dialect>,
    pub sources: &'a mut Sources,
    /// The world of the user, who may name any file.
    pub world: Os,
    /// The world of what documents name.
    pub documents: Os,
    /// True if templates see the variables.
    pub evaluates: bool,
}

impl<'a> InputReader<'a> {
    /// Prepares reading; `--root` limits what documents name to a folder.
    pub fn new(options: &'a MainOptions, sources: &'a mut Sources) -> Result<Self> {
        let input = &options.input;
        let output = &options.output;
        let dialect = options.dialect();
        if let Some(option) = input.patching.later.first() {
            return Err(later(option));
        }
        let mut world = Os::default();
        world.forces = input.safety.force;
        world.tell_waiting = Some(tell_of_wait);
        let mut documents = match &input.safety.root {
            None => Os::for_documents(),
            Some(root) => Os::jailed(root).map_err(|e| unreadable(&world, root, &e))?,
        };
        documents.hides_environment &= !input.safety.allow().env;
        documents.forces = input.safety.force;
        let evaluates = input.evaluation.is_on();
        Ok(InputReader { input, output, dialect, sources, world, documents, evaluates })
    }

    /// Reads a document.
    pub fn base(&mut self, name: &OsStr) -> Result<Tree> {
        self.base_shown_as(name, name)
    }

    /// Reads a document that was found in a folder.
    pub fn base_in(&mut self, folder: &Path, path: &Path) -> Result<Tree> {
        let bytes = self.world_in(folder, path).and_then(|world| world.read(path));
        let bytes = bytes.map_err(|error| unreadable(&self.world, path, &error))?;
        self.document(path.as_os_str(), bytes, DecodeTarget::Value)
    }

    /// Reads a document from a path that tells people nothing, such as that of a temporary
    /// file, and shows another name in messages.
    pub fn base_shown_as(&mut self, path: &OsStr, name: &OsStr) -> Result<Tree> {
        let bytes = self.base_bytes(path);
        let bytes =
            bytes.map_err(|failure| bosh::argument(self.input, "base", 0, failure))?;
        self.document(name, bytes, DecodeTarget::Value)
    }

    /// Reads a text by the rules of another one. Variables may be filled in: messages show only
    /// its keys then.
    pub fn read_filled(&mut self, name: &OsStr, dialect: Dialect) -> Result<Tree> {
        // A text that cannot be read is a source, too, and has no document to name it.
        let known = self.sources.count();
        let document = self.base_bytes(name).and_then(|bytes| {
            let stream = std::str::from_utf8(&bytes)
                .ok()
                .and_then(yaml::json_stream::as_documents);
            let bytes = stream.map_or(bytes, String::into_bytes);
            Ok(self.parse_as(name, bytes, DecodeTarget::Value, dialect)?)
        });
        if self.input.variables.have_values() {
            let files: Vec<_> = self.sources.files().skip(known).collect();
            files.into_iter().for_each(|file| self.sources.show_keys_only(file));
        }
        document
    }

    /// Returns true if a file may be a list: it can be read, and its first line that is no
    /// comment or marker begins like one.
    pub fn begins_with_item(&self, name: &OsStr) -> bool {
        let Ok(bytes) = self.base_bytes(name) else { return false };
        let is_blank = |line: &&[u8]| {
            let line = line.trim_ascii();
            line.is_empty() || line.starts_with(b"#") || line.starts_with(b"%")
        };
        let mut lines = bytes.split(|&byte| byte == b'\n').filter(|line| !is_blank(line));
        // UTF-16 has a NUL beside each letter, and a line may begin with a mark of its own.
        bytes.contains(&0)
            || lines.next().is_some_and(|line| !line[0].is_ascii_alphanumeric())
    }

    /// Returns the world of a file that was found in a folder that the user named. What stands
    /// in a folder may be a stranger's: only regular files are read, and with `--root` only
    /// those in the folder or in that of `--root`, whatever links say.
    pub fn world_in(&self, folder: &Path, path: &Path) -> io::Result<Os> {
        if self.input.safety.root.is_none() {
            return Ok(self.documents.clone());
        }
        let in_folder = Os::jailed(folder)?;
        let is_outside = in_folder
            .real(path)
            .is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied);
        Ok(if is_outside { self.documents.clone() } else { in_folder })
    }

    fn base_bytes(&self, name: &OsStr) -> Result<Vec<u8>> {
        let path = self.home(Path::new(nonempty(name)?));
        self.world.read(&path).map_err(|error| {
            let place = std::path::absolute(&path).unwrap_or(path.clone());
            let failure = unreadable(&self.world, &path, &error);
            let failure = failure.verbatim(&opening(&place, &error));
            let missing = error.kind() == io::ErrorKind::NotFound;
            failure
                .hint(missing.then(|| word_hint(&name.to_string_lossy(), &[])).flatten())
        })
    }

    /// Reads the text of a file.
    pub fn source(&mut self, name: &OsStr) -> Result<Source> {
        let bytes = self.base_bytes(name)?;
        let dialect = self.dialect.unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        yaml::decode(name, bytes, dialect).map_err(Failure::from)
    }

    /// Reads a document from the bytes of a file.
    pub fn document(
        &mut self,
        name: &OsStr,
        bytes: Vec<u8>,
        target: DecodeTarget,
    ) -> Result<Tree> {
        self.parse_as(name, bytes, target, Dialect::default()).map_err(Failure::from)
    }

    /// Reads a text in the dialect asked for, in that of its `%YAML` line, or in `rules`.
    fn parse_as(
        &mut self,
        name: &OsStr,
        bytes: Vec<u8>,
        target: DecodeTarget,
        rules: Dialect,
    ) -> diagnostic::Result<Tree> {
        let name = name.to_string_lossy().into_owned();
        let dialect = self.dialect;
        let source = yaml::decode(name, bytes, dialect.unwrap_or(rules))?;
        let dialect = dialect.or_else(|| yaml::version(&source.text)).unwrap_or(rules);
        let options = yaml::Options { target, ..self.input.reading(dialect) };
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &options)
    }

    /// Reads a value for a template, as Python reads YAML. It may be secret.
    pub fn given_value(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
    ) -> diagnostic::Result<Tree> {
        let dialect = Dialect::Yaml11;
        let mut source = yaml::decode(name.to_owned(), bytes, dialect)?;
        source.shown = Shown::Keys;
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &self.input.reading(dialect))
    }

    /// Reads a secret text, always as Go reads it.
    pub fn secret(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        target: DecodeTarget,
    ) -> diagnostic::Result<Tree> {
        let mut source = yaml::decode(name.to_owned(), bytes, Dialect::Go)?;
        source.shown = match target {
            DecodeTarget::Entries => Shown::Keys,
            _ => Shown::Nothing,
        };
        let options = yaml::Options {
            dialect: Dialect::Go,
            depth: self.input.depth(),
            target,
            ..yaml::Options::default()
        };
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &options)
    }

    /// Reads the vars-store, which may be missing.
    pub fn store(&mut self, target: Option<&Path>) -> Result<Option<StoreFile>> {
        let Some(path) = &self.input.variables.vars_store else { return Ok(None) };
        let path = nonempty(path)
            .map_err(|failure| bosh::argument(self.input, "vars_store", 0, failure))?;
        let path = self.home(Path::new(path));
        let path = std::path::absolute(&path).unwrap_or(path);
        if target.is_some_and(|target| self.world.is_same(target, &path)) {
            let message = "the result would be written over the vars-store";
            return Err(Failure::usage(message));
        }
        let store = self.store_at(path)?;
        store.warn_of_readers(self.output);
        Ok(Some(store))
    }

    /// Reads the vars-store at an absolute path.
    pub fn store_at(&mut self, path: PathBuf) -> Result<StoreFile> {
        let read = match self.world.read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) if self.output.format() != Format::Bosh => {
                return Err(unreadable(&self.world, &path, &error));
            }
            Err(error) => {
                // bosh reads the file when it looks for a value.
                let cause = Diagnostic::error(opening(&path, &error));
                let world = self.world.clone();
                return Ok(StoreFile {
                    store: Store::unreadable(cause),
                    path,
                    read: None,
                    world,
                });
            }
        };
        let name = path.display().to_string();
        let world = self.world.clone();
        let document =
            self.secret(&name, read.clone().unwrap_or_default(), DecodeTarget::Entries);
        let mut store = Store::new(name, document);
        let progress = (!self.output.quiet).then(Progress::of_terminal).flatten();
        store.tell(progress.map(|mut progress| -> Tell {
            Box::new(move |made, all| progress.tell(made, all))
        }));
        Ok(StoreFile { store, path, read, world })
    }

    /// Replaces a leading `~`, as bosh does for BASE.
    // A shell leaves it in `--option=~/file`.
    pub fn home(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), self.world.env("HOME")) {
            (Ok(rest), Some(home)) => Path::new(&home).join(rest),
            _ => path.to_owned(),
        }
    }
}

/// Returns the failure of an option that belongs to a later version.
fn later(option: &str) -> Failure {
    let message = format!(
        "{option} belongs to a later version: strategic merge patches of Kubernetes are not \
         read yet"
    );
    let hint = "`--merge FILE` merges mappings and replaces lists; in an ops-file, `type: \
                insert` adds to a list";
    Failure::usage(&message).hint(Some(hint.into()))
}

/// Returns a path that is given.
pub fn nonempty(path: &OsStr) -> Result<&OsStr> {
    if path.is_empty() {
        Err(Failure::file("Expected file path to be non-empty"))
    } else {
        Ok(path)
    }
}
