//! Hints for syntax errors: what the writer likely meant. They quote punctuation and line
//! numbers only, so that a secret text can have them too.

use crate::diagnostic::Diagnostic;

/// The text with which a conflict begins that git wrote into a file.
const CONFLICT: &str = "<<<<<<< ";

/// Characters that begin no plain scalar.
const NO_START: [char; 3] = ['@', '`', '%'];

/// Adds a hint to a syntax error in `text`, if its cause can be guessed.
pub(super) fn advise(error: Box<Diagnostic>, text: &str) -> Box<Diagnostic> {
    let Some(at) = error.labels.first().map(|label| label.span.start as usize) else {
        return error;
    };
    if !text.is_char_boundary(at) || at > text.len() {
        return error;
    }
    let place = ErrorPlace::new(text, at);
    let hint = place.hint(&error.message);
    error.hints(hint)
}

/// Returns the number of the first line that git wrote to mark a conflict.
fn conflict_marker(text: &str) -> Option<usize> {
    let number = text.lines().position(|line| line.starts_with(CONFLICT))?;
    Some(number + 1)
}

/// The place of an error in a text.
struct ErrorPlace<'t> {
    text: &'t str,
    at: usize,
    /// The line up to the place, and from there on.
    before: &'t str,
    rest: &'t str,
}

impl<'t> ErrorPlace<'t> {
    fn new(text: &'t str, at: usize) -> ErrorPlace<'t> {
        let start = text[..at].rfind('\n').map_or(0, |line_break| line_break + 1);
        let rest = text[at..].lines().next().unwrap_or_default();
        ErrorPlace { text, at, before: &text[start..at], rest }
    }

    fn hint(&self, message: &str) -> Option<String> {
        let signs = self.line().chars();
        let mut signs = signs.take_while(|c| matches!(c, '-' | '?' | ' ' | '\t'));
        if self.rest.starts_with('\t') || signs.any(|sign| sign == '\t') {
            return Some("a tab cannot indent YAML; use spaces".into());
        }
        if let Some(hint) = self.template() {
            return Some(hint.into());
        }
        if let Some(number) = conflict_marker(self.text) {
            return Some(format!(
                "line {number} begins a conflict that git left: solve it"
            ));
        }
        if message.contains("mapping values are not allowed") {
            return self.second_colon();
        }
        if message.contains("cannot start any token") {
            return self.no_start();
        }
        if message.contains("unexpected end of stream") {
            let (open, line) = open_sign(self.text)?;
            return Some(format!("the {open} of line {line} is not closed"));
        }
        if message.contains("did not find expected ',' or") {
            return self.open_bracket();
        }
        if message.contains("did not find expected key")
            || message.contains("expected '-' indicator")
        {
            return self.after_quote().or_else(|| self.indentation());
        }
        if message.contains("unknown anchor") {
            return Some(self.unknown_anchor());
        }
        if message.contains("expected <document start>") {
            return self.inner_mark();
        }
        let hint = if message.contains("unknown escape") || message.contains("hexdecimal")
        {
            "in double quotes `\\` begins an escape: write `\\\\`, or use single quotes"
        } else if message.contains("block sequence entries are not allowed") {
            "a list begins on a line below its key; quote a text that begins with `- `"
        } else if message.contains("expected comment or line break") {
            "the text of a block begins on the next line"
        } else if message.contains("did not find expected node content") {
            return self.no_content();
        } else {
            return None;
        };
        Some(hint.into())
    }

    /// An alias whose anchor stands elsewhere, or a text that begins with `*`.
    fn unknown_anchor(&self) -> String {
        let ends = |c: char| c.is_whitespace() || ",[]{}".contains(c);
        let name = self.rest.strip_prefix('*').unwrap_or_default();
        let anchor = format!("&{}", &name[..name.find(ends).unwrap_or(name.len())]);
        let is_anchor = |&at: &usize| {
            let behind = &self.text[at + anchor.len()..];
            let before = &self.text[..at];
            let line =
                &before[before.rfind('\n').map_or(0, |line_break| line_break + 1)..];
            let is_comment = line.starts_with('#') || line.contains(" #");
            let begins = before.ends_with(ends) && !is_comment;
            anchor.len() > 1 && begins && (behind.is_empty() || behind.starts_with(ends))
        };
        let anchors = self.text.match_indices(&*anchor).map(|(at, _)| at);
        let mut anchors: Vec<usize> = anchors.filter(is_anchor).collect();
        let later = anchors.iter().copied().find(|&at| at > self.at);
        match later.or_else(|| anchors.pop()) {
            Some(at) => {
                let line = line_number(self.text, at);
                let reason = if at > self.at {
                    "and has to stand before it"
                } else {
                    "in another document, and each has its own"
                };
                format!("the anchor of this alias stands on line {line}, {reason}")
            }
            None => {
                "`*` begins an alias, whose anchor has to stand before it in this text, \
                     and not in another file; quote a text that begins with it"
                    .into()
            }
        }
    }

    /// A byte order mark that is not at the start of the text.
    fn inner_mark(&self) -> Option<String> {
        let at = self.text[..self.at].rfind('\u{feff}').filter(|&at| at > 0)?;
        let line = line_number(self.text, at);
        Some(format!(
            "a byte order mark (U+FEFF), which few editors show, stands on line {line}, and not \
             at the beginning: remove it"
        ))
    }

    /// A value that begins with `{{`, or a line of a template.
    fn template(&self) -> Option<&'static str> {
        let line = self.line();
        let value = line.split_once(": ").map_or(line, |(_, value)| value);
        let value = value.trim_start_matches("- ").trim_start();
        let alone = self.text.trim_end().lines().nth(1).is_none();
        let begins = line.trim_start().starts_with("{{") && !alone;
        if begins || line.contains("{%") {
            return Some(
                "this is a line of a template, such as a Helm chart: render it first",
            );
        }
        value.starts_with("{{").then_some(
            "quote a value that begins with `{{`; a Helm chart has to be rendered first",
        )
    }

