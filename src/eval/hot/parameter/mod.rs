//! The parameters of a template: their schemas and what was given come in, values go out.

mod constraint;
mod custom;
mod environment;
mod group;
mod kind;
mod schema;

use std::cell::OnceCell;

use indexmap::IndexMap;

use crate::diagnostic::near;
use crate::python::{self, Class, Dict, Exception, Result, Value};
use crate::source::Span;

use super::condition::at;
use super::secret::{Secrets, hide_words, is_given};
use super::template::Template;
use super::{Input, Version};

pub(super) use group::validate as validate_groups;
use schema::Schema;

/// What a hidden value is shown as.
pub const HIDDEN: &str = "******";

/// Every parameter, by name, those that every template has first.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    all: IndexMap<String, Parameter>,
    /// What was given, also what no parameter takes.
    given: Dict,
    /// What must not be said of those that were asked for.
    pub(super) secrets: Secrets,
}

#[derive(Debug)]
struct Parameter {
    schema: Schema,
    /// What it was given; nothing is null.
    given: Value,
    /// What it is if it was given nothing; nothing is null.
    default: Value,
    /// No message says its value.
    is_secret: bool,
    /// Every template has it.
    is_pseudo: bool,
    /// Where it was named.
    span: Option<Span>,
    value: OnceCell<Value>,
}

/// The schemas of a template, by name.
type Schemas = IndexMap<String, (Schema, Option<Span>)>;

impl Parameters {
    /// Reads the schemas of a template, and with them what was given.
    pub(super) fn read(
        template: &Template,
        version: Version,
        input: &Input,
    ) -> Result<Parameters> {
        let environments = environment::parse(&input.environments)?;
        let mut schemas = Schemas::new();
        for (key, value) in template.section("parameters")?.unwrap_or_default() {
            let name = template.name(key)?;
            let span = template.span(key);
            let definition = template.data(value)?;
            let schema = Schema::read(&name, &definition, version);
            // Where a hidden one is defined, its default stands.
            let shown = span.filter(|_| !schema::is_hidden(&definition));
            schemas.insert(name, (schema.map_err(|raised| at(raised, shown))?, span));
        }
        let (given, defaults) = environment::merge(environments, &schemas)?;
        for (key, value) in input.parameters.entries()? {
            given.set(key, value);
        }
        for (key, value) in input.defaults.entries()? {
            defaults.set(key, value);
        }
        let mut all = pseudo(input);
        for (name, (schema, span)) in schemas {
            let given = given.get_text(&name)?.unwrap_or(Value::None);
            let is_secret =
                schema.is_hidden || is_given(&schema.default, &template.given);
            let parameter = Parameter::new(schema, given, span);
            all.insert(name, Parameter { is_secret, ..parameter });
        }
        for (key, value) in defaults.entries()? {
            // Null is nothing given, which the schema's default stands in for.
            if let Some(parameter) = key.as_str().and_then(|name| all.get_mut(name))
                && !matches!(value, Value::None)
            {
                parameter.default = value;
            }
        }
        Ok(Parameters { all, given, secrets: Secrets::default() })
    }

    /// Checks what was given, and whether all that is needed was.
    pub(super) fn validate(&self, previous: Option<&Dict>) -> Result<()> {
        for key in self.given.keys() {
            let name = python::str(&key)?;
            let defined = self.all.get(&name).is_some_and(|known| !known.is_pseudo);
            if !defined || key.as_str().is_none() {
                let message =
                    format!("The Parameter ({name}) was not defined in template.");
                let known = self.all.iter().filter(|(_, known)| !known.is_pseudo);
                let near = near(known.map(|(known, _)| &**known), &name);
                let raised = Exception::new(Class::Missing, message);
                return Err(match near {
                    Some(near) => raised.hint(format!("did you mean '{near}'?")),
                    None => raised,
                });
            }
        }
        for (name, parameter) in &self.all {
            parameter.validate(name)?;
        }
        previous.map_or(Ok(()), |previous| self.validate_immutable(previous))
    }

