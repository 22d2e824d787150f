//! The comments that a written entry owns: the one behind it on its line, the lines directly
//! above it at its indentation, and the deeper ones below it. Those below a block are parts of
//! its value.

use super::hints::EntryComments;
use super::slots::{NodeId, Slot};
use super::tree::Tree;
use crate::arena::Style;
use crate::layout::{Layout, bare_lines, is_flow, is_json};

/// Returns the comments that an entry of collection `of` owns, without those inside of it.
pub(crate) fn entry_comments(document: &Tree, of: NodeId, slot: &Slot) -> EntryComments {
    let given = document.comments(slot).cloned().unwrap_or_default();
    let Some((file, of)) = document.origin_of(document.follow(of)) else { return given };
    let Some(first) = slot.was else { return given };
    let layout = Layout { arena: document.arena(file) };
    let entry = layout.entry(of, first);
    let parts = layout.parts(of, &entry);
    let above = bare_lines(layout.slice(parts.leading.start, parts.leading.end));
    let above = above.map(str::trim).collect::<Vec<_>>().join("\n");
    // The blank behind the colon of an empty value in brackets belongs to the comment, too.
    let beside = parts.trailing.map(|at| {
        let start = layout.slice(0, at.start).trim_end_matches([' ', '\t']).len();
        layout.slice(start, at.end).trim_end()
    });
    // `|#` has a comment without a blank, which no other text can have.
    let beside = beside.and_then(|it| {
        let is_set_off = it.is_empty() || it.starts_with([' ', '\t']);
        non_empty(&if is_set_off { it.into() } else { format!(" {it}") })
    });
    let owned = EntryComments {
        trailing: beside,
        leading: non_empty(&above),
        dangling: (!layout.is_block(entry.value))
            .then(|| layout.slice(parts.dangling.start, parts.dangling.end))
            .and_then(non_empty),
        gap: None,
    };
    given.or(owned)
}

/// Returns true if comments can stand behind and above an entry of collection `of`: it is
/// printed on lines of its own, and not as JSON.
pub(crate) fn takes_comments(document: &Tree, of: NodeId, slot: &Slot) -> bool {
    let base = Layout { arena: document.base() };
    // `{}` gets lines.
    let json = base.arena.nodes().len() > 1 && is_json(base.arena);
    if document.hints().is_in_brackets(of) || json {
        return false;
    }
    let Some((file, of)) = document.origin_of(document.follow(of)) else { return true };
    let layout = Layout { arena: document.arena(file) };
    let Some(first) = layout.entries(of).next().filter(|_| is_flow(layout.style(of)))
    else {
        // A written `[]` gets lines, unless it is itself in brackets.
        let around = layout.parent(of).map(|around| layout.style(around));
        return !(is_flow(layout.style(of)) && around.is_some_and(is_flow));
    };
    if layout.style(of) == Style::FlowPair {
        return false;
    }
    match slot.was {
        Some(was) => {
            let entry = layout.entry(of, was);
            layout.begins_line(entry.start) && layout.beside(of, &entry).is_some()
        }
        None => {
            let own_lines = [first.start, layout.end(of) - 1];
            own_lines.into_iter().all(|at| layout.begins_line(at))
        }
    }
}

fn non_empty(text: &str) -> Option<Box<str>> {
    (!text.is_empty()).then(|| text.into())
}
