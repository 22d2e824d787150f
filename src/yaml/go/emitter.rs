//! The emitter: writes scalars in the form and with the line breaks of yaml.v2.

use std::borrow::Cow;

use crate::scalar::{Scalar, is_string_in_go, push_escape, spell_go, to_base64};
use crate::yaml::expanded::pad;

/// Column behind which a space becomes a line break.
// These are the numbers of libyaml's emitter and of yaml.v2.
const BEST_WIDTH: usize = 80;

/// Maximum length in bytes of a key without `?`.
const MAX_SIMPLE_KEY: usize = 128;

/// Length in bytes of the lines of `!!binary` that yaml.v2 writes.
const BASE64_LINE: usize = 70;

#[derive(Default)]
pub(super) struct Emitter {
    out: String,
    /// Offset of the first byte of the current line.
    line: usize,
    /// True if the current line has text besides indentation and indicators.
    has_content: bool,
}

/// The token before a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValuePrefix {
    Root,
    /// `key:`
    Key,
    /// `-`, or the `:` of a key with a `?`.
    Indicator,
}

struct Spelling<'a> {
    tag: &'static str,
    text: Cow<'a, str>,
    form: ScalarForm,
}

impl Emitter {
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(super) fn finish(mut self) -> String {
        if self.has_content {
            self.out.push('\n');
        }
        self.out
    }

    /// Begins an item or a key with its indicator.
    pub(super) fn entry(&mut self, indent: usize, indicator: &str) {
        self.start(indent);
        self.out.push_str(indicator);
    }

    pub(super) fn word(&mut self, word: &str, space: bool) {
        self.out.push_str(if space { " " } else { "" });
        self.out.push_str(word);
        self.has_content = true;
    }

    /// Writes a key with its colon. Returns the token before its value.
    pub(super) fn key(&mut self, key: &Scalar, indent: usize) -> ValuePrefix {
        let spelling = Spelling::of(key);
        if spelling.is_simple() {
            self.start(indent);
            self.spell(&spelling, None);
            self.out.push(':');
            return ValuePrefix::Key;
        }
        self.entry(indent, "? ");
        self.spell(&spelling, Some(indent + 2));
        self.entry(indent, ":");
        ValuePrefix::Indicator
    }

    /// Writes a value; its lines but the first are indented by `indent`.
    pub(super) fn scalar(&mut self, value: &Scalar, indent: usize, space: bool) {
        self.out.push_str(if space { " " } else { "" });
        self.spell(&Spelling::of(value), Some(indent));
    }

    fn spell(&mut self, spelling: &Spelling, indent: Option<usize>) {
        self.out.push_str(spelling.tag);
        self.has_content = true;
        let text = &*spelling.text;
        match spelling.form {
            ScalarForm::Plain => self.fold(text, false, indent),
            ScalarForm::Single => {
                self.out.push('\'');
                self.fold(text, true, indent);
                self.out.push('\'');
            }
            ScalarForm::Double => self.double(text, indent),
            ScalarForm::Literal => self.literal(text, indent.unwrap_or(0)),
        }
    }

    /// Goes to the column of an entry, on the same line if only indicators stand there.
    fn start(&mut self, indent: usize) {
        if self.has_content {
            self.newline(indent);
            self.has_content = false;
        } else {
            let column = self.out.len() - self.line;
            pad(&mut self.out, indent.saturating_sub(column));
        }
    }

    fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.line = self.out.len();
        pad(&mut self.out, indent);
    }

    fn column(&self) -> usize {
        self.out[self.line..].chars().count()
    }

    /// Writes plain or single-quoted text, folded if it has an indentation.
    fn fold(&mut self, text: &str, quoted: bool, indent: Option<usize>) {
        let fits =
            indent.is_none() || self.out.len() - self.line + text.len() <= BEST_WIDTH;
        if fits && !quoted {
            self.out.push_str(text);
            return;
        }
        let mut column = self.column();
        let (mut space, mut broken) = (false, false);
        for (i, c) in text.char_indices() {
            if let (' ', Some(indent)) = (c, indent)
                && (!space && column > BEST_WIDTH && i > 0)
                && text.as_bytes().get(i + 1).is_some_and(|&next| next != b' ')
            {
                self.newline(indent);
                (column, space) = (indent, true);
                continue;
            }
            if broken && !is_break(c) {
                pad(&mut self.out, indent.unwrap_or(0));
                column = indent.unwrap_or(0);
            }
            if quoted && c == '\'' {
                self.out.push('\'');
                column += 1;
            }
            self.out.push(c);
            (column, space, broken) = (column + 1, c == ' ', is_break(c));
            if broken {
                (self.line, column) = (self.out.len(), 0);
            }
        }
    }

    fn double(&mut self, text: &str, indent: Option<usize>) {
        self.out.push('"');
        // libyaml escapes all of a text that begins with a byte order mark.
        let bom = text.starts_with('\u{feff}');
        let mut column = self.column();
        let mut space = false;
        for (i, c) in text.char_indices() {
            let from = self.out.len();
            if bom || !is_printable(c) || is_break(c) || c == '"' || c == '\\' {
                push_escape(&mut self.out, c);
                (column, space) = (column + self.out.len() - from, false);
                continue;
            }
            if let (' ', Some(indent)) = (c, indent)
                && (!space && column > BEST_WIDTH && i > 0)
                && let Some(next) = text.as_bytes().get(i + 1)
            {
                self.newline(indent);
                // A reader drops leading spaces of a line, unless one is escaped.
                self.out.push_str(if *next == b' ' { "\\" } else { "" });
                (column, space) = (self.out.len() - self.line, true);
                continue;
            }
            self.out.push(c);
            (column, space) = (column + 1, c == ' ');
        }
        self.out.push('"');
    }

    fn literal(&mut self, text: &str, indent: usize) {
        let edge = |c: char| c == ' ' || is_break(c);
        let mut last = text.chars().rev();
        let mut ends = || last.next().is_none_or(is_break);
        self.out.push('|');
        // The indentation must be given if the first line begins with a blank.
        self.out.push_str(if text.starts_with(edge) { "2" } else { "" });
        self.out.push_str(match (ends(), ends()) {
            (false, _) => "-\n",
            (true, false) => "\n",
            (true, true) => "+\n",
        });
        for line in text.split_inclusive(is_break) {
            if !line.starts_with(is_break) {
                pad(&mut self.out, indent);
            }
            self.out.push_str(line);
        }
        self.line = self.out.len();
        self.has_content = !text.ends_with(is_break);
    }
}

