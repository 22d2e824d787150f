//! The types of parameters: a value as it was given comes in, what `get_param` delivers
//! goes out.

use crate::eval::python::{self, Exception, Result, Value, json};

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `string`: the text of anything
    String,
    /// `number`: an integer or a float
    Number,
    /// `comma_delimited_list`: a list of texts
    List,
    /// `json`: anything
    Json,
    /// `boolean`
    Boolean,
}

/// The words for a boolean, in order.
const WORDS: [(&str, bool); 12] = [
    ("0", false),
    ("1", true),
    ("f", false),
    ("false", false),
    ("n", false),
    ("no", false),
    ("off", false),
    ("on", true),
    ("t", true),
    ("true", true),
    ("y", true),
    ("yes", true),
];

impl Kind {
    /// All of them.
    pub(super) const ALL: [Kind; 5] =
        [Kind::String, Kind::Number, Kind::List, Kind::Json, Kind::Boolean];

    /// The type of that name.
    pub(super) fn named(name: &Value) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| Some(kind.name()) == name.as_str())
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::Number => "number",
            Kind::List => "comma_delimited_list",
            Kind::Json => "json",
            Kind::Boolean => "boolean",
        }
    }

    /// A value as this type.
    ///
    /// # Errors
    /// It cannot be one.
    pub(super) fn convert(self, value: &Value) -> Result<Value> {
        match self {
            Kind::String => python::str(value).map(Value::text),
            Kind::Number => number(value),
            Kind::Boolean => boolean(value).map(Value::Bool),
            Kind::List => list(value),
            Kind::Json => parsed(value),
        }
    }

    /// What constraints are applied to.
    pub(super) fn constrained(self, value: &Value) -> Result<Value> {
        match self {
            Kind::String => Ok(value.clone()),
            Kind::Number | Kind::Boolean => self.convert(value).map(|_| value.clone()),
            Kind::List | Kind::Json => self.convert(value),
        }
    }
}

/// What stands for a number: a number is one already.
pub(super) fn number(value: &Value) -> Result<Value> {
    match value {
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {
            Ok(value.clone())
        }
        _ => match python::int(value) {
            Err(raised) if raised.class == python::Class::Value => {
                python::float(value).map(Value::Float)
            }
            number => number,
        },
    }
}

fn boolean(value: &Value) -> Result<bool> {
    let text = python::str(value)?;
    let word = text.trim_matches(python::character::is_space).to_lowercase();
    let found = WORDS.iter().find(|(known, _)| *known == word);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known = WORDS.map(|(known, _)| format!("'{known}'")).join(", ");
        Exception::of_value(format!(
            "Unrecognized value '{text}', acceptable values are: {known}"
        ))
    })
}

fn list(value: &Value) -> Result<Value> {
    match value {
        Value::List(items) => {
            let items = items.items()?;
            let texts = items.iter().map(|item| python::str(item).map(Value::text));
            texts.collect::<Result<python::List>>().map(Value::List)
        }
        Value::Str(text) if text.is_empty() => Ok(Value::list([])),
        Value::Str(text) => Ok(Value::list(text.split(',').map(Value::from))),
        other => Err(Exception::of_value(format!(
            "Value must be a comma-delimited list string: {}",
            no_split(other)
        ))),
    }
}

/// What Python says when it is asked to split what is no text.
pub(super) fn no_split(value: &Value) -> String {
    format!("'{}' object has no attribute 'split'", value.type_name())
}

/// What is no text is written as JSON and read again, which makes keys texts.
pub(super) fn parsed(value: &Value) -> Result<Value> {
    let text = match value {
        Value::Str(text) if text.is_empty() => return Ok(value.clone()),
        Value::Str(text) => Ok(text.to_string()),
        other => json::dump(other, &json::JsonStyle::default()),
    };
    text.and_then(|text| json::load(&text)).map_err(|raised| match raised.class {
        python::Class::Limit | python::Class::Recursion => raised,
        _ => {
            let message = format!("Value must be valid JSON: {}", raised.message);
            Exception::of_value(message)
        }
    })
}
