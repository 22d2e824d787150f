//! Suggestions for what an op leads to no more: the place where it may be now.

use super::bases::{Bases, Pair, Version};
use super::finding::Finding;
use super::mend::Mend;
use super::name::{Name, shown_way};
use super::respell::Spelled;
use super::search::Outcome;
use super::searches::Searches;
use super::trail::{names_along, names_of, names_of_keys};
use super::verdict::Status;
use super::ways::Ways;
use crate::node::Effect;
use crate::patch::Op;
use crate::select::{Query, Selection};

/// Maximum number of places that are searched for an op that changes many.
const MAX_SEARCHED: usize = 16;

/// Looks for what an op copied or moved from. It fails with a message now.
pub(super) fn lost_source(
    searches: &mut Searches<'_>,
    pair: Pair,
    ways: &Ways,
    message: &str,
) -> Finding {
    let names: Vec<&Name> = ways.was.iter().map(|stop| &stop.name).collect();
    match searches.run(pair, &names, ways.now.len()) {
        Outcome::Found(found) => {
            let place = shown_way(&found.way, names.get(found.depth..));
            let why = format!("its `from` may be {place} now: {}", found.why);
            Finding::new(Status::Moved, false, why)
        }
        Outcome::Nothing(_) => Finding::new(Status::Gone, false, message),
    }
}

/// Looks for what a query selected that selects nothing now, in at most `limit` steps.
pub(super) fn lost_query(
    searches: &mut Searches<'_>,
    pair: Pair,
    (query, limit): (&Query, u64),
    message: &str,
) -> Finding {
    let [tree, _] = searches.trees;
    let old = tree.roots()[pair.old];
    let selected = Selection::new(tree, old, limit).select(query).unwrap_or_default();
    let [(_, path)] = &selected[..] else {
        let count = selected.len();
        let why = format!("{message}; it matched {count} places");
        return Finding::new(Status::Gone, false, why);
    };
    let names = names_along(tree, old, path);
    let names: Vec<&Name> = names.iter().collect();
    match searches.run_lost(pair, &names) {
        Some(Outcome::Found(found)) => {
            let place = shown_way(&found.way, names.get(found.depth..));
            let why = format!("its match may be {place} now: {}", found.why);
            Finding::new(Status::Moved, false, why)
        }
        Some(Outcome::Nothing(_)) | None => Finding::new(Status::Gone, false, message),
    }
}

/// Looks for what an op changed in the old document. It works on the new one, too, but
/// does not find that; `why` tells the difference.
pub(super) fn lost_effects(
    searches: &mut Searches<'_>,
    pair: Pair,
    (names, target): (Vec<Vec<Name>>, &Spelled),
    why: String,
) -> Finding {
    for names in names {
        let names: Vec<&Name> = names.iter().collect();
        let Some(Outcome::Found(found)) = searches.run_lost(pair, &names) else {
            continue;
        };
        let place = shown_way(&found.way, names.get(found.depth..));
        let why = format!("{why}; what it was may be {place} now: {}", found.why);
        let to = target.along(&found.way).map(|at| Mend { at, way: found.way });
        return Finding { to, ..Finding::new(Status::Changed, false, why) };
    }
    Finding::new(Status::Changed, true, why)
}

/// Returns the names that lead to what an op changed in the old document.
pub(super) fn changed_names(bases: &Bases, op: &Op, old: &[Effect]) -> Vec<Vec<Name>> {
    match names_of(&op.at) {
        names if names.is_empty() => {
            let changed = old.iter().filter(|effect| effect.before.is_some());
            let tree = bases.tree(Version::Old);
            let names = changed.filter_map(|it| names_of_keys(tree, &it.path));
            names.take(MAX_SEARCHED).collect()
        }
        names => vec![names],
    }
}
