//! Parts of patterns that no I-Regexp has: a pattern comes in; the part that other regular
//! expressions have goes out, with its meaning there and how to write it here.

use super::i_regexp::IRegexp;

/// A part of a pattern that an I-Regexp does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ForeignSyntax {
    /// As it is written: `\d`.
    pub part: String,
    /// Its meaning in other regular expressions: "a digit".
    pub meaning: &'static str,
    /// An I-Regexp that means the same; empty if there is none.
    pub instead: String,
}

/// Parts that begin with `\` or `(?`, with their meaning and what says the same.
// A longer one stands before its beginning.
const PARTS: [(&str, &str, &str); 31] = [
    ("\\d", "a digit", "[0-9]"),
    ("\\D", "anything but a digit", "[^0-9]"),
    ("\\w", "a letter, a digit or '_'", "[a-zA-Z0-9_]"),
    ("\\W", "anything but a letter, a digit or '_'", "[^a-zA-Z0-9_]"),
    ("\\s", "a blank", "[ \\t\\r\\n]"),
    ("\\S", "anything but a blank", "[^ \\t\\r\\n]"),
    ("\\h", "a blank", "[ \\t]"),
    ("\\b", "the edge of a word", ""),
    ("\\B", "no edge of a word", ""),
    ("\\A", "the start of the text", "^"),
    ("\\Z", "the end of the text", "$"),
    ("\\z", "the end of the text", "$"),
    ("\\Q", "the start of literal text", ""),
    ("\\x", "a character by its number", ""),
    ("\\u", "a character by its number", ""),
    ("\\k", "a group again", ""),
    ("\\$", "the character '$'", "[$]"),
    ("(?:", "a group", "("),
    ("(?=", "what follows, without taking it", ""),
    ("(?!", "what does not follow", ""),
    ("(?<=", "what stands before", ""),
    ("(?<!", "what does not stand before", ""),
    ("(?P<", "a group with a name", "("),
    ("(?<", "a group with a name", "("),
    ("(?>", "a group without a second try", "("),
    ("(?i", "letters in both cases", "[aA]"),
    ("(?s", "a '.' that is any character", ""),
    ("(?m", "'^' and '$' at each line", ""),
    ("(?x", "blanks without a meaning", ""),
    ("(?#", "a comment", ""),
    ("(*", "a verb", ""),
];

/// Returns the first part of a pattern that is no I-Regexp, or that means something else in
/// other regular expressions; `None` if it means the same.
pub(super) fn foreign(pattern: &str) -> Option<ForeignSyntax> {
    let found = search(pattern);
    match (found, IRegexp::parse(pattern)) {
        (found, Err(_)) => Some(found.unwrap_or_else(|| ForeignSyntax {
            part: pattern.to_owned(),
            meaning: "",
            instead: String::new(),
        })),
        // An anchor inside of the pattern.
        (Some(anchor), Ok(_)) => Some(anchor),
        (None, Ok(_)) => None,
    }
}

fn search(pattern: &str) -> Option<ForeignSyntax> {
    let mut at = 0;
    let mut in_set = false;
    let mut before = ' ';
    while let Some(c) = pattern[at..].chars().next() {
        let rest = &pattern[at..];
        let found = match c {
            '\\' => escape(rest),
            '(' if !in_set => group(rest),
            '[' if in_set => Some(made(&rest[..set_end(rest)], "a class in a set", "")),
            '?' | '+' if !in_set && "*+?}".contains(before) => lazy(c, before),
            '^' | '$' if !in_set => anchor(pattern, at, c),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        in_set = (in_set || c == '[') && c != ']';
        let escaped = if c == '\\' { rest[1..].chars().next() } else { None };
        at += c.len_utf8() + escaped.map_or(0, char::len_utf8);
        before = if escaped.is_some() || in_set { ' ' } else { c };
    }
    None
}

fn made(part: &str, meaning: &'static str, instead: &str) -> ForeignSyntax {
    ForeignSyntax { part: part.to_owned(), meaning, instead: instead.to_owned() }
}

fn escape(rest: &str) -> Option<ForeignSyntax> {
    let letter = rest[1..].chars().next()?;
    let part = &rest[..1 + letter.len_utf8()];
    if letter.is_ascii_digit() {
        return Some(made(part, "the text of a group again", ""));
    }
    if let Some((part, meaning, instead)) = known(rest) {
        return Some(made(part, meaning, instead));
    }
    let is_known = letter.is_ascii_alphanumeric() || "()*+-.?[\\]^{|}".contains(letter);
    (!is_known).then(|| made(part, "the character itself", &letter.to_string()))
}

fn group(rest: &str) -> Option<ForeignSyntax> {
    let (part, meaning, instead) = known(rest)?;
    let is_open = matches!(part, "(?i" | "(?s" | "(?m" | "(?x" | "(?P<" | "(?<");
    let end = rest.find([')', ':', '>']).filter(|_| is_open);
    Some(made(&rest[..end.map_or(part.len(), |end| end + 1)], meaning, instead))
}

fn known(rest: &str) -> Option<(&'static str, &'static str, &'static str)> {
    PARTS.into_iter().find(|(part, ..)| rest.starts_with(part))
}

fn lazy(c: char, before: char) -> Option<ForeignSyntax> {
    let meaning = if c == '?' { "as few as possible" } else { "without a second try" };
    Some(made(&format!("{before}{c}"), meaning, &before.to_string()))
}

/// Returns an anchor that is a character here: only the first `^` and the last `$` are none.
fn anchor(pattern: &str, at: usize, c: char) -> Option<ForeignSyntax> {
    let is_anchor = if c == '^' { at == 0 } else { at + 1 == pattern.len() };
    let meaning = if c == '^' { "the start of the text" } else { "the end of the text" };
    (!is_anchor).then(|| made(&c.to_string(), meaning, ""))
}

/// Returns the end of `[:alpha:]` in a set.
fn set_end(rest: &str) -> usize {
    rest.find(":]").map_or(1, |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let cases = [
            (r"^a.*b$", None),
            (r"a\.b\-c[a-z\p{Lu}]+?", Some(("+?", "+"))),
            (r"[a$^]", None),
            (r"a\$", Some((r"\$", "[$]"))),
            (r"[\d.]", Some((r"\d", "[0-9]"))),
            (r"x(?:a|b)", Some(("(?:", "("))),
            (r"(?<name>a)", Some(("(?<name>", "("))),
            (r"(?i)a", Some(("(?i)", "[aA]"))),
            (r"(?<!a)b", Some(("(?<!", ""))),
            (r"(a)\1", Some((r"\1", ""))),
            (r"[[:alpha:]]", Some(("[:alpha:]", ""))),
            (r"(^a|b)", Some(("^", ""))),
            (r"a{1,2}+", Some(("}+", "}"))),
            (r"a\/b", Some((r"\/", "/"))),
            (r"a{2,1}", Some((r"a{2,1}", ""))),
            ("\\", Some(("\\", ""))),
        ];
        for (pattern, expected) in cases {
            let found = foreign(pattern);
            let found = found.as_ref().map(|it| (&*it.part, &*it.instead));
            assert_eq!(found, expected, "{pattern}");
        }
    }
}
