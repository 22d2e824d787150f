//! The functions of JMESPath: arguments come in, are checked, and a value goes out.

use super::Expression;
use crate::eval::jinja::filter::parameter::method;
use crate::eval::python::{
    self, Class, Comparison, Dict, Exception, Operator, Result, Value, json,
};
use crate::eval::walk::Walk;

/// What a function takes: the types of each argument, and whether the last may be repeated.
const FUNCTIONS: &[(&str, &[&str], bool)] = &[
    ("abs", &["number"], false),
    ("avg", &["array-number"], false),
    ("ceil", &["number"], false),
    ("contains", &["array|string", "any"], false),
    ("ends_with", &["string", "string"], false),
    ("floor", &["number"], false),
    ("join", &["string", "array-string"], false),
    ("keys", &["object"], false),
    ("length", &["string|array|object"], false),
    ("map", &["expref", "array"], false),
    ("max", &["array-number|array-string"], false),
    ("max_by", &["array", "expref"], false),
    ("merge", &["object"], true),
    ("min", &["array-number|array-string"], false),
    ("min_by", &["array", "expref"], false),
    ("not_null", &["any"], true),
    ("reverse", &["array|string"], false),
    ("sort", &["array-number|array-string"], false),
    ("sort_by", &["array", "expref"], false),
    ("starts_with", &["string", "string"], false),
    ("sum", &["array-number"], false),
    ("to_array", &["any"], false),
    ("to_number", &["any"], false),
    ("to_string", &["any"], false),
    ("type", &["any"], false),
    ("values", &["object"], false),
];

/// The type of a value, as JMESPath names it.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::None => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::Big(_) | Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::List(_) => "array",
        Value::Dict(_) => "object",
        _ => "unknown",
    }
}

/// Calls a function.
pub(super) fn call(
    name: &str,
    given: &[Expression],
    value: &Value,
    walk: &Walk<'_>,
) -> Result<Value> {
    let Some((_, types, repeated)) = FUNCTIONS.iter().find(|(known, ..)| *known == name)
    else {
        return Err(Exception::new(Class::Syntax, format!("Unknown function: {name}()")));
    };
    let fits =
        if *repeated { given.len() >= types.len() } else { given.len() == types.len() };
    if !fits {
        return Err(Exception::new(
            Class::Syntax,
            format!(
                "Expected {} argument{} for function {name}(), received {}",
                types.len(),
                if types.len() == 1 { "" } else { "s" },
                given.len()
            ),
        ));
    }
    let (mut values, mut reference) = (Vec::new(), None);
    for (at, expression) in given.iter().enumerate() {
        let types = types.get(at).or(types.last()).copied().unwrap_or("any");
        match expression {
            Expression::Reference(inner) if types == "expref" => {
                reference = Some(&**inner);
            }
            _ => {
                let found = expression.search(value, walk)?;
                check(name, types, &found)?;
                values.push(found);
            }
        }
    }
    match (&*values, reference) {
        ([Value::List(list)], Some(key)) => by(name, &list.items()?, key, walk),
        _ => plain(name, &values),
    }
}

fn check(function: &str, types: &str, value: &Value) -> Result<()> {
    let own = kind(value);
    let mut fits = false;
    for wanted in types.split('|') {
        fits |= match (wanted.split_once('-'), value) {
            (None, _) => wanted == "any" || wanted == own,
            (Some((_, of)), Value::List(list)) => {
                list.items()?.iter().all(|member| kind(member) == of)
            }
            _ => false,
        };
    }
    if fits {
        Ok(())
    } else {
        Err(Exception::new(
            Class::Syntax,
            format!(
                "In function {function}(), invalid type for value: {}, expected one of: {}, \
                 received: {own}",
                python::str(value)?,
                types.replace('|', ", ")
            ),
        ))
    }
}

/// Functions that look at each member of a list.
fn by(
    function: &str,
    members: &[Value],
    key: &Expression,
    walk: &Walk<'_>,
) -> Result<Value> {
    let keys = members.iter().map(|member| {
        walk.meet(0)?;
        key.search(member, walk)
    });
    let keys = keys.collect::<Result<Vec<Value>>>()?;
    if function == "map" {
        return Ok(Value::list(keys));
    }
    let first = keys.first().map_or("number", kind);
    for key in &keys {
        let wanted = if first == "string" { "string" } else { "number" };
        check(
            function,
            if function == "sort_by" { wanted } else { "number|string" },
            key,
        )?;
    }
    if function == "sort_by" {
        let places = python::sort_by_key(&keys, false)?.into_iter();
        return Ok(Value::list(places.filter_map(|at| members.get(at).cloned())));
    }
    let best = extreme(function, &keys)?;
    Ok(best.and_then(|at| members.get(at).cloned()).unwrap_or(Value::None))
}

