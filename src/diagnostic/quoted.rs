//! Shortens what a message quotes of its input: a key, a value or a path may be as long as
//! its document.

use std::borrow::Cow;

/// Maximum number of characters that are quoted in one piece.
pub(super) const MAX_QUOTED: usize = 200;

/// Maximum number of characters of a line. Its own words and a few quotes fit.
const MAX_LINE: usize = 1000;

/// Stands for the characters that are left out.
const LEFT_OUT: char = '…';

/// Returns a message with `…` in the middle of each part in quotes, of each word, and of
/// each line that is too long.
pub(super) fn shortened(message: &str) -> Cow<'_, str> {
    if message.len() <= MAX_QUOTED {
        return Cow::Borrowed(message);
    }
    let lines: Vec<String> = message.split('\n').map(line).collect();
    Cow::Owned(lines.join("\n"))
}

fn line(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(QuotedPiece { open, end, next }) = next_piece(rest) {
        out.push_str(&rest[..open]);
        out.push_str(&middle_out(&rest[open..end], MAX_QUOTED));
        out.push_str(&rest[end..next]);
        rest = &rest[next..];
    }
    out.push_str(rest);
    middle_out(&out, MAX_LINE).into_owned()
}

/// A part in quotes, or a word: where it starts and ends, and the offset behind it.
struct QuotedPiece {
    open: usize,
    end: usize,
    next: usize,
}

fn next_piece(text: &str) -> Option<QuotedPiece> {
    let start = text.find(|c: char| !c.is_whitespace())?;
    let word = text[start..].split(char::is_whitespace).next().unwrap_or_default();
    let end = start + word.len();
    // A quote inside of a word is a part of it, such as an apostrophe.
    let mark = word.trim_start_matches(['(', '[', '{']).chars().next();
    let quoted = mark.filter(|c| matches!(c, '\'' | '"' | '`')).and_then(|mark| {
        let open = start + word.find(mark)? + 1;
        let end = open + text[open..].find(mark)?;
        Some(QuotedPiece { open, end, next: end + 1 })
    });
    Some(quoted.unwrap_or(QuotedPiece { open: start, end, next: end }))
}

/// Leaves out the middle of a text with more than `most` characters.
fn middle_out(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return Cow::Borrowed(text);
    }
    let before: String = text.chars().take(most / 2).collect();
    let after: String = text.chars().skip(count + 1 + most / 2 - most).collect();
    Cow::Owned(format!("{before}{LEFT_OUT}{after}"))
}

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
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => Some('\u{fffd}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINE, MAX_QUOTED, shortened};

    #[test]
    fn keeps_what_is_short() {
        for text in ["", "key 'a' isn't there", "it's 'a b' (\"c\") `d", "'\n'"] {
            let padded = format!("{text}{}", " x".repeat(200));
            assert_eq!(shortened(text), text);
            assert_eq!(shortened(&padded), padded);
        }
    }

    #[test]
    fn leaves_out_the_middle() {
        let (words, word) = ("ä b ".repeat(1000), "é".repeat(1000));
        for (message, around) in [
            (format!("no key '{words}' in 'x'"), "no key '' in 'x'"),
            (format!("no key ({word}) in it's"), "no key  in it's"),
            (format!("has '{word}' and \"{word}\""), "has '' and \"\""),
            (format!("unclosed '{word}"), "unclosed "),
        ] {
            let short = shortened(&message);
            let pieces = short.matches('…').count();
            let count = short.chars().count();
            assert!(pieces > 0, "{short}");
            assert_eq!(count, around.chars().count() + pieces * MAX_QUOTED, "{short}");
        }
        assert_eq!(shortened(&words).chars().count(), MAX_LINE);
    }
}
