//! Functions of the environment: `get_env`, `has_env` and `to_env`.

use crate::eval::python::shell::matches;
use crate::eval::python::{
    Class, Dict, Exception, Key, Result, Secrecy, Value, limit_bytes, str, truth,
};
use crate::eval::{Context, secret, sensitive};

use super::call::{ExpressionFunction, UnfurlCall, function, text_of};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("get_env", get_env).optional(&["name", "default"]).top_level(),
    function("has_env", has_env).required(&["name"]).top_level().unary(),
    function("to_env", to_env).required(&["rules"]).keywords(&["update_os_environ"]).unary().marking(),
];

/// Implements `get_env`: a variable, its default, or all variables.
fn get_env(call: &UnfurlCall<'_>) -> Result<Value> {
    reach(call)?;
    let (name, default) = match call.argument.force()? {
        Value::List(given) => (given.get(0)?, given.get(1)?),
        other => (Some(other), None),
    };
    let name = name.map(|name| call.data_of(&name)).transpose()?;
    let Some(name) = name.filter(|name| truth(name).unwrap_or(false)) else {
        return Ok(Value::Dict(environment(call)));
    };
    match (call.scope.context.world.env(&text_of(&name, "a name")?), default) {
        (Some(value), _) => Ok(Value::text(value)),
        (None, Some(default)) => call.data_of(&default),
        (None, None) => Ok(Value::None),
    }
}

/// Implements `has_env`: true if the variable is set.
fn has_env(call: &UnfurlCall<'_>) -> Result<Value> {
    reach(call)?;
    let name = call.argument.force()?;
    let found = name.as_str().and_then(|name| call.scope.context.world.env(name));
    Ok(Value::Bool(found.is_some()))
}

fn reach(call: &UnfurlCall<'_>) -> Result<()> {
    call.scope.context.permit("env", "what reads the environment")
}

fn environment(call: &UnfurlCall<'_>) -> Dict {
    let all = call.scope.context.world.environment().into_iter();
    Dict::named(all.map(|(name, value)| (name, Value::text(value))))
}

/// Implements `to_env`: the variables that a mapping of rules sets.
fn to_env(call: &UnfurlCall<'_>) -> Result<Value> {
    reach(call)?;
    if let Some(wanted) = call.keyword("update_os_environ")?
        && truth(&wanted)?
    {
        let message = "'update_os_environ' would change the environment of Unfurl";
        return Err(Exception::new(Class::Unsupported, message));
    }
    let rules = match call.data()? {
        Value::Dict(rules) => rules,
        other if !truth(&other)? => Dict::default(),
        other => {
            let message = "'to_env' takes a mapping, not {}";
            return Err(Exception::of_type_of(&other, message));
        }
    };
    let context = &call.scope.context;
    let env = EnvironmentRules { own: environment(call), made: Dict::default(), context };
    let entries = rules.entries()?;
    let has_secret_name =
        entries.iter().any(|(name, _)| name.value().secrecy() > Secrecy::Open);
    for (name, value) in entries {
        // A rule with a pattern is compared with all names.
        call.scope.context.spend((env.own.len() + env.made.len()) as u64)?;
        env.apply(&str(name.value())?, &value)?;
    }
    let made = Value::Dict(env.made);
    if has_secret_name {
        return secret::keep(Ok(made), &[&Value::Dict(rules)], context);
    }
    Ok(made)
}

/// The variables of the process, and those that rules set.
struct EnvironmentRules<'c> {
    own: Dict,
    made: Dict,
    context: &'c Context,
}

impl EnvironmentRules<'_> {
    fn apply(&self, rule: &str, value: &Value) -> Result<()> {
        let mut rest = rule.chars();
        let sign = rest.next().filter(|sign| "+-^".contains(*sign));
        let Some(sign) = sign else { return self.set(rule, value) };
        let (pattern, is_match) = match rest.as_str().strip_prefix('!') {
            Some(pattern) => (pattern, false),
            None => (rest.as_str(), true),
        };
        let source = if sign == '-' { &self.made } else { &self.own };
        let names = source.keys();
        let mut names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        names.retain(|name| matches(pattern, name) == is_match);
        // A rule that matches nothing sets its own name.
        if names.is_empty() && sign != '-' {
            return self.set(pattern, value);
        }
        for name in names {
            match (sign, source.get_text(name)?) {
                ('-', _) => {
                    self.made.write().shift_remove(&Key::text(name));
                }
                ('^', Some(Value::Str(path))) if truth(value)? => {
                    let own = str(value)?;
                    limit_bytes(own.len() + path.len())?;
                    let whole = Value::text(format!("{own}:{}", &*path));
                    let path = Value::text(&*path);
                    let whole = secret::keep(Ok(whole), &[value, &path], self.context)?;
                    self.made.set(Key::text(name), whole);
                }
                (_, Some(known)) => self.made.set(Key::text(name), known),
                (_, None) => {}
            }
        }
        Ok(())
    }

    fn set(&self, name: &str, value: &Value) -> Result<()> {
        let mut used = vec![value.clone()];
        let text = match value {
            Value::None => return Ok(()),
            Value::Bool(true) => "true".to_owned(),
            Value::Bool(false) => String::new(),
            other => self.substitute(&str(&sensitive::bare(other))?, &mut used)?,
        };
        let made = match value {
            Value::Str(known) if **known == *text => value.clone(),
            // Only what this value is made of counts, not the values beside it.
            _ => {
                let from: Vec<&Value> = used.iter().collect();
                secret::keep(Ok(Value::text(text)), &from, self.context)?
            }
        };
        self.made.set(Key::text(name), made);
        Ok(())
    }

    /// Replaces `${NAME}`, `${NAME|OTHER}` and `${NAME:default}` in a text. Adds the values
    /// of the names to `used`.
    fn substitute(&self, text: &str, used: &mut Vec<Value>) -> Result<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            let (before, from) = rest.split_at(at);
            let Some((names, default, after)) = reference(from) else {
                out.push_str(before);
                out.push_str("${");
                rest = &from[2..];
                continue;
            };
            let plain = before.trim_end_matches('\\');
            // One backslash escapes the reference, others before it stay.
            let escapes = before.len() - plain.len();
            out.push_str(plain);
            rest = after;
            if escapes > 0 {
                let whole = &from[..from.len() - after.len()];
                out.extend(std::iter::repeat_n('\\', escapes.saturating_sub(1)));
                out.push_str(whole);
                continue;
            }
            match self.find(names)? {
                Some(found) => {
                    out.push_str(&str(&sensitive::bare(&found))?);
                    used.push(found);
                }
                None => out.push_str(default),
            }
            limit_bytes(out.len())?;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn find(&self, names: &str) -> Result<Option<Value>> {
        for name in names.split('|') {
            for known in [&self.made, &self.own] {
                if let Some(value) = known.get_text(name)? {
                    return Ok(Some(value));
                }
            }
        }
        Ok(None)
    }
}

/// Splits a text that starts with `${…}` into the names, the default and the rest.
fn reference(text: &str) -> Option<(&str, &str, &str)> {
    let inner = text.strip_prefix("${")?;
    let end = inner.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '|')?;
    let (names, rest) = inner.split_at(end);
    if names.is_empty() {
        return None;
    }
    if let Some(after) = rest.strip_prefix('}') {
        return Some((names, "", after));
    }
    let default = rest.strip_prefix(':')?;
    // The default has one character at least, which may be `}`.
    let first = default.chars().next()?.len_utf8();
    let end = first + default.get(first..)?.find('}')?;
    Some((names, &default[..end], &default[end + 1..]))
}
