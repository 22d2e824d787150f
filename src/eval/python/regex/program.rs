//! A pattern as a flat list of instructions.

use fancy_regex::{Assertion, Expr, LookAround};

use super::character_set::CharacterSet;
use crate::eval::python::character::only;
use crate::eval::python::{Exception, Result};

/// A compiled pattern.
#[derive(Debug)]
pub struct RegexProgram {
    pub instructions: Vec<Opcode>,
    /// Number of slots: two for each group and group 0, and those of loops and look-arounds.
    pub slots: usize,
}

/// A step of a match at one position; the next one follows unless it says otherwise.
#[derive(Debug)]
pub enum Opcode {
    /// The whole pattern has matched.
    End,
    /// A text.
    Text(Box<str>),
    /// A character of a set.
    Set(CharacterSet),
    /// As many characters of a set as possible, or as few.
    Run { set: CharacterSet, times: Times, greedy: bool },
    /// A condition on the position.
    Position(PositionTest),
    /// Puts the position into a slot.
    Save(usize),
    /// Continues at another instruction.
    Jump(usize),
    /// Tries `first`, then `second`.
    Split { first: usize, second: usize },
    /// Starts a loop: its counter in `slot`, the position of its last round in the next one.
    Start { slot: usize },
    /// Continues with another round, or at `exit`.
    Loop { slot: usize, times: Times, greedy: bool, exit: usize },
    /// Counts a round.
    Count { slot: usize },
    /// The text of a group.
    Reference { group: usize, ignore_case: bool },
    /// Continues at `otherwise` if a group has not matched.
    Condition { group: usize, otherwise: usize },
    /// Remembers the position and what can be tried again.
    Open { slot: usize },
    /// Forgets what could be tried again since `Open`; returns to its position if `back`.
    Close { slot: usize, back: bool },
    /// Fails, with all that could be tried again since `Open`.
    Refuse { slot: usize },
    /// Goes back by a number of characters.
    Back(usize),
}

/// Bounds of a repetition. No maximum is `usize::MAX`.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub min: usize,
    pub max: usize,
}

/// A condition on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionTest {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    WordBoundary,
    NoWordBoundary,
}

/// The minimum and maximum number of characters that a part of a pattern matches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Width(pub usize, pub usize);

struct Compiler {
    instructions: Vec<Opcode>,
    /// The widths of the groups that are closed; group 0 is not among them.
    groups: Vec<Width>,
    slots: usize,
}

/// Compiles a pattern in the syntax of `fancy-regex` with a number of groups.
pub fn compile(pattern: &str, groups: usize) -> Result<RegexProgram> {
    let tree = Expr::parse_tree(pattern)
        .map_err(|error| Exception::of_value(format!("invalid pattern: {error}")))?;
    let mut compiler =
        Compiler { instructions: Vec::new(), groups: Vec::new(), slots: 2 * groups + 2 };
    compiler.expression(&tree.expr)?;
    compiler.push(Opcode::End);
    Ok(RegexProgram { instructions: compiler.instructions, slots: compiler.slots })
}

