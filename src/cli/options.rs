//! The groups of options that commands share. Nothing of the program but options is
//! imported here, so that every other file can use them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgMatches, Args, Command, ValueEnum, ValueHint};
use interpolate::unstable::compile::{self, Verb};
use interpolate::unstable::eval::{Limits, Quota};
use interpolate::unstable::node::{Aliases, Tree};
use interpolate::unstable::patch;
use interpolate::unstable::pointer::Pointer;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::select::{self, DocumentSelector, Mistake, Query};
use interpolate::unstable::source::Allow;
use interpolate::unstable::target::Target;
use interpolate::unstable::yaml::{self, DecodeTarget};

use super::later_options::LaterOptions;

/// The options of a document that is read and patched.
#[derive(Debug, Args)]
pub struct Input {
    #[command(flatten)]
    pub patching: Patching,
    #[command(flatten)]
    pub variables: Variables,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub evaluation: Evaluation,
    #[command(flatten)]
    pub safety: Safety,
    /// The positions of the arguments on the command line.
    #[arg(skip)]
    pub matches: ArgMatches,
}

impl Input {
    /// Returns the options of a command that takes its documents as they are written.
    pub fn unpatched(reading: Reading, safety: Safety) -> Input {
        Input {
            patching: Patching::default(),
            variables: Variables::default(),
            reading,
            evaluation: Evaluation::default(),
            safety,
            matches: ArgMatches::default(),
        }
    }
}

/// The options about the result of the main job.
pub const RESULT_OPTIONS: [&str; 6] =
    ["in_place", "path", "paths", "diff", "check", "all_documents"];

/// Hides the options from the help of a command that it has no use for.
pub fn hide(command: Command, ids: &[&'static str]) -> Command {
    let hidden = |command: Command, &id| command.mut_arg(id, |arg| arg.hide(true));
    ids.iter().fold(command, hidden)
}

/// Replaces the help of an option of a command.
pub fn describe(command: Command, id: &'static str, help: &'static str) -> Command {
    command.mut_arg(id, |arg| arg.help(help).long_help(help))
}

/// Options of the patch.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Patching")]
pub struct Patching {
    /// Apply an ops-file, or every *.yml and *.yaml of a folder in name order
    ///
    /// May be given several times; ops are applied in the order given.
    /// FILE may also be a JSON Patch (a list whose items have `op`) or an OpenAPI Overlay. `-` is
    /// standard input. All options of this group are applied in the order given.
    #[arg(short, long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub ops_file: Vec<OsString>,
    /// Apply a JSON Merge Patch, written as YAML or JSON: mappings are merged, null removes
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub merge: Vec<OsString>,
    /// Replace or create a value: --set image.tag=1.10
    ///
    /// PATH is dotted (jobs[name=web].env['a.b']), begins with `/` (/jobs[name=web]/env) or is a
    /// JSONPath ($.jobs[*].env). VALUE is one YAML node, which keeps its spelling.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Replace or create a text, which is quoted where YAML needs it
    #[arg(long, value_name = "PATH=TEXT")]
    pub set_string: Vec<String>,
    /// Append a value to a list, unless it has an equal item; a missing list is made
    #[arg(long, value_name = "PATH=VALUE")]
    pub append: Vec<String>,
    /// The effect of an edit of a node that has an anchor on its aliases
    #[arg(long, value_name = "HOW")]
    pub anchors: Option<Anchors>,
    /// Remove a value
    #[arg(long, value_name = "PATH")]
    pub rm: Vec<String>,
    /// Move a value with its comments, or rename a key
    #[arg(long, value_name = "FROM=TO")]
    pub mv: Vec<String>,
    /// Copy a value with its comments
    #[arg(long, value_name = "FROM=TO")]
    pub cp: Vec<String>,
    /// Apply the patch to the documents of a stream that a selector chooses
    ///
    /// kind=Deployment,name=web.*,labels=(app=web,tier!=db), with the fields group, version, kind,
    /// name, namespace, labels and annotations, as in kustomize: anchored regular expressions, and
    /// label selectors. A selector that begins with `@`, `!` or `(` is a condition of JSONPath:
    /// `@.kind == 'Deployment'`. Without it, the patch is for the first document.
    #[arg(long = "where", value_name = "SELECTOR", value_parser = DocumentSelector::parse)]
    pub selectors: Vec<DocumentSelector>,
    #[command(flatten)]
    pub later: LaterOptions,
    /// The values of all these options, in the order given.
    #[arg(skip)]
    pub given: Vec<GivenPatch>,
}

/// The values of `--anchors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Anchors {
    /// Aliases keep the old value, as in bosh (the default)
    Copy,
    /// Aliases have the new value, and an edit of an alias edits the anchor's node
    Follow,
    /// The op fails
    Refuse,
}

