//! Findings as a JSON list.

use interpolate::unstable::check::Finding;
use interpolate::unstable::source::Sources;
use serde_json::Value;

use super::position::{Position, message};

/// Returns `[{rule, severity, message, file, line, column, fix}]`, a finding a line.
pub fn print(findings: &[Finding], sources: &Sources) -> String {
    if findings.is_empty() {
        return "[]\n".into();
    }
    let lines: Vec<String> =
        findings.iter().map(|it| format!("  {}", object(it, sources))).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn object(finding: &Finding, sources: &Sources) -> String {
    let position = finding.span().map(|span| Position::of(span, sources));
    let fields = [
        ("rule", finding.rule.name().into()),
        ("severity", finding.diagnostic.severity.name().into()),
        ("message", message(finding).into()),
        ("file", position.as_ref().map(|it| it.file.clone()).into()),
        ("line", position.as_ref().map(|it| it.line).into()),
        ("column", position.as_ref().map(|it| it.column).into()),
        ("fix", finding.fix.as_ref().map(|_| "remove this entry").into()),
    ];
    // A map of `serde_json` has its keys in alphabetical order.
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value): &(&str, Value)| format!("\"{name}\": {value}"))
        .collect();
    format!("{{{}}}", fields.join(", "))
}
