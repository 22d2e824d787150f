//! Two mappings come in: entries that are gone, in both, new.

use std::collections::HashMap;

use super::{Task, Walk};
use crate::node::{Kind, Node};
use crate::pointer::Token;
use crate::scalar::Scalar;

impl Walk<'_> {
    /// Compares two mappings, all but the entry `done`. False if there is a difference
    /// that no path can name; then nothing is to be kept.
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
            return false;
        }
        self.left = self.left.saturating_sub(a.len() + b.len());
        let keys = a.iter().enumerate();
        let mut gone: HashMap<_, usize> =
            keys.map(|(i, &(key, _))| (self.old.scalar(key).identity(), i)).collect();
        let (mut tasks, mut kept) = (Vec::new(), vec![false; a.len()]);
        for &(key, value) in &b {
            let scalar = self.new.scalar(key);
            let token = key_token(&scalar);
            let before = gone.remove(&scalar.identity());
            let before = before.map(|i| {
                kept[i] = true;
                a[i].1
            });
            let is = |text: &str| matches!(&token, Some(Token::Key(key)) if key == text);
            if done.is_some_and(is) {
                continue;
            }
            match (token, before) {
                (Some(token), Some(old)) => {
                    tasks.push(Task::Visit { token, old, new: value, done: None });
                }
                (Some(token), None) => tasks.push(Task::Add(token, value)),
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
