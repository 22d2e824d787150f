//! Constraints: a definition comes in, whether a value is within it goes out.

use std::sync::Arc;

use crate::eval::python::regex::{self, Flags, Pattern};
use crate::eval::python::{self, Comparison, Exception, Operator, Result, Value, json};

use super::custom;
use super::kind::{Kind, number};
use crate::eval::Context;
use crate::hot::Version;
use crate::hot::exception::{at, invalid};
use crate::hot::part::Part;
use crate::source::Span;

/// A constraint of a parameter.
#[derive(Debug)]
pub(super) struct Constraint {
    rule: Rule,
    /// What is said instead of a message that tells more.
    description: Value,
    /// Where it was written.
    pub(super) span: Option<Span>,
}

#[derive(Debug)]
enum Rule {
    Length { min: Value, max: Value },
    Range { min: Value, max: Value },
    Modulo { step: Value, offset: Value },
    Values(Vec<Value>),
    Pattern { text: String, pattern: Arc<Pattern> },
    Custom(Value),
}

const KEYS: [&str; 7] = [
    "description",
    "length",
    "range",
    "modulo",
    "allowed_values",
    "allowed_pattern",
    "custom_constraint",
];

impl Constraint {
    /// Reads a definition; of several rules in it, one counts.
    pub(super) fn read(definition: Part, version: Version) -> Result<Constraint> {
        definition.validate_keys(&KEYS, "parameter constraints")?;
        let get = |key| definition.get(key);
        let (rule, part) =
            if let Some(modulo) = get("modulo").filter(|_| version >= Version::Ocata) {
                (Rule::modulo(modulo), modulo)
            } else if let Some(range) = get("range") {
                (Rule::range(range), range)
            } else if let Some(length) = get("length") {
                (Rule::length(length), length)
            } else if let Some(allowed) = get("allowed_values") {
                (Rule::values(allowed), allowed)
            } else if let Some(pattern) = get("allowed_pattern") {
                (Rule::pattern(pattern), pattern)
            } else if let Some(name) = get("custom_constraint") {
                (name.data().map(Rule::Custom), name)
            } else {
                return Err(definition.wrong("No constraint expressed"));
            };
        let span = part.span();
        Ok(Constraint {
            rule: rule.map_err(|raised| at(raised, span))?,
            description: definition.get_data("description")?,
            span,
        })
    }

    /// Whether it says something of values of a type.
    pub(super) fn suits(&self, kind: Kind) -> bool {
        match self.rule {
            Rule::Length { .. } => matches!(kind, Kind::String | Kind::List | Kind::Json),
            Rule::Range { .. } | Rule::Modulo { .. } => kind == Kind::Number,
            Rule::Values(_) | Rule::Custom(_) => kind != Kind::Json,
            Rule::Pattern { .. } => kind == Kind::String,
        }
    }

    /// Its name in messages.
    pub(super) fn name(&self) -> &'static str {
        match self.rule {
            Rule::Length { .. } => "Length",
            Rule::Range { .. } => "Range",
            Rule::Modulo { .. } => "Modulo",
            Rule::Values(_) => "AllowedValues",
            Rule::Pattern { .. } => "AllowedPattern",
            Rule::Custom(_) => "CustomConstraint",
        }
    }

    /// Whether somebody else decides.
    pub(super) fn is_custom(&self) -> bool {
        matches!(self.rule, Rule::Custom(_))
    }

    /// Checks a value.
    ///
    /// # Errors
    /// It is not within the constraint: a `ValueError`. Other errors say that it cannot be
    /// compared with it.
    pub(super) fn validate(
        &self,
        value: &Value,
        kind: Kind,
        context: &Context,
    ) -> Result<()> {
        let objection = self.rule.objection(value, kind, context);
        let objection = objection.map_err(|raised| at(raised, self.span))?;
        let Some(message) = objection else { return Ok(()) };
        let message = if python::truth(&self.description)? {
            python::str(&self.description)?
        } else {
            message
        };
        let raised = at(Exception::of_value(message), self.span);
        Err(match &self.rule {
            Rule::Custom(name) => custom::hint(raised, name.as_str().unwrap_or_default()),
            _ => raised,
        })
    }
}

impl Rule {
    fn range(definition: Part) -> Result<Rule> {
        definition.validate_keys(&["min", "max"], "range constraint")?;
        let (min, max) = (bound(definition, "min")?, bound(definition, "max")?);
        if let (Value::None, Value::None) = (&min, &max) {
            return Err(invalid(
                "",
                "A range constraint must have a min value and/or a max value specified.",
            ));
        }
        Ok(Rule::Range { min, max })
    }

    fn length(definition: Part) -> Result<Rule> {
        definition.validate_keys(&["min", "max"], "length constraint")?;
        let (min, max) = (bound(definition, "min")?, bound(definition, "max")?);
        if let (Value::None, Value::None) = (&min, &max) {
            return Err(invalid(
                "",
                "A length constraint must have a min value and/or a max value specified.",
            ));
        }
        if [&min, &max].iter().any(|bound| matches!(bound, Value::Float(_))) {
            return Err(invalid("", "min/max length must be integral"));
        }
        Ok(Rule::Length { min, max })
    }

