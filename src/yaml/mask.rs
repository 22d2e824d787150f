//! Finds the secret parts of a text of values, such as a file of variables. A source in,
//! the ranges out that messages must not show: all but keys and punctuation.

use std::ops::Range;
use std::sync::Arc;

use super::options::Options;
use super::parse;
use crate::arena::{Arena, Index};
use crate::scalar::Dialect;
use crate::source::{FileId, Source};

/// Returns the secret ranges of a text, in order: scalars other than keys, tags, anchors,
/// aliases, directives and comments. A text that cannot be read is secret as a whole,
/// since what looks like a key may be a part of a value.
pub fn secret_parts(source: &Source) -> Vec<Range<usize>> {
    let options = Options { dialect: Dialect::Yaml11, ..Options::default() };
    match parse::parse(FileId::unused(), Arc::new(source.clone()), &options) {
        Ok(arena) => parts(&arena),
        Err(_) => std::iter::once(0..source.text.len()).collect(),
    }
}

fn parts(arena: &Arena) -> Vec<Range<usize>> {
    let text = arena.text();
    let mut secret = Vec::new();
    let mut end = 0;
    for (i, is_shown) in arena.indices().zip(shown_keys(arena)) {
        let style = arena.style(i);
        let span = arena.span(i);
        let scalar = span.start as usize..span.end as usize;
        if style.is_sequence() || style.is_mapping() || scalar.start < end {
            continue;
        }
        between(text, end..scalar.start, &mut secret);
        end = scalar.end;
        if !is_shown {
            secret.push(scalar);
        }
    }
    between(text, end..text.len(), &mut secret);
    secret
}

/// Returns for each node whether it is a key that may be shown: a scalar without a tag or
/// an anchor, outside of other keys, before a colon. `{name}` is more likely a value.
fn shown_keys(arena: &Arena) -> Vec<bool> {
    let count = arena.nodes().len();
    let mut shown = vec![false; count];
    let mut is_key = vec![false; count];
    for i in arena.indices().filter(|&i| arena.style(i).is_mapping()) {
        arena.entries(i).for_each(|(key, _)| is_key[key as usize] = true);
    }
    let mut key_end: Index = 0;
    for i in arena.indices().filter(|&i| is_key[i as usize]) {
        let is_inside = i < key_end;
        key_end = key_end.max(arena.next(i));
        let after = arena.text().get(arena.span(i).end as usize..).unwrap_or_default();
        shown[i as usize] = !is_inside
            && arena.props(i).is_none()
            && after.trim_start_matches([' ', '\t']).starts_with(':');
    }
    shown
}

/// Adds the secret parts of a range without scalars: comments and all but punctuation.
fn between(text: &str, range: Range<usize>, secret: &mut Vec<Range<usize>>) {
    let mut at = range.start;
    while let Some(rest) = text.get(at..range.end)
        && let Some(found) = rest.find(|c| !is_punctuation(c))
    {
        let rest = &rest[found..];
        let (skipped, length) = match rest.strip_prefix('#') {
            Some(comment) => (1, comment.find('\n').unwrap_or(comment.len())),
            None => (0, rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        let start = at + found + skipped;
        secret.push(start..start + length);
        at = start + length;
    }
}

fn is_punctuation(c: char) -> bool {
    c.is_whitespace() || "-:?[]{},\u{feff}".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text with its secret parts as asterisks.
    fn masked(text: &str) -> String {
        let (mut out, mut end) = (String::new(), 0);
        for part in secret_parts(&Source::unnamed(text)) {
            out += &text[end..part.start];
            if !part.is_empty() {
                out.push('*');
            }
            end = part.end;
        }
        out + &text[end..]
    }

    #[test]
    fn parts_of_values() {
        for (text, shown) in [
            ("a: b # c\n# d", "a: * #*\n#*"),
            ("a: [b, 'c d', {e: f}]", "a: [*, *, {e: *}]"),
            ("- a\n- 'b': c\n  \"d\" : e", "- *\n- 'b': *\n  \"d\" : *"),
            ("a: |\n  b: c\n  d\ne: f", "a: *e: *"),
            ("a: b\n  c\nd: \"e\n  f\"", "a: *\nd: *"),
            ("a: {b}\nc: {? d}", "a: {*}\nc: {? *}"),
            ("a: &b !c d\ne: *b", "a: * * *\ne: *"),
            ("!a b: c\n&d e: f", "* *: *\n* *: *"),
            ("{{a: b}: c, [d]: e}", "{{*: *}: *, [*]: *}"),
            ("%YAML 1.1\n---\na: b\n", "* *\n---\na: *\n"),
            ("\u{feff}a: b", "\u{feff}a: *"),
            ("a: 'b", "*"),
            ("", ""),
        ] {
            assert_eq!(masked(text), shown, "{text}");
        }
    }
}
