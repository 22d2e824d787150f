//! Paths to one place, in three languages, and the policy that only reads: a path and a tree
//! come in, the node it leads to goes out. Nothing is opened, so that many readers may share
//! a tree. [`Traversal`](super::traversal::Traversal) follows the same tokens and opens.

use crate::node::{Kind, NodeId, OpId, Path, Seat, Slot, Step, Tree};
use crate::pointer::{JsonPointer, Modifier, Pointer, Token};
use crate::select::Query;
use crate::target::Target;

/// A path that leads to one place.
#[derive(Clone, Copy)]
pub(crate) enum AnyPath<'a> {
    /// A pointer of bosh.
    Bosh(&'a Pointer),
    Json(&'a JsonPointer),
    /// The way to a node of the tree.
    Steps(&'a [Step]),
}

/// A token of a path.
#[derive(Clone, Copy)]
pub(super) enum PathToken<'a> {
    Bosh(&'a Token),
    /// The name of a member or the index of an item: the document decides.
    Json(&'a str),
    Step(Step),
}

impl<'a> From<&'a Pointer> for AnyPath<'a> {
    fn from(pointer: &'a Pointer) -> AnyPath<'a> {
        AnyPath::Bosh(pointer)
    }
}

impl<'a> From<&'a JsonPointer> for AnyPath<'a> {
    fn from(pointer: &'a JsonPointer) -> AnyPath<'a> {
        AnyPath::Json(pointer)
    }
}

impl<'a> From<&'a [Step]> for AnyPath<'a> {
    fn from(steps: &'a [Step]) -> AnyPath<'a> {
        AnyPath::Steps(steps)
    }
}

impl<'a> AnyPath<'a> {
    /// Returns the path of a target that is one place, else its query.
    pub(super) fn of(target: &'a Target) -> Result<AnyPath<'a>, &'a Query> {
        match target {
            Target::Pointer(pointer) => Ok(AnyPath::Bosh(pointer)),
            Target::Json(pointer) => Ok(AnyPath::Json(pointer)),
            Target::Query(query) => Err(query),
        }
    }

    /// Returns the number of tokens.
    pub(super) fn len(self) -> usize {
        match self {
            AnyPath::Bosh(pointer) => pointer.tokens.len(),
            AnyPath::Json(pointer) => pointer.tokens.len(),
            AnyPath::Steps(steps) => steps.len(),
        }
    }

    /// Returns the token at `depth`.
    pub(super) fn token(self, depth: usize) -> PathToken<'a> {
        match self {
            AnyPath::Bosh(pointer) => PathToken::Bosh(&pointer.tokens[depth]),
            AnyPath::Json(pointer) => PathToken::Json(&pointer.tokens[depth]),
            AnyPath::Steps(steps) => PathToken::Step(steps[depth]),
        }
    }

    /// Returns the tokens of a pointer of bosh; none of any other path.
    pub(super) fn tokens(self) -> &'a [Token] {
        match self {
            AnyPath::Bosh(pointer) => &pointer.tokens,
            AnyPath::Json(_) | AnyPath::Steps(_) => &[],
        }
    }

    /// Returns true if the token at `depth` may be missing.
    pub(super) fn optional(self, depth: usize) -> bool {
        matches!(self, AnyPath::Bosh(pointer) if pointer.optional(depth))
    }

    /// Returns true if the last token, which led to a seat, is the index of an item.
    pub(super) fn ends_with_index(self, tree: &Tree, seat: Seat) -> bool {
        let Seat::Slot(id, at) = seat else { return false };
        let is_item = tree.children(id).get(at).key.is_none();
        is_item
            && match self {
                AnyPath::Bosh(pointer) => {
                    matches!(pointer.tokens.last(), Some(Token::Index(..)))
                }
                AnyPath::Json(_) | AnyPath::Steps(_) => true,
            }
    }

    /// Returns the text of the first `count` tokens; that of steps is empty.
    pub(super) fn prefix(self, count: usize) -> String {
        match self {
            AnyPath::Bosh(pointer) => pointer.prefix(count).to_string(),
            AnyPath::Json(pointer) => pointer.prefix(count).to_string(),
            AnyPath::Steps(_) => String::new(),
        }
    }
}

/// A node with the way to it.
#[derive(Clone, Debug)]
pub(crate) struct LocatedNode {
    pub node: NodeId,
    /// The steps from the root.
    pub path: Path,
    /// The last op that put the node, or a collection around it, where it is.
    pub by: Option<OpId>,
}

impl LocatedNode {
    pub(crate) fn root(node: NodeId) -> LocatedNode {
        LocatedNode { node, path: Path::new(), by: None }
    }

    /// Returns a child, which is at `step`.
    pub(crate) fn child(
        &self,
        step: Step,
        node: NodeId,
        by: Option<OpId>,
    ) -> LocatedNode {
        let mut path = self.path.clone();
        path.push(step);
        LocatedNode { node, path, by: by.or(self.by) }
    }
}

/// Returns the node that a path leads to from `start`; `None` if it is missing, if several
/// items match, or if the path ends with `-`. Finds what [`find`](super::find) finds, except
/// for what that makes for an optional token.
pub(crate) fn resolve<'p>(
    tree: &Tree,
    start: LocatedNode,
    path: impl Into<AnyPath<'p>>,
) -> Option<LocatedNode> {
    let path = path.into();
    (0..path.len()).try_fold(start, |at, depth| {
        let (step, slot) = child(tree, at.node, path.token(depth))?;
        Some(at.child(step, slot.value, slot.by))
    })
}

