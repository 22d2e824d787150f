//! Paths in arguments of the command line, before a `=`: a pointer or a dotted path.

use std::ops::Range;

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
        let token = Pointer::escape(&inner[..end]);
        path += &format!("{before}/{token}");
        rest = &inner[end + 1..];
    }
    Pointer::parse(&(path + rest))
}

/// Returns the parts of a path that are its tokens, if [`parse_argument`] takes it.
///
/// ```
/// use interpolate::unstable::pointer::token_ranges;
/// let path = "jobs[name=web].port";
/// let tokens: Vec<&str> = token_ranges(path).into_iter().map(|it| &path[it]).collect();
/// assert_eq!(tokens, ["jobs", "[name=web]", "port"]);
/// ```
pub fn token_ranges(path: &str) -> Vec<Range<usize>> {
    let separator = if path.starts_with('/') { '/' } else { '.' };
    let (mut ranges, mut start) = (Vec::new(), 0);
    while start < path.len() {
        let rest = &path[start..];
        let length = match rest.strip_prefix('[') {
            Some(inner) => dotted::closing(inner).map_or(rest.len(), |end| end + 2),
            None if rest.starts_with(separator) => {
                start += 1;
                continue;
            }
            None => rest.find([separator, '[']).unwrap_or(rest.len()),
        };
        ranges.push(start..start + length);
        start += length;
    }
    ranges
}
