//! Remarks about changes that were likely not meant: a value of another type, a key beside one of
//! nearly the same name, items that a merge drops, an object that becomes another one. An op and
//! the values that it meets come in; a note or a warning goes out. The op is done all the same.

use hashbrown::HashSet;

use super::budget::OpsBudget;
use super::failure::{OpFailure, describe_type};
use super::resolve::{AnyPath, PathToken};
use super::traversal::MadeToken;
use crate::arena::Style;
use crate::compare::ItemName;
use crate::diagnostic::{Diagnostic, Severity, is_misspelling, listed};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Edit, Op};
use crate::pointer::Token;
use crate::scalar::Scalar;
use crate::source::Span;

/// Maximum number of names that a new one is compared with.
// A mapping that people read and mistype has fewer; a generated one is not typed.
const MAX_COMPARED: usize = 1_000;

/// Maximum number of items of a list that a new one is compared with.
// The first ones show the type of all; each append looks at them again.
const MAX_NEIGHBOURS: usize = 16;

/// Maximum number of places that are shown, of all that a merge changes.
// Four excerpts fit a screen; the message has the number of all.
const MAX_SHOWN_PLACES: usize = 4;

/// Maximum number of names that are listed.
// They fit on one line.
const MAX_NAMED: usize = 5;

/// The subject of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RemarkKind {
    /// An object gets another kind or name.
    OtherObject,
    /// A merge replaces a list of items with names.
    LostItems,
    /// A mapping or a list becomes something else.
    OtherCollection,
    /// A string becomes a number, a boolean or null, or the reverse.
    OtherType,
    /// A new key or item is beside one of nearly the same name.
    NearName,
    /// A value is read as something else than was likely meant.
    OtherReading,
}

/// A remark about an op.
#[derive(Clone, Debug)]
pub struct ChangeRemark {
    /// Its subject.
    pub kind: RemarkKind,
    /// The number of the op in its patch.
    pub op: usize,
    /// The message with its places.
    pub diagnostic: Diagnostic,
}

impl ChangeRemark {
    /// Creates the remark of a kind about the op of this number.
    pub(super) fn new(
        kind: RemarkKind,
        op: &Op,
        number: usize,
        message: &OpFailure,
        document: &Tree,
    ) -> ChangeRemark {
        let severity = match kind {
            RemarkKind::OtherObject | RemarkKind::LostItems => Severity::Warning,
            _ => Severity::Note,
        };
        let diagnostic = Diagnostic { severity, ..message.warning(op, document) };
        ChangeRemark { kind, op: number, diagnostic }
    }
}

/// The changes that an op makes, as far as they are remarkable.
#[derive(Debug, Default)]
pub(super) struct Changes {
    types: Vec<TypeChange>,
    collections: Vec<TypeChange>,
    lost: Vec<LostItems>,
    near: Option<NearName>,
    /// The remark about another object.
    object: Option<OpFailure>,
    /// The remark about a value that is read as something else.
    reading: Option<OpFailure>,
    /// The number of all changes of types.
    type_count: usize,
}

/// A value of another type.
#[derive(Debug)]
struct TypeChange {
    /// The old value, or an item beside a new one, and the new value.
    place: Option<Span>,
    new: Option<Span>,
    was: &'static str,
    is: &'static str,
    /// True if the new value is an item beside others.
    is_item: bool,
    /// A list, if the new value was likely meant to be one.
    meant: Option<String>,
}

/// The names of items that a merge drops with their list.
#[derive(Debug)]
struct LostItems {
    /// The old list and the new one.
    place: Option<Span>,
    new: Option<Span>,
    names: Vec<String>,
}

/// A new name beside one that was likely meant.
#[derive(Debug)]
struct NearName {
    made: String,
    near: String,
    depth: usize,
}

impl Changes {
    /// Returns what is remarkable about an op in document `root` before it is done. `shift` is
    /// the number of opened nodes that precede those of the patch.
    pub(super) fn begun(document: &Tree, op: &Op, root: usize, shift: u32) -> Changes {
        let Some(value) = op.edit.written_value() else { return Changes::default() };
        let value = value.shifted(shift);
        let root = document.roots()[root];
        let is_whole = AnyPath::of(&op.at).is_ok_and(|path| path.len() == 0)
            && matches!(op.edit, Edit::Combine(..));
        Changes {
            object: is_whole.then(|| other_object(document, root, value)).flatten(),
            reading: several_places(document, op, value)
                .or_else(|| other_reading(document, op, value)),
            ..Changes::default()
        }
    }

