//! The case of strings, by the rules of Unicode that Python follows: `title`, `swapcase`,
//! `isupper`.

use super::super::character;

/// Returns true if a string is not empty and all its characters have a property.
pub fn all(text: &str, of: fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(of)
}

pub fn is_word(c: char) -> bool {
    character::is_alpha(c) || character::is_digit(c) || character::is_numeric(c)
}

pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let start = chars.next().is_some_and(character::starts_identifier);
    start && chars.all(character::continues_identifier)
}

pub fn is_lower(text: &str) -> bool {
    let other = |c: char| c.is_uppercase() || character::is_title(c);
    text.chars().any(char::is_lowercase) && !text.chars().any(other)
}

pub fn is_upper(text: &str) -> bool {
    let other = |c: char| c.is_lowercase() || character::is_title(c);
    text.chars().any(char::is_uppercase) && !text.chars().any(other)
}

/// Returns true if exactly the first letter of each word is in upper case.
pub fn is_title(text: &str) -> bool {
    let (mut within, mut any) = (false, false);
    for c in text.chars() {
        let starts = c.is_uppercase() || character::is_title(c);
        if starts && within || c.is_lowercase() && !within {
            return false;
        }
        within = character::is_cased(c);
        any |= within;
    }
    any
}

pub fn capitalize(text: &str) -> String {
    let mut out = String::new();
    if let Some(first) = text.chars().next() {
        character::push_title(&mut out, first);
        // The whole string is lowered: a final sigma depends on the character before it.
        let lower = text.to_lowercase();
        let skipped: usize = first.to_lowercase().map(char::len_utf8).sum();
        out.push_str(lower.get(skipped..).unwrap_or_default());
    }
    out
}

pub fn fold(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|c| character::push_folded(&mut out, c));
    out
}

pub fn title(text: &str) -> String {
    let (mut out, mut within) = (String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if within {
            push_lower(&mut out, c, chars.peek());
        } else {
            character::push_title(&mut out, c);
        }
        within = character::is_cased(c);
    }
    out
}

pub fn swap(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_lowercase() {
            out.extend(c.to_uppercase());
        } else if c.is_uppercase() {
            push_lower(&mut out, c, chars.peek());
        } else {
            out.push(c);
        }
    }
    out
}

/// Appends a letter of a word in lower case. A sigma at the end of a word has its own form.
fn push_lower(out: &mut String, c: char, next: Option<&char>) {
    let after_letter = out.chars().next_back().is_some_and(character::is_cased);
    match c {
        'Σ' if after_letter && !next.is_some_and(|c| character::is_cased(*c)) => {
            out.push('ς');
        }
        c => out.extend(c.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_case_as_python_does() {
        for (from, to) in [
            ("they're bill's", "They'Re Bill'S"),
            ("ǆa ﬁn", "ǅa Fin"),
            ("ΑΣ ΣΑ", "Ας Σα"),
        ] {
            assert_eq!(title(from), to);
        }
        assert_eq!(capitalize("ßX Y"), "Ssx y");
        assert_eq!(swap("aBß"), "AbSS");
        assert_eq!(fold("ẞßİΣ"), "ssssi\u{307}σ");
        assert!(is_title("Hello World") && !is_title("HeLlo") && !is_title("1"));
        assert!(is_upper("A1") && !is_upper("1") && !is_upper("ǅ"));
        assert!(is_identifier("é_1") && !is_identifier("1a") && !is_identifier(""));
    }
}
