//! `check`: prints what is likely wrong with documents, ops-files and variables.

mod format;
mod input;
mod options;
mod report;

use std::collections::BTreeMap;
use std::process::ExitCode;

use interpolate::unstable::check::{self, Finding, Fix};
use interpolate::unstable::diagnostic::Severity;
use interpolate::unstable::source::{FileId, Sources};
use interpolate::unstable::yaml;

use super::failure::{Failure, print_lines};
use super::main_options::MainOptions;
use super::output;
use super::replacement::write_back;

pub use options::{CheckJob, CheckOptions, command};

use input::CheckInput;

/// Checks everything that is given, and prints the findings.
pub fn run(
    options: &MainOptions,
    job: &CheckJob,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    if let Some(rule) = job.explained {
        output::print(&[rule.page().as_bytes()])?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut input = CheckInput::new(options, sources)?;
    input.read_all()?;
    let (files, templates) = (input.files(), input.templates());
    let findings = check::allowed(input.findings(), sources);
    let (fixed, left) =
        if job.fix { fix(options, findings, sources)? } else { (0, findings) };
    let left = if job.format.is_for_people() { check::grouped(left) } else { left };
    let text =
        job.format.print(&left, sources, options.output.colour(&std::io::stdout()));
    output::print(&[text.as_bytes()])?;
    if !options.output.quiet && job.format.is_for_people() {
        print_lines(&report::summary(&left, (files, templates), fixed));
    }
    let fails = |finding: &Finding| match finding.diagnostic.severity {
        Severity::Error => true,
        Severity::Warning => job.strict,
        Severity::Note => false,
    };
    Ok(ExitCode::from(u8::from(left.iter().any(fails))))
}

/// Writes the files whose findings have a fix. Returns the number of these findings, and the
/// others.
fn fix(
    options: &MainOptions,
    findings: Vec<Finding>,
    sources: &Sources,
) -> Result<(usize, Vec<Finding>), Failure> {
    let (fixable, left): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|finding| finding.fix.is_some());
    let mut files: BTreeMap<FileId, Vec<&Fix>> = BTreeMap::new();
    for fix in fixable.iter().filter_map(|finding| finding.fix.as_ref()) {
        files.entry(fix.span.file).or_default().push(fix);
    }
    let mut texts = Vec::new();
    for (file, fixes) in files {
        let source = sources.get(file);
        let dialect = options.dialect().or_else(|| yaml::version(&source.text));
        let reading = options.input.reading(dialect.unwrap_or_default());
        let tree = yaml::read(sources, file, &reading)?;
        texts.push((file, check::fixed(&tree, &fixes).to_string()));
    }
    write_back(texts, options, sources)?;
    let removed: Vec<&Fix> = fixable.iter().filter_map(|it| it.fix.as_ref()).collect();
    let left = check::outside(left, &removed);
    Ok((fixable.len(), left))
}
