//! Two lists come in: items that are gone are removed, new ones are put where they belong,
//! those that stay are compared.

use super::name::Names;
use super::{Task, Walk};
use crate::node::Node;
use crate::pointer::{Modifier, Token};

impl<'a> Walk<'a> {
    /// Compares two lists. False if nothing of the old one is left.
    pub(super) fn sequence(&mut self, (old, new): (Node, Node)) -> bool {
        let (a, b) = (self.old.items(old), self.new.items(new));
        self.left = self.left.saturating_sub(a.len() + b.len());
        let same = |pair: &(&Node, &Node)| self.is_same_text(*pair.0, *pair.1);
        let first = a.iter().zip(&b).take_while(same).count();
        let rest = a[first..].iter().rev().zip(b[first..].iter().rev());
        let last = rest.take_while(same).count();
        if self.pairs.is_none() && first + last == a.len().max(b.len()) {
            return true;
        }
        let names = Names::find([(self.old, &a), (self.new, &b)]);
        let kept = self.align(&names, (&a, &b), (first, last));
        if self.pairs.is_some() {
            self.visit_items(&names, &kept, (&a, &b));
            self.visit_moved(&names, &kept, (&a, &b));
            self.note_lists(&names, old, &b);
            return true;
        }
        if kept.is_empty() {
            return false;
        }
        self.drop_items(&names, &kept);
        self.add_items(&names, &kept, &b);
        self.visit_items(&names, &kept, (&a, &b));
        true
    }

    /// Removes the items that do not stay: in order if each has a name, else the last one
    /// first, so that each still has the number that it had.
    fn drop_items(&mut self, names: &Names<'a>, kept: &[(usize, usize)]) {
        let mut stay = kept.iter().rev().map(|&(i, _)| i).peekable();
        let mut gone = Vec::new();
        for (i, name) in names.old.iter().enumerate().rev() {
            if stay.next_if_eq(&i).is_none() {
                let token = names.token(name.as_ref(), Vec::new());
                gone.push(token.unwrap_or(Token::Index(i as i64, Vec::new())));
            }
        }
        if !gone.iter().any(|token| matches!(token, Token::Index(..))) {
            gone.reverse();
        }
        gone.into_iter().for_each(|token| self.remove(token));
    }

    /// Puts new items where they belong, the first one first: what is before it is what
    /// shall be there, what is behind it are old items that stay.
    fn add_items(&mut self, names: &Names<'a>, kept: &[(usize, usize)], items: &[Node]) {
        let (mut rest, mut before) = (kept, None);
        for (j, &item) in items.iter().enumerate() {
            if let Some((&(i, _), more)) =
                rest.split_first().filter(|(kept, _)| kept.1 == j)
            {
                (rest, before) = (more, names.old[i].as_ref());
                continue;
            }
            let token = rest.first().map(|&(i, _)| {
                let next = names.old[i].as_ref();
                names
                    .token(before, vec![Modifier::After])
                    .or_else(|| names.token(next, vec![Modifier::Before]))
                    .unwrap_or(Token::Index(j as i64, vec![Modifier::Before]))
            });
            self.replace(Some(token.unwrap_or(Token::End)), item);
            before = names.new[j].as_ref();
        }
    }

    /// Compares the items that stay, each at its new place.
    fn visit_items(
        &mut self,
        names: &Names<'a>,
        kept: &[(usize, usize)],
        (old, new): (&[Node], &[Node]),
    ) {
        let from = self.todo.len();
        for &(i, j) in kept {
            if self.passes(old[i], new[j]) {
                continue;
            }
            let (was, is) = (names.old[i].as_ref(), names.new[j].as_ref());
            let index = || Token::Index(j as i64, Vec::new());
            let mut token = names.token(was, Vec::new()).unwrap_or_else(index);
            let renamed = was.zip(is).is_some_and(|(was, is)| was.text != is.text);
            if renamed && let Some(value) = self.new.get(new[j], &names.key) {
                self.path.push(token);
                self.replace(Some(Token::Key(names.key.to_string())), value);
                self.path.pop();
                token = names.token(is, Vec::new()).unwrap_or_else(index);
            }
            let done = renamed.then(|| names.key.clone());
            self.todo.push(Task::Visit { token, old: old[i], new: new[j], done });
        }
        self.todo[from..].reverse();
    }
}
