//! Tests how values are printed by `--format bosh` and as JSON: fixtures/print/, an
//! archive a case. `BLESS=1` rewrites the expected results.

use interpolate::unstable::diagnostic;
use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate_fixtures::archive::Archive;

/// Checks a case of `--format bosh`. The result is printed again as it is.
pub(crate) fn check_go(mut case: Archive) -> Result<(), String> {
    let found = result(go(case.text("in.yml")));
    case.expect("out", Some(found.as_bytes()))?;
    let again = result(go(&found));
    if again == found {
        return Ok(());
    }
    Err(format!("== {}: its result is printed again as\n{again}", case.name()))
}

/// Checks a case of JSON.
pub(crate) fn check_json(mut case: Archive) -> Result<(), String> {
    let found = result(json(case.text("in.yml")));
    case.expect("out", Some(found.as_bytes()))
}

fn result(printed: diagnostic::Result<String>) -> String {
    printed.unwrap_or_else(|refusal| format!("error: {}\n", refusal.message))
}

fn go(text: &str) -> diagnostic::Result<String> {
    let document = read(text, Dialect::Go)?;
    yaml::go::print(&document, document.root(), Expansion::default())
}

fn json(text: &str) -> diagnostic::Result<String> {
    let document = read(text, Dialect::Core)?;
    yaml::json::print(&document, document.root(), Expansion::default())
}

fn read(text: &str, dialect: Dialect) -> diagnostic::Result<Tree> {
    let mut sources = Sources::default();
    let file = sources.add("a.yml", text);
    yaml::read(&sources, file, &Options { dialect, ..Options::default() })
}
