//! `explain`: tells where the values of the result come from.

mod html;
mod json;
mod margin;
mod people;
mod place;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::mem::take;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum, ValueHint};
use interpolate::unstable::apply;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::history::{Annotated, DocumentHistory, PlaceRecord};
use interpolate::unstable::pointer::Pointer;
use interpolate::unstable::select::QueryBudget;
use interpolate::unstable::source::Sources;
use interpolate::unstable::target::Target;

use super::failure::{Failure, Result};
use super::interpolate::recorded;
use super::main_options::{Common, Globals, MainOptions};
use super::options::{Color, Format, Input, Output, PathArgument};
use super::output;
use place::ExplainContext;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct ExplainOptions {
    /// The document to patch; `-` is standard input
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    base: OsString,
    /// The place to explain, e.g. /jobs/name=web/instances, jobs[name=web].instances or a
    /// JSONPath; without it, the whole result is printed with the origin of each line, at a
    /// terminal in $PAGER or `less`
    #[arg(value_name = "PATH", value_parser = PathArgument::parse)]
    path: Option<PathArgument>,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    shown: ShownOptions,
    #[command(flatten)]
    globals: Globals,
}

/// Options of the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct ShownOptions {
    /// Format of the answer [default: text]
    #[arg(long, value_name = "FORMAT")]
    format: Option<ExplainFormat>,
    /// Write the answer to a file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Colours in messages and in the answer
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print only errors and the answer
    #[arg(short, long)]
    quiet: bool,
    /// `--format json`
    #[arg(long, hide = true)]
    json: bool,
    /// `--color never`, as bosh spells it
    #[arg(long, hide = true)]
    no_color: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// Lines for people
    Text,
    /// The value and its history; without PATH, a list of all values in their order
    Json,
    /// The whole result as one page, with a colour for each file
    Html,
}

const EXAMPLE: &str = "\
Examples:
  interpolate explain base.yml -o ops.yml /jobs/name=web/instances
  interpolate explain base.yml -o ops.yml";

impl ExplainOptions {
    /// Returns the options of the main job, and the others.
    pub fn split(mut self) -> (MainOptions, ExplainOptions) {
        let ShownOptions { color, quiet, json, no_color, .. } = self.shown;
        let color = if no_color { Color::Never } else { color };
        let default = if json { ExplainFormat::Json } else { ExplainFormat::Text };
        self.shown.format.get_or_insert(default);
        let output = Output {
            output: self.shown.output.take(),
            color,
            quiet,
            ..Output::default()
        };
        let input = take(&mut self.input);
        let globals = take(&mut self.globals);
        let common = Common { input, output, globals };
        (MainOptions::of(Some(take(&mut self.base)), common), self)
    }
}

pub fn run(
    options: &MainOptions,
    job: &ExplainOptions,
    sources: &mut Sources,
) -> Result<ExitCode> {
    options.check()?;
    let (history, roots, given) = recorded(options, sources)?;
    let format = job.shown.format.unwrap_or(ExplainFormat::Text);
    let is_page = job.path.is_none() && format != ExplainFormat::Json;
    let page = is_page
        .then(|| Annotated::new(&history, sources, options.input.expansion()))
        .transpose()?;
    let places = ExplainContext { options, history: &history, given: &given, sources };
    let Some(path) = &job.path else {
        return whole(&places, &roots, format, page.as_ref());
    };
    if format == ExplainFormat::Html {
        let wrong = "--format html explains the whole result: it goes with no PATH";
        return Err(Failure::usage(wrong));
    }
    let target = path.target(Format::Yaml);
    let target = target.map_err(|mistake| Failure::usage(&mistake.to_string()))?;
    let path = &target.settled(path.text(), history.tree()).unwrap_or(target);
    let found = found(&places, &roots, path)?;
    // A pointer leads to one place of a document.
    let is_one = matches!(path, Target::Pointer(_) | Target::Json(_)) && roots.len() == 1;
    let text = match (format, &found[..]) {
        (ExplainFormat::Text | ExplainFormat::Html, _) => people::print(&places, &found)?,
        (ExplainFormat::Json, [only]) if is_one => json::print(&places, only)?,
        (ExplainFormat::Json, all) => {
            let mut list = json::JsonList::new(&places);
            all.iter().try_for_each(|place| list.push(place))?;
            list.finish()
        }
    };
    output::put(options, &[text.as_bytes()])
}

/// Explains the whole result: on a page, or as a list of JSON.
fn whole(
    places: &ExplainContext<'_>,
    roots: &[usize],
    format: ExplainFormat,
    page: Option<&Annotated>,
) -> Result<ExitCode> {
    let options = places.options;
    let Some(page) = page else {
        let mut list = json::JsonList::new(places);
        let limit = options.input.expansion();
        for &root in roots {
            places.history.visit_values(root, limit, &mut |it| list.push(&it))?;
        }
        return output::put(options, &[list.finish().as_bytes()]);
    };
    if format == ExplainFormat::Html {
        let text = html::print(places, page)?;
        return output::put(options, &[text.as_bytes()]);
    }
    // A job may have a terminal for its output, and nobody to leave the pager.
    let is_read_at_once = options.output.output.is_none()
        && io::stdout().is_terminal()
        && io::stdin().is_terminal();
    let colour = options.output.output.is_none() && options.output.colour(&io::stdout());
    let text = margin::print(places, page, colour);
    if is_read_at_once && margin::show(&text) {
        return Ok(ExitCode::SUCCESS);
    }
    output::put(options, &[text.as_bytes()])
}

/// Returns the places that a path leads to. Fails if there is none, and never was one.
fn found(
    places: &ExplainContext<'_>,
    roots: &[usize],
    path: &Target,
) -> Result<Vec<PlaceRecord>> {
    let history = places.history;
    let mut queries = places.options.input.query_budget();
    let mut found = Vec::new();
    for &root in roots {
        found.extend(history.find(root, path, &mut queries)?);
    }
    if found.is_empty() {
        return Err(missing(history, roots.first().copied().unwrap_or(0), path));
    }
    Ok(found)
}

/// Returns the failure of a path that leads nowhere.
fn missing(history: &DocumentHistory, root: usize, path: &Target) -> Failure {
    if let Target::Pointer(pointer) = path {
        let required = pointer.tokens.len();
        let pointer = Target::Pointer(Pointer { required, ..pointer.clone() });
        let mut tree = history.tree().clone();
        let mut queries = QueryBudget::default();
        let found = apply::find_target(&mut tree, &pointer, root, &mut queries);
        if let Err(diagnostic) = found {
            return Failure::from(diagnostic);
        }
    }
    let message = match path {
        Target::Query(_) => format!("nothing matches '{path}'"),
        Target::Pointer(_) | Target::Json(_) => format!("there is nothing at '{path}'"),
    };
    Failure::from(Diagnostic::error(message))
}
