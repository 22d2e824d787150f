//! Runs the program of a pattern on a text, with backtracking, as Python does.
//!
//! Every instruction and every character that is looked at is charged, so that a search
//! ends when no steps are left. Nothing recurses: what can be tried again stands on a stack.

use std::ops::Range;

use super::character_set::CharacterSet;
use super::pattern::Match;
use super::program::{Opcode, PositionTest, RegexProgram, Times};
use crate::eval::python::character::{is_alpha, is_numeric};
use crate::eval::python::limit::charge_work;
use crate::eval::python::{Result, limit_members};

/// Constraint on the position of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    None,
    Start,
    Both,
    /// A match at the start of the search must not be empty.
    Advance,
}

/// A search in one text.
#[derive(Debug)]
pub struct Matcher<'a> {
    program: &'a RegexProgram,
    text: &'a str,
    /// Positions and counters. An unset one is `UNSET`.
    slots: Vec<usize>,
    stack: Vec<Fallback>,
    /// Work that is not charged yet.
    work: u64,
}

/// Effect of the next failure: it tries something else, or restores a slot first.
#[derive(Clone, Copy, Debug)]
enum Fallback {
    /// Continues at an instruction.
    Retry { to: usize, at: usize },
    /// Ends a run one character earlier, but not before `low`.
    Shrink { to: usize, low: usize, at: usize },
    /// Takes one character more into the run at an instruction, of `left` at most.
    Grow { run: usize, at: usize, left: usize },
    /// Restores the value of a slot.
    Restore { slot: usize, value: usize },
}

/// Effect of an instruction.
enum MatchStep {
    Next(usize),
    Go { to: usize, at: usize },
    Fail,
    Done,
}

const UNSET: usize = usize::MAX;

/// Cost of an instruction, and of a character of a run, in bytes of other work.
// An instruction takes ten nanoseconds or two, as making a text of this many bytes does.
const INSTRUCTION: u64 = 12;
const CHARACTER: u64 = 6;

/// The work after which it is charged.
const BATCH: u64 = 1 << 16;

/// The number of things that can be tried again for each member that a container may have: 128
/// MB of them at most.
const TRIES_FOR_MEMBER: usize = 2;