    /// Notes that a value is about to replace another one.
    pub(super) fn replace(&mut self, document: &Tree, there: NodeId, value: NodeId) {
        let kinds = (document.kind(there), document.kind(value));
        let was = describe_type(document, there);
        let is = describe_type(document, value);
        let place = document.span(there).map(|span| document.first_line(span));
        let new = document.span(value).map(|span| document.first_line(span));
        match kinds {
            (Kind::Scalar, Kind::Scalar) if is_other_type(document, there, value) => {
                let change =
                    TypeChange { place, new, was, is, is_item: false, meant: None };
                self.add_type(change);
            }
            // A collection that a scalar replaces is lost with all that is in it.
            (Kind::Mapping | Kind::Sequence, kind) if kinds.0 != kind => {
                let meant = meant_list(document, value);
                let change = TypeChange { place, new, was, is, is_item: false, meant };
                if self.collections.len() < MAX_SHOWN_PLACES {
                    self.collections.push(change);
                }
            }
            _ => {}
        }
    }

    /// Notes that a merge is about to replace a list.
    pub(super) fn replace_list(&mut self, document: &Tree, there: NodeId, value: NodeId) {
        if document.kind(there) != Kind::Sequence
            || document.kind(value) != Kind::Sequence
        {
            return;
        }
        let kept: HashSet<String> = names(document, value).into_iter().collect();
        let lost = names(document, there).into_iter().filter(|name| !kept.contains(name));
        let names: Vec<String> = lost.collect();
        if !names.is_empty() && self.lost.len() < MAX_SHOWN_PLACES {
            let place = document.span(there).map(|span| document.first_line(span));
            let new = document.span(value).map(|span| document.first_line(span));
            self.lost.push(LostItems { place, new, names });
        }
    }

    /// Notes that a value is about to be added to a list.
    pub(super) fn add_item(&mut self, document: &Tree, list: NodeId, value: NodeId) {
        let items = document.slots(list);
        let mut items =
            items.iter().take(MAX_NEIGHBOURS).map(|slot| slot.value).peekable();
        let Some(&first) = items.peek().filter(|_| document.kind(value) == Kind::Scalar)
        else {
            return;
        };
        let differs = |item| {
            document.kind(item) == Kind::Scalar
                && !document.is_null(item)
                && is_other_type(document, item, value)
        };
        if items.all(differs) {
            let change = TypeChange {
                place: document.span(first),
                new: document.span(value),
                was: describe_type(document, first),
                is: describe_type(document, value),
                is_item: true,
                meant: None,
            };
            self.add_type(change);
        }
    }

    /// Notes that a mapping is about to get a key.
    pub(super) fn add_key(
        &mut self,
        document: &Tree,
        mapping: NodeId,
        key: &str,
        budget: &mut OpsBudget,
    ) {
        let made = MadeToken { around: mapping, depth: usize::MAX };
        self.make_token(document, PathToken::Json(key), made, budget);
    }

    /// Notes that a path makes what its token names.
    pub(super) fn make_token(
        &mut self,
        document: &Tree,
        token: PathToken<'_>,
        MadeToken { around, depth }: MadeToken,
        budget: &mut OpsBudget,
    ) {
        if self.near.is_some() || !budget.has_names() {
            return;
        }
        let slots = document.slots(around);
        budget.take_names(slots.len());
        let slots = slots.iter().take(MAX_COMPARED);
        let (made, near) = match token {
            PathToken::Bosh(Token::Key(name)) => {
                (&**name, nearest(document, slots.filter_map(|slot| slot.key), name))
            }
            PathToken::Json(name) => {
                (name, nearest(document, slots.filter_map(|slot| slot.key), name))
            }
            PathToken::Bosh(Token::Match { key, value, .. }) => {
                let parts = slots.filter_map(|slot| document.get(slot.value, key));
                (&**value, nearest(document, parts, value))
            }
            _ => return,
        };
        self.near = near.map(|near| NearName { made: made.to_owned(), near, depth });
    }

    fn add_type(&mut self, change: TypeChange) {
        self.type_count += 1;
        if self.types.len() < MAX_SHOWN_PLACES {
            self.types.push(change);
        }
    }

