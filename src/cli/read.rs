//! Paths → the document to patch and the patch. What is wrong with a file is said in
//! bosh's words.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use interpolate::compile;
use interpolate::diagnostic::{self, Diagnostic};
use interpolate::node::Document;
use interpolate::patch::Patch;
use interpolate::scalar::Dialect;
use interpolate::source::{Os, Sources, Span, World};
use interpolate::yaml::{self, Target};

use super::failure::{Failure, both, reason, warn};
use super::option::Interpolate;

/// Reads what the options name.
pub(crate) struct Reader<'a> {
    pub(super) options: &'a Interpolate,
    sources: &'a mut Sources,
    pub(super) world: Os,
}

impl<'a> Reader<'a> {
    /// A reader that is held to `--root`.
    pub(crate) fn new(
        options: &'a Interpolate,
        sources: &'a mut Sources,
    ) -> Result<Self, Failure> {
        let world = match &options.safety.root {
            None => Os::default(),
            Some(root) => Os::jailed(root).map_err(|e| unreadable(root, &e))?,
        };
        Ok(Reader { options, sources, world })
    }

    /// BASE and the ops of every ops-file, or all that is wrong with any of them.
    pub(crate) fn read(&mut self) -> Result<(Document, Patch), Failure> {
        let base = self.base();
        let options = self.options;
        let files = options.patching.ops_file.iter().enumerate();
        let wrong = |i| move |failure| options.argument("ops_file", i, failure);
        both(base, collect(files.map(|(i, path)| self.ops(path).map_err(wrong(i)))))
    }

    /// A document that is read by the rules of another one.
    pub(super) fn read_as(
        &mut self,
        name: &OsStr,
        dialect: Dialect,
    ) -> Result<Document, Failure> {
        let bytes = self.base_bytes(name)?;
        self.parse_as(name, bytes, Target::Value, dialect).map_err(Failure::from)
    }

    pub(super) fn base(&mut self) -> Result<Document, Failure> {
        let name = self.options.base();
        let bytes = self.base_bytes(&name);
        let bytes = bytes.map_err(|failure| self.options.argument("base", 0, failure))?;
        self.document(&name, bytes, Target::Value)
    }

    fn base_bytes(&self, name: &OsStr) -> Result<Vec<u8>, Failure> {
        let path = self.home(Path::new(nonempty(name)?));
        let wrong = |error| {
            unreadable(&std::path::absolute(&path).unwrap_or(path.clone()), &error)
        };
        self.world.read(&path).map_err(wrong)
    }

