//! Patch × document → document: one op after another. No input or output happens here:
//! a compiled patch holds all it needs.

mod failure;
mod site;
mod step;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::HashSet;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Diagnostics, Result};
use crate::merge::{remove_whiteouts, too_large};
use crate::node::{Document, Node, OpId, Seat};
use crate::patch::{Edit, Expect, Op, Patch};
use crate::pointer::{Pointer, Token};
use failure::Failure;
use walk::{Walk, Way};

/// So many failures say all they can; what the others could say grows with the document.
const EXPLAINED: usize = 100;

/// A merged document may have so many bytes, if nobody says how many.
const LIMIT: usize = 256 << 20;
/// For so many bytes, merging may look at an entry.
const ENTRY: usize = 128;

/// The root an op is applied to, and how.
#[derive(Clone, Copy)]
struct Root {
    at: usize,
    op: Option<OpId>,
    /// By how much the numbers of opened nodes in the op are moved.
    by: u32,
}

/// Applies the ops of `patch` to each of the given documents of the stream.
///
/// # Errors
/// One diagnostic for every op that fails on its own; an op that fails because an
/// earlier one did is left out. What the document then holds is of no use.
pub fn apply(
    patch: &Patch,
    document: &mut Document,
    roots: Range<usize>,
) -> std::result::Result<(), Diagnostics> {
    for arena in &patch.arenas {
        document.try_add_arena(arena)?;
    }
    let merges = patch.ops.iter().take_while(|op| op.edit.merges()).count();
    let (by, ops) = (document.append_opened(&patch.opened), &patch.ops[..merges]);
    let limit = patch.limit.unwrap_or(LIMIT);
    let (mut room, mut diagnostics) = (room(limit), Vec::new());
    for at in roots.clone().filter(|_| merges > 0) {
        diagnostics.extend(merge(ops, document, Root { at, op: None, by }, &mut room));
        if diagnostics.is_empty() && document.printed_size(at) > limit as u64 {
            diagnostics.push(*too_large());
        }
    }
    if !diagnostics.is_empty() {
        return Err(Diagnostics(diagnostics));
    }
    for root in roots {
        // Where something would be that is not there now.
        let mut failed: HashSet<&[Token]> = HashSet::new();
        for (id, op) in (0..).zip(&patch.ops).skip(merges) {
            let tokens = &op.at.tokens;
            let follows = !failed.is_empty()
                && (0..=tokens.len()).any(|count| failed.contains(&tokens[..count]));
            let brief = follows || diagnostics.len() >= EXPLAINED;
            let Err(failure) = run(document, op, (id, root), brief) else { continue };
            if !follows {
                diagnostics.push(failure.diagnose(op, document));
            }
            if let Edit::Replace(_) = op.edit {
                failed.insert(tokens);
            }
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(Diagnostics(diagnostics)) }
}

/// Runs merges whose opened nodes are those of `document` itself.
pub(crate) fn expand(
    ops: &[Op],
    document: &mut Document,
    root: usize,
    room: &mut usize,
) -> Vec<Diagnostic> {
    merge(ops, document, Root { at: root, op: None, by: 0 }, room)
}

/// How many entries merging may look at where a document may have that many bytes.
pub(crate) fn room(limit: usize) -> usize {
    limit / ENTRY
}

fn merge(
    ops: &[Op],
    document: &mut Document,
    root: Root,
    room: &mut usize,
) -> Vec<Diagnostic> {
    let mut failed = Vec::new();
    for (id, op) in (0..).zip(ops) {
        let root = Root { op: Some(id), ..root };
        match &op.edit {
            // That there is no room was said.
            Edit::Merge(_) if *room == 0 => {}
            Edit::Merge(merge) => {
                failed.extend(site::run(document, merge, root, room).err());
            }
            _ => remove_whiteouts(document, root.at),
        }
    }
    if !ops.is_empty() {
        document.freeze();
    }
    // The ops come from the end of the document to its beginning.
    failed.into_iter().rev().flatten().collect()
}

/// The node that `pointer` leads to in a document of the stream. What is optional and
/// missing is null, or the item that a match token describes.
///
/// # Errors
/// go-patch's message, at the deepest place that was reached.
pub fn find(document: &mut Document, pointer: &Pointer, root: usize) -> Result<Node> {
    Walk::new(document, pointer, Way::Find)
        .find(Seat::Root(root))
        .map_err(|failure| failure.place(Diagnostic::error(&*failure.message)))
}

/// The node that `pointer` leads to from `node`.
///
/// # Errors
/// As for [`find`].
pub(crate) fn find_from(
    document: &mut Document,
    pointer: &Pointer,
    node: Node,
) -> Result<Node> {
    Walk::new(document, pointer, Way::Find)
        .find(Seat::Detached(node))
        .map_err(|failure| Diagnostic::error(&*failure.message))
}

/// Removes what `pointer` leads to in a document of the stream.
///
/// # Errors
/// As for [`find`].
pub(crate) fn remove(
    document: &mut Document,
    pointer: &Pointer,
    root: usize,
) -> Result<()> {
    Walk::new(document, pointer, Way::Remove)
        .remove(root)
        .map_err(|failure| failure.place(Diagnostic::error(&*failure.message)))
}

fn run(
    document: &mut Document,
    op: &Op,
    (id, root): (OpId, usize),
    brief: bool,
) -> std::result::Result<(), Failure> {
    let way = match op.edit {
        Edit::Replace(_) => Way::Replace,
        Edit::Remove => Way::Remove,
        Edit::Test(expect) => return test(document, op, expect, root, brief),
        Edit::Merge(_) | Edit::RemoveWhiteouts => {
            return Err(Failure::new("Expected merges to come first".into(), 0));
        }
    };
    let walk = Walk::new(document, &op.at, way).by(id).brief(brief);
    match op.edit {
        Edit::Replace(value) => walk.replace(root, value),
        Edit::Remove | Edit::Test(_) | Edit::Merge(_) | Edit::RemoveWhiteouts => {
            walk.remove(root)
        }
    }
}

fn test(
    document: &mut Document,
    op: &Op,
    expect: Expect,
    root: usize,
    brief: bool,
) -> std::result::Result<(), Failure> {
    let find = |document: &mut Document, brief| {
        Walk::new(document, &op.at, Way::Find).brief(brief).find(Seat::Root(root))
    };
    // That nothing is there need not be explained.
    let hoped = matches!(expect, Expect::Absent);
    let found = find(document, brief || hoped);
    let depth = op.at.tokens.len();
    let here = |document: &Document, node| {
        document.span(node).map(|span| document.first_line(span))
    };
    let (found, expected) = match (expect, found) {
        (Expect::Absent, Err(failure))
            if failure.missing && failure.depth + 1 == depth =>
        {
            return Ok(());
        }
        (_, Err(failure)) if brief || !hoped => return Err(failure),
        (_, Err(failure)) => return Err(find(document, false).err().unwrap_or(failure)),
        (Expect::Absent, Ok(found)) => {
            let failure =
                Failure::new(format!("Expected to not find '{}'", op.at), depth);
            return Err(failure.label(here(document, found), "this is here"));
        }
        (Expect::Equal(value), Ok(found)) if document.equal(found, value) => {
            return Ok(());
        }
        (Expect::Null, Ok(found)) if document.is_null(found) => return Ok(()),
        (Expect::Equal(value), Ok(found)) => (found, Some(value)),
        (Expect::Null, Ok(found)) => (found, None),
    };
    let say = |verb: &str, node| match document.describe(node) {
        Some(name) => format!("{verb} {name}"),
        None => format!("{verb} this"),
    };
    let failure = Failure::new("Found value does not match expected value".into(), depth);
    let failure = match expected {
        Some(value) => failure.label(here(document, value), say("expected", value)),
        None => failure.hint(Some("`absent: false` without a value expects null".into())),
    };
    Err(failure.label(here(document, found), say("found", found)))
}
