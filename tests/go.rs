//! What Go's yaml.v2 refuses, and with what words: fixtures/go/.

use interpolate::yaml::accept::accept;
use serde_json::Value;

#[test]
fn verdicts() {
    for line in include_str!("../fixtures/go/refuse.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect(line);
        let verdict = accept(case["in"].as_str().expect(line));
        match verdict {
            Ok(end) => assert_eq!(case["end"], end, "{line}"),
            Err(refusal) => assert_eq!(case["error"], refusal.message, "{line}"),
        }
    }
}

#[test]
fn depth() {
    for open in ["[", "- ", "? ", "{? "] {
        let refusal = accept(&open.repeat(100_000)).expect_err(open);
        assert_eq!(refusal.message, "exceeded max depth of 10000");
    }
}
