//! Tests Heat's functions on fixtures/hot-function/, one case a line, in every version it
//! names, and on fixtures/hot-specification/, one template an archive. Their
//! README.md files describe the formats.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use interpolate::unstable::eval::{self, Context, Dict, Value as Python};
use interpolate::unstable::hot::{self, Evaluated, Input};
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::yaml::{self, Expansion, Options};
use serde_json::{Map, Value as Json, from_str};

use interpolate_fixtures::archive::Archive;

const VERSIONS: [&str; 11] = [
    "2013-05-23",
    "2014-10-16",
    "2015-04-30",
    "2015-10-15",
    "2016-04-08",
    "2016-10-14",
    "2017-02-24",
    "2017-09-01",
    "2018-03-02",
    "2018-08-31",
    "2021-04-16",
];

/// The first version with conditions.
const CONDITIONS: &str = "2016-10-14";

/// The input of every template of fixtures/hot-function/.
const GIVEN: &str = r#"{
    "attributes": {"srv": {
        "address": "10.0.0.5", "networks": {"private": ["10.0.0.5", "fe80::1"], "public": []},
        "numbers": {"1": "one"}, "nothing": null, "show": {"id": "abc"}, "count": 4}},
    "ids": {"srv": "id-of-srv", "net": "id-of-net"},
    "files": {"note.txt": "one\ntwo\n"},
    "facade": {"metadata": {"role": "front"}, "deletion_policy": "Retain"},
    "zones": ["north", "south"]
}"#;

/// A case.
struct Case {
    line: usize,
    versions: Vec<&'static str>,
    source: String,
    /// The expected value, or a part of the expected message.
    want: Result<Json, String>,
}

/// Checks the cases of a file, which is named after the function.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let common = fs::read_to_string(path.with_file_name("given.yaml")).unwrap();
    let text = fs::read_to_string(path).unwrap();
    let cases: Vec<Case> = lines(&text).map(case).collect();
    let of_conditions = path.file_stem().is_some_and(|name| name == "condition");
    let section = if of_conditions { "conditions" } else { "outputs" };
    let wrong = values(&common, section, &cases).chain(errors(&common, section, &cases));
    let wrong: Vec<_> = wrong.map(|(line, found)| format!("{line}: {found}")).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| !line.is_empty())
}

fn case((i, line): (usize, &str)) -> Case {
    let (left, want) = match line.split_once(" => ") {
        Some((left, want)) => (left, Ok(from_str(want).unwrap())),
        None => {
            let (left, want) = line.split_once(" =! ").expect("a case has => or =!");
            assert!(!want.is_empty(), "{line} says nothing of the error");
            (left, Err(want.replace('⏎', "\n")))
        }
    };
    let is_range = |range: &str| range.contains("..") && !range.contains(['{', '[']);
    let (range, source) = left
        .split_once(' ')
        .filter(|(range, _)| is_range(range) || VERSIONS.contains(range))
        .unwrap_or(("..", left));
    let (first, last) = range.split_once("..").unwrap_or((range, range));
    let within =
        |version: &&str| **version >= *first && (last.is_empty() || **version <= *last);
    let versions: Vec<_> = VERSIONS.into_iter().filter(within).collect();
    assert!(!versions.is_empty(), "{line} is of no version");
    Case { line: i + 1, versions, source: source.into(), want }
}

/// Returns the differences of cases with a value. All cases of a version stand in one
/// template.
fn values(
    common: &str,
    section: &'static str,
    cases: &[Case],
) -> impl Iterator<Item = (usize, String)> {
    VERSIONS.into_iter().filter(move |version| knows(version, section)).flat_map(
        move |version| {
            let in_version = |case: &&Case| case.versions.contains(&version);
            let cases = cases.iter().filter(in_version);
            let cases: Vec<&Case> = cases.filter(|case| case.want.is_ok()).collect();
            let name = |case: &Case| format!("at{}", case.line);
            let sources = cases.iter().map(|case| (name(case), &*case.source));
            let sources: Vec<(String, &str)> = sources.collect();
            let found = evaluate(&template(version, common, section, &sources), GIVEN);
            let wrong = |case: &&Case| {
                let found = match &found {
                    Ok(evaluated) => found_in(evaluated, section, &name(case)),
                    Err(message) => Err(message.clone()),
                };
                let said = format!("{version} {} gives {found:?}", case.source);
                (found != case.want).then_some((case.line, said))
            };
            cases.iter().filter_map(wrong).collect::<Vec<_>>()
        },
    )
}

/// Returns the differences of cases that fail. Each has a template of its own, in the
/// first and in the last version.
fn errors(
    common: &str,
    section: &'static str,
    cases: &[Case],
) -> impl Iterator<Item = (usize, String)> {
    let failing = cases.iter().filter_map(|case| Some((case, case.want.as_ref().err()?)));
    failing.flat_map(move |(case, want)| {
        let known = case.versions.iter().filter(|version| knows(version, section));
        let known: Vec<&str> = known.copied().collect();
        let mut ends = vec![known.first().copied(), known.last().copied()];
        ends.dedup();
        let wrong = |version: &str| {
            let name = if section == "conditions" { "c" } else { "o" };
            let sources = [(name.to_owned(), &*case.source)];
            let found = evaluate(&template(version, common, section, &sources), GIVEN)
                .and_then(|evaluated| found_in(&evaluated, section, name));
            let right = found.as_ref().is_err_and(|message| message.contains(want));
            let said = format!("{version} {} gives {found:?}", case.source);
            (!right).then_some((case.line, said))
        };
        ends.into_iter().flatten().filter_map(wrong).collect::<Vec<_>>()
    })
}