/// The place of the first of the least, or the greatest.
fn extreme(function: &str, keys: &[Value]) -> Result<Option<usize>> {
    let comparison = match function {
        "min" | "min_by" => Comparison::Less,
        _ => Comparison::Greater,
    };
    let mut best: Option<(usize, &Value)> = None;
    for (at, key) in keys.iter().enumerate() {
        let better = match best {
            Some((_, best)) => python::order(comparison, key, best)?,
            None => true,
        };
        if better {
            best = Some((at, key));
        }
    }
    Ok(best.map(|(at, _)| at))
}

fn plain(function: &str, values: &[Value]) -> Result<Value> {
    let first = values.first().unwrap_or(&Value::None);
    let second = values.get(1).unwrap_or(&Value::None);
    let length = || python::length(first).map(|length| Value::Int(length as i64));
    match function {
        "abs" => {
            if python::order(Comparison::Less, first, &Value::Int(0))? {
                python::negative(first)
            } else {
                Ok(first.clone())
            }
        }
        "avg" if python::truth(first)? => {
            python::binary(Operator::Div, &sum(first)?, &length()?)
        }
        "avg" => Ok(Value::None),
        "ceil" => rounded(first, f64::ceil),
        "floor" => rounded(first, f64::floor),
        "contains" => python::contains(first, second).map(Value::Bool),
        "ends_with" => method(first, "endswith", [second.clone()]),
        "starts_with" => method(first, "startswith", [second.clone()]),
        "join" => method(first, "join", [second.clone()]),
        "keys" => python::iterate(first).map(Value::list),
        "values" => python::iterate(&method(first, "values", [])?).map(Value::list),
        "length" => length(),
        "max" | "min" => {
            let members = python::iterate(first)?;
            let at = extreme(function, &members)?;
            Ok(at.and_then(|at| members.get(at).cloned()).unwrap_or(Value::None))
        }
        "merge" => merge(values),
        "not_null" => {
            let found = values.iter().find(|value| !matches!(value, Value::None));
            Ok(found.cloned().unwrap_or(Value::None))
        }
        "reverse" => python::slice(first, &Value::None, &Value::None, &Value::Int(-1)),
        "sort" => python::sort(python::iterate(first)?, false).map(Value::list),
        "sum" => sum(first),
        "to_array" if kind(first) == "array" => Ok(first.clone()),
        "to_array" => Ok(Value::list([first.clone()])),
        "to_number" => number(first),
        "to_string" => string(first),
        "type" => Ok(Value::from(kind(first))),
        _ => Ok(Value::None),
    }
}

fn sum(members: &Value) -> Result<Value> {
    let members = python::iterate(members)?;
    members.iter().try_fold(Value::Int(0), |sum, member| python::add(&sum, member))
}

fn rounded(value: &Value, round: fn(f64) -> f64) -> Result<Value> {
    match value {
        Value::Float(number) => python::int(&Value::Float(round(*number))),
        whole => Ok(whole.clone()),
    }
}

fn merge(objects: &[Value]) -> Result<Value> {
    let merged = Dict::default();
    for object in objects {
        if let Value::Dict(dict) = object {
            for (key, value) in dict.entries()? {
                merged.set(key, value);
            }
        }
    }
    Ok(Value::Dict(merged))
}

fn number(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::Int(_) | Value::Big(_) | Value::Float(_) => value.clone(),
        Value::Str(_) => python::int(value)
            .or_else(|_| python::float(value).map(Value::Float))
            .unwrap_or(Value::None),
        _ => Value::None,
    })
}

fn string(value: &Value) -> Result<Value> {
    if let Value::Str(_) = value {
        return Ok(value.clone());
    }
    let separators = Some((",".to_owned(), ":".to_owned()));
    json::dump(value, &json::JsonStyle { separators, ..json::JsonStyle::default() })
        .map(Value::from)
}
