//! Tests the cookbook: each folder of `ops/` is a complete recipe, and `ops/README.md` is
//! their index. `BLESS=1` rewrites its lines. `tests/cases` runs the recipes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use interpolate_fixtures::archive::{Archive, folders, is_result};

#[test]
fn recipes_are_complete() {
    let faults = recipes().flat_map(|recipe| {
        let name = recipe.name();
        faults(&recipe).into_iter().map(move |fault| format!("ops/{name}: {fault}"))
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_index_lists_each_recipe() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ops/README.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut rows: BTreeMap<_, _> = recipes().map(|it| (it.name(), row(&it))).collect();
    let mut wanted = String::new();
    for line in text.lines() {
        match folder(line) {
            Some(folder) => match rows.remove(folder) {
                Some(row) => wanted += &row,
                None => panic!("ops/README.md lists {folder} twice, or it is no recipe"),
            },
            None => wanted += line,
        }
        wanted.push('\n');
    }
    let missing: Vec<String> = rows.into_values().collect();
    assert!(missing.is_empty(), "ops/README.md lacks\n{}", missing.join("\n"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), wanted);
}

#[test]
fn the_cookbook_has_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ops");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = entries.filter(|path| !path.is_dir()).collect();
    assert!(matches!(&*files, [index] if index.ends_with("README.md")), "{files:?}");
}

fn recipes() -> impl Iterator<Item = Archive> {
    folders("ops").into_iter().map(Archive::open)
}

/// Returns what a recipe lacks, and what it has too much.
fn faults(recipe: &Archive) -> Vec<String> {
    let (command, readme) = (recipe.text("cmd"), recipe.text("README.md"));
    let parts = [
        (is_readme(readme), "README.md has no title and two paragraphs"),
        (is_command(command), "cmd is not one line that runs interpolate"),
        (recipe.names().any(is_shown), "there is no result"),
        (recipe.text("code") != "0\n", "code is 0, which goes without saying"),
    ];
    let lacks = parts.into_iter().filter(|(is_there, _)| !is_there);
    let inputs: Vec<&str> = recipe.names().filter(|name| is_input(name)).collect();
    let is_used = |name: &str| {
        let mut texts = inputs.iter().filter(|other| **other != name);
        command.contains(name) || texts.any(|other| recipe.text(other).contains(name))
    };
    let unused = inputs.iter().filter(|name| !is_used(name));
    lacks
        .map(|(_, fault)| fault.to_owned())
        .chain(unused.map(|name| format!("nothing uses {name}")))
        .collect()
}

fn is_readme(text: &str) -> bool {
    let mut parts = text.split("\n\n");
    let title = parts.next().and_then(|title| title.strip_prefix("# "));
    title.is_some_and(|title| !title.contains('\n')) && parts.count() >= 2
}

fn is_command(text: &str) -> bool {
    text.starts_with("interpolate ") && text.find('\n') == Some(text.len() - 1)
}

/// Returns true if a file of a recipe is a result that readers look at.
fn is_shown(name: &str) -> bool {
    is_result(name) && name != "code"
}

fn is_input(name: &str) -> bool {
    !is_result(name) && !["README.md", "cmd"].contains(&name)
}

/// Returns the line of the index for a recipe.
fn row(recipe: &Archive) -> String {
    let title = recipe.text("README.md").lines().next().unwrap_or_default();
    let command = recipe.text("cmd").trim_end().replace('|', "\\|");
    format!("| [{}]({}) | `{command}` |", title.trim_start_matches("# "), recipe.name())
}

/// Returns the folder that a line of the index is for.
fn folder(line: &str) -> Option<&str> {
    let (_, link) = line.strip_prefix("| [")?.split_once("](")?;
    Some(link.split_once(')')?.0)
}
