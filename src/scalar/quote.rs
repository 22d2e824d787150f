//! Spells values: plain if every dialect reads that as the same value, else in quotes.

use super::float;
use super::tag::to_base64;
use super::value::{Scalar, is_string_everywhere};

/// The style of the collection around a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// `a: b`
    Block,
    /// `{a: b}`
    Flow,
}

/// The quotes to take where either will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quote {
    /// `'text'`
    #[default]
    Single,
    /// `"text"`
    Double,
}

/// The header of a literal block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// True if the header must state the indentation.
    pub indicator: bool,
    /// `-`, `+` or nothing.
    pub chomping: &'static str,
}

/// Returns the plainest spelling of `scalar` on one line that every dialect reads as it.
pub fn spell(scalar: &Scalar, context: Context) -> String {
    spell_with(scalar, context, Quote::default())
}

/// Returns the spelling of [`spell`], with the preferred quotes if it needs any.
pub fn spell_with(scalar: &Scalar, context: Context, quote: Quote) -> String {
    match scalar {
        Scalar::Null => "null".into(),
        Scalar::Bool(x) => x.to_string(),
        Scalar::Int(x) => x.to_string(),
        Scalar::Big(x) => x.to_string(),
        Scalar::Float(x) => float::spell(*x),
        Scalar::String(text) if is_plain(text, context) => text.to_string(),
        Scalar::String(text) => spell_quoted(text, quote),
        Scalar::Binary(bytes) if bytes.is_empty() => "!!binary ''".into(),
        Scalar::Binary(bytes) => format!("!!binary {}", to_base64(bytes)),
    }
}

/// Returns `text` in quotes: the preferred ones, if they can hold it.
pub fn spell_quoted(text: &str, quote: Quote) -> String {
    if text.chars().any(|c| c == '\n' || !is_printable(c)) {
        return in_double_quotes(text, push_escape);
    }
    match quote {
        Quote::Double if !text.contains(['"', '\\']) => format!("\"{text}\""),
        Quote::Double if text.contains('\'') => in_double_quotes(text, push_escape),
        Quote::Single | Quote::Double => format!("'{}'", text.replace('\'', "''")),
    }
}

/// Returns `text` in those quotes, unless only double ones can hold it.
pub fn spell_in(text: &str, quote: Quote) -> String {
    match quote {
        Quote::Single => spell_quoted(text, quote),
        Quote::Double => in_double_quotes(text, push_escape),
    }
}

/// Returns true if every reader takes `text` without quotes for that string.
pub fn is_plain(text: &str, context: Context) -> bool {
    let flow = context == Context::Flow;
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    let second = bytes.get(1).copied().unwrap_or(b' ');
    // The indicators with which no plain scalar of any dialect begins.
    let opens = match first {
        b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' => false,
        b'>' | b'\'' | b'"' | b'%' | b'@' | b'`' | b' ' => false,
        b'?' | b':' => second != b' ' && !flow,
        b'-' => second != b' ' && !(flow && b",[]{}".contains(&second)),
        _ => true,
    };
    // In flow style `?` is refused by libyaml inside of a plain scalar.
    let breaks = |pair: &[u8]| match pair {
        [b':', next] => *next == b' ' || flow && b",[]{}?".contains(next),
        [before, b'#'] => *before == b' ',
        [_, inner] => flow && b",[]{}?".contains(inner),
        _ => false,
    };
    opens
        && last != b' '
        && last != b':'
        // A scalar at column 0 would be a document marker.
        && !text.starts_with("---")
        && !text.starts_with("...")
        && !bytes.windows(2).any(breaks)
        && (text.is_ascii() && !bytes.iter().any(u8::is_ascii_control)
            || text.chars().all(is_printable))
        && is_string_everywhere(text)
}

/// Returns the header of `text` as a literal block, if it spans lines and a block can
/// hold it.
pub fn literal(text: &str) -> Option<Literal> {
    let body = text.trim_end_matches('\n');
    let (_, last) = body.rsplit_once('\n').unwrap_or(("", body));
    if !text.contains('\n') || last.trim_matches([' ', '\t']).is_empty() {
        return None;
    }
    if !text.chars().all(|c| c == '\n' || c == '\t' || is_printable(c)) {
        return None;
    }
    let chomping = match text.len() - body.len() {
        0 => "-",
        1 => "",
        _ => "+",
    };
    Some(Literal { indicator: text.starts_with([' ', '\t', '\n']), chomping })
}

/// Returns true if `c` needs no escape, and is no line break to any reader.
fn is_printable(c: char) -> bool {
    !matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        | '\u{fffe}' | '\u{ffff}')
}

/// Returns `text` in quotes that JSON and every YAML reader read alike.
pub fn spell_json(text: &str) -> String {
    in_double_quotes(text, |out, c| match c {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        _ => out.push_str(&format!("\\u{:04X}", u32::from(c))),
    })
}

fn in_double_quotes(text: &str, escape: impl Fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if is_printable(c) => out.push(c),
            _ => escape(&mut out, c),
        }
    }
    out.push('"');
    out
}

/// Appends the shortest escape for `c`.
pub(crate) fn push_escape(out: &mut String, c: char) {
    let short = match c {
        '\0' => '0',
        '\x07' => 'a',
        '\x08' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\x0b' => 'v',
        '\x0c' => 'f',
        '\r' => 'r',
        '\x1b' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = c as u32;
            out.push_str(&match code {
                0..=0xff => format!("\\x{code:02X}"),
                0x100..=0xffff => format!("\\u{code:04X}"),
                _ => format!("\\U{code:08X}"),
            });
            return;
        }
    };
    out.extend(['\\', short]);
}