    /// Returns the remarks about the changes.
    pub(super) fn remarks(self, op: &Op) -> Vec<(RemarkKind, OpFailure)> {
        let mut remarks = Vec::new();
        remarks.extend(self.object.map(|it| (RemarkKind::OtherObject, it)));
        remarks.extend(self.reading.map(|it| (RemarkKind::OtherReading, it)));
        if let Some(lost) = about_lost_items(&self.lost) {
            remarks.push((RemarkKind::LostItems, lost));
        }
        if let Some(change) = self.collections.first() {
            let message =
                format!("the value was {}, and is {} now", change.was, change.is);
            let failure = OpFailure::new(message, usize::MAX).done("changes it");
            let failure = failure.label(change.place, format!("this was {}", change.was));
            let hint =
                change.meant.as_ref().map(|list| format!("a list is written {list}"));
            remarks.push((RemarkKind::OtherCollection, failure.hint(hint)));
        }
        if let Some(types) = about_types(&self.types, self.type_count, op) {
            remarks.push((RemarkKind::OtherType, types));
        }
        if let Some(NearName { made, near, depth }) = self.near {
            let message = format!("'{made}' is new, beside '{near}'");
            let failure = OpFailure::new(message, depth).done("adds it");
            let failure = failure.hint(Some(format!("did you mean '{near}'?")));
            remarks.push((RemarkKind::NearName, failure));
        }
        remarks
    }
}

fn about_lost_items(lost: &[LostItems]) -> Option<OpFailure> {
    let first = lost.first()?;
    let shown = first.names.iter().take(MAX_NAMED).map(|name| format!("'{name}'"));
    let names = listed(shown.collect(), first.names.len().saturating_sub(MAX_NAMED));
    let message = format!(
        "the list is replaced as a whole: {names} {} gone",
        if first.names.len() == 1 { "is" } else { "are" }
    );
    let failure = OpFailure::new(message, usize::MAX).done("replaces it");
    let failure = lost.iter().fold(failure, |failure, lost| {
        failure
            .label(lost.place, "a list of items with names")
            .label(lost.new, "this stands in its place")
    });
    let hint = "a merge patch holds whole lists; `--set` and ops change one item: \
                LIST[name=…]";
    Some(failure.hint(Some(hint.into())))
}

fn about_types(types: &[TypeChange], count: usize, op: &Op) -> Option<OpFailure> {
    let first = types.first()?;
    let TypeChange { was, is, .. } = first;
    let message = match count {
        1 if first.is_item => format!("the new item is {is}, beside items that are not"),
        1 => format!("the value was {was}, and is {is} now"),
        _ => format!("{count} values change their type"),
    };
    let failure = OpFailure::new(message, usize::MAX).done("changes it");
    let failure = types.iter().fold(failure, |failure, change| {
        let verb = if change.is_item { "is" } else { "was" };
        let failure = failure.label(change.place, format!("this {verb} {}", change.was));
        // The path of a merge is that of the whole document.
        let new = change.new.filter(|_| matches!(op.edit, Edit::Combine(..)));
        failure.label(new, format!("this is {}", change.is))
    });
    let becomes_string = *is == "a string";
    let hint = match (op.typed.is_some(), becomes_string) {
        (true, false) => "`--set-string` sets a string",
        (true, true) => {
            "`--set PATH=VALUE` reads a plain number, boolean or null as such"
        }
        (false, false) => "a value in quotes is a string",
        (false, true) => "a value without quotes may be a number, a boolean or null",
    };
    Some(failure.hint(Some(hint.into())))
}

/// Returns a remark about a merge into a whole document that makes another object of it.
fn other_object(document: &Tree, there: NodeId, value: NodeId) -> Option<OpFailure> {
    let parts = [&["kind"][..], &["metadata", "name"]];
    let part = |node: NodeId, path: &[&str]| {
        path.iter().try_fold(node, |node, key| document.get(node, key))
    };
    let changes = parts.into_iter().filter_map(|path| {
        let old = part(there, path).filter(|&old| !document.is_secret(old))?;
        let (was, is) = (document.string(old)?, document.string(part(value, path)?)?);
        (was != is).then(|| (path.join("."), was.into_owned(), is.into_owned(), old))
    });
    let (name, was, is, old) = changes.into_iter().next()?;
    document.get(there, "kind")?;
    let message = format!("another object: its {name} was '{was}', and is '{is}' now");
    let failure = OpFailure::new(message, usize::MAX).done("changes it");
    let failure = failure.label(document.span(old), "the old one");
    let hint = "`--where kind=…,name=…` chooses the document of a stream that is meant";
    Some(failure.hint(Some(hint.into())))
}

