//! `textwrap.wrap`.

use super::regex::{self, Flags};
use super::{Exception, Result, limit_bytes};

/// The arguments of `textwrap.wrap`.
#[derive(Clone, Debug)]
pub struct Wrap {
    /// `width`: maximum length of a line.
    pub width: i64,
    /// `initial_indent`: the start of the first line.
    pub first: String,
    /// `subsequent_indent`: the start of the others.
    pub other: String,
    /// `expand_tabs`: tabs become spaces, up to the next multiple of 8.
    pub expand_tabs: bool,
    /// `replace_whitespace`: line breaks and other whitespace become spaces.
    pub replace_blanks: bool,
    /// `break_long_words`: words that are too long are broken.
    pub break_words: bool,
    /// `break_on_hyphens`: words are broken at hyphens.
    pub break_hyphens: bool,
    /// `drop_whitespace`: whitespace at the ends of lines is removed.
    pub drop_blanks: bool,
}

impl Default for Wrap {
    fn default() -> Wrap {
        Wrap {
            width: 70,
            first: String::new(),
            other: String::new(),
            expand_tabs: true,
            replace_blanks: true,
            break_words: true,
            break_hyphens: true,
            drop_blanks: true,
        }
    }
}

const BLANKS: &str = r"\t\n\x0b\x0c\r ";

fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ')
}

/// A word or the whitespace between two words, without what is in a line already.
struct Chunk {
    chars: Vec<char>,
    from: usize,
}

impl Chunk {
    fn left(&self) -> &[char] {
        self.chars.get(self.from..).unwrap_or(&[])
    }

    fn len(&self) -> i64 {
        self.left().len() as i64
    }

    fn is_blank(&self) -> bool {
        self.left().iter().all(|c| c.is_whitespace())
    }

    fn text(&self) -> String {
        self.left().iter().collect()
    }
}

/// `textwrap.wrap`. Raises a `ValueError` for a width that is not positive.
pub fn wrap(text: &str, how: &Wrap) -> Result<Vec<String>> {
    if how.width <= 0 {
        let message = format!("invalid width {} (must be > 0)", how.width);
        return Err(Exception::of_value(message));
    }
    let mut chunks = chunks(&munge(text, how)?, how)?;
    // The next chunk is popped from the end.
    chunks.reverse();
    let mut lines = Vec::new();
    while !chunks.is_empty() {
        line(&mut chunks, &mut lines, how);
    }
    Ok(lines)
}

fn munge(text: &str, how: &Wrap) -> Result<String> {
    let (mut munged, mut column) = (String::with_capacity(text.len()), 0);
    for c in text.chars() {
        match c {
            '\t' if how.expand_tabs => {
                let spaces = 8 - column % 8;
                munged.push_str(&" ".repeat(spaces));
                column += spaces;
            }
            c => {
                munged.push(if how.replace_blanks && is_blank(c) { ' ' } else { c });
                column = if matches!(c, '\n' | '\r') { 0 } else { column + 1 };
            }
        }
    }
    limit_bytes(munged.len())?;
    Ok(munged)
}

/// Splits a text into words and whitespace.
// The patterns are `wordsep_re` and `wordsep_simple_re` of the module, so that words
// break at the same hyphens.
fn chunks(text: &str, how: &Wrap) -> Result<Vec<Chunk>> {
    let pattern = if how.break_hyphens {
        let (word, letter) = (r#"[\w!"'&.,?]"#, r"[^\d\W]");
        let hyphen = format!(
            "-(?:(?<={letter}{{2}}-)|(?<={letter}-{letter}-))(?={letter}-?{letter})"
        );
        let ends = format!(r"(?=[{BLANKS}]|\Z)");
        let dash = format!(r"(?<={word})(?=-{{2,}}\w)");
        format!(
            r"([{BLANKS}]+|(?<={word})-{{2,}}(?=\w)|[^{BLANKS}]+?(?:{hyphen}|{ends}|{dash}))"
        )
    } else {
        format!("([{BLANKS}]+)")
    };
    let pieces = regex::compile(&pattern, Flags::default())?.split(text, 0)?;
    let texts = pieces.iter().filter_map(|piece| piece.as_str());
    let chunk = |text: &str| Chunk { chars: text.chars().collect(), from: 0 };
    Ok(texts.filter(|text| !text.is_empty()).map(chunk).collect())
}

/// Makes a line of the last chunks of the list.
fn line(chunks: &mut Vec<Chunk>, lines: &mut Vec<String>, how: &Wrap) {
    let indent = if lines.is_empty() { &how.first } else { &how.other };
    let room = how.width - indent.chars().count() as i64;
    if how.drop_blanks && !lines.is_empty() && chunks.last().is_some_and(Chunk::is_blank)
    {
        chunks.pop();
    }
    let (mut words, mut used): (Vec<String>, i64) = (Vec::new(), 0);
    while let Some(chunk) = chunks.last()
        && used + chunk.len() <= room
    {
        used += chunk.len();
        words.push(chunk.text());
        chunks.pop();
    }
    if chunks.last().is_some_and(|chunk| chunk.len() > room) {
        handle_long_word(chunks, &mut words, used, room, how);
    }
    let blank = |word: &String| word.chars().all(char::is_whitespace);
    if how.drop_blanks && words.last().is_some_and(blank) {
        words.pop();
    }
    if !words.is_empty() {
        lines.push(format!("{indent}{}", words.concat()));
    }
}

/// Handles a word that fits in no line: breaks it, or puts it in a line of its own.
fn handle_long_word(
    chunks: &mut Vec<Chunk>,
    words: &mut Vec<String>,
    used: i64,
    room: i64,
    how: &Wrap,
) {
    let left = if room < 1 { 1 } else { room - used };
    let Some(chunk) = chunks.last_mut() else { return };
    if !how.break_words {
        if words.is_empty() {
            words.push(chunk.text());
            chunks.pop();
        }
        return;
    }
    let all = chunk.left();
    let mut end = usize::try_from(left).unwrap_or(0).min(all.len());
    if how.break_hyphens && chunk.len() > left {
        let hyphen = all[..end].iter().rposition(|c| *c == '-').filter(|at| *at > 0);
        if let Some(hyphen) = hyphen
            && all[..hyphen].iter().any(|c| *c != '-')
        {
            end = hyphen + 1;
        }
    }
    words.push(all[..end].iter().collect());
    chunk.from += end;
    // Python loops forever where the indentation leaves no room; here a chunk that is
    // used up is removed.
    if chunk.left().is_empty() {
        chunks.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps() -> Result<()> {
        let how = |width| Wrap { width, ..Wrap::default() };
        assert_eq!(
            wrap("a bb  ccc-ddd eeeeeee", &how(5))?,
            ["a bb", "ccc-", "ddd e", "eeeee", "e"]
        );
        Ok(())
    }
}
