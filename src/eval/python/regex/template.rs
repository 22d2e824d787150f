//! Templates of `re.sub`, with `\1` and `\g<name>`.

use super::pattern::{Match, Pattern};
use super::translate::{is_name, quoted};
use crate::eval::python::{Class, Exception, Result};

/// A parsed template.
#[derive(Debug)]
pub struct Template(Vec<TemplatePart>);

#[derive(Debug)]
enum TemplatePart {
    Text(String),
    Group(usize),
}

/// Implements `re.escape`.
pub fn escape(text: &str) -> String {
    let special = |c| "()[]{}?*+-|^$\\.&~# \t\n\r\x0b\x0c".contains(c);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if special(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

impl Template {
    /// Parses a template for the matches of a pattern.
    ///
    /// # Errors
    /// A `ValueError` or an `IndexError` for an unknown group; a `ValueError` for an unknown escape.
    pub fn new(template: &str, pattern: &Pattern) -> Result<Template> {
        let (mut parts, mut text) = (Vec::new(), String::new());
        let (mut rest, mut at) = (template, 0);
        while let Some((before, after)) = rest.split_once('\\') {
            text.push_str(before);
            at += before.chars().count();
            let (part, length) = part(after, at, pattern)?;
            match part {
                TemplatePart::Text(more) => text.push_str(&more),
                group @ TemplatePart::Group(_) => {
                    parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                    parts.push(group);
                }
            }
            at += 1 + after[..length].chars().count();
            rest = &after[length..];
        }
        text.push_str(rest);
        parts.push(TemplatePart::Text(text));
        Ok(Template(parts))
    }

    /// Appends the replacement of a match. A group that did not match is empty.
    pub fn expand(&self, found: &Match, text: &str, out: &mut String) {
        for part in &self.0 {
            match part {
                TemplatePart::Text(text) => out.push_str(text),
                TemplatePart::Group(group) => {
                    out.push_str(found.group(*group, text).unwrap_or(""));
                }
            }
        }
    }
}

/// Parses an escape after its backslash. Returns its length in bytes, too.
fn part(after: &str, at: usize, pattern: &Pattern) -> Result<(TemplatePart, usize)> {
    let text = |c: char, length| Ok((TemplatePart::Text(c.to_string()), length));
    let Some(c) = after.chars().next() else {
        return Err(wrong("bad escape (end of pattern)", at));
    };
    match c {
        'g' => named(&after[1..], at + 2, pattern).map(|(part, n)| (part, n + 1)),
        // `\0` and up to two more digits are octal, never a group.
        '0' => {
            let length = 1 + digits(&after[1..], 2, 8);
            text(octal(&after[..length]), length)
        }
        // Three octal digits are a character; two digits at most are a group.
        '1'..='9' if digits(after, 3, 8) == 3 => {
            let value = u32::from_str_radix(&after[..3], 8).unwrap_or(0);
            if value <= 0o377 {
                text(octal(&after[..3]), 3)
            } else {
                Err(wrong(
                    &format!(
                        "octal escape value \\{} outside of range 0-0o377",
                        &after[..3]
                    ),
                    at,
                ))
            }
        }
        '1'..='9' => {
            let length = digits(after, 2, 10);
            let number = after[..length].parse().unwrap_or(0);
            Ok((TemplatePart::Group(known(number, at + 1, pattern)?), length))
        }
        'a' => text('\x07', 1),
        'b' => text('\x08', 1),
        'f' => text('\x0c', 1),
        'n' => text('\n', 1),
        'r' => text('\r', 1),
        't' => text('\t', 1),
        'v' => text('\x0b', 1),
        '\\' => text('\\', 1),
        c if c.is_ascii_alphabetic() => Err(wrong(&format!("bad escape \\{c}"), at)),
        // Python keeps the backslash of an unknown escape unless a letter follows.
        c => Ok((TemplatePart::Text(format!("\\{c}")), c.len_utf8())),
    }
}

/// Parses `<name>` after `\g`.
fn named(after: &str, at: usize, pattern: &Pattern) -> Result<(TemplatePart, usize)> {
    let Some(inner) = after.strip_prefix('<') else {
        return Err(wrong("missing <", at));
    };
    let name = match inner.split_once('>') {
        Some(("", _)) => return Err(wrong("missing group name", at + 1)),
        Some((name, _)) => name,
        None if inner.is_empty() => return Err(wrong("missing group name", at + 1)),
        None => return Err(wrong("missing >, unterminated name", at + 1)),
    };
    let length = name.len() + 2;
    if name.bytes().all(|b| b.is_ascii_digit()) {
        let number = name.parse().unwrap_or(usize::MAX);
        return Ok((TemplatePart::Group(known(number, at + 1, pattern)?), length));
    }
    if !is_name(name) {
        return Err(wrong(
            &format!("bad character in group name {}", quoted(name)?),
            at + 1,
        ));
    }
    match pattern.number(name) {
        Some(number) => Ok((TemplatePart::Group(number), length)),
        None => Err(Exception::new(
            Class::Index,
            format!("unknown group name {}", quoted(name)?),
        )),
    }
}

fn known(number: usize, at: usize, pattern: &Pattern) -> Result<usize> {
    if number <= pattern.groups() {
        Ok(number)
    } else {
        Err(wrong(&format!("invalid group reference {number}"), at))
    }
}

/// Returns the number of digits at the start, up to `max`.
fn digits(text: &str, max: usize, radix: u32) -> usize {
    text.chars().take(max).take_while(|c| c.is_digit(radix)).count()
}

fn octal(digits: &str) -> char {
    let value = u32::from_str_radix(digits, 8).unwrap_or(0);
    char::from_u32(value & 0xff).unwrap_or_default()
}

fn wrong(what: &str, at: usize) -> Box<Exception> {
    Exception::of_value(format!("{what} at position {at}"))
}
