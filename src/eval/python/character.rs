//! Properties and the case of characters and texts, by the rules of Unicode that Python
//! follows.

use std::sync::LazyLock;

use unicode_general_category::GeneralCategory::{
    Control, DecimalNumber, Format, LetterNumber, LineSeparator, LowercaseLetter,
    ModifierLetter, OtherLetter, OtherNumber, ParagraphSeparator, PrivateUse,
    SpaceSeparator, Surrogate, TitlecaseLetter, Unassigned, UppercaseLetter,
};
use unicode_general_category::get_general_category;

use super::regex::CharacterSet;

pub fn starts_identifier(c: char) -> bool {
    static START: LazyLock<Option<CharacterSet>> =
        LazyLock::new(|| CharacterSet::parse(r"\p{XID_Start}", false));
    c == '_' || START.as_ref().is_some_and(|set| set.contains(c))
}

pub fn continues_identifier(c: char) -> bool {
    // The general category does not decide this property: U+2118 and others are
    // exceptions.
    static CONTINUE: LazyLock<Option<CharacterSet>> =
        LazyLock::new(|| CharacterSet::parse(r"\p{XID_Continue}", false));
    CONTINUE.as_ref().is_some_and(|set| set.contains(c))
}

pub fn is_alpha(c: char) -> bool {
    match get_general_category(c) {
        UppercaseLetter | LowercaseLetter | TitlecaseLetter => true,
        category => matches!(category, ModifierLetter | OtherLetter),
    }
}

/// `str.isdecimal` for one character: a digit from 0 to 9 of any script.
pub fn is_decimal(c: char) -> bool {
    get_general_category(c) == DecimalNumber
}