impl Compiler {
    /// Compiles a part. The nesting is bounded by the parser of `fancy-regex`.
    fn expression(&mut self, part: &Expr) -> Result<Width> {
        match part {
            Expr::Empty => Ok(Width(0, 0)),
            Expr::Literal { val, casei: false } => Ok(self.text(val.clone())),
            Expr::Literal { val, casei: true } => {
                for c in val.chars() {
                    self.push(Opcode::Set(CharacterSet::of(c, true)));
                }
                Ok(Width::exactly(val.chars().count()))
            }
            Expr::Any { .. } | Expr::Delegate { .. } => {
                let set = character_set(part)?.ok_or_else(|| unknown(part))?;
                self.push(Opcode::Set(set));
                Ok(Width(1, 1))
            }
            Expr::Assertion(assertion) => self.position(*assertion),
            Expr::Concat(parts) => self.sequence(parts),
            Expr::Alt(parts) => self.alternatives(parts),
            Expr::Group(inner) => self.group(inner),
            Expr::Repeat { child, lo, hi, greedy } => {
                self.repetition(child, Times { min: *lo, max: *hi }, *greedy)
            }
            Expr::LookAround(inner, kind) => self.look_around(inner, *kind),
            Expr::AtomicGroup(inner) => {
                let slot = self.open();
                let width = self.expression(inner)?;
                self.push(Opcode::Close { slot, back: false });
                Ok(width)
            }
            Expr::Backref { group, casei } => {
                self.push(Opcode::Reference { group: *group, ignore_case: *casei });
                let width = group.checked_sub(1).and_then(|at| self.groups.get(at));
                Ok(width.copied().unwrap_or_default())
            }
            Expr::Conditional { condition, true_branch, false_branch } => {
                self.condition(condition, true_branch, false_branch)
            }
            _ => Err(unknown(part)),
        }
    }

    fn push(&mut self, instruction: Opcode) -> usize {
        self.instructions.push(instruction);
        self.instructions.len() - 1
    }

    /// Returns the index of the next instruction.
    fn next(&self) -> usize {
        self.instructions.len()
    }

    /// Adds an instruction that is put in later.
    fn reserve(&mut self) -> usize {
        self.push(Opcode::End)
    }

    /// Reserves a number of slots and returns the first one.
    fn slots(&mut self, count: usize) -> usize {
        self.slots += count;
        self.slots - count
    }

    fn text(&mut self, text: String) -> Width {
        let width = Width::exactly(text.chars().count());
        self.push(Opcode::Text(text.into()));
        width
    }

    fn position(&mut self, assertion: Assertion) -> Result<Width> {
        let position = match assertion {
            Assertion::StartText => PositionTest::TextStart,
            Assertion::EndText => PositionTest::TextEnd,
            Assertion::StartLine { crlf: false } => PositionTest::LineStart,
            Assertion::EndLine { crlf: false } => PositionTest::LineEnd,
            Assertion::WordBoundary => PositionTest::WordBoundary,
            Assertion::NotWordBoundary => PositionTest::NoWordBoundary,
            _ => return Err(unknown(&Expr::Assertion(assertion))),
        };
        self.push(Opcode::Position(position));
        Ok(Width(0, 0))
    }

    /// Compiles parts that follow each other. Neighbouring literals become one text.
    fn sequence(&mut self, parts: &[Expr]) -> Result<Width> {
        let mut width = Width(0, 0);
        let mut text = String::new();
        for part in parts {
            if let Expr::Literal { val, casei: false } = part {
                text.push_str(val);
                continue;
            }
            if !text.is_empty() {
                width = width.plus(self.text(std::mem::take(&mut text)));
            }
            width = width.plus(self.expression(part)?);
        }
        Ok(if text.is_empty() { width } else { width.plus(self.text(text)) })
    }

