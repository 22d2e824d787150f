//! The formats of findings: excerpts for people as compilers show them, a JSON list, SARIF
//! 2.1.0 (OASIS Standard, 27 March 2020), and the workflow commands of GitHub Actions.

use std::io;

use clap::ValueEnum;
use interpolate::unstable::check::{Finding, Rule};
use interpolate::unstable::diagnostic::{Diagnostic, Label, Printer, Severity};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;
use serde_json::Value;

use crate::cli::failure::printed_first;
use crate::cli::printed::{PrintedPosition, json_list};

/// A format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// Excerpts for people
    Human,
    /// A list of objects
    Json,
    /// SARIF 2.1.0, which code scanning reads
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

impl CheckFormat {
    /// Returns findings as text.
    pub fn print(self, findings: &[Finding], sources: &Sources, colour: bool) -> String {
        match self {
            CheckFormat::Human => human(findings, sources, colour),
            CheckFormat::Json => json(findings, sources),
            CheckFormat::Sarif => sarif(findings, sources),
            CheckFormat::Github => github(findings, sources),
        }
    }
}

/// Returns a paragraph for each finding. A terminal gets the first ones.
fn human(findings: &[Finding], sources: &Sources, colour: bool) -> String {
    let mut printer = Printer::new(sources, colour).masking(yaml::secret_parts);
    let paragraphs = printed_first(findings, &io::stdout(), |finding| {
        let message = format!("{} [{}]", finding.diagnostic.message, finding.rule.name());
        printer.print(&Diagnostic { message, ..finding.diagnostic.clone() })
    });
    paragraphs.into_iter().map(|paragraph| paragraph + "\n\n").collect()
}

/// Returns `[{rule, severity, message, file, line, column, fix}]`, a finding a line.
fn json(findings: &[Finding], sources: &Sources) -> String {
    let lines = findings.iter().map(|it| format!("  {}", object(it, sources)));
    json_list(&lines.collect::<Vec<_>>())
}

fn object(finding: &Finding, sources: &Sources) -> String {
    let position = finding.span().map(|span| PrintedPosition::of(span, sources));
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

/// Returns `::warning file=…,line=…,col=…,title=RULE::MESSAGE` for each finding.
fn github(findings: &[Finding], sources: &Sources) -> String {
    findings
        .iter()
        .map(|finding| format!("{}\n", github_line(finding, sources)))
        .collect()
}

fn github_line(finding: &Finding, sources: &Sources) -> String {
    let command = match finding.diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = finding.span().map(|span| {
        let position = PrintedPosition::of(span, sources);
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

/// Returns a log with one run. Keys stand in alphabetical order, whatever the order of
/// the maps of `serde_json` is.
fn sarif(findings: &[Finding], sources: &Sources) -> String {
    let results: Vec<Value> = findings.iter().map(|it| result(it, sources)).collect();
    let log = serde_json::json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "columnKind": "unicodeCodePoints",
            "results": results,
            "tool": {"driver": {
                "name": "interpolate",
                "rules": Rule::ALL.map(rule),
                "version": env!("CARGO_PKG_VERSION"),
            }},
        }],
        "version": "2.1.0",
    });
    format!("{log:#}\n")
}

/// Returns a rule. SARIF has the same three words for a severity.
fn rule(rule: Rule) -> Value {
    serde_json::json!({
        "defaultConfiguration": {"level": rule.severity().name()},
        "help": {"markdown": rule.page(), "text": rule.page()},
        "id": rule.name(),
        "shortDescription": {"text": rule.summary()},
    })
}

fn result(finding: &Finding, sources: &Sources) -> Value {
    let rule = Rule::ALL.iter().position(|rule| *rule == finding.rule);
    let mut places =
        finding.diagnostic.labels.iter().map(|label| location(label, sources));
    let first: Vec<Value> = places.next().into_iter().collect();
    let others: Vec<Value> = places.collect();
    serde_json::json!({
        "level": finding.diagnostic.severity.name(),
        "locations": first,
        "message": {"text": message(finding)},
        "relatedLocations": others,
        "ruleId": finding.rule.name(),
        "ruleIndex": rule,
    })
}

fn location(label: &Label, sources: &Sources) -> Value {
    let position = PrintedPosition::of(label.span, sources);
    let place = serde_json::json!({
        "artifactLocation": {"uri": uri(&position.file)},
        "region": {"startColumn": position.column, "startLine": position.line},
    });
    match &*label.text {
        "" => serde_json::json!({"physicalLocation": place}),
        text => serde_json::json!({"message": {"text": text}, "physicalLocation": place}),
    }
}

/// Returns a path as a relative reference: bytes other than those of RFC 3986 are escaped.
fn uri(path: &str) -> String {
    let escaped = |byte: u8| {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
        if is_plain { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    path.bytes().map(escaped).collect()
}

/// Returns the message with its hints, on one line.
fn message(finding: &Finding) -> String {
    let diagnostic = &finding.diagnostic;
    let parts = [&diagnostic.message].into_iter().chain(&diagnostic.hints);
    parts.map(|part| part.replace('\n', " ")).collect::<Vec<_>>().join("; ")
}
