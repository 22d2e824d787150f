//! Notes about an op that does not fail: an argument of the command line that likely means
//! something else, aliases of what was edited, and merge keys that did not stay.

use super::failure::{OpFailure, OpResult};
use super::resolve::{LocatedNode, resolve};
use crate::arena::Style;
use crate::diagnostic::is_misspelling;
use crate::node::{Aliases, Kind, NodeId, Tree};
use crate::patch::{Edit, Op};
use crate::pointer::{Pointer, Token};
use crate::scalar::{Dialect, Scalar};
use crate::select::{Query, QueryBudget, Selection};
use crate::source::Span;
use crate::target::Target;

/// Maximum number of places that are shown: of an anchor and its aliases, or of merge keys.
// The anchor and three aliases fit a screen; the message has the number of all.
const MAX_SHOWN_PLACES: usize = 4;

/// Maximum number of dots in a key that a dotted path spells without quotes.
// Names such as `a.b.example.org/c` have a few; each more is another search in the mapping.
const MAX_JOINED: usize = 16;

/// Length in letters of the shortest new key that may be another one, misspelt.
// Shorter keys, such as `ip` and `pi`, are often meant.
const SHORTEST_MISSPELT: usize = 4;

/// Maximum number of mappings whose keys are compared with a new one that a query makes.
// A misspelt key is new in each of them.
const MAX_SEARCHED: usize = 100;

/// Maximum number of steps of the query that finds them.
const MAX_QUERY_STEPS: u64 = 1_000_000;

/// Returns a note about an argument of the command line that puts a value in document `root`.
/// `shift` is the number of opened nodes that precede those of the patch.
pub(super) fn of_argument(
    document: &Tree,
    op: &Op,
    root: usize,
    shift: u32,
) -> Option<OpFailure> {
    let note = flat_key(document, op, root).or_else(|| same_name(document, op, root));
    if note.is_some() {
        return note;
    }
    let (value, at) = match (&op.edit, &op.at) {
        (Edit::Replace(value), Target::Pointer(at)) => (value, at),
        (Edit::Replace(_) | Edit::Add(_), Target::Query(query)) if op.makes_key => {
            return misspelt_key_of_query(document, query, document.roots()[root]);
        }
        _ => return None,
    };
    op.typed.as_ref()?;
    // A search opens nothing: an alias that is opened follows no more.
    let root = LocatedNode::root(document.roots()[root]);
    misspelt_key(document, at, root.clone())
        .or_else(|| lost_quotes(document, at, root, value.shifted(shift)))
}

/// Returns a note if a dotted path makes several keys where one with its dots is there.
fn flat_key(document: &Tree, op: &Op, root: usize) -> Option<OpFailure> {
    let (Edit::Replace(_) | Edit::Add(_), Target::Pointer(at)) = (&op.edit, &op.at)
    else {
        return None;
    };
    let typed = op.typed.as_ref().filter(|typed| !typed.text.starts_with('/'))?;
    let root = LocatedNode::root(document.roots()[root]);
    let made = (0..at.tokens.len()).find_map(|depth| {
        let around = resolve(document, root.clone(), &at.prefix(depth))?.node;
        Some((depth, around, flat_name(document, around, &at.tokens[depth..])?))
    });
    let (depth, around, name) = made?;
    if resolve(document, root, at).is_some() {
        return None;
    }
    let is_shown = document.find_slot(around, &name)?.key;
    is_shown.filter(|&key| !document.is_hidden(key))?;
    let message = format!("the path is one of several keys, beside the key '{name}'");
    let note = OpFailure::new(message, depth).done("adds it");
    let path = typed.prefix(depth);
    let hint = format!("write {path}['{name}']: a '.' in a name needs quotes");
    Some(note.hint(Some(hint)))
}

/// Returns a note if a path leads to a text that stands beside a key of the same name and
/// another type.
fn same_name(document: &Tree, op: &Op, root: usize) -> Option<OpFailure> {
    let (Some(_), Target::Pointer(at)) = (&op.typed, &op.at) else { return None };
    let names_others = document.names_other_keys();
    let root = LocatedNode::root(document.roots()[root]);
    (0..at.tokens.len()).filter(|_| names_others).find_map(|depth| {
        let name = match &at.tokens[depth] {
            Token::Key(name) => name.clone(),
            other => other.number()?,
        };
        if let Scalar::String(_) = Scalar::plain(&*name, document.dialect()) {
            return None;
        }
        let around = resolve(document, root.clone(), &at.prefix(depth))?.node;
        let text = document.find_slot(around, &name)?.key?;
        let mut keys = document.pairs(around).into_iter().map(|(key, _)| key);
        let other = keys.find(|&key| document.is_other_key(key, &name))?;
        let message =
            format!("the key is the text '{name}', beside another of this name");
        let note = OpFailure::new(message, depth).done("leads to the text");
        let note = note.label(document.span(text), "the text");
        Some(note.label(document.span(other), "this one is no text"))
    })
}

/// Returns the key of a mapping that several tokens of a path spell.
fn flat_name(document: &Tree, mapping: NodeId, tokens: &[Token]) -> Option<String> {
    let Token::Key(first) = tokens.first()? else { return None };
    let mut name = first.clone();
    let following = tokens[1..].iter().map_while(|token| match token {
        Token::Key(name) => Some(name),
        _ => None,
    });
    following.take(MAX_JOINED).find_map(|next| {
        name = format!("{name}.{next}");
        document.find_slot(mapping, &name).map(|_| name.clone())
    })
}

