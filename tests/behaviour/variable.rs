//! Filling in variables through the library: conflicts are refused, and large documents
//! stay fast.

use interpolate::unstable::diagnostic::Diagnostics;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions};
use interpolate::unstable::yaml::{self, Options};

fn filled(text: &str, values: &[(&str, &str)]) -> Result<String, Diagnostics> {
    let mut sources = Sources::default();
    let file = sources.add("base.yml", text);
    let mut document = yaml::read(&sources, file, &Options::default())?;
    let mut given = Bindings::default();
    for (name, value) in values {
        given.add_text(*name, *value);
    }
    let rules = FillOptions { missing: true, ..FillOptions::default() };
    variables::fill(&mut document, 0..1, &given, None, &Os::default(), &rules)?;
    Ok(document.to_string())
}

#[test]
fn values_of_other_sources_are_filled_in() {
    let read = |name: &str, text: &str| {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        yaml::read(&sources, file, &Options::default()).unwrap()
    };
    let mut document = read("base.yml", "a: ((x))\nb: [1, 2]\n");
    let mut given = Bindings::default();
    given.add_entries(&read("vars.yml", "x: {y: z}\n")).unwrap();
    let (world, rules) = (Os::default(), FillOptions::default());
    variables::fill(&mut document, 0..1, &given, None, &world, &rules).unwrap();
    assert_eq!(document.to_string(), "a: {y: z}\nb: [1, 2]\n");
}

#[test]
fn many_uses_in_one_string() {
    let text = format!("a: {}\n", "((x))((y))".repeat(20_000));
    let out = filled(&text, &[("x", "1"), ("y", "a")]).unwrap();
    assert_eq!(out, format!("a: {}\n", "1a".repeat(20_000)));
}

#[test]
fn what_fills_in_and_around_makes_a_use_that_comes_later() {
    let values = [("x", "((y))"), ("y", "1"), ("a", "z"), ("z", "2")];
    assert_eq!(filled("- ((x)) ((y))\n", &values).unwrap(), "- 1 1\n");
    assert_eq!(filled("- ((y)) ((x)) ((y))\n", &values).unwrap(), "- 1 1 1\n");
    assert_eq!(filled("- ((((a)))) ((z))\n", &values).unwrap(), "- 2 2\n");
}

#[test]
fn many_keys_are_renamed() {
    let entry = |i: usize| format!("((p))_{i}: {i}\n");
    let text: String = (0..10_000).map(entry).collect();
    let out = filled(&text, &[("p", "k")]).unwrap();
    assert_eq!(out, text.replace("((p))", "k"));
}

#[test]
fn many_missing_names_are_one_short_message() {
    let use_of = |i: usize| format!("- ((name{i}))\n");
    let text: String = (0..5_000).map(use_of).collect();
    let problems = filled(&text, &[("name", "1")]).expect_err("no values").0;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].labels.len(), 100);
    assert!(problems[0].labels.is_sorted_by_key(|label| label.span.start));
    assert_eq!(problems[0].hints.last().unwrap(), "4900 more places are not shown");
}

#[test]
fn a_bad_section_hides_no_other_document() {
    let mut sources = Sources::default();
    let text = "variables: [{name: [p]}]\n---\na: ((x))b\n";
    let file = sources.add("base.yml", text);
    let mut document = yaml::read(&sources, file, &Options::default()).unwrap();
    let mut given = Bindings::default();
    let list = sources.add("vars.yml", "x: [1]\n");
    given.add_entries(&yaml::read(&sources, list, &Options::default()).unwrap()).unwrap();
    let rules = FillOptions { section: true, ..FillOptions::default() };
    let found =
        variables::fill(&mut document, 0..2, &given, None, &Os::default(), &rules);
    assert_eq!(found.expect_err("two problems").0.len(), 2);
}
