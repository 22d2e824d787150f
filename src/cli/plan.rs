//! `plan`: prints what each op of the patch does to BASE.

use std::ffi::OsString;
use std::fmt::Write;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use interpolate::unstable::node::NodeId;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::plan::{self, Language, Plan, PlannedMatch, PlannedOp};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;

use super::failure::{Failure, both};
use super::main_options::MainOptions;
use super::options::{Format, Globals, Input, Output};
use super::output;
use super::read::InputReader;
use super::side_output::SideOutput;

/// Maximum length of a value in a line, in characters: with a path it fits a terminal.
const MAX_VALUE_LENGTH: usize = 60;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct PlanOptions {
    /// The document to patch; `-` is standard input
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    base: OsString,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    globals: Globals,
}

const EXAMPLE: &str = "\
Examples:
  interpolate plan base.yml -o ops.yml --set image.tag=2
  interpolate plan base.yml -o ops.yml --format bosh > plain.yml";

/// Changes the help: the plan is printed, and not the result.
pub fn command(command: clap::Command) -> clap::Command {
    let unused = ["in_place", "path", "paths", "diff", "check", "all_documents"];
    let format =
        "Format of the plan: lines for people, a JSON list, or an ops-file for bosh";
    unused
        .into_iter()
        .fold(command, |command, id| command.mut_arg(id, |arg| arg.hide(true)))
        .mut_arg("format", |arg| arg.help(format).long_help(format))
}

impl PlanOptions {
    /// Returns the options of the main job, and the format of the plan.
    pub fn split(mut self) -> (MainOptions, Format) {
        let format = self.output.take_format();
        let main = MainOptions {
            base: Some(self.base),
            extra: Vec::new(),
            after_dashes: 0,
            input: self.input,
            output: self.output,
            globals: self.globals,
        };
        (main, format)
    }
}

pub fn run(
    options: &MainOptions,
    format: Format,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    options.check()?;
    check(options)?;
    let (input, output) = (&options.input, &options.output);
    let mut reader = InputReader::new(input, output, options.dialect(), sources)?;
    let ((document, patches), _) = both(reader.read(&options.base()), reader.given())?;
    let (patch, root): (Patch, usize) = patches.of_one()?;
    let failed = |errors| Failure::input(errors);
    let text = match format {
        Format::Bosh => {
            let plain = plan::resolved(&patch, &document, root, Language::Bosh);
            yaml::print_ops(&plain.map_err(failed)?)?
        }
        Format::Yaml => {
            lines(&Plan::new(&patch, &document, root).map_err(failed)?, sources)
        }
        Format::Json => {
            json(&Plan::new(&patch, &document, root).map_err(failed)?, sources)
        }
    };
    output::put(options, &[text.as_bytes()], SideOutput::default())
}

fn check(options: &MainOptions) -> Result<(), Failure> {
    let output = &options.output;
    let wrong = if !output.path.is_empty() || output.paths.is_some() || output.compares()
    {
        "a plan is printed: it goes with no --path, -i, --diff or --check"
    } else if options.input.reading.all_documents {
        "a plan is about one document: it goes with no --all-documents"
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}

/// Returns the plan for people: a line for each op, and one for each change.
fn lines(plan: &Plan, sources: &Sources) -> String {
    let mut text = String::new();
    for op in &plan.ops {
        let from = op.from.as_ref().map_or(String::new(), |from| format!("{from} -> "));
        writeln!(text, "{}{} {from}{}", place(op, sources), op.kind, op.path).ok();
        if op.matches.is_empty() {
            let what = if op.kind == "test" { "holds" } else { "changes nothing" };
            writeln!(text, "    {what}").ok();
        }
        for one in &op.matches {
            let path = if one.path.is_empty() { "(the document)" } else { &one.path };
            let made = made(one);
            writeln!(text, "    {path}: {}{made}", change(plan, one)).ok();
        }
    }
    text
}

fn change(plan: &Plan, one: &PlannedMatch) -> String {
    let value = |node: NodeId| shortened(compact(plan, node));
    match (one.before, one.after) {
        (Some(before), Some(after)) => format!("{} -> {}", value(before), value(after)),
        (None, Some(after)) => format!("added {}", value(after)),
        (Some(before), None) => format!("removed {}", value(before)),
        (None, None) => String::new(),
    }
}

fn made(one: &PlannedMatch) -> String {
    match &one.created[..] {
        [] => String::new(),
        created => format!(" (made {})", created.join(", ")),
    }
}

fn shortened(text: String) -> String {
    if text.chars().count() <= MAX_VALUE_LENGTH {
        return text;
    }
    text.chars().take(MAX_VALUE_LENGTH - 1).chain(['…']).collect()
}

/// Returns a value as JSON on one line.
fn compact(plan: &Plan, node: NodeId) -> String {
    let text = yaml::json::print(&plan.document, node, yaml::Expansion::default());
    // A line break in a string is an escape.
    let lines = text.unwrap_or_default();
    let mut out = String::new();
    for line in lines.lines() {
        let line = line.trim_start();
        out += line;
        out += if line.ends_with(',') { " " } else { "" };
    }
    out
}

/// Returns the file and the line of an op, before its name.
fn place(op: &PlannedOp, sources: &Sources) -> String {
    origin(op, sources).map_or(String::new(), |(file, line)| format!("{file}:{line}: "))
}

fn origin(op: &PlannedOp, sources: &Sources) -> Option<(String, usize)> {
    let span = op.origin?.span;
    let source = sources.get(span.file);
    let before = source.text.get(..span.start as usize).unwrap_or_default();
    Some((source.name.clone(), 1 + before.matches('\n').count()))
}

/// Returns the plan as a JSON list.
fn json(plan: &Plan, sources: &Sources) -> String {
    let ops: Vec<String> = plan.ops.iter().map(|op| json_op(plan, op, sources)).collect();
    if ops.is_empty() {
        return "[]\n".into();
    }
    format!("[\n{}\n]\n", ops.join(",\n"))
}

fn json_op(plan: &Plan, op: &PlannedOp, sources: &Sources) -> String {
    let (file, line) = origin(op, sources).map_or_else(
        || ("null".into(), "null".into()),
        |(file, line)| (quoted(&file), line.to_string()),
    );
    let matches: Vec<String> =
        op.matches.iter().map(|one| json_match(plan, one)).collect();
    let status = match (op.kind, matches.is_empty()) {
        ("test", _) => "passed",
        (_, true) => "unchanged",
        (_, false) => "changed",
    };
    let from = op.from.as_ref().map(|from| format!("\"from\": {}, ", quoted(from)));
    let from = from.unwrap_or_default();
    format!(
        "  {{\"index\": {}, \"file\": {file}, \"line\": {line}, \"type\": \"{}\", \
         {from}\"path\": {}, \"matches\": [{}], \"status\": \"{status}\"}}",
        op.number,
        op.kind,
        quoted(&op.path),
        matches.join(", ")
    )
}

fn json_match(plan: &Plan, one: &PlannedMatch) -> String {
    let value = |node: Option<NodeId>| node.map(|node| compact(plan, node));
    let created: Vec<String> = one.created.iter().map(|path| quoted(path)).collect();
    let mut fields = vec![format!("\"path\": {}", quoted(&one.path))];
    fields.extend(value(one.before).map(|value| format!("\"before\": {value}")));
    fields.extend(value(one.after).map(|value| format!("\"after\": {value}")));
    fields.push(format!("\"created\": [{}]", created.join(", ")));
    format!("{{{}}}", fields.join(", "))
}

fn quoted(text: &str) -> String {
    yaml::json::quoted(text)
}