impl Anchors {
    pub fn aliases(self) -> Aliases {
        match self {
            Anchors::Copy => Aliases::Keep,
            Anchors::Follow => Aliases::Follow,
            Anchors::Refuse => Aliases::Refuse,
        }
    }
}

/// A patch as the command line gives it.
#[derive(Clone, Debug)]
pub enum GivenPatch {
    /// `-o PATH`, and its number among the values of this option.
    OpsFile(usize, OsString),
    /// `--merge PATH`
    Merge(OsString),
    /// `--set PATH=VALUE` and the like.
    Argument(Verb, String),
}

impl Patching {
    /// Notes the order of the options on the command line.
    pub fn record(&mut self, matches: &ArgMatches) {
        let places = |id| matches.indices_of(id).into_iter().flatten();
        let files = self.ops_file.iter().cloned().enumerate();
        let files = files.map(|(at, path)| GivenPatch::OpsFile(at, path));
        let mut given: Vec<(usize, GivenPatch)> = places("ops_file").zip(files).collect();
        let merges = self.merge.iter().cloned().map(GivenPatch::Merge);
        given.extend(places("merge").zip(merges));
        for (verb, id, texts) in self.arguments() {
            let argument = |text: &String| GivenPatch::Argument(verb, text.clone());
            given.extend(places(id).zip(texts.iter().map(argument)));
        }
        given.sort_by_key(|(place, _)| *place);
        self.given = given.into_iter().map(|(_, patch)| patch).collect();
    }

    fn arguments(&self) -> [(Verb, &'static str, &[String]); 6] {
        [
            (Verb::Set, "set", &self.set),
            (Verb::SetString, "set_string", &self.set_string),
            (Verb::Append, "append", &self.append),
            (Verb::Remove, "rm", &self.rm),
            (Verb::Move, "mv", &self.mv),
            (Verb::Copy, "cp", &self.cp),
        ]
    }

    /// Returns the first option that bosh does not have.
    pub fn unknown_to_bosh(&self) -> Option<&'static str> {
        if self.anchors.is_some() {
            return Some("--anchors");
        }
        let mut options = self.given.iter().filter_map(|given| match given {
            GivenPatch::OpsFile(..) => None,
            GivenPatch::Merge(_) => Some("--merge"),
            GivenPatch::Argument(verb, _) => Some(verb.option()),
        });
        options.next().or_else(|| self.selectors.first().map(|_| "--where"))
    }
}

/// Options of `((names))`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Variables")]
pub struct Variables {
    /// Set a variable to a value, which is read as YAML unless it is a string
    ///
    /// Values are read as bosh reads them: YAML 1.1, where `yes` is a boolean and `010` is 8.
    /// A quoted value is a string: -v 'a="yes"'. If a name is given twice, the last one counts. -v
    /// overrides --var-file, then come --vars-file, --vars-env and --vars-store, in this order.
    #[arg(short, long, value_name = "NAME=VALUE")]
    pub var: Vec<OsString>,
    /// Set a variable to a text, which is never read as YAML
    ///
    /// -v tag=1.10 is the number 1.1; --var-string tag=1.10 is a text. It overrides -v.
    #[arg(long, value_name = "NAME=TEXT")]
    pub var_string: Vec<OsString>,
    /// Set a variable to the text of a file
    #[arg(long, value_name = "NAME=PATH")]
    pub var_file: Vec<OsString>,
    /// Read variables from a YAML file, a map of names to values
    #[arg(short = 'l', long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub vars_file: Vec<OsString>,
    /// Read variables from the environment: PREFIX_name=value
    #[arg(long, value_name = "PREFIX")]
    pub vars_env: Vec<OsString>,
    /// Read values from a file, and save the values generated for `variables:` in it
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub vars_store: Option<OsString>,
    /// Fail if a variable has no value
    #[arg(long)]
    pub var_errs: bool,
    /// Fail if a value is not used
    #[arg(long)]
    pub var_errs_unused: bool,
}

