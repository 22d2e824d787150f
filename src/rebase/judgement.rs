//! All ops of a patch, one after another, each judged in one pair of documents at a time, with
//! suggestions for what an op leads to no more.

use super::bases::{Bases, DocumentPair, Edition};
use super::difference::{compare, has_lost};
use super::name::{Name, NamedChild, Trees, Way, shown_way};
use super::search::{Found, NotFound, SearchOutcome, Searches};
use super::trail::{
    ItemPlace, Stop, Ways, names_along, names_of, names_of_keys, shown_item,
};
use super::verdicts::{Judged, Mend, Status, Verdict, Verdicts};
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::node::{Effect, Tree};
use crate::patch::{Edit, Missing, Op, Patch};
use crate::pointer::{Modifier, Token};
use crate::select::{Query, Selection};
use crate::target::Target;

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
    let mut judgement = Judgement {
        bases: Bases::new([old, new], patch, documents)?,
        searches: Searches::new([old, new]),
        verdicts: Verdicts::new(patch),
        patch,
        number: 0,
        pair: DocumentPair { old: documents[0], new: documents[1] },
        effects: Vec::new(),
    };
    for number in 0..patch.ops.len() {
        judgement.number = number;
        let finding = judgement.find()?;
        judgement.verdicts.push(finding);
    }
    Ok(judgement.verdicts.of_ops())
}

/// An op and a pair of documents, all ops before it judged.
struct Judgement<'a> {
    bases: Bases,
    searches: Searches<'a>,
    verdicts: Verdicts<'a>,
    patch: &'a Patch,
    /// The number of the op.
    number: usize,
    pair: DocumentPair,
    /// The effects of the op on the old document.
    effects: Vec<Effect>,
}

