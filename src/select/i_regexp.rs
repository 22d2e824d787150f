//! I-Regexp (RFC 9485), the regular expressions of JSONPath: a pattern is compiled while it is
//! read (section 3), and run on all its states at once, a character after another. The time of a
//! match grows with the length of the text times that of the pattern, and no further.

use std::sync::Arc;

use unicode_general_category::get_general_category;

/// Number of instructions that are tried for a character in one step of a query.
// Visiting a child takes as long.
const INSTRUCTIONS_PER_STEP: usize = 16;

/// A regular expression of RFC 9485.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IRegexp {
    code: Vec<RegexpInstruction>,
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
    pub(super) fn parse(pattern: &str) -> IRegexpResult<IRegexp> {
        let (starts, inner) = match pattern.strip_prefix('^') {
            Some(inner) => (true, inner),
            None => (false, pattern),
        };
        let (ends, inner) = match inner.strip_suffix('$') {
            Some(inner) if !ends_with_escape(inner) => (true, inner),
            Some(_) | None => (false, inner),
        };
        Ok(IRegexp { code: IRegexpParser::new(inner).pattern()?, starts, ends })
    }

    /// Returns the number of instructions.
    pub(super) fn size(&self) -> usize {
        self.code.len()
    }

    /// Estimates the work of a match, in steps of a query.
    pub(super) fn cost(&self, text: &str) -> usize {
        text.len().saturating_mul(self.code.len()) / INSTRUCTIONS_PER_STEP
    }

    /// Returns true if the whole text, or a part of it, matches.
    pub(super) fn matches(&self, text: &str, whole: bool) -> bool {
        let from_start = whole || self.starts;
        let to_end = whole || self.ends;
        let mut now = States::new(self.code.len());
        self.enter(&mut now, 0);
        for c in text.chars() {
            if !to_end && now.is_done() {
                return true;
            }
            let mut next = States::new(self.code.len());
            for &place in &now.places {
                if let Some(RegexpInstruction::Take(class)) = self.code.get(place)
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
                Some(RegexpInstruction::Jump(by)) => {
                    todo.extend(place.checked_add_signed(*by));
                }
                Some(RegexpInstruction::Split(by)) => {
                    todo.extend(place.checked_add_signed(*by));
                    todo.push(place + 1);
                }
                Some(RegexpInstruction::Take(_)) | None => {}
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

/// A set of characters.
#[derive(Clone, Debug, PartialEq)]
enum CharClass {
    /// `.`: all but the two characters that end a line.
    Any,
    /// `a`
    Char(char),
    /// `[a-z\p{L}]`
    Set {
        /// `[^…]`
        negated: bool,
        /// Shared by the copies that a repetition makes.
        members: Arc<[ClassMember]>,
    },
}

/// A part of a set.
#[derive(Clone, Debug, PartialEq)]
enum ClassMember {
    /// `a-z`; a single character is both ends.
    Range(char, char),
    /// `\p{Lu}`, `\P{L}`
    Category {
        /// The abbreviation, or its first letter.
        name: String,
        negated: bool,
    },
}

impl CharClass {
    fn contains(&self, c: char) -> bool {
        match self {
            CharClass::Any => c != '\n' && c != '\r',
            CharClass::Char(other) => c == *other,
            CharClass::Set { negated, members } => {
                members.iter().any(|member| member.contains(c)) != *negated
            }
        }
    }
}

impl ClassMember {
    fn contains(&self, c: char) -> bool {
        match self {
            ClassMember::Range(first, last) => (*first..=*last).contains(&c),
            ClassMember::Category { name, negated } => {
                let category = get_general_category(c).abbreviation();
                category.starts_with(name.as_str()) != *negated
            }
        }
    }
}

/// Maximum number of instructions: repetitions such as `(a{100}){100}` multiply.
// A name of Kubernetes, `[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?`, has 130; half a MB is the most.
const MAX_INSTRUCTIONS: usize = 10_000;

/// One step. A jump counts from its own place.
#[derive(Clone, Debug, PartialEq)]
enum RegexpInstruction {
    /// Reads a character.
    Take(CharClass),
    /// Goes on elsewhere.
    Jump(isize),
    /// Goes on with the next instruction, and elsewhere.
    Split(isize),
}

/// Maximum depth of brackets, which are read recursively.
// People write three or four. A thread with a stack of 2 MiB has 20 KiB for each level.
const DEEPEST: usize = 100;

/// The general categories, by their first letter.
const CATEGORIES: [(char, &str); 7] = [
    ('L', "lmotu"),
    ('M', "cen"),
    ('N', "dlo"),
    ('P', "cdefios"),
    ('Z', "lps"),
    ('S', "ckmo"),
    ('C', "cfno"),
];

/// The reason why a text is no I-Regexp.
#[derive(Debug)]
pub(super) struct NoIRegexp;

type IRegexpResult<T> = std::result::Result<T, NoIRegexp>;

/// Instructions whose jumps count from their own place, so that they can be repeated.
type Instructions = Vec<RegexpInstruction>;

struct IRegexpParser<'p> {
    rest: std::iter::Peekable<std::str::Chars<'p>>,
    depth: usize,
}

impl<'p> IRegexpParser<'p> {
    fn new(pattern: &'p str) -> IRegexpParser<'p> {
        IRegexpParser { rest: pattern.chars().peekable(), depth: 0 }
    }

    /// Reads a whole pattern.
    fn pattern(mut self) -> IRegexpResult<Instructions> {
        let code = self.branches()?;
        if self.rest.next().is_some() { Err(NoIRegexp) } else { Ok(code) }
    }

    fn branches(&mut self) -> IRegexpResult<Instructions> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(NoIRegexp);
        }
        let mut branches = vec![self.branch()?];
        while self.rest.next_if_eq(&'|').is_some() {
            branches.push(self.branch()?);
        }
        self.depth -= 1;
        any_of(branches)
    }

    fn branch(&mut self) -> IRegexpResult<Instructions> {
        let mut code = Instructions::new();
        while let Some(&c) = self.rest.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            code.append(&mut self.piece()?);
            if code.len() > MAX_INSTRUCTIONS {
                return Err(NoIRegexp);
            }
        }
        Ok(code)
    }

    /// Reads an atom and its quantifier.
    fn piece(&mut self) -> IRegexpResult<Instructions> {
        let atom = self.atom()?;
        let Some(c) = self.rest.next_if(|c| matches!(c, '*' | '+' | '?' | '{')) else {
            return Ok(atom);
        };
        match c {
            '*' => many(atom),
            '+' => many(atom.clone()).and_then(|rest| checked([atom, rest].concat())),
            '?' => Ok(up_to(1, &atom)),
            _ => self.repeat(&atom),
        }
    }

    /// Reads `n}`, `n,}` or `n,m}`.
    fn repeat(&mut self, atom: &Instructions) -> IRegexpResult<Instructions> {
        let least = self.count()?.ok_or(NoIRegexp)?;
        let most = match self.rest.next() {
            Some('}') => Some(least),
            Some(',') => {
                let most = self.count()?;
                if self.rest.next() != Some('}') || most.is_some_and(|most| most < least)
                {
                    return Err(NoIRegexp);
                }
                most
            }
            Some(_) | None => return Err(NoIRegexp),
        };
        let total = most.unwrap_or(least + 1).saturating_mul(atom.len() + 1);
        if total > MAX_INSTRUCTIONS {
            return Err(NoIRegexp);
        }
        let code = match most {
            None => many(atom.clone())?,
            Some(most) => up_to(most - least, atom),
        };
        let repeated = std::iter::repeat_n(atom, least).flatten().cloned();
        checked(repeated.chain(code).collect())
    }

    fn count(&mut self) -> IRegexpResult<Option<usize>> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        if digits.is_empty() {
            return Ok(None);
        }
        let count =
            digits.parse().ok().filter(|&count: &usize| count <= MAX_INSTRUCTIONS);
        count.map(Some).ok_or(NoIRegexp)
    }

    fn atom(&mut self) -> IRegexpResult<Instructions> {
        let class = match self.rest.next().ok_or(NoIRegexp)? {
            '(' => {
                let code = self.branches()?;
                return if self.rest.next() == Some(')') {
                    Ok(code)
                } else {
                    Err(NoIRegexp)
                };
            }
            '.' => CharClass::Any,
            '[' => self.set()?,
            '\\' => match self.escape()? {
                ClassMember::Range(c, _) => CharClass::Char(c),
                category @ ClassMember::Category { .. } => {
                    CharClass::Set { negated: false, members: [category].into() }
                }
            },
            ')' | '*' | '+' | '?' | ']' | '{' | '}' | '|' => return Err(NoIRegexp),
            c => CharClass::Char(c),
        };
        Ok(vec![RegexpInstruction::Take(class)])
    }

    /// Reads what follows a `\`.
    fn escape(&mut self) -> IRegexpResult<ClassMember> {
        let c = match self.rest.next().ok_or(NoIRegexp)? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            c @ ('(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^'
            | '{' | '|' | '}') => c,
            c @ ('p' | 'P') => return self.category(c == 'P'),
            _ => return Err(NoIRegexp),
        };
        Ok(ClassMember::Range(c, c))
    }

    fn next(&mut self) -> IRegexpResult<char> {
        self.rest.next().ok_or(NoIRegexp)
    }

    fn category(&mut self, negated: bool) -> IRegexpResult<ClassMember> {
        let open = self.next()?;
        let first = self.next()?;
        let second = self.next()?;
        let known = CATEGORIES.iter().find(|(letter, _)| *letter == first);
        let (_, seconds) = known.filter(|_| open == '{').ok_or(NoIRegexp)?;
        let mut name = String::from(first);
        if second != '}' {
            if !seconds.contains(second) || self.next()? != '}' {
                return Err(NoIRegexp);
            }
            name.push(second);
        }
        Ok(ClassMember::Category { name, negated })
    }

    /// Reads what follows a `[`.
    fn set(&mut self) -> IRegexpResult<CharClass> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut members = Vec::new();
        if self.rest.next_if_eq(&'-').is_some() {
            members.push(ClassMember::Range('-', '-'));
        }
        loop {
            let member = match self.rest.next().ok_or(NoIRegexp)? {
                ']' if members.is_empty() => return Err(NoIRegexp),
                ']' => return Ok(CharClass::Set { negated, members: members.into() }),
                '-' => {
                    // Only the last member may be a bare hyphen.
                    members.push(ClassMember::Range('-', '-'));
                    let closed = self.rest.next() == Some(']') && members.len() > 1;
                    let set = CharClass::Set { negated, members: members.into() };
                    return if closed { Ok(set) } else { Err(NoIRegexp) };
                }
                c => self.member(c)?,
            };
            members.push(member);
        }
    }

    /// Reads a member of a set that begins with `first`: a class, a character or a range.
    fn member(&mut self, first: char) -> IRegexpResult<ClassMember> {
        let start = match self.set_char(first)? {
            ClassMember::Range(start, _) => start,
            category @ ClassMember::Category { .. } => return Ok(category),
        };
        let mut ahead = self.rest.clone();
        let is_range = ahead.next() == Some('-') && ahead.next() != Some(']');
        if !is_range {
            return Ok(ClassMember::Range(start, start));
        }
        self.rest.next();
        let last = self.rest.next().ok_or(NoIRegexp)?;
        if last == '-' {
            return Err(NoIRegexp);
        }
        match self.set_char(last)? {
            ClassMember::Range(end, _) if start <= end => {
                Ok(ClassMember::Range(start, end))
            }
            ClassMember::Range(..) | ClassMember::Category { .. } => Err(NoIRegexp),
        }
    }

    fn set_char(&mut self, c: char) -> IRegexpResult<ClassMember> {
        match c {
            '\\' => self.escape(),
            '[' | ']' => Err(NoIRegexp),
            c => Ok(ClassMember::Range(c, c)),
        }
    }
}

