//! `*`, `+`, `?` and `{2,3}` come in, greedy, lazy (`*?`) or possessive (`*+`); the item
//! before them goes out repeated.

use super::translate::{Item, ItemKind, Translator, Width};
use crate::eval::python::Result;

impl Translator {
    pub(super) fn repeat(&mut self, c: char) -> Result<()> {
        let at = self.at - 1;
        let (least, most) = match c {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => match self.bounds(at)? {
                Some(bounds) => bounds,
                None => {
                    self.literal('{');
                    return Ok(());
                }
            },
        };
        let item = match self.frame.item {
            None | Some(Item { kind: ItemKind::Position, .. }) => {
                return Err(self.wrong("nothing to repeat", at));
            }
            Some(Item { kind: ItemKind::Repeated, .. }) => {
                return Err(self.wrong("multiple repeat", at));
            }
            Some(item) => item,
        };
        let lazy = self.eat('?');
        let possessive = !lazy && self.eat('+');
        self.write(item, least, most, if lazy { "?" } else { "" });
        if possessive {
            self.out.insert_str(item.start, "(?>");
            self.out.push(')');
        }
        let times = |width: u64, count: Option<u64>| match count {
            Some(count) => width.saturating_mul(count),
            None if width == 0 => 0,
            None => u64::MAX,
        };
        let width = Width(times(item.width.0, Some(least)), times(item.width.1, most));
        let kind = ItemKind::Repeated;
        self.frame.item = Some(Item { start: item.start, width, kind });
        Ok(())
    }

    fn write(&mut self, item: Item, least: u64, most: Option<u64>, lazy: &str) {
        if item.width.1 == 0 {
            // What is empty is there or not; more of it is the same.
            self.out.insert_str(item.start, "(?:");
            self.out.push_str(if least == 0 { "|)" } else { ")" });
            return;
        }
        let count = match (least, most) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (least, None) => format!("{{{least},}}"),
            (least, Some(most)) if least == most => {
                self.out.push_str(&format!("{{{least}}}"));
                return;
            }
            (least, Some(most)) => format!("{{{least},{most}}}"),
        };
        self.out.push_str(&count);
        self.out.push_str(lazy);
    }

    /// `2,3}`; nothing if the brace stands for itself.
    fn bounds(&mut self, at: usize) -> Result<Option<(u64, Option<u64>)>> {
        let before = self.at;
        if self.peek() == Some('}') {
            return Ok(None);
        }
        let least = self.digits();
        let most = if self.eat(',') { self.digits() } else { least.clone() };
        if !self.eat('}') {
            self.at = before;
            return Ok(None);
        }
        let number = |digits: &str| match digits.parse() {
            _ if digits.is_empty() => Ok(None),
            Ok(number) if number < u64::from(u32::MAX) => Ok(Some(number)),
            _ => Err(self.wrong("the repetition number is too large", at)),
        };
        let (least, most) = (number(&least)?.unwrap_or(0), number(&most)?);
        if most.is_some_and(|most| most < least) {
            return Err(self.wrong("min repeat greater than max repeat", at + 1));
        }
        Ok(Some((least, most)))
    }

    pub(super) fn digits(&mut self) -> String {
        let rest = self.chars[self.at..].iter();
        let digits: String = rest.take_while(|c| c.is_ascii_digit()).collect();
        self.at += digits.len();
        digits
    }
}
