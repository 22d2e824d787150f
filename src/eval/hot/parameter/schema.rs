//! The schema of a parameter: its definition comes in; whether it makes sense, and whether
//! a value is one for it, goes out.

use crate::eval::hot::Version;
use crate::python::{self, Class, Dict, Exception, Result, Value};

use super::constraint::Constraint;
use super::kind::{Kind, no_split};

/// What is said of a parameter.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) kind: Kind,
    pub(super) default: Value,
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
            is_hidden: false,
            is_immutable: false,
            constraints: Vec::new(),
        }
    }

    /// Reads the definition of a parameter.
    pub(super) fn read(
        name: &str,
        definition: &Value,
        version: Version,
    ) -> Result<Schema> {
        let known = match version >= Version::Queens {
            true => &KEYS[..],
            false => &KEYS[..KEYS.len() - 1],
        };
        let definition = mapping(definition, known, &format!("parameter ({name})"))?;
        let Some(kind) = definition.get_text("type")? else {
            return Err(invalid(&format!(
                "Missing parameter type for parameter: {name}"
            )));
        };
        if !matches!(definition.get_text("tags")?, None | Some(Value::List(_))) {
            let message = format!("Tags property should be a list for parameter: {name}");
            return Err(invalid(&message));
        }
        let constraints = match definition.get_text("constraints")? {
            None | Some(Value::None) => Vec::new(),
            Some(Value::List(all)) => {
                let all = all.items()?;
                let read = all.iter().map(|one| Constraint::read(one, version));
                read.collect::<Result<_>>()?
            }
            Some(_) => {
                return Err(invalid(&format!(
                    "Invalid parameter constraints for parameter {name}, expected a list"
                )));
            }
        };
        let truth = |key| match definition.get_text(key)? {
            Some(value) => python::truth(&value),
            None => Ok(false),
        };
        Ok(Schema {
            kind: match Kind::named(&kind) {
                Some(kind) => kind,
                None => {
                    let message = format!("Invalid type ({})", python::str(&kind)?);
                    return Err(invalid(&message));
                }
            },
            default: definition.get_text("default")?.unwrap_or(Value::None),
            is_hidden: truth("hidden")?,
            is_immutable: truth("immutable")?,
            constraints,
        })
    }

    /// Whether the constraints suit the type, and the default the constraints.
    pub(super) fn validate(&self) -> Result<()> {
        if let Some(odd) = self.constraints.iter().find(|c| !c.suits(self.kind)) {
            let (constraint, kind) = (odd.name(), self.kind.name());
            return Err(invalid(&format!("{constraint} constraint invalid for {kind}")));
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
                return Err(invalid(&format!(
                    "Default must be a comma-delimited list string: {}",
                    no_split(other)
                )));
            }
            other => other.clone(),
        };
        let checked = self.constraints.iter().filter(|c| !c.is_custom());
        let mut checked = checked.map(|c| c.validate(&default, self.kind));
        checked.try_for_each(|checked| checked).map_err(|raised| match raised.class {
            Class::Value | Class::Type => {
                let default = python::str(&self.default).unwrap_or_default();
                invalid(&format!("Invalid default {default} ({})", raised.message))
            }
            _ => raised,
        })
    }

    /// Whether a value is one of the type, within the constraints.
    pub(super) fn validate_value(&self, value: &Value) -> Result<()> {
        let value =
            self.kind.constrained(value).map_err(|raised| match raised.class {
                Class::Value | Class::Type => invalid(&raised.message),
                _ => raised,
            })?;
        let mut checked = self.constraints.iter().map(|c| c.validate(&value, self.kind));
        checked.try_for_each(|checked| checked).map_err(|raised| match raised.class {
            Class::Value => invalid(&raised.message),
            _ => raised,
        })
    }

    /// What `get_param` delivers for a value.
    pub(super) fn convert(&self, value: &Value) -> Result<Value> {
        self.kind.convert(value)
    }
}

/// Whether a definition says that the value is not to be shown.
pub(super) fn is_hidden(definition: &Value) -> bool {
    let Value::Dict(entries) = definition else { return false };
    match entries.get_text("hidden") {
        Ok(said) => said.is_some_and(|said| python::truth(&said).unwrap_or(true)),
        Err(_) => true,
    }
}

/// A definition that is to be a mapping with these keys.
pub(super) fn mapping<'v>(
    definition: &'v Value,
    keys: &[&str],
    what: &str,
) -> Result<&'v Dict> {
    let Value::Dict(entries) = definition else {
        return Err(invalid(&format!("Invalid {what}, expected a mapping")));
    };
    let unknown = |key: &Value| key.as_str().is_none_or(|key| !keys.contains(&key));
    match entries.keys().iter().find(|key| unknown(key)) {
        Some(key) => {
            let key = python::str(key)?;
            Err(invalid(&format!("Invalid key '{key}' for {what}")))
        }
        None => Ok(entries),
    }
}

/// A schema that makes no sense, or a value that is none for it.
pub(super) fn invalid(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}
