//! `hot`: resolves a Heat template and prints the result.

use std::ffi::{OsStr, OsString};
use std::mem;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum, ValueHint};
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::eval::{
    self, Context, Dict, Exception, Key, LanguageSettings, Value,
};
use interpolate::unstable::hot::{self, Evaluated, File, SectionError, Unresolved};
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Sources, World};

use super::failure::{Failure, Result, unreadable};
use super::main_options::{Common, MainOptions};
use super::options::{Format, Input, Output};
use super::read::InputReader;
use super::side_output::{Patched, SideOutput, Undelivered};
use super::{eval as evaluation, interpolate as main_job, output};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct Hot {
    /// The template; `-` is standard input
    #[arg(value_name = "TEMPLATE", value_hint = ValueHint::FilePath)]
    template: OsString,
    #[command(flatten)]
    given: StackOptions,
    #[command(flatten)]
    selection: HotOptions,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Stack")]
struct StackOptions {
    /// Read an environment; those that follow are merged into it
    #[arg(short, long = "environment", value_name = "ENV", value_hint = ValueHint::FilePath)]
    environment: Vec<OsString>,
    /// Give a parameter a value
    #[arg(short = 'P', long = "parameter", value_name = "NAME=VALUE")]
    parameter: Vec<String>,
    /// Read the values of parameters, a map of names to values
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    params: Option<OsString>,
    /// Read the values of parameters that are given none
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    param_defaults: Option<OsString>,
    /// Read the attributes of resources: {resource: {attribute: value}}
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    attrs: Option<OsString>,
    /// Read the physical names of resources: {resource: id}
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    ids: Option<OsString>,
    /// The file that get_file reads for KEY; other keys are read from where the template
    /// lies
    #[arg(long, value_name = "KEY=PATH")]
    file: Vec<String>,
    /// Read the resource that the template stands for: metadata, deletion_policy, update_policy
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    facade: Option<OsString>,
    /// OS::stack_name
    #[arg(long, value_name = "S", default_value = "stack")]
    stack_name: String,
    /// OS::stack_id
    #[arg(long, value_name = "I", default_value = "")]
    stack_id: String,
    /// OS::project_id
    #[arg(long, value_name = "P", default_value = "")]
    project_id: String,
    /// A zone that Fn::GetAZs lists
    #[arg(long, value_name = "Z", default_value = "nova")]
    availability_zone: Vec<String>,
    /// Read the parameters of the last run, or all that it printed: changing an immutable one
    /// is refused
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    previous: Option<OsString>,
    /// The result of get_attr and get_resource for a resource that is not there yet
    #[arg(long, value_name = "HOW", default_value = "null")]
    unresolved: UnresolvedPolicy,
    /// The most elements of a collection in a yaql expression, as `--limit yaql-iterators`
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    yaql_limit_iterators: Option<i64>,
    /// The most bytes of a value in a yaql expression, as `--limit yaql-memory`
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    yaql_memory_quota: Option<i64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct HotOptions {
    /// Print some sections only, e.g. resources,outputs
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    section: Vec<PrintedSection>,
    /// Print the value of one output only
    #[arg(long, value_name = "NAME", conflicts_with = "section")]
    output_value: Option<String>,
    /// Check the template and print nothing
    ///
    /// Parameters without a default need a value, as they do when a stack is created.
    /// Functions in properties and outputs are not resolved, nor are conditions that
    /// nothing uses. Only a cloud can check the types of resources, their properties and
    /// attributes, and constraints such as nova.flavor: these are not checked.
    #[arg(long, conflicts_with_all = ["section", "output_value"])]
    validate_only: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnresolvedPolicy {
    /// As Heat: an attribute is null, an id is the resource's name
    Null,
    /// It is an error
    Error,
    /// The function stays in place, and those around it
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum PrintedSection {
    Parameters,
    Conditions,
    Resources,
    DisabledResources,
    Outputs,
}

const EXAMPLE: &str = "\
Examples:
  interpolate hot stack.yaml -e site.yaml -P flavor=m1.small
  interpolate hot stack.yaml --attrs attributes.json --output-value url";

pub fn command(command: clap::Command) -> clap::Command {
    evaluation::value_help(command, "TEMPLATE and ops-files", "yaml-1.1")
}

impl Hot {
    /// Returns the options of the main job, and the others.
    pub fn split(mut self) -> (MainOptions, Hot) {
        let input = mem::take(&mut self.input);
        let output = mem::take(&mut self.output);
        let common = Common { input, output, ..Common::default() };
        (MainOptions::of(Some(mem::take(&mut self.template)), common), self)
    }
}

pub fn run(options: &MainOptions, job: &Hot, sources: &mut Sources) -> Result<ExitCode> {
    options.check()?;
    evaluation::check_value(options, "a stack", "a template is")?;
    if !options.input.patching.selectors.is_empty() {
        return Err(Failure::usage(
            "a template is one document: this goes with no --where",
        ));
    }
    let dialect = options.dialect().unwrap_or(Dialect::Yaml11);
    let (draft, store) = main_job::draft(options, Some(dialect), sources)?;
    draft.settle(options, store, sources, |patched, sources| {
        deliver(options, job, patched, sources)
    })
}

/// Evaluates a template, and prints the stack.
fn deliver(
    options: &MainOptions,
    Hot { given, selection, .. }: &Hot,
    Patched { document, side, .. }: Patched,
    sources: &mut Sources,
) -> std::result::Result<ExitCode, Undelivered> {
    let mut reader = InputReader::new(options, sources)?;
    reader.dialect = Some(Dialect::Yaml11);
    let mut input = given.read(&mut reader)?;
    let world = Arc::new(reader.documents.clone());
    input.sources = sources.clone();
    let folder = std::env::current_dir().unwrap_or_default();
    let allow = options.input.safety.allow();
    let mut quota = options.input.quota();
    quota.iterators = given.yaql_limit_iterators.unwrap_or(quota.iterators);
    quota.memory = given.yaql_memory_quota.unwrap_or(quota.memory);
    let settings = LanguageSettings { quota, ..LanguageSettings::default() };
    let mut context = Context::new(world, allow, folder, eval::languages(&settings));
    context.limits = options.input.evaluation_limits();
    let evaluated =
        hot::evaluate(Arc::new(document), input, context, selection.validate_only);
    let evaluated = evaluated.map_err(|wrong| failure(&wrong, sources))?;
    evaluation::warn_of(&evaluated.warnings, sources, &options.output);
    let failed = evaluated.failed.iter().filter(|failed| selection.about(failed));
    let failed: Vec<_> = failed.map(|failed| failed.exception.clone()).collect();
    // An incomplete result replaces no file.
    if !selection.validate_only && (failed.is_empty() || options.target().is_none()) {
        let text = selection.print(options, &evaluated, sources)?;
        let side = if failed.is_empty() { side } else { SideOutput::default() };
        output::put_with(options, &[text.as_bytes()], side)?;
    }
    // The process ends soon: freeing a large result takes longer than printing it.
    mem::forget(evaluated);
    if failed.is_empty() {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(failure(&failed, sources).into())
    }
}

fn failure(wrong: &[Exception], sources: &Sources) -> Failure {
    Failure::input(wrong.iter().map(|exception| *eval::report(exception, sources)))
}

impl StackOptions {
    fn read(&self, reader: &mut InputReader) -> Result<hot::Input> {
        let mut environments = Vec::new();
        for path in &self.environment {
            environments.push(file(reader, path)?);
        }
        let given = Dict::default();
        for pair in &self.parameter {
            let (name, value) = split(pair, "-P NAME=VALUE")?;
            given.set(Key::text(name), Value::text(value));
        }
        let mut files = indexmap::IndexMap::new();
        for pair in &self.file {
            let (key, path) = split(pair, "--file KEY=PATH")?;
            files.insert(key.to_owned(), text(reader, Path::new(path))?);
        }
        Ok(hot::Input {
            sources: Sources::default(),
            environments,
            parameters: optional_file(reader, &self.params)?
                .into_iter()
                .chain([File::from(Value::Dict(given))])
                .collect(),
            defaults: optional_file(reader, &self.param_defaults)?,
            attributes: optional_file(reader, &self.attrs)?,
            ids: optional_file(reader, &self.ids)?,
            files,
            facade: optional_file(reader, &self.facade)?,
            stack_name: self.stack_name.clone(),
            stack_id: self.stack_id.clone(),
            project_id: self.project_id.clone(),
            zones: self.availability_zone.clone(),
            unresolved: match self.unresolved {
                UnresolvedPolicy::Null => Unresolved::Null,
                UnresolvedPolicy::Error => Unresolved::Error,
                UnresolvedPolicy::Keep => Unresolved::Keep,
            },
            previous: optional_file(reader, &self.previous)?,
        })
    }
}

/// Reads a file of values, which may be secret.
fn optional_file(
    reader: &mut InputReader,
    path: &Option<OsString>,
) -> Result<Option<File>> {
    path.as_deref().map(|path| file(reader, path)).transpose()
}

fn file(reader: &mut InputReader, path: &OsStr) -> Result<File> {
    let bytes = bytes(reader, Path::new(path))?;
    let name = path.to_string_lossy();
    let document = reader.given_value(&name, bytes)?;
    let read = File::read(name, document, reader.input.expansion());
    read.map_err(|raised| evaluation::raised(&raised, reader.sources))
}

fn text(reader: &InputReader, path: &Path) -> Result<String> {
    let text = String::from_utf8(bytes(reader, path)?);
    text.map_err(|_| Failure::file(format!("'{}' is not UTF-8", path.display())))
}

fn bytes(reader: &InputReader, path: &Path) -> Result<Vec<u8>> {
    reader.world.read(path).map_err(|error| unreadable(&reader.world, path, &error))
}

fn split<'p>(pair: &'p str, form: &str) -> Result<(&'p str, &'p str)> {
    let parts = pair.split_once('=').filter(|(name, _)| !name.is_empty());
    parts.ok_or_else(|| Failure::usage(&format!("expected {form}")))
}

impl HotOptions {
    /// Returns true if a section that failed is selected.
    fn about(&self, failed: &SectionError) -> bool {
        let (section, is_named) = match failed.section {
            hot::Section::Condition => (PrintedSection::Conditions, false),
            hot::Section::Output => (
                PrintedSection::Outputs,
                self.output_value.as_ref() == Some(&failed.name),
            ),
        };
        match self.output_value {
            Some(_) => is_named,
            None => self.section.is_empty() || self.section.contains(&section),
        }
    }

    fn print(
        &self,
        options: &MainOptions,
        evaluated: &Evaluated,
        sources: &mut Sources,
    ) -> Result<String> {
        if let Some(name) = &self.output_value {
            let found = evaluated.outputs.get_text(name);
            let found = found.map_err(|raised| evaluation::raised(&raised, sources))?;
            return match found {
                Some(Value::Str(text)) if options.format() == Format::Yaml => {
                    Ok(format!("{}\n", &*text))
                }
                Some(value) => evaluation::print_value(options, &value, sources),
                None if evaluated.failed.iter().any(|failed| self.about(failed)) => {
                    Ok(String::new())
                }
                None => Err(Failure::input([*Diagnostic::error(format!(
                    "there is no output '{name}'"
                ))])),
            };
        }
        let all = self.section.is_empty();
        let sections = PrintedSection::value_variants()
            .iter()
            .filter(|s| all || self.section.contains(s));
        let entry = |section: &PrintedSection| {
            let name = section.to_possible_value()?;
            Some((Key::text(name.get_name()), section.of(evaluated, options.format())))
        };
        let value = Value::Dict(sections.filter_map(entry).collect());
        evaluation::print_value(options, &value, sources)
    }
}

impl PrintedSection {
    fn of(self, evaluated: &Evaluated, format: Format) -> Value {
        Value::Dict(match self {
            // Scripts get the values that functions used; people see no secrets.
            PrintedSection::Parameters if format == Format::Json => {
                evaluated.parameters.clone()
            }
            PrintedSection::Parameters => evaluated.shown_parameters(),
            PrintedSection::Conditions => evaluated.conditions.clone(),
            PrintedSection::Resources => evaluated.resources.clone(),
            PrintedSection::DisabledResources => {
                let names = evaluated.disabled.iter().map(|name| Value::text(&**name));
                return Value::list(names);
            }
            PrintedSection::Outputs => evaluated.outputs.clone(),
        })
    }
}
