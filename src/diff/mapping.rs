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
            let place = match a.get(next).is_some_and(is_next) {
                true => Some(next),
                false => {
                    let places = places.get_or_insert_with(|| self.places(&a));
                    places.get(&identity).copied()
                }
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
                (Some(token), None) => tasks.push(Task::Add(token, value)),
                (None, Some(old)) if self.pairs.is_some() => {
                    let token = Token::End;
                    tasks.push(Task::Visit { token, old, new: value, done: None });
                }
                (None, Some(old)) if self.classes.equal(old, value) => {}
                (None, _) => return false,
            }
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
