//! `str.format` and `str.format_map`.

use super::super::access::no_attribute;
use super::super::{
    Arguments, Class, Exception, Result, Secrecy, Str, Value, ascii, attribute, item,
    limit_bytes, repr, str, text,
};
use super::specification::format_value;

/// Implements `text.format(...)`. Raises a `ValueError` if the text is no format string.
pub fn format(text: &Str, arguments: &Arguments) -> Result<Str> {
    let keyword = |name: &str| {
        let found = arguments.keywords.iter().find(|(known, _)| **known == *name);
        found.map(|(_, value)| value.clone()).ok_or_else(|| missing(name))
    };
    Formatter::run(text, &arguments.positional, &keyword)
}

/// Implements `text.format_map(mapping)`; fails as [`format`](fn@format).
pub fn format_map(text: &Str, mapping: &Value) -> Result<Str> {
    Formatter::run(text, &[], &|name: &str| item(mapping, &name.into()))
}

fn missing(name: &str) -> Box<Exception> {
    match repr(&name.into()) {
        Ok(name) => Exception::new(Class::Key, name),
        Err(error) => error,
    }
}

/// The arguments of a format string and the state of its expansion.
struct Formatter<'a> {
    positional: &'a [Value],
    keyword: &'a dyn Fn(&str) -> Result<Value>,
    numbering: FieldNumbering,
    markup: bool,
    secrecy: Secrecy,
}

impl<'a> Formatter<'a> {
    fn run(
        text: &Str,
        positional: &'a [Value],
        keyword: &'a dyn Fn(&str) -> Result<Value>,
    ) -> Result<Str> {
        // A `Markup` string escapes what is inserted, as `markupsafe` does.
        let numbering = FieldNumbering::default();
        let markup = text.is_markup();
        let mut formatter =
            Formatter { positional, keyword, numbering, markup, secrecy: Secrecy::Open };
        let out = formatter.expand(text, 2)?;
        let mut stamp = text.stamp();
        // The result is not a part of the text any more, so an edit cannot be traced to
        // it. It is as secret as the most secret part.
        stamp.origin = None;
        stamp.secrecy = stamp.secrecy.max(formatter.secrecy);
        Ok(Str::made(out, stamp))
    }

