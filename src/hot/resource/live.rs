//! The resources that are there already: what is given of their attributes and ids comes
//! in; what references see of each resource goes out.

use indexmap::IndexMap;

use crate::eval::python::{self, Class, Dict, Exception, Result, Value};
use crate::hot::exception::{at, meant};
use crate::hot::file::{Entry, File};
use crate::hot::stack::{Resource, Stack};

use super::Definitions;

impl Definitions {
    /// What references see of the resources that are enabled.
    pub(in crate::hot) fn seen(
        &self,
        stack: &Stack,
    ) -> Result<IndexMap<String, Resource>> {
        let unseen = |name: &String| {
            let (name, id, attributes) = (name.clone(), None, None);
            (name.clone(), Resource { name, id, attributes })
        };
        let mut seen: IndexMap<_, _> = self.enabled.keys().map(unseen).collect();
        for (name, entry) in self.named(stack, stack.input.attributes.as_ref())? {
            let attributes = attributes(&name, &entry)?;
            if let Some(resource) = seen.get_mut(&name) {
                resource.attributes = Some(attributes);
            }
        }
        for (name, entry) in self.named(stack, stack.input.ids.as_ref())? {
            let id = id(&name, &entry)?;
            if let Some(resource) = seen.get_mut(&name) {
                resource.id = Some(id);
            }
        }
        Ok(seen)
    }

    /// The entries of a file for resources, by name. One for none may be of an older
    /// template, or a mistake.
    fn named(&self, stack: &Stack, file: Option<&File>) -> Result<Vec<(String, Entry)>> {
        let mut named = Vec::new();
        for entry in file.map_or(Ok(Vec::new()), File::entries)? {
            let name = python::str(entry.key.value())?;
            if !self.enabled.contains_key(&name) && !self.disabled.contains(&name) {
                let message = format!("the template has no resource '{name}'");
                let raised = Exception::new(Class::Missing, message);
                let known = self.enabled.keys().chain(&self.disabled);
                let raised = meant(raised, known.map(|known| &**known), &name);
                stack.warn(*at(raised, entry.place.key));
            }
            named.push((name, entry));
        }
        Ok(named)
    }
}

fn attributes(name: &str, entry: &Entry) -> Result<Dict> {
    match &entry.value {
        Value::Dict(attributes) => Ok(attributes.clone()),
        other => {
            let kind = other.type_name();
            let message =
                format!("the attributes of '{name}' are to be a mapping, not a {kind}");
            Err(at(Exception::of_type(message), entry.place.value))
        }
    }
}

fn id(name: &str, entry: &Entry) -> Result<Value> {
    match &entry.value {
        id @ Value::Str(_) => Ok(id.clone()),
        other => {
            let kind = other.type_name();
            let message = format!("the id of '{name}' is to be a string, not a {kind}");
            let raised = Exception::of_type(message);
            let raised = match other {
                Value::Int(_) | Value::Float(_) => raised.hint("quote it"),
                _ => raised,
            };
            Err(at(raised, entry.place.value))
        }
    }
}