pub fn is_space(c: char) -> bool {
    // Python adds the bidirectional types WS, B and S: the information separators.
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// Returns true if `str.splitlines` breaks lines at `c`.
pub fn is_line_end(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

pub fn is_printable(c: char) -> bool {
    c == ' '
        || !matches!(
            get_general_category(c),
            Control
                | Format
                | Surrogate
                | PrivateUse
                | Unassigned
                | SpaceSeparator
                | LineSeparator
                | ParagraphSeparator
        )
}

/// `str.isdigit` for one character: decimals, and digits such as superscripts.
pub fn is_digit(c: char) -> bool {
    // The characters of Numeric_Type=Digit, a property that the crates at hand lack.
    let digit = matches!(c as u32,
        0xb2 | 0xb3 | 0xb9 | 0x1369..=0x1371 | 0x19da | 0x2070 | 0x2074..=0x2079
        | 0x2080..=0x2089 | 0x2460..=0x2468 | 0x2474..=0x247c | 0x2488..=0x2490 | 0x24ea
        | 0x24f5..=0x24fd | 0x24ff | 0x2776..=0x277e | 0x2780..=0x2788 | 0x278a..=0x2792
        | 0x10a40..=0x10a43 | 0x10e60..=0x10e68 | 0x11052..=0x1105a | 0x1f100..=0x1f10a);
    if c.is_ascii() { c.is_ascii_digit() } else { digit || is_decimal(c) }
}

pub fn is_numeric(c: char) -> bool {
    // Ideographs of numbers (kPrimaryNumeric and the like in Unihan) have the category
    // Lo.
    const IDEOGRAPHS: &str = "\
        \u{3405}\u{3483}\u{382a}\u{3b4d}一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌\
        叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬貮貳贰阡陆陌陸零\
        \u{f96b}\u{f973}\u{f978}\u{f9b2}\u{f9d1}\u{f9d3}\u{f9fd}\
        \u{20001}\u{20064}\u{200e2}\u{20121}\u{2092a}\u{20983}\u{2098c}\u{2099c}\u{20aea}\
        \u{20afd}\u{20b19}\u{22390}\u{22998}\u{23b1b}\u{2626d}\u{2f890}";
    matches!(get_general_category(c), DecimalNumber | LetterNumber | OtherNumber)
        || !c.is_ascii() && IDEOGRAPHS.contains(c)
}

fn is_cased(c: char) -> bool {
    c.is_uppercase() || c.is_lowercase() || is_title_letter(c)
}

/// Returns true if `c` is a title-case letter, category Lt.
fn is_title_letter(c: char) -> bool {
    get_general_category(c) == TitlecaseLetter
}

fn push_title(out: &mut String, c: char) {
    // The standard library has no title case: it differs from the upper case for
    // digraphs, Georgian, and Greek letters with iota subscript.
    let code = c as u32;
    match code {
        0x1c4..=0x1cc => out.extend(char::from_u32((code - 0x1c4) / 3 * 3 + 0x1c5)),
        0x1f1..=0x1f3 => out.push('\u{1f2}'),
        0x10d0..=0x10ff => out.push(c),
        0x1f80..=0x1faf => out.extend(char::from_u32(code | 8)),
        0x1fb3 | 0x1fc3 | 0x1ff3 => out.extend(char::from_u32(code + 9)),
        0x1fbc | 0x1fcc | 0x1ffc => out.push(c),
        0x1fb7 | 0x1fc7 | 0x1ff7 => {
            out.extend(c.to_uppercase().next());
            out.push_str("\u{342}\u{345}");
        }
        0x1fb2 | 0x1fb4 | 0x1fc2 | 0x1fc4 | 0x1ff2 | 0x1ff4 => {
            out.extend(c.to_uppercase().next());
            out.push('\u{345}');
        }
        0x149 => out.extend(c.to_uppercase()),
        _ => {
            let mut upper = c.to_uppercase();
            out.extend(upper.next());
            upper.for_each(|c| out.extend(c.to_lowercase()));
        }
    }
}

fn push_folded(out: &mut String, c: char) {
    // Folding lower-cases the upper case, but for Cherokee, whose capitals came first,
    // and the dotless i, which stays.
    match c as u32 {
        0x131 | 0x13a0..=0x13f5 => out.push(c),
        0x13f8..=0x13fd | 0xab70..=0xabbf => out.extend(c.to_uppercase()),
        0x1e9e => out.push_str("ss"),
        _ => c.to_uppercase().for_each(|c| out.extend(c.to_lowercase())),
    }
}

/// Returns the character of a text that has no other one.
pub fn only(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.as_str().is_empty())
}

/// Returns the number of ASCII digits at the start of a text.
pub fn digit_count(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Returns true if a string is not empty and all its characters have a property.
pub fn all(text: &str, of: fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(of)
}

pub fn is_word(c: char) -> bool {
    is_alpha(c) || is_digit(c) || is_numeric(c)
}

pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(starts_identifier) && chars.all(continues_identifier)
}

pub fn is_lower(text: &str) -> bool {
    text.chars().any(char::is_lowercase)
        && !text.chars().any(|c| c.is_uppercase() || is_title_letter(c))
}

pub fn is_upper(text: &str) -> bool {
    text.chars().any(char::is_uppercase)
        && !text.chars().any(|c| c.is_lowercase() || is_title_letter(c))
}

/// Returns true if exactly the first letter of each word is in upper case.
pub fn is_title(text: &str) -> bool {
    let mut within = false;
    let mut any = false;
    for c in text.chars() {
        let starts = c.is_uppercase() || is_title_letter(c);
        if starts && within || c.is_lowercase() && !within {
            return false;
        }
        within = is_cased(c);
        any |= within;
    }
    any
}

pub fn capitalize(text: &str) -> String {
    let mut out = String::new();
    if let Some(first) = text.chars().next() {
        push_title(&mut out, first);
        // The whole string is lowered: a final sigma depends on the character before it.
        let lower = text.to_lowercase();
        let skipped: usize = first.to_lowercase().map(char::len_utf8).sum();
        out.push_str(lower.get(skipped..).unwrap_or_default());
    }
    out
}

pub fn fold(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|c| push_folded(&mut out, c));
    out
}

pub fn title(text: &str) -> String {
    let mut out = String::new();
    let mut within = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if within {
            push_lower(&mut out, c, chars.peek());
        } else {
            push_title(&mut out, c);
        }
        within = is_cased(c);
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
    let after_letter = out.chars().next_back().is_some_and(is_cased);
    match c {
        'Σ' if after_letter && !next.is_some_and(|c| is_cased(*c)) => out.push('ς'),
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
