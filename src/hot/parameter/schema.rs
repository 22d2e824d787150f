//! The schema of a parameter: type, default and constraints. Checks the schema itself,
//! and values against it.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::eval::Context;
use crate::eval::python::regex::{self, Flags, Pattern};
use crate::eval::python::{
    self, Class, Comparison, Exception, List, Operator, Result, Value, json,
};
use crate::hot::exception::{Placed, invalid, replacing};
use crate::hot::template::TemplateNode;
use crate::hot::version::Version;
use crate::source::Span;

use super::custom;

/// Schemas by name, with the spans of the names.
pub(super) type Schemas = IndexMap<String, (Schema, Option<Span>)>;

#[derive(Debug)]
pub(super) struct Schema {
    pub(super) kind: ParameterType,
    pub(super) default: Value,
    pub(super) default_span: Option<Span>,
    pub(super) is_hidden: bool,
    pub(super) is_immutable: bool,
    constraints: Vec<Constraint>,
}

#[rustfmt::skip]
const KEYS: [&str; 9] = [
    "type", "description", "default", "schema", "constraints", "hidden", "label", "immutable",
    "tags",
];

impl Schema {
    /// Returns the schema of a string with a default.
    pub(super) fn text(default: &str) -> Schema {
        Schema {
            kind: ParameterType::String,
            default: Value::text(default),
            default_span: None,
            is_hidden: false,
            is_immutable: false,
            constraints: Vec::new(),
        }
    }

    pub(super) fn read(
        name: &str,
        definition: TemplateNode,
        version: Version,
    ) -> Result<Schema> {
        let known =
            if version >= Version::Queens { &KEYS[..] } else { &KEYS[..KEYS.len() - 1] };
        definition.validate_keys(known, &format!("parameter ({name})"))?;
        let Some(kind) = definition.get("type") else {
            return Err(invalid(format!("Missing parameter type for parameter: {name}")));
        };
        if let Some(tags) = definition.get("tags")
            && tags.sequence().is_none()
        {
            let message = format!("Tags property should be a list for parameter: {name}");
            return Err(tags.wrong(message));
        }
        let constraints = match definition.get("constraints") {
            None => Vec::new(),
            Some(all) => constraints(name, all, version)?,
        };
        let default = definition.get("default");
        Ok(Schema {
            kind: read_type(kind)?,
            default: definition.get_data("default")?,
            default_span: default.and_then(|default| default.span()),
            is_hidden: python::truth(&definition.get_data("hidden")?)?,
            is_immutable: python::truth(&definition.get_data("immutable")?)?,
            constraints,
        })
    }

    /// Checks that the constraints fit the type, and the default the constraints.
    pub(super) fn validate(&self, context: &Context) -> Result<()> {
        let odd = self.constraints.iter().find(|c| !c.family.types.contains(&self.kind));
        if let Some(odd) = odd {
            let constraint = odd.family.name;
            let kind = self.kind.name();
            let message = format!("{constraint} constraint invalid for {kind}");
            return Err(invalid(message).placed(odd.span));
        }
        let default = match &self.default {
            Value::None => return Ok(()),
            Value::Str(text) if self.kind == ParameterType::List => {
                Value::list(text.split(',').map(Value::from))
            }
            Value::List(_) if self.kind == ParameterType::List => {
                self.kind.convert(&self.default)?
            }
            other if self.kind == ParameterType::List => {
                let reason = python::no_attribute(other, "split").message;
                let message =
                    format!("Default must be a comma-delimited list string: {reason}");
                return Err(invalid(message).placed(self.default_span));
            }
            other => other.clone(),
        };
        let mut checked = self.constraints.iter();
        let checked = checked.try_for_each(|c| match c.rule {
            // These ask a service, which Heat avoids for defaults.
            ConstraintKind::Custom(_) => Ok(()),
            _ => c.validate(&default, self.kind, context),
        });
        checked.map_err(replacing(&[Class::Value, Class::Type], |raised| {
            let default = python::str(&self.default).unwrap_or_default();
            let message = format!("Invalid default {default} ({})", raised.message);
            let mut found = invalid(message).placed(self.default_span);
            found.places.extend(raised.places);
            found
        }))
    }

