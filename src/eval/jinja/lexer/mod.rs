//! The text of a template → tokens, with whitespace trimmed as the tags ask for.

mod tag;

use crate::eval::python::{Class, Exception, Result};

use super::syntax::Syntax;
use super::token::{At, Lexeme, Token};

/// The tokens of a template. With `raw`, strings between `{{ }}` mean what is written,
/// backslashes too.
pub(super) fn lex(source: &str, syntax: &Syntax, raw: bool) -> Result<Vec<Token>> {
    let normal = source.replace("\r\n", "\n").replace('\r', "\n");
    let trimmed = if syntax.keep_newline {
        &normal
    } else {
        normal.strip_suffix('\n').unwrap_or(&normal)
    };
    let mut lexer = Lexer {
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

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// How far lines are counted, and the place there.
    counted: (usize, At),
    syntax: &'t Syntax,
    raw: bool,
    /// Where each mark was found; before the place it is at nothing counts.
    found: [Option<usize>; 3],
    /// The same of what a line begins with, and how much of the line that is.
    lines: [Option<Option<(usize, usize)>>; 2],
    out: Vec<Token>,
}

/// What may stand between two texts.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Block,
    Variable,
    Comment,
    LineStatement,
    LineComment,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Whether nothing stands before it on its line.
    fn begins_line(&self) -> bool {
        self.text.get(..self.at).is_some_and(|t| t.is_empty() || t.ends_with('\n'))
    }

    /// The line and column it is at.
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
        self.out.push(Token { kind, at });
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

    /// Where a mark stands next; what was found before counts until it is passed.
    fn find(&mut self, which: usize, mark: &str) -> Option<usize> {
        if self.found[which].is_none_or(|known| known < self.at) {
            let found = self.rest().find(mark).map_or(usize::MAX, |at| self.at + at);
            self.found[which] = Some(found);
        }
        self.found[which].filter(|at| *at != usize::MAX)
    }

    /// Where the next tag begins, what it is and how long its mark is.
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
        found.into_iter().min_by_key(|&(at, _, length)| (at, usize::MAX - length))
    }

    /// Where a prefix of lines stands next, found like the other marks; the second is that of
    /// comments.
    fn line(&mut self, which: usize, prefix: &str) -> Option<(usize, usize)> {
        let known = self.lines[which]
            .filter(|known| known.is_none_or(|(start, _)| start >= self.at));
        let found = known.unwrap_or_else(|| self.prefixed(prefix, which == 1));
        self.lines[which] = Some(found);
        found
    }

    /// Where a line begins with a prefix, or has it anywhere for a comment, and how much of
    /// the line that is.
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
            // Nothing more of this line is its beginning.
            from = at + self.text.get(at..)?.find('\n')? + 1;
        }
        None
    }

    fn comment(&mut self) -> Result<()> {
        let close = &self.syntax.comment.1;
        let Some(end) = self.rest().find(&**close) else {
            return Err(wrong("Missing end of comment tag"));
        };
        let before = self.rest().get(..end).unwrap_or_default();
        let sign = before.chars().next_back().filter(|c| *c == '-' || *c == '+');
        self.at += end + close.len();
        self.after(sign, self.syntax.trim);
        Ok(())
    }

    /// Passes over what a tag that ended takes along.
    fn after(&mut self, sign: Option<char>, trim: bool) {
        let rest = self.rest();
        self.at += match sign {
            Some('-') => rest.len() - rest.trim_start().len(),
            None if trim && rest.starts_with('\n') => 1,
            _ => 0,
        };
    }

    /// `{% raw %}`, whose text is no template; whether there is one.
    fn raw_block(&mut self) -> Result<bool> {
        let (open, close) = (&self.syntax.block.0, &self.syntax.block.1);
        let Some((sign, at)) = keyword(self.rest(), "raw", close) else {
            return Ok(false);
        };
        self.at += at;
        self.after(sign.filter(|c| *c == '-'), false);
        let mut from = 0;
        while let Some(found) = self.rest().get(from..).unwrap_or_default().find(&**open)
        {
            let start = from + found;
            let inside = self.rest().get(start + open.len()..).unwrap_or_default();
            let signed = inside.chars().next().filter(|c| *c == '-' || *c == '+');
            let word = inside.get(usize::from(signed.is_some())..).unwrap_or_default();
            if let Some((sign, length)) = keyword(word, "endraw", close) {
                let text = self.rest().get(..start).unwrap_or_default();
                let text = match signed {
                    Some('-') => text.trim_end(),
                    None if self.syntax.lstrip => unindented(text, self.begins_line()),
                    _ => text,
                };
                self.data(text.to_owned());
                self.at += start + open.len() + usize::from(signed.is_some()) + length;
                self.after(sign, self.syntax.trim);
                return Ok(true);
            }
            from = start + open.len();
        }
        Err(wrong("Missing end of raw directive"))
    }
}

/// The text without the blanks that indent what follows it.
fn unindented(text: &str, first: bool) -> &str {
    let trimmed = text.trim_end_matches([' ', '\t']);
    if trimmed.ends_with('\n') || (first && trimmed.is_empty()) { trimmed } else { text }
}

/// A tag that is only a keyword, with the sign at its end; its length.
fn keyword(rest: &str, word: &str, close: &str) -> Option<(Option<char>, usize)> {
    let after = rest.trim_start().strip_prefix(word)?;
    let after = after.trim_start();
    let sign = after.chars().next().filter(|c| *c == '-' || *c == '+');
    for sign in [None, sign] {
        let tail = after.get(usize::from(sign.is_some())..)?;
        if let Some(tail) = tail.strip_prefix(close) {
            return Some((sign, rest.len() - tail.len()));
        }
    }
    None
}

fn wrong(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}
