//! The options of the main job. The other commands run parts of it and fill them from
//! their own options.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueHint};
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::job::Pipeline;
use interpolate::unstable::pointer::Pointer;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::target::Target;
use interpolate::unstable::variables::{Bindings, FillOptions};

use super::bosh;
use super::failure::{Failure, Result, warn};
use super::options::{COMMANDS, Format, Input, Output, Reading, Safety, command_hint};

#[derive(Debug, Args)]
pub struct MainOptions {
    /// The document to patch; `-` is standard input
    #[arg(value_name = "BASE", required = true, value_hint = ValueHint::FilePath)]
    pub base: Option<OsString>,
    /// Other documents to patch, with -i, --diff or --check
    #[arg(hide = true)]
    pub extra: Vec<OsString>,
    /// Number of the last BASEs that stand after `--`.
    #[arg(skip)]
    pub after_dashes: usize,
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
        MainOptions { base, extra: Vec::new(), after_dashes: 0, input, output, globals }
    }

    pub fn check(&self) -> Result<()> {
        if let Some(extra) = self.extra.first().filter(|_| !self.output.compares()) {
            let extra = extra.display();
            let values = self.input.variables.are_given();
            let base = self.base();
            let is_file = Path::new(&base).exists();
            let command = command_hint(&base.to_string_lossy()).filter(|_| !is_file);
            let is_command = COMMANDS.iter().any(|name| *base == **name);
            let wrong = if let Some(command) = command.clone().filter(|_| is_command) {
                format!("'{}' stands in the place of BASE; {command}", base.display())
            } else if let Some(command) = command {
                format!("there is no command '{}'; {command}", base.display())
            } else if values {
                // The extra argument may be a part of a value.
                "there is one BASE; quote a value with spaces: -v 'NAME=A B'".into()
            } else {
                format!(
                    "several BASEs need -i, --diff or --check; is '{extra}' an ops-file? \
                     Then write -o {extra}"
                )
            };
            let refusal = bosh::unsupported(&self.extra, values);
            return Err(Failure::usage(&wrong).verbatim(&refusal));
        }
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
        } else if let (true, Some(option)) = (bosh, self.input.patching.unknown_to_bosh())
        {
            return Err(Failure::usage(&format!(
                "bosh has no {option}: it goes with no --format bosh"
            )));
        } else if bosh && self.has_query() {
            "a path of bosh begins with '/': a JSONPath goes with no --format bosh"
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

    /// Number of documents and patches that are standard input.
    // bosh reads `-` as standard input for BASE only.
    fn stdin_count(&self) -> usize {
        let patching = &self.input.patching;
        let patches = patching.ops_file.iter().chain(&patching.merge);
        self.bases().chain(patches).filter(|path| *path == "-").count()
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
            let others = others.iter().map(|path| format!("'{path}'"));
            let others = others.collect::<Vec<_>>().join(", ");
            notes.push(format!("the last --path counts, '{last}', and not {others}"));
        }
        let notes = notes.into_iter().map(|note| *Diagnostic::warning(note));
        warn(&notes.collect::<Vec<_>>(), sources, &self.output);
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

    /// Returns the path of the value that is printed; `None` for the whole of BASE.
    pub fn path(&self) -> Option<&Target> {
        let path = self.output.path.last()?;
        // An empty path is the whole document, which `yaml` prints with all comments.
        let is_whole = *path == Target::Pointer(Pointer::default());
        (self.format() != Format::Yaml || !is_whole).then_some(path)
    }

    fn has_query(&self) -> bool {
        matches!(self.path(), Some(Target::Query(_))) || self.output.paths.is_some()
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
