//! The emitter: writes scalars in the form and with the line breaks of yaml.v2.

use std::borrow::Cow;

use crate::scalar::{Scalar, is_string_in_go, spell_go, to_base64};
use crate::yaml::expanded::pad;
use crate::yaml::libyaml::{
    self, ScalarAnalysis, ScalarLines, analyze, is_break, is_printable,
};

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
            ScalarForm::Double => {
                // libyaml escapes all of a text that begins with a byte order mark.
                let bom = text.starts_with('\u{feff}');
                let lines = self.scalar_lines(indent);
                libyaml::double(&mut self.out, text, lines, |c| bom || !is_printable(c));
            }
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

    /// Writes plain or single-quoted text, folded if it has an indentation.
    fn fold(&mut self, text: &str, quoted: bool, indent: Option<usize>) {
        let fits =
            indent.is_none() || self.out.len() - self.line + text.len() <= BEST_WIDTH;
        if fits && !quoted {
            self.out.push_str(text);
        } else {
            let lines = self.scalar_lines(indent);
            libyaml::fold(&mut self.out, text, quoted, lines);
        }
    }

    fn scalar_lines(&self, indent: Option<usize>) -> ScalarLines {
        let column = self.out[self.line..].chars().count();
        let width = indent.map(|_| BEST_WIDTH);
        ScalarLines { column, indent: indent.unwrap_or(0), width }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.out.extend(["|", &libyaml::block_header(text, 2), "\n"]);
        libyaml::literal(&mut self.out, text, indent);
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
        let allowed = analyze(text, true);
        let lines = memchr::memchr(b'\n', text.as_bytes()).is_some();
        match allowed {
            ScalarAnalysis { block: true, .. } if lines => ScalarForm::Literal,
            _ if lines || !is_string_in_go(text) => ScalarForm::Double,
            ScalarAnalysis { plain: true, .. } => ScalarForm::Plain,
            ScalarAnalysis { single: true, .. } => ScalarForm::Single,
            _ => ScalarForm::Double,
        }
    }
}

/// Returns true if every character of `text` is harmless in every position.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/'))
}
