//! The instructions of a compiled pattern, and the classes of characters that they read.

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

/// Maximum number of instructions: repetitions such as `(a{100}){100}` multiply.
// A name of Kubernetes, `[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?`, has 130; half a MB is the most.
pub(super) const MAX_INSTRUCTIONS: usize = 10_000;

/// One step. A jump counts from its own place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Instruction {
    /// Reads a character.
    Take(Class),
    /// Goes on elsewhere.
    Jump(isize),
    /// Goes on with the next instruction, and elsewhere.
    Split(isize),
}
