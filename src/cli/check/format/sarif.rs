//! Findings as SARIF 2.1.0 (OASIS Standard, 27 March 2020).

use interpolate::unstable::check::{Finding, Rule};
use interpolate::unstable::diagnostic::{Label, Severity};
use interpolate::unstable::source::Sources;
use serde_json::{Value, json};

use super::position::{Position, message};

/// Returns a log with one run. Keys stand in alphabetical order, whatever the order of
/// the maps of `serde_json` is.
pub fn print(findings: &[Finding], sources: &Sources) -> String {
    let results: Vec<Value> = findings.iter().map(|it| result(it, sources)).collect();
    let log = json!({
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

fn rule(rule: Rule) -> Value {
    json!({
        "defaultConfiguration": {"level": level(rule.severity())},
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
    json!({
        "level": level(finding.diagnostic.severity),
        "locations": first,
        "message": {"text": message(finding)},
        "relatedLocations": others,
        "ruleId": finding.rule.name(),
        "ruleIndex": rule,
    })
}

fn location(label: &Label, sources: &Sources) -> Value {
    let position = Position::of(label.span, sources);
    let place = json!({
        "artifactLocation": {"uri": uri(&position.file)},
        "region": {"startColumn": position.column, "startLine": position.line},
    });
    match &*label.text {
        "" => json!({"physicalLocation": place}),
        text => json!({"message": {"text": text}, "physicalLocation": place}),
    }
}

fn level(severity: Severity) -> &'static str {
    // SARIF uses the same three words.
    severity.name()
}

/// Returns a path as a relative reference: bytes other than those of RFC 3986 are escaped.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}
