//! A compiled pattern, run on all its states at once, a character after another.

use super::parser::{Instruction, NoIRegexp, Parser};

/// Number of instructions that are tried for a character in one step of a query.
// Visiting a child takes as long.
const INSTRUCTIONS_PER_STEP: usize = 16;

/// A regular expression of RFC 9485.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IRegexp {
    code: Vec<Instruction>,
    /// The pattern begins with `^`, which JSONPath reads as the start of the text.
    starts: bool,
    /// It ends with `$`.
    ends: bool,
}

/// The instructions at which a run may be, each once.
struct States {
    places: Vec<usize>,
    is_there: Vec<bool>,
}

impl IRegexp {
    /// Parses a pattern.
    ///
    /// # Errors
    /// It is no I-Regexp, for example `\d`, or too large when written out.
    pub(crate) fn parse(pattern: &str) -> Result<IRegexp, NoIRegexp> {
        let (starts, inner) = match pattern.strip_prefix('^') {
            Some(inner) => (true, inner),
            None => (false, pattern),
        };
        let (ends, inner) = match inner.strip_suffix('$') {
            Some(inner) if !ends_with_escape(inner) => (true, inner),
            Some(_) | None => (false, inner),
        };
        Ok(IRegexp { code: Parser::new(inner).pattern()?, starts, ends })
    }

    /// Returns the number of instructions.
    pub(crate) fn size(&self) -> usize {
        self.code.len()
    }

    /// Estimates the work of a match, in steps of a query.
    pub(crate) fn cost(&self, text: &str) -> usize {
        text.len().saturating_mul(self.code.len()) / INSTRUCTIONS_PER_STEP
    }

    /// Returns true if the whole text, or a part of it, matches.
    pub(crate) fn matches(&self, text: &str, whole: bool) -> bool {
        let (from_start, to_end) = (whole || self.starts, whole || self.ends);
        let mut now = States::new(self.code.len());
        self.enter(&mut now, 0);
        for c in text.chars() {
            if !to_end && now.is_done() {
                return true;
            }
            let mut next = States::new(self.code.len());
            for &place in &now.places {
                if let Some(Instruction::Take(class)) = self.code.get(place)
                    && class.contains(c)
                {
                    self.enter(&mut next, place + 1);
                }
            }
            if !from_start {
                self.enter(&mut next, 0);
            }
            now = next;
        }
        now.is_done()
    }

    /// Adds a place and all places that follow without a character.
    fn enter(&self, states: &mut States, place: usize) {
        let mut todo = vec![place];
        while let Some(place) = todo.pop() {
            if std::mem::replace(&mut states.is_there[place], true) {
                continue;
            }
            states.places.push(place);
            match self.code.get(place) {
                Some(Instruction::Jump(by)) => todo.extend(place.checked_add_signed(*by)),
                Some(Instruction::Split(by)) => {
                    todo.extend(place.checked_add_signed(*by));
                    todo.push(place + 1);
                }
                Some(Instruction::Take(_)) | None => {}
            }
        }
    }
}

impl States {
    fn new(length: usize) -> States {
        States { places: Vec::new(), is_there: vec![false; length + 1] }
    }

    /// Returns true if a run is behind the last instruction.
    fn is_done(&self) -> bool {
        self.is_there.last().is_some_and(|&there| there)
    }
}

/// Returns true if a `\` at the end escapes what follows.
fn ends_with_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}
