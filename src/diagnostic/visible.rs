//! Makes control characters visible in what people read: a terminal would obey those that
//! a key or a name of a file brings.

use std::borrow::Cow;

/// Returns `text` with a symbol for each control character, except tabs and line breaks, and
/// for each character that breaks or turns a line.
pub fn visible<'t>(text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
    let text = text.into();
    if text.chars().any(|c| symbol(c).is_some()) {
        text.chars().map(|c| symbol(c).unwrap_or(c)).collect()
    } else {
        text
    }
}

/// Returns `text` as [`visible`] does, on one line: a break in a key or name cannot begin a
/// line that looks like one of ours, or a command to a service that reads the log.
pub fn visible_line<'t>(text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
    let text = visible(text);
    if text.contains('\n') { text.replace('\n', "␊").into() } else { text }
}

/// Returns `text` as [`visible`] does, with those line breaks only that a message of ours has:
/// the next line is indented, and is no command to a service that reads the log (`::error::`,
/// `##[error]`).
pub(super) fn visible_message<'t>(text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
    let text = visible(text);
    if !text.contains('\n') {
        return text;
    }
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    let joined = lines.fold(first, |joined, line| {
        let is_ours =
            line.starts_with("  ") && !line.trim_start().starts_with([':', '#']);
        joined + if is_ours { "\n" } else { "␊" } + line
    });
    joined.into()
}

/// Returns the symbol for a character that must not reach a terminal.
fn symbol(c: char) -> Option<char> {
    match c {
        '\t' | '\n' => None,
        // Unicode has a picture for each of these.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)),
        '\x7f' => Some('␡'),
        '\u{80}'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some('\u{fffd}')
        }
        _ => None,
    }
}
