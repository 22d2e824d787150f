//! The options of the main job. The other commands run parts of it and fill them from
//! their own options.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueHint};
use hashbrown::HashSet;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::job::Pipeline;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources, Span};
use interpolate::unstable::target::Target;
use interpolate::unstable::variables::{Bindings, FillOptions};

use super::bosh;
use super::failure::{Failure, Result, warn};
use super::habits::{expression_hint, is_foreign, is_it_ops, path_word_hint, word_hint};
use super::options::{
    COMMANDS, ErrorFormat, Format, Input, Output, Question, QuestionKind, Reading, Safety,
};

#[derive(Debug, Args)]
pub struct MainOptions {
    /// The document to patch; `-` is standard input
    ///
    /// Several are patched alike, with -i, --diff or --check, or read, with --path, --paths or
    /// --keys. Each stands or falls by itself.
    #[arg(
        value_name = "BASE",
        required = true,
        value_hint = ValueHint::FilePath,
        hide_short_help = true
    )]
    pub base: Option<OsString>,
    /// Other documents to patch, with -i, --diff, --check, --path, --paths or --keys
    #[arg(hide = true)]
    pub extra: Vec<OsString>,
    /// Number of the last BASEs that stand after `--`.
    #[arg(skip)]
    pub after_dashes: usize,
    /// True if the answer about another BASE was printed before.
    #[arg(skip)]
    pub follows: bool,
    /// The notes about ops that were told for another BASE: with their places in the patch.
    #[arg(skip)]
    told: RefCell<HashSet<(String, Option<Span>)>>,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub globals: Globals,
}

/// The options of the main job that other commands have, too.
#[derive(Debug, Default, Args)]
pub struct Common {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub globals: Globals,
}

/// Options of bosh without a meaning here.
// They are accepted so that pipelines need no change.
#[derive(Debug, Default, Args)]
pub struct Globals {
    #[arg(short, long, hide = true)]
    non_interactive: bool,
    #[arg(long, hide = true)]
    tty: bool,
    #[arg(long, hide = true)]
    sha2: bool,
    #[arg(short, long, hide = true)]
    environment: Option<OsString>,
    #[arg(short, long, hide = true)]
    deployment: Option<OsString>,
    #[arg(long, hide = true)]
    client: Option<OsString>,
    #[arg(long, hide = true)]
    client_secret: Option<OsString>,
    #[arg(long, hide = true)]
    ca_cert: Option<OsString>,
    #[arg(long, hide = true)]
    config: Option<OsString>,
    #[arg(long, hide = true)]
    parallel: Option<OsString>,
    #[arg(long, hide = true)]
    column: Vec<OsString>,
}

impl Globals {
    /// Returns the given options that take a value, which has no effect.
    pub fn ineffective(&self) -> Vec<&'static str> {
        let one = [
            ("-e", &self.environment),
            ("-d", &self.deployment),
            ("--client", &self.client),
            ("--client-secret", &self.client_secret),
            ("--ca-cert", &self.ca_cert),
            ("--config", &self.config),
            ("--parallel", &self.parallel),
        ];
        let one = one.into_iter().filter(|(_, value)| value.is_some());
        let column = (!self.column.is_empty()).then_some("--column");
        one.map(|(name, _)| name).chain(column).collect()
    }
}

/// The options of a command that takes all documents of its files, as they are written.
#[derive(Debug, Default, Args)]
pub struct Unpatched {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    safety: Safety,
    #[command(flatten)]
    globals: Globals,
}

impl From<Unpatched> for Common {
    fn from(options: Unpatched) -> Common {
        let Unpatched { mut reading, output, safety, globals } = options;
        reading.all_documents = true;
        let input = Input { reading, safety, ..Input::default() };
        Common { input, output, globals }
    }
}

impl MainOptions {
    /// Returns the options for a command with one document.
    pub fn of(base: Option<OsString>, common: Common) -> MainOptions {
        let Common { input, output, globals } = common;
        MainOptions {
            base,
            extra: Vec::new(),
            after_dashes: 0,
            follows: false,
            told: RefCell::default(),
            input,
            output,
            globals,
        }
    }