impl Variables {
    /// Returns true if the command line has values, which are never shown.
    pub fn are_given(&self) -> bool {
        !self.var.is_empty() || !self.var_string.is_empty()
    }
}

/// Options of reading.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct Reading {
    /// Dialect of BASE and ops-files [default: core]
    ///
    /// `--format bosh` implies `go`. Without this option, a line `%YAML 1.1` selects `yaml-1.1`.
    #[arg(long, value_name = "SCHEMA")]
    schema: Option<Schema>,
    /// Refuse documents that YAML 1.2 forbids although common readers accept them
    #[arg(long)]
    pub strict_yaml: bool,
    /// Patch and print every document of a stream, not only the first
    ///
    /// Without it, later documents are not changed, and `--format bosh` and `--format json` leave
    /// them out.
    #[arg(long)]
    pub all_documents: bool,
    /// Do not expand merge directives: keys such as `+/a` are plain keys
    #[arg(long)]
    pub no_directives: bool,
    /// Effect of an own list on an imported one [default: replace]
    #[arg(long, value_name = "HOW")]
    lists: Option<Lists>,
    /// Folder of the `repository` NAME of an include
    #[arg(long, value_name = "NAME=DIR", value_parser = repository)]
    repository: Vec<(String, PathBuf)>,
}

/// Options of evaluation.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Evaluation")]
pub struct Evaluation {
    /// Resolve Jinja templates and Unfurl expressions in the document
    ///
    /// LANGUAGES are `jinja`, `unfurl` or both, which is the default. With `--eval=jinja` every
    /// mapping is data, also `{ref: main}`. Variables and top-level keys of the document are
    /// available by name, and the document as SELF.
    #[arg(
        long,
        value_name = "LANGUAGES",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "jinja,unfurl"
    )]
    eval: Vec<EvalLanguage>,
    /// Read a result that looks like a Python literal as that literal
    ///
    /// Ansible did so before 2.19, and Unfurl does.
    #[arg(long)]
    pub python_literals: bool,
}

/// Options that protect against hostile input.
#[derive(Debug, Args)]
#[command(next_help_heading = "Safety")]
pub struct Safety {
    /// Refuse to read outside a folder, also through links
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// Permissions of includes, templates and expressions: env, file, url, pipe, write, or all
    /// [default: env,file]
    ///
    /// The list replaces the default: `file` allows reading files, `write` writing them, `pipe`
    /// running programs.
    #[arg(long, value_name = "LIST")]
    allow: Vec<Allow>,
    /// Set a limit: depth, expansion, include-bytes, include-depth, query-steps, fuel, output, eval-depth,
    /// yaql-iterators or yaql-memory
    ///
    /// `depth` limits the nesting of collections, `expansion` the bytes of a document with its
    /// aliases and directives expanded, `include-bytes` the bytes of all included files,
    /// `include-depth` the nesting of includes, `query-steps` the steps of each JSONPath. `fuel` limits the steps of all templates and
    /// expressions together, `output` the characters of one result, `eval-depth` the nesting of
    /// evaluations. `yaql-iterators` limits the members of a collection in yaql, `yaql-memory`
    /// the bytes of one value (0: no limit).
    #[arg(long, value_name = "NAME=N")]
    limit: Vec<Limit>,
}

/// A language that `--eval` evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EvalLanguage {
    /// Texts with `{{`, `{%` or `{#`
    Jinja,
    /// Mappings with `eval` or a function
    Unfurl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Schema {
    /// YAML 1.2: only `true` and `false` are booleans
    Core,
    /// Go's yaml.v2, as in bosh: `yes` and `on` are booleans too
    Go,
    /// YAML 1.1 as PyYAML reads it
    #[value(name = "yaml-1.1")]
    Yaml11,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Lists {
    /// It replaces the imported list, as documented
    Replace,
    /// Its items are added to it, as in Unfurl's code
    Union,
}

#[derive(Clone, Debug)]
struct Limit {
    name: &'static str,
    value: u64,
}

/// The names of limits.
pub const LIMITS: [&str; 10] = [
    "depth",
    "expansion",
    "include-bytes",
    "include-depth",
    "query-steps",
    "fuel",
    "output",
    "eval-depth",
    "yaql-iterators",
    "yaql-memory",
];

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let (name, value) = text.split_once('=').ok_or("a limit is NAME=N")?;
        let known = LIMITS.into_iter().find(|known| *known == name);
        let name = known.ok_or_else(|| {
            format!("there is no limit '{name}', only {}", LIMITS.join(", "))
        })?;
        let wrong = |error| format!("'{value}' is no limit: {error}");
        let value = match name {
            "depth" | "include-depth" | "eval-depth" => {
                value.parse::<u32>().map(u64::from)
            }
            _ => value.parse(),
        };
        value.map(|value| Limit { name, value }).map_err(wrong)
    }
}

