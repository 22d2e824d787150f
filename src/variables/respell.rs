//! Templates that name a key which was renamed, with the new name.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::compare::{Side, Values, pair_renamed};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Identity;
use crate::source::replace_ranges;

/// Maximum number of pairs of removed and added keys of a mapping that are compared.
// More keys changed at once are a rewritten mapping, in which no pair is certain.
const MAX_PAIRS: usize = 64;

/// Returns the text of the written document in which some of its templates have the new
/// names of keys that were renamed from `filled` to `edited`; `None` if they name none.
///
/// A key was renamed if its value stands under one new key of the same mapping. Whether
/// a template means that key only its evaluation can tell.
pub fn respelled(
    written: &Tree,
    filled: &Tree,
    edited: &Tree,
    templates: &[NodeId],
) -> Option<String> {
    let names = renamed_keys(filled, edited);
    let text = written.base().text();
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    for &template in templates {
        let span = written.span(template).filter(|span| span.file == written.file());
        // A template of an included file stands elsewhere.
        let Some(span) = span else { continue };
        let start = span.start as usize;
        let end = span.end as usize;
        for word in words(&text[start..end]) {
            let place = start + word.start..start + word.end;
            if let Some(new) = names.get(&text[place.clone()]) {
                edits.push((place, new));
            }
        }
    }
    edits.sort_by_key(|(place, _)| place.start);
    edits.dedup_by_key(|(place, _)| place.start);
    (!edits.is_empty()).then(|| replace_ranges(text, edits))
}

/// Returns the new names of the keys that were renamed. Two mappings that rename the same
/// key to other names make it ambiguous.
fn renamed_keys(filled: &Tree, edited: &Tree) -> HashMap<String, String> {
    let roots = filled.roots().iter().copied().zip(edited.roots().iter().copied());
    let mut todo: Vec<(NodeId, NodeId)> = roots.collect();
    let mut values = Values::new([filled, edited]);
    let mut names = HashMap::new();
    let mut met = HashSet::new();
    let mut ambiguous: HashSet<String> = HashSet::new();
    while let Some((was, is)) = todo.pop() {
        let was = filled.follow(was);
        let is = edited.follow(is);
        let kinds = (filled.kind(was), edited.kind(is));
        if kinds != (Kind::Mapping, Kind::Mapping) || !met.insert((was, is)) {
            continue;
        }
        let was = entries(filled, was);
        let is = entries(edited, is);
        let there: HashMap<&str, NodeId> = is.iter().map(|it| (&*it.0, it.1)).collect();
        todo.extend(
            was.iter().filter_map(|(key, was)| Some((*was, *there.get(&**key)?))),
        );
        let known: HashSet<&str> = was.iter().map(|(key, _)| &**key).collect();
        let gone = was.iter().filter(|(key, _)| !there.contains_key(&**key));
        let added = is.iter().filter(|(key, _)| !known.contains(&**key));
        let (gone, old): (Vec<&str>, Vec<NodeId>) = gone.map(|it| (&*it.0, it.1)).unzip();
        let (added, new): (Vec<&str>, Vec<NodeId>) =
            added.map(|it| (&*it.0, it.1)).unzip();
        if gone.len().saturating_mul(added.len()) > MAX_PAIRS {
            continue;
        }
        let old = values.classes(&old, Side::Old).into_iter().map(Some);
        let new = values.classes(&new, Side::New).into_iter().map(Some);
        let pairs = pair_renamed(old, new);
        for (at, &old) in gone.iter().enumerate() {
            let Some(new) = pairs.new_of(at).map(|at| added[at].to_owned()) else {
                continue;
            };
            let other = names.insert(old.to_owned(), new.clone());
            if other.is_some_and(|other| other != new) {
                ambiguous.insert(old.to_owned());
            }
        }
    }
    names.retain(|name, _| !ambiguous.contains(name));
    names
}

/// Returns the entries of a mapping whose keys are names.
fn entries(tree: &Tree, mapping: NodeId) -> Vec<(String, NodeId)> {
    let named = |(key, value)| match tree.identity(key)? {
        Identity::String(name) if is_name(&name) => Some((name.into_owned(), value)),
        _ => None,
    };
    tree.pairs(mapping).into_iter().filter_map(named).collect()
}

/// Returns the places of the words of a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word_char)?;
        let length = text[start..].find(|c| !is_word_char(c));
        at = length.map_or(text.len(), |length| start + length);
        Some(start..at)
    })
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char)
}