    fn validate_immutable(&self, previous: &Dict) -> Result<()> {
        let mut changed = Vec::new();
        for (name, parameter) in &self.all {
            if let (true, Some(old)) =
                (parameter.schema.is_immutable, previous.get_text(name)?)
                && !python::equal(&parameter.previous(&old)?, &parameter.value()?)?
            {
                changed.push(&**name);
            }
        }
        changed.sort_unstable();
        match changed.is_empty() {
            true => Ok(()),
            false => {
                let message = format!(
                    "The following parameters are immutable and may not be updated: {}",
                    changed.join(", ")
                );
                Err(Exception::new(Class::Syntax, message))
            }
        }
    }

    /// The value of a parameter.
    pub(super) fn value(&self, name: &str) -> Result<Value> {
        let parameter = self.all.get(name).ok_or_else(|| missing(name))?;
        let value = parameter.value()?;
        if parameter.is_secret {
            self.secrets.meet(parameter.raw());
            self.secrets.meet(&value);
        }
        Ok(value)
    }

    /// Every parameter: its name, its value and whether that is not to be shown.
    pub(super) fn values(&self) -> Result<Vec<(&str, Value, bool)>> {
        let value = |(name, parameter): (_, &Parameter)| {
            let name: &String = name;
            Ok((&**name, parameter.value()?, parameter.schema.is_hidden))
        };
        self.all.iter().map(value).collect()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(|name| &**name)
    }
}

impl Parameter {
    fn new(schema: Schema, given: Value, span: Option<Span>) -> Parameter {
        let (default, value) = (schema.default.clone(), OnceCell::new());
        let (is_secret, is_pseudo) = (false, false);
        Parameter { schema, given, default, is_secret, is_pseudo, span, value }
    }

    /// What it was given, else its default; nothing is null.
    fn raw(&self) -> &Value {
        match &self.given {
            Value::None => &self.default,
            given => given,
        }
    }

    fn value(&self) -> Result<Value> {
        if let Some(value) = self.value.get() {
            return Ok(value.clone());
        }
        let value = self.schema.convert(self.raw())?;
        Ok(self.value.get_or_init(|| value).clone())
    }

    /// What it was before.
    fn previous(&self, old: &Value) -> Result<Value> {
        let converted = self.schema.convert(old);
        converted.map_err(|mut raised| {
            if self.is_secret {
                hide_words(&mut raised, &[old]);
            }
            raised
        })
    }

    fn validate(&self, name: &str) -> Result<()> {
        let checked = self.schema.validate().and_then(|()| match self.raw() {
            Value::None => Err(missing(name)),
            value => self.schema.validate_value(value),
        });
        checked.map_err(|mut raised| {
            if self.is_secret {
                let value = self.value().unwrap_or(Value::None);
                hide_words(&mut raised, &[self.raw(), &self.schema.default, &value]);
            }
            if raised.class == Class::Syntax {
                raised.message =
                    format!("Parameter '{name}' is invalid: {}", raised.message);
            }
            match self.schema.is_hidden {
                // The default stands there.
                true => raised,
                false => at(raised, self.span),
            }
        })
    }
}

/// What every template is told.
fn pseudo(input: &Input) -> IndexMap<String, Parameter> {
    let all = [
        ("OS::stack_id", &input.stack_id),
        ("OS::project_id", &input.project_id),
        ("OS::stack_name", &input.stack_name),
    ];
    let named =
        all.iter().filter(|(name, text)| *name != "OS::stack_name" || !text.is_empty());
    let parameter = |(name, text): &(&str, &String)| {
        let schema = Schema::text(text);
        let parameter = Parameter::new(schema, Value::None, None);
        ((*name).to_owned(), Parameter { is_pseudo: true, ..parameter })
    };
    named.map(parameter).collect()
}

fn missing(name: &str) -> Box<Exception> {
    let message = format!("The Parameter ({name}) was not provided.");
    Exception::new(Class::Missing, message)
}
