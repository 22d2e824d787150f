//! Splits a template into tokens. Text in, tokens out, with whitespace trimmed as the
//! tags ask for.

use memchr::memmem;
use num_bigint::BigInt;

use crate::eval::python::{Class, Exception, Result, Value, literal};

use super::syntax::Syntax;

/// A line and column, from 1.
pub(super) type At = (u32, u32);

#[derive(Clone, Debug)]
pub(super) struct PlacedLexeme {
    pub(super) kind: Lexeme,
    pub(super) at: At,
}

#[derive(Clone, Debug)]
pub(super) enum Lexeme {
    /// Text between the tags.
    Text(String),
    /// `{{`
    Variable,
    /// `{%`
    Block,
    /// `}}` or `%}`
    End,
    Name(String),
    /// A string, a number.
    Const(Value),
    Sign(&'static str),
}

impl Lexeme {
    /// Returns true for a name or a sign.
    pub(super) fn is(&self, word: &str) -> bool {
        match self {
            Lexeme::Name(name) => name == word,
            Lexeme::Sign(sign) => *sign == word,
            _ => false,
        }
    }

    /// Returns the name for messages.
    pub(super) fn name(&self) -> String {
        match self {
            Lexeme::Text(_) => "template data".into(),
            Lexeme::Variable => "begin of print statement".into(),
            Lexeme::Block => "begin of statement block".into(),
            Lexeme::End => "end of tag".into(),
            Lexeme::Name(name) => name.clone(),
            Lexeme::Const(Value::Str(_)) => "string".into(),
            Lexeme::Const(Value::Float(_)) => "float".into(),
            Lexeme::Const(_) => "integer".into(),
            Lexeme::Sign(sign) => (*sign).into(),
        }
    }
}

const SIGNS: [&str; 27] = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")",
    "{", "}", ">", "<", "=", ".", ":", "|", ",", ";", "!",
];

/// Splits a template into tokens. With `raw`, backslashes in strings between `{{ }}` are
/// no escapes: Ansible doubles them before Jinja sees them.
pub(super) fn lex(source: &str, syntax: &Syntax, raw: bool) -> Result<Vec<PlacedLexeme>> {
    // Jinja normalizes line breaks first, so positions count them as one character.
    let normal = source.replace("\r\n", "\n").replace('\r', "\n");
    let trimmed = if syntax.keep_newline {
        &normal
    } else {
        normal.strip_suffix('\n').unwrap_or(&normal)
    };
    let mut lexer = JinjaLexer {
        text: trimmed,
        at: 0,
        counted: (0, (1, 1)),
        syntax,
        raw,
        found: [None; 3],
        lines: [None; 2],
        out: Vec::new(),
    };
    lexer.template().map_err(|exception| {
        let (line, column) = lexer.place();
        exception.at(line, column)
    })?;
    Ok(lexer.out)
}

struct JinjaLexer<'t> {
    text: &'t str,
    at: usize,
    /// The offset up to which lines are counted, and the position there. Counting from
    /// the start for each token would take quadratic time.
    counted: (usize, At),
    syntax: &'t Syntax,
    raw: bool,
    /// The next offset of each mark (`usize::MAX` if there is none), valid until it is
    /// passed. Searching anew for each tag would take quadratic time.
    found: [Option<usize>; 3],
    /// The same for line prefixes, with the length of the matched part of the line.
    lines: [Option<Option<(usize, usize)>>; 2],
    out: Vec<PlacedLexeme>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Block,
    Variable,
    Comment,
    LineStatement,
    LineComment,
}

