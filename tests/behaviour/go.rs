//! Tests the errors of Go's yaml.v2 and their messages: fixtures/go/.

use interpolate::unstable::language;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;
use serde_json::Value;

/// Texts that are not YAML, and the end of the first document of others.
#[test]
fn verdicts() {
    for case in cases(include_str!("../../fixtures/go/refuse.jsonl")) {
        match yaml::accept::accept(case["in"].as_str().unwrap_or_default()) {
            Ok(end) => assert_eq!(case["end"], end, "{case}"),
            Err(refusal) => assert_eq!(case["error"], refusal.message, "{case}"),
        }
    }
}

/// Trees that have no value.
#[test]
fn values() {
    for case in cases(include_str!("../../fixtures/go/decode.jsonl")) {
        let mut sources = Sources::default();
        let file = sources.add("a.yml", case["in"].as_str().unwrap_or_default());
        let target = if case["ops"].is_boolean() {
            yaml::DecodeTarget::Records(language::FIELDS)
        } else {
            yaml::DecodeTarget::Value
        };
        let options =
            yaml::Options { dialect: Dialect::Go, target, ..Default::default() };
        let refused = yaml::read(&sources, file, &options).err().map(|d| d.message);
        let message = case["error"].as_str().map(|message| format!("yaml: {message}"));
        assert_eq!(refused, message, "{case}");
    }
}

#[test]
fn depth() {
    for open in ["[", "- ", "? ", "{? "] {
        let refusal = yaml::accept::accept(&open.repeat(100_000)).expect_err(open);
        assert_eq!(refusal.message, "exceeded max depth of 10000");
    }
}

fn cases(lines: &str) -> impl Iterator<Item = Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect(line))
}
