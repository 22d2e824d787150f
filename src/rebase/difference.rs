//! Values, and the effects of an op on the old and on the new document, compared in few words.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use super::name::{Name, NamedChild, Trees, children, name_key};
use crate::compare::Values;
use crate::node::{Effect, Kind, NodeId, Path, Step, Tree};
use crate::patch::{Edit, Op};
use crate::scalar::Identity;
use crate::yaml::json::quoted;

/// Maximum length of a shown scalar, in characters: two of them fit a line.
const MAX_LENGTH: usize = 40;

/// Number of equal characters that are shown before the first different one.
const MAX_CONTEXT: usize = 12;

/// Maximum number of places that are shown.
const MAX_SHOWN: usize = 2;

/// Maximum number of places that are counted.
const MAX_COUNTED: usize = 99;

/// Returns a value in few words: a short scalar, or the size of a collection.
pub(super) fn shown(tree: &Tree, node: NodeId) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    if tree.is_secret(node) {
        return "<redacted>".into();
    }
    match tree.kind(node) {
        Kind::Sequence => {
            format!("a list of {}", count(tree.items(node).len(), "item", "items"))
        }
        Kind::Mapping => {
            format!("a mapping of {}", count(tree.pairs(node).len(), "key", "keys"))
        }
        Kind::Scalar => match tree.string(node) {
            Some(text) => quoted(&shortened(&text)),
            None if tree.is_null(node) => "null".into(),
            None => shortened(&tree.text_of(node)),
        },
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_LENGTH {
        return text.to_owned();
    }
    text.chars().take(MAX_LENGTH - 1).chain(['…']).collect()
}

/// Returns true if two values mean the same.
pub(super) fn is_same(trees: Trees<'_>, was: NodeId, now: NodeId) -> bool {
    Values::new(trees).equal(was, now)
}

/// Returns the change from one value to another: `1 -> 2`, or the first places in them.
pub(super) fn change(trees: Trees<'_>, was: NodeId, now: NodeId) -> String {
    let [old, new] = trees;
    let is_inside = old.kind(was) == new.kind(now) && old.kind(was) != Kind::Scalar;
    let found = if is_inside { differences(trees, was, now) } else { Vec::new() };
    if found.is_empty() {
        return both(trees, was, now);
    }
    let more = found.len().saturating_sub(MAX_SHOWN);
    let at_least = if found.len() > MAX_COUNTED { "at least " } else { "" };
    let mut parts: Vec<String> = found.into_iter().take(MAX_SHOWN).collect();
    if more > 0 {
        parts.push(format!("and {at_least}{more} more"));
    }
    parts.join(", ")
}

/// Returns two values in few words. Of long texts that begin alike the end is shown.
fn both([old, new]: Trees<'_>, was: NodeId, now: NodeId) -> String {
    let shown = [shown(old, was), shown(new, now)];
    let text = |tree: &Tree, node: NodeId| {
        let text = tree.string(node).filter(|_| !tree.is_secret(node));
        text.map(std::borrow::Cow::into_owned)
    };
    let texts = [text(old, was), text(new, now)];
    if let ([old, new], [Some(was), Some(now)]) = (&shown, &texts)
        && old == new
    {
        let pairs = was.chars().zip(now.chars());
        let same = pairs.take_while(|(a, b)| a == b).count().saturating_sub(MAX_CONTEXT);
        let end = |text: &str| {
            let end: String = text.chars().skip(same).collect();
            quoted(&shortened(&format!("…{end}")))
        };
        return format!("{} -> {}", end(was), end(now));
    }
    shown.join(" -> ")
}

/// Returns the places at which two values differ, the first of them.
fn differences(trees: Trees<'_>, was: NodeId, now: NodeId) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![(String::new(), Some(was), Some(now))];
    let [old, new] = trees;
    // Nested aliases let a small text contain exponentially many equal pairs.
    let mut compared = HashSet::new();
    while let Some((place, was, now)) = todo.pop() {
        if found.len() > MAX_COUNTED {
            break;
        }
        let (was, now) = match (was, now) {
            (Some(was), Some(now)) => (old.follow(was), new.follow(now)),
            (Some(_), None) => {
                found.push(format!("{place} is gone"));
                continue;
            }
            (None, _) => {
                found.push(format!("{place} is new"));
                continue;
            }
        };
        let kind = old.kind(was);
        if kind != new.kind(now) || kind == Kind::Scalar {
            if kind != new.kind(now) || old.identity(was) != new.identity(now) {
                found.push(format!("{place} {}", both(trees, was, now)));
            }
            continue;
        }
        if !compared.insert((was, now)) {
            continue;
        }
        for (name, was, now) in paired(trees, was, now).into_iter().rev() {
            todo.push((format!("{place}/{}", name.token()), was, now));
        }
    }
    found
}

/// A child of one or of both of two collections.
type Paired = (Name, Option<NodeId>, Option<NodeId>);

/// A child and, of an entry with a scalar as its key, what tells `1` from `"1"`.
type Identified<'t> = (NamedChild, Option<Identity<'t>>);

