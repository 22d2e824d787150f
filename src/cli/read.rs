//! Reading: documents, ops-files, variables and the vars-store from the paths in the
//! options. Messages about files are those of bosh.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use interpolate::unstable::apply::{self, Applied, Reach};
use interpolate::unstable::compile;
use interpolate::unstable::diagnostic::{self, Diagnostic};
use interpolate::unstable::history::Recorder;
use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::patch::{self, Op, Patch};
use interpolate::unstable::scalar::{Dialect, Scalar, to_base64};
use interpolate::unstable::source::{Os, Shown, Source, Sources, Span, World};
use interpolate::unstable::variables::{Bindings, Store};
use interpolate::unstable::yaml::{self, DecodeTarget};

use super::bosh;
use super::command_name;
use super::failure::{Failure, both, opening, unreadable, unreadable_in, warn};
use super::options::{Format, GivenPatch, Input, Output};
use super::store_file::StoreFile;

pub struct InputReader<'a> {
    pub input: &'a Input,
    output: &'a Output,
    dialect: Option<Dialect>,
    pub sources: &'a mut Sources,
    pub world: Os,
    /// True if templates see the variables.
    pub evaluates: bool,
}

pub struct Patches {
    /// The patches of the directives, one for each document that the patch is for.
    merges: Vec<Patch>,
    pub ops: Patch,
    /// The documents of the stream that the patch is for.
    pub reach: Reach,
}

impl Patches {
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
        for (&root, patch) in self.reach.default.iter().zip(&self.merges) {
            apply::apply(patch, document, [root]).map_err(Failure::input)?;
        }
        Ok(())
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
        for (&root, patch) in reach.default.iter().zip(&self.merges) {
            apply::apply(patch, document, [root]).map_err(Failure::input)?;
        }
        apply::apply_to(&self.ops, document, reach)
            .map_err(|d| failed(patch::ops(&self.ops), d))
    }
}

impl Patches {
    /// Applies the patches as [`Patches::apply`] does, for a history.
    pub fn record(
        self,
        document: &mut Tree,
        sources: &Sources,
        recorder: &mut Recorder,
    ) -> Result<Applied, Failure> {
        let reach = &self.reach;
        let mut has_merges = false;
        for (&root, patch) in reach.default.iter().zip(&self.merges) {
            recorder.merge(patch, document, root).map_err(Failure::input)?;
            has_merges |= !patch::ops(patch).is_empty();
        }
        let mut applied = recorder.apply(&self.ops, document, reach).map_err(|d| {
            Failure::ops(d, (patch::ops(&self.ops), reach.default.len()), sources)
        })?;
        applied.uses_default |= has_merges;
        Ok(applied)
    }
}