impl<'a> Judgement<'a> {
    fn op(&self) -> &'a Op {
        &self.patch.ops[self.number]
    }

    /// Returns what is found about an op in all documents that it is for: the worst.
    fn find(&mut self) -> diagnostic::Result<Judged> {
        let op = self.op();
        if op.edit.merges() {
            // Directives belong to a document, and are applied already.
            return Ok(Judged::new(Status::Same, true, ""));
        }
        let (pairs, is_even) = self.bases.pairs(op)?;
        let mut worst: Option<Judged> = None;
        for pair in pairs {
            self.pair = pair;
            let finding = self.judge();
            if worst.as_ref().is_none_or(|worst| finding.badness() > worst.badness()) {
                worst = Some(finding);
            }
        }
        let none = || match (is_even, op.missing) {
            (true, Missing::Fails) => {
                Judged::new(Status::Same, false, "it selects no document, old or new")
            }
            (true, _) => Judged::new(Status::Same, true, "it selects no document"),
            (false, _) => Judged::new(
                Status::Gone,
                op.missing != Missing::Fails,
                "its selector selects documents of one version only",
            ),
        };
        let finding = worst.unwrap_or_else(none);
        if !is_even && finding.status == Status::Same {
            let why = "its selector selects another number of documents";
            return Ok(Judged::new(Status::Changed, true, why));
        }
        Ok(finding)
    }

    /// Applies the op to all three documents of the pair, and compares.
    fn judge(&mut self) -> Judged {
        let op = self.op();
        let new = self.apply(op, Edition::New);
        let ways = (new.is_err() || names_positions(&op.at)).then(|| self.ways(&op.at));
        let source = op.source().filter(|_| new.is_err());
        let source = source.map(|from| self.ways(from));
        let old = self.apply(op, Edition::Old);
        match (old, new, ways) {
            (Err(error), Err(_), _) => {
                self.apply(op, Edition::Mended).ok();
                let message = diagnostic::plain(&error.message);
                let why = format!("it fails on the old document, too: {message}");
                Judged::new(Status::Same, false, why)
            }
            (Err(error), Ok(_), _) => {
                self.apply_mended();
                let message = diagnostic::plain(&error.message);
                let why = format!("it works now; on the old document: {message}");
                Judged::new(Status::Changed, true, why)
            }
            (Ok(old), Err(error), Some(ways)) => {
                self.effects = old;
                self.failed(ways, source, &error)
            }
            (Ok(old), Ok(new), ways) => {
                self.effects = old;
                let strays = ways.and_then(|ways| self.strayed(&ways));
                strays.unwrap_or_else(|| self.compared(&new))
            }
            (Ok(_), Err(error), None) => {
                Judged::new(Status::Gone, false, &*error.message)
            }
        }
    }

    fn apply(&mut self, op: &Op, version: Edition) -> diagnostic::Result<Vec<Effect>> {
        self.bases.apply(self.number, op, version, self.pair)
    }

    fn ways(&mut self, target: &Target) -> Ways {
        let was = self.bases.trail(target, Edition::Old, self.pair);
        let now = self.bases.trail(target, Edition::Mended, self.pair);
        let mut ways = Ways { was, now, stray: None };
        for at in 0..ways.was.len().min(ways.now.len() + 1) {
            let place = self.item_place(&ways, at);
            if !matches!(place, ItemPlace::Same) {
                ways.stray = Some((at, place));
                break;
            }
        }
        ways
    }

    /// Applies an op that works as it is to the document with the mended ops. If it fails
    /// there, a mend before it was wrong.
    fn apply_mended(&mut self) {
        if self.apply(self.op(), Edition::Mended).is_err() {
            self.verdicts.doubt_mends(self.number);
        }
    }

    /// Compares what an op that works in both documents does there.
    fn compared(&mut self, new: &[Effect]) -> Judged {
        self.apply_mended();
        match self.difference(new, Edition::New) {
            Some(why) if has_lost(&self.effects, new) => self.lost_effects(why),
            Some(why) => Judged::new(Status::Changed, true, why),
            None => Judged::new(Status::Same, true, ""),
        }
    }

    /// Returns how the effects of the op differ from those on the old document.
    fn difference(&self, new: &[Effect], version: Edition) -> Option<String> {
        let trees: Trees<'_> = [self.bases.tree(Edition::Old), self.bases.tree(version)];
        compare(trees, self.op(), &self.effects, new)
    }

    /// Looks for an item that an op finds by its position, if another one is there now.
    fn strayed(&mut self, ways: &Ways) -> Option<Judged> {
        let &(at, ref place) = ways.stray.as_ref()?;
        let new = shown_item(self.bases.tree(Edition::Mended), ways.now.get(at)?);
        let old = shown_item(self.bases.tree(Edition::Old), &ways.was[at]);
        let ItemPlace::Moved(found) = place else {
            self.apply_mended();
            let why = format!("the item there is {new} now, and was {old}");
            return Some(Judged::new(Status::Changed, false, why));
        };
        let why = format!("{old} is item {} now; {new} is where it was", found.position);
        Some(self.moved_to_item(ways, at, found, why))
    }

    /// Returns the place of the item that a step of the target finds by its position.
    fn item_place(&mut self, ways: &Ways, at: usize) -> ItemPlace {
        let stop = &ways.was[at];
        let is_named = matches!(stop.name, Name::Item { .. });
        if is_named && ways.now.get(at).is_some_and(|now| now.name == stop.name) {
            return ItemPlace::Same;
        }
        if stop.position == Some(0) && self.is_before_item(at) {
            // The start of a list is not the place of an item.
            return ItemPlace::Same;
        }
        let old = self.bases.tree(Edition::Old);
        let new = self.bases.tree(Edition::Mended);
        let roots = [old.roots()[self.pair.old], new.roots()[self.pair.new]];
        self.searches.items.place([old, new], ways.around(at, roots), stop)
    }

    /// Returns true if the op puts something before the item that a step finds.
    fn is_before_item(&self, at: usize) -> bool {
        let inserts = matches!(self.op().edit, Edit::Add(_));
        match &self.op().at {
            Target::Pointer(pointer) => matches!(pointer.tokens.get(at..),
                Some([Token::Index(_, at)])
                    if inserts || at.contains(&Modifier::Before)),
            Target::Json(pointer) => inserts && at + 1 == pointer.tokens.len(),
            Target::Query(_) => false,
        }
    }

    /// Tells that an item on the way of the target stands at another position.
    fn moved_to_item(
        &mut self,
        ways: &Ways,
        at: usize,
        item: &NamedChild,
        why: String,
    ) -> Judged {
        let way = ways.now[..at].iter();
        let mut way: Way =
            way.map(|it| (it.name.clone(), it.position.unwrap_or(0))).collect();
        way.push((item.name.clone(), item.position));
        self.moved(&ways.was, Found::certain(way, why))
    }

    /// Looks for what an op led to that has stopped working.
    fn failed(&mut self, ways: Ways, source: Option<Ways>, error: &Diagnostic) -> Judged {
        if self.apply(self.op(), Edition::Mended).is_ok() {
            return self.follows(&ways.was);
        }
        let message = diagnostic::plain(&error.message);
        if let Some(source) =
            source.filter(|source| ways.are_whole() && !source.are_whole())
        {
            return self.lost_source(&source, &message);
        }
        let Ways { was, now, stray } = &ways;
        let depth = now.len();
        if let Some(first) = was.get(depth).and_then(|stop| stop.by) {
            return self.depends(was, first);
        }
        let known = was.iter().take_while(|stop| stop.by.is_none()).count();
        if let Target::Query(query) = &self.op().at {
            return self.lost_query(query, &message);
        }
        if known <= depth {
            return fails_there(error);
        }
        if let Some((at, ItemPlace::Moved(item))) = stray {
            let old = shown_item(self.bases.tree(Edition::Old), &was[*at]);
            let why = format!("{old} is item {} now", item.position);
            return self.moved_to_item(&ways, *at, item, why);
        }
        let names: Vec<&Name> = was[..known].iter().map(|stop| &stop.name).collect();
        match self.searches.run(self.pair, &names, depth) {
            Ok(found) => self.moved(was, found),
            Err(nothing) => {
                let is_unclear = matches!(stray, Some((_, ItemPlace::Unclear)));
                let is_certain = nothing.is_certain && !is_unclear;
                let is_done = is_certain && self.op().edit == Edit::Remove;
                let why = self.gone(depth, &names, &nothing);
                Judged { is_done, ..Judged::new(Status::Gone, is_done, why) }
            }
        }
    }

    /// Tells that an op works once the ops before it are mended.
    fn follows(&self, was: &[Stop]) -> Judged {
        let made = was.iter().filter_map(|stop| stop.by);
        let first = made.into_iter().find(|&by| self.verdicts.is_broken(by));
        let why = match first {
            Some(first) => {
                format!("it works once the op at {} does", self.verdicts.place(first))
            }
            None => "it works once the ops before it do".into(),
        };
        Judged::new(Status::Follows, true, why)
    }

    /// Tells that an op needs what an op before it made, which is not there now. If that
    /// one is mended, its place is tried.
    fn depends(&mut self, was: &[Stop], first: usize) -> Judged {
        let place = self.verdicts.place(first);
        let way = self.verdicts.mend(first).map(|mend| mend.way.clone());
        let same = way.filter(|way| {
            let other = self.verdicts.spelled(first).target;
            let tokens = other.tokens();
            let mine = self.op().at.tokens();
            mine.len() > way.len() && tokens.get(..way.len()) == mine.get(..way.len())
        });
        if let Some(way) = same {
            let why = format!("it belongs to the op at {place}, which has moved");
            return self.moved(was, Found::certain(way, why));
        }
        let why = if self.verdicts.is_broken(first) {
            format!("it needs what the op at {place} makes, which does not work")
        } else {
            format!("it needs what the op at {place} makes, which it does not make now")
        };
        Judged::new(Status::Follows, false, why)
    }

    /// Tells where the target of an op has moved, and applies the op there if that is sure.
    fn moved(&mut self, was: &[Stop], found: Found) -> Judged {
        let Some(to) = self.verdicts.spelled(self.number).along(&found.way) else {
            let why =
                format!("it may be at {}: {}", shown_way(&found.way, None), found.why);
            return Judged::new(Status::Moved, false, why);
        };
        let variant = Op { at: to.target.clone(), ..self.op().clone() };
        let now = self.bases.trail(&to.target, Edition::Mended, self.pair);
        let doubt = self.doubt(was, &now, &found);
        let mut why = found.why;
        let is_clear = doubt.is_none();
        why.extend(doubt.map(|doubt| format!("; but {doubt}")));
        let mut sure = found.sure && is_clear;
        if sure {
            match self.apply(&variant, Edition::Mended) {
                // Many places are compared by their paths, which have changed.
                Ok(new) if new.len() == 1 => {
                    let held = self.difference(&new, Edition::Mended);
                    why.extend(held.map(|held| format!("; {held}")));
                }
                Ok(_) => {}
                Err(error) => {
                    let message = diagnostic::plain(&error.message);
                    why += &format!("; but it fails there: {message}");
                    sure = false;
                }
            }
        }
        let to = Some(Mend { at: to, way: found.way });
        Judged { to, ..Judged::new(Status::Moved, sure, why) }
    }

    /// Returns a reason why an op may not mean the place that was found for it.
    fn doubt(&self, was: &[Stop], now: &[Stop], found: &Found) -> Option<String> {
        if now.len() < was.len() {
            let lost = was[now.len()].name.shown();
            return Some(format!("'{lost}' is not there"));
        }
        let tokens = self.op().at.tokens();
        let changes_name = tokens.len() == found.depth + 1
            && matches!((tokens.last(), found.way.last()),
                (Some(Token::Key(last)), Some((Name::Item { key, .. }, _))) if last == key);
        if found.is_renamed && changes_name {
            return Some("the op renames it, too".into());
        }
        let last = now.last().filter(|_| now.len() == was.len())?;
        let other =
            last.by.filter(|by| was.last().and_then(|stop| stop.by) != Some(*by))?;
        Some(format!("the op at {} changes that place", self.verdicts.place(other)))
    }

    /// Returns the words for a target that is nowhere.
    fn gone(&self, depth: usize, names: &[&Name], nothing: &NotFound) -> String {
        let text = self.verdicts.spelled(self.number).text;
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
        let edit = &self.op().edit;
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

    /// Looks for what the op copied or moved from. It fails with a message now.
    fn lost_source(&mut self, ways: &Ways, message: &str) -> Judged {
        let names: Vec<&Name> = ways.was.iter().map(|stop| &stop.name).collect();
        let outcome = self.searches.run(self.pair, &names, ways.now.len());
        suggestion("`from`", Some(outcome), &names, message)
    }

    /// Looks for what a query selected that selects nothing now.
    fn lost_query(&mut self, query: &Query, message: &str) -> Judged {
        let [tree, _] = self.searches.trees;
        let old = tree.roots()[self.pair.old];
        let selected = Selection::new(tree, old, self.bases.query_budget()).select(query);
        let selected = selected.unwrap_or_default();
        let [(_, path)] = &selected[..] else {
            let count = selected.len();
            let why = format!("{message}; it matched {count} places");
            return Judged::new(Status::Gone, false, why);
        };
        let names = names_along(tree, old, path);
        let names: Vec<&Name> = names.iter().collect();
        suggestion("match", self.searches.run_lost(self.pair, &names), &names, message)
    }

    /// Looks for what the op changed in the old document. It works on the new one, too, but
    /// does not find that; `why` tells the difference.
    fn lost_effects(&mut self, why: String) -> Judged {
        let target = self.verdicts.spelled(self.number);
        for names in self.changed_names() {
            let names: Vec<&Name> = names.iter().collect();
            let lost = self.searches.run_lost(self.pair, &names);
            let Some(Ok(found)) = lost else { continue };
            let place = shown_way(&found.way, names.get(found.depth..));
            let why = format!("{why}; what it was may be {place} now: {}", found.why);
            let to = target.along(&found.way).map(|at| Mend { at, way: found.way });
            return Judged { to, ..Judged::new(Status::Changed, false, why) };
        }
        Judged::new(Status::Changed, true, why)
    }

    /// Returns the names that lead to what the op changed in the old document.
    fn changed_names(&self) -> Vec<Vec<Name>> {
        match names_of(&self.op().at) {
            names if names.is_empty() => {
                let changed = self.effects.iter().filter(|it| it.before.is_some());
                let tree = self.bases.tree(Edition::Old);
                let names = changed.filter_map(|it| names_of_keys(tree, &it.path));
                names.take(MAX_SEARCHED).collect()
            }
            names => vec![names],
        }
    }
}