fn query(text: &str) -> Result<Query, Mistake> {
    Query::parse(text).map_err(|error| error.told(text))
}

fn target(text: &str) -> Result<Target, Mistake> {
    let likely = || {
        let is_one = !text.contains(['*', '?', '=']) && !text.contains("[]");
        let pointer = Pointer::respelt(text).filter(|_| is_one);
        let is_path = text.contains(['.', '[']) || pointer.is_none();
        let query = select::meant(text).filter(|_| is_path);
        let meant = pointer.into_iter().chain(query).map(|path| format!("'{path}'"));
        let meant = meant.collect::<Vec<_>>().join(" or ");
        let is_other = !text.starts_with(['/', '$']) && !meant.is_empty();
        is_other.then(|| format!("did you mean {meant}?"))
    };
    Target::parse(text)
        .map_err(|mistake| Mistake { hint: mistake.hint.or_else(likely), ..mistake })
}

fn repository(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), folder.into()))
        }
        Some(_) | None => Err("a repository is NAME=DIR".into()),
    }
}

impl Evaluation {
    /// Returns true if the document is evaluated.
    pub fn is_on(&self) -> bool {
        !self.eval.is_empty()
    }

    /// Returns true if texts of the document may be templates.
    pub fn has_templates(&self) -> bool {
        !self.is_on() || self.eval.contains(&EvalLanguage::Jinja)
    }

    /// Returns true if mappings of the document may be expressions.
    pub fn has_expressions(&self) -> bool {
        !self.is_on() || self.eval.contains(&EvalLanguage::Unfurl)
    }
}

impl Safety {
    pub fn allow(&self) -> Allow {
        self.allow.iter().copied().reduce(Allow::or).unwrap_or_default()
    }
}

impl Input {
    pub fn dialect(&self) -> Option<Dialect> {
        match self.reading.schema {
            None if self.reading.strict_yaml => Some(Dialect::Core),
            None => None,
            Some(Schema::Core) => Some(Dialect::Core),
            Some(Schema::Go) => Some(Dialect::Go),
            Some(Schema::Yaml11) => Some(Dialect::Yaml11),
        }
    }

    /// Returns the options for reading a text of that dialect.
    pub fn reading(&self, dialect: Dialect) -> yaml::Options {
        let strict = self.reading.strict_yaml;
        yaml::Options {
            dialect,
            strict,
            depth: self.depth(),
            target: DecodeTarget::Value,
        }
    }

    /// Returns the rules for merge directives in a document of that dialect.
    pub fn rules(&self, dialect: Dialect) -> compile::Rules {
        let default = compile::Rules::default();
        compile::Rules {
            lists: match self.reading.lists {
                None | Some(Lists::Replace) => patch::Lists::Replace,
                Some(Lists::Union) => patch::Lists::Union,
            },
            allow: self.safety.allow(),
            repositories: self.reading.repository.clone(),
            yaml: self.reading(dialect),
            expansion: self.expansion(),
            include_bytes: self.limit("include-bytes").unwrap_or(default.include_bytes),
            include_depth: self
                .limit("include-depth")
                .map_or(default.include_depth, |depth| depth as u32),
        }
    }

    /// Returns the documents of the stream that the command works on, by position, unless
    /// `--where` chooses them.
    pub fn roots(&self, document: &Tree) -> Vec<usize> {
        let count = if self.reading.all_documents { document.roots().len() } else { 1 };
        (0..count).collect()
    }

    pub fn limit_evaluation(&self, limits: &mut Limits) {
        let set = |slot: &mut usize, name| {
            *slot = self.limit(name).map_or(*slot, |limit| limit as usize);
        };
        set(&mut limits.output, "output");
        set(&mut limits.depth, "eval-depth");
        limits.fuel = self.limit("fuel").unwrap_or(limits.fuel);
        limits.expansion = self.expansion();
    }

