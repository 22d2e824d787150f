//! Findings as annotations of GitHub Actions: workflow commands, a line each.

use interpolate::unstable::check::Finding;
use interpolate::unstable::diagnostic::Severity;
use interpolate::unstable::source::Sources;

use super::position::{Position, message};

/// Returns `::warning file=…,line=…,col=…,title=RULE::MESSAGE` for each finding.
pub fn print(findings: &[Finding], sources: &Sources) -> String {
    findings.iter().map(|finding| format!("{}\n", line(finding, sources))).collect()
}

fn line(finding: &Finding, sources: &Sources) -> String {
    let command = match finding.diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = finding.span().map(|span| {
        let position = Position::of(span, sources);
        let file = property(&position.file);
        format!("file={file},line={},col={},", position.line, position.column)
    });
    let place = place.unwrap_or_default();
    let text = data(&message(finding));
    format!("::{command} {place}title={}::{text}", finding.rule.name())
}

/// Escapes the data of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