fn checked(code: Instructions) -> IRegexpResult<Instructions> {
    if code.len() > MAX_INSTRUCTIONS { Err(NoIRegexp) } else { Ok(code) }
}

/// Returns code that matches one of several codes.
fn any_of(branches: Vec<Instructions>) -> IRegexpResult<Instructions> {
    let last = branches.len().saturating_sub(1);
    let total: usize = branches.iter().map(|branch| branch.len() + 2).sum();
    let total = total.saturating_sub(2);
    if total > MAX_INSTRUCTIONS {
        return Err(NoIRegexp);
    }
    let mut code = Instructions::with_capacity(total);
    for (number, mut branch) in branches.into_iter().enumerate() {
        if number < last {
            code.push(RegexpInstruction::Split(branch.len() as isize + 2));
        }
        code.append(&mut branch);
        if number < last {
            code.push(RegexpInstruction::Jump((total - code.len()) as isize));
        }
    }
    Ok(code)
}

/// Returns code that matches a code at most `count` times.
fn up_to(count: usize, one: &Instructions) -> Instructions {
    let total = count * (one.len() + 1);
    let mut code = Instructions::with_capacity(total);
    for _ in 0..count {
        code.push(RegexpInstruction::Split((total - code.len()) as isize));
        code.extend_from_slice(one);
    }
    code
}

/// Returns code that matches a code any number of times.
fn many(mut one: Instructions) -> IRegexpResult<Instructions> {
    let length = one.len() as isize;
    one.push(RegexpInstruction::Jump(-length - 1));
    checked([vec![RegexpInstruction::Split(length + 2)], one].concat())
}
