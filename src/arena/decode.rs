//! Decodes the text of a scalar from its bytes: escapes, folded lines, block scalars.

use crate::scalar::Dialect;

/// The line breaks of a dialect, and the scalars that are decoded by them.
pub(super) struct Lines {
    /// True if next line and the separators of lines and paragraphs are breaks: YAML 1.1.
    wide: bool,
}

impl Lines {
    pub(super) fn of(dialect: Dialect) -> Lines {
        Lines { wide: dialect != Dialect::Core }
    }

    /// Returns the line break that `text` begins with: its length and its decoded form.
    fn line_break<'t>(&self, text: &'t str) -> Option<(usize, &'t str)> {
        match *text.as_bytes() {
            [b'\r', b'\n', ..] => Some((2, "\n")),
            [b'\n' | b'\r', ..] => Some((1, "\n")),
            [0xC2, 0x85, ..] if self.wide => Some((2, "\n")),
            [0xE2, 0x80, 0xA8 | 0xA9, ..] if self.wide => Some((3, &text[..3])),
            _ => None,
        }
    }

    fn line_end(&self, text: &str) -> usize {
        let breaks = |(at, _): &(usize, char)| self.line_break(&text[*at..]).is_some();
        let candidate = |&(_, c): &(usize, char)| {
            matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
        };
        text.char_indices()
            .filter(candidate)
            .find(breaks)
            .map_or(text.len(), |(at, _)| at)
    }

    pub(super) fn plain(&self, raw: &str) -> String {
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        loop {
            let (line, after) = rest.split_at(self.line_end(rest));
            if after.is_empty() {
                return out + line;
            }
            out.push_str(line.trim_end_matches(BLANK));
            rest = self.fold(after, &mut out);
        }
    }

    pub(super) fn single(&self, inside: &str) -> String {
        self.plain(inside).replace("''", "'")
    }

    /// Folds the line breaks that `text` begins with and returns the rest: one break is a
    /// space, of several the first is dropped.
    fn fold<'t>(&self, text: &'t str, out: &mut String) -> &'t str {
        let Some((length, first)) = self.line_break(text) else { return text };
        if first != "\n" {
            out.push_str(first);
        }
        let start = out.len();
        let rest = self.empty_lines(&text[length..], out);
        if first == "\n" && out.len() == start {
            out.push(' ');
        }
        rest
    }

    /// Decodes empty lines, and skips the blanks before the next text.
    fn empty_lines<'t>(&self, text: &'t str, out: &mut String) -> &'t str {
        let mut rest = text.trim_start_matches(BLANK);
        while let Some((length, more)) = self.line_break(rest) {
            out.push_str(more);
            rest = rest[length..].trim_start_matches(BLANK);
        }
        rest
    }

    pub(super) fn double(&self, inside: &str) -> String {
        let mut out = String::with_capacity(inside.len());
        let mut rest = inside;
        // Blanks before this offset of `out` come from escapes, and are not trimmed at
        // the end of a line.
        let mut escaped = 0;
        while let Some(first) = rest.chars().next() {
            if self.line_break(rest).is_some() {
                let kept = out[escaped..].trim_end_matches(BLANK).len();
                out.truncate(escaped + kept);
                rest = self.fold(rest, &mut out);
            } else if first == '\\' {
                rest = self.escape(&rest[1..], &mut out);
                escaped = out.len();
            } else {
                let stops = |c| {
                    matches!(c, '\\' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
                };
                let end = rest[first.len_utf8()..].find(stops);
                let end = end.map_or(rest.len(), |end| end + first.len_utf8());
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
        out
    }

    /// Decodes the escape whose `\` stands before `text`.
    fn escape<'t>(&self, text: &'t str, out: &mut String) -> &'t str {
        if let Some((length, _)) = self.line_break(text) {
            return self.empty_lines(&text[length..], out);
        }
        let Some(letter) = text.chars().next() else { return text };
        let rest = &text[letter.len_utf8()..];
        out.push(match letter {
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            't' => '\t',
            'n' => '\n',
            'v' => '\x0B',
            'f' => '\x0C',
            'r' => '\r',
            'e' => '\x1B',
            'N' => '\u{85}',
            '_' => '\u{A0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => return code(rest, 2, out),
            'u' => return code(rest, 4, out),
            'U' => return code(rest, 8, out),
            other => other,
        });
        rest
    }

    pub(super) fn block(&self, raw: &str, indent: usize) -> String {
        let (header, body) = raw.split_at(self.line_end(raw));
        let header = header.split('#').next().unwrap_or_default();
        let body = &body[self.line_break(body).map_or(0, |(length, _)| length)..];
        let mut out = String::with_capacity(body.len());
        let tail = if raw.starts_with('|') {
            self.literal(body, indent, &mut out)
        } else {
            self.folded(body, indent, &mut out)
        };
        if !header.contains('-') {
            out.push_str(tail.last);
        }
        if header.contains('+') {
            out.push_str(&tail.empty);
        }
        out
    }

    fn literal<'t>(&self, body: &'t str, indent: usize, out: &mut String) -> Tail<'t> {
        let mut tail = Tail::default();
        for line in self.block_lines(body, indent) {
            match line.text {
                "" => tail.empty.push_str(line.end),
                text => {
                    out.push_str(tail.last);
                    out.push_str(&tail.empty);
                    out.push_str(text);
                    tail = Tail { last: line.end, empty: String::new() };
                }
            }
        }
        tail
    }

    /// Folds lines: a break between two lines that begin without a blank is a space.
    fn folded<'t>(&self, body: &'t str, indent: usize, out: &mut String) -> Tail<'t> {
        let mut tail = Tail::default();
        let mut text_before = false;
        for line in self.block_lines(body, indent) {
            if line.text.is_empty() {
                tail.empty.push_str(line.end);
                continue;
            }
            let text = !line.text.starts_with(BLANK);
            if !(text_before && text && tail.last == "\n") {
                out.push_str(tail.last);
            } else if tail.empty.is_empty() {
                out.push(' ');
            }
            out.push_str(&tail.empty);
            out.push_str(line.text);
            text_before = text;
            tail = Tail { last: line.end, empty: String::new() };
        }
        tail
    }

    fn block_lines<'t>(
        &self,
        body: &'t str,
        indent: usize,
    ) -> impl Iterator<Item = BlockLine<'t>> {
        let mut rest = body;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (line, after) = rest.split_at(self.line_end(rest));
            // libyaml counts a last line of blanks without a break as no line; YAML 1.2
            // does.
            let at_end =
                if line.trim_matches(BLANK).is_empty() && !self.wide { "\n" } else { "" };
            let (length, end) = self.line_break(after).unwrap_or((0, at_end));
            rest = &after[length..];
            let spaces =
                line.bytes().take(indent).take_while(|&byte| byte == b' ').count();
            Some(BlockLine { text: &line[spaces..], end })
        })
    }
}

const BLANK: [char; 2] = [' ', '\t'];

struct BlockLine<'t> {
    text: &'t str,
    end: &'t str,
}

/// The line breaks behind the text of a block scalar, which chomping decides about.
#[derive(Default)]
struct Tail<'t> {
    last: &'t str,
    empty: String,
}

/// Decodes the first `digits` of `text`, and the second half of a surrogate pair.
fn code<'t>(text: &'t str, digits: usize, out: &mut String) -> &'t str {
    let number = |text: &str| u32::from_str_radix(text.get(..digits)?, 16).ok();
    let rest = text.get(digits..).unwrap_or_default();
    let Some(code) = number(text) else { return rest };
    if let Some(character) = char::from_u32(code) {
        out.push(character);
        return rest;
    }
    let Some(low) = rest.strip_prefix("\\u").and_then(number) else { return rest };
    let pair = 0x10000 + (code.wrapping_sub(0xD800) << 10) + low.wrapping_sub(0xDC00);
    out.extend(char::from_u32(pair));
    rest.get(6..).unwrap_or_default()
}
