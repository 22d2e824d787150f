//! `shlex`: words of a shell's command line ⇄ the line.

use super::{Exception, Result};

/// `shlex.quote`
pub fn quote(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&b);
    match !text.is_empty() && text.bytes().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\"'\"'")),
    }
}

/// `shlex.split`
///
/// # Errors
/// A quote that does not end, or a backslash at the end.
pub fn split(line: &str) -> Result<Vec<String>> {
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '\'' => {
                let (quoted, rest) = until(chars.as_str(), '\'')?;
                word.get_or_insert_default().push_str(quoted);
                chars = rest.chars();
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(c @ ('"' | '\\')) => word.push(c),
                            Some(c) => word.extend(['\\', c]),
                            None => return Err(no_escaped()),
                        },
                        Some(c) => word.push(c),
                        None => return Err(no_closing()),
                    }
                }
            }
            '\\' => {
                let c = chars.next().ok_or_else(no_escaped)?;
                word.get_or_insert_default().push(c);
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

fn until(text: &str, end: char) -> Result<(&str, &str)> {
    text.split_once(end).ok_or_else(no_closing)
}

fn no_closing() -> Box<Exception> {
    Exception::of_value("No closing quotation")
}

fn no_escaped() -> Box<Exception> {
    Exception::of_value("No escaped character")
}

#[cfg(test)]
mod tests {
    #[test]
    fn words() {
        let words = super::split(r#"a 'b c'd "e\"\x" '' f\ g"#).unwrap_or_default();
        assert_eq!(words, ["a", "b cd", r#"e"\x"#, "", "f g"]);
        assert_eq!(super::quote("it's"), r#"'it'"'"'s'"#);
        assert!(super::split("'").is_err() && super::split("\\").is_err());
    }
}
