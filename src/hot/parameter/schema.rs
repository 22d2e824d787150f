//! The schema of a parameter: its definition comes in; whether it makes sense, and whether
//! a value is one for it, goes out.

use crate::eval::Context;
use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::hot::Version;
use crate::hot::exception::{at, meant};
use crate::hot::part::Part;
use crate::source::Span;

use super::constraint::Constraint;
use super::kind::{Kind, no_split};

/// What is said of a parameter.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) kind: Kind,
    pub(super) default: Value,
    /// Where that was written.
    pub(super) default_span: Option<Span>,
    pub(super) is_hidden: bool,
    pub(super) is_immutable: bool,
    constraints: Vec<Constraint>,
}

const KEYS: [&str; 9] = [
    "type",
    "description",
    "default",
    "schema",
    "constraints",
    "hidden",
    "label",
    "immutable",
    "tags",
];

impl Schema {
    /// A text with a default.
    pub(super) fn text(default: &str) -> Schema {
        Schema {
            kind: Kind::String,
            default: Value::text(default),
            default_span: None,
            is_hidden: false,
            is_immutable: false,
            constraints: Vec::new(),
        }
    }

    /// Reads the definition of a parameter.
    pub(super) fn read(name: &str, definition: Part, version: Version) -> Result<Schema> {
        let known =
            if version >= Version::Queens { &KEYS[..] } else { &KEYS[..KEYS.len() - 1] };
        definition.validate_keys(known, &format!("parameter ({name})"))?;
        let Some(kind) = definition.get("type") else {
            let message = format!("Missing parameter type for parameter: {name}");
            return Err(invalid(&message));
        };
        if let Some(tags) = definition.get("tags")
            && tags.items().is_none()
        {
            let message = format!("Tags property should be a list for parameter: {name}");
            return Err(tags.wrong(&message));
        }
        let constraints = match definition.get("constraints") {
            None => Vec::new(),
            Some(all) => constraints(name, all, version)?,
        };
        let default = definition.get("default");
        Ok(Schema {
            kind: named(kind)?,
            default: definition.get_data("default")?,
            default_span: default.and_then(|default| default.span()),
            is_hidden: python::truth(&definition.get_data("hidden")?)?,
            is_immutable: python::truth(&definition.get_data("immutable")?)?,
            constraints,
        })
    }

    /// Whether the constraints suit the type, and the default the constraints.
    pub(super) fn validate(&self, context: &Context) -> Result<()> {
        if let Some(odd) = self.constraints.iter().find(|c| !c.suits(self.kind)) {
            let (constraint, kind) = (odd.name(), self.kind.name());
            let message = format!("{constraint} constraint invalid for {kind}");
            return Err(at(invalid(&message), odd.span));
        }
        let default = match &self.default {
            Value::None => return Ok(()),
            Value::Str(text) if self.kind == Kind::List => {
                Value::list(text.split(',').map(Value::from))
            }
            Value::List(_) if self.kind == Kind::List => {
                self.kind.convert(&self.default)?
            }
            other if self.kind == Kind::List => {
                let reason = no_split(other);
                let message =
                    format!("Default must be a comma-delimited list string: {reason}");
                return Err(at(invalid(&message), self.default_span));
            }
            other => other.clone(),
        };
        let checked = self.constraints.iter().filter(|c| !c.is_custom());
        let mut checked = checked.map(|c| c.validate(&default, self.kind, context));
        checked.try_for_each(|checked| checked).map_err(|raised| match raised.class {
            Class::Value | Class::Type => {
                let default = python::str(&self.default).unwrap_or_default();
                let message = format!("Invalid default {default} ({})", raised.message);
                let mut found = at(invalid(&message), self.default_span);
                found.places.extend(raised.places);
                found
            }
            _ => raised,
        })
    }

    /// Whether a value is one of the type, within the constraints.
    pub(super) fn validate_value(&self, value: &Value, context: &Context) -> Result<()> {
        let value =
            self.kind.constrained(value).map_err(|raised| match raised.class {
                Class::Value | Class::Type => invalid(&raised.message),
                _ => raised,
            })?;
        let checked = self.constraints.iter();
        let mut checked = checked.map(|c| c.validate(&value, self.kind, context));
        checked.try_for_each(|checked| checked).map_err(|raised| match raised.class {
            Class::Value => Box::new(Exception { class: Class::Syntax, ..*raised }),
            _ => raised,
        })
    }

    /// What `get_param` delivers for a value.
    pub(super) fn convert(&self, value: &Value) -> Result<Value> {
        self.kind.convert(value)
    }
}

/// The type that is written.
fn named(kind: Part) -> Result<Kind> {
    let name = kind.data()?;
    Kind::named(&name).ok_or_else(|| {
        let name = python::str(&name).unwrap_or_default();
        let raised = kind.wrong(&format!("Invalid type ({name})"));
        meant(raised, Kind::ALL.map(Kind::name), &name)
    })
}

fn constraints(name: &str, all: Part, version: Version) -> Result<Vec<Constraint>> {
    let Some(constraints) = all.items() else {
        return match all.data()? {
            Value::None => Ok(Vec::new()),
            _ => Err(all.wrong(&format!(
                "Invalid parameter constraints for parameter {name}, expected a list"
            ))),
        };
    };
    constraints.into_iter().map(|one| Constraint::read(one, version)).collect()
}

/// Whether a definition says that the value is not to be shown.
pub(super) fn is_hidden(definition: Part) -> bool {
    let hidden = definition.get_data("hidden");
    hidden.and_then(|hidden| python::truth(&hidden)).unwrap_or(true)
}

/// A schema that makes no sense, or a value that is none for it.
fn invalid(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}