    /// Expands a format string. A specification may hold fields, one level deep.
    fn expand(&mut self, text: &str, depth: usize) -> Result<String> {
        if depth == 0 {
            return fail("Max string recursion exceeded");
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (literal, brace) = rest.split_at(at);
            out.push_str(literal);
            let (brace, after) = brace.split_at(1);
            if after.starts_with(brace) {
                out.push_str(brace);
                rest = &after[1..];
                continue;
            }
            if brace == "}" || after.is_empty() {
                return fail(&format!("Single '{brace}' encountered in format string"));
            }
            let (field, after) = read_field(after)?;
            out.push_str(&self.field(&field, depth)?);
            // Checked for each field: repeated widths can make a text of gigabytes.
            limit_bytes(out.len())?;
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn field(&mut self, field: &ReplacementField, depth: usize) -> Result<String> {
        let value = self.value(field.name)?;
        // The depth of 2 is Python's: `'{:{:{}}}'` is "Max string recursion exceeded".
        let specification = if field.specification.contains('{') {
            self.expand(field.specification, depth - 1)?
        } else {
            field.specification.to_owned()
        };
        let value = match field.conversion {
            None => value,
            Some('s') => str(&value)?.into(),
            Some('r') => repr(&value)?.into(),
            Some('a') => ascii(&repr(&value)?).into(),
            Some(other) => return fail(&format!("Unknown conversion specifier {other}")),
        };
        let is_markup = matches!(&value, Value::Str(text) if text.is_markup());
        self.secrecy = self.secrecy.max(value.secrecy());
        let text = format_value(&value, &specification)?;
        Ok(if self.markup && !is_markup { text::escape(&text) } else { text })
    }

    fn value(&mut self, name: &str) -> Result<Value> {
        let (first, mut steps) = split_name(name);
        let mut value = match self.numbering.index(first)? {
            Some(at) => self.positional.get(at).cloned().ok_or_else(|| {
                let message = format!(
                    "Replacement index {at} out of range for positional args tuple"
                );
                Exception::new(Class::Index, message)
            })?,
            None => (self.keyword)(first)?,
        };
        while let Some(step) = steps.next_access()? {
            value = follow(&value, step)?;
        }
        Ok(value)
    }
}

fn follow(value: &Value, step: FieldAccess) -> Result<Value> {
    match step {
        FieldAccess::Item(key) => match key.parse() {
            Ok(at) => item(value, &Value::Int(at)),
            Err(_) => item(value, &key.into()),
        },
        FieldAccess::Attribute(name) => {
            let is_open = !name.starts_with('_');
            let own = if is_open { attribute(value, name)? } else { None };
            let found = match (own, value) {
                (None, Value::Dict(dict)) if is_open => dict.get_text(name)?,
                (own, _) => own,
            };
            found.ok_or_else(|| no_attribute(value, name))
        }
    }
}

/// A replacement field, without its braces.
struct ReplacementField<'a> {
    name: &'a str,
    conversion: Option<char>,
    specification: &'a str,
}

fn fail<T>(message: &str) -> Result<T> {
    Err(Exception::of_value(message))
}

/// Reads a field after its `{`. Returns the field and the text after its `}`.
fn read_field(text: &str) -> Result<(ReplacementField<'_>, &str)> {
    let Some(end) = end_of_name(text)? else {
        return fail("expected '}' before end of string");
    };
    let (name, rest) = text.split_at(end);
    let mut field = ReplacementField { name, conversion: None, specification: "" };
    let mut rest = match rest.split_at(1) {
        ("}", rest) => return Ok((field, rest)),
        ("!", rest) => {
            field.conversion = rest.chars().next();
            let Some(conversion) = field.conversion else {
                return fail("end of string while looking for conversion specifier");
            };
            let rest = &rest[conversion.len_utf8()..];
            match rest.chars().next() {
                Some('}') => return Ok((field, &rest[1..])),
                Some(':') => &rest[1..],
                Some(_) => return fail("expected ':' after conversion specifier"),
                None => rest,
            }
        }
        (_, rest) => rest,
    };
    // Braces are counted, not parsed: the specification is expanded later.
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
    fail("unmatched '{' in format spec")
}

/// Returns the end of the name of a field. Brackets may hold any character.
fn end_of_name(text: &str) -> Result<Option<usize>> {
    let mut bracket = false;
    for (at, c) in text.char_indices() {
        match c {
            ']' => bracket = false,
            _ if bracket => {}
            '[' => bracket = true,
            '{' => return fail("unexpected '{' in field name"),
            '}' | ':' | '!' => return Ok(Some(at)),
            _ => {}
        }
    }
    Ok(None)
}

/// The numbering of positional fields: automatic (`{}`) or manual (`{0}`), not both.
#[derive(Default)]
struct FieldNumbering {
    next: usize,
    manual: Option<bool>,
}

impl FieldNumbering {
    /// Returns the position of the argument that a field names; `None` for a keyword.
    fn index(&mut self, name: &str) -> Result<Option<usize>> {
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
            return fail(&format!("cannot switch from {from} to {to}"));
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

/// An access to a part of a value.
enum FieldAccess<'a> {
    Attribute(&'a str),
    Item(&'a str),
}

/// The accesses that follow the first name of a field.
struct FieldPath<'a>(&'a str);

/// Splits the name of a field into the argument and the accesses.
fn split_name(name: &str) -> (&str, FieldPath<'_>) {
    let (first, rest) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
    (first, FieldPath(rest))
}

impl<'a> FieldPath<'a> {
    fn next_access(&mut self) -> Result<Option<FieldAccess<'a>>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let step = match self.0.split_at_checked(1) {
            Some((".", rest)) => {
                let (name, rest) =
                    rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
                self.0 = rest;
                FieldAccess::Attribute(name)
            }
            Some(("[", rest)) => {
                let Some((key, rest)) = rest.split_once(']') else {
                    return fail("Missing ']' in format string");
                };
                self.0 = rest;
                FieldAccess::Item(key)
            }
            _ => return fail("Only '.' or '[' may follow ']' in format field specifier"),
        };
        match step {
            FieldAccess::Attribute("") | FieldAccess::Item("") => {
                fail("Empty attribute in format string")
            }
            step => Ok(Some(step)),
        }
    }
}