    fn alternatives(&mut self, parts: &[Expr]) -> Result<Width> {
        let mut width: Option<Width> = None;
        let mut ends = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let split = (at + 1 < parts.len()).then(|| self.reserve());
            let new = self.expression(part)?;
            width = Some(width.map_or(new, |old| old.or(new)));
            if let Some(split) = split {
                ends.push(self.reserve());
                let first = split + 1;
                let second = self.next();
                self.instructions[split] = Opcode::Split { first, second };
            }
        }
        let after = self.next();
        for end in ends {
            self.instructions[end] = Opcode::Jump(after);
        }
        Ok(width.unwrap_or_default())
    }

    fn group(&mut self, inner: &Expr) -> Result<Width> {
        self.groups.push(Width::default());
        let number = self.groups.len();
        self.push(Opcode::Save(2 * number));
        let width = self.expression(inner)?;
        self.push(Opcode::Save(2 * number + 1));
        self.groups[number - 1] = width;
        Ok(width)
    }

    fn repetition(&mut self, part: &Expr, times: Times, greedy: bool) -> Result<Width> {
        if let Some(set) = character_set(part)? {
            let width = Width(times.min, times.max);
            self.push(Opcode::Run { set, times, greedy });
            return Ok(width);
        }
        let start = self.reserve();
        let head = self.reserve();
        let count = self.reserve();
        let width = self.expression(part)?;
        self.push(Opcode::Jump(head));
        let (first, second) =
            if greedy { (count, self.next()) } else { (self.next(), count) };
        // Rounds that advance need no counter, unless their number matters.
        if width.0 > 0 && times.min <= 1 && times.max == usize::MAX {
            let enter = if times.min == 0 { head } else { count };
            self.instructions[start] = Opcode::Jump(enter);
            self.instructions[head] = Opcode::Split { first, second };
            self.instructions[count] = Opcode::Jump(count + 1);
        } else {
            let slot = self.slots(2);
            let exit = self.next();
            self.instructions[start] = Opcode::Start { slot };
            self.instructions[head] = Opcode::Loop { slot, times, greedy, exit };
            self.instructions[count] = Opcode::Count { slot };
        }
        Ok(width.times(times))
    }

    fn open(&mut self) -> usize {
        let slot = self.slots(2);
        self.push(Opcode::Open { slot });
        slot
    }

    fn look_around(&mut self, inner: &Expr, kind: LookAround) -> Result<Width> {
        let negative =
            matches!(kind, LookAround::LookAheadNeg | LookAround::LookBehindNeg);
        let behind = matches!(kind, LookAround::LookBehind | LookAround::LookBehindNeg);
        let slot = self.open();
        let split = negative.then(|| self.reserve());
        let back = behind.then(|| self.reserve());
        let width = self.expression(inner)?;
        if let Some(back) = back {
            self.instructions[back] = Opcode::Back(width.0);
        }
        if let Some(split) = split {
            self.push(Opcode::Refuse { slot });
            let second = self.next();
            self.instructions[split] = Opcode::Split { first: split + 1, second };
        } else {
            self.push(Opcode::Close { slot, back: true });
        }
        Ok(Width(0, 0))
    }

    fn condition(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Result<Width> {
        let Expr::BackrefExistsCondition { group, .. } = condition else {
            return Err(unknown(condition));
        };
        let head = self.reserve();
        let width = self.expression(yes)?;
        let end = self.reserve();
        let otherwise = self.next();
        self.instructions[head] = Opcode::Condition { group: *group, otherwise };
        let width = width.or(self.expression(no)?);
        self.instructions[end] = Opcode::Jump(self.next());
        Ok(width)
    }
}

/// Returns the set of a part that matches one character.
fn character_set(part: &Expr) -> Result<Option<CharacterSet>> {
    let set = match part {
        Expr::Any { newline: true, .. } => CharacterSet::parse("(?s:.)", false),
        Expr::Any { newline: false, .. } => CharacterSet::parse(".", false),
        Expr::Delegate { inner, casei } => CharacterSet::parse(inner, *casei),
        Expr::Literal { val, casei } => {
            return Ok(only(val).map(|c| CharacterSet::of(c, *casei)));
        }
        _ => return Ok(None),
    };
    set.map(Some).ok_or_else(|| unknown(part))
}

fn unknown(part: &Expr) -> Box<Exception> {
    Exception::of_value(format!("invalid pattern: {part:?} is not supported"))
}

impl Width {
    fn exactly(width: usize) -> Width {
        Width(width, width)
    }

    pub fn plus(self, other: Width) -> Width {
        Width(self.0.saturating_add(other.0), self.1.saturating_add(other.1))
    }

    pub fn or(self, other: Width) -> Width {
        Width(self.0.min(other.0), self.1.max(other.1))
    }

    pub fn times(self, times: Times) -> Width {
        Width(self.0.saturating_mul(times.min), self.1.saturating_mul(times.max))
    }
}