/// Returns a remark about a value of an argument that holds the settings of other places:
/// `1.10,service.port=80`.
fn several_places(document: &Tree, op: &Op, value: NodeId) -> Option<OpFailure> {
    op.typed.as_ref()?;
    let text = document.string(value)?;
    let (first, rest) = text.split_once(',')?;
    let (next, _) = rest.split_once('=')?;
    let is_path = |c: char| c.is_ascii_alphanumeric() || "._-[]".contains(c);
    let is_setting = !next.is_empty()
        && next.chars().all(is_path)
        && next.starts_with(|c: char| c.is_ascii_alphabetic())
        && !first.contains(['=', ' ']);
    is_setting.then_some(())?;
    let message = "the value holds a ',', and what looks like another setting".to_owned();
    let failure = OpFailure::new(message, usize::MAX).done("gets all of it");
    let hint = "each setting has an option of its own";
    Some(failure.hint(Some(hint.into())))
}

/// Returns a remark about a value of an argument that is no text, or not the one that was typed: a
/// template, or a text of several lines.
fn other_reading(document: &Tree, op: &Op, value: NodeId) -> Option<OpFailure> {
    op.typed.as_ref()?;
    let NodeId::Clean(file, i) = value else { return None };
    let arena = document.arena(file);
    let is_template = || {
        let pairs = document.pairs(value);
        matches!(pairs[..], [(key, _)] if document.kind(key) == Kind::Mapping)
    };
    let is_folded =
        || arena.style(i) == Style::Plain && arena.raw(i).trim_end().contains('\n');
    let message = match document.kind(value) {
        Kind::Mapping if is_template() => "the value is a mapping, as YAML reads '{{'",
        Kind::Scalar if is_folded() => {
            "the line breaks of the value are blanks, as YAML reads it"
        }
        _ => return None,
    };
    let failure = OpFailure::new(message.into(), usize::MAX).done("puts it");
    Some(failure.hint(Some("`--set-string` sets a text as it is".into())))
}

/// Returns true if one of two scalars is a string, and the other one is not.
fn is_other_type(document: &Tree, there: NodeId, value: NodeId) -> bool {
    match (document.scalar(there), document.scalar(value)) {
        // A variable or a template has the type of its value.
        (Scalar::String(was), _)
            if ["((", "{{", "${"].iter().any(|it| was.contains(it)) =>
        {
            false
        }
        (_, Scalar::String(is))
            if ["((", "{{", "${"].iter().any(|it| is.contains(it)) =>
        {
            false
        }
        (Scalar::String(_), Scalar::String(_) | Scalar::Binary(_)) => false,
        (Scalar::String(_), _) => true,
        // A null is no value yet.
        (Scalar::Null, _) => false,
        (_, is) => matches!(is, Scalar::String(_)),
    }
}

/// Returns the list that a mapping of keys without values was likely meant to be: `{a, b}`.
fn meant_list(document: &Tree, value: NodeId) -> Option<String> {
    let pairs = document.pairs(value);
    let is_bare = |&(_, value): &(NodeId, NodeId)| document.is_null(value);
    if pairs.is_empty() || !pairs.iter().all(is_bare) {
        return None;
    }
    let shown = pairs.iter().take(MAX_NAMED);
    let keys: Vec<_> =
        shown.map(|&(key, _)| document.text_of(key).into_owned()).collect();
    let more = if pairs.len() > MAX_NAMED { ", …" } else { "" };
    Some(format!("[{}{more}]", keys.join(", ")))
}

/// Returns the names of the items of a list, without those that are secret.
fn names(document: &Tree, list: NodeId) -> Vec<String> {
    let items = document.items(list);
    let named = items.into_iter().take(MAX_COMPARED).filter_map(|item| {
        let name = ItemName::of(document, item)?;
        let name = name.node;
        (!document.is_secret(name))
            .then(|| document.string(name).map(|it| it.into_owned()))?
    });
    named.collect()
}

/// Returns the one of some names that a new one was likely meant to be.
fn nearest(
    document: &Tree,
    names: impl Iterator<Item = NodeId>,
    made: &str,
) -> Option<String> {
    // `image/tag` and `image:tag` are keys of their own in a dotted path.
    let first = made.split(['/', ':']).next().filter(|first| first.len() < made.len());
    let mut names = names.filter(|&name| !document.is_secret(name));
    names.find_map(|name| {
        let name = document.string(name)?;
        let is_near = is_misspelling(made, &name) || first == Some(&*name);
        (is_near && name != made).then(|| name.into_owned())
    })
}