    pub fn check(&self) -> Result<()> {
        self.check_words()?;
        let bosh = self.format() == Format::Bosh;
        let dialect = self.dialect();
        let strict = self.input.reading.strict_yaml;
        let wrong = if self.input.patching.selectors.len() > 1 {
            "--where is given once, for the whole command; `where:` is the one of an op"
        } else if self.output.json && self.format() == Format::Yaml {
            "--json is a format of its own: it goes with no --format yaml"
        } else if bosh && (strict || dialect != Some(Dialect::Go)) {
            "--format bosh reads as bosh does: it goes with no other --schema and not \
             with --strict-yaml"
        } else if let Some(option) = self.unknown_to_bosh().filter(|_| bosh) {
            return Err(Failure::usage(&format!(
                "bosh has no {option}: it goes with no --format bosh"
            )));
        } else if let Some(name) = self.output_format() {
            return Err(Failure::usage(&format!(
                "--output is a file: `--format {name}` prints that; a file of this name is \
                 written './{name}'"
            )));
        } else if strict && dialect != Some(Dialect::Core) {
            "--strict-yaml is about YAML 1.2: it goes with --schema core only"
        } else if !bosh && self.stdin_count() > 1 {
            "only one of BASE and its patches can be standard input"
        } else if self.output.in_place && self.base() == "-" {
            "-i needs a file to write to, not standard input"
        } else if self.output.in_place && self.format() != Format::Yaml {
            "-i changes only what the patch changes; to write BASE in another format, \
             use --output FILE"
        } else {
            return Ok(());
        };
        Err(Failure::usage(wrong))
    }

