//! `textwrap`: a text comes in, lines that are not too long go out.

use super::regex::{self, Flags};
use super::{Exception, Result, width};

/// How `textwrap.wrap` is called.
#[derive(Clone, Debug)]
pub struct Wrap {
    /// The longest line.
    pub width: i64,
    /// What the first line begins with.
    pub first: String,
    /// What the others begin with.
    pub other: String,
    /// Whether tabs become spaces, up to the next multiple of 8.
    pub expand_tabs: bool,
    /// Whether line breaks and the like become spaces.
    pub replace_blanks: bool,
    /// Whether words that are too long are broken.
    pub break_words: bool,
    /// Whether words are broken at hyphens.
    pub break_hyphens: bool,
    /// Whether blanks at the ends of lines go.
    pub drop_blanks: bool,
    /// The most lines, and what stands for the rest.
    pub lines: Option<(usize, String)>,
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
            lines: None,
        }
    }
}

const BLANKS: &str = r"\t\n\x0b\x0c\r ";

fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ')
}

fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

/// `textwrap.wrap`
///
/// # Errors
/// The width is no width, or what stands for the rest does not fit in.
pub fn wrap(text: &str, how: &Wrap) -> Result<Vec<String>> {
    if how.width <= 0 {
        let message = format!("invalid width {} (must be > 0)", how.width);
        return Err(Exception::of_value(message));
    }
    if let Some((lines, rest)) = &how.lines {
        let indent = if *lines > 1 { &how.other } else { &how.first };
        if length(indent) + length(rest.trim_start_matches(is_blank)) > how.width {
            return Err(Exception::of_value("placeholder too large for max width"));
        }
    }
    let mut chunks = chunks(&munge(text, how)?, how)?;
    chunks.reverse();
    let mut lines = Vec::new();
    while !chunks.is_empty() {
        if !line(&mut chunks, &mut lines, how) {
            break;
        }
    }
    Ok(lines)
}

/// `textwrap.fill`
pub fn fill(text: &str, how: &Wrap) -> Result<String> {
    Ok(wrap(text, how)?.join("\n"))
}

/// `textwrap.shorten`
pub fn shorten(text: &str, width: i64, rest: &str) -> Result<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lines = Some((1, rest.to_owned()));
    fill(&words.join(" "), &Wrap { width, lines, ..Wrap::default() })
}

