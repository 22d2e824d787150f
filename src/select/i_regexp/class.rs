//! Classes of characters.

use std::sync::Arc;

use unicode_general_category::get_general_category;

/// A set of characters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Class {
    /// `.`: all but the two characters that end a line.
    Any,
    /// `a`
    Char(char),
    /// `[a-z\p{L}]`
    Set {
        /// `[^…]`
        negated: bool,
        /// Shared by the copies that a repetition makes.
        members: Arc<[Member]>,
    },
}

/// A part of a set.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Member {
    /// `a-z`; a single character is both ends.
    Range(char, char),
    /// `\p{Lu}`, `\P{L}`
    Category {
        /// The abbreviation, or its first letter.
        name: String,
        negated: bool,
    },
}

impl Class {
    pub(super) fn contains(&self, c: char) -> bool {
        match self {
            Class::Any => c != '\n' && c != '\r',
            Class::Char(other) => c == *other,
            Class::Set { negated, members } => {
                members.iter().any(|member| member.contains(c)) != *negated
            }
        }
    }
}

impl Member {
    fn contains(&self, c: char) -> bool {
        match self {
            Member::Range(first, last) => (*first..=*last).contains(&c),
            Member::Category { name, negated } => {
                let category = get_general_category(c).abbreviation();
                category.starts_with(name.as_str()) != *negated
            }
        }
    }
}
