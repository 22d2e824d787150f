//! One token further: a seat comes in, the seat that the token leads to goes out, or
//! the container in which it is missing.

use super::failure::{AFTER_LAST, Failure};
use super::walk::{Walk, Way};
use crate::node::{Kind, Seat, SlotId};
use crate::pointer::{Modifier, Token};

/// Where a token leads.
pub(super) enum Step {
    /// To what is there.
    Here(Seat),
    /// To an item that is there, or a place beside it.
    Item { id: u32, at: SlotId, beside: Option<Modifier> },
    /// To a place that is not there and need not be, in this opened container.
    Missing(u32),
}

impl Walk<'_> {
    /// Takes the token at `depth`, standing at `seat`.
    pub(super) fn step(&mut self, seat: Seat, depth: usize) -> Result<Step, Failure> {
        let pointer = self.pointer;
        match &pointer.tokens[depth] {
            Token::Key(key) => self.key(seat, depth, key),
            Token::Index(index, modifiers) => {
                let id = self.sequence(seat, depth)?;
                self.item(id, *index, modifiers, depth, seat)
            }
            Token::Match { key, value, modifiers } => {
                let id = self.sequence(seat, depth)?;
                let found = self.document.find_matches(id, key, value);
                match found[..] {
                    [at] => {
                        let index = self.document.children(id).position(at) as i64;
                        self.item(id, index, modifiers, depth, seat)
                    }
                    [] if self.pointer.optional(depth) => Ok(Step::Missing(id)),
                    _ => Err(self.no_match(seat, id, depth, &found)),
                }
            }
            Token::End => {
                let path = self.pointer;
                match self.way {
                    Way::Replace => self.sequence(seat, depth).map(Step::Missing),
                    Way::Remove => Err(Failure::new(
                        format!(
                            "Expected to not find token '{AFTER_LAST}' at path '{path}'"
                        ),
                        depth,
                    )),
                    Way::Find => Err(Failure::new(
                        format!(
                            "Expected not to find after last index token in path '{path}' \
                             (not supported in find operations)"
                        ),
                        depth,
                    )),
                }
            }
        }
    }

    fn key(&mut self, seat: Seat, depth: usize, key: &str) -> Result<Step, Failure> {
        let id = self.container(seat, depth, Kind::Mapping)?;
        if let Some(seat) = self.document.entry(id, key, self.attach) {
            return Ok(Step::Here(seat));
        }
        if self.pointer.optional(depth) {
            return Ok(Step::Missing(id));
        }
        Err(self.no_key(seat, id, depth, key))
    }

    fn sequence(&mut self, seat: Seat, depth: usize) -> Result<u32, Failure> {
        self.container(seat, depth, Kind::Sequence)
    }

    /// Opens the collection at `seat`, which must be of that kind.
    fn container(
        &mut self,
        seat: Seat,
        depth: usize,
        kind: Kind,
    ) -> Result<u32, Failure> {
        let node = self.document.node_at(seat);
        if self.document.kind(node) == kind
            && let Some(id) = self.document.open(seat, self.attach)
        {
            return Ok(id);
        }
        Err(self.no_container(node, seat, depth))
    }

    /// The item `index` with its modifiers: first they move it, then a negative one
    /// counts from the end.
    fn item(
        &mut self,
        id: u32,
        index: i64,
        modifiers: &[Modifier],
        depth: usize,
        seat: Seat,
    ) -> Result<Step, Failure> {
        let insert = self.way == Way::Replace && depth + 1 == self.pointer.tokens.len();
        let (shift, beside) =
            shift(modifiers, insert).map_err(|message| Failure::new(message, depth))?;
        let index = index.saturating_add(shift);
        let slots = self.document.children(id);
        let len = slots.len() as i64;
        let position = if index < 0 { index.saturating_add(len) } else { index };
        let at =
            (0..len).contains(&position).then(|| slots.at(position as usize)).flatten();
        let Some(at) = at else {
            return Err(self.no_item(seat, depth, index, len));
        };
        Ok(Step::Item { id, at, beside })
    }
}

/// How far `:prev` and `:next` move, and the `:before` or `:after` that ends them where
/// an item may be inserted.
fn shift(
    modifiers: &[Modifier],
    insert: bool,
) -> Result<(i64, Option<Modifier>), String> {
    let (mut shift, mut beside) = (0, None);
    for &modifier in modifiers {
        if let Some(last) = beside {
            let (last, name) = (Modifier::word(last), modifier.type_name());
            return Err(format!(
                "Expected to not find any modifiers after '{last}' modifier, but found \
                 modifier '{name}'"
            ));
        }
        match modifier {
            Modifier::Prev => shift -= 1,
            Modifier::Next => shift += 1,
            Modifier::Before | Modifier::After if insert => beside = Some(modifier),
            Modifier::Before | Modifier::After => {
                return Err(format!(
                    "Expected to find one of the following modifiers: 'prev', 'next', but \
                     found modifier '{}'",
                    modifier.type_name()
                ));
            }
        }
    }
    Ok((shift, beside))
}

impl Modifier {
    /// What Go calls its type.
    fn type_name(self) -> &'static str {
        match self {
            Modifier::Prev => "patch.PrevModifier",
            Modifier::Next => "patch.NextModifier",
            Modifier::Before => "patch.BeforeModifier",
            Modifier::After => "patch.AfterModifier",
        }
    }
}
