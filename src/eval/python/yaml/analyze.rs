//! A text comes in; how it can be written as a scalar goes out.

/// How a text can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis {
    pub(super) multiline: bool,
    pub(super) plain_in_flow: bool,
    pub(super) plain_in_block: bool,
    pub(super) single: bool,
    pub(super) block: bool,
}

pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether libyaml writes it as it is.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}') && c != '\u{feff}'
}

fn is_blank(c: Option<char>) -> bool {
    c.is_none_or(|c| matches!(c, ' ' | '\t' | '\0') || is_break(c))
}

pub(super) fn analyze(text: &str, unicode: bool) -> Analysis {
    if text.is_empty() {
        let (multiline, plain_in_flow, block) = (false, false, false);
        let (plain_in_block, single) = (true, true);
        return Analysis { multiline, plain_in_flow, plain_in_block, single, block };
    }
    let edge = |c: Option<char>| c.is_some_and(|c| c == ' ' || is_break(c));
    let (in_flow, in_block) = indicators(text);
    let special = text.chars().any(|c| !is_printable(c) || !unicode && !c.is_ascii());
    let multiline = text.contains(is_break);
    let pairs = || text.chars().zip(text.chars().skip(1));
    let break_space = pairs().any(|(a, b)| is_break(a) && b == ' ');
    let space_break = pairs().any(|(a, b)| a == ' ' && is_break(b));
    let plain = !(multiline
        || edge(text.chars().next())
        || edge(text.chars().next_back())
        || special);
    Analysis {
        multiline,
        plain_in_flow: plain && !in_flow,
        plain_in_block: plain && !in_block,
        single: !(break_space || space_break || special),
        block: !(text.ends_with(' ') || space_break || special),
    }
}

/// Whether something in it would be read as more than a text, in a flow collection and in
/// a block.
fn indicators(text: &str) -> (bool, bool) {
    let mut in_block = text.starts_with("---") || text.starts_with("...");
    let mut in_flow = in_block;
    let (mut before, mut chars) = (None, text.chars().peekable());
    while let Some(c) = chars.next() {
        let spaced = is_blank(chars.peek().copied());
        let first = before.is_none();
        let (flow, block) = match c {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\''
            | '"' | '%' | '@' | '`'
                if first =>
            {
                (true, true)
            }
            '?' if first => (true, spaced),
            '-' if first => (spaced, spaced),
            ',' | '?' | '[' | ']' | '{' | '}' => (true, false),
            ':' => (true, spaced),
            '#' if is_blank(before) => (true, true),
            _ => (false, false),
        };
        (in_flow, in_block) = (in_flow || flow, in_block || block);
        before = Some(c);
    }
    (in_flow, in_block)
}
