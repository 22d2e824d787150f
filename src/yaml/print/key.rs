//! Another key in the place of a written one: its value stays, and the comments around it.

use super::{Place, Printer};
use crate::arena::{Index, Style, flag};
use crate::node::{Kind, Node};

impl Printer<'_> {
    /// Whether a new key can be written in the place of written key `was`.
    pub(super) fn respells(&self, was: Index, key: Node) -> bool {
        let layout = self.out.layout();
        let arena = layout.arena;
        let scalar =
            matches!(arena.style(was), Style::Plain | Style::Single | Style::Double);
        key != Node::Clean(arena.file(), was)
            && self.document.kind(key) == Kind::Scalar
            && self.is_simple(key)
            && scalar
            && !arena.has(was, flag::MULTILINE | flag::PROPS)
            && layout.after_indicator(arena.next(was)).is_some()
    }

    /// Writes a key in the place of written key `was`, unless it is that.
    pub(super) fn respell(&mut self, was: Index, key: Node, place: Place) {
        let layout = self.out.layout();
        if key == Node::Clean(layout.arena.file(), was) {
            return;
        }
        self.out.copy(layout.start(was));
        let content = self.content(key, place);
        self.inline(content, place);
        self.out.skip(layout.end(was));
    }
}