/// Returns a note if a number or a boolean is put in the place of a quoted text that reads as
/// one without its quotes.
fn lost_quotes(
    document: &Tree,
    at: &Pointer,
    root: LocatedNode,
    value: NodeId,
) -> Option<OpFailure> {
    let old = resolve(document, root, at)?.node;
    let NodeId::Clean(file, i) = old else { return None };
    let arena = document.arena(file);
    let is_quoted = matches!(arena.style(i), Style::Single | Style::Double);
    let was = is_quoted.then(|| document.string(old)).flatten()?;
    let kind = match (Scalar::plain(was, arena.dialect()), document.scalar(value)) {
        (Scalar::Bool(_), Scalar::Bool(_)) => "a boolean",
        (plain, is) if plain.is_number() && is.is_number() => "a number",
        _ => return None,
    };
    let message = format!("the value was a text in quotes, and is {kind} now");
    let note = OpFailure::new(message, usize::MAX).done("changes it");
    let note = note.label(document.span(old), "the text");
    Some(note.hint(Some("`--set-string` sets a text".into())))
}

/// Returns a note if a key is added beside one that was likely meant.
fn misspelt_key(document: &Tree, at: &Pointer, root: LocatedNode) -> Option<OpFailure> {
    let (Token::Key(made), around) = at.tokens.split_last()? else { return None };
    let depth = around.len();
    let mapping = resolve(document, root, &at.prefix(depth))?.node;
    let name = misspelt_in(document, mapping, made)?;
    Some(is_new_beside(made, &name, depth))
}

/// Returns a note if a query adds a key to a mapping beside one that was likely meant.
fn misspelt_key_of_query(
    document: &Tree,
    query: &Query,
    root: NodeId,
) -> Option<OpFailure> {
    let (around, made) = query.split_key()?;
    let mut budget = QueryBudget::of_steps(MAX_QUERY_STEPS);
    let found = Selection::new(document, root, &mut budget).select(&around).ok()?;
    let mut found = found.into_iter().take(MAX_SEARCHED);
    let name = found.find_map(|(mapping, _)| misspelt_in(document, mapping, made))?;
    Some(is_new_beside(made, &name, usize::MAX))
}

fn is_new_beside(made: &str, name: &str, depth: usize) -> OpFailure {
    let message = format!("'{made}' is new, beside '{name}'");
    let note = OpFailure::new(message, depth).done("adds it");
    note.hint(Some(format!("did you mean '{name}'?")))
}

/// Returns the key of a mapping that a new one was likely meant to be.
fn misspelt_in(document: &Tree, mapping: NodeId, made: &str) -> Option<String> {
    if made.chars().count() < SHORTEST_MISSPELT || document.kind(mapping) != Kind::Mapping
    {
        return None;
    }
    let keys: Vec<NodeId> =
        document.pairs(mapping).into_iter().map(|(key, _)| key).collect();
    if keys.iter().any(|&key| document.is_text(key, made)) {
        return None;
    }
    keys.into_iter().find_map(|key| {
        let name = document.string(key).filter(|_| !document.is_hidden(key))?;
        is_misspelling(made, &name).then(|| name.into_owned())
    })
}

/// Returns a note about keys `<<` that an op has replaced by the entries that they merge.
pub(super) fn of_merge_keys(
    document: &Tree,
    op: &Op,
    replaced: &[NodeId],
) -> Option<OpFailure> {
    // In yaml.v2, and in what bosh prints, a merge key is no key once it was read.
    let replaced = if document.dialect() == Dialect::Go { &[] } else { replaced };
    let message = match replaced.len() {
        0 => return None,
        1 => "the merge key '<<' is replaced by the entries that it merges".into(),
        count => format!("{count} merge keys '<<' are replaced by what they merge"),
    };
    let removes =
        matches!(op.edit, Edit::Remove | Edit::Combine(..)) || op.moved_from().is_some();
    let hint = "a '<<' merges all entries of its source, and cannot leave one out";
    let failure = OpFailure::new(message, usize::MAX).done("needs that");
    let shown = replaced.iter().take(MAX_SHOWN_PLACES);
    let failure = shown.fold(failure, |failure, &key| {
        failure.label(document.span(key), "this is replaced")
    });
    Some(failure.hint(removes.then(|| hint.into())))
}

/// Fails if nodes with aliases may not be edited, else tells which aliases followed, or
/// did not.
pub(super) fn of_aliases(
    document: &Tree,
    op: &Op,
    edited: &[(Span, Vec<Span>)],
) -> OpResult<Option<OpFailure>> {
    let refuses = op.aliases == Some(Aliases::Refuse);
    let keeps = op.aliases.is_none();
    let count: usize = edited.iter().map(|(_, aliases)| aliases.len()).sum();
    let aliases = if count == 1 { "an alias" } else { "aliases" };
    let message = if refuses {
        format!("this node has {aliases}, and is not to be edited")
    } else {
        // The edited place may be that of the anchor or of an alias.
        let places = if count == 1 { "place" } else { "places" };
        let what = match (keeps, count) {
            (true, 1) => "keeps the old value",
            (true, _) => "keep the old value",
            (false, _) => "changed with it",
        };
        format!("{count} other {places} of this node {what}")
    };
    let places = edited.iter().flat_map(|(node, aliases)| {
        let named = (*node, "the anchor");
        std::iter::once(named).chain(aliases.iter().map(|&alias| (alias, "an alias")))
    });
    let failure = OpFailure::new(message, usize::MAX);
    let failure = places.take(MAX_SHOWN_PLACES).fold(failure, |failure, (span, note)| {
        failure.label(Some(document.first_line(span)), note)
    });
    if refuses {
        return Err(failure);
    }
    let hint = "`--anchors follow` changes the aliases too, `--anchors copy` says that they stay";
    Ok(Some(failure.done("changes it").hint(keeps.then(|| hint.to_owned()))))
}