    fn line(&self) -> &'t str {
        let start = self.at - self.before.len();
        &self.text[start..self.at + self.rest.len()]
    }

    /// A `:` in a plain value, or below a value.
    fn second_colon(&self) -> Option<String> {
        if let Some((_, value)) = self.before.split_once(": ")
            && !value.trim().is_empty()
        {
            return Some("quote a value in which `: ` stands".into());
        }
        let (number, above) = self.lines_above().next()?;
        if indent(above) < indent(self.before) {
            let spaces = indent(above);
            return Some(format!(
                "line {number} has a value already: begin this line in its column, \
                 {spaces} spaces deep, or remove that value"
            ));
        }
        if !above.contains(':') {
            return Some(format!("line {number} has no `:`, which ends a key"));
        }
        let has_key = above.ends_with(':') || above.contains(": ");
        (!has_key).then(|| format!("line {number} has no space after the `:` of its key"))
    }

    /// A character that begins no plain scalar.
    fn no_start(&self) -> Option<String> {
        let sign = self.rest.chars().next()?;
        if NO_START.contains(&sign) {
            return Some(format!("quote a value that begins with `{sign}`"));
        }
        let block = matches!(sign, '|' | '>');
        block.then(|| "a block text cannot stand in brackets: quote the text".into())
    }

    /// A closing bracket that is missing, or does not fit.
    fn open_bracket(&self) -> Option<String> {
        let (open, line) = open_sign(&self.text[..self.at])?;
        if matches!(open, '"' | '\'') {
            return Some(format!("the {open} of line {line} is not closed"));
        }
        let close = if open == '[' { ']' } else { '}' };
        if self.rest.starts_with([']', '}']) {
            return Some(format!("the `{open}` of line {line} is closed by `{close}`"));
        }
        if self.rest.starts_with(':') && self.number() == line {
            return Some("quote a value in which `: ` stands".into());
        }
        Some(format!("the `{open}` of line {line} is not closed before this"))
    }

    /// Text behind a quoted value.
    fn after_quote(&self) -> Option<String> {
        let before = self.before.trim_end();
        let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
        let again = if quote == '"' { "\\\"" } else { "''" };
        Some(format!(
            "the quoted text ends before this: quote all of the value; a {quote} in it is \
             written {again}"
        ))
    }

    /// A line that is not indented as any line above.
    fn indentation(&self) -> Option<String> {
        if self.rest.starts_with([']', '}']) {
            return Some("no bracket is open that this one closes".into());
        }
        if !self.before.trim().is_empty() {
            return None;
        }
        let own = self.before.len();
        let mut levels: Vec<(usize, usize)> = Vec::new();
        for (number, line) in self.lines_above() {
            let depth = indent(line);
            if levels.last().is_none_or(|&(_, last)| depth < last) {
                levels.push((number, depth));
            }
        }
        if let Some(&(number, _)) = levels.iter().find(|&&(_, depth)| depth == own) {
            return Some(if self.rest.starts_with("- ") {
                format!(
                    "line {number} has a value already; a list stands below a key alone"
                )
            } else {
                format!(
                    "the lines from line {number} on begin with `- `: so must this one"
                )
            });
        }
        let deeper = levels.iter().rev().find(|&&(_, depth)| depth > own);
        let flatter = levels.iter().find(|&&(_, depth)| depth < own);
        let places: Vec<String> = [deeper, flatter]
            .into_iter()
            .flatten()
            .map(|(number, depth)| format!("with line {number} ({depth} spaces)"))
            .collect();
        let places = places.join(" or ");
        (!places.is_empty()).then(|| format!("align this line {places}; it has {own}"))
    }

    /// A sign of a collection where a value should stand.
    fn no_content(&self) -> Option<String> {
        let sign = self.rest.chars().next()?;
        let hint = match sign {
            ',' if open_sign(&self.text[..self.at]).is_some() => {
                "an item is missing before the comma".into()
            }
            ']' | '}' | ',' => format!("quote a value that begins with `{sign}`"),
            _ => return None,
        };
        Some(hint)
    }

    fn number(&self) -> usize {
        line_number(self.text, self.at)
    }

    /// The lines above with text in them and their numbers, the next one first.
    fn lines_above(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let lines = self.text[..self.at - self.before.len()].lines();
        let lines: Vec<&str> = lines.collect();
        let lines = lines.into_iter().enumerate().rev();
        let filled = |line: &str| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        };
        lines.map(|(i, line)| (i + 1, line)).filter(move |(_, line)| filled(line))
    }
}

