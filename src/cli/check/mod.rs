//! `check`: prints what is likely wrong with documents, ops-files and variables.

mod format;
mod input;
mod options;

use std::collections::BTreeMap;
use std::process::ExitCode;

use interpolate::unstable::check::{self, Finding, Fix};
use interpolate::unstable::diagnostic::Severity;
use interpolate::unstable::source::{FileId, Sources};
use interpolate::unstable::yaml;

use super::failure::{Failure, print_lines};
use super::main_options::MainOptions;
use super::output;
use super::printed::counted;
use super::replacement::write_back;

pub use options::{CheckOptions, command};

use input::CheckInput;

/// Checks everything that is given, and prints the findings.
pub fn run(
    options: &MainOptions,
    job: &CheckOptions,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    if let Some(rule) = job.explain {
        output::print(&[rule.page().as_bytes()])?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut input = CheckInput::new(options, sources)?;
    input.read_all()?;
    let CheckInput { findings, files, templates, .. } = input;
    let findings = check::allowed(findings, sources);
    let (fixed, left) =
        if job.fix { fix(options, findings, sources)? } else { (0, findings) };
    let left = if job.format.is_for_people() { check::grouped(left) } else { left };
    let text =
        job.format.print(&left, sources, options.output.colour(&std::io::stdout()));
    output::print(&[text.as_bytes()])?;
    if !options.output.quiet && job.format.is_for_people() {
        print_lines(&summary(&left, (files, templates), fixed));
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

/// Returns the lines that follow the findings. `templates` is the number of files that were
/// not checked.
fn summary(
    findings: &[Finding],
    (files, templates): (usize, usize),
    fixed: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    if fixed > 0 {
        lines.push(format!("{} fixed", counted(fixed, "finding")));
    }
    let of = |severity| {
        findings.iter().filter(|it| it.diagnostic.severity == severity).count()
    };
    let counts = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| (of(severity), severity.name()));
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| counted(count, name))
        .collect();
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