/// Tells that the target of an op is where it was, and the op fails there.
fn fails_there(error: &Diagnostic) -> Judged {
    let labels = error.labels.iter().map(|label| &*label.text);
    let values: Vec<&str> = labels
        .filter(|text| text.starts_with("expected ") || text.starts_with("found "))
        .collect();
    let values = values.join(", ");
    let between = if values.is_empty() { "" } else { ": " };
    let message = diagnostic::plain(&error.message);
    let why = format!("it fails there: {message}{between}{values}");
    Judged::new(Status::Changed, false, why)
}

/// Returns true if a target finds items by their position.
fn names_positions(target: &Target) -> bool {
    match target {
        Target::Pointer(pointer) => {
            pointer.tokens.iter().any(|token| matches!(token, Token::Index(0.., _)))
        }
        Target::Json(pointer) => pointer
            .tokens
            .iter()
            .any(|token| token.bytes().all(|byte| byte.is_ascii_digit())),
        Target::Query(_) => false,
    }
}

/// Maximum number of places that are searched for an op that changes many.
const MAX_SEARCHED: usize = 16;

/// Suggests the place that was found for a part of an op that fails with a message.
fn suggestion(
    what: &str,
    outcome: Option<SearchOutcome>,
    names: &[&Name],
    message: &str,
) -> Judged {
    let Some(Ok(found)) = outcome else {
        return Judged::new(Status::Gone, false, message);
    };
    let place = shown_way(&found.way, names.get(found.depth..));
    let why = format!("its {what} may be {place} now: {}", found.why);
    Judged::new(Status::Moved, false, why)
}