impl<'t> JinjaLexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn begins_line(&self) -> bool {
        self.text.get(..self.at).is_some_and(|t| t.is_empty() || t.ends_with('\n'))
    }

    /// Returns the current line and column.
    fn place(&mut self) -> At {
        let (from, (mut line, mut column)) = self.counted;
        for c in self.text.get(from..self.at).unwrap_or_default().chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        self.counted = (self.at, (line, column));
        (line, column)
    }

    fn push(&mut self, kind: Lexeme) {
        let at = self.place();
        self.out.push(PlacedLexeme { kind, at });
    }

    fn template(&mut self) -> Result<()> {
        while self.at < self.text.len() {
            let Some((start, mark, length)) = self.next_mark() else {
                let rest = self.rest().to_owned();
                self.data(rest);
                break;
            };
            let before = self.text.get(self.at..start).unwrap_or_default();
            let after = self.text.get(start + length..).unwrap_or_default();
            let kept = match after.as_bytes().first() {
                Some(b'-') => before.trim_end(),
                Some(b'+') => before,
                _ if self.syntax.lstrip && mark != Mark::Variable => {
                    unindented(before, self.begins_line())
                }
                _ => before,
            };
            self.data(kept.to_owned());
            let line = matches!(mark, Mark::LineStatement | Mark::LineComment);
            let signed = !line && after.starts_with(['-', '+']);
            self.at = start + length + usize::from(signed);
            match mark {
                Mark::Comment => self.comment()?,
                Mark::LineComment => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                Mark::Block if self.raw_block()? => {}
                _ => self.tag(mark)?,
            }
        }
        Ok(())
    }

    fn data(&mut self, text: String) {
        if !text.is_empty() {
            let text = match &*self.syntax.newline {
                "\n" => text,
                newline => text.replace('\n', newline),
            };
            self.push(Lexeme::Text(text));
        }
    }

    fn find(&mut self, which: usize, mark: &str) -> Option<usize> {
        if self.found[which].is_none_or(|known| known < self.at) {
            let found = memmem::find(self.rest().as_bytes(), mark.as_bytes());
            let found = found.map_or(usize::MAX, |at| self.at + at);
            self.found[which] = Some(found);
        }
        self.found[which].filter(|at| *at != usize::MAX)
    }

    /// Returns the offset, the kind and the length of the next mark.
    fn next_mark(&mut self) -> Option<(usize, Mark, usize)> {
        let syntax = self.syntax;
        let marks = [
            (Mark::Comment, &syntax.comment.0),
            (Mark::Block, &syntax.block.0),
            (Mark::Variable, &syntax.variable.0),
        ];
        let mut found = Vec::with_capacity(marks.len());
        for (i, (mark, text)) in marks.into_iter().enumerate() {
            found.extend(self.find(i, text).map(|at| (at, mark, text.len())));
        }
        let prefixed = [
            (Mark::LineStatement, &syntax.line_statement),
            (Mark::LineComment, &syntax.line_comment),
        ];
        for (i, (mark, prefix)) in prefixed.into_iter().enumerate() {
            let at = prefix.as_deref().and_then(|prefix| self.line(i, prefix));
            found.extend(at.map(|(at, length)| (at, mark, length)));
        }
        // At the same offset the longest mark wins, as in Jinja.
        found.into_iter().min_by_key(|&(at, _, length)| (at, usize::MAX - length))
    }

    /// Returns the next line with a prefix: 0 is that of statements, 1 that of comments.
    fn line(&mut self, which: usize, prefix: &str) -> Option<(usize, usize)> {
        let known = self.lines[which]
            .filter(|known| known.is_none_or(|(start, _)| start >= self.at));
        let found = known.unwrap_or_else(|| self.prefixed(prefix, which == 1));
        self.lines[which] = Some(found);
        found
    }

    /// Searches for a line that begins with a prefix, or has it `anywhere`. Returns the
    /// offset and the length of the matched part.
    fn prefixed(&self, prefix: &str, anywhere: bool) -> Option<(usize, usize)> {
        let mut from = self.at;
        while let Some(found) = self.text.get(from..)?.find(prefix) {
            let at = from + found;
            let line = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
            let before = self.text.get(line.max(self.at)..at)?;
            if before.trim().is_empty() && line >= self.at {
                return Some((line, at + prefix.len() - line));
            }
            if anywhere {
                let blanks = self.text.get(self.at..at)?.trim_end_matches([' ', '\t']);
                let start = self.at + blanks.len();
                return Some((start, at + prefix.len() - start));
            }
            // Later matches on this line are not at its beginning.
            from = at + self.text.get(at..)?.find('\n')? + 1;
        }
        None
    }

    fn comment(&mut self) -> Result<()> {
        let close = &self.syntax.comment.1;
        let Some(end) = self.rest().find(&**close) else {
            // Jinja notices that a comment does not end only if there is text in it.
            if self.rest().is_empty() {
                return Ok(());
            }
            return Err(wrong("Missing end of comment tag"));
        };
        let before = self.rest().get(..end).unwrap_or_default();
        let sign = before.chars().next_back().filter(|c| *c == '-' || *c == '+');
        self.at += end + close.len();
        self.after(sign, self.syntax.trim);
        Ok(())
    }

    /// Skips the whitespace that the end of a tag removes.
    fn after(&mut self, sign: Option<char>, trim: bool) {
        let rest = self.rest();
        self.at += match sign {
            Some('-') => rest.len() - rest.trim_start().len(),
            None if trim && rest.starts_with('\n') => 1,
            _ => 0,
        };
    }

    /// Reads a `{% raw %}` block. Returns false if there is none.
    fn raw_block(&mut self) -> Result<bool> {
        let (open, close) = &self.syntax.block;
        let Some((sign, at)) = keyword(self.rest(), "raw", close) else {
            return Ok(false);
        };
        self.at += at;
        self.after(sign.filter(|c| *c == '-'), false);
        let rest = self.rest();
        for (start, _) in rest.match_indices(&**open) {
            let inside = rest.get(start + open.len()..).unwrap_or_default();
            let signed = inside.chars().next().filter(|c| matches!(c, '-' | '+'));
            let word = inside.get(usize::from(signed.is_some())..).unwrap_or_default();
            let Some((sign, length)) = keyword(word, "endraw", close) else { continue };
            let text = rest.get(..start).unwrap_or_default();
            let text = match signed {
                Some('-') => text.trim_end(),
                None if self.syntax.lstrip => unindented(text, self.begins_line()),
                _ => text,
            };
            self.data(text.to_owned());
            self.at += rest.len() - word.len() + length;
            self.after(sign, self.syntax.trim);
            return Ok(true);
        }
        Err(wrong("Missing end of raw directive"))
    }

    fn tag(&mut self, mark: Mark) -> Result<()> {
        let variable = mark == Mark::Variable;
        self.push(if variable { Lexeme::Variable } else { Lexeme::Block });
        let close = match mark {
            Mark::Variable => &*self.syntax.variable.1,
            Mark::LineStatement => "\n",
            _ => &*self.syntax.block.1,
        };
        let mut open = Vec::new();
        loop {
            let rest = self.rest();
            if open.is_empty() && self.closes(mark, close) {
                return Ok(());
            }
            let Some(c) = rest.chars().next() else {
                return Err(wrong("unexpected end of template: the tag is not closed"));
            };
            if c.is_whitespace() {
                self.at += c.len_utf8();
                continue;
            }
            self.at += self.token(rest, c, self.raw && variable, &mut open)?;
        }
    }

    /// Reads the end of a tag. Returns false if it does not end here.
    fn closes(&mut self, mark: Mark, close: &str) -> bool {
        let rest = self.rest();
        if mark == Mark::LineStatement {
            let Some(length) = line_end(rest) else { return false };
            self.push(Lexeme::End);
            self.at += length;
            return true;
        }
        let is_block = mark == Mark::Block;
        let found = closing(rest, close).filter(|(c, _)| is_block || *c != Some('+'));
        let Some((sign, length)) = found else { return false };
        self.push(Lexeme::End);
        self.at += length;
        self.after(sign, is_block && self.syntax.trim);
        true
    }

    /// Reads a token of a tag and returns its length.
    fn token(
        &mut self,
        rest: &'t str,
        c: char,
        raw: bool,
        open: &mut Vec<char>,
    ) -> Result<usize> {
        if c == '\'' || c == '"' {
            return self.string(rest, c, raw);
        }
        if c.is_ascii_digit() {
            // In `x.1.5` the item 1 is followed by the item 5, no fraction.
            let dotted = self.text.get(..self.at).is_some_and(|t| t.ends_with('.'));
            let (value, length) = number(rest, !dotted);
            self.push(Lexeme::Const(value));
            return Ok(length);
        }
        if c == '_' || c.is_alphabetic() {
            let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric());
            let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            self.push(Lexeme::Name(name.to_owned()));
            return Ok(name.len());
        }
        let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign) && *sign != "!");
        let Some(sign) = sign else {
            return Err(wrong(&format!("unexpected char {}", quoted(c))));
        };
        match sign {
            "(" | "[" | "{" => open.push(c),
            ")" | "]" | "}" => {
                let expected = match open.pop() {
                    Some('(') => ")",
                    Some('[') => "]",
                    Some(_) => "}",
                    None => return Err(wrong(&format!("unexpected '{sign}'"))),
                };
                if expected != sign {
                    return Err(wrong(&format!(
                        "unexpected '{sign}', expected '{expected}'"
                    )));
                }
            }
            _ => {}
        }
        self.push(Lexeme::Sign(sign));
        Ok(sign.len())
    }

    fn string(&mut self, rest: &'t str, quote: char, raw: bool) -> Result<usize> {
        let Some(end) = literal::closing_quote(rest, quote) else {
            return Err(wrong(&format!("unexpected char {}", quoted(quote))));
        };
        let inner = rest.get(1..end).unwrap_or_default();
        let value = if raw { inner.to_owned() } else { literal::unescape(inner)? };
        self.push(Lexeme::Const(Value::text(value)));
        Ok(end + 1)
    }
}

