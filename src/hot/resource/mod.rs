//! The resources of a template: definitions come in; which are enabled, what they need and
//! what they say, resolved, goes out.

mod live;
mod need;
mod read;

use indexmap::{IndexMap, IndexSet};

use crate::eval::python::{self, Dict, Exception, Key, Result, Value};
use crate::source::Span;

use super::exception::at;
use super::exception::invalid;
use super::stack::Stack;
pub(super) use read::KEYS;
use read::Reader;

/// A resource as a template defines it, parsed; what is not said is null.
#[derive(Debug)]
pub(super) struct Definition {
    kind: Value,
    properties: Value,
    metadata: Value,
    /// Names, and where they were written.
    depends_on: Vec<(String, Option<Span>)>,
    deletion_policy: Option<&'static str>,
    update_policy: Value,
    description: Value,
    external_id: Value,
    span: Option<Span>,
}

/// Every resource, by name.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// Those that are enabled.
    pub(super) enabled: IndexMap<String, Definition>,
    /// The names of the others.
    pub(super) disabled: Vec<String>,
}

impl Definitions {
    /// Reads the section of a template, and works out which resources are enabled.
    pub(super) fn read(stack: &Stack) -> Result<Definitions> {
        let mut definitions = Definitions::default();
        for (key, node) in stack.template.section("resources")?.unwrap_or_default() {
            let name = stack.template.name(key)?;
            let span = stack.template.span(key);
            let read = Reader { stack, node, name: &name, span };
            let read = read.definition().and_then(|d| Ok((read.is_enabled()?, d)));
            match read.map_err(|raised| at(raised, span))? {
                (true, definition) => drop(definitions.enabled.insert(name, definition)),
                (false, _) => definitions.disabled.push(name),
            }
        }
        Ok(definitions)
    }

    /// Whether names can be names, and no name is one of a parameter.
    pub(super) fn validate_names(&self, stack: &Stack) -> Result<()> {
        for (name, definition) in &self.enabled {
            if name.contains('/') {
                let raised = invalid("", "Resource name may not contain \"/\"");
                return Err(at(raised, definition.span));
            }
        }
        let mut twice: Vec<&str> = stack.parameters.names().collect();
        twice.retain(|name| self.enabled.contains_key(*name));
        let Some(first) = twice.first() else { return Ok(()) };
        let span = self.enabled.get(*first).and_then(|definition| definition.span);
        let names: Vec<String> = twice.iter().map(|name| format!("'{name}'")).collect();
        let message = format!("Duplicate names {{{}}}", names.join(", "));
        Err(at(invalid("", &message), span))
    }

    /// Checks the functions of the resources that are managed here.
    pub(super) fn validate(&self, stack: &Stack) -> Result<()> {
        self.enabled.iter().try_for_each(|(name, definition)| {
            if !matches!(stack.resolve(&definition.external_id)?, Value::None) {
                return Ok(());
            }
            let sections = [
                (&definition.properties, "properties"),
                (&definition.metadata, "metadata"),
                (&definition.update_policy, "update_policy"),
                (&definition.external_id, "external_id"),
            ];
            let mut sections = sections.into_iter();
            sections.try_for_each(|(value, section)| {
                stack.validate(value, &["resources", name, section])
            })
        })
    }
}

impl Definition {
    /// What it says, resolved; `needed` are the names of the resources that it needs.
    pub(super) fn resolve(
        &self,
        stack: &Stack,
        name: &str,
        needed: &IndexSet<String>,
    ) -> Result<Value> {
        let resolved = self.entries(stack, name, needed);
        let entries = resolved.map_err(|raised| at(raised, self.span))?;
        let entry = |(key, value): (&str, Value)| (Key::text(key), value);
        Ok(Value::Dict(entries.into_iter().map(entry).collect()))
    }

    fn entries(
        &self,
        stack: &Stack,
        name: &str,
        needed: &IndexSet<String>,
    ) -> Result<Vec<(&'static str, Value)>> {
        let mut entries = vec![("type", self.kind.clone())];
        entries.push(("properties", self.properties(stack, name)?));
        let names = |names: &mut dyn Iterator<Item = &String>| {
            Value::list(names.map(|name| Value::text(&**name)))
        };
        let external = stack.resolve(&self.external_id)?;
        let policy = match &self.external_id {
            Value::None => self.deletion_policy,
            _ => Some("Retain"),
        };
        let policy = policy.filter(|policy| *policy != "Delete");
        let depends_on = if self.depends_on.is_empty() {
            Value::None
        } else {
            names(&mut self.depends_on.iter().map(|(name, _)| name))
        };
        let needed =
            if needed.is_empty() { Value::None } else { names(&mut needed.iter()) };
        entries.extend([
            ("metadata", stack.resolve(&self.metadata)?),
            ("depends_on", depends_on),
            ("deletion_policy", policy.map_or(Value::None, Value::from)),
            ("update_policy", stack.resolve(&self.update_policy)?),
            ("external_id", external),
            ("description", self.description.clone()),
            ("requires", needed),
        ]);
        entries.retain(|(_, value)| !matches!(value, Value::None));
        Ok(entries)
    }

    fn properties(&self, stack: &Stack, name: &str) -> Result<Value> {
        let wrong = |key: Option<&str>, mut raised: Box<Exception>| {
            let property = key.map_or(String::new(), |key| format!(".{key}"));
            raised.message = format!(
                "Property error: resources.{name}.properties{property}: {}",
                raised.message
            );
            raised
        };
        match &self.properties {
            Value::None => Ok(Value::Dict(Dict::default())),
            Value::Dict(entries) => stack.resolve_entries(entries, |key, raised| {
                wrong(Some(&python::str(key.value()).unwrap_or_default()), raised)
            }),
            other => stack.resolve(other).map_err(|raised| wrong(None, raised)),
        }
    }
}