/// Returns the children of two collections of one kind: those of the first one in their
/// order, then those that only the second one has.
fn paired([old, new]: Trees<'_>, was: NodeId, now: NodeId) -> Vec<Paired> {
    let key = name_key(old, was).filter(|&key| name_key(new, now) == Some(key));
    let was = identified(old, was, key);
    let now = identified(new, now, key);
    // Keys that are collections may have one name.
    let mut left = HashMap::<_, VecDeque<usize>>::new();
    for (at, (child, key)) in now.iter().enumerate() {
        left.entry((&child.name, key)).or_default().push_back(at);
    }
    let mut pairs = Vec::new();
    let mut is_paired = vec![false; now.len()];
    for (child, key) in &was {
        let there = left.get_mut(&(&child.name, key)).and_then(VecDeque::pop_front);
        let same = there.map(|at| {
            is_paired[at] = true;
            now[at].0.node
        });
        pairs.push((child.name.clone(), Some(child.node), same));
    }
    let added = now.iter().zip(is_paired).filter(|(_, is_paired)| !is_paired);
    pairs.extend(
        added.map(|((child, _), _)| (child.name.clone(), None, Some(child.node))),
    );
    pairs
}

fn identified<'t>(
    tree: &'t Tree,
    node: NodeId,
    key: Option<&str>,
) -> Vec<Identified<'t>> {
    let children = children(tree, node, key).into_iter();
    let keys: Vec<_> = match tree.kind(node) {
        Kind::Mapping => {
            tree.pairs(node).into_iter().map(|(key, _)| tree.identity(key)).collect()
        }
        Kind::Sequence | Kind::Scalar => vec![None; children.len()],
    };
    children.zip(keys).collect()
}

/// Maximum number of differences that are named.
// Two fit a line.
const MAX_NAMED: usize = 2;

/// Returns how the effects of an op differ in words, if they do.
pub(super) fn compare(
    trees: Trees<'_>,
    op: &Op,
    old: &[Effect],
    new: &[Effect],
) -> Option<String> {
    if let ([old], [new]) = (old, new) {
        return difference(trees, op, old, new);
    }
    if new.is_empty() && !old.is_empty() && op.edit == Edit::Remove {
        let was = old.first().and_then(|effect| effect.before);
        let was = was.map(|was| format!("; it was {}", shown(trees[0], was)));
        let was = was.unwrap_or_default();
        return Some(format!("there is nothing to remove any more{was}"));
    }
    // An op may change one place twice: it moves an item within its list.
    let mut there: HashMap<Vec<Name>, VecDeque<&Effect>> = HashMap::new();
    for effect in new {
        there.entry(names(trees[1], &effect.path)).or_default().push_back(effect);
    }
    let mut found = Vec::new();
    for old in old {
        let names = names(trees[0], &old.path);
        let same = there.get_mut(&names).and_then(VecDeque::pop_front);
        let why = match same {
            Some(new) => difference(trees, op, old, new),
            None => Some("is not changed any more".into()),
        };
        found.extend(why.map(|why| format!("{}: {why}", spelled(&names))));
    }
    let added = new.len().saturating_sub(old.len());
    if found.is_empty() && added > 0 {
        return Some(format!(
            "it changes {} places, and changed {}",
            new.len(),
            old.len()
        ));
    }
    let more = found.len().saturating_sub(MAX_NAMED);
    found.truncate(MAX_NAMED);
    found.extend((more > 0).then(|| format!("and {more} more")));
    (!found.is_empty()).then(|| found.join(", "))
}

/// Returns true if an op changed something in the old document that it does not find in the
/// new one.
pub(super) fn has_lost(old: &[Effect], new: &[Effect]) -> bool {
    let found = [old, new].map(|it| it.iter().filter(|it| it.before.is_some()).count());
    found[0] > found[1]
        || old.len() == 1 && new.len() == 1 && new[0].path.len() < old[0].path.len()
}

fn names(tree: &Tree, path: &Path) -> Vec<Name> {
    path.iter().map(|step| Name::of_step(tree, *step)).collect()
}

fn spelled(names: &[Name]) -> String {
    names.iter().map(|name| format!("/{}", name.token())).collect()
}

/// Returns how the effects at one place differ.
fn difference(trees: Trees<'_>, op: &Op, old: &Effect, new: &Effect) -> Option<String> {
    let [old_tree, new_tree] = trees;
    match (old.before, new.before) {
        (Some(was), Some(now)) => {
            (!is_same(trees, was, now)).then(|| change(trees, was, now))
        }
        (None, Some(now)) => {
            let is_set =
                new.after.is_some_and(|value| is_same([new_tree; 2], now, value));
            Some(if is_set {
                "it is there already, with the value that the op gives it".into()
            } else {
                format!("it is there already: {}", shown(new_tree, now))
            })
        }
        (Some(was), None) => {
            let was = shown(old_tree, was);
            Some(format!("it is not there any more, and is made anew; it was {was}"))
        }
        (None, None) if op.edit == Edit::Remove || new.path.len() >= old.path.len() => {
            None
        }
        (None, None) => {
            let made = new.path.last().and_then(|step| match step {
                Step::Key(key) => new_tree.member_name(*key),
                Step::Index(_) => None,
            });
            let made = made.map_or("what is around it".into(), |key| format!("'{key}'"));
            Some(format!("{made} is not there any more, and is made anew"))
        }
    }
}
