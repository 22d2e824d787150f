//! `check`: prints what is likely wrong with documents, ops-files and variables.

mod format;
mod input;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::mem::take;
use std::process::ExitCode;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Args, Error, ValueHint};
use interpolate::unstable::check::{self, Finding, Fix, Rule};
use interpolate::unstable::diagnostic::{Severity, near};
use interpolate::unstable::source::{FileId, Sources};

use super::failure::{Result, print_lines};
use super::main_options::{Common, Globals, MainOptions};
use super::options::{Color, Input, Output, hide};
use super::output;
use super::printed::counted;
use super::replacement::{PreparedFiles, prepare_texts};

use format::CheckFormat;
use input::{CheckInput, read_again};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct CheckOptions {
    /// The documents to check, or folders of them; ops-files among them are checked by
    /// themselves
    #[arg(value_name = "BASE", required_unless_present = "explain",
        value_hint = ValueHint::AnyPath)]
    bases: Vec<OsString>,
    /// Format of the findings
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CheckFormat,
    /// Mend what can surely be mended, and write these files
    #[arg(long)]
    fix: bool,
    /// Exit with 1 for warnings, too
    #[arg(long)]
    strict: bool,
    /// Print the page of a rule
    #[arg(long, value_name = "RULE", value_parser = RuleParser)]
    explain: Option<Rule>,
    /// Colours in findings
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    color: Color,
    /// Print only findings
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    globals: Globals,
}

const EXAMPLE: &str = "\
Examples:
  interpolate check manifest.yml -o operations/scale.yml -o operations/tls.yml -l vars.yml
  interpolate check . --format sarif > findings.sarif
  interpolate check --explain op-order

A comment `# interpolate: allow RULE` allows what is found on its line, or in the entry below it.";

/// Changes the help: nothing is printed of the documents.
pub fn command(command: clap::Command) -> clap::Command {
    hide(command, &["var_errs", "var_errs_unused", "vars_store"])
}

impl CheckOptions {
    /// Returns the options of the main job, and the others.
    pub fn split(mut self) -> (MainOptions, CheckOptions) {
        let mut bases = take(&mut self.bases).into_iter();
        let color = self.color;
        let quiet = self.quiet;
        let common = Common {
            input: take(&mut self.input),
            output: Output { color, quiet, ..Output::default() },
            globals: take(&mut self.globals),
        };
        let base = bases.next();
        let mut main = MainOptions::of(base, common);
        main.extra = bases.collect();
        (main, self)
    }
}

/// The parser of the name of a rule. Of an unknown one it tells the nearest, or all.
// The parser of clap tells a nearest one even if none is near.
#[derive(Clone, Copy, Debug)]
struct RuleParser;

impl TypedValueParser for RuleParser {
    type Value = Rule;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> std::result::Result<Rule, Error> {
        StringValueParser::new()
            .try_map(|name| Rule::named(&name).ok_or_else(|| unknown(&name)))
            .parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Rule::ALL.into_iter().map(|rule| PossibleValue::new(rule.name()))))
    }
}

fn unknown(name: &str) -> String {
    let names = Rule::ALL.map(Rule::name);
    match near(names, name) {
        Some(near) => format!("there is no such rule; did you mean '{near}'?"),
        None => format!("there is no such rule; the rules are {}", names.join(", ")),
    }
}

/// Checks everything that is given, and prints the findings.
pub fn run(
    options: &MainOptions,
    job: &CheckOptions,
    sources: &mut Sources,
) -> Result<ExitCode> {
    if let Some(rule) = job.explain {
        output::print(&[rule.page().as_bytes()])?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut input = CheckInput::new(options, sources)?;
    input.read_all()?;
    let CheckInput { findings, files, templates, .. } = input;
    let findings = check::allowed(findings, sources);
    let Mended { files: mended, fixed, left } = if job.fix {
        fix(options, findings, sources)?
    } else {
        Mended { files: PreparedFiles::default(), fixed: 0, left: findings }
    };
    let is_for_people = job.format == CheckFormat::Human;
    let left = if is_for_people { check::grouped(left) } else { left };
    let text =
        job.format.print(&left, sources, options.output.colour(&std::io::stdout()));
    output::print(&[text.as_bytes()])?;
    mended.commit()?;
    if !options.output.quiet && is_for_people {
        print_lines(&summary(&left, files, templates, fixed));
    }
    let fails = |finding: &Finding| match finding.diagnostic.severity {
        Severity::Error => true,
        Severity::Warning => job.strict,
        Severity::Note => false,
    };
    Ok(ExitCode::from(u8::from(left.iter().any(fails))))
}

/// Files whose findings have a fix.
struct Mended {
    files: PreparedFiles,
    /// The number of findings that are fixed.
    fixed: usize,
    /// The other findings.
    left: Vec<Finding>,
}

/// Prepares the files whose findings have a fix.
fn fix(
    options: &MainOptions,
    findings: Vec<Finding>,
    sources: &Sources,
) -> Result<Mended> {
    let (fixable, left): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|finding| finding.fix.is_some());
    let mut files: BTreeMap<FileId, Vec<&Fix>> = BTreeMap::new();
    for fix in fixable.iter().filter_map(|finding| finding.fix.as_ref()) {
        files.entry(fix.span.file).or_default().push(fix);
    }
    let mut texts = Vec::new();
    for (file, fixes) in files {
        let tree = read_again(options, sources, file)?;
        texts.push((file, check::fixed(&tree, &fixes).to_string()));
    }
    let files = prepare_texts(texts, options, sources)?;
    let removed: Vec<&Fix> = fixable.iter().filter_map(|it| it.fix.as_ref()).collect();
    let left = check::outside(left, &removed);
    Ok(Mended { files, fixed: fixable.len(), left })
}

/// Returns the lines that follow the findings. `templates` is the number of files that were
/// not checked.
fn summary(
    findings: &[Finding],
    files: usize,
    templates: usize,
    fixed: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    if fixed > 0 {
        lines.push(format!("{} fixed", counted(fixed, "finding")));
    }
    let mut counts = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        match findings.iter().filter(|it| it.diagnostic.severity == severity).count() {
            0 => {}
            count => counts.push(counted(count, severity.name())),
        }
    }
    let files = counted(files, "file");
    lines.push(match &counts[..] {
        [] => format!("no findings in {files}"),
        counts => format!("{} in {files}", counts.join(", ")),
    });
    if templates > 0 {
        let are = if templates == 1 { "is" } else { "are" };
        let templates = counted(templates, "file");
        lines.push(format!("{templates} with templates {are} no YAML, and not checked"));
    }
    lines
}
