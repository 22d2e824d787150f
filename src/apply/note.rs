//! Notes about an op that does not fail: an argument of the command line that likely means
//! something else, aliases of what was edited, and merge keys that did not stay.

use super::failure::{OpFailure, OpResult};
use super::resolve::{LocatedNode, resolve};
use crate::node::{Aliases, NodeId, Tree};
use crate::patch::{Edit, Op};
use crate::pointer::Token;
use crate::scalar::{Dialect, Scalar};
use crate::source::Span;
use crate::target::Target;

/// Maximum number of places that are shown: of an anchor and its aliases, or of merge keys.
// The anchor and three aliases fit a screen; the message has the number of all.
const MAX_SHOWN_PLACES: usize = 4;

/// Maximum number of dots in a key that a dotted path spells without quotes.
// Names such as `a.b.example.org/c` have a few; each more is another search in the mapping.
const MAX_JOINED: usize = 16;

/// Returns a note about an argument of the command line that puts a value in document `root`.
pub(super) fn of_argument(document: &Tree, op: &Op, root: usize) -> Option<OpFailure> {
    flat_key(document, op, root).or_else(|| same_name(document, op, root))
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
    let follows = op.aliases == Some(Aliases::Follow);
    let mut followed = edited.iter().filter(|_| follows);
    if let Some(broken) = followed.find_map(|(_, all)| document.broken_merge(all)) {
        let message = "a '<<' merges this node, which is no mapping then".into();
        let failure = OpFailure::new(message, usize::MAX);
        let failure = failure.label(Some(broken), "it is merged here");
        let hint = "`--anchors copy` leaves what is merged as it is";
        return Err(failure.hint(Some(hint.into())));
    }
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