    /// Checks that a value is of the type and satisfies the constraints.
    pub(super) fn validate_value(&self, value: &Value, context: &Context) -> Result<()> {
        let value = self.kind.constrained(value);
        let value = value.map_err(replacing(&[Class::Value, Class::Type], |raised| {
            invalid(raised.message)
        }))?;
        let mut checked = self.constraints.iter();
        let checked = checked.try_for_each(|c| c.validate(&value, self.kind, context));
        checked.map_err(replacing(&[Class::Value], |raised| {
            Box::new(Exception { class: Class::Syntax, ..*raised })
        }))
    }
}

fn read_type(kind: TemplateNode) -> Result<ParameterType> {
    let name = kind.data()?;
    let found = TYPES.iter().find(|(known, _)| name.as_str() == Some(known));
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let name = python::str(&name).unwrap_or_default();
        let raised = kind.wrong(format!("Invalid type ({name})"));
        raised.did_you_mean(TYPES.map(|(known, _)| known), &name)
    })
}

fn constraints(
    name: &str,
    all: TemplateNode,
    version: Version,
) -> Result<Vec<Constraint>> {
    let Some(constraints) = all.sequence() else {
        return match all.data()? {
            Value::None => Ok(Vec::new()),
            _ => Err(all.wrong(format!(
                "Invalid parameter constraints for parameter {name}, expected a list"
            ))),
        };
    };
    constraints.into_iter().map(|one| Constraint::read(one, version)).collect()
}

