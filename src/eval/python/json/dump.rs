//! A value and a style come in, the text of `json.dumps` goes out.

use std::fmt::Write;

use crate::eval::python::float::shortest;
use crate::eval::python::{
    Class, DEPTH, Exception, Key, Result, Value, sort_by_key, width, work,
};

/// How `json.dumps` is called.
#[derive(Clone, Debug)]
pub struct JsonStyle {
    /// What a level is indented by; without it all is on one line.
    pub indent: Option<String>,
    /// The order of keys.
    pub sort: KeyOrder,
    /// Whether characters beyond ASCII are escaped.
    pub ascii: bool,
    /// What stands between items, and after a key; the default depends on `indent`.
    pub separators: Option<(String, String)>,
    /// What stands for a value that JSON has not, if anything does.
    pub default: fn(&Value) -> Result<Option<Value>>,
}

/// The order of keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyOrder {
    /// As they are.
    #[default]
    Never,
    /// As Python compares them; unlike ones cannot be.
    Keys,
    /// By what is written for them.
    Text,
}

/// A container that is being written.
struct Open {
    members: std::vec::IntoIter<(Option<String>, Value)>,
    close: char,
    empty: bool,
}

struct Writer<'a> {
    out: String,
    style: &'a JsonStyle,
    item: &'a str,
    key: &'a str,
    open: Vec<Open>,
}

impl Default for JsonStyle {
    fn default() -> JsonStyle {
        let (indent, sort, separators) = (None, KeyOrder::Never, None);
        JsonStyle { indent, sort, ascii: true, separators, default: |_| Ok(None) }
    }
}

/// `json.dumps`
///
/// # Errors
/// A value or a key that JSON has not, or nesting beyond [`DEPTH`].
pub fn dump(value: &Value, style: &JsonStyle) -> Result<String> {
    let (item, key) = match (&style.separators, &style.indent) {
        (Some((item, key)), _) => (&**item, &**key),
        (None, Some(_)) => (",", ": "),
        (None, None) => (", ", ": "),
    };
    let mut writer = Writer { out: String::new(), style, item, key, open: Vec::new() };
    writer.value(value)?;
    writer.members()?;
    work::spell(writer.out.len());
    Ok(writer.out)
}

/// A text as JSON.
pub fn quote(text: &str, ascii: bool, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x0c' => out.push_str("\\f"),
            '\x08' => out.push_str("\\b"),
            ' '..='~' => out.push(c),
            c if ascii || c < ' ' => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

impl Writer<'_> {
    fn members(&mut self) -> Result<()> {
        while let Some(container) = self.open.last_mut() {
            let first = std::mem::take(&mut container.empty);
            let Some((key, value)) = container.members.next() else {
                let close = container.close;
                self.open.pop();
                if !first {
                    self.line();
                }
                self.out.push(close);
                continue;
            };
            if !first {
                self.out.push_str(self.item);
            }
            self.line();
            if let Some(key) = key {
                quote(&key, self.style.ascii, &mut self.out);
                self.out.push_str(self.key);
            }
            self.value(&value)?;
            width(self.out.len())?;
        }
        Ok(())
    }

    fn line(&mut self) {
        if let Some(indent) = &self.style.indent {
            self.out.push('\n');
            self.open.iter().for_each(|_| self.out.push_str(indent));
        }
    }

    /// Writes a scalar, or opens a container.
    fn value(&mut self, value: &Value) -> Result<()> {
        let value = value.force()?;
        match &value {
            Value::Str(text) => quote(text, self.style.ascii, &mut self.out),
            Value::List(items) => return self.begin_list(items.items()?),
            Value::Tuple(items) => return self.begin_list(items.to_vec()),
            Value::Dict(entries) => return self.begin_dict(entries.entries()?),
            other => match scalar(other) {
                Some(text) => self.out.push_str(&text),
                None => return self.other(other),
            },
        }
        Ok(())
    }

    fn other(&mut self, value: &Value) -> Result<()> {
        let refused = || {
            let name = value.type_name();
            Exception::of_type(format!("Object of type {name} is not JSON serializable"))
        };
        let stand_in = (self.style.default)(value)?.ok_or_else(refused)?;
        match stand_in {
            Value::Object(_) | Value::Bytes(_) | Value::Set(_) | Value::Range(_) => {
                Err(refused())
            }
            plain => self.value(&plain),
        }
    }

    fn begin_list(&mut self, items: Vec<Value>) -> Result<()> {
        self.begin('[', ']', items.into_iter().map(|item| (None, item)).collect())
    }

    fn begin_dict(&mut self, mut entries: Vec<(Key, Value)>) -> Result<()> {
        if self.style.sort == KeyOrder::Keys {
            entries = sorted(&entries)?;
        }
        let named =
            entries.into_iter().map(|(key, value)| Ok((Some(name(&key)?), value)));
        let mut named: Vec<_> = named.collect::<Result<_>>()?;
        if self.style.sort == KeyOrder::Text {
            named.sort_by(|a, b| a.0.cmp(&b.0));
        }
        self.begin('{', '}', named)
    }

    fn begin(
        &mut self,
        open: char,
        close: char,
        members: Vec<(Option<String>, Value)>,
    ) -> Result<()> {
        if self.open.len() >= DEPTH {
            let message = "maximum recursion depth exceeded while encoding a JSON object";
            return Err(Exception::new(Class::Recursion, message));
        }
        self.out.push(open);
        self.open.push(Open { members: members.into_iter(), close, empty: true });
        Ok(())
    }
}

/// Entries in the order of their keys.
fn sorted(entries: &[(Key, Value)]) -> Result<Vec<(Key, Value)>> {
    let keys: Vec<Value> = entries.iter().map(|(key, _)| key.value().clone()).collect();
    let places = sort_by_key(&keys, false)?.into_iter();
    Ok(places.filter_map(|at| entries.get(at).cloned()).collect())
}

/// What is written for `None`, a boolean or a number.
fn scalar(value: &Value) -> Option<String> {
    Some(match value {
        Value::None => "null".to_owned(),
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Big(x) => x.to_string(),
        Value::Float(x) if x.is_nan() => "NaN".to_owned(),
        Value::Float(f64::INFINITY) => "Infinity".to_owned(),
        Value::Float(f64::NEG_INFINITY) => "-Infinity".to_owned(),
        Value::Float(x) => shortest(*x),
        _ => return None,
    })
}

fn name(key: &Key) -> Result<String> {
    if let Some(text) = key.as_str() {
        return Ok(text.to_owned());
    }
    scalar(key.value()).ok_or_else(|| {
        Exception::of_type(format!(
            "keys must be str, int, float, bool or None, not {}",
            key.value().type_name()
        ))
    })
}
