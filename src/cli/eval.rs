//! `eval`: prints the value of an expression about a document. The main job evaluates
//! templates in a document with the same options.

use std::ffi::OsString;
use std::mem;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum, ValueHint};
use interpolate::unstable::diagnostic::{Diagnostic, Severity, shell_word};
use interpolate::unstable::eval::{self, Exception, Start, Strict, Value};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;

use super::failure::{Failure, Result, both, warn};
use super::main_options::{Common, MainOptions};
use super::options::{Format, Output, RESULT_OPTIONS, describe, hide};
use super::output;
use super::read::{InputReader, apply_patches, read_patched, read_variables};
use super::side_output::SideOutput;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct Eval {
    /// A template, a path, or a mapping in YAML
    #[arg(value_name = "EXPR")]
    expression: String,
    /// The document it is about; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    document: Option<OsString>,
    #[command(flatten)]
    selection: EvalOptions,
    #[command(flatten)]
    common: Common,
}

/// The options of `eval` alone.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evaluation")]
struct EvalOptions {
    /// The language of EXPR [default: jinja if there is `{{`, `{%` or `{#` in it, else unfurl]
    #[arg(long, value_name = "LANG")]
    lang: Option<ExpressionLanguage>,
    /// Print the list of all matches of an expression
    #[arg(long)]
    all: bool,
    /// Read DOCUMENT as a tree of `{name, attributes, instances}`
    #[arg(long)]
    instances: bool,
    /// Start at the instance of that name
    #[arg(long, value_name = "NAME")]
    at: Option<String>,
    /// The conditions that are errors: true, false, required or notnull
    ///
    /// An undefined name in a template is always an error, but for `false`. With `true` a
    /// value that needs itself is one too, with `required` also an expression without a
    /// result, with `notnull` also one whose result is null.
    #[arg(long, value_name = "HOW", value_parser = strictness)]
    strict: Option<Strict>,
}

const EXAMPLE: &str = "\
Examples:
  interpolate eval '{{ [1, 2] | sum }}'
  interpolate eval --lang unfurl 'jobs::name' manifest.yml
  interpolate eval --lang yaql '$.data.instance_groups.select($.name)' manifest.yml";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExpressionLanguage {
    /// Unfurl's: a path or, if it begins with `{`, a function
    Unfurl,
    /// Jinja as Ansible speaks it: a template
    Jinja,
    /// yaql as Heat runs it: an expression in which `$.data` is DOCUMENT
    Yaql,
    /// A YAML value with templates and expressions anywhere in it
    Any,
}

fn strictness(text: &str) -> std::result::Result<Strict, String> {
    Ok(match text.trim_matches('"') {
        "false" => Strict::Lenient,
        "true" => Strict::Cycles,
        "required" => Strict::Required,
        "notnull" => Strict::NotNull,
        _ => return Err("it is one of true, false, required and notnull".into()),
    })
}

pub fn command(command: clap::Command) -> clap::Command {
    let command = value_help(command, "DOCUMENT, EXPR and ops-files", "core");
    let raw = "Print the result without quotes, with --all each match on a line";
    describe(hide(command, &["output", "eval"]), "raw", raw)
        .mut_arg("raw", |it| it.hide(false))
}

impl Eval {
    /// Returns the options of the main job for DOCUMENT, and the others.
    pub fn split(mut self) -> (MainOptions, Eval) {
        (MainOptions::of(self.document.take(), mem::take(&mut self.common)), self)
    }
}