/// Removes the blanks that indent a tag (`lstrip_blocks`).
fn unindented(text: &str, first: bool) -> &str {
    let trimmed = text.trim_end_matches([' ', '\t']);
    if trimmed.ends_with('\n') || (first && trimmed.is_empty()) { trimmed } else { text }
}

/// Returns the length of the end of a line statement, if it ends here. Blank lines after it
/// belong to it, and so does white space at the end of the template.
fn line_end(rest: &str) -> Option<usize> {
    let colons = rest.len() - rest.trim_start_matches([' ', '\t', ':']).len();
    let after = rest.get(colons..).unwrap_or_default();
    let blank = after.len() - after.trim_start().len();
    if blank == after.len() {
        return Some(rest.len());
    }
    let last = after.get(..blank).unwrap_or_default().rfind('\n')?;
    Some(colons + last + 1)
}

/// Reads a tag that is only a keyword. Returns the sign at its end and its length.
fn keyword(rest: &str, word: &str, close: &str) -> Option<(Option<char>, usize)> {
    let after = rest.trim_start().strip_prefix(word)?.trim_start();
    let (sign, length) = closing(after, close)?;
    Some((sign, rest.len() - after.len() + length))
}

/// Reads the end of a tag. Returns the sign in it and its length.
fn closing(rest: &str, close: &str) -> Option<(Option<char>, usize)> {
    let signed = rest.chars().next().filter(|c| matches!(c, '-' | '+'));
    [None, signed].into_iter().find_map(|sign| {
        let length = usize::from(sign.is_some()) + close.len();
        rest.get(..length)?.ends_with(close).then_some((sign, length))
    })
}

