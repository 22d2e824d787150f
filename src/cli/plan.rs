//! `plan`: prints what each op of the patch does to BASE.

use std::ffi::OsString;
use std::fmt::Write;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use interpolate::unstable::diagnostic::{self, Diagnostic, visible_line};
use interpolate::unstable::language;
use interpolate::unstable::node::NodeId;
use interpolate::unstable::plan::{self, OpsLanguage, Plan, PlannedMatch, PlannedOp};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::Expansion;
use interpolate::unstable::yaml::json::{self, quoted};

use super::failure::{Failure, Result, both, warn};
use super::main_options::{Common, MainOptions};
use super::options::{Format, RESULT_OPTIONS, describe, hide};
use super::output;
use super::printed::{MAX_VALUE_LENGTH, PrintedPosition, json_list, named, shortened};
use super::read::{InputReader, read_patched, read_variables};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct PlanOptions {
    /// The document to patch; `-` is standard input
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    base: OsString,
    #[command(flatten)]
    common: Common,
}

const EXAMPLE: &str = "\
Examples:
  interpolate plan base.yml -o ops.yml --set image.tag=2
  interpolate plan base.yml -o ops.yml --format bosh > plain.yml";

/// Changes the help: the plan is printed, and not the result.
pub fn command(command: clap::Command) -> clap::Command {
    let format =
        "Format of the plan: lines for people, a JSON list, or an ops-file for bosh";
    describe(hide(command, &RESULT_OPTIONS), "format", format)
}

impl PlanOptions {
    /// Returns the options of the main job, and the format of the plan.
    pub fn split(mut self) -> (MainOptions, Format) {
        let format = self.common.output.take_format();
        (MainOptions::of(Some(self.base), self.common), format)
    }
}

pub fn run(
    options: &MainOptions,
    &format: &Format,
    sources: &mut Sources,
) -> Result<ExitCode> {
    options.check()?;
    check(options)?;
    let mut reader = InputReader::new(options, sources)?;
    let ((document, patches), _) =
        both(read_patched(&mut reader, &options.base()), read_variables(&mut reader))?;
    let count = patches.reach.default.len();
    let Some((patch, reach)) = patches.into_one() else {
        let message = format!("--where selects {count} documents, and a plan is for one");
        return Err(Failure::input([*Diagnostic::error(message)]));
    };
    let text = if format == Format::Bosh {
        let plain = plan::resolved(&patch, &document, &reach, OpsLanguage::Bosh);
        let plain = plain.map_err(Failure::input)?;
        warn(&plain.notes, sources, &options.output);
        language::print_ops(&plain.patch)?
    } else {
        let plan = Plan::new(&patch, &document, &reach).map_err(Failure::input)?;
        let root = reach.default.first().copied().unwrap_or_default();
        let limit = options.input.expansion();
        let printer = PlanPrinter { plan: &plan, root, limit, sources };
        match format {
            Format::Json => printer.json()?,
            Format::Yaml | Format::Bosh => printer.lines(),
        }
    };
    output::put(options, &[text.as_bytes()])
}

fn check(options: &MainOptions) -> Result<()> {
    let output = &options.output;
    let wrong = if let Some(option) = output.asking() {
        return Err(Failure::usage(&format!(
            "a plan is printed: it goes with no {option}"
        )));
    } else if output.compares() {
        "a plan is printed: it goes with no -i, --diff or --check"
    } else if options.input.reading.all_documents {
        "a plan is about one document: it goes with no --all-documents"
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}

/// The printer of the plan of one document.
struct PlanPrinter<'a> {
    plan: &'a Plan,
    /// The document that the plan is about, by position.
    root: usize,
    /// Maximum size of a value.
    limit: Expansion,
    sources: &'a Sources,
}

