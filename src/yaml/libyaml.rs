//! The scalars of libyaml's emitter, which PyYAML uses and yaml.v2 translates: the styles
//! that a text allows, and a text in each style.

use super::expanded::pad;
use crate::scalar::push_escape;

/// The styles in which a text can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScalarAnalysis {
    pub(crate) multiline: bool,
    /// True if it can be plain outside of flow collections.
    pub(crate) plain: bool,
    pub(crate) single: bool,
    /// True if it can be a literal or folded block.
    pub(crate) block: bool,
}

/// The column at which a text begins, and its lines.
#[derive(Clone, Copy)]
pub(crate) struct ScalarLines {
    pub(crate) column: usize,
    /// Indentation of the lines but the first.
    pub(crate) indent: usize,
    /// Column behind which a space becomes a line break; `None` keeps the spaces.
    pub(crate) width: Option<usize>,
}

/// Returns true if `c` breaks a line.
pub(crate) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns true if `c` is written without an escape.
pub(crate) fn is_printable(c: char) -> bool {
    // Characters beyond U+FFFF are escaped by the version of libyaml that PyYAML ships.
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}') && c != '\u{feff}'
}

/// Finds the styles that `text` allows. Without `unicode`, all that is not ASCII needs an
/// escape. The conditions are those of `yaml_emitter_analyze_scalar`.
pub(crate) fn analyze(text: &str, unicode: bool) -> ScalarAnalysis {
    let plain = !has_indicator(text);
    // The common case, which needs no look at each character.
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        let trails = text.ends_with(' ');
        let plain = plain && !text.starts_with(' ') && !trails;
        let block = !trails && !text.is_empty();
        return ScalarAnalysis { multiline: false, plain, single: true, block };
    }
    let mut special = false;
    let mut multiline = false;
    let mut break_space = false;
    let mut space_break = false;
    let mut before = 'x';
    for c in text.chars() {
        special |= !is_printable(c) || !unicode && !c.is_ascii();
        multiline |= is_break(c);
        break_space |= c == ' ' && is_break(before);
        space_break |= is_break(c) && before == ' ';
        before = c;
    }
    let padded = text.starts_with(' ') || text.ends_with(' ');
    ScalarAnalysis {
        multiline,
        plain: plain && !(special || multiline || padded),
        single: !(special || break_space || space_break),
        block: !(special || space_break || text.ends_with(' ')),
    }
}

/// Returns true if `text` has an indicator that forbids plain text.
fn has_indicator(text: &str) -> bool {
    let bytes = text.as_bytes();
    let opens = match bytes.first() {
        Some(b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|') => true,
        Some(b'>' | b'\'' | b'"' | b'%' | b'@' | b'`') => true,
        Some(b'?' | b':' | b'-') => is_blank(bytes, 1),
        Some(_) | None => false,
    };
    opens
        || text.starts_with("---")
        || text.starts_with("...")
        || memchr::memchr_iter(b':', bytes).any(|i| is_blank(bytes, i + 1))
        || memchr::memchr_iter(b'#', bytes).any(|i| i > 0 && is_blank(bytes, i - 1))
}

fn is_blank(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b' ' | b'\t'))
}

/// Writes a plain text, or a single-quoted one without its quotes. Returns the column
/// after it.
pub(crate) fn fold(
    out: &mut String,
    text: &str,
    quoted: bool,
    lines: ScalarLines,
) -> usize {
    let ScalarLines { mut column, indent, width } = lines;
    let mut space = false;
    let mut broken = false;
    for (i, c) in text.char_indices() {
        if c == ' '
            && (!space && i > 0 && width.is_some_and(|width| column > width))
            && text.as_bytes().get(i + 1).is_some_and(|&next| next != b' ')
        {
            out.push('\n');
            pad(out, indent);
            (column, space) = (indent, true);
            continue;
        }
        if broken && !is_break(c) {
            pad(out, indent);
            column = indent;
        }
        // Readers fold a single line break into a space, so it is written twice.
        if quoted && c == '\'' || !broken && c == '\n' {
            out.push(c);
            column += 1;
        }
        out.push(c);
        (space, broken) = (c == ' ', is_break(c));
        column = if broken { 0 } else { column + 1 };
    }
    column
}

/// Writes a double-quoted text with its quotes, which escapes at least the characters
/// that `escapes` accepts. Returns the column after it.
pub(crate) fn double(
    out: &mut String,
    text: &str,
    lines: ScalarLines,
    escapes: impl Fn(char) -> bool,
) -> usize {
    let ScalarLines { mut column, indent, width } = lines;
    out.push('"');
    column += 1;
    let mut space = false;
    for (i, c) in text.char_indices() {
        if escapes(c) || is_break(c) || c == '"' || c == '\\' {
            let from = out.len();
            push_escape(out, c);
            (column, space) = (column + out.len() - from, false);
            continue;
        }
        if c == ' '
            && (!space && i > 0 && width.is_some_and(|width| column > width))
            && let Some(next) = text.as_bytes().get(i + 1)
        {
            out.push('\n');
            pad(out, indent);
            // A reader drops leading spaces of a line, unless one is escaped.
            let escape = if *next == b' ' { "\\" } else { "" };
            out.push_str(escape);
            (column, space) = (indent + escape.len(), true);
            continue;
        }
        out.push(c);
        (column, space) = (column + 1, c == ' ');
    }
    out.push('"');
    column + 1
}

/// Returns the indentation and chomping indicators of a block scalar, for levels of `step`
/// columns.
pub(crate) fn block_header(text: &str, step: usize) -> String {
    // Readers detect the indentation from the first line, which fails if it is blank.
    let is_blank = text.starts_with(|c| c == ' ' || is_break(c));
    let indentation = if is_blank { step.to_string() } else { String::new() };
    let mut last = text.chars().rev();
    let ends = [last.next(), last.next()].map(|c| c.is_none_or(is_break));
    indentation
        + match ends {
            [false, _] => "-",
            [true, false] => "",
            [true, true] => "+",
        }
}

/// Writes the lines of a literal block.
pub(crate) fn literal(out: &mut String, text: &str, indent: usize) {
    for line in text.split_inclusive(is_break) {
        if !line.starts_with(is_break) {
            pad(out, indent);
        }
        out.push_str(line);
    }
}
