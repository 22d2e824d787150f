//! The input of `check`: documents, folders of them, ops-files and variables.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use interpolate::unstable::apply;
use interpolate::unstable::check::{self, Finding, Rule, Subject};
use interpolate::unstable::diagnostic;
use interpolate::unstable::language;
use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::{FileId, Os, Sources, Span, World};
use interpolate::unstable::variables::{self, Bindings, FillOptions};
use interpolate::unstable::yaml;

use crate::cli::failure::{Failure, Result, unreadable};
use crate::cli::main_options::MainOptions;
use crate::cli::options::GivenPatch;
use crate::cli::read::{
    InputReader, compile_patches, is_hidden, is_yaml_file, read_variables,
};

/// The reader of everything that is checked, and the findings so far.
pub struct CheckInput<'a> {
    options: &'a MainOptions,
    reader: InputReader<'a>,
    pub findings: Vec<Finding>,
    /// Number of files that were read.
    pub files: usize,
    /// Number of files of folders that are templates of other programs, and no YAML.
    pub templates: usize,
}

impl<'a> CheckInput<'a> {
    pub fn new(
        options: &'a MainOptions,
        sources: &'a mut Sources,
    ) -> Result<CheckInput<'a>> {
        let reader = InputReader::new(options, sources)?;
        Ok(CheckInput { options, reader, findings: Vec::new(), files: 0, templates: 0 })
    }

    /// Reads and checks everything.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn read_all(&mut self) -> Result<()> {
        let mut documents = Vec::new();
        for (path, folder) in self.bases()? {
            documents.extend(self.base(&path, folder)?);
        }
        let ops = self.ops()?;
        let given = read_variables(&mut self.reader);
        let given = self.found(Rule::Unreadable, given)?.unwrap_or_default();
        if let Some(ops) = &ops {
            let mut subjects = Vec::new();
            for document in documents {
                subjects.extend(self.subject(document, ops)?);
            }
            self.findings.extend(check::ops(ops, &subjects));
            self.variables(ops, &given, &subjects);
        }
        Ok(())
    }

    /// Returns the files of all BASEs, those of folders in the order of their names, with the
    /// folder.
    fn bases(&self) -> Result<Vec<(PathBuf, Option<&'a Path>)>> {
        let mut files = Vec::new();
        for base in self.options.bases() {
            let path = Path::new(base);
            if !self.reader.world.is_folder(path) {
                files.push((path.to_owned(), None));
                continue;
            }
            let mut todo = vec![path.to_owned()];
            let mut found = Vec::new();
            while let Some(folder) = todo.pop() {
                let entries = self.reader.world.list(&folder);
                let entries = entries
                    .map_err(|error| unreadable(&self.reader.world, &folder, &error))?;
                for entry in entries {
                    if self.reader.world.is_folder(&entry) {
                        // A link to a folder could lead around in a circle.
                        if !entry.is_symlink() && !is_hidden(&entry) {
                            todo.push(entry);
                        }
                    } else if is_yaml_file(&entry) {
                        found.push(entry);
                    }
                }
            }
            if found.is_empty() {
                let message = format!("no YAML files in folder '{}'", path.display());
                return Err(Failure::file(message)
                    .hint(Some("a YAML file is called *.yml or *.yaml".into())));
            }
            found.sort();
            // `./a.yml` is `a.yml` for people and for code scanning.
            files.extend(found.iter().map(|file| {
                (file.strip_prefix(".").unwrap_or(file).to_owned(), Some(path))
            }));
        }
        Ok(files)
    }

    /// Reads the ops. They are checked as texts, too. `None` if they cannot be read.
    fn ops(&mut self) -> Result<Option<Patch>> {
        let before = self.reader.sources.count();
        let ops = self.reader.read_ops();
        let files: Vec<FileId> = self.reader.sources.files().skip(before).collect();
        for file in files {
            // An argument is no file.
            if self.reader.sources.get(file).name.starts_with('-') {
                continue;
            }
            self.files += 1;
            if let Ok(tree) = read_again(self.options, self.reader.sources, file) {
                self.check_text(&tree);
                self.check_ops_file(&tree);
            }
        }
        self.found(Rule::FailingOp, ops)
    }

    fn check_text(&mut self, tree: &Tree) {
        self.findings.extend(check::text(tree));
        self.findings.extend(check::unknown_rules(tree.file(), self.reader.sources));
    }

    fn check_ops_file(&mut self, tree: &Tree) {
        self.findings.extend(check::ops_file(tree));
        let name = &self.reader.sources.get(tree.file()).name;
        let root = tree.root();
        let is_list = tree.kind(root) == Kind::Sequence;
        let is_empty = tree.is_null(root) || is_list && tree.items(root).is_empty();
        // A merge patch replaces the document if it is no mapping.
        let is_merge = self
            .options
            .input
            .patching
            .given
            .iter()
            .any(|given| matches!(given, GivenPatch::Merge(path) if path == &**name));
        if is_empty && !is_merge {
            let place = tree.span(tree.root());
            self.findings.push(check::unused_file(name, "it has no ops", place));
        }
    }

    /// Reads and checks one document. Returns it unless it is an ops-file.
    fn base(&mut self, path: &Path, folder: Option<&Path>) -> Result<Option<Tree>> {
        self.files += 1;
        let before = self.reader.sources.count();
        let tree = match folder {
            Some(folder) => self.reader.base_in(folder, path),
            None => self.reader.base(path.as_os_str()),
        };
        if tree.is_err() && folder.is_some() && self.is_template(before) {
            (self.files, self.templates) = (self.files - 1, self.templates + 1);
            return Ok(None);
        }
        let Some(tree) = self.found(Rule::Unreadable, tree)? else { return Ok(None) };
        self.check_text(&tree);
        if !language::is_patch(&tree) {
            return Ok(Some(tree));
        }
        self.findings.extend(check::ops_file(&tree));
        let compiled = language::patch(&tree, &path.display().to_string());
        self.findings.extend(compiled.err().into_iter().flatten().map(Finding::failure));
        Ok(None)
    }

    /// Returns true if the last source is a text with marks of templates, as ERB, Go and Jinja
    /// have them.
    fn is_template(&self, before: usize) -> bool {
        let last = self.reader.sources.files().skip(before).last();
        last.is_some_and(|file| {
            let text = &self.reader.sources.get(file).text;
            ["<%", "{{", "{%"].iter().any(|mark| text.contains(mark))
        })
    }

    /// Applies the directives of a document.
    fn subject(&mut self, mut tree: Tree, ops: &Patch) -> Result<Option<Subject>> {
        let patches = compile_patches(&mut self.reader, &tree, ops.clone());
        let applied = patches.and_then(|patches| {
            patches.expand(&mut tree).map_err(Failure::input)?;
            Ok(patches.reach)
        });
        let reach = self.found(Rule::FailingOp, applied)?;
        Ok(reach.map(|reach| Subject { tree, reach }))
    }

    /// Returns a result, or makes findings of what is wrong with the input.
    fn found<T>(&mut self, rule: Rule, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(failure) if failure.code == 2 => Err(failure),
            Err(failure) => {
                let found = failure.diagnostics.into_iter();
                self.findings.extend(found.map(|it| Finding::new(rule, it)));
                Ok(None)
            }
        }
    }

    /// Finds the variables without a use in any document.
    fn variables(&mut self, ops: &Patch, given: &Bindings, subjects: &[Subject]) {
        // Templates may use any name.
        if given.is_empty()
            || subjects.is_empty()
            || self.options.input.evaluation.is_on()
        {
            return;
        }
        let mut unused: Option<BTreeSet<String>> = None;
        for subject in subjects {
            let Some(names) = unused_in(subject, ops, given) else { return };
            unused = Some(match unused {
                None => names,
                Some(others) => others.intersection(&names).cloned().collect(),
            });
        }
        let unused = unused.unwrap_or_default();
        let mut groups: Vec<GivenValues> = Vec::new();
        for (name, place) in given.places() {
            let place = place.filter(|span| self.is_vars_file(span.file));
            let file = place.map(|span| span.file);
            if groups.last().is_none_or(|last| file.is_none() || last.file != file) {
                groups.push(GivenValues { file, ..GivenValues::default() });
            }
            if let Some(group) = groups.last_mut() {
                group.count += 1;
                // A part of a value may be used alone.
                let is_unused = unused.contains(name.split('.').next().unwrap_or(name));
                group.unused.extend(is_unused.then(|| (name.to_owned(), place)));
            }
        }
        for group in groups {
            self.findings.extend(match group.file {
                Some(file) if group.unused.len() == group.count => {
                    let name = &self.reader.sources.get(file).name;
                    let place = group.unused.first().and_then(|(_, place)| *place);
                    let what = "no ((name)) uses a variable of it";
                    vec![check::unused_file(name, what, place)]
                }
                _ => {
                    let unused = group.unused.iter();
                    unused.map(|(name, at)| check::unused_variable(name, *at)).collect()
                }
            });
        }
    }

    /// Returns true for a file of variables, and false for an option.
    fn is_vars_file(&self, file: FileId) -> bool {
        let name: &OsStr = self.reader.sources.get(file).name.as_ref();
        self.options.input.variables.vars_file.iter().any(|path: &OsString| path == name)
    }
}

/// Reads the document of a source that is known.
pub fn read_again(
    options: &MainOptions,
    sources: &Sources,
    file: FileId,
) -> diagnostic::Result<Tree> {
    let dialect = options.dialect().or_else(|| yaml::version(&sources.get(file).text));
    yaml::read(sources, file, &options.input.reading(dialect.unwrap_or_default()))
}

/// The values of one file, or one value of an option.
#[derive(Default)]
struct GivenValues {
    file: Option<FileId>,
    /// The names of those without a use, with their places.
    unused: Vec<(String, Option<Span>)>,
    /// Number of all values.
    count: usize,
}

/// Returns the variables that a document does not use after the ops.
fn unused_in(
    subject: &Subject,
    ops: &Patch,
    given: &Bindings,
) -> Option<BTreeSet<String>> {
    let mut tree = subject.tree.clone();
    let applied = apply::apply_to(ops, &mut tree, &subject.reach).ok()?;
    let roots: BTreeSet<usize> =
        subject.reach.default.iter().copied().chain(applied.selected).collect();
    let rules = FillOptions::default();
    let filled = variables::fill(&mut tree, roots, given, None, &Os::default(), &rules);
    Some(filled.ok()?.unused.into_iter().collect())
}
