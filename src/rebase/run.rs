//! All ops of a patch, one after another, on the old and on the new document.

use std::collections::HashMap;

use super::bases::{Bases, Pair, Trees, Version};
use super::effects::{compare, has_lost};
use super::name::{Name, Way, children};
use super::respell::Spelled;
use super::search::{Found, Nothing, Outcome, Search};
use super::trail::{Stop, names_along, names_of, names_of_keys};
use super::verdict::{Status, Verdict};
use crate::arena::Arena;
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::node::{Effect, Tree};
use crate::patch::{Edit, Missing, Op, Patch};
use crate::pointer::Token;
use crate::select::{Query, Selection};
use crate::target::Target;

/// Maximum number of places that are searched for an op that changes many.
const MAX_SEARCHED: usize = 16;

/// Tells what becomes of each op of a patch for one document, on the next version of it. The
/// directives of both are applied already; `documents` are the documents of the streams
/// that an op without a selector is for.
///
/// # Errors
/// A selector of an op takes too many steps.
pub fn rebase(
    old: &Tree,
    new: &Tree,
    patch: &Patch,
    documents: [usize; 2],
) -> Result<Vec<Verdict>, Diagnostics> {
    let run = Run {
        bases: Bases::new([old, new], patch, documents)?,
        patch,
        searches: HashMap::new(),
        verdicts: Vec::new(),
        mends: Vec::new(),
    };
    run.run()
}

struct Run<'a> {
    bases: Bases<'a>,
    patch: &'a Patch,
    /// For each pair of documents that something was searched in.
    searches: HashMap<(usize, usize), Search>,
    verdicts: Vec<Verdict>,
    /// For each op that is mended, its new target, and the way that it got.
    mends: Vec<Option<(Spelled, Way)>>,
}

/// What was found about an op in one pair of documents.
#[derive(Default)]
struct Finding {
    status: Status,
    to: Option<(Spelled, Way)>,
    sure: bool,
    is_done: bool,
    why: String,
    /// The effects of the op at its new place.
    effects: Option<Vec<Effect>>,
}

/// The ways of a target in the old and the new document.
struct Ways {
    was: Vec<Stop>,
    now: Vec<Stop>,
}

impl Finding {
    fn new(status: Status, sure: bool, why: impl Into<String>) -> Finding {
        Finding { status, sure, why: why.into(), ..Finding::default() }
    }
}