fn knows(version: &str, section: &str) -> bool {
    section != "conditions" || version >= CONDITIONS
}

/// Returns a template with sources as the values of outputs or the definitions of
/// conditions.
fn template(
    version: &str,
    common: &str,
    section: &str,
    sources: &[(String, &str)],
) -> String {
    let mut text = format!("heat_template_version: {version:?}\n{common}");
    if version >= CONDITIONS {
        text += "conditions:\n  yes_c: true\n  no_c: false\n";
    }
    if section == "outputs" {
        text += "outputs:\n";
    }
    for (name, source) in sources {
        text += &match section {
            "conditions" => format!("  {name}: {source}\n"),
            _ => format!("  {name}:\n    value: {source}\n"),
        };
    }
    text
}

fn found_in(evaluated: &Evaluated, section: &str, name: &str) -> Result<Json, String> {
    let values = match section {
        "conditions" => &evaluated.conditions,
        _ => &evaluated.outputs,
    };
    match values.get_text(name).unwrap() {
        Some(value) => Ok(json(&value)),
        None => Err(failures(evaluated).join("\n")),
    }
}

/// Checks a template with the result that Heat has for it.
pub(crate) fn check_template(case: Archive) -> Result<(), String> {
    let want: Json = from_str(case.text("want.json")).unwrap();
    let found = match evaluate(case.text("template.yaml"), case.text("given.yaml")) {
        Ok(evaluated) => shown(&evaluated, &want),
        Err(message) => serde_json::json!({"error": message}),
    };
    if found == want { Ok(()) } else { Err(format!("{found}\n    not {want}")) }
}

/// Returns the resolved parts of a template that are not empty. The reasons of failed
/// outputs are compared only if the case gives them.
fn shown(evaluated: &Evaluated, want: &Json) -> Json {
    let sections = [
        ("conditions", &evaluated.conditions),
        ("resources", &evaluated.resources),
        ("outputs", &evaluated.outputs),
    ];
    let full = sections.into_iter().filter(|(_, section)| !section.is_empty());
    let mut shown: Map<String, Json> = full
        .map(|(name, section)| (name.to_owned(), json(&Python::Dict(section.clone()))))
        .collect();
    let failures = failures(evaluated);
    if !failures.is_empty() {
        let said =
            |message: &str| failures.iter().any(|failure| failure.contains(message));
        let wanted = want.get("failed").and_then(Json::as_object);
        let all = wanted.is_some_and(|wanted| {
            wanted.len() == failures.len()
                && wanted.values().all(|message| message.as_str().is_some_and(said))
        });
        let failed = if all { want["failed"].clone() } else { failures.into() };
        shown.insert("failed".to_owned(), failed);
    }
    Json::Object(shown)
}

fn evaluate(text: &str, given: &str) -> Result<Evaluated, String> {
    let mut sources = Sources::default();
    let file = sources.add("template.yaml", text);
    let options = Options { dialect: Dialect::Yaml11, ..Options::default() };
    let document = yaml::read(&sources, file, &options).unwrap();
    let world = Arc::new(Memory::default());
    let context = Context::new(
        world,
        Allow::default(),
        "",
        eval::languages(&eval::LanguageSettings::default()),
    );
    let input = Input { sources, ..input(given) };
    hot::evaluate(Arc::new(document), input, context, false).map_err(|wrong| {
        wrong.iter().map(|one| &*one.message).collect::<Vec<_>>().join("\n")
    })
}

fn input(given: &str) -> Input {
    let mut sources = Sources::default();
    let id = sources.add("given", given);
    let document = yaml::read(&sources, id, &Options::default()).unwrap();
    let root = document.root();
    let Python::Dict(given) = eval::read(&Arc::new(document), root) else {
        panic!("{given}")
    };
    let dict = |name: &str| match given.get_text(name).unwrap() {
        Some(Python::Dict(dict)) => dict,
        _ => Dict::default(),
    };
    let file = |name: &str| hot::File::from(Python::Dict(dict(name)));
    let text = |value: &Python| value.as_str().unwrap().to_owned();
    let files = dict("files").entries().unwrap().into_iter();
    let zones = match given.get_text("zones").unwrap() {
        Some(Python::List(zones)) => zones.read().iter().map(text).collect(),
        _ => vec!["nova".to_owned()],
    };
    Input {
        parameters: vec![file("parameters")],
        attributes: Some(file("attributes")),
        ids: Some(file("ids")),
        files: files.map(|(name, file)| (text(name.value()), text(&file))).collect(),
        facade: given.has_text("facade").then(|| file("facade")),
        stack_name: "stack".into(),
        stack_id: "id-1".into(),
        project_id: "project-1".into(),
        zones,
        ..Input::default()
    }
}

fn failures(evaluated: &Evaluated) -> Vec<String> {
    evaluated.failed.iter().map(|failure| failure.exception.message.clone()).collect()
}

fn json(value: &Python) -> Json {
    let mut sources = Sources::default();
    let file = sources.add("blank", "");
    let mut blank = yaml::read(&sources, file, &Options::default()).unwrap();
    let text = eval::to_json(&mut blank, value, Expansion::default()).unwrap().unwrap();
    from_str(&text).unwrap()
}
