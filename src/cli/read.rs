//! Paths → the document to patch and the patch. What is wrong with a file is said in
//! bosh's words.

use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use interpolate::apply;
use interpolate::compile;
use interpolate::diagnostic::{self, Diagnostic, near_file};
use interpolate::node::Document;
use interpolate::patch::{Op, Patch};
use interpolate::scalar::Dialect;
use interpolate::source::{Os, Sources, Span, World, reason};
use interpolate::yaml::{self, Target};

use super::failure::{Failure, both, warn};
use super::input::Input;
use super::option::Output;

/// Reads what the options name.
pub(crate) struct Reader<'a> {
    pub(super) input: &'a Input,
    output: &'a Output,
    /// The rules to read by, if they were asked for.
    dialect: Option<Dialect>,
    pub(super) sources: &'a mut Sources,
    pub(super) world: Os,
}

/// What is to be done to a document.
pub(crate) struct Patches {
    /// What the directives of each document of the stream ask for.
    pub(crate) merges: Vec<Patch>,
    /// The ops of every ops-file.
    pub(crate) ops: Patch,
}

impl Patches {
    /// Does it to each of the given documents of the stream, directives first.
    pub(crate) fn apply(
        mut self,
        document: &mut Document,
        roots: Range<usize>,
        sources: &Sources,
    ) -> Result<(), Failure> {
        let failed = |ops: &[Op], d| Failure::ops(d, (ops, roots.len()), sources);
        if let [merges] = &mut self.merges[..] {
            let (mut patch, ops) = (std::mem::take(merges), self.ops);
            let first = patch.ops.len();
            patch.extend(ops);
            return apply::apply(&patch, document, roots.clone())
                .map_err(|d| failed(&patch.ops[first..], d));
        }
        for (root, patch) in self.merges.iter().enumerate() {
            apply::apply(patch, document, root..root + 1).map_err(Failure::input)?;
        }
        apply::apply(&self.ops, document, roots.clone())
            .map_err(|d| failed(&self.ops.ops, d))
    }
}

impl<'a> Reader<'a> {
    /// A reader that is held to `--root`.
    pub(crate) fn new(
        input: &'a Input,
        output: &'a Output,
        dialect: Option<Dialect>,
        sources: &'a mut Sources,
    ) -> Result<Self, Failure> {
        let world = match &input.safety.root {
            None => Os::default(),
            Some(root) => Os::jailed(root).map_err(|e| unreadable(root, &e))?,
        };
        Ok(Reader { input, output, dialect, sources, world })
    }

    /// The document at a path, with the merges that its directives ask for and the ops of
    /// every ops-file, or all that is wrong with any of them.
    pub(crate) fn read(&mut self, path: &OsStr) -> Result<(Document, Patches), Failure> {
        let base = self.base(path);
        let (base, ops) = both(base, self.all_ops())?;
        let merges = self.merges(&base)?;
        Ok((base, Patches { merges, ops }))
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

    /// The document at a path.
    pub(crate) fn base(&mut self, name: &OsStr) -> Result<Document, Failure> {
        let bytes = self.base_bytes(name);
        let bytes = bytes.map_err(|failure| self.input.argument("base", 0, failure))?;
        self.document(name, bytes, Target::Value)
    }

    fn base_bytes(&self, name: &OsStr) -> Result<Vec<u8>, Failure> {
        let path = self.home(Path::new(nonempty(name)?));
        let wrong = |error| {
            unreadable(&std::path::absolute(&path).unwrap_or(path.clone()), &error)
        };
        self.world.read(&path).map_err(wrong)
    }

    /// The ops of every ops-file.
    fn all_ops(&mut self) -> Result<Patch, Failure> {
        let input = self.input;
        let files = input.patching.ops_file.iter().enumerate();
        let wrong = |i| move |failure| input.argument("ops_file", i, failure);
        gather(files.map(|(i, path)| self.ops(path).map_err(wrong(i)))).map(join)
    }

    /// What the directives of each document of the stream ask for.
    fn merges(&mut self, base: &Document) -> Result<Vec<Patch>, Failure> {
        if self.input.reading.no_directives {
            return Ok(Vec::new());
        }
        let rules = self.input.rules(base.dialect());
        let count = self.input.count(base);
        let patches = (0..count).map(|root| {
            compile::directives(base, root, self.sources, &self.world, &rules)
                .map_err(Failure::input)
        });
        gather(patches)
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
        gather(files.iter().map(|file| self.ops_file(file))).map(join)
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
                .hint(near_file(&self.world, path, &error))
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
            warn(&[*warning], self.sources, self.output);
        }
        compile::ops(&document, &name).map_err(Failure::input)
    }

    /// What is given to a template, as Python reads YAML; it may be secret.
    pub(super) fn given_value(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
    ) -> diagnostic::Result<Document> {
        let dialect = Dialect::Yaml11;
        let mut source = yaml::decode(name.to_owned(), bytes, dialect)?;
        source.secret = true;
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &self.input.reading(dialect))
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
            depth: self.input.depth(),
            target,
            ..yaml::Options::default()
        };
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &options)
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
        let dialect = self.dialect;
        let source = yaml::decode(name, bytes, dialect.unwrap_or(rules))?;
        let dialect = dialect.or_else(|| yaml::version(&source.text)).unwrap_or(rules);
        let options = yaml::Options { target, ..self.input.reading(dialect) };
        let file = self.sources.push(source);
        yaml::read(self.sources, file, &options)
    }
}

/// One patch of all ops.
fn join(patches: Vec<Patch>) -> Patch {
    let mut all = Patch::default();
    patches.into_iter().for_each(|patch| all.extend(patch));
    all
}

/// All of them, or one failure of all failures.
fn gather<T>(
    results: impl Iterator<Item = Result<T, Failure>>,
) -> Result<Vec<T>, Failure> {
    let (mut all, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(one) => all.push(one),
            Err(failure) => failures.push(failure),
        }
    }
    failures.into_iter().reduce(Failure::and).map_or(Ok(all), Err)
}

pub(super) fn nonempty(path: &OsStr) -> Result<&OsStr, Failure> {
    if path.is_empty() {
        Err(Failure::file("Expected file path to be non-empty"))
    } else {
        Ok(path)
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
