//! Finds the keys of a text that are directives by their first bytes, so that a text and a
//! subtree without any cost no look at their keys.

use memchr::{memchr_iter, memmem};

use super::directive::is_directive_key;
use crate::arena::{Arena, Index, Style};
use crate::scalar::Scalar;

/// Strings of one text that would be directives as keys, and aliases of nodes that contain
/// some, in order.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<Index>);

impl Marks {
    /// Finds the marks of a text.
    pub(super) fn find(arena: &Arena) -> Marks {
        let text = arena.text().as_bytes();
        let plain = memchr_iter(b'+', text).filter_map(|at| match at.checked_sub(1) {
            None => Some(at),
            Some(before) => match text[before] {
                b'"' | b'\'' => Some(before),
                // The last byte of a byte order mark, in UTF-8.
                0xbf => Some(at),
                b' ' | b'\t' | b'\n' | b'\r' | b'[' | b'{' | b',' | b':' | b'?' => {
                    Some(at)
                }
                _ => None,
            },
        });
        // In double quotes the `+` may be an escape.
        let escaped = memmem::find_iter(text, b"\"\\");
        let mut found: Vec<Index> =
            plain.chain(escaped).filter_map(|at| string_at(arena, at as u32)).collect();
        found.sort_unstable();
        found.dedup();
        Marks(found).with_aliases(arena)
    }

    fn with_aliases(mut self, arena: &Arena) -> Marks {
        if self.0.is_empty() {
            return self;
        }
        // An alias follows its target, so that one pass finds aliases of aliases.
        let mut aliases = Marks::default();
        for &(alias, target) in arena.aliases() {
            let range = (target, arena.next(target));
            if self.any(range) || aliases.any(range) {
                aliases.0.push(alias);
            }
        }
        self.0.append(&mut aliases.0);
        self.0.sort_unstable();
        self
    }

    /// Returns true if a mark is at the first node or later, and before the second.
    pub(super) fn any(&self, (from, to): (Index, Index)) -> bool {
        self.from(from).first().is_some_and(|&mark| mark < to)
    }

    /// The marks at a node and later.
    pub(super) fn from(&self, node: Index) -> &[Index] {
        &self.0[self.0.partition_point(|&mark| mark < node)..]
    }
}

/// Returns the string that begins at an offset, if it would be a directive as a key.
fn string_at(arena: &Arena, at: u32) -> Option<Index> {
    let after = arena.nodes().partition_point(|node| node.start <= at);
    let starts = |i: &usize| arena.nodes()[*i].start == at;
    let string = |i: &usize| {
        matches!(arena.nodes()[*i].style, Style::Plain | Style::Single | Style::Double)
    };
    let i = (0..after).rev().take_while(starts).find(string)? as Index;
    match arena.scalar(i) {
        Scalar::String(text) if is_directive_key(&text) => Some(i),
        _ => None,
    }
}