impl Run<'_> {
    fn run(mut self) -> Result<Vec<Verdict>, Diagnostics> {
        for (number, op) in self.patch.ops.iter().enumerate() {
            // Directives belong to a document, and are applied already.
            let finding = if op.edit.merges() {
                Finding::new(Status::Same, true, "")
            } else {
                self.find(number)?
            };
            let Finding { status, to, sure, is_done, why, .. } = finding;
            self.verdicts.push(Verdict {
                number,
                origin: op.origin,
                path: self.spelled(number).text,
                status,
                to: to.as_ref().map(|(spelled, _)| spelled.text.clone()),
                sure,
                is_done,
                why,
            });
            self.mends.push(to.filter(|_| sure));
        }
        let ops = &self.patch.ops;
        self.verdicts.retain(|verdict| !ops[verdict.number].edit.merges());
        Ok(self.verdicts)
    }

    /// Returns what is found about an op in all documents that it is for: the worst.
    fn find(&mut self, number: usize) -> diagnostic::Result<Finding> {
        let op = &self.patch.ops[number];
        let (pairs, is_even) = self.bases.pairs(op)?;
        let mut worst: Option<Finding> = None;
        for pair in pairs {
            let finding = self.judge(number, pair);
            let is_worse = |worst: &Finding| {
                (finding.status, !finding.sure) > (worst.status, !worst.sure)
            };
            if worst.as_ref().is_none_or(is_worse) {
                worst = Some(finding);
            }
        }
        let none = || match (is_even, op.missing) {
            (true, Missing::Fails) => {
                Finding::new(Status::Same, false, "it selects no document, old or new")
            }
            (true, _) => Finding::new(Status::Same, true, "it selects no document"),
            (false, _) => Finding::new(
                Status::Gone,
                op.missing != Missing::Fails,
                "its selector selects documents of one version only",
            ),
        };
        let finding = worst.unwrap_or_else(none);
        if !is_even && finding.status == Status::Same {
            let why = "its selector selects another number of documents";
            return Ok(Finding::new(Status::Changed, true, why));
        }
        Ok(finding)
    }

    /// Applies an op to all three documents of a pair, and compares.
    fn judge(&mut self, number: usize, pair: Pair) -> Finding {
        let op = &self.patch.ops[number];
        let new = self.apply((number, op), Version::New, pair);
        let ways =
            (new.is_err() || names_positions(&op.at)).then(|| self.ways(&op.at, pair));
        let source = op.source().filter(|_| new.is_err());
        let source = source.map(|from| self.ways(from, pair));
        let old = self.apply((number, op), Version::Old, pair);
        match (old, new, ways) {
            (Err(error), Err(_), _) => {
                self.apply((number, op), Version::Mended, pair).ok();
                let message = diagnostic::plain(&error.message);
                let why = format!("it fails on the old document, too: {message}");
                Finding::new(Status::Same, false, why)
            }
            (Err(error), Ok(_), _) => {
                self.apply_mended(number, pair);
                let message = diagnostic::plain(&error.message);
                let why = format!("it works now; on the old document: {message}");
                Finding::new(Status::Changed, true, why)
            }
            (Ok(old), Err(error), Some(ways)) => {
                let mut finding = self.failed(number, pair, (ways, source), &error);
                if let (true, Some(new)) = (finding.sure, finding.effects.take()) {
                    let trees = self.trees(Version::Mended);
                    let held = compare(trees, op, &old, &new);
                    finding.why.extend(held.map(|held| format!("; {held}")));
                }
                finding
            }
            (Ok(old), Ok(new), ways) => {
                let strays = ways.and_then(|ways| self.strayed(number, pair, &ways));
                if let Some(finding) = strays {
                    return finding;
                }
                self.apply_mended(number, pair);
                match compare(self.trees(Version::New), op, &old, &new) {
                    Some(why) if has_lost(&old, &new) => {
                        self.lost(number, pair, &old, why)
                    }
                    Some(why) => Finding::new(Status::Changed, true, why),
                    None => Finding::new(Status::Same, true, ""),
                }
            }
            (Ok(_), Err(error), None) => {
                Finding::new(Status::Gone, false, &*error.message)
            }
        }
    }

    fn apply(
        &mut self,
        op: (usize, &Op),
        version: Version,
        pair: Pair,
    ) -> diagnostic::Result<Vec<Effect>> {
        self.bases.apply(op, version, pair)
    }

    fn ways(&mut self, target: &Target, pair: Pair) -> Ways {
        let was = self.bases.trail(target, Version::Old, pair);
        Ways { was, now: self.bases.trail(target, Version::Mended, pair) }
    }

    /// Applies an op that works as it is to the document with the mended ops. If it fails
    /// there, a mend before it was wrong.
    fn apply_mended(&mut self, number: usize, pair: Pair) {
        let op = &self.patch.ops[number];
        if self.apply((number, op), Version::Mended, pair).is_ok() {
            return;
        }
        let place = self.place(number);
        let tokens = op.at.tokens();
        let meets = |mend: &(Spelled, Way)| {
            let other = mend.0.target.tokens();
            other.starts_with(tokens) || tokens.starts_with(other)
        };
        let met: Vec<bool> =
            self.mends.iter().map(|it| it.as_ref().is_some_and(meets)).collect();
        let any = met.contains(&true);
        for (at, mend) in self.mends.iter_mut().enumerate() {
            if mend.is_some() && (met[at] || !any) {
                *mend = None;
                let verdict = &mut self.verdicts[at];
                verdict.sure = false;
                verdict.why += &format!("; but then the op at {place} fails");
            }
        }
    }

    /// Looks for an item that an op finds by its position, if another one is there now.
    fn strayed(&mut self, number: usize, pair: Pair, ways: &Ways) -> Option<Finding> {
        let pairs = ways.was.iter().zip(&ways.now);
        let at = pairs.enumerate().find_map(|(at, (was, now))| {
            let is_named = matches!((&was.name, &now.name),
                (Name::Item { key, .. }, Name::Item { key: same, .. }) if key == same);
            let is_other = was.position.is_some() && is_named && was.name != now.name;
            is_other.then_some(at)
        })?;
        let tree = self.bases.tree(Version::Mended);
        let list = match at {
            0 => tree.roots()[pair.new],
            _ => ways.now[at - 1].node,
        };
        let (was, now) = (&ways.was[at].name, &ways.now[at].name);
        let Name::Item { key, .. } = was else { return None };
        let items = children(tree, list, Some(key));
        let mut same = items.into_iter().filter(|item| item.name == *was);
        let found = same.next().filter(|_| same.next().is_none());
        let (old, new) = (was.shown(), now.shown());
        let Some(found) = found else {
            self.apply_mended(number, pair);
            let why = format!("the item there is '{new}' now, and was '{old}'");
            return Some(Finding::new(Status::Changed, false, why));
        };
        let mut way: Way = ways.now[..at]
            .iter()
            .map(|it| (it.name.clone(), it.position.unwrap_or(0)))
            .collect();
        way.push((found.name, found.position));
        let why =
            format!("'{old}' is item {} now; '{new}' is where it was", found.position);
        let found = Found::certain(way, why);
        Some(self.moved(number, pair, &ways.was, found))
    }

    /// Looks for what an op led to that has stopped working.
    fn failed(
        &mut self,
        number: usize,
        pair: Pair,
        (ways, source): (Ways, Option<Ways>),
        error: &Diagnostic,
    ) -> Finding {
        let op = &self.patch.ops[number];
        if self.apply((number, op), Version::Mended, pair).is_ok() {
            return self.follows(&ways.was);
        }
        let is_whole = |ways: &Ways| ways.now.len() >= ways.was.len();
        if let Some(source) = source.filter(|source| is_whole(&ways) && !is_whole(source))
        {
            return self.lost_source(pair, &source, error);
        }
        let Ways { was, now } = &ways;
        let depth = now.len();
        let message = diagnostic::plain(&error.message);
        if let Some(first) = was.get(depth).and_then(|stop| stop.by) {
            return self.depends(number, pair, was, first);
        }
        let known = was.iter().take_while(|stop| stop.by.is_none()).count();
        if let Target::Query(query) = &op.at {
            return self.lost_query(pair, query, &message);
        }
        if known <= depth {
            let is_value =
                |text: &&str| text.starts_with("expected ") || text.starts_with("found ");
            let labels = error.labels.iter().map(|label| &*label.text);
            let values: Vec<&str> = labels.filter(is_value).collect();
            let values = values.join(", ");
            let between = if values.is_empty() { "" } else { ": " };
            let why = format!("it fails there: {message}{between}{values}");
            return Finding::new(Status::Changed, false, why);
        }
        let names: Vec<&Name> = was[..known].iter().map(|stop| &stop.name).collect();
        match self.search(pair, &names, depth) {
            Outcome::Found(found) => self.moved(number, pair, was, found),
            Outcome::Nothing(nothing) => {
                let is_done = nothing.is_certain && op.edit == Edit::Remove;
                let why = self.gone(number, (depth, &names), &nothing);
                Finding { is_done, ..Finding::new(Status::Gone, is_done, why) }
            }
        }
    }

    fn search(&mut self, pair: Pair, names: &[&Name], depth: usize) -> Outcome {
        let trees = self.bases.pristine;
        self.search_in(pair).run(trees, names, depth)
    }

    /// Tells that an op works once the ops before it are mended.
    fn follows(&self, was: &[Stop]) -> Finding {
        let made = was.iter().filter_map(|stop| stop.by);
        let first = made.into_iter().find(|&by| self.is_broken(by));
        let why = match first {
            Some(first) => format!("it works once the op at {} does", self.place(first)),
            None => "it works once the ops before it do".into(),
        };
        Finding::new(Status::Follows, true, why)
    }

    fn is_broken(&self, number: usize) -> bool {
        let status = self.verdicts.get(number).map(|verdict| verdict.status);
        status.is_some_and(|status| status >= Status::Follows)
    }

    /// Tells that an op needs what an op before it made, which is not there now. If that
    /// one is mended, its place is tried.
    fn depends(
        &mut self,
        number: usize,
        pair: Pair,
        was: &[Stop],
        first: usize,
    ) -> Finding {
        let mend = self.mends.get(first).cloned().flatten();
        let same = mend.filter(|(_, way)| {
            let tokens = self.patch.ops[first].at.tokens();
            let mine = self.patch.ops[number].at.tokens();
            mine.len() > way.len() && tokens.get(..way.len()) == mine.get(..way.len())
        });
        if let Some((_, way)) = same {
            let place = self.place(first);
            let why = format!("it belongs to the op at {place}, which has moved");
            return self.moved(number, pair, was, Found::certain(way, why));
        }
        let place = self.place(first);
        let why = if self.is_broken(first) {
            format!("it needs what the op at {place} makes, which does not work")
        } else {
            format!("it needs what the op at {place} makes, which it does not make now")
        };
        Finding::new(Status::Follows, false, why)
    }

    fn lost_source(&mut self, pair: Pair, ways: &Ways, error: &Diagnostic) -> Finding {
        let names: Vec<&Name> = ways.was.iter().map(|stop| &stop.name).collect();
        let message = diagnostic::plain(&error.message);
        match self.search(pair, &names, ways.now.len()) {
            Outcome::Found(found) => {
                let place = shown_way(&found.way, names.get(found.depth..));
                let why = format!("its `from` may be {place} now: {}", found.why);
                Finding::new(Status::Moved, false, why)
            }
            Outcome::Nothing(_) => Finding::new(Status::Gone, false, &*message),
        }
    }

    /// Looks for what a query selected that selects nothing now.
    fn lost_query(&mut self, pair: Pair, query: &Query, message: &str) -> Finding {
        let [tree, _] = self.bases.pristine;
        let (old, limit) = (tree.roots()[pair.old], self.bases.query_steps());
        let selected = Selection::new(tree, old, limit).select(query).unwrap_or_default();
        let [(_, path)] = &selected[..] else {
            let count = selected.len();
            let why = format!("{message}; it matched {count} places");
            return Finding::new(Status::Gone, false, why);
        };
        let names = names_along(tree, old, path);
        let names: Vec<&Name> = names.iter().collect();
        match self.search_lost(pair, &names) {
            Some(Outcome::Found(found)) => {
                let place = shown_way(&found.way, names.get(found.depth..));
                let why = format!("its match may be {place} now: {}", found.why);
                Finding::new(Status::Moved, false, why)
            }
            Some(Outcome::Nothing(_)) | None => {
                Finding::new(Status::Gone, false, message)
            }
        }
    }

    /// Looks for what an op changed in the old document. It works on the new one, too, but
    /// does not find that.
    fn lost(
        &mut self,
        number: usize,
        pair: Pair,
        old: &[Effect],
        why: String,
    ) -> Finding {
        let op = &self.patch.ops[number];
        let ways: Vec<Vec<Name>> = match names_of(&op.at) {
            names if names.is_empty() => {
                let changed = old.iter().filter(|effect| effect.before.is_some());
                let tree = self.bases.tree(Version::Old);
                let names = changed.filter_map(|it| names_of_keys(tree, &it.path));
                names.take(MAX_SEARCHED).collect()
            }
            names => vec![names],
        };
        for names in ways {
            let names: Vec<&Name> = names.iter().collect();
            let Some(Outcome::Found(found)) = self.search_lost(pair, &names) else {
                continue;
            };
            let place = shown_way(&found.way, names.get(found.depth..));
            let why = format!("{why}; what it was may be {place} now: {}", found.why);
            let to = self.spelled(number).along(&found.way).map(|to| (to, found.way));
            return Finding { to, ..Finding::new(Status::Changed, false, why) };
        }
        Finding::new(Status::Changed, true, why)
    }

    fn search_lost(&mut self, pair: Pair, names: &[&Name]) -> Option<Outcome> {
        let trees = self.bases.pristine;
        let search = self.search_in(pair);
        let depth = search.depth(trees, names)?;
        Some(search.run(trees, names, depth))
    }

    fn search_in(&mut self, pair: Pair) -> &mut Search {
        let [old, new] = self.bases.pristine;
        let roots = || [old.roots()[pair.old], new.roots()[pair.new]];
        let search = self.searches.entry((pair.old, pair.new));
        search.or_insert_with(|| Search::new(roots()))
    }

    /// Returns the old document and another one, with all ops so far.
    fn trees(&self, version: Version) -> Trees<'_> {
        [self.bases.tree(Version::Old), self.bases.tree(version)]
    }

    /// Tells where the target of an op has moved, and applies the op there if that is sure.
    fn moved(
        &mut self,
        number: usize,
        pair: Pair,
        was: &[Stop],
        found: Found,
    ) -> Finding {
        let op = &self.patch.ops[number];
        let Some(to) = self.spelled(number).along(&found.way) else {
            let why =
                format!("it may be at {}: {}", shown_way(&found.way, None), found.why);
            return Finding::new(Status::Moved, false, why);
        };
        let variant = Op { at: to.target.clone(), ..op.clone() };
        let now = self.ways(&to.target, pair).now;
        let doubt = self.doubt(op, (was, &now), &found);
        let mut why = found.why;
        let is_clear = doubt.is_none();
        why.extend(doubt.map(|doubt| format!("; but {doubt}")));
        let mut sure = found.sure && is_clear;
        if sure && let Err(error) = self.apply((number, &variant), Version::Mended, pair)
        {
            why +=
                &format!("; but it fails there: {}", diagnostic::plain(&error.message));
            sure = false;
        }
        Finding { to: Some((to, found.way)), ..Finding::new(Status::Moved, sure, why) }
    }

    /// Returns a reason why an op may not mean the place that was found for it.
    fn doubt(
        &self,
        op: &Op,
        (was, now): (&[Stop], &[Stop]),
        found: &Found,
    ) -> Option<String> {
        if now.len() < was.len() {
            let lost = was[now.len()].name.shown();
            return Some(format!("'{lost}' is not there"));
        }
        let changes_name = op.at.tokens().len() == found.depth + 1
            && matches!((op.at.tokens().last(), found.way.last()),
                (Some(Token::Key(last)), Some((Name::Item { key, .. }, _))) if last == key);
        if found.is_renamed && changes_name {
            return Some("the op renames it, too".into());
        }
        let last = now.last().filter(|_| now.len() == was.len())?;
        let other =
            last.by.filter(|by| was.last().and_then(|stop| stop.by) != Some(*by))?;
        Some(format!("the op at {} changes that place", self.place(other)))
    }

    /// Returns the words for a target that is nowhere.
    fn gone(
        &self,
        number: usize,
        (depth, names): (usize, &[&Name]),
        nothing: &Nothing,
    ) -> String {
        let text = self.spelled(number).text;
        let around = text.split('/').take(depth + 1).collect::<Vec<_>>().join("/");
        let around = if around.is_empty() { "the document".into() } else { around };
        let lost = names[depth].shown();
        let what = format!("'{lost}' is gone from {around}");
        if let Some((kept, way)) = &nothing.kept {
            return format!("{what}; its '{kept}' is at {} now", shown_way(way, None));
        }
        if !nothing.siblings.is_empty() {
            return format!("{what}; new there: '{}'", nothing.siblings.join("', '"));
        }
        let edit = &self.patch.ops[number].edit;
        let is_key = matches!(names[depth], Name::Key(_));
        let adds = !matches!(edit, Edit::Remove | Edit::Test(_));
        if is_key && adds && names.len() == depth + 1 {
            return format!("{what}; '{lost}?' in the path would make it anew");
        }
        match (nothing.is_certain, edit) {
            (true, Edit::Remove) => {
                format!("{what}: there is nothing to remove any more")
            }
            (true, _) => format!("{what}, and nothing took its place"),
            (false, _) => what,
        }
    }

    fn spelled(&self, number: usize) -> Spelled {
        let op = &self.patch.ops[number];
        Spelled::of(op, self.arena(op))
    }

    fn arena(&self, op: &Op) -> Option<&Arena> {
        let file = op.origin?.path.file;
        self.patch.arenas.iter().find(|arena| arena.file() == file).map(|arena| &**arena)
    }

    /// Returns the place of an op for messages: its file and line.
    fn place(&self, number: usize) -> String {
        let op = &self.patch.ops[number];
        let place = op.origin.zip(self.arena(op)).map(|(origin, arena)| {
            let (line, _) = arena.source().position(origin.path.start);
            format!("{}:{line}", arena.source().name)
        });
        place.unwrap_or_else(|| format!("'{}'", op.at))
    }
}

/// Returns true if a target finds items by their position.
fn names_positions(target: &Target) -> bool {
    match target {
        Target::Pointer(pointer) => {
            let is_index = |token: &Token| matches!(token, Token::Index(0.., _));
            pointer.tokens.iter().any(is_index)
        }
        Target::Json(pointer) => {
            let is_index =
                |token: &String| token.bytes().all(|byte| byte.is_ascii_digit());
            pointer.tokens.iter().any(is_index)
        }
        Target::Query(_) => false,
    }
}

/// Returns a way, and the names after it, as a person reads them.
fn shown_way(way: &Way, rest: Option<&[&Name]>) -> String {
    let way = way.iter().map(|(name, _)| name);
    let names = way.chain(rest.unwrap_or_default().iter().copied());
    names.map(|name| format!("/{}", name.shown())).collect()
}