    /// The path with a leading `~` replaced, which bosh does for BASE.
    pub(super) fn home(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), self.world.env("HOME")) {
            (Ok(rest), Some(home)) => Path::new(&home).join(rest),
            _ => path.to_owned(),
        }
    }

    /// The ops of an ops-file, or of all in a folder.
    fn ops(&mut self, path: &OsString) -> Result<Patch, Failure> {
        let path = Path::new(nonempty(path)?);
        if !self.world.is_folder(path) {
            return self.ops_file(path);
        }
        let files = self.world.list(path).map_err(|e| unreadable(path, &e))?;
        let mut files: Vec<PathBuf> =
            files.into_iter().filter(|file| self.is_ops_file(file)).collect();
        files.sort();
        if files.is_empty() {
            let message = format!("no ops-files in folder '{}'", path.display());
            return Err(Failure::file(message)
                .hint(Some("an ops-file is called *.yml or *.yaml".into())));
        }
        collect(files.iter().map(|file| self.ops_file(file)))
    }

    /// Whether a folder's entry is one of its ops-files: `*.yml` and `*.yaml` as a shell
    /// understands it.
    fn is_ops_file(&self, path: &Path) -> bool {
        let hidden =
            path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        let yaml = path.extension().is_some_and(|e| e == "yml" || e == "yaml");
        yaml && !hidden && !self.world.is_folder(path)
    }

    fn ops_file(&mut self, path: &Path) -> Result<Patch, Failure> {
        let name = path.display().to_string();
        // As an ops-file, `-` is the file of that name.
        let bytes = match path.as_os_str().to_str() {
            Some("-") => self.world.read(Path::new("./-")),
            _ => self.world.read(path),
        };
        let bytes = bytes.map_err(|error| {
            let reading = format!("Reading ops file '{name}'");
            Failure::file(format!("{reading}: {}", reason(&error)))
                .verbatim(&format!("{reading}: {}", opening(path, &error)))
                .hint(self.near(path, &error))
        })?;
        let document = self
            .document(path.as_os_str(), bytes, Target::Records(compile::FIELDS))
            .map_err(|error| error.within(&format!("Deserializing ops file '{name}'")))?;
        if let Some(&second) = document.roots().get(1) {
            let message = "only the first document of an ops-file is applied";
            let place = document.span(second).map(|at| Span { end: at.start, ..at });
            let warning =
                place.into_iter().fold(Diagnostic::warning(message), |d, at| {
                    d.label(at, "the second one")
                });
            warn(&warning, self.sources, &self.options.output);
        }
        compile::ops(&document, &name).map_err(Failure::input)
    }

    /// A text with secrets, which is read as Go reads it, whatever the options say.
    pub(super) fn secret(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        target: Target,
    ) -> diagnostic::Result<Document> {
        let mut source = yaml::decode(name.to_owned(), bytes, Dialect::Go)?;
        source.secret = true;
        let options = yaml::Options {
            dialect: Dialect::Go,
            depth: self.options.depth(),
            target,
            ..yaml::Options::default()
        };
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &options)
    }

    /// The file in the same folder that may have been meant.
    fn near(&self, path: &Path, error: &io::Error) -> Option<String> {
        let wanted =
            path.file_name().filter(|_| error.kind() == io::ErrorKind::NotFound)?;
        let wanted = wanted.to_str()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let files = self.world.list(folder.unwrap_or(Path::new("."))).ok()?;
        let names = files.iter().filter_map(|file| file.file_name()?.to_str());
        let (far, name) =
            names.map(|name| (strsim::osa_distance(name, wanted), name)).min()?;
        let meant = path.with_file_name(name);
        (far <= 1 + wanted.len() / 6)
            .then(|| format!("did you mean '{}'?", meant.display()))
    }

    fn document(
        &mut self,
        name: &OsStr,
        bytes: Vec<u8>,
        target: Target,
    ) -> Result<Document, Failure> {
        self.parse(name, bytes, target).map_err(Failure::from)
    }

    fn parse(
        &mut self,
        name: &OsStr,
        bytes: Vec<u8>,
        target: Target,
    ) -> diagnostic::Result<Document> {
        self.parse_as(name, bytes, target, Dialect::default())
    }

    /// Reads a text by the rules asked for, by those it asks for itself or by `rules`.
    fn parse_as(
        &mut self,
        name: &OsStr,
        bytes: Vec<u8>,
        target: Target,
        rules: Dialect,
    ) -> diagnostic::Result<Document> {
        let name = name.to_string_lossy().into_owned();
        let dialect = self.options.dialect();
        let source = yaml::decode(name, bytes, dialect.unwrap_or(rules))?;
        let dialect = dialect.or_else(|| yaml::version(&source.text)).unwrap_or(rules);
        let options = yaml::Options { target, ..self.rules(dialect) };
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &options)
    }

    /// How texts are read in a dialect.
    pub(super) fn rules(&self, dialect: Dialect) -> yaml::Options {
        yaml::Options {
            dialect,
            strict: self.options.reading.strict_yaml,
            depth: self.options.depth(),
            ..yaml::Options::default()
        }
    }
}

/// One patch of all ops, or one failure of all failures.
fn collect(
    patches: impl Iterator<Item = Result<Patch, Failure>>,
) -> Result<Patch, Failure> {
    let (mut all, mut failures) = (Patch::default(), Vec::new());
    for patch in patches {
        match patch {
            Ok(patch) => all.extend(patch),
            Err(failure) => failures.push(failure),
        }
    }
    failures.into_iter().reduce(Failure::and).map_or(Ok(all), Err)
}

pub(super) fn nonempty(path: &OsStr) -> Result<&OsStr, Failure> {
    match path.is_empty() {
        true => Err(Failure::file("Expected file path to be non-empty")),
        false => Ok(path),
    }
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::file(opening(path, error))
}

/// What bosh says of a file that cannot be read.
fn opening(path: &Path, error: &io::Error) -> String {
    let (name, reason) = (path.display(), reason(error));
    match error.kind() {
        io::ErrorKind::IsADirectory => {
            format!("Reading file content {name}: read {name}: {reason}")
        }
        _ => format!("Opening file {name}: open {name}: {reason}"),
    }
}