pub fn run(
    options: &MainOptions,
    Eval { expression, selection, .. }: &Eval,
    sources: &mut Sources,
) -> Result<ExitCode> {
    options.check()?;
    check_value(options, "a value", "an expression is about")?;
    let mut reader = InputReader::new(options, sources)?;
    reader.evaluates = true;
    let document =
        options.base.as_ref().map(|path| read_patched(&mut reader, path)).transpose();
    let (document, given) = both(document, read_variables(&mut reader))?;
    let world = reader.documents.clone();
    let document = match document {
        Some((mut document, patches)) => {
            let roots = patches.reach.default.clone();
            apply_patches(&patches, &mut document, None, sources)?;
            let [root] = roots[..] else {
                return Err(Failure::input([*Diagnostic::error(format!(
                    "--where selects {} documents, and an expression is about one",
                    roots.len()
                ))]));
            };
            let root = document.roots()[root];
            Some((document, root))
        }
        None => None,
    };
    let language = selection.lang.map(ExpressionLanguage::engine);
    let language = language.unwrap_or_else(|| eval::Language::of(expression));
    let rules = options.input.reading(options.dialect().unwrap_or_default());
    let file = sources.add("EXPR", expression.as_str());
    let source = language.read(sources, file, &rules)?;
    let mut pipeline = options.pipeline(world, Arc::new(given));
    let settings = &mut pipeline.evaluation.settings;
    // For templates of Ansible a mapping is data; those of Unfurl see its expressions.
    settings.expressions = language != eval::Language::Jinja || settings.python_literals;
    let mut session = pipeline.session().map_err(Failure::input)?;
    session.strict = selection.strict.unwrap_or(language.strict());
    let start = Start {
        all: selection.all,
        instances: selection.instances,
        at: selection.at.clone(),
    };
    if let Some((document, root)) = document {
        session = session.document(eval::read(&Arc::new(document), root), start);
    }
    let value = session.evaluate(language.name(), &source);
    let value = value.map_err(|exception| raised(&exception, sources))?;
    let is_unfurl = language == eval::Language::Unfurl && selection.lang.is_none();
    if is_unfurl && matches!(value, Value::None) {
        note_of_nothing(options, expression, sources);
    }
    let text = if options.output.raw {
        let mut blank = yaml::blank()?;
        let limit = options.input.expansion();
        let raw = eval::to_raw(&mut blank, &value, selection.all, limit);
        raw.map_err(|exception| raised(&exception, sources))??
    } else {
        print_value(options, &value, sources)?.into_bytes()
    };
    warn_of(&session.context.warnings(), sources, &options.output);
    let side = SideOutput { session: Some(session), ..SideOutput::default() };
    output::put_with(options, &[&text], side).map_err(Failure::from)
}

/// Notes that an expression has no result. It may be a path, or of another language.
fn note_of_nothing(options: &MainOptions, expression: &str, sources: &Sources) {
    let note = Diagnostic::note("the expression of Unfurl has no result");
    let path = shell_word(expression);
    let is_path = expression.starts_with('.') && !expression.contains([' ', '(']);
    let hint = if is_path {
        format!("`interpolate FILE --path {path}` reads a value by its path")
    } else {
        "`--lang` names another language: `jinja` or `yaql`".to_owned()
    };
    warn(&[*note.hint(hint)], sources, &options.output);
}

/// Prints the warnings of a run.
pub fn warn_of(warnings: &[Exception], sources: &Sources, output: &Output) {
    let warnings = warnings.iter().map(|warning| {
        let severity = Severity::Warning;
        Diagnostic { severity, ..*eval::report(warning, sources) }
    });
    warn(&warnings.collect::<Vec<_>>(), sources, output);
}

impl ExpressionLanguage {
    fn engine(self) -> eval::Language {
        match self {
            ExpressionLanguage::Unfurl => eval::Language::Unfurl,
            ExpressionLanguage::Jinja => eval::Language::Jinja,
            ExpressionLanguage::Yaql => eval::Language::Yaql,
            ExpressionLanguage::Any => eval::Language::Any,
        }
    }
}

/// Changes the help of a command that prints a value: only the format can be chosen.
/// `inputs` names the texts that the option `--schema` applies to.
pub fn value_help(
    command: clap::Command,
    inputs: &str,
    default: &'static str,
) -> clap::Command {
    let schema = format!("Dialect of {inputs} [default: {default}]");
    let format = "Format of the result: yaml or json [default: yaml]";
    hide(command, &RESULT_OPTIONS)
        .mut_arg("schema", |arg| arg.help(schema.clone()).long_help(schema))
        .mut_arg("format", |arg| {
            arg.help(format).long_help(format).hide_possible_values(true)
        })
}

/// Refuses options that have no meaning where `value` is printed for the document `is`.
pub fn check_value(options: &MainOptions, value: &str, is: &str) -> Result<()> {
    let output = &options.output;
    let wrong = if options.format() == Format::Bosh {
        format!("{value} is printed as YAML or JSON: that goes with no --format bosh")
    } else if let Some(option) = output.asking().filter(|option| *option != "--raw") {
        format!("{value} is printed: that goes with no {option}")
    } else if output.compares() {
        format!("{value} is printed: that goes with no -i, --diff or --check")
    } else if options.input.reading.all_documents {
        format!("{is} one document: this goes with no --all-documents")
    } else {
        return Ok(());
    };
    Err(Failure::usage(&wrong))
}

pub fn print_value(
    options: &MainOptions,
    value: &Value,
    sources: &mut Sources,
) -> Result<String> {
    let mut blank = yaml::blank()?;
    let written = match options.format() {
        Format::Json => eval::to_json(&mut blank, value, options.input.expansion()),
        Format::Yaml | Format::Bosh => eval::to_yaml(&mut blank, value).map(Ok),
    };
    // The process ends soon: freeing a large value takes longer than printing it.
    mem::forget(blank);
    written.map_err(|exception| raised(&exception, sources))?.map_err(Failure::from)
}

pub fn raised(exception: &Exception, sources: &Sources) -> Failure {
    Failure::from(eval::report(exception, sources))
}
