//! A replacement field comes in as text, its name, conversion and specification go out.

use super::super::{Exception, Result};

/// What stands between braces.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) conversion: Option<char>,
    pub(super) specification: &'a str,
}

/// Reads a field up to its brace, which has been opened; also gives what follows.
pub(super) fn read(text: &str) -> Result<(Field<'_>, &str)> {
    let wrong = |message: &str| Err(Exception::of_value(message));
    let Some(end) = end_of_name(text)? else {
        return wrong("expected '}' before end of string");
    };
    let (name, rest) = text.split_at(end);
    let mut field = Field { name, conversion: None, specification: "" };
    let mut rest = match rest.split_at(1) {
        ("}", rest) => return Ok((field, rest)),
        ("!", rest) => {
            field.conversion = rest.chars().next();
            let Some(conversion) = field.conversion else {
                return wrong("end of string while looking for conversion specifier");
            };
            let rest = &rest[conversion.len_utf8()..];
            match rest.chars().next() {
                Some('}') => return Ok((field, &rest[1..])),
                Some(':') => &rest[1..],
                Some(_) => return wrong("expected ':' after conversion specifier"),
                None => rest,
            }
        }
        (_, rest) => rest,
    };
    let mut open = 1;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            (field.specification, rest) = (&rest[..at], &rest[at + 1..]);
            return Ok((field, rest));
        }
    }
    wrong("unmatched '{' in format spec")
}

/// Where a name ends; brackets may hold anything.
fn end_of_name(text: &str) -> Result<Option<usize>> {
    let mut bracket = false;
    for (at, c) in text.char_indices() {
        match c {
            ']' => bracket = false,
            _ if bracket => {}
            '[' => bracket = true,
            '{' => return Err(Exception::of_value("unexpected '{' in field name")),
            '}' | ':' | '!' => return Ok(Some(at)),
            _ => {}
        }
    }
    Ok(None)
}

/// Whether fields are numbered by themselves or by who wrote them.
#[derive(Default)]
pub(super) struct Numbering {
    next: usize,
    manual: Option<bool>,
}

impl Numbering {
    /// The place of the argument that a field names; nothing if it names one by keyword.
    pub(super) fn index(&mut self, name: &str) -> Result<Option<usize>> {
        let manual = !name.is_empty();
        if manual && !name.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        if *self.manual.get_or_insert(manual) != manual {
            let (from, to) = if manual {
                ("automatic field numbering", "manual field specification")
            } else {
                ("manual field specification", "automatic field numbering")
            };
            let message = format!("cannot switch from {from} to {to}");
            return Err(Exception::of_value(message));
        }
        self.next += 1;
        if manual {
            name.parse().map(Some).map_err(|_| {
                Exception::of_value("Too many decimal digits in format string")
            })
        } else {
            Ok(Some(self.next - 1))
        }
    }
}

/// A step from a value to what is within it.
pub(super) enum Step<'a> {
    Attribute(&'a str),
    Item(&'a str),
}

/// The steps that follow the first name of a field.
pub(super) struct Steps<'a>(&'a str);

/// Splits the name of a field into the argument and the steps from there.
pub(super) fn split(name: &str) -> (&str, Steps<'_>) {
    let (first, rest) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
    (first, Steps(rest))
}

impl<'a> Steps<'a> {
    pub(super) fn next_step(&mut self) -> Result<Option<Step<'a>>> {
        let wrong = |message| Err(Exception::of_value(message));
        if self.0.is_empty() {
            return Ok(None);
        }
        let step = match self.0.split_at_checked(1) {
            Some((".", rest)) => {
                let (name, rest) =
                    rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
                self.0 = rest;
                Step::Attribute(name)
            }
            Some(("[", rest)) => {
                let Some((key, rest)) = rest.split_once(']') else {
                    return wrong("Missing ']' in format string");
                };
                self.0 = rest;
                Step::Item(key)
            }
            _ => {
                let message = "Only '.' or '[' may follow ']' in format field specifier";
                return wrong(message);
            }
        };
        match step {
            Step::Attribute("") | Step::Item("") => {
                wrong("Empty attribute in format string")
            }
            step => Ok(Some(step)),
        }
    }
}