    /// Returns the first option of patching or of the output that bosh does not have.
    fn unknown_to_bosh(&self) -> Option<&'static str> {
        let asking = self.output.asking().filter(|option| *option != "--path");
        let errors = (self.output.errors == ErrorFormat::Json).then_some("--errors");
        self.input.patching.unknown_to_bosh().or(asking).or(errors)
    }

    /// Returns the name of a format that stands in the place of the output file.
    fn output_format(&self) -> Option<&str> {
        let name = self.output.output.as_ref()?.to_str()?;
        matches!(name, "json" | "yaml").then_some(name)
    }

    /// Number of documents and patches that are standard input.
    // bosh reads `-` as standard input for BASE only.
    fn stdin_count(&self) -> usize {
        let patching = &self.input.patching;
        let patches = patching.ops_file.iter().chain(&patching.merge);
        self.bases().chain(patches).filter(|path| *path == "-").count()
    }

    /// Prints notes about a patch, each for the first BASE only that it is about. `--format bosh`
    /// prints none.
    pub fn note_once(&self, notes: impl Iterator<Item = Diagnostic>, sources: &Sources) {
        let mut told = self.told.borrow_mut();
        let is_new = |note: &Diagnostic| {
            told.insert((note.message.clone(), note.labels.first().map(|it| it.span)))
        };
        let notes: Vec<Diagnostic> = notes.filter(is_new).collect();
        if self.format() != Format::Bosh {
            warn(&notes, sources, &self.output);
        }
    }

    /// Warns about options that were given and have no effect.
    pub fn warn(&self, sources: &Sources) {
        let mut notes = Vec::new();
        let ineffective = self.globals.ineffective();
        if !ineffective.is_empty() {
            let have = if ineffective.len() == 1 { "has" } else { "have" };
            notes.push(format!("{} {have} no effect here", ineffective.join(", ")));
        }
        if let [others @ .., last] = &self.output.path[..]
            && !others.is_empty()
        {
            let others = others.iter().map(|path| format!("'{}'", path.text()));
            let others = others.collect::<Vec<_>>().join(", ");
            let last = last.text();
            notes.push(format!("the last --path counts, '{last}', and not {others}"));
        }
        let notes = notes.into_iter().map(|note| *Diagnostic::warning(note));
        let mut notes = notes.collect::<Vec<_>>();
        let expression = self.globals.environment.as_ref().and_then(|it| it.to_str());
        let meant = expression.and_then(expression_hint);
        if let (Some(meant), Some(note)) = (meant, notes.first_mut()) {
            note.hints.push(format!("an expression is an option here: {meant}"));
        }
        warn(&notes, sources, &self.output);
    }

    /// Returns the paths of all documents to patch, as they were given.
    pub fn bases(&self) -> impl Iterator<Item = &OsString> {
        self.base.iter().chain(&self.extra)
    }

    /// Returns the path of the document to patch, as it was given.
    pub fn base(&self) -> OsString {
        self.base.clone().unwrap_or_default()
    }

    pub fn format(&self) -> Format {
        self.output.format()
    }

    /// Returns the question whose answer is printed; `None` if the whole result is.
    pub fn question(&self) -> Option<Question<'_>> {
        let question = self.output.question()?;
        // Of the whole result, `yaml` prints all comments.
        let is_whole = question.kind == QuestionKind::Value
            && self.format() == Format::Yaml
            && !self.output.raw
            && self.input.patching.selectors.is_empty()
            && question.path.target(Format::Yaml).is_ok_and(|it| it == Target::default());
        (!is_whole).then_some(question)
    }

    /// Refuses words that are no BASEs: those of another tool, or parts of a value.
    fn check_words(&self) -> Result<()> {
        let is_bosh = self.format() == Format::Bosh;
        let bases: Vec<&OsString> = self.bases().collect();
        let before_dashes = bases.len().saturating_sub(self.after_dashes);
        let typed = bases[..before_dashes].iter().map(|it| it.to_string_lossy());
        if let Some(word) = typed.into_iter().find(|word| is_foreign(word) && !is_bosh) {
            let others = self.bases().filter(|base| **base != *word).cloned();
            let others = others.collect::<Vec<_>>();
            let failure = Failure::usage(&format!("'{word}' is no file and no command"));
            return Err(failure.hint(word_hint(&word, &others)));
        }
        let is_for_many = self.output.compares() || self.question().is_some() && !is_bosh;
        let Some(extra) = self.extra.first().filter(|_| !is_for_many) else {
            return Ok(());
        };
        let extra = extra.display();
        let values = self.input.variables.are_given();
        let base = self.base();
        let is_file = Path::new(&base).exists();
        let command =
            word_hint(&base.to_string_lossy(), &self.extra).filter(|_| !is_file);
        let is_command = COMMANDS.iter().any(|name| *base == **name);
        let wrong = if let Some(command) = command.clone().filter(|_| is_command) {
            format!("'{}' stands in the place of BASE; {command}", base.display())
        } else if let Some(command) = command {
            format!("there is no command '{}'; {command}", base.display())
        } else if let Some(whole) = self.input.patching.cut_value(&self.extra) {
            format!("'{extra}' is no file: quote a value with blanks: {whole}")
        } else if values {
            // The extra argument may be a part of a value.
            "there is one BASE; quote a value with spaces: -v 'NAME=A B'".into()
        } else if let Some(hint) =
            path_word_hint(&base.to_string_lossy(), &extra.to_string())
                .filter(|_| !is_bosh)
        {
            format!("'{extra}' is no file; {hint}")
        } else {
            let question = is_it_ops(&extra.to_string());
            format!("several BASEs need -i, --diff, --check or --path; {question}")
        };
        let refusal = bosh::unsupported(&self.extra, values);
        Err(Failure::usage(&wrong).verbatim(&refusal))
    }

    /// Refuses a path that is none in the format of the result, and options that need one.
    pub fn check_question(&self) -> Result<()> {
        let Output { raw, default, with_filename, .. } = &self.output;
        let question = self.question();
        if let Some(Question { kind, path }) = question
            && (kind == QuestionKind::Value || self.format() != Format::Bosh)
            && let Err(mistake) = path.target(self.format())
        {
            let text = path.text();
            let option = kind.option();
            let wrong =
                format!("invalid value '{text}' for '{option} <PATH>': {mistake}");
            let failure = Failure::usage(&wrong).verbatim(&mistake.message);
            return Err(bosh::argument(&self.input, "path", 0, failure));
        }
        let needs_path = [
            ("--raw", *raw),
            ("--default", default.is_some()),
            ("--with-filename", *with_filename),
        ];
        let needs_path = needs_path.into_iter().find(|(_, is_given)| *is_given);
        match needs_path {
            Some((option, _)) if question.is_none() && self.format() != Format::Bosh => {
                self.check_words()?;
                Err(Failure::usage(&format!(
                    "{option} is about what --path, --paths or --keys finds: name a place"
                )))
            }
            _ => Ok(()),
        }
    }

    pub fn dialect(&self) -> Option<Dialect> {
        match self.input.reading.dialect() {
            None if self.format() == Format::Bosh => Some(Dialect::Go),
            given => given,
        }
    }

    /// Returns the conditions that are errors in variables.
    pub fn rules(&self) -> FillOptions {
        FillOptions {
            missing: self.input.variables.var_errs,
            unused: self.input.variables.var_errs_unused,
            section: self.format() == Format::Bosh
                || self.input.variables.vars_store.is_some(),
            expansion: self.input.expansion(),
            names_of_bosh: self.format() == Format::Bosh,
        }
    }

    /// Returns the pipeline that the options ask for, with the values of variables.
    pub fn pipeline(&self, world: Os, given: Arc<Bindings>) -> Pipeline {
        Pipeline {
            world: Arc::new(world),
            rules: self.input.rules(self.dialect().unwrap_or_default()),
            expands: !self.input.reading.no_directives,
            all_documents: self.input.reading.all_documents,
            given,
            filling: self.rules(),
            evaluation: self.input.evaluation(),
        }
    }

    pub fn target(&self) -> Option<PathBuf> {
        let in_place = self.output.in_place;
        self.output.output.clone().or_else(|| in_place.then(|| self.base().into()))
    }
}
