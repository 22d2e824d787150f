//! A target with another way in front, spelled as the old one was.

use super::name::{Name, Way};
use crate::arena::Arena;
use crate::patch::Op;
use crate::pointer::{JsonPointer, Pointer, Token};
use crate::target::Target;

/// A target and its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spelled {
    pub target: Target,
    pub text: String,
}

impl Spelled {
    /// Returns the target of an op as it was written.
    pub(super) fn of(op: &Op, arena: Option<&Arena>) -> Spelled {
        let text = written(op, arena).unwrap_or_else(|| op.at.spell());
        Spelled { target: op.at.clone(), text }
    }

    /// Returns the target whose first steps lead along a way of as many steps.
    pub(super) fn along(&self, way: &Way) -> Option<Spelled> {
        match &self.target {
            Target::Pointer(pointer) => self.pointer_along(pointer, way),
            Target::Json(pointer) => {
                let mut tokens = pointer.tokens.clone();
                for (token, (name, position)) in
                    tokens.get_mut(..way.len())?.iter_mut().zip(way)
                {
                    *token = match name {
                        Name::Key(key) => key.clone(),
                        Name::Collection(_) => return None,
                        Name::Item { .. } | Name::Index(_) => position.to_string(),
                    };
                }
                let target = Target::Json(JsonPointer { tokens });
                Some(Spelled { text: target.spell(), target })
            }
            Target::Query(_) => None,
        }
    }

    fn pointer_along(&self, pointer: &Pointer, way: &Way) -> Option<Spelled> {
        let mut tokens = pointer.tokens.clone();
        for (token, (name, position)) in tokens.get_mut(..way.len())?.iter_mut().zip(way)
        {
            *token = match (&*token, name) {
                (Token::Key(_), Name::Key(key)) => Token::Key(key.clone()),
                (Token::Match { modifiers, .. }, Name::Item { key, value })
                    if modifiers.is_empty()
                        || modifiers.iter().all(|it| is_place(*it)) =>
                {
                    let (key, value) = (key.clone(), value.clone());
                    Token::Match { key, value, modifiers: modifiers.clone() }
                }
                (Token::Index(index, modifiers), Name::Item { .. } | Name::Index(_))
                    if *index >= 0 && modifiers.iter().all(|it| is_place(*it)) =>
                {
                    Token::Index(i64::from(*position), modifiers.clone())
                }
                _ => return None,
            };
        }
        let new = Pointer { tokens, required: pointer.required };
        let mut pieces: Vec<&str> = self.text.split('/').collect();
        let changed = (0..way.len()).filter(|&at| new.tokens[at] != pointer.tokens[at]);
        let changed: Vec<(usize, String)> = changed
            .map(|at| (at + 1, piece(&new.tokens[at], pieces.get(at + 1).copied())))
            .collect();
        for (at, text) in &changed {
            *pieces.get_mut(*at)? = text;
        }
        let text = pieces.join("/");
        let target = Target::Pointer(new);
        // A path that is written in another way than others is spelled anew.
        let text = match Target::parse(&text) {
            Ok(parsed) if parsed == target => text,
            _ => target.spell(),
        };
        Some(Spelled { target, text })
    }
}

fn is_place(modifier: crate::pointer::Modifier) -> bool {
    use crate::pointer::Modifier;
    matches!(modifier, Modifier::Before | Modifier::After)
}

/// Returns a token in the place of another one, whose `?` and modifiers it keeps.
fn piece(token: &Token, old: Option<&str>) -> String {
    let old = old.unwrap_or_default();
    let (name, modifiers) = old.split_at(old.find(':').unwrap_or(old.len()));
    let mark = if name.ends_with('?') || token.needs_mark() { "?" } else { "" };
    format!("{token}{mark}{modifiers}")
}

/// Returns the text of the target of an op, if it stands there in so many words.
fn written(op: &Op, arena: Option<&Arena>) -> Option<String> {
    let span = op.origin?.path;
    let text = arena?.text().get(span.start as usize..span.end as usize)?;
    let text = text.trim_matches(['"', '\'']);
    let is_same = match &op.at {
        Target::Json(pointer) => pointer.to_string() == text,
        at => Target::parse(text).is_ok_and(|parsed| parsed == *at),
    };
    is_same.then(|| text.to_owned())
}