impl<'a> Spelling<'a> {
    fn of(scalar: &'a Scalar) -> Spelling<'a> {
        let (text, form) = match scalar {
            Scalar::Null => ("null".into(), ScalarForm::Plain),
            Scalar::Bool(x) => {
                ((if *x { "true" } else { "false" }).into(), ScalarForm::Plain)
            }
            Scalar::Int(x) => (x.to_string().into(), ScalarForm::Plain),
            Scalar::Big(x) => (x.to_string().into(), ScalarForm::Plain),
            Scalar::Float(x) => (spell_go(*x).into(), ScalarForm::Plain),
            Scalar::String(text) => (Cow::Borrowed(&**text), ScalarForm::of(text)),
            Scalar::Binary(bytes) => return Spelling::binary(to_base64(bytes)),
        };
        Spelling { tag: "", text, form }
    }

    fn binary(base64: String) -> Spelling<'a> {
        if base64.len() < BASE64_LINE {
            return Spelling {
                tag: "!!binary ",
                text: base64.into(),
                form: ScalarForm::Plain,
            };
        }
        let mut lines = String::new();
        for (i, digit) in base64.chars().enumerate() {
            lines.push_str(if i > 0 && i % BASE64_LINE == 0 { "\n" } else { "" });
            lines.push(digit);
        }
        lines.push('\n');
        Spelling { tag: "!!binary ", text: lines.into(), form: ScalarForm::Literal }
    }

    /// Returns true if the scalar can be a key without a `?`.
    fn is_simple(&self) -> bool {
        let length = self.tag.trim_end().len() + self.text.len();
        length <= MAX_SIMPLE_KEY
            && (self.form == ScalarForm::Plain || !self.text.contains(is_break))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScalarForm {
    Plain,
    Single,
    Double,
    Literal,
}

struct Allowed {
    plain: bool,
    single: bool,
    literal: bool,
}

impl ScalarForm {
    /// Returns the form in which yaml.v2 writes `text` as a string.
    fn of(text: &str) -> ScalarForm {
        // The common case, which needs no analysis.
        if is_word(text) {
            return if is_string_in_go(text) {
                ScalarForm::Plain
            } else {
                ScalarForm::Double
            };
        }
        let allowed = analyse(text);
        let lines = memchr::memchr(b'\n', text.as_bytes()).is_some();
        match allowed {
            Allowed { literal: true, .. } if lines => ScalarForm::Literal,
            _ if lines || !is_string_in_go(text) => ScalarForm::Double,
            Allowed { plain: true, .. } => ScalarForm::Plain,
            Allowed { single: true, .. } => ScalarForm::Single,
            _ => ScalarForm::Double,
        }
    }
}

/// Returns true if `c` breaks a line for yaml.v2.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns true if yaml.v2 writes `c` without an escape.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}') && c != '\u{feff}'
}

/// Returns true if every character of `text` is harmless in every position.
fn is_word(text: &str) -> bool {
    let inner =
        |&b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/');
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphanumeric) && bytes.iter().all(inner)
}

fn analyse(text: &str) -> Allowed {
    let plain = !has_indicator(text);
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        let (leading, trailing) = (text.starts_with(' '), text.ends_with(' '));
        let plain = plain && !leading && !trailing;
        return Allowed { plain, single: true, literal: !trailing };
    }
    let (mut special, mut breaks) = (false, false);
    let (mut break_space, mut space_break) = (false, false);
    let mut before = 'x';
    for c in text.chars() {
        special |= !is_printable(c);
        breaks |= is_break(c);
        break_space |= c == ' ' && is_break(before);
        space_break |= is_break(c) && before == ' ';
        before = c;
    }
    let edge = |c: char| c == ' ' || is_break(c);
    let padded = text.starts_with(edge) || text.ends_with(edge);
    let single = !(special || break_space || space_break);
    Allowed {
        plain: plain && single && !breaks && !padded,
        single,
        literal: !(special || space_break || text.ends_with(' ')),
    }
}

/// Returns true if `text` has an indicator that forbids plain text.
fn has_indicator(text: &str) -> bool {
    let bytes = text.as_bytes();
    let blank = |i: usize| matches!(bytes.get(i), None | Some(b' ' | b'\t'));
    let opens = match bytes.first() {
        Some(b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|') => true,
        Some(b'>' | b'\'' | b'"' | b'%' | b'@' | b'`') => true,
        Some(b'?' | b':' | b'-') => blank(1),
        Some(_) | None => false,
    };
    opens
        || text.starts_with("---")
        || text.starts_with("...")
        || memchr::memchr_iter(b':', bytes).any(|i| blank(i + 1))
        || memchr::memchr_iter(b'#', bytes).any(|i| i > 0 && blank(i - 1))
}