/// Returns true if a definition hides the value, or may do so: its entry is not readable.
pub(super) fn is_hidden(definition: TemplateNode) -> bool {
    let hidden = definition.get_data("hidden");
    hidden.and_then(|hidden| python::truth(&hidden)).unwrap_or(true)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterType {
    /// The text of any value.
    String,
    /// An integer or a float.
    Number,
    /// A list of strings.
    List,
    /// Any value.
    Json,
    Boolean,
}

/// Names of the types in templates.
#[rustfmt::skip]
const TYPES: [(&str, ParameterType); 5] = [
    ("string", ParameterType::String), ("number", ParameterType::Number),
    ("comma_delimited_list", ParameterType::List), ("json", ParameterType::Json),
    ("boolean", ParameterType::Boolean),
];

/// Words for booleans, in the order of Heat's message.
#[rustfmt::skip]
const WORDS: [(&str, bool); 12] = [
    ("0", false), ("1", true), ("f", false), ("false", false), ("n", false), ("no", false),
    ("off", false), ("on", true), ("t", true), ("true", true), ("y", true), ("yes", true),
];

impl ParameterType {
    fn name(self) -> &'static str {
        TYPES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Converts a value to this type, as `get_param` returns it. Raises a `ValueError` or
    /// `TypeError`.
    pub(super) fn convert(self, value: &Value) -> Result<Value> {
        match self {
            ParameterType::String => python::str(value).map(Value::text),
            ParameterType::Number => number(value),
            ParameterType::Boolean => boolean(value).map(Value::Bool),
            ParameterType::List => list(value),
            ParameterType::Json => parsed(value),
        }
    }

    /// Returns the value that constraints are checked on. Raises as `convert` does.
    fn constrained(self, value: &Value) -> Result<Value> {
        match self {
            // Heat measures raw scalars, so a number given for a string has no length.
            ParameterType::String => Ok(value.clone()),
            ParameterType::Number | ParameterType::Boolean => {
                self.convert(value).map(|_| value.clone())
            }
            ParameterType::List | ParameterType::Json => self.convert(value),
        }
    }
}

/// Converts to a number as Heat does: numbers stay, others through `int()` or `float()`.
fn number(value: &Value) -> Result<Value> {
    match value {
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {
            Ok(value.clone())
        }
        _ => match python::int(value) {
            Err(raised) if raised.class == Class::Value => {
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
            texts.collect::<Result<List>>().map(Value::List)
        }
        Value::Str(text) if text.is_empty() => Ok(Value::list([])),
        Value::Str(text) => Ok(Value::list(text.split(',').map(Value::from))),
        other => Err(Exception::of_value(format!(
            "Value must be a comma-delimited list string: {}",
            python::no_attribute(other, "split").message
        ))),
    }
}

fn parsed(value: &Value) -> Result<Value> {
    read_json(value).map_err(|raised| match raised.class {
        Class::Limit | Class::Recursion => raised,
        _ => Exception::of_value(format!("Value must be valid JSON: {}", raised.message)),
    })
}

/// Parses JSON in a string; of other values their JSON, which makes all keys strings. An
/// empty string stays.
pub(super) fn read_json(value: &Value) -> Result<Value> {
    match value {
        Value::Str(text) if text.is_empty() => Ok(value.clone()),
        Value::Str(text) => json::load(text),
        other => json::load(&json::dump(other, &json::JsonStyle::default())?),
    }
}

#[derive(Debug)]
struct Constraint {
    family: &'static ConstraintFamily,
    rule: ConstraintKind,
    /// Message that replaces the one of the constraint, if it is truthy.
    description: Value,
    span: Option<Span>,
}

#[derive(Debug)]
enum ConstraintKind {
    Length { min: Value, max: Value },
    Range { min: Value, max: Value },
    Modulo { step: Value, offset: Value },
    Values(Vec<Value>),
    Pattern { text: String, pattern: Arc<Pattern> },
    Custom(Value),
}

#[rustfmt::skip]
const CONSTRAINT_KEYS: [&str; 7] = [
    "description", "length", "range", "modulo", "allowed_values", "allowed_pattern",
    "custom_constraint",
];

/// The constraints of one key.
#[derive(Debug)]
struct ConstraintFamily {
    key: &'static str,
    /// Name in messages.
    name: &'static str,
    /// Types of parameters that may have them.
    types: &'static [ParameterType],
    read: fn(TemplateNode) -> Result<ConstraintKind>,
}

/// Of several keys in one constraint Heat uses the first in this order.
#[rustfmt::skip]
static FAMILIES: [ConstraintFamily; 6] = {
    use ParameterType::{Boolean, Json, List, Number, String};
    const PLAIN: &[ParameterType] = &[String, Number, List, Boolean];
    [
        ConstraintFamily { key: "modulo", name: "Modulo", types: &[Number], read: ConstraintKind::modulo },
        ConstraintFamily { key: "range", name: "Range", types: &[Number], read: ConstraintKind::range },
        ConstraintFamily { key: "length", name: "Length", types: &[String, List, Json],
            read: ConstraintKind::length },
        ConstraintFamily { key: "allowed_values", name: "AllowedValues", types: PLAIN,
            read: ConstraintKind::values },
        ConstraintFamily { key: "allowed_pattern", name: "AllowedPattern", types: &[String],
            read: ConstraintKind::pattern },
        ConstraintFamily { key: "custom_constraint", name: "CustomConstraint", types: PLAIN,
            read: |name| name.data().map(ConstraintKind::Custom) },
    ]
};

impl Constraint {
    fn read(definition: TemplateNode, version: Version) -> Result<Constraint> {
        definition.validate_keys(&CONSTRAINT_KEYS, "parameter constraints")?;
        let known = FAMILIES
            .iter()
            .filter(|family| family.key != "modulo" || version >= Version::Ocata);
        let mut given =
            known.filter_map(|family| Some((family, definition.get(family.key)?)));
        let Some((family, part)) = given.next() else {
            return Err(definition.wrong("No constraint expressed"));
        };
        let span = part.span();
        let rule = (family.read)(part).placed(span)?;
        let description = definition.get_data("description")?;
        Ok(Constraint { family, rule, description, span })
    }

    /// Checks a value. Raises a `ValueError` if it violates the constraint.
    fn validate(
        &self,
        value: &Value,
        kind: ParameterType,
        context: &Context,
    ) -> Result<()> {
        context.step()?;
        let violation = self.rule.violation(value, kind, context).placed(self.span)?;
        let Some(message) = violation else { return Ok(()) };
        let message = if python::truth(&self.description)? {
            python::str(&self.description)?
        } else {
            message
        };
        let raised = Exception::of_value(message).placed(self.span);
        Err(match &self.rule {
            ConstraintKind::Custom(name) => {
                custom::hint(raised, name.as_str().unwrap_or_default())
            }
            _ => raised,
        })
    }
}

impl ConstraintKind {
    fn range(definition: TemplateNode) -> Result<ConstraintKind> {
        let (min, max) = bounds(definition, "range")?;
        Ok(ConstraintKind::Range { min, max })
    }

    fn length(definition: TemplateNode) -> Result<ConstraintKind> {
        let (min, max) = bounds(definition, "length")?;
        if [&min, &max].iter().any(|bound| matches!(bound, Value::Float(_))) {
            return Err(invalid("min/max length must be integral"));
        }
        Ok(ConstraintKind::Length { min, max })
    }

    fn modulo(definition: TemplateNode) -> Result<ConstraintKind> {
        definition.validate_keys(&["step", "offset"], "modulo constraint")?;
        let step = bound(definition, "step")?;
        let offset = bound(definition, "offset")?;
        if matches!(step, Value::None) || matches!(offset, Value::None) {
            return Err(invalid(
                "A modulo constraint must have a step value and an offset value specified.",
            ));
        }
        let whole = |value: &Value| {
            let whole = python::int(value)?;
            if python::equal(&whole, value)? {
                Ok(whole)
            } else {
                Err(invalid("step/offset must be integer"))
            }
        };
        let first = whole(&step)?;
        let second = whole(&offset)?;
        let zero = Value::Int(0);
        if python::equal(&first, &zero)? {
            return Err(invalid("step cannot be 0."));
        }
        if !less(&size(&second, &zero)?, &size(&first, &zero)?)? {
            return Err(invalid("offset must be smaller (by absolute value) than step."));
        }
        if less(&python::mul(&first, &second)?, &zero)? {
            let message = "step and offset must be both positive or both negative.";
            return Err(invalid(message));
        }
        Ok(ConstraintKind::Modulo { step, offset })
    }

    fn values(allowed: TemplateNode) -> Result<ConstraintKind> {
        match &allowed.data()? {
            allowed @ (Value::List(_) | Value::Tuple(_) | Value::Bytes(_)) => {
                python::iterate(allowed).map(ConstraintKind::Values)
            }
            _ => Err(invalid("AllowedValues must be a list")),
        }
    }

    fn pattern(pattern: TemplateNode) -> Result<ConstraintKind> {
        let pattern = pattern.data()?;
        let Some(text) = pattern.as_str() else {
            return Err(invalid("AllowedPattern must be a string"));
        };
        let pattern = regex::compile(text, Flags::default())?;
        Ok(ConstraintKind::Pattern { text: text.to_owned(), pattern })
    }

    /// Returns the message for a value that violates the constraint.
    fn violation(
        &self,
        value: &Value,
        kind: ParameterType,
        context: &Context,
    ) -> Result<Option<String>> {
        Ok(match self {
            ConstraintKind::Length { min, max } => {
                let length = Value::Int(length(value)?);
                let shown = || Ok(format!("length ({})", python::str(&length)?));
                out_of_range(&length, min, max, shown)?
            }
            ConstraintKind::Range { min, max } => {
                out_of_range(&number(value)?, min, max, || python::str(value))?
            }
            ConstraintKind::Modulo { step, offset } => {
                let rest = python::binary(Operator::Mod, &number(value)?, step)?;
                (!python::equal(&rest, offset)?).then_some(format!(
                    "{} is not a multiple of {} with an offset of {}",
                    python::str(value)?,
                    python::str(step)?,
                    python::str(offset)?
                ))
            }
            ConstraintKind::Values(allowed) => {
                if is_allowed(value, allowed, kind)? {
                    None
                } else {
                    let style = json::JsonStyle::default();
                    let allowed = allowed.iter().map(|value| json::dump(value, &style));
                    let allowed = allowed.collect::<Result<Vec<_>>>()?.join(", ");
                    let value = json::dump(value, &style)?;
                    Some(format!("{value} is not an allowed value [{allowed}]"))
                }
            }
            ConstraintKind::Pattern { text, pattern } => {
                let Some(value) = value.as_str() else {
                    return Err(Exception::of_type_of(
                        value,
                        "expected string or bytes-like object, got '{}'",
                    ));
                };
                let found = pattern.match_start(value)?;
                // Heat compares the end of `re.match` with the length: of alternatives
                // the first match counts, even if a later one would be longer.
                let matches = found.is_some_and(|found| found.whole().end == value.len());
                (!matches)
                    .then(|| format!("\"{value}\" does not match pattern \"{text}\""))
            }
            ConstraintKind::Custom(name) => {
                custom::violation(&python::str(name)?, value, context)?
            }
        })
    }
}

/// Reads the bounds of a constraint, at least one of which must be given.
fn bounds(definition: TemplateNode, name: &str) -> Result<(Value, Value)> {
    definition.validate_keys(&["min", "max"], &format!("{name} constraint"))?;
    let min = bound(definition, "min")?;
    let max = bound(definition, "max")?;
    if let (Value::None, Value::None) = (&min, &max) {
        return Err(invalid(format!(
            "A {name} constraint must have a min value and/or a max value specified."
        )));
    }
    Ok((min, max))
}

/// Reads a number of a definition; null if it is absent.
fn bound(definition: TemplateNode, key: &str) -> Result<Value> {
    let Some(bound) = definition.get(key) else { return Ok(Value::None) };
    match bound.data()? {
        Value::None => Ok(Value::None),
        value => number(&value).placed(bound.span()),
    }
}

fn length(value: &Value) -> Result<i64> {
    python::length(value).map(|length| i64::try_from(length).unwrap_or(i64::MAX))
}

/// Returns the absolute value of a number.
fn size(value: &Value, zero: &Value) -> Result<Value> {
    if less(value, zero)? { python::negative(value) } else { Ok(value.clone()) }
}

fn less(a: &Value, b: &Value) -> Result<bool> {
    python::order(Comparison::Less, a, b)
}

/// Returns the message for a number that is not between two others, if they are given.
fn out_of_range(
    number: &Value,
    min: &Value,
    max: &Value,
    shown: impl FnOnce() -> Result<String>,
) -> Result<Option<String>> {
    let within = (matches!(min, Value::None) || !less(number, min)?)
        && (matches!(max, Value::None) || !less(max, number)?);
    if within {
        return Ok(None);
    }
    let shown = shown()?;
    let min = python::str(min)?;
    let max = python::str(max)?;
    Ok(Some(format!("{shown} is out of range (min: {min}, max: {max})")))
}

/// Returns true if a value is allowed. Scalars are converted first, members of lists not.
fn is_allowed(value: &Value, allowed: &[Value], kind: ParameterType) -> Result<bool> {
    if let Value::List(items) = value {
        for item in items.items()? {
            if !has(allowed, &item)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let convert = |value: &Value| {
        kind.convert(value).map_err(replacing(&[Class::Value], |_| {
            Exception::of_value(format!(
                "Value \"{}\" is invalid for data type \"{}\".",
                python::str(value).unwrap_or_default(),
                kind.name()
            ))
        }))
    };
    let allowed: Vec<Value> = allowed.iter().map(convert).collect::<Result<_>>()?;
    has(&allowed, &convert(value)?)
}

fn has(values: &[Value], value: &Value) -> Result<bool> {
    for other in values {
        if python::equal(other, value)? {
            return Ok(true);
        }
    }
    Ok(false)
}