impl<'a> Matcher<'a> {
    pub fn new(program: &'a RegexProgram, text: &'a str) -> Matcher<'a> {
        let slots = vec![UNSET; program.slots];
        Matcher { program, text, slots, stack: Vec::new(), work: 0 }
    }

    /// Finds the first match at or after byte `from`.
    pub fn find(
        &mut self,
        from: usize,
        anchor: Anchor,
        groups: usize,
    ) -> Result<Option<Match>> {
        let found = self.search(from, anchor);
        charge_work(std::mem::take(&mut self.work))?;
        let Some((start, end)) = found? else {
            return Ok(None);
        };
        let spans = std::iter::once(Some(start..end));
        let groups = spans.chain((1..=groups).map(|group| self.span(group))).collect();
        self.work += self.slots.len() as u64 * INSTRUCTION;
        self.stack.clear();
        self.slots.fill(UNSET);
        Ok(Some(Match { groups }))
    }

    /// Tries one start after another.
    fn search(&mut self, from: usize, anchor: Anchor) -> Result<Option<(usize, usize)>> {
        let mut start = from;
        loop {
            if anchor == Anchor::None || anchor == Anchor::Advance {
                match self.skip_to_prefix(start) {
                    Some(next) => start = next,
                    None => return Ok(None),
                }
            }
            if let Some(end) = self.run(start, from, anchor)? {
                return Ok(Some((start, end)));
            }
            let Some(c) = self.character(start) else { return Ok(None) };
            if matches!(anchor, Anchor::Start | Anchor::Both) || self.is_at_text_start() {
                return Ok(None);
            }
            start += c.len_utf8();
        }
    }

    /// Returns the first position at or after `start` where the text has the literal that
    /// the pattern begins with; `start` if it begins with something else.
    fn skip_to_prefix(&mut self, start: usize) -> Option<usize> {
        let mut first = self.program.instructions.iter();
        let first = first.find(|one| !matches!(one, Opcode::Save(_)));
        let Some(Opcode::Text(prefix)) = first else {
            return Some(start);
        };
        let distance = self.text[start..].find(&**prefix);
        self.work += distance.unwrap_or(self.text.len() - start) as u64;
        distance.map(|distance| start + distance)
    }

    /// Returns true if the pattern matches at the start of the text only.
    fn is_at_text_start(&self) -> bool {
        let first = self.program.instructions.first();
        matches!(first, Some(Opcode::Position(PositionTest::TextStart)))
    }

    /// Returns the end of a match at `start`.
    fn run(
        &mut self,
        start: usize,
        from: usize,
        anchor: Anchor,
    ) -> Result<Option<usize>> {
        let mut to = 0;
        let mut at = start;
        loop {
            self.work += INSTRUCTION;
            if self.work >= BATCH {
                charge_work(std::mem::take(&mut self.work))?;
                limit_members(self.stack.len() / TRIES_FOR_MEMBER)?;
            }
            let ends = match anchor {
                Anchor::None | Anchor::Start => true,
                Anchor::Both => at == self.text.len(),
                Anchor::Advance => at > from,
            };
            (to, at) = match self.step(&self.program.instructions[to], to, at) {
                MatchStep::Next(next) => (to + 1, next),
                MatchStep::Go { to, at } => (to, at),
                MatchStep::Done if ends => return Ok(Some(at)),
                MatchStep::Done | MatchStep::Fail => match self.backtrack() {
                    Some(next) => next,
                    None => return Ok(None),
                },
            };
        }
    }

    /// Returns where to continue after a failure: an instruction and a position.
    fn backtrack(&mut self) -> Option<(usize, usize)> {
        loop {
            self.work += INSTRUCTION;
            match self.stack.pop()? {
                Fallback::Restore { slot, value } => self.slots[slot] = value,
                Fallback::Retry { to, at } => return Some((to, at)),
                Fallback::Shrink { to, low, at } => {
                    let last = self.text[..at].chars().next_back();
                    let at = at - last.map_or(0, char::len_utf8);
                    if at > low {
                        self.stack.push(Fallback::Shrink { to, low, at });
                    }
                    return Some((to, at));
                }
                Fallback::Grow { run, at, left } => {
                    let Some(next) = self.one_more(run, at) else { continue };
                    if left > 1 {
                        self.stack.push(Fallback::Grow { run, at: next, left: left - 1 });
                    }
                    return Some((run + 1, next));
                }
            }
        }
    }

    fn step(&mut self, instruction: &Opcode, here: usize, at: usize) -> MatchStep {
        match instruction {
            Opcode::End => MatchStep::Done,
            Opcode::Text(text) => self.text_at(text, at),
            Opcode::Set(set) => match self.character(at) {
                Some(c) if set.contains(c) => MatchStep::Next(at + c.len_utf8()),
                _ => MatchStep::Fail,
            },
            Opcode::Run { set, times, greedy } => {
                let wanted = if *greedy { times.max } else { times.min };
                let (low, end, count) = self.run_of(set, wanted, times.min, at);
                self.end_run(here, *times, *greedy, low, end, count)
            }
            Opcode::Position(kind) if self.is_at(*kind, at) => MatchStep::Next(at),
            Opcode::Position(_) => MatchStep::Fail,
            Opcode::Save(slot) => {
                self.set(*slot, at);
                MatchStep::Next(at)
            }
            Opcode::Jump(to) => MatchStep::Go { to: *to, at },
            Opcode::Split { first, second } => {
                self.stack.push(Fallback::Retry { to: *second, at });
                MatchStep::Go { to: *first, at }
            }
            Opcode::Start { slot } => {
                self.set(*slot, 0);
                self.set(*slot + 1, UNSET);
                MatchStep::Next(at)
            }
            Opcode::Loop { slot, times, greedy, exit } => {
                self.next_round(*slot, *times, *greedy, *exit, here + 1, at)
            }
            Opcode::Count { slot } => {
                self.set(*slot, self.slots[*slot] + 1);
                self.set(*slot + 1, at);
                MatchStep::Next(at)
            }
            Opcode::Reference { group, ignore_case } => {
                self.reference(*group, *ignore_case, at)
            }
            Opcode::Condition { group, .. } if self.span(*group).is_some() => {
                MatchStep::Next(at)
            }
            Opcode::Condition { otherwise, .. } => MatchStep::Go { to: *otherwise, at },
            Opcode::Open { slot } => {
                self.set(*slot + 1, at);
                // Above its own entry, which a failure must find.
                self.set(*slot, self.stack.len() + 1);
                MatchStep::Next(at)
            }
            Opcode::Close { slot, back } => {
                self.forget(self.slots[*slot]);
                MatchStep::Next(if *back { self.slots[*slot + 1] } else { at })
            }
            Opcode::Refuse { slot } => {
                self.fail_to(self.slots[*slot]);
                MatchStep::Fail
            }
            Opcode::Back(count) => self.back(*count, at),
        }
    }

    fn character(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    fn set(&mut self, slot: usize, value: usize) {
        self.stack.push(Fallback::Restore { slot, value: self.slots[slot] });
        self.slots[slot] = value;
    }

    fn span(&self, group: usize) -> Option<Range<usize>> {
        let start = self.slots[2 * group];
        let end = self.slots[2 * group + 1];
        (start != UNSET && end != UNSET && start <= end).then_some(start..end)
    }

    fn text_at(&mut self, text: &str, at: usize) -> MatchStep {
        self.work += text.len() as u64;
        if self.text[at..].starts_with(text) {
            MatchStep::Next(at + text.len())
        } else {
            MatchStep::Fail
        }
    }

    /// Takes up to `wanted` characters of a set. Returns the position after `min` of them,
    /// the end, and their number.
    fn run_of(
        &mut self,
        set: &CharacterSet,
        wanted: usize,
        min: usize,
        at: usize,
    ) -> (usize, usize, usize) {
        let mut low = at;
        let mut end = at;
        let mut count = 0;
        for c in self.text[at..].chars().take(wanted).take_while(|c| set.contains(*c)) {
            end += c.len_utf8();
            count += 1;
            if count == min {
                low = end;
            }
        }
        self.work += (count as u64 + 1) * CHARACTER;
        (low, end, count)
    }

    /// Remembers the other ends of a run. It fails if it is too short.
    fn end_run(
        &mut self,
        run: usize,
        times: Times,
        greedy: bool,
        low: usize,
        at: usize,
        count: usize,
    ) -> MatchStep {
        if count < times.min {
            return MatchStep::Fail;
        }
        if greedy && at > low {
            self.stack.push(Fallback::Shrink { to: run + 1, low, at });
        } else if !greedy && times.max > times.min {
            self.stack.push(Fallback::Grow { run, at, left: times.max - times.min });
        }
        MatchStep::Next(at)
    }

    /// Returns the position after the character at `at`, if the set of a run has it.
    fn one_more(&mut self, run: usize, at: usize) -> Option<usize> {
        self.work += CHARACTER;
        let Opcode::Run { set, .. } = &self.program.instructions[run] else {
            return None;
        };
        let c = self.character(at).filter(|c| set.contains(*c))?;
        Some(at + c.len_utf8())
    }

    fn next_round(
        &mut self,
        slot: usize,
        times: Times,
        greedy: bool,
        exit: usize,
        round: usize,
        at: usize,
    ) -> MatchStep {
        let count = self.slots[slot];
        let last = self.slots[slot + 1];
        if count < times.min {
            return MatchStep::Go { to: round, at };
        }
        // A round that matched nothing would repeat for ever.
        if count >= times.max || last == at {
            return MatchStep::Go { to: exit, at };
        }
        let (first, second) = if greedy { (round, exit) } else { (exit, round) };
        self.stack.push(Fallback::Retry { to: second, at });
        MatchStep::Go { to: first, at }
    }

    fn reference(&mut self, group: usize, ignore_case: bool, at: usize) -> MatchStep {
        let text = self.text;
        let Some(wanted) = self.span(group).map(|span| &text[span]) else {
            return MatchStep::Fail;
        };
        if !ignore_case {
            return self.text_at(wanted, at);
        }
        let mut rest = text[at..].chars();
        for c in wanted.chars() {
            self.work += INSTRUCTION;
            let same =
                |other: char| other == c || other.to_lowercase().eq(c.to_lowercase());
            if !rest.next().is_some_and(same) {
                return MatchStep::Fail;
            }
        }
        MatchStep::Next(text.len() - rest.as_str().len())
    }

    /// Forgets what can be tried again above a height of the stack.
    fn forget(&mut self, height: usize) {
        self.work += (self.stack.len() - height) as u64 * CHARACTER;
        let mut kept = height;
        for at in height..self.stack.len() {
            // A change must still be restored when something below fails.
            if matches!(self.stack[at], Fallback::Restore { .. }) {
                self.stack[kept] = self.stack[at];
                kept += 1;
            }
        }
        self.stack.truncate(kept);
    }

    /// Lets all fail above a height of the stack.
    fn fail_to(&mut self, height: usize) {
        self.work += (self.stack.len() - height) as u64 * CHARACTER;
        for entry in self.stack.drain(height..).rev() {
            if let Fallback::Restore { slot, value } = entry {
                self.slots[slot] = value;
            }
        }
    }

    fn back(&mut self, count: usize, at: usize) -> MatchStep {
        let mut before = self.text[..at].chars();
        for _ in 0..count {
            self.work += CHARACTER;
            if before.next_back().is_none() {
                return MatchStep::Fail;
            }
        }
        MatchStep::Next(before.as_str().len())
    }

    fn is_at(&self, position: PositionTest, at: usize) -> bool {
        let before = self.text[..at].chars().next_back();
        let after = self.character(at);
        match position {
            PositionTest::TextStart => at == 0,
            PositionTest::TextEnd => at == self.text.len(),
            PositionTest::LineStart => before.is_none_or(|c| c == '\n'),
            PositionTest::LineEnd => after.is_none_or(|c| c == '\n'),
            PositionTest::WordBoundary => is_word(before) != is_word(after),
            PositionTest::NoWordBoundary => is_word(before) == is_word(after),
        }
    }
}

fn is_word(c: Option<char>) -> bool {
    match c {
        Some(c) if c.is_ascii() => c.is_ascii_alphanumeric() || c == '_',
        Some(c) => is_alpha(c) || is_numeric(c),
        None => false,
    }
}