    fn modulo(definition: Part) -> Result<Rule> {
        definition.validate_keys(&["step", "offset"], "modulo constraint")?;
        let (step, offset) = (bound(definition, "step")?, bound(definition, "offset")?);
        if matches!(step, Value::None) || matches!(offset, Value::None) {
            return Err(invalid(
                "",
                "A modulo constraint must have a step value and an offset value specified.",
            ));
        }
        let whole = |value: &Value| {
            let whole = python::int(value)?;
            if python::equal(&whole, value)? {
                Ok(whole)
            } else {
                Err(invalid("", "step/offset must be integer"))
            }
        };
        let (first, second) = (whole(&step)?, whole(&offset)?);
        let zero = Value::Int(0);
        let size = |value: &Value| {
            if less(value, &zero)? { python::negative(value) } else { Ok(value.clone()) }
        };
        if python::equal(&first, &zero)? {
            return Err(invalid("", "step cannot be 0."));
        }
        if !less(&size(&second)?, &size(&first)?)? {
            let message = "offset must be smaller (by absolute value) than step.";
            return Err(invalid("", message));
        }
        if less(&python::mul(&first, &second)?, &zero)? {
            let message = "step and offset must be both positive or both negative.";
            return Err(invalid("", message));
        }
        Ok(Rule::Modulo { step, offset })
    }

    fn values(allowed: Part) -> Result<Rule> {
        match &allowed.data()? {
            allowed @ (Value::List(_) | Value::Tuple(_) | Value::Bytes(_)) => {
                python::iterate(allowed).map(Rule::Values)
            }
            _ => Err(invalid("", "AllowedValues must be a list")),
        }
    }

    fn pattern(pattern: Part) -> Result<Rule> {
        let pattern = pattern.data()?;
        let Some(text) = pattern.as_str() else {
            return Err(invalid("", "AllowedPattern must be a string"));
        };
        let pattern = regex::compile(text, Flags::default())?;
        Ok(Rule::Pattern { text: text.to_owned(), pattern })
    }

    /// What is said of a value that is not within the rule.
    fn objection(
        &self,
        value: &Value,
        kind: Kind,
        context: &Context,
    ) -> Result<Option<String>> {
        Ok(match self {
            Rule::Length { min, max } => {
                let length = Value::Int(length(value)?);
                let within = within(&length, min, max)?;
                (!within).then_some(format!(
                    "length ({}) is out of range (min: {}, max: {})",
                    python::str(&length)?,
                    python::str(min)?,
                    python::str(max)?
                ))
            }
            Rule::Range { min, max } => {
                let within = within(&number(value)?, min, max)?;
                (!within).then_some(format!(
                    "{} is out of range (min: {}, max: {})",
                    python::str(value)?,
                    python::str(min)?,
                    python::str(max)?
                ))
            }
            Rule::Modulo { step, offset } => {
                let rest = python::binary(Operator::Mod, &number(value)?, step)?;
                (!python::equal(&rest, offset)?).then_some(format!(
                    "{} is not a multiple of {} with an offset of {}",
                    python::str(value)?,
                    python::str(step)?,
                    python::str(offset)?
                ))
            }
            Rule::Values(allowed) => {
                if is_allowed(value, allowed, kind)? {
                    None
                } else {
                    let json = |value| json::dump(value, &json::JsonStyle::default());
                    let allowed: Vec<String> =
                        allowed.iter().map(json).collect::<Result<_>>()?;
                    let (value, allowed) = (json(value)?, allowed.join(", "));
                    Some(format!("{value} is not an allowed value [{allowed}]"))
                }
            }
            Rule::Pattern { text, pattern } => {
                let Some(value) = value.as_str() else {
                    return Err(Exception::of_type(format!(
                        "expected string or bytes-like object, got '{}'",
                        value.type_name()
                    )));
                };
                let found = pattern.match_start(value)?;
                let matches = found.is_some_and(|found| found.whole().end == value.len());
                (!matches)
                    .then(|| format!("\"{value}\" does not match pattern \"{text}\""))
            }
            Rule::Custom(name) => custom::objection(&python::str(name)?, value, context)?,
        })
    }
}

/// A number of a definition, or null.
fn bound(definition: Part, key: &str) -> Result<Value> {
    let Some(bound) = definition.get(key) else { return Ok(Value::None) };
    match bound.data()? {
        Value::None => Ok(Value::None),
        value => number(&value).map_err(|raised| at(raised, bound.span())),
    }
}

fn length(value: &Value) -> Result<i64> {
    python::length(value).map(|length| i64::try_from(length).unwrap_or(i64::MAX))
}

fn less(a: &Value, b: &Value) -> Result<bool> {
    python::order(Comparison::Less, a, b)
}

fn within(value: &Value, min: &Value, max: &Value) -> Result<bool> {
    Ok((matches!(min, Value::None) || !less(value, min)?)
        && (matches!(max, Value::None) || !less(max, value)?))
}

/// Both sides are compared as the type; the members of a list as they are.
fn is_allowed(value: &Value, allowed: &[Value], kind: Kind) -> Result<bool> {
    if let Value::List(items) = value {
        for item in items.items()? {
            if !has(allowed, &item)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let convert = |value: &Value| {
        kind.convert(value).map_err(|raised| match raised.class {
            python::Class::Value => Exception::of_value(format!(
                "Value \"{}\" is invalid for data type \"{}\".",
                python::str(value).unwrap_or_default(),
                kind.name()
            )),
            _ => raised,
        })
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