/// `textwrap.indent`: lines that are not blank begin with something.
pub fn indent(text: &str, with: &str) -> String {
    let line = |line: &str| match line.trim().is_empty() {
        true => line.to_owned(),
        false => format!("{with}{line}"),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// `textwrap.dedent`: blanks that all lines begin with go.
pub fn dedent(text: &str) -> String {
    let blank = |c: char| c == ' ' || c == '\t';
    let mut margin: Option<&str> = None;
    for line in text.split('\n').filter(|line| !line.trim_matches(blank).is_empty()) {
        let own = &line[..line.len() - line.trim_start_matches(blank).len()];
        let common = margin.map_or(own, |margin| {
            let same =
                margin.bytes().zip(own.bytes()).take_while(|(a, b)| a == b).count();
            &own[..same]
        });
        margin = Some(common);
    }
    let margin = margin.unwrap_or("");
    let line = |line: &str| match line.trim_matches(blank).is_empty() {
        true => String::new(),
        false => line.strip_prefix(margin).unwrap_or(line).to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
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
    width(munged.len())?;
    Ok(munged)
}

/// Words and what is between them.
fn chunks(text: &str, how: &Wrap) -> Result<Vec<String>> {
    let pattern = match how.break_hyphens {
        false => format!("([{BLANKS}]+)"),
        true => {
            let (word, letter) = (r#"[\w!"'&.,?]"#, r"[^\d\W]");
            let hyphen = format!(
                "-(?:(?<={letter}{{2}}-)|(?<={letter}-{letter}-))(?={letter}-?{letter})"
            );
            let ends = format!(r"(?=[{BLANKS}]|\Z)");
            let dash = format!(r"(?<={word})(?=-{{2,}}\w)");
            format!(
                r"([{BLANKS}]+|(?<={word})-{{2,}}(?=\w)|[^{BLANKS}]+?(?:{hyphen}|{ends}|{dash}))"
            )
        }
    };
    let pieces = regex::compile(&pattern, Flags::default())?.split(text, 0)?;
    let texts = pieces.iter().filter_map(|piece| piece.as_str());
    Ok(texts.filter(|text| !text.is_empty()).map(str::to_owned).collect())
}

fn is_blank_text(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// Makes a line of the last chunks; tells whether more may follow.
fn line(chunks: &mut Vec<String>, lines: &mut Vec<String>, how: &Wrap) -> bool {
    let indent = if lines.is_empty() { &how.first } else { &how.other };
    let room = how.width - length(indent);
    if how.drop_blanks
        && !lines.is_empty()
        && chunks.last().is_some_and(|chunk| is_blank_text(chunk))
    {
        chunks.pop();
    }
    let (mut words, mut used): (Vec<String>, i64) = (Vec::new(), 0);
    while let Some(chunk) = chunks.last()
        && used + length(chunk) <= room
    {
        used += length(chunk);
        words.extend(chunks.pop());
    }
    if chunks.last().is_some_and(|chunk| length(chunk) > room) {
        long_word(chunks, &mut words, used, room, how);
        used = words.iter().map(|word| length(word)).sum();
    }
    if how.drop_blanks && words.last().is_some_and(|word| is_blank_text(word)) {
        used -= words.pop().map_or(0, |word| length(&word));
    }
    if words.is_empty() {
        return true;
    }
    let rest_is_blank = || {
        chunks.is_empty()
            || how.drop_blanks && chunks.len() == 1 && is_blank_text(&chunks[0])
    };
    let Some((most, rest)) = &how.lines else {
        lines.push(format!("{indent}{}", words.concat()));
        return true;
    };
    if lines.len() + 1 < *most || rest_is_blank() && used <= room {
        lines.push(format!("{indent}{}", words.concat()));
        return true;
    }
    while let Some(last) = words.last() {
        if !is_blank_text(last) && used + length(rest) <= room {
            lines.push(format!("{indent}{}{rest}", words.concat()));
            return false;
        }
        used -= words.pop().map_or(0, |word| length(&word));
    }
    if let Some(last) = lines.last_mut() {
        let trimmed = last.trim_end().to_owned();
        if length(&trimmed) + length(rest) <= how.width {
            *last = trimmed + rest;
            return false;
        }
    }
    lines.push(format!("{indent}{}", rest.trim_start()));
    false
}

/// What becomes of a word that fits in no line.
fn long_word(
    chunks: &mut Vec<String>,
    words: &mut Vec<String>,
    used: i64,
    room: i64,
    how: &Wrap,
) {
    let left = if room < 1 { 1 } else { room - used };
    let Some(chunk) = chunks.last_mut() else { return };
    if !how.break_words {
        if words.is_empty() {
            words.extend(chunks.pop());
        }
        return;
    }
    let mut end = usize::try_from(left).unwrap_or(0);
    if how.break_hyphens && length(chunk) > left {
        let head: Vec<char> = chunk.chars().take(end).collect();
        let hyphen = head.iter().rposition(|c| *c == '-').filter(|at| *at > 0);
        if let Some(hyphen) = hyphen
            && head[..hyphen].iter().any(|c| *c != '-')
        {
            end = hyphen + 1;
        }
    }
    let at = chunk.char_indices().nth(end).map_or(chunk.len(), |(at, _)| at);
    let rest = chunk.split_off(at);
    words.push(std::mem::replace(chunk, rest));
    // Python never ends where indentation leaves no room.
    if chunk.is_empty() {
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
        assert_eq!(shorten("Hello  world, again", 12, " [...]")?, "Hello [...]");
        assert_eq!(dedent("  a\n   b\n \n"), "a\n b\n\n");
        assert_eq!(indent("a\n\nb", "> "), "> a\n\n> b");
        Ok(())
    }
}
