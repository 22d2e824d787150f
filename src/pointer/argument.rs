//! Paths in arguments of the command line, before a `=`: a pointer or a dotted path.

use super::bosh::Pointer;
use super::dotted;

/// Splits `PATH=VALUE` at the first `=` that is not in brackets or quotes.
///
/// ```
/// use interpolate::unstable::pointer::split_argument;
/// let (path, value) = split_argument("jobs[name=web].args=a=b").unwrap();
/// assert_eq!((path, value), ("jobs[name=web].args", "a=b"));
/// ```
pub fn split_argument(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') if depth > 0 => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => depth = depth.saturating_sub(1),
            (None, '=') if depth == 0 => return Some((&text[..at], &text[at + 1..])),
            (None, _) => {}
        }
    }
    None
}

/// Parses a path that begins with `/`, in which a match may be written in brackets, or a
/// dotted path. If it `creates`, mappings at the end of a dotted path may be missing.
///
/// # Errors
/// The mistake.
///
/// ```
/// use interpolate::unstable::pointer::{Pointer, parse_argument};
/// let pointer = Pointer::parse("/jobs/name=web/env").unwrap();
/// assert_eq!(parse_argument("/jobs[name=web]/env", false).unwrap(), pointer);
/// ```
pub fn parse_argument(text: &str, creates: bool) -> Result<Pointer, String> {
    if !text.starts_with('/') && !text.is_empty() {
        return dotted::parse(text, creates);
    }
    let (mut path, mut rest) = (String::new(), text);
    while let Some((before, inner)) = rest.split_once('[') {
        let end = dotted::closing(inner).ok_or("a '[' is not closed")?;
        let token = inner[..end].replace('~', "~0").replace('/', "~1").replace(':', "~7");
        path += &format!("{before}/{token}");
        rest = &inner[end + 1..];
    }
    Pointer::parse(&(path + rest))
}
