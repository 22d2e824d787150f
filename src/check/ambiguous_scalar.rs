//! The rule `ambiguous-scalar`.

use hashbrown::HashSet;

use super::finding::Finding;
use super::rule::Rule;
use crate::arena::{Arena, Index, Style, flag};
use crate::diagnostic::Diagnostic;
use crate::node::Tree;
use crate::scalar::{Dialect, Identity, Scalar};

/// Length in bytes of the longest text that is compared: no word or number that dialects
/// disagree about is longer, except numbers with many digits.
const MAX_LENGTH: usize = 64;

/// Returns a finding for each plain scalar that is one value in YAML 1.1 and another one in
/// YAML 1.2.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    let arena = tree.base();
    let plain = arena.indices().filter(|&i| is_plain(arena, i));
    let is_ambiguous = |&i: &Index| {
        let raw = arena.raw(i);
        raw.len() <= MAX_LENGTH && differs(raw)
    };
    let mut found: Vec<Index> = plain.filter(is_ambiguous).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let roots = arena.sections().iter().map(|section| section.root);
    let triggers: HashSet<Index> =
        roots.filter_map(|root| trigger(arena, root)).collect();
    found.retain(|i| !triggers.contains(i));
    let mappings = arena.indices().filter(|&i| arena.style(i).is_mapping());
    let keys: HashSet<Index> =
        mappings.flat_map(|i| arena.entries(i).map(|(key, _)| key)).collect();
    found.into_iter().map(|i| finding(arena, i, keys.contains(&i))).collect()
}

/// Returns the key `on` of a workflow of GitHub, which reads it as a text.
// Each workflow has it, and GitHub's documentation writes it without quotes.
fn trigger(arena: &Arena, root: Index) -> Option<Index> {
    if !arena.style(root).is_mapping() {
        return None;
    }
    let keys: Vec<Index> = arena.entries(root).map(|(key, _)| key).collect();
    let on = keys.iter().copied().find(|&key| arena.raw(key) == "on")?;
    keys.iter().any(|&key| arena.raw(key) == "jobs").then_some(on)
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

fn finding(arena: &Arena, i: Index, is_key: bool) -> Finding {
    let raw = arena.raw(i);
    let [old, new] = [Dialect::Yaml11, Dialect::Core].map(|it| meaning(raw, it));
    let message = format!("'{raw}' is {old} in YAML 1.1 and {new} in YAML 1.2");
    let warning = Diagnostic::warning(message).at(arena.span(i)).hint(hint(raw, is_key));
    Finding::new(Rule::AmbiguousScalar, *warning)
}

/// Returns the spellings that all readers understand in the same way. A key is a text.
fn hint(raw: &str, is_key: bool) -> String {
    if is_key {
        return format!("write '{raw}'");
    }
    let values =
        [Dialect::Yaml11, Dialect::Core].map(|dialect| Scalar::plain(raw, dialect));
    let mut words: Vec<String> = values.iter().filter_map(spelling).collect();
    words.push(format!("'{raw}' for the text"));
    format!("write {}", words.join(" or "))
}

fn meaning(raw: &str, dialect: Dialect) -> String {
    let value = Scalar::plain(raw, dialect);
    match (&value, spelling(&value)) {
        (Scalar::Bool(_), Some(word)) => word,
        (_, Some(number)) => format!("the number {number}"),
        (Scalar::Null, None) => "null".into(),
        (Scalar::Binary(_), None) => "bytes".into(),
        (_, None) => "a text".into(),
    }
}

/// Returns the spelling of a boolean or a number.
fn spelling(value: &Scalar<'_>) -> Option<String> {
    match value {
        Scalar::Bool(value) => Some(value.to_string()),
        Scalar::Int(number) => Some(number.to_string()),
        Scalar::Big(number) => Some(number.to_string()),
        Scalar::Float(number) => Some(number.to_string()),
        Scalar::Null | Scalar::String(_) | Scalar::Binary(_) => None,
    }
}