impl PlanPrinter<'_> {
    /// Returns the plan for people: a line for each op, and one for each change.
    fn lines(&self) -> String {
        let mut text = String::new();
        for op in &self.plan.ops {
            let place = PrintedPosition::prefix(self.origin(op));
            let from =
                op.from.as_ref().map_or(String::new(), |from| format!("{from} -> "));
            let path = named(&op.path);
            let line = format!("{place}{} {from}{path}", op.kind);
            writeln!(text, "{}", visible_line(line)).ok();
            if op.matches.is_empty() && !op.comments {
                let what = if op.kind == "test" { "holds" } else { "changes nothing" };
                writeln!(text, "    {what}").ok();
            }
            for one in &op.matches {
                let document = match one.root {
                    root if root == self.root => String::new(),
                    root => format!("document {} ", root + 1),
                };
                let path = named(&one.path);
                let change = self.change(one);
                let made = made(one);
                let line = format!("    {document}{path}: {change}{made}");
                writeln!(text, "{}", visible_line(line)).ok();
            }
            if op.comments {
                writeln!(text, "    sets a comment").ok();
            }
        }
        text
    }

    fn change(&self, one: &PlannedMatch) -> String {
        match (one.before, one.after) {
            (Some(before), Some(after)) => {
                format!("{} -> {}", self.start(before), self.start(after))
            }
            (None, Some(after)) => format!("added {}", self.start(after)),
            (Some(before), None) => format!("removed {}", self.start(before)),
            (None, None) => String::new(),
        }
    }

    /// Returns a value as JSON, as far as it fits a line.
    fn start(&self, node: NodeId) -> String {
        // A character has at most four bytes.
        shortened(json::line_start(&self.plan.document, node, 4 * MAX_VALUE_LENGTH))
    }

    /// Returns the place of an op.
    fn origin(&self, op: &PlannedOp) -> Option<PrintedPosition> {
        Some(PrintedPosition::of(op.origin?.span, self.sources))
    }

    /// Returns the plan as a JSON list.
    ///
    /// # Errors
    /// A value is larger than the limit.
    fn json(&self) -> diagnostic::Result<String> {
        let ops = self.plan.ops.iter().map(|op| self.json_op(op));
        let ops: Vec<String> = ops.collect::<diagnostic::Result<_>>()?;
        Ok(json_list(&ops))
    }

    fn json_op(&self, op: &PlannedOp) -> diagnostic::Result<String> {
        let place = PrintedPosition::json(self.origin(op));
        let matches = op.matches.iter().map(|one| self.json_match(one));
        let matches: Vec<String> = matches.collect::<diagnostic::Result<_>>()?;
        let status = match (op.kind, matches.is_empty() && !op.comments) {
            ("test", _) => "passed",
            (_, true) => "unchanged",
            (_, false) => "changed",
        };
        let from = op.from.as_ref().map(|from| format!("\"from\": {}, ", quoted(from)));
        let from = from.unwrap_or_default();
        Ok(format!(
            "  {{\"index\": {}, {place}, \"type\": \"{}\", \
             {from}\"path\": {}, \"matches\": [{}], \"status\": \"{status}\"}}",
            op.number,
            op.kind,
            quoted(&op.path),
            matches.join(", ")
        ))
    }

    fn json_match(&self, one: &PlannedMatch) -> diagnostic::Result<String> {
        let created: Vec<String> = one.created.iter().map(|path| quoted(path)).collect();
        let mut fields = Vec::new();
        if one.root != self.root {
            fields.push(format!("\"document\": {}", one.root));
        }
        fields.push(format!("\"path\": {}", quoted(&one.path)));
        for (name, node) in [("before", one.before), ("after", one.after)] {
            if let Some(node) = node {
                let value = json::print_line(&self.plan.document, node, self.limit)?;
                fields.push(format!("\"{name}\": {value}"));
            }
        }
        fields.push(format!("\"created\": [{}]", created.join(", ")));
        Ok(format!("{{{}}}", fields.join(", ")))
    }
}

fn made(one: &PlannedMatch) -> String {
    match &one.created[..] {
        [] => String::new(),
        created => format!(" (made {})", created.join(", ")),
    }
}
