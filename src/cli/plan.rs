//! `plan`: prints what each op of the patch does to BASE.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::plan::{self, Language, Plan};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;

use super::failure::{Failure, both, warn};
use super::main_options::{Common, MainOptions};
use super::options::{Format, RESULT_OPTIONS, describe, hide};
use super::output;
use super::plan_printer::PlanPrinter;
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
) -> Result<ExitCode, Failure> {
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
        let plain = plan::resolved(&patch, &document, &reach, Language::Bosh);
        let plain = plain.map_err(Failure::input)?;
        warn(&plain.notes, sources, &options.output);
        yaml::print_ops(&plain.patch)?
    } else {
        let plan = Plan::new(&patch, &document, &reach).map_err(Failure::input)?;
        let root = reach.default.first().copied().unwrap_or_default();
        let limit = options.input.expansion();
        let printer = PlanPrinter::new(&plan, root, limit, sources);
        match format {
            Format::Json => printer.json()?,
            Format::Yaml | Format::Bosh => printer.lines(),
        }
    };
    output::put(options, &[text.as_bytes()])
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
