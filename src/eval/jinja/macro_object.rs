//! Macros. Only minijinja's machine can call them; their arguments are bound as Jinja
//! binds them.

use std::sync::Arc;

use crate::eval::jinja::filter::parameter::type_error;
use crate::eval::python::{self, Arguments, Exception, Object, Result, Value};

use super::code::Signature;
use super::value::MachineValue;

#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) machine: MachineValue,
    pub(super) signature: Arc<Signature>,
}

impl Macro {
    /// Binds arguments to the parameters: minijinja's macro takes a tuple of all values.
    pub(super) fn bind(&self, arguments: Arguments) -> Result<Arguments> {
        let Signature { name, parameters, varargs, kwargs, caller } = &*self.signature;
        let mut keywords = arguments.keywords;
        let mut positional = arguments.positional.into_iter();
        let mut take = |name: &str| python::take_keyword(&mut keywords, name);
        let missing = || Value::object(Missing);
        let mut bound: Vec<Value> = Vec::new();
        for parameter in parameters {
            let value = positional.next().or_else(|| take(parameter));
            bound.push(value.unwrap_or_else(missing));
        }
        let called =
            if *caller { take("caller").unwrap_or_else(missing) } else { missing() };
        let rest: Vec<Value> = positional.collect();
        if !varargs && !rest.is_empty() {
            return type_error(format!(
                "macro '{name}' takes not more than {} argument(s)",
                parameters.len()
            ));
        }
        if !kwargs && let Some((keyword, _)) = keywords.first() {
            let message =
                format!("macro '{name}' takes no keyword argument '{}'", &**keyword);
            return Err(Exception::of_type(message).naming_literal(keyword));
        }
        if *varargs {
            bound.push(Value::tuple(rest));
        }
        if *kwargs {
            let entries = keywords.into_iter();
            let entry =
                |(name, value): (python::Str, Value)| (python::Key::text(&name), value);
            bound.push(Value::Dict(entries.map(entry).collect()));
        }
        if *caller {
            bound.push(called);
        }
        Ok(Arguments::of([Value::tuple(bound)]))
    }
}

impl Object for Macro {
    fn type_name(&self) -> &str {
        "Macro"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let Signature { parameters, varargs, kwargs, caller, .. } = &*self.signature;
        let names = parameters.iter().map(|name| Value::text(name.as_str()));
        Ok(Some(match name {
            "name" => Value::text(self.signature.name.as_str()),
            "arguments" => Value::tuple(names),
            "caller" => Value::Bool(*caller),
            "catch_varargs" => Value::Bool(*varargs),
            "catch_kwargs" => Value::Bool(*kwargs),
            _ => return Ok(None),
        }))
    }

    fn is_callable(&self) -> bool {
        true
    }
}

/// An argument that was not given.
#[derive(Debug)]
pub(super) struct Missing;

impl Object for Missing {
    fn type_name(&self) -> &str {
        "missing"
    }
}
