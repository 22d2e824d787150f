//! Prints the patches that the commands of archives are given, reads the printed text again, and compares the
//! effects of both.

use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, language};

use interpolate_fixtures::archive::Archive;

/// Reads a document as a patch.
type Compile = fn(&Tree) -> Option<Patch>;

#[test]
fn cases() {
    let (mut count, mut wrong) = (0, Vec::new());
    let all = ["patch", "cli"].into_iter().flat_map(Archive::all);
    for case in all {
        let names: Vec<&str> = case.names().collect();
        let text = |name: &str| std::str::from_utf8(case.bytes(name)?).ok();
        let command = text("cmd").unwrap_or("-o ops.yml");
        let options = [("-o ", any as Compile), ("--merge ", merge as Compile)];
        for (option, language) in options {
            let is_given = |name: &&&str| command.contains(&format!("{option}{name}"));
            for patch in names.iter().filter(is_given).filter_map(|name| text(name)) {
                let bases = names.iter().filter(|name| name.starts_with("base"));
                for base in bases.filter_map(|name| text(name)) {
                    match check(base, patch, language) {
                        Ok(is_patch) => count += usize::from(is_patch),
                        Err(why) => wrong.push(format!("{}: {why}", case.name())),
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count > 100, "{count}");
}

fn any(document: &Tree) -> Option<Patch> {
    language::patch(document, "patch").ok()
}

fn merge(document: &Tree) -> Option<Patch> {
    language::merge_patch(document).ok()
}

/// Returns true if the patch applies to the document.
fn check(base: &str, patch: &str, language: Compile) -> Result<bool, String> {
    let compiled = read(patch).and_then(|patch| language(&patch));
    let (Some(base), Some(patch)) = (read(base), compiled) else { return Ok(false) };
    let Some(wanted) = applied(&patch, &base) else { return Ok(false) };
    let text = patch.to_string();
    let again = read(&text).and_then(|again| language(&again));
    let again = again.ok_or_else(|| format!("cannot be read again:\n{text}"))?;
    match applied(&again, &base) {
        Some(found) if found == wanted => Ok(true),
        found => Err(format!("{text}makes\n{found:?}\nand not\n{wanted:?}")),
    }
}

fn read(text: &str) -> Option<Tree> {
    let mut sources = Sources::default();
    let file = sources.add("text", text);
    yaml::read(&sources, file, &Options::default()).ok()
}

/// Returns the documents as JSON after a patch.
fn applied(patch: &Patch, base: &Tree) -> Option<Vec<String>> {
    let mut tree = base.clone();
    apply::apply(patch, &mut tree, 0..1).ok()?;
    let roots = tree.roots().iter();
    roots.map(|&root| yaml::json::print(&tree, root, Expansion::default()).ok()).collect()
}