/// Returns the number of the line that an offset is in.
fn line_number(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns the quote or else the innermost bracket that is open at the end of `text`, with
/// its line.
fn open_sign(text: &str) -> Option<(char, usize)> {
    let mut open = Vec::new();
    let mut line = 1;
    let mut before = '\n';
    // The last character that is no blank.
    let mut sign = '\n';
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        let starts = matches!(sign, '\n' | ':' | '-' | ',' | '[' | '{' | '?');
        match c {
            '\n' => line += 1,
            '#' if before.is_whitespace() => {
                while letters.clone().next().is_some_and(|c| c != '\n') {
                    letters.next();
                }
            }
            '"' | '\'' if starts => {
                let first = line;
                let mut closed = false;
                while let Some(inner) = letters.next() {
                    match inner {
                        '\\' if c == '"' => drop(letters.next()),
                        '\n' => line += 1,
                        _ => {}
                    }
                    if inner == c {
                        closed = true;
                        break;
                    }
                }
                if !closed {
                    return Some((c, first));
                }
            }
            '[' | '{' if starts => open.push((c, line)),
            ']' | '}' if !open.is_empty() => drop(open.pop()),
            _ => {}
        }
        before = c;
        if !c.is_whitespace() || c == '\n' && open.is_empty() {
            sign = c;
        }
    }
    open.pop()
}
