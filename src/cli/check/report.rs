//! The summary of a check.

use interpolate::unstable::check::Finding;
use interpolate::unstable::diagnostic::Severity;

/// Returns the lines that follow the findings. `templates` is the number of files that were
/// not checked.
pub fn summary(
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

fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}