/// Returns the entry or item to which steps lead, and the collection that has it; `None` for
/// a root.
pub(super) fn entry(tree: &Tree, path: &[Step], root: NodeId) -> Option<(NodeId, Slot)> {
    let (&last, path) = path.split_last()?;
    let around = path.iter().try_fold(root, |node, &step| {
        child(tree, node, PathToken::Step(step)).map(|(_, slot)| slot.value)
    });
    let around = tree.follow(around?);
    Some((around, child(tree, around, PathToken::Step(last))?.1))
}

/// Returns the entry or item that a token leads to, and the step to it.
fn child(tree: &Tree, around: NodeId, token: PathToken<'_>) -> Option<(Step, Slot)> {
    match (token, tree.kind(around)) {
        (PathToken::Bosh(Token::Key(key)), Kind::Mapping) if tree.names_other_keys() => {
            member(tree, around, key)
        }
        (PathToken::Bosh(Token::Key(key)), Kind::Mapping) => named(tree, around, key),
        (PathToken::Bosh(token), Kind::Mapping) if tree.names_other_keys() => {
            member(tree, around, &token.number()?)
        }
        (PathToken::Json(name), Kind::Mapping) => member(tree, around, name),
        (PathToken::Step(Step::Key(key)), Kind::Mapping) => {
            let mut pairs = tree.pairs(around).into_iter();
            let (key, value) = pairs.find(|&(other, _)| tree.is_same_key(other, key))?;
            let slots = tree.slots(around);
            let own = slots.iter().find(|slot| slot.key == Some(key));
            // An entry of a merge key stands in another mapping.
            let slot = own.copied().unwrap_or(Slot::new(Some(key), value, None));
            Some((Step::Key(key), slot))
        }
        (PathToken::Bosh(Token::Index(index, modifiers)), Kind::Sequence) => {
            let moved = shift(modifiers, false).ok()?.by;
            item(&tree.slots(around), index.saturating_add(moved))
        }
        (PathToken::Bosh(Token::Match { key, value, modifiers }), Kind::Sequence) => {
            let moved = shift(modifiers, false).ok()?.by;
            let items = tree.slots(around);
            let mut found = (0..).zip(items.iter()).filter(|(_, slot)| {
                let part = tree.get(slot.value, key);
                part.is_some_and(|part| tree.is_text(part, value))
            });
            let (index, _) = found.next()?;
            let several = found.next().is_some();
            item(&items, moved.saturating_add(index)).filter(|_| !several)
        }
        (PathToken::Json(name), Kind::Sequence) => {
            item(&tree.slots(around), JsonPointer::index(name)?.into())
        }
        (PathToken::Step(Step::Index(index)), Kind::Sequence) => {
            item(&tree.slots(around), index.into())
        }
        _ => None,
    }
}

/// Returns the entry whose key has this text, and first the one whose key is this string.
fn member(tree: &Tree, mapping: NodeId, name: &str) -> Option<(Step, Slot)> {
    named(tree, mapping, name).or_else(|| {
        let (key, value) = tree.member(mapping, name)?;
        Some((Step::Key(key), Slot::new(Some(key), value, None)))
    })
}

fn named(tree: &Tree, mapping: NodeId, key: &str) -> Option<(Step, Slot)> {
    let slot = tree.find_slot(mapping, key)?;
    Some((Step::Key(slot.key?), slot))
}

fn item(items: &[Slot], index: i64) -> Option<(Step, Slot)> {
    let position = position(index, items.len())?;
    Some((Step::Index(u32::try_from(position).ok()?), items[position]))
}

/// Returns the position of the item with an index; a negative one counts from the end.
pub(super) fn position(index: i64, len: usize) -> Option<usize> {
    let position = if index < 0 { index.saturating_add(len as i64) } else { index };
    usize::try_from(position).ok().filter(|&position| position < len)
}

/// The effect of the modifiers of a token.
#[derive(Default)]
pub(super) struct Shift {
    /// The number of items by which `:prev` and `:next` shift an index.
    pub by: i64,
    /// The `:before` or `:after` that ends them.
    pub beside: Option<Modifier>,
}

/// Returns the effect of modifiers, of which `:before` and `:after` stand only where an item
/// may be inserted. Fails with go-patch's message if a modifier cannot stand there.
pub(super) fn shift(modifiers: &[Modifier], insert: bool) -> Result<Shift, String> {
    let mut shift = Shift::default();
    for &modifier in modifiers {
        if let Some(last) = shift.beside {
            return Err(format!(
                "Expected to not find any modifiers after '{}' modifier, but found \
                 modifier '{}'",
                last.word(),
                type_name(modifier)
            ));
        }
        match modifier {
            Modifier::Prev => shift.by -= 1,
            Modifier::Next => shift.by += 1,
            Modifier::Before | Modifier::After if insert => shift.beside = Some(modifier),
            Modifier::Before | Modifier::After => {
                return Err(format!(
                    "Expected to find one of the following modifiers: 'prev', 'next', but \
                     found modifier '{}'",
                    type_name(modifier)
                ));
            }
        }
    }
    Ok(shift)
}

/// The Go type of a modifier, which go-patch prints.
fn type_name(modifier: Modifier) -> &'static str {
    match modifier {
        Modifier::Prev => "patch.PrevModifier",
        Modifier::Next => "patch.NextModifier",
        Modifier::Before => "patch.BeforeModifier",
        Modifier::After => "patch.AfterModifier",
    }
}
