//! The effects of an op on the old and on the new document, compared.

use std::collections::VecDeque;

use hashbrown::HashMap;

use super::bases::Trees;
use super::difference::{change, is_same, shown};
use super::name::Name;
use crate::node::{Effect, Path, Step, Tree};
use crate::patch::{Edit, Op};

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
    let found = |effects: &[Effect]| {
        effects.iter().filter(|effect| effect.before.is_some()).count()
    };
    found(old) > found(new)
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
