//! `validate_json`: validates data against a JSON schema (draft 7).

use std::cmp::Ordering;

use crate::eval::Context;
use crate::eval::python::{
    Class, Dict, Exception, Key, Number, Result, Value, equal, max_depth, regex, repr,
};

use super::call::{ExpressionFunction, UnfurlCall, function};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("validate_json", validate_json).required(&["data", "schema"]),
];

fn validate_json(call: &UnfurlCall<'_>) -> Result<Value> {
    let (data, schema) = call.pair()?;
    let schemas = JsonSchema { root: &schema, context: &call.scope.context };
    Ok(Value::Bool(schemas.fits(&data, &schema, 0)?))
}

/// A schema document, in which references are looked up.
struct JsonSchema<'a> {
    root: &'a Value,
    context: &'a Context,
}

fn bad(what: &str, value: &Value) -> Box<Exception> {
    let value = repr(value).unwrap_or_default();
    Exception::of_value(format!("the schema is wrong: {value} is no {what}"))
}

impl JsonSchema<'_> {
    /// Returns true if data is valid. Raises a `ValueError` if the schema is wrong, a
    /// `RecursionError` if it refers to itself without end.
    fn fits(&self, data: &Value, schema: &Value, depth: usize) -> Result<bool> {
        if depth > max_depth() {
            let message = "the schema leads back to itself";
            return Err(Exception::new(Class::Recursion, message));
        }
        self.context.spend(1)?;
        let schema = match schema.force()? {
            Value::Bool(fits) => return Ok(fits),
            Value::Dict(schema) => schema,
            other => return Err(bad("schema", &other)),
        };
        // Draft 7 ignores all keywords beside `$ref`.
        if let Some(reference) = schema.get_text("$ref")? {
            return self.fits(data, &self.find(&reference)?, depth + 1);
        }
        for (keyword, value) in schema.entries()? {
            let Some(keyword) = keyword.as_str() else { continue };
            let fits = keyword_fits(keyword, data, &value, self.context)?
                && self.parts_fit(keyword, data, &value, &schema, depth + 1)?;
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the schema that a reference such as `#/a/b` leads to.
    fn find(&self, reference: &Value) -> Result<Value> {
        let what = "reference within the schema";
        let path = reference.as_str().and_then(|text| text.strip_prefix('#'));
        let mut found = self.root.clone();
        for token in path.ok_or_else(|| bad(what, reference))?.split('/').skip(1) {
            // In this order: `~01` stands for `~1`.
            let token = token.replace("~1", "/").replace("~0", "~");
            let next = match &found {
                Value::Dict(entries) => entries.get_text(&token)?,
                Value::List(items) => match token.parse() {
                    Ok(at) => items.get(at)?,
                    Err(_) => None,
                },
                _ => None,
            };
            found = next.ok_or_else(|| bad(what, reference))?;
        }
        Ok(found)
    }

    /// Returns true if data satisfies a keyword that contains schemas.
    fn parts_fit(
        &self,
        keyword: &str,
        data: &Value,
        value: &Value,
        schema: &Dict,
        depth: usize,
    ) -> Result<bool> {
        match (keyword, data) {
            ("if", _) => {
                let branch = if self.fits(data, value, depth)? { "then" } else { "else" };
                return match schema.get_text(branch)? {
                    Some(branch) => self.fits(data, &branch, depth),
                    None => Ok(true),
                };
            }
            ("dependencies", Value::Dict(entries)) => {
                return self.dependencies_fit(entries, value, data, depth);
            }
            _ => {}
        }
        let Some(parts) = parts(keyword, data, value, schema)? else { return Ok(true) };
        let mut fitting = 0;
        for (part, schema) in &parts {
            let fits = self.fits(part, schema, depth)?;
            fitting += usize::from(fits);
            if !fits && !matches!(keyword, "anyOf" | "oneOf" | "not" | "contains") {
                return Ok(false);
            }
        }
        Ok(match keyword {
            "anyOf" | "contains" => fitting > 0,
            "oneOf" => fitting == 1,
            "not" => fitting == 0,
            _ => true,
        })
    }

    /// Returns true if data satisfies `dependencies`.
    fn dependencies_fit(
        &self,
        entries: &Dict,
        value: &Value,
        data: &Value,
        depth: usize,
    ) -> Result<bool> {
        for (name, needs) in map("map", value)?.entries()? {
            let fits = match (entries.get(&name)?, &needs) {
                (None, _) => true,
                (Some(_), Value::List(names)) => has_all(entries, &names.items()?)?,
                (Some(_), schema) => self.fits(data, schema, depth)?,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the parts of data that a keyword is about, each with its schema; nothing if it
/// is about other data.
fn parts(
    keyword: &str,
    data: &Value,
    value: &Value,
    schema: &Dict,
) -> Result<Option<Vec<(Value, Value)>>> {
    Ok(Some(match (keyword, data) {
        ("allOf" | "anyOf" | "oneOf", _) => {
            let schemas = list("list of schemas", value)?.into_iter();
            schemas.map(|schema| (data.clone(), schema)).collect()
        }
        ("not", _) => vec![(data.clone(), value.clone())],
        ("contains", Value::List(items)) => each(items.items()?, value).collect(),
        ("items", Value::List(items)) => match value {
            Value::List(schemas) => {
                items.items()?.into_iter().zip(schemas.items()?).collect()
            }
            _ => each(items.items()?, value).collect(),
        },
        ("additionalItems", Value::List(items)) => match schema.get_text("items")? {
            Some(Value::List(known)) => {
                each(items.items()?, value).skip(known.len()).collect()
            }
            _ => Vec::new(),
        },
        ("propertyNames", Value::Dict(entries)) => each(entries.keys(), value).collect(),
        ("properties", Value::Dict(entries)) => {
            let mut found = Vec::new();
            for (name, schema) in map("map of schemas", value)?.entries()? {
                found.extend(entries.get(&name)?.map(|part| (part, schema)));
            }
            found
        }
        ("patternProperties", Value::Dict(entries)) => {
            let mut found = Vec::new();
            for (name, part) in entries.entries()? {
                let schemas = patterns_of(&name, value)?.into_iter();
                found.extend(schemas.map(|schema| (part.clone(), schema)));
            }
            found
        }
        ("additionalProperties", Value::Dict(entries)) => {
            each(others(entries, schema)?, value).collect()
        }
        _ => return Ok(None),
    }))
}

fn each(parts: Vec<Value>, schema: &Value) -> impl Iterator<Item = (Value, Value)> {
    parts.into_iter().map(|part| (part, schema.clone()))
}

/// Returns true if data satisfies a keyword without schemas.
fn keyword_fits(
    keyword: &str,
    data: &Value,
    value: &Value,
    context: &Context,
) -> Result<bool> {
    let size = |wanted: &Value| match wanted {
        Value::Int(size) if *size >= 0 => Ok(*size as usize),
        other => Err(bad("size", other)),
    };
    let (length, keyword) = match (data, keyword) {
        (Value::Str(text), "minLength" | "maxLength") => {
            (text.chars().count(), &keyword[..3])
        }
        (Value::List(items), "minItems" | "maxItems") => (items.len(), &keyword[..3]),
        (Value::Dict(entries), "minProperties" | "maxProperties") => {
            (entries.len(), &keyword[..3])
        }
        _ => (0, keyword),
    };
    match (keyword, data) {
        ("min", _) => Ok(length >= size(value)?),
        ("max", _) => Ok(length <= size(value)?),
        ("type", _) => match value {
            Value::List(names) => {
                let mut fits = false;
                for name in names.items()? {
                    fits |= is_of(data, &name)?;
                }
                Ok(fits)
            }
            name => is_of(data, name),
        },
        ("enum", _) => {
            for known in list("list", value)? {
                if is_same(data, &known)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        ("const", _) => is_same(data, value),
        ("pattern", Value::Str(text)) => Ok(pattern(value)?.search(text)?.is_some()),
        ("required", Value::Dict(entries)) => has_all(entries, &list("list", value)?),
        ("uniqueItems", Value::List(items)) => match value {
            Value::Bool(true) => is_unique(&items.items()?, context),
            _ => Ok(true),
        },
        _ => number_fits(keyword, data, value),
    }
}

fn number_fits(keyword: &str, data: &Value, value: &Value) -> Result<bool> {
    let fits: Option<fn(Ordering) -> bool> = match keyword {
        "minimum" => Some(Ordering::is_ge),
        "maximum" => Some(Ordering::is_le),
        "exclusiveMinimum" => Some(Ordering::is_gt),
        "exclusiveMaximum" => Some(Ordering::is_lt),
        "multipleOf" => None,
        _ => return Ok(true),
    };
    let number = |value: &Value| match value {
        Value::Bool(_) => None,
        other => Number::of(other),
    };
    let limit = number(value).ok_or_else(|| bad("number", value))?;
    let Some(data) = number(data) else { return Ok(true) };
    if let Some(fits) = fits {
        return Ok(data.order(&limit).is_some_and(fits));
    }
    let [data, limit] = [data, limit].map(|n| n.float().unwrap_or(f64::INFINITY));
    Ok(limit != 0.0 && (data / limit).fract() == 0.0)
}

/// Returns true if data is of a JSON type.
fn is_of(data: &Value, name: &Value) -> Result<bool> {
    Ok(match (name.as_str().unwrap_or_default(), data) {
        ("null", Value::None) | ("boolean", Value::Bool(_)) => true,
        ("string", Value::Str(_)) | ("array", Value::List(_)) => true,
        ("object", Value::Dict(_)) | ("integer", Value::Int(_) | Value::Big(_)) => true,
        ("integer", Value::Float(x)) => x.fract() == 0.0,
        ("number", Value::Int(_) | Value::Big(_) | Value::Float(_)) => true,
        (
            "null" | "boolean" | "string" | "array" | "object" | "integer" | "number",
            _,
        ) => false,
        _ => return Err(bad("type", name)),
    })
}

/// Returns true if two values are equal in JSON, where `1` is not `true`.
fn is_same(a: &Value, b: &Value) -> Result<bool> {
    let bools = [a, b].iter().filter(|value| matches!(value, Value::Bool(_))).count();
    Ok(bools != 1 && equal(a, b)?)
}

fn is_unique(items: &[Value], context: &Context) -> Result<bool> {
    for (at, item) in items.iter().enumerate() {
        context.spend(items.len() as u64)?;
        for other in items.iter().skip(at + 1) {
            if is_same(item, other)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn has_all(entries: &Dict, names: &[Value]) -> Result<bool> {
    for name in names {
        let name = name.as_str().ok_or_else(|| bad("name", name))?;
        if !entries.has_text(name) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the values that neither `properties` nor `patternProperties` covers.
fn others(entries: &Dict, schema: &Dict) -> Result<Vec<Value>> {
    let known = match schema.get_text("properties")? {
        Some(known) => map("map of schemas", &known)?,
        None => Dict::default(),
    };
    let patterns = schema.get_text("patternProperties")?;
    let mut others = Vec::new();
    for (name, part) in entries.entries()? {
        let is_matched = match &patterns {
            Some(patterns) => !patterns_of(&name, patterns)?.is_empty(),
            None => false,
        };
        if known.get(&name)?.is_none() && !is_matched {
            others.push(part);
        }
    }
    Ok(others)
}

/// Returns the schemas whose pattern matches a name.
fn patterns_of(name: &Key, schemas: &Value) -> Result<Vec<Value>> {
    let mut found = Vec::new();
    for (text, schema) in map("map of schemas", schemas)?.entries()? {
        if pattern(text.value())?.search(name.as_str().unwrap_or_default())?.is_some() {
            found.push(schema);
        }
    }
    Ok(found)
}

fn pattern(text: &Value) -> Result<std::sync::Arc<regex::Pattern>> {
    match text.as_str() {
        Some(pattern) => regex::compile(pattern, regex::Flags::default()),
        None => Err(bad("pattern", text)),
    }
}

fn list(what: &str, value: &Value) -> Result<Vec<Value>> {
    match value {
        Value::List(items) => items.items(),
        other => Err(bad(what, other)),
    }
}

fn map(what: &str, value: &Value) -> Result<Dict> {
    match value {
        Value::Dict(entries) => Ok(entries.clone()),
        other => Err(bad(what, other)),
    }
}
