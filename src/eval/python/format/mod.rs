//! `str.format`: a text with fields in braces and arguments come in, the text with what the
//! fields stand for goes out.

mod field;
mod specification;

use field::{Numbering, Step};
pub use specification::format_value;
pub(super) use specification::in_base;

use super::number::Number;
use super::{
    Arguments, Class, Exception, Key, Result, Secrecy, Str, Value, ascii, attribute,
    item, markup, repr, str, width,
};

/// `text.format(...)`
///
/// # Errors
/// The text is no such format, or a field finds nothing.
pub fn format(text: &Str, arguments: &Arguments) -> Result<Str> {
    let keyword = |name: &str| {
        let found = arguments.keywords.iter().find(|(known, _)| **known == *name);
        found.map(|(_, value)| value.clone()).ok_or_else(|| missing(name))
    };
    Formatter::run(text, &arguments.positional, &keyword)
}

/// `text.format_map(mapping)`
///
/// # Errors
/// The text is no such format, or a field finds nothing.
pub fn format_map(text: &Str, mapping: &Value) -> Result<Str> {
    let keyword = |name: &str| item(mapping, &name.into());
    Formatter::run(text, &[], &keyword)
}

fn missing(name: &str) -> Box<Exception> {
    match repr(&name.into()) {
        Ok(name) => Exception::new(Class::Key, name),
        Err(error) => error,
    }
}

struct Formatter<'a> {
    positional: &'a [Value],
    keyword: &'a dyn Fn(&str) -> Result<Value>,
    numbering: Numbering,
    markup: bool,
    secrecy: Secrecy,
}

impl<'a> Formatter<'a> {
    fn run(
        text: &Str,
        positional: &'a [Value],
        keyword: &'a dyn Fn(&str) -> Result<Value>,
    ) -> Result<Str> {
        let (numbering, markup) = (Numbering::default(), text.is_markup());
        let mut formatter =
            Formatter { positional, keyword, numbering, markup, secrecy: Secrecy::Open };
        let out = formatter.expand(text, 2)?;
        let mut stamp = text.stamp();
        stamp.origin = None;
        stamp.secrecy = stamp.secrecy.max(formatter.secrecy);
        Ok(Str::stamped(out, stamp))
    }

    /// Fills in a text; within it, what stands after a `:` is filled in once more.
    fn expand(&mut self, text: &str, depth: usize) -> Result<String> {
        if depth == 0 {
            return Err(Exception::of_value("Max string recursion exceeded"));
        }
        let (mut out, mut rest) = (String::new(), text);
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
                let message = format!("Single '{brace}' encountered in format string");
                return Err(Exception::of_value(message));
            }
            let (field, after) = field::read(after)?;
            out.push_str(&self.field(&field, depth)?);
            width(out.len())?;
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn field(&mut self, field: &field::Field, depth: usize) -> Result<String> {
        let value = self.value(field.name)?;
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
            Some(other) => {
                let message = format!("Unknown conversion specifier {other}");
                return Err(Exception::of_value(message));
            }
        };
        let is_markup = matches!(&value, Value::Str(text) if text.is_markup());
        self.secrecy = self.secrecy.max(value.secrecy());
        let text = format_value(&value, &specification)?;
        Ok(if self.markup && !is_markup { markup::escape(&text) } else { text })
    }

    fn value(&mut self, name: &str) -> Result<Value> {
        let (first, mut steps) = field::split(name);
        let mut value = match self.numbering.index(first)? {
            Some(at) => self.positional.get(at).cloned().ok_or_else(|| {
                let message = format!(
                    "Replacement index {at} out of range for positional args tuple"
                );
                Exception::new(Class::Index, message)
            })?,
            None => (self.keyword)(first)?,
        };
        while let Some(step) = steps.next_step()? {
            value = follow(&value, step)?;
        }
        Ok(value)
    }
}

/// What an attribute or a key of a value stands for. An attribute that is none may be a key,
/// as it may everywhere in a template.
fn follow(value: &Value, step: Step) -> Result<Value> {
    match step {
        Step::Item(key) => match key.parse() {
            Ok(at) => item(value, &Value::Int(at)),
            Err(_) => item(value, &key.into()),
        },
        Step::Attribute(name) if name.starts_with('_') => no_attribute(value, name),
        Step::Attribute(name) => match attribute(value, name)? {
            Some(found) => Ok(found),
            None => match value {
                Value::Dict(dict) => match dict.get(&Key::text(name))? {
                    Some(found) => Ok(found),
                    None => no_attribute(value, name),
                },
                _ => no_attribute(value, name),
            },
        },
    }
}

fn no_attribute(value: &Value, name: &str) -> Result<Value> {
    Err(super::access::no_attribute(value, name))
}

/// The character that a number stands for.
pub(super) fn character(number: &Number) -> Result<char> {
    let code = match number {
        Number::Small(code) => u32::try_from(*code).ok(),
        Number::Big(_) | Number::Float(_) => None,
    };
    code.and_then(char::from_u32)
        .ok_or_else(|| Exception::new(Class::Overflow, "%c arg not in range(0x110000)"))
}
