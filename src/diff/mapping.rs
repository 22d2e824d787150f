//! Two mappings come in: entries that are gone, in both, new.

use std::collections::HashMap;

use super::{Task, Walk};
use crate::node::{Kind, Node};
use crate::pointer::Token;
use crate::scalar::{Identity, Scalar};

impl<'a> Walk<'a> {
    /// Compares two mappings, all but the entry `done`. False if there is a difference
    /// that no path can name.
    pub(super) fn mapping(
        &mut self,
        (old, new): (Node, Node),
        done: Option<&str>,
    ) -> bool {
        let (a, b) = (self.old.pairs(old), self.new.pairs(new));
        let complex = |&(key, _): &(Node, Node)| self.new.kind(key) != Kind::Scalar;
        if a.iter().any(|&(key, _)| self.old.kind(key) != Kind::Scalar)
            || b.iter().any(complex)
        {
            return self.classes.equal(old, new);
        }
        self.left = self.left.saturating_sub(a.len() + b.len());
        let (mut places, mut next) = (None, 0);
        let (mut tasks, mut kept) = (Vec::new(), vec![false; a.len()]);
        for &(key, value) in &b {
            let scalar = self.new.scalar(key);
            let identity = scalar.clone().identity();
            let is_next = |&(key, _): &(Node, Node)| self.is_key(key, &identity);
            let place = if a.get(next).is_some_and(is_next) {
                Some(next)
            } else {
                let places = places.get_or_insert_with(|| self.places(&a));
                places.get(&identity).copied()
            };
            if let Some(i) = place {
                kept[i] = true;
                next = i + 1;
                self.note(a[i].0, key);
                if self.passes(a[i].1, value) {
                    continue;
                }
            }
            let token = key_token(&scalar);
            let is = |text: &str| matches!(&token, Some(Token::Key(key)) if key == text);
            if done.is_some_and(is) {
                continue;
            }
            match (token, place.map(|i| a[i].1)) {
                (Some(token), Some(old)) => {
                    tasks.push(Task::Visit { token, old, new: value, done: None });
                }
                (Some(token), None) => {
                    if self.pairs.is_some() {
                        let both = [(Some(key), key, false), (Some(key), value, false)];
                        self.added.extend(both);
                    }
                    tasks.push(Task::Add(token, value));
                }
                (None, Some(old)) if self.pairs.is_some() => {
                    let token = Token::End;
                    tasks.push(Task::Visit { token, old, new: value, done: None });
                }
                (None, Some(old)) if self.classes.equal(old, value) => {}
                (None, _) => return false,
            }
        }
        if self.pairs.is_some() {
            let gone = a.iter().zip(&kept).filter(|(_, kept)| !**kept);
            let gone = gone.map(|(&(_, value), _)| value).collect();
            self.pair_renamed(gone, &mut tasks);
        }
        for (&(key, _), kept) in a.iter().zip(kept) {
            if !kept {
                let Some(token) = key_token(&self.old.scalar(key)) else { return false };
                self.remove(token);
            }
        }
        self.todo.extend(tasks.into_iter().rev());
        true
    }

    /// Compares what is gone with what is the same under a new key.
    fn pair_renamed(&mut self, gone: Vec<Node>, tasks: &mut Vec<Task<'a>>) {
        let added = tasks.iter().filter_map(|task| match task {
            Task::Add(_, value) => Some(*value),
            Task::Visit { .. } => None,
        });
        let added: Vec<Node> = added.collect();
        let alone = gone.len() == 1 && added.len() == 1;
        let mut places: HashMap<u32, Vec<Node>> = HashMap::new();
        for old in gone.into_iter().rev() {
            if alone || self.old.kind(old) != Kind::Scalar {
                places.entry(self.classes.of_old(old)).or_default().push(old);
            }
        }
        for new in added {
            let old = places.get_mut(&self.classes.of_new(new)).and_then(Vec::pop);
            let token = Token::End;
            tasks.extend(old.map(|old| Task::Visit { token, old, new, done: None }));
        }
    }

    fn is_key(&self, key: Node, identity: &Identity<'_>) -> bool {
        self.old.scalar(key).identity() == *identity
    }

    /// The place of every entry of an old mapping.
    fn places(&self, pairs: &[(Node, Node)]) -> HashMap<Identity<'a>, usize> {
        let keys = pairs.iter().enumerate();
        keys.map(|(i, &(key, _))| (self.old.scalar(key).identity(), i)).collect()
    }
}

/// The token that leads to an entry, if one can.
pub(super) fn key_token(key: &Scalar<'_>) -> Option<Token> {
    match key {
        Scalar::String(text) if !text.contains('=') => {
            Some(Token::Key(text.clone().into_owned()))
        }
        _ => None,
    }
}
