//! A text comes in, the way in which yaml.v2 writes it goes out.

use crate::scalar::is_string_in_go;

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarForm {
    Plain,
    Single,
    Double,
    Literal,
}

/// What a text allows.
struct Allowed {
    plain: bool,
    single: bool,
    literal: bool,
}

impl ScalarForm {
    /// The form in which yaml.v2 writes `text` as a string.
    pub(super) fn of(text: &str) -> ScalarForm {
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

/// Whether `c` breaks a line, to yaml.v2.
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether yaml.v2 writes `c` without escaping it.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}') && c != '\u{feff}'
}

/// Whether `text` has nothing but characters that mean nothing anywhere.
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

/// Whether something in `text` would mean something else in plain text.
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