    /// Returns the limits of a value of a yaql expression.
    pub fn quota(&self) -> Quota {
        let default = Quota::default();
        let limit = |name, default| {
            self.limit(name).map_or(default, |n| i64::try_from(n).unwrap_or(i64::MAX))
        };
        Quota {
            iterators: limit("yaql-iterators", default.iterators),
            memory: limit("yaql-memory", default.memory),
        }
    }

    pub fn depth(&self) -> u32 {
        self.limit("depth").map_or(yaml::Options::default().depth, |depth| depth as u32)
    }

    /// Returns the maximum size of a document with aliases and directives expanded.
    pub fn expansion(&self) -> yaml::Expansion {
        let limit = self.limit("expansion");
        limit.map(|size| yaml::Expansion(size as usize)).unwrap_or_default()
    }

    /// Maximum number of steps of a query.
    pub fn query_steps(&self) -> u64 {
        self.limit("query-steps").unwrap_or(select::MAX_STEPS)
    }

    fn limit(&self, name: &str) -> Option<u64> {
        let mut limits = self.safety.limit.iter().rev();
        limits.find(|limit| limit.name == name).map(|limit| limit.value)
    }
}

/// Options of the output.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    /// Format of the result [default: yaml]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Print only the value at a path, e.g. /jobs/name=web/instances
    ///
    /// A string is printed without quotes. '' is the whole document. A path that begins with `$`
    /// is a JSONPath, of which the list of all matches is printed: '$.jobs[*].name'.
    #[arg(long, value_name = "PATH", value_parser = target)]
    pub path: Vec<Target>,
    /// Print the normalized paths of all matches of a JSONPath, one a line
    #[arg(long, value_name = "JSONPATH", value_parser = query, conflicts_with = "path")]
    pub paths: Option<Query>,
    /// Write the result back to BASE
    #[arg(short, long, conflicts_with_all = ["path", "paths", "output", "check"])]
    pub in_place: bool,
    /// Write the result to a file
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["diff", "check"]
    )]
    pub output: Option<PathBuf>,
    /// Print a unified diff of BASE and the result
    ///
    /// With -i, the result is written too.
    #[arg(long, conflicts_with_all = ["path", "paths"])]
    pub diff: bool,
    /// Print nothing; exit with 1 if BASE and the result differ
    #[arg(long, conflicts_with_all = ["path", "paths"])]
    pub check: bool,
    /// Colours in messages and diffs
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print only errors and the result
    #[arg(short, long)]
    pub quiet: bool,
    /// `--format json`; with `--format bosh` the report of bosh in JSON
    #[arg(long, hide = true)]
    pub json: bool,
    /// `--color never`, as bosh spells it
    #[arg(long, hide = true)]
    no_color: bool,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The text as it was read, except for changes
    Yaml,
    /// The output of `bosh interpolate`, byte for byte
    Bosh,
    /// One JSON value for each document, with its keys in their order
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Output {
    /// Returns the options of a command that only prints messages.
    pub fn of_messages(color: Color, quiet: bool) -> Output {
        Output { color, quiet, ..Output::default() }
    }

    /// Returns the options of a command that prints something other than the result.
    pub fn of(output: Option<PathBuf>, color: Color, quiet: bool) -> Output {
        Output { output, ..Output::of_messages(color, quiet) }
    }

    pub fn format(&self) -> Format {
        let default = if self.json { Format::Json } else { Format::Yaml };
        self.format.unwrap_or(default)
    }

    /// Returns the format, and sets the default: the command has a meaning of its own for it.
    pub fn take_format(&mut self) -> Format {
        let format = self.format();
        (self.format, self.json) = (None, false);
        format
    }

    /// Returns true if the result and errors are printed as bosh's report in JSON.
    pub fn reports_json(&self) -> bool {
        self.json && self.format() == Format::Bosh
    }

    /// Returns true if BASE and the result are compared.
    pub fn compares(&self) -> bool {
        self.diff || self.check || self.in_place
    }

    /// Returns true if text for `stream` is coloured.
    pub fn colour(&self, stream: &impl anstream::stream::RawStream) -> bool {
        let choice = match self.color {
            Color::Never => anstream::ColorChoice::Never,
            Color::Always => anstream::ColorChoice::Always,
            Color::Auto if self.no_color => anstream::ColorChoice::Never,
            Color::Auto => anstream::AutoStream::choice(stream),
        };
        choice != anstream::ColorChoice::Never
    }
}
