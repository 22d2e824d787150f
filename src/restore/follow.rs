//! Changes the edited values as if each edit of a source also reached the values that
//! inherit it.

use super::compare::Comparer;
use crate::compare::EntryKey;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::pointer::JsonPointer;
use crate::yaml;

/// The edited values after the edits of sources went through to their users.
pub(super) struct Followed {
    pub edited: Tree,
    /// The pointers to the values that differ from those of the edited text.
    pub paths: Vec<String>,
}

/// A value in the expansion, in the edited text, and in the expansion after the edits of
/// sources; the place of the second one.
struct FollowedPlace {
    was: NodeId,
    is: NodeId,
    follows: NodeId,
    seat: Seat,
    path: String,
}

/// Returns the edited values with those of `follows` where nobody edited them.
///
/// # Errors
/// The result cannot be printed so that it reads back.
pub(super) fn follow(
    expanded: &Tree,
    follows: &Tree,
    edited: &Tree,
    tags_count: bool,
) -> Result<Followed> {
    let mut all = edited.clone();
    all.add_arena(expanded.shared_base());
    all.add_arena(follows.shared_base());
    let mut out = edited.clone();
    out.add_arena(follows.shared_base());
    let compare = Comparer::new(&all, tags_count);
    let mut walk = FollowWalk { compare, out, paths: Vec::new(), todo: Vec::new() };
    let roots = expanded.roots().iter().zip(edited.roots()).zip(follows.roots());
    walk.todo.extend(roots.zip(0..).map(|(((&was, &is), &follows), root)| {
        let seat = Seat::Root(root);
        FollowedPlace { was, is, follows, seat, path: String::new() }
    }));
    while let Some(place) = walk.todo.pop() {
        walk.visit(place);
    }
    let FollowWalk { out, paths, .. } = walk;
    Ok(Followed { edited: yaml::clean(&out)?.into_owned(), paths })
}

struct FollowWalk<'a> {
    compare: Comparer<'a>,
    out: Tree,
    paths: Vec<String>,
    todo: Vec<FollowedPlace>,
}

impl FollowWalk<'_> {
    fn visit(&mut self, place: FollowedPlace) {
        let FollowedPlace { was, is, follows, seat, path } = place;
        if self.compare.equal(is, follows) {
            return;
        }
        let kinds = [was, is, follows].map(|node| self.compare.document.kind(node));
        if kinds != [Kind::Mapping; 3] {
            if self.compare.equal(was, is) {
                self.out.set_at(seat, follows, None);
                self.paths.push(path);
            }
            return;
        }
        let Some(id) = self.out.open(seat, true) else { return };
        let [was, is, follows] =
            [was, is, follows].map(|node| self.compare.entries(node));
        let slots = self.out.children(id);
        let slots: Vec<_> = slots.ids().map(|at| (at, *slots.get(at))).collect();
        for (at, slot) in slots {
            let Some(key) = slot.key.map(|key| self.compare.key(key)) else { continue };
            let path = inner_path(&path, &key);
            let (Some(was), Some(is)) = (was.get(&key), is.get(&key)) else { continue };
            match follows.get(&key) {
                Some(follows) => {
                    let seat = Seat::Slot(id, at);
                    self.todo.push(FollowedPlace { was, is, follows, seat, path });
                }
                None if self.compare.equal(was, is) => {
                    self.out.remove_slot(id, at);
                    self.paths.push(path);
                }
                None => {}
            }
        }
        for entry in &follows.list {
            if was.get(&entry.key).is_none() && is.get(&entry.key).is_none() {
                self.out.push_entry(id, entry.name, entry.value);
                self.paths.push(inner_path(&path, &entry.key));
            }
        }
    }
}

fn inner_path(path: &str, key: &EntryKey<'_>) -> String {
    format!("{path}/{}", JsonPointer::escape(&key.token()))
}

/// Maximum number of pointers that the note names.
// Twenty pointers of common length fill about ten lines of a terminal; the count tells the
// rest.
const MAX_REPORTED: usize = 20;

/// Returns the note about the values that follow their sources, if there are any.
pub(super) fn note(paths: &[String]) -> Option<Diagnostic> {
    let places = match paths.len() {
        0 => return None,
        1 => "1 place follows".to_owned(),
        count => format!("{count} places follow"),
    };
    let shown = paths.iter().take(MAX_REPORTED).map(String::as_str);
    let mut list = shown.collect::<Vec<_>>().join(", ");
    if let more @ 1.. = paths.len().saturating_sub(MAX_REPORTED) {
        list.push_str(&format!(" and {more} more"));
    }
    let message = format!("{places} the edited sources, unlike EDITED: {list}");
    Some(*Diagnostic::warning(message))
}
