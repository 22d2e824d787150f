//! Tests the pages of the rules of `check`: their bad examples are found, and their good
//! ones are not. Output for code scanning is read by the types of its schema.

use std::collections::BTreeMap;
use std::process::Command;

use interpolate::unstable::apply::Reach;
use interpolate::unstable::check::{self, Rule, Subject};
use interpolate::unstable::language;
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use serde_sarif::sarif::Sarif;

/// The documents that the ops on pages are for, by rule.
const BASES: &str = include_str!("../../fixtures/check/bases.json");

/// Rules about the command line: `fixtures/cli` has their cases.
const OF_THE_COMMAND: [Rule; 2] = [Rule::UnusedFile, Rule::UnusedVariable];

#[test]
fn pages_hold() {
    let bases: BTreeMap<&str, String> = serde_json::from_str(BASES).unwrap();
    for rule in Rule::ALL.into_iter().filter(|rule| !OF_THE_COMMAND.contains(rule)) {
        let page = rule.page();
        assert!(page.starts_with(&format!("# {}\n\n", rule.name())), "{page}");
        let (bad, good) = page.split_once("\nGood").unwrap();
        let base = bases.get(rule.name()).map(String::as_str);
        let found = |blocks: &str| {
            let findings = findings(base, &examples(blocks));
            findings.into_iter().filter(|found| *found == rule).count()
        };
        assert!(found(bad) > 0, "{}: its bad example is not found", rule.name());
        assert_eq!(found(good), 0, "{}: its good example is found", rule.name());
    }
}

/// Returns the texts in fences of YAML.
fn examples(page: &str) -> Vec<&str> {
    let blocks = page.split("```yaml\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

/// Returns the rules of the findings in texts or, with a BASE, in ops-files for it.
fn findings(base: Option<&str>, texts: &[&str]) -> Vec<Rule> {
    let mut sources = Sources::default();
    let (mut found, mut trees) = (Vec::new(), Vec::new());
    for text in texts {
        let file = sources.add("example.yml", *text);
        found.extend(check::unknown_rules(file, &sources));
        match yaml::read(&sources, file, &Options::default()) {
            Ok(tree) => trees.push(tree),
            Err(_) => return vec![Rule::Unreadable],
        }
    }
    found.extend(trees.iter().flat_map(check::text));
    found.extend(trees.iter().flat_map(check::ops_file));
    if let Some(base) = base {
        let file = sources.add("base.yml", base);
        let tree = yaml::read(&sources, file, &Options::default()).unwrap();
        let reach = Reach::of(&tree, [0]);
        found.extend(check::ops(&patch(&trees), &[Subject { tree, reach }]));
    }
    found.into_iter().map(|finding| finding.rule).collect()
}

fn patch(trees: &[Tree]) -> Patch {
    let mut patch = Patch::default();
    for tree in trees {
        patch.extend(language::patch(tree, "example.yml").unwrap());
    }
    patch
}

#[test]
fn sarif_has_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("base 1.yml", "a: yes\na: no\nn: 1\n").unwrap();
    write("ops.yml", "- {type: replace, path: /n, value: 1}\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
    let arguments = ["check", "base 1.yml", "-o", "ops.yml", "--format", "sarif"];
    let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
    let log: Sarif = serde_json::from_slice(&output.stdout).unwrap();
    let run = &log.runs[0];
    let rules = run.tool.driver.rules.as_ref().unwrap();
    assert_eq!(rules.len(), Rule::ALL.len());
    let results = run.results.as_ref().unwrap();
    assert!(results.len() >= 3);
    for result in results {
        let index = usize::try_from(result.rule_index.unwrap()).unwrap();
        assert_eq!(result.rule_id.as_deref(), Some(&*rules[index].id));
        let place = result.locations.as_ref().unwrap()[0].physical_location.as_ref();
        let uri = place.unwrap().artifact_location.as_ref().unwrap().uri.as_deref();
        assert!(matches!(uri, Some("base%201.yml" | "ops.yml")));
    }
}
