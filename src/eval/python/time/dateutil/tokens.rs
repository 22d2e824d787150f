//! The tokens of the text of a date: numbers, words, blanks and signs.

use std::iter::Peekable;
use std::str::Chars;

/// A run of characters that a dot may continue: `Sep.20` and `4:30.5` hold one each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenRun {
    Letters,
    Digits,
    /// Letters, behind a dot or before one.
    DottedLetters,
    DottedDigits,
}

impl TokenRun {
    fn begin(first: char) -> Option<TokenRun> {
        match first {
            '0'..='9' => Some(TokenRun::Digits),
            letter if letter.is_alphabetic() => Some(TokenRun::Letters),
            _ => None,
        }
    }

    /// Returns the run after another character; nothing if that begins a new token.
    fn with(self, token: &str, next: char) -> Option<TokenRun> {
        let after_dot = token.ends_with('.');
        match (self, next) {
            (TokenRun::Letters, '.') => Some(TokenRun::DottedLetters),
            (TokenRun::Digits, '.') => Some(TokenRun::DottedDigits),
            // A comma before the fraction of a second, but not in `5, May`.
            (TokenRun::Digits, ',') if token.len() >= 2 => Some(TokenRun::DottedDigits),
            (TokenRun::DottedLetters | TokenRun::DottedDigits, '.') => Some(self),
            (TokenRun::Letters | TokenRun::DottedLetters, c) if c.is_alphabetic() => {
                Some(self)
            }
            (TokenRun::Digits | TokenRun::DottedDigits, '0'..='9') => Some(self),
            (TokenRun::DottedLetters, '0'..='9') if after_dot => {
                Some(TokenRun::DottedDigits)
            }
            (TokenRun::DottedDigits, c) if after_dot && c.is_alphabetic() => {
                Some(TokenRun::DottedLetters)
            }
            _ => None,
        }
    }

    fn is_dotted(self) -> bool {
        matches!(self, TokenRun::DottedLetters | TokenRun::DottedDigits)
    }
}

/// Splits a text. A dot is a decimal point if it stands in one number.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        match TokenRun::begin(first) {
            Some(run) => read_run(first, run, &mut chars, &mut found),
            None if first.is_whitespace() => found.push(" ".to_owned()),
            None if first == '\0' => {}
            None => found.push(first.to_string()),
        }
    }
    found
}

fn read_run(
    first: char,
    mut run: TokenRun,
    chars: &mut Peekable<Chars<'_>>,
    found: &mut Vec<String>,
) {
    let mut token = String::from(first);
    while let Some(next) = chars.peek().copied()
        && let Some(longer) = run.with(&token, next)
    {
        chars.next();
        token.push(next);
        run = longer;
    }
    let has_letters = token.contains(char::is_alphabetic);
    let dots = token.matches('.').count();
    if run.is_dotted() && (has_letters || dots > 1 || token.ends_with(['.', ','])) {
        found.extend(
            token
                .split_inclusive(['.', ','])
                .flat_map(|part| match part.strip_suffix(['.', ',']) {
                    Some(before) => [before, &part[before.len()..]],
                    None => [part, ""],
                })
                .filter(|part| !part.is_empty())
                .map(str::to_owned),
        );
    } else {
        found.push(if dots == 0 { token.replace(',', ".") } else { token });
    }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn splits_at_dots_that_are_no_decimal_points() {
        let cases = [
            ("29.9.2015", "29|.|9|.|2015"),
            ("4:30:21.447", "4|:|30|:|21.447"),
            ("58:10,5", "58|:|10.5"),
            ("Sep.20", "Sep|.|20"),
            ("5, May", "5|,| |May"),
            ("10,x", "10|,|x"),
            ("8PM", "8|PM"),
        ];
        for (text, wanted) in cases {
            assert_eq!(tokens(text).join("|"), wanted);
        }
    }
}
