//! Tests that no edit of a filled-in list, and no copy of its content, reveals the
//! variables in it.

use interpolate::unstable::node::Tree;
use interpolate::unstable::source::{Memory, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions, UsedValues};
use interpolate::unstable::yaml::{self, Expansion, Options};
use serde_json::Value;

/// Items. The value of `x` occurs nowhere else.
const ITEMS: &[&str] = &[
    "1",
    "one",
    "((x))",
    "a-((x))-b",
    "((m))",
    "[((x)), 1]",
    "[[((x))], two]",
    "{a: ((x)), b: 1}",
    "{a: ((x)), b: 2}",
    "{a: {b: [((m))]}}",
    "{name: n1, word: ((x))}",
    "{name: n2, words: [1, ((x))]}",
    "{name: ((x)), b: 1}",
    "{a: 1, name: n3}",
];

const GIVEN: &str = "{x: s3cret, m: {k: [s3cret]}}";

/// Moves, copies, changes and removes items of a list, and searches for the secret.
pub fn check(items: &[usize], edits: &[[usize; 3]]) -> Result<(), String> {
    let mut sources = Sources::default();
    let items: Vec<&str> = items.iter().map(|&i| ITEMS[i % ITEMS.len()]).collect();
    let written = read(&mut sources, &format!("list: [{}]\n", items.join(", ")));
    let vars = read(&mut sources, GIVEN);
    let mut given = Bindings::default();
    given.add_entries(&vars).unwrap();
    let fill = |document: &mut Tree| {
        let (world, rules) = (Memory::default(), FillOptions::default());
        variables::fill(document, 0..1, &given, None, &world, &rules).unwrap();
    };
    let mut filled = written.clone();
    fill(&mut filled);
    let mut value = json(&filled);
    for &edit in edits {
        let items = value["list"].as_array_mut().unwrap();
        change(items, edit);
        if edit[0] % 7 == 6 && !items.is_empty() {
            let copy = items[edit[1] % items.len()].clone();
            value[format!("copy{}", edit[2] % 3)] = copy;
        }
    }
    let edited = read(&mut sources, &value.to_string());
    let values = UsedValues::find(&written, &given, None, &Memory::default());
    let back = variables::restore_placeholders(&written, &filled, &edited, &values);
    let back = back.document.to_string();
    let mut again = read(&mut sources, &back);
    fill(&mut again);
    if back.contains("s3cret") || json(&again) != value {
        return Err(format!("{written}--- edited\n{value}\n--- unfilled\n{back}\n"));
    }
    Ok(())
}

fn change(items: &mut Vec<Value>, [kind, from, to]: [usize; 3]) {
    if items.is_empty() {
        return;
    }
    let (from, to) = (from % items.len(), to % items.len());
    match kind % 7 {
        0 => items.swap(from, to),
        1 => items.insert(to, items[from].clone()),
        2 => drop(items.remove(from)),
        3 => items.rotate_left(from),
        4 => items.insert(to, Value::from("new")),
        6 => {}
        _ => match &mut items[from] {
            Value::Array(items) => items.insert(0, Value::from(9)),
            // A part of a value is not the value.
            Value::Object(entries) if entries.contains_key("k") => {}
            Value::Object(entries) => drop(entries.insert("b".into(), 9.into())),
            _ => {}
        },
    }
}

fn read(sources: &mut Sources, text: &str) -> Tree {
    let file = sources.add("it.yml", text);
    yaml::read(sources, file, &Options::default()).unwrap()
}

fn json(document: &Tree) -> Value {
    let json = yaml::json::print(document, document.root(), Expansion::default());
    serde_json::from_str(&json.unwrap()).unwrap()
}
