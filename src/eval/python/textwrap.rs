//! `textwrap.wrap`, as Jinja calls it: tabs and line breaks stay, and there is no
//! indentation.

use super::regex::{self, Flags};
use super::{Exception, Result};

/// The arguments of `textwrap.wrap`.
#[derive(Clone, Copy, Debug)]
pub struct WrapOptions {
    /// `width`: maximum length of a line.
    pub width: i64,
    /// `break_long_words`: words that are too long are broken.
    pub break_words: bool,
    /// `break_on_hyphens`: words are broken at hyphens.
    pub break_hyphens: bool,
}

const BLANKS: &str = r"\t\n\x0b\x0c\r ";

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
pub fn wrap(text: &str, how: WrapOptions) -> Result<Vec<String>> {
    if how.width <= 0 {
        let message = format!("invalid width {} (must be > 0)", how.width);
        return Err(Exception::of_value(message));
    }
    let mut chunks = chunks(text, how)?;
    // The next chunk is popped from the end.
    chunks.reverse();
    let mut lines = Vec::new();
    while !chunks.is_empty() {
        line(&mut chunks, &mut lines, how);
    }
    Ok(lines)
}

/// Splits a text into words and whitespace.
// The patterns are `wordsep_re` and `wordsep_simple_re` of the module, so that words
// break at the same hyphens.
fn chunks(text: &str, how: WrapOptions) -> Result<Vec<Chunk>> {
    let pattern = if how.break_hyphens {
        let word = r#"[\w!"'&.,?]"#;
        let letter = r"[^\d\W]";
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
    let texts = texts.filter(|text| !text.is_empty());
    Ok(texts.map(|text| Chunk { chars: text.chars().collect(), from: 0 }).collect())
}

/// Makes a line of the last chunks of the list. Blanks at its ends are left out, but not
/// those before the first line.
fn line(chunks: &mut Vec<Chunk>, lines: &mut Vec<String>, how: WrapOptions) {
    if !lines.is_empty() && chunks.last().is_some_and(Chunk::is_blank) {
        chunks.pop();
    }
    let mut words: Vec<String> = Vec::new();
    let mut used = 0;
    while let Some(chunk) = chunks.last()
        && used + chunk.len() <= how.width
    {
        used += chunk.len();
        words.push(chunk.text());
        chunks.pop();
    }
    if let Some(chunk) = chunks.last_mut().filter(|chunk| chunk.len() > how.width) {
        // A word that fits in no line is broken, or gets a line of its own.
        if how.break_words {
            words.push(broken(chunk, how.width - used, how));
        } else if words.is_empty() {
            words.push(chunk.text());
            chunks.pop();
        }
    }
    words.pop_if(|word| word.chars().all(char::is_whitespace));
    if !words.is_empty() {
        lines.push(words.concat());
    }
}

/// Takes the start of a word that is longer than `left`.
fn broken(chunk: &mut Chunk, left: i64, how: WrapOptions) -> String {
    let all = chunk.left();
    let mut end = usize::try_from(left).unwrap_or(0).min(all.len());
    if how.break_hyphens {
        let hyphen = all[..end].iter().rposition(|c| *c == '-');
        // Words do not break between the hyphens that they begin with.
        if let Some(hyphen) = hyphen.filter(|at| all[..*at].iter().any(|c| *c != '-')) {
            end = hyphen + 1;
        }
    }
    let start = all[..end].iter().collect();
    chunk.from += end;
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps() -> Result<()> {
        let how = WrapOptions { width: 5, break_words: true, break_hyphens: true };
        assert_eq!(
            wrap("a bb  ccc-ddd eeeeeee", how)?,
            ["a bb", "ccc-", "ddd e", "eeeee", "e"]
        );
        Ok(())
    }
}