fn wrong(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}

fn quoted(c: char) -> String {
    if c == '\'' { "\"'\"".into() } else { format!("'{c}'") }
}

/// Reads a number and its length. After a dot (`x.1.2`) there is no `fraction`.
fn number(rest: &str, fraction: bool) -> (Value, usize) {
    if fraction && let Some(length) = float(rest) {
        let text = rest.get(..length).unwrap_or_default().replace('_', "");
        return (Value::Float(text.parse().unwrap_or(f64::INFINITY)), length);
    }
    let mark = rest.get(..2).unwrap_or_default().to_ascii_lowercase();
    let radix = match &*mark {
        "0x" => 16,
        "0o" => 8,
        "0b" => 2,
        _ => 10,
    };
    if radix != 10 {
        let after = rest.get(2..).unwrap_or_default();
        let found = digits(after, |b| char::from(b).is_digit(radix), true);
        if !found.is_empty() {
            return (whole(found, radix), 2 + found.len());
        }
    }
    // Only zeros follow a zero.
    let is_zero = rest.starts_with('0');
    let found = digits(rest, |b| b.is_ascii_digit() && (b == b'0' || !is_zero), false);
    (whole(found, 10), found.len())
}

fn whole(digits: &str, radix: u32) -> Value {
    let digits = digits.replace('_', "");
    Value::integer(BigInt::parse_bytes(digits.as_bytes(), radix).unwrap_or_default())
}

/// Returns the digits at the start, with single underscores between them.
fn digits(rest: &str, is: impl Fn(u8) -> bool, leading: bool) -> &str {
    let bytes = rest.as_bytes();
    let mut end = 0;
    while let Some(&b) = bytes.get(end) {
        let next = bytes.get(end + 1).is_some_and(|&b| is(b));
        if !is(b) && (b != b'_' || !next || (end == 0 && !leading)) {
            break;
        }
        end += 1;
    }
    rest.get(..end).unwrap_or_default()
}

/// Returns the length of a number that has a fraction or an exponent.
fn float(rest: &str) -> Option<usize> {
    let decimal = |from: usize| {
        let rest = rest.get(from..).unwrap_or_default();
        digits(rest, |b| b.is_ascii_digit(), false).len()
    };
    let bytes = rest.as_bytes();
    let mut end = decimal(0);
    let fraction = if let Some(b'.') = bytes.get(end) { decimal(end + 1) } else { 0 };
    if fraction > 0 {
        end += 1 + fraction;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = decimal(end + 1 + sign);
        if exponent > 0 {
            return Some(end + 1 + sign + exponent);
        }
    }
    (fraction > 0).then_some(end)
}
