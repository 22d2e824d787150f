//! A path or a pointer → where it leads before and after the edit: what was renamed goes
//! by its new name, and an item that changed its place is where it is now.

use std::borrow::Cow;

use super::compare::{Compare, Key};
use super::site::{Both, Frame};
use crate::node::{Kind, Node};
use crate::patch::Step;
use crate::scalar::Identity;

impl<'a> Compare<'a> {
    /// Where a pointer leads from there. Its tokens become those that lead there after the
    /// edit.
    pub(super) fn look_up(&mut self, from: Both, pointer: &mut [String]) -> Both {
        let mut both = from;
        for token in pointer {
            let view = both.view.and_then(|view| self.token(view, token));
            let after = self.token_after(both, view, token);
            let edited = both.edited.zip(after.as_deref());
            let edited = edited.and_then(|(edited, token)| self.token(edited, token));
            if let Some(after) = after.filter(|_| edited.is_some()) {
                *token = after;
            }
            both = Both { view, edited };
        }
        both
    }

    /// The token that names after the edit what `token` names before; none if that is gone.
    fn token_after(
        &mut self,
        from: Both,
        was: Option<Node>,
        token: &str,
    ) -> Option<String> {
        if let (Some(view), Some(edited), Some(was)) = (from.view, from.edited, was) {
            if let Some(index) = self.index(view, token) {
                return self.place(from, index).map(|index| index.to_string());
            }
            if self.token(edited, token).is_none() {
                let key = Key::Scalar(Identity::String(Cow::Owned(token.to_owned())));
                let renamed = self.renamed((view, edited), &key, was)?;
                return match renamed.key {
                    Key::Scalar(Identity::String(name)) => Some(name.into_owned()),
                    _ => None,
                };
            }
        }
        Some(token.to_owned())
    }

    /// Where a path of the source leads, whose last steps a pointer says, and where that
    /// pointer starts. Its tokens become those that lead there after the edit.
    pub(super) fn lead(
        &mut self,
        roots: Both,
        path: &[Step],
        pointer: &mut Vec<String>,
    ) -> (Both, Both) {
        let frames = self.trace(path, roots);
        let start = frames[frames.len().saturating_sub(pointer.len() + 1)].both;
        let end = frames[frames.len() - 1].both;
        let mut after = pointer.clone();
        if self.look_up(start, &mut after) == end {
            *pointer = after;
        }
        (start, end)
    }

    /// Whether a pointer leads anywhere from there.
    pub(super) fn is_there(&mut self, from: Option<Node>, pointer: &[String]) -> bool {
        let mut tokens = pointer.iter();
        tokens
            .try_fold(from, |at, token| Some(self.token(at?, token)))
            .flatten()
            .is_some()
    }

    fn token(&mut self, node: Node, token: &str) -> Option<Node> {
        match self.document.kind(node) {
            Kind::Scalar => None,
            Kind::Mapping => {
                let key = Identity::String(Cow::Owned(token.to_owned()));
                self.entries(node).get(&Key::Scalar(key))
            }
            Kind::Sequence => {
                let index = self.index(node, token)?;
                self.item(node, index)
            }
        }
    }

    /// The index that a token is in a list.
    fn index(&self, list: Node, token: &str) -> Option<usize> {
        let plain = token.bytes().all(|b| b.is_ascii_digit());
        let canonical = token == "0" || !token.starts_with('0');
        let list = self.document.kind(list) == Kind::Sequence;
        (list && plain && canonical).then(|| token.parse().ok())?
    }

    /// The index that an item has after the edit; none if it is gone.
    fn place(&mut self, from: Both, index: usize) -> Option<usize> {
        let (Some(view), Some(edited)) = (from.view, from.edited) else {
            return Some(index);
        };
        match [view, edited].map(|node| self.document.kind(node)) {
            [Kind::Sequence, Kind::Sequence] => {
                self.places(view, edited).get(index).copied().unwrap_or(Some(index))
            }
            _ => Some(index),
        }
    }

    /// The collections along a path of the source, if it leads to the same place in what
    /// becomes of it.
    pub(super) fn trace(&mut self, path: &[Step], roots: Both) -> Vec<Frame> {
        let mut frames = vec![Frame { around: None, both: roots }];
        for (around, step) in path.iter().enumerate() {
            let both = self.step(frames[around].both, step);
            frames.push(Frame { around: Some(around), both });
        }
        frames
    }

    /// One step of a path of the source further.
    fn step(&mut self, from: Both, step: &Step) -> Both {
        match *step {
            Step::Index(index) => {
                let index = index as usize;
                let view = from.view.and_then(|list| self.item(list, index));
                let edited = from.edited.zip(self.place(from, index));
                let edited = edited.and_then(|(list, index)| self.item(list, index));
                Both { view, edited }
            }
            Step::Key(key) => {
                let key = self.key(key);
                let mut get = |node: Option<Node>| self.entries(node?).get(&key);
                let (view, edited) = (get(from.view), get(from.edited));
                let renamed = match (view, edited, from) {
                    (Some(was), None, Both { view: Some(from), edited: Some(to) }) => {
                        self.renamed((from, to), &key, was).map(|entry| entry.value)
                    }
                    _ => None,
                };
                Both { view, edited: edited.or(renamed) }
            }
        }
    }
}