/// Adds the variables of one value of an option.
type AddBindings<'a> =
    fn(&mut InputReader<'a>, &OsStr, &mut Given) -> Result<(), Failure>;

/// The variables, as `((name))` inserts them and as templates see them.
#[derive(Default)]
struct Given {
    inserted: Bindings,
    seen: Bindings,
}

/// A value that is read as bosh reads it, and in the dialect of templates.
struct GivenDocument {
    inserted: Tree,
    seen: Tree,
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

impl<'a> InputReader<'a> {
    /// Prepares reading; `--root` limits it to a folder.
    pub fn new(
        input: &'a Input,
        output: &'a Output,
        dialect: Option<Dialect>,
        sources: &'a mut Sources,
    ) -> Result<Self, Failure> {
        if let Some(option) = input.patching.later.first() {
            return Err(later(option));
        }
        let world = match &input.safety.root {
            None => Os::default(),
            Some(root) => {
                Os::jailed(root).map_err(|e| unreadable(&Os::default(), root, &e))?
            }
        };
        let evaluates = input.evaluation.is_on();
        Ok(InputReader { input, output, dialect, sources, world, evaluates })
    }

    /// Reads the document at a path, compiles its directives and reads every ops-file.
    /// Fails with all errors of any of them.
    pub fn read(&mut self, path: &OsStr) -> Result<(Tree, Patches), Failure> {
        let base = self.base(path);
        let (base, ops) = both(base, self.all_ops())?;
        let patches = self.patches(&base, ops)?;
        Ok((base, patches))
    }

    /// Compiles the directives of the documents that a patch is for.
    pub fn patches(&mut self, base: &Tree, ops: Patch) -> Result<Patches, Failure> {
        let reach = self.reach(base)?;
        let merges = self.merges(base, &reach.default)?;
        Ok(Patches { merges, ops, reach })
    }

    /// Returns the documents of the stream that the patch is for.
    fn reach(&mut self, base: &Tree) -> Result<Reach, Failure> {
        let Some(selector) = self.input.patching.selectors.first() else {
            let roots = self.input.roots(base);
            // In bosh the other documents are not there.
            return Ok(match self.output.format() {
                Format::Bosh => Reach::only(roots),
                Format::Yaml | Format::Json => Reach::of(base, roots),
            });
        };
        let text = selector.text();
        let file = self.sources.add("--where", text);
        let place = Span { file, start: 0, end: text.len() as u32 };
        let all: Vec<usize> = (0..base.roots().len()).collect();
        let selector = selector.clone().at(place);
        let selected = selector.select(base, &all, self.input.query_steps())?;
        let warnings: Vec<Diagnostic> = selector.pattern_warnings().collect();
        warn(&warnings, self.sources, self.output);
        Ok(Reach::only(selected))
    }

    /// Reads a document by the rules of another one.
    pub fn read_as(&mut self, name: &OsStr, dialect: Dialect) -> Result<Tree, Failure> {
        let bytes = self.base_bytes(name)?;
        self.parse_as(name, bytes, DecodeTarget::Value, dialect).map_err(Failure::from)
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

    pub fn base(&mut self, name: &OsStr) -> Result<Tree, Failure> {
        let bytes = self.base_bytes(name);
        let bytes =
            bytes.map_err(|failure| bosh::argument(self.input, "base", 0, failure))?;
        self.document(name, bytes, DecodeTarget::Value)
    }

    fn base_bytes(&self, name: &OsStr) -> Result<Vec<u8>, Failure> {
        let path = self.home(Path::new(nonempty(name)?));
        self.world.read(&path).map_err(|error| {
            let place = std::path::absolute(&path).unwrap_or(path.clone());
            let failure = unreadable(&self.world, &path, &error);
            let failure = failure.verbatim(&opening(&place, &error));
            let missing = error.kind() == io::ErrorKind::NotFound;
            let command = missing.then(|| command_name::hint(&name.to_string_lossy()));
            failure.hint(command.flatten())
        })
    }

    pub fn all_ops(&mut self) -> Result<Patch, Failure> {
        let input = self.input;
        let wrong = |i| move |failure| bosh::argument(input, "ops_file", i, failure);
        let patches = input.patching.given.iter().map(|given| match given {
            GivenPatch::OpsFile(i, path) => self.ops(path).map_err(wrong(*i)),
            GivenPatch::Merge(path) => self.merge_patch(path),
            GivenPatch::Argument(verb, text) => {
                let options = self.input.reading(self.dialect.unwrap_or_default());
                let patch = compile::argument(self.sources, *verb, text, &options);
                patch.map_err(Failure::from)
            }
        });
        let mut patch = gather(patches).map(join)?;
        if let Some(anchors) = input.patching.anchors {
            patch.set_aliases(anchors.aliases());
        }
        patch.set_query_steps(input.query_steps());
        Ok(patch)
    }

    fn merge_patch(&mut self, path: &OsString) -> Result<Patch, Failure> {
        let path = Path::new(nonempty(path)?);
        let bytes = self.world.read(path).map_err(|error| {
            let reading = format!("Reading merge patch '{}'", path.display());
            unreadable_in(&self.world, &reading, path, &error)
        })?;
        let document = self.document(path.as_os_str(), bytes, DecodeTarget::Value)?;
        compile::merge_patch(&document).map_err(Failure::from)
    }

    fn merges(&mut self, base: &Tree, roots: &[usize]) -> Result<Vec<Patch>, Failure> {
        if self.input.reading.no_directives {
            return Ok(Vec::new());
        }
        let rules = self.input.rules(base.dialect());
        let patches = roots.iter().map(|&root| {
            compile::directives(base, root, self.sources, &self.world, &rules)
                .map_err(Failure::input)
        });
        gather(patches)
    }

    /// Replaces a leading `~`, as bosh does for BASE.
    // A shell leaves it in `--option=~/file`.
    fn home(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), self.world.env("HOME")) {
            (Ok(rest), Some(home)) => Path::new(&home).join(rest),
            _ => path.to_owned(),
        }
    }

    /// Reads an ops-file, or every ops-file of a folder.
    fn ops(&mut self, path: &OsString) -> Result<Patch, Failure> {
        let path = Path::new(nonempty(path)?);
        if !self.world.is_folder(path) {
            return self.ops_file(path);
        }
        let files =
            self.world.list(path).map_err(|e| unreadable(&self.world, path, &e))?;
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

    /// Returns true for files of a folder that a shell finds with `*.yml` and `*.yaml`.
    fn is_ops_file(&self, path: &Path) -> bool {
        let hidden =
            path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        let yaml = path.extension().is_some_and(|e| e == "yml" || e == "yaml");
        yaml && !hidden && !self.world.is_folder(path)
    }

    fn ops_file(&mut self, path: &Path) -> Result<Patch, Failure> {
        let name = path.display().to_string();
        let bytes = match path.as_os_str().to_str() {
            // bosh reads `-` as standard input for BASE only.
            Some("-") if self.output.format() == Format::Bosh => {
                self.world.read(Path::new("./-"))
            }
            _ => self.world.read(path),
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
            let warning =
                place.into_iter().fold(Diagnostic::warning(message), |d, at| {
                    d.label(at, "the second one")
                });
            warn(&[*warning], self.sources, self.output);
        }
        let patch = match self.output.format() {
            Format::Bosh => compile::ops(&document, &name),
            Format::Yaml | Format::Json => compile::patch(&document, &name),
        };
        patch.map_err(Failure::input)
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

    /// Reads the value of a variable. What the dialect of templates refuses is seen as
    /// bosh reads it.
    fn variable(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        target: DecodeTarget,
    ) -> diagnostic::Result<GivenDocument> {
        let inserted = self.secret(name, bytes, target)?;
        let source = self.sources.get(inserted.file()).clone();
        let asked = self.dialect.or_else(|| yaml::version(&source.text));
        let dialect = asked.unwrap_or_default();
        if !self.evaluates || dialect == Dialect::Go {
            return Ok(GivenDocument { seen: inserted.clone(), inserted });
        }
        let options = yaml::Options { strict: false, ..self.input.reading(dialect) };
        let file = self.sources.push(source);
        let seen = yaml::read(self.sources, file, &options);
        Ok(GivenDocument { seen: seen.unwrap_or_else(|_| inserted.clone()), inserted })
    }

    fn document(
        &mut self,
        name: &OsStr,
        bytes: Vec<u8>,
        target: DecodeTarget,
    ) -> Result<Tree, Failure> {
        self.parse_as(name, bytes, target, Dialect::default()).map_err(Failure::from)
    }

    /// Reads the text of a file.
    pub fn source(&mut self, name: &OsStr) -> Result<Source, Failure> {
        let bytes = self.base_bytes(name)?;
        let dialect = self.dialect.unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        yaml::decode(name, bytes, dialect).map_err(Failure::from)
    }

    /// Reads a document that was made of the one with this name.
    pub fn reread(&mut self, name: &OsStr, text: &str) -> Result<Tree, Failure> {
        self.document(name, text.as_bytes().to_vec(), DecodeTarget::Value)
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

    /// Reads the variables. Fails with all errors of any of them.
    pub fn given(&mut self) -> Result<Bindings, Failure> {
        let (mut given, mut failures) = (Given::default(), Vec::new());
        let options = &self.input.variables;
        let kinds: [(&str, &[OsString], AddBindings<'a>); 5] = [
            ("vars_env", &options.vars_env, Self::environment),
            ("vars_file", &options.vars_file, Self::vars_file),
            ("var_file", &options.var_file, Self::var_file),
            ("var", &options.var, Self::var),
            ("var_string", &options.var_string, Self::var_string),
        ];
        for (id, values, add) in kinds {
            for (i, value) in values.iter().enumerate() {
                let wrong = |failure| bosh::argument(self.input, id, i, failure);
                failures.extend(add(self, value, &mut given).err().map(wrong));
            }
        }
        let limit = self.input.depth() as usize;
        if given.inserted.depth() > limit {
            let message =
                format!("a variable's name has more than {limit} parts between dots");
            let diagnostic =
                Diagnostic::error(message).hint("`--limit depth=N` raises the limit");
            failures.push(Failure::input(vec![*diagnostic]));
        }
        let Given { mut inserted, seen } = given;
        inserted.set_for_templates(seen);
        failures.into_iter().reduce(Failure::and).map_or(Ok(inserted), Err)
    }

    fn environment(&mut self, prefix: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let prefix = prefix.to_string_lossy();
        if prefix.is_empty() {
            return Err(Failure::file(
                "Expected environment variable prefix to be non-empty",
            ));
        }
        for (key, value) in self.world.environment() {
            if let Some(name) = key.strip_prefix(&format!("{prefix}_")) {
                let document = self
                    .variable(&key, value.into_bytes(), DecodeTarget::Value)
                    .map_err(|error| {
                        Failure::from(error).within(&format!(
                            "Deserializing YAML from environment variable '{key}'"
                        ))
                    })?;
                given.inserted.add_document(name, &document.inserted);
                given.seen.add_document(name, &document.seen);
            }
        }
        Ok(())
    }

    fn vars_file(&mut self, path: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let name = path.to_string_lossy();
        let path = Path::new(nonempty(path)?);
        let place = if name == "-" { Path::new("./-") } else { path };
        let reading = format!("Reading variables file '{name}'");
        let bytes = self
            .world
            .read(place)
            .map_err(|e| unreadable_in(&self.world, &reading, path, &e))?;
        let within = |failure: Failure| {
            failure.within(&format!("Deserializing variables file '{name}'"))
        };
        let document = self
            .variable(&name, bytes, DecodeTarget::Entries)
            .map_err(|error| within(error.into()))?;
        let wrong = |error| within(Failure::from(error));
        given.inserted.add_entries(&document.inserted).map_err(wrong)?;
        given.seen.add_entries(&document.seen).map_err(wrong)
    }

    fn var_file(&mut self, pair: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let (name, path) = split(pair, "path")?;
        let path = self.home(Path::new(&path));
        let bytes = self.world.read(&path).map_err(|error| {
            let reading =
                |path: &Path| format!("Reading variable from file '{}'", path.display());
            let place = std::path::absolute(&path).unwrap_or(path.clone());
            let verbatim = format!("{}: {}", reading(&place), opening(&place, &error));
            unreadable_in(&self.world, &reading(&path), &path, &error).verbatim(&verbatim)
        })?;
        match String::from_utf8(bytes) {
            Ok(text) => {
                given.inserted.add_text(&name, &*text);
                given.seen.add_text(name, text);
            }
            // As Go has it, any bytes are a string.
            Err(error) => {
                let binary = format!("!!binary {}", to_base64(error.as_bytes()));
                let label = format!("--var-file {name}");
                let document =
                    self.secret(&label, binary.into_bytes(), DecodeTarget::Value)?;
                given.inserted.add_document(&*name, &document);
                given.seen.add_document(name, &document);
            }
        }
        Ok(())
    }

    /// Adds `NAME=VALUE`.
    // A string keeps its text, without a pair of quotes: YAML would take the end of
    // `a #b` for a comment.
    fn var(&mut self, pair: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let (name, value) = split(pair, "value")?;
        let label = format!("-v {name}");
        let document = self
            .variable(&label, value.clone().into_bytes(), DecodeTarget::Value)
            .map_err(|error| {
                let hint = format!("a text goes in quotes: -v '{name}=\"…\"'");
                Failure::from(error)
                    .within(&format!("Deserializing variables '{name}=…'"))
                    .hint(Some(hint))
            })?;
        add_value(&mut given.inserted, &name, &value, &document.inserted);
        add_value(&mut given.seen, &name, &value, &document.seen);
        Ok(())
    }

    /// Adds `NAME=TEXT`.
    fn var_string(&mut self, pair: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let (name, text) = split(pair, "text")?;
        given.inserted.add_text(&name, &*text);
        given.seen.add_text(name, text);
        Ok(())
    }

    pub fn store(&mut self, target: Option<&Path>) -> Result<Option<StoreFile>, Failure> {
        let Some(path) = &self.input.variables.vars_store else { return Ok(None) };
        let wrong = |failure| bosh::argument(self.input, "vars_store", 0, failure);
        let path = self.home(Path::new(nonempty(path).map_err(wrong)?));
        let path = std::path::absolute(&path).unwrap_or(path);
        if target.is_some_and(|target| self.world.is_same(target, &path)) {
            let message = "the result would be written over the vars-store";
            return Err(Failure::usage(message));
        }
        let read = match self.world.read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unreadable(&self.world, &path, &error)),
        };
        let (name, world) = (path.display().to_string(), self.world.clone());
        let document =
            self.secret(&name, read.clone().unwrap_or_default(), DecodeTarget::Entries);
        Ok(Some(StoreFile::new(Store::new(name, document), path, read, world)))
    }
}

/// Adds the value of `-v`, which reads as a document.
fn add_value(given: &mut Bindings, name: &str, value: &str, document: &Tree) {
    let root = document.root();
    match document.scalar(root) {
        Scalar::String(_) | Scalar::Binary(_) if document.kind(root) == Kind::Scalar => {
            given.add_text(name, unquoted(value));
        }
        _ => given.add_document(name, document),
    }
}

fn join(patches: Vec<Patch>) -> Patch {
    let mut all = Patch::default();
    patches.into_iter().for_each(|patch| all.extend(patch));
    all
}

/// Returns all results, or one failure of all failures.
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

fn nonempty(path: &OsStr) -> Result<&OsStr, Failure> {
    if path.is_empty() {
        Err(Failure::file("Expected file path to be non-empty"))
    } else {
        Ok(path)
    }
}

/// Splits at the first `=`. `what` names the right side; a value is not shown.
fn split(pair: &OsStr, what: &str) -> Result<(String, String), Failure> {
    let expected = |shown: &str, how: &str| {
        Failure::file(format!("Expected var '{shown}' to {how}"))
    };
    let Some(pair) = pair.to_str() else { return Err(expected("…", "be UTF-8")) };
    let Some((name, value)) = pair.split_once('=') else {
        let shown = if what != "path" { bosh::shown(pair) } else { pair };
        let help = format!("the name comes first: NAME={}", what.to_uppercase());
        let failure = expected(shown, &format!("be in format 'name={what}'"));
        return Err(failure.hint(Some(help)));
    };
    if name.is_empty() {
        let shown = if what == "value" { "=…" } else { pair };
        return Err(expected(shown, "specify non-empty name"));
    }
    if value.is_empty() {
        return Err(expected(pair, &format!("specify non-empty {what}")));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}
