//! The characters that one position of a pattern accepts.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::eval::python::character::only;

/// A set of characters.
#[derive(Debug)]
pub struct CharacterSet {
    /// True for each ASCII character of the set.
    ascii: [bool; 128],
    /// The other characters: sorted ranges that do not touch.
    others: Vec<(char, char)>,
}

impl CharacterSet {
    /// Reads a class in the syntax of `regex-syntax`, such as `[a-z]` or `\p{Nd}`. Returns
    /// `None` if the text is not a class.
    pub fn parse(class: &str, ignore_case: bool) -> Option<CharacterSet> {
        let mut parser = ParserBuilder::new().case_insensitive(ignore_case).build();
        match parser.parse(class).ok()?.into_kind() {
            HirKind::Class(Class::Unicode(class)) => Some(CharacterSet::new(&class)),
            HirKind::Class(Class::Bytes(class)) => {
                Some(CharacterSet::new(&class.to_unicode_class()?))
            }
            HirKind::Literal(literal) => only(std::str::from_utf8(&literal.0).ok()?)
                .map(|c| CharacterSet::of(c, false)),
            _ => None,
        }
    }

    /// Returns the set of a character, with its other cases if `ignore_case` is set.
    pub fn of(c: char, ignore_case: bool) -> CharacterSet {
        let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
        if ignore_case {
            class.case_fold_simple();
        }
        CharacterSet::new(&class)
    }

    fn new(class: &ClassUnicode) -> CharacterSet {
        let ranges = class.ranges().iter().map(|range| (range.start(), range.end()));
        let mut ascii = [false; 128];
        for (low, high) in ranges.clone() {
            (low..=high.min('\x7f')).for_each(|c| ascii[c as usize] = true);
        }
        CharacterSet {
            ascii,
            others: ranges.filter(|(_, high)| !high.is_ascii()).collect(),
        }
    }

    pub fn contains(&self, c: char) -> bool {
        if let Some(known) = self.ascii.get(c as usize) {
            return *known;
        }
        let after = self.others.partition_point(|(low, _)| *low <= c);
        after > 0 && c <= self.others[after - 1].1
    }
}
