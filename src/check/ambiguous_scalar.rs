//! The rule `ambiguous-scalar`.

use std::collections::HashMap;

use super::finding::Finding;
use super::rule::Rule;
use crate::arena::{Arena, Index, Style, flag};
use crate::diagnostic::Diagnostic;
use crate::node::Tree;
use crate::scalar::{Dialect, Identity, Scalar};

/// Maximum number of places of one spelling that are named: the others are counted.
// More places of the same word do not tell more, and a file may have thousands.
const MAX_NAMED: usize = 3;

/// Length in bytes of the longest text that is compared: no word or number that dialects
/// disagree about is longer, except numbers with many digits.
const MAX_LENGTH: usize = 64;

/// Returns a finding for each spelling of a plain scalar that is one value in YAML 1.1 and
/// another one in YAML 1.2.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    let arena = tree.base();
    let mut spellings: Vec<(&str, Vec<Index>)> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for i in arena.indices().filter(|&i| is_plain(arena, i)) {
        let raw = arena.raw(i);
        if raw.len() > MAX_LENGTH || !differs(raw) {
            continue;
        }
        let number = *numbers.entry(raw).or_insert_with(|| {
            spellings.push((raw, Vec::new()));
            spellings.len() - 1
        });
        spellings[number].1.push(i);
    }
    spellings.iter().map(|(raw, places)| finding(arena, raw, places)).collect()
}

fn is_plain(arena: &Arena, i: Index) -> bool {
    let special = flag::MULTILINE | flag::COOKED | flag::MERGE_KEY;
    arena.style(i) == Style::Plain && !arena.has(i, special) && arena.tag(i).is_none()
}

fn differs(raw: &str) -> bool {
    // Most texts begin with a letter and are longer than any word of YAML 1.1.
    let is_text = raw.len() > 5 && raw.as_bytes()[0].is_ascii_alphabetic();
    !is_text && identity(raw, Dialect::Core) != identity(raw, Dialect::Yaml11)
}

fn identity(raw: &str, dialect: Dialect) -> Identity<'_> {
    Scalar::plain(raw, dialect).identity()
}

fn finding(arena: &Arena, raw: &str, places: &[Index]) -> Finding {
    let [old, new] = [Dialect::Yaml11, Dialect::Core].map(|it| meaning(raw, it));
    let message = format!("'{raw}' is {old} in YAML 1.1 and {new} in YAML 1.2");
    let warning = Diagnostic::warning(message);
    let named = places.iter().take(MAX_NAMED);
    let warning = named.fold(warning, |warning, &i| warning.at(arena.span(i)));
    let more = places.len().saturating_sub(MAX_NAMED);
    let places = if more == 1 { "place" } else { "places" };
    let more = (more > 0).then(|| format!("{more} more {places} in this file"));
    let warning = warning.hints(more).hint(hint(raw));
    Finding::new(Rule::AmbiguousScalar, *warning)
}

/// Returns the spellings that all readers understand in the same way.
fn hint(raw: &str) -> String {
    let values =
        [Dialect::Yaml11, Dialect::Core].map(|dialect| Scalar::plain(raw, dialect));
    let spelling = |value: &Scalar<'_>| match value {
        Scalar::Bool(value) => Some(value.to_string()),
        Scalar::Int(number) => Some(number.to_string()),
        Scalar::Big(number) => Some(number.to_string()),
        Scalar::Float(number) => Some(number.to_string()),
        Scalar::Null | Scalar::String(_) | Scalar::Binary(_) => None,
    };
    let mut words: Vec<String> = values.iter().filter_map(spelling).collect();
    words.push(format!("'{raw}' for the text"));
    format!("write {}", words.join(" or "))
}

fn meaning(raw: &str, dialect: Dialect) -> String {
    match Scalar::plain(raw, dialect) {
        Scalar::Null => "null".into(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(number) => format!("the number {number}"),
        Scalar::Big(number) => format!("the number {number}"),
        Scalar::Float(number) => format!("the number {number}"),
        Scalar::String(_) => "a text".into(),
        Scalar::Binary(_) => "bytes".into(),
    }
}
