//! The definition of a resource: what was written comes in, what it says goes out, parsed.

use std::iter;

use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::hot::exception::{at, failed, invalid, meant};
use crate::hot::function::Call;
use crate::hot::stack::Stack;
use crate::hot::version::Version;
use crate::node::Node;
use crate::source::Span;

use super::Definition;

/// What is said of a resource, with the first version that knows it.
pub(in crate::hot) const KEYS: [(&str, Version); 9] = [
    ("type", Version::Icehouse),
    ("properties", Version::Icehouse),
    ("metadata", Version::Icehouse),
    ("depends_on", Version::Icehouse),
    ("deletion_policy", Version::Icehouse),
    ("update_policy", Version::Icehouse),
    ("description", Version::Icehouse),
    ("external_id", Version::Newton),
    ("condition", Version::Newton),
];

/// What may become of a resource that is no longer wanted.
const POLICIES: [&str; 3] = ["Delete", "Retain", "Snapshot"];

/// A definition that is read.
pub(super) struct Reader<'a> {
    pub(super) stack: &'a Stack,
    pub(super) node: Node,
    pub(super) name: &'a str,
    /// Where it was named.
    pub(super) span: Option<Span>,
}

impl Reader<'_> {
    /// What it says.
    pub(super) fn definition(&self) -> Result<Definition> {
        let template = &self.stack.template;
        let (mut unknown, mut first) = (Vec::new(), None);
        for (key, _) in template.entries(self.node).unwrap_or_default() {
            let name = python::str(template.key(key)?.value())?;
            let row = KEYS.iter().find(|(known, _)| *known == name);
            if row.is_none_or(|(_, since)| self.stack.version < *since) {
                first = first.or(Some((template.span(key), row)));
                unknown.push(name);
            }
        }
        if let Some((span, row)) = first {
            let unknown = unknown.join(", ");
            let message =
                format!("Invalid keyword(s) inside a resource definition: {unknown}");
            let raised = invalid("", &message);
            let raised = match row {
                Some((name, since)) => raised.hint(since.hint(name)),
                None => raised,
            };
            return Err(at(raised, span));
        }
        self.fields().map_err(|raised| match raised.class {
            Class::Type | Class::Value | Class::Key => failed("", raised),
            _ => raised,
        })
    }

    fn fields(&self) -> Result<Definition> {
        let is_text = |value: &Value| matches!(value, Value::Str(_));
        let is_map = |value: &Value| matches!(value, Value::Dict(_)) || is_call(value);
        let is_name = |value: &Value| is_text(value) || is_call(value);
        Ok(Definition {
            kind: self.parsed("type", "string", is_text)?,
            properties: self.parsed("properties", "object", is_map)?,
            metadata: self.parsed("metadata", "object", is_map)?,
            depends_on: self.depends_on()?,
            deletion_policy: self.deletion_policy()?,
            update_policy: self.parsed("update_policy", "object", is_map)?,
            description: self.written("description", "string", is_text)?,
            external_id: self.parsed("external_id", "string", is_name)?,
            span: self.span,
        })
    }

    fn parsed(
        &self,
        key: &str,
        kind: &str,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        let path = format!("resources.{}.{key}", self.name);
        let read = |node| self.stack.parse(node, &path);
        self.field(key, kind, read, fits)
    }

    fn written(
        &self,
        key: &str,
        kind: &str,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        self.field(key, kind, |node| self.stack.template.data(node), fits)
    }

    fn field(
        &self,
        key: &str,
        kind: &str,
        read: impl Fn(Node) -> Result<Value>,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        let Some(node) = self.stack.template.get(self.node, key) else {
            return Ok(Value::None);
        };
        let value = read(node)?;
        if fits(&value) {
            Ok(value)
        } else {
            let message = format!("Resource {} {key} type must be {kind}", self.name);
            let span = self.stack.template.span(node);
            Err(at(Exception::of_type(message), span))
        }
    }

    fn depends_on(&self) -> Result<Vec<(String, Option<Span>)>> {
        let template = &self.stack.template;
        let Some(node) = template.get(self.node, "depends_on") else {
            return Ok(Vec::new());
        };
        let is_sequence = |value: &Value| {
            matches!(value, Value::Str(_) | Value::List(_) | Value::Bytes(_))
        };
        let names = match self.written("depends_on", "list or string", is_sequence)? {
            Value::None => return Ok(Vec::new()),
            name @ Value::Str(_) => vec![name],
            other => python::iterate(&other)?,
        };
        let items = template.document.items(node);
        let places = items.into_iter().map(Some).chain(iter::repeat(None));
        let text = |(name, item): (&Value, Option<Node>)| {
            let span = template.span(item.unwrap_or(node));
            name.as_str().map(|name| (name.to_owned(), span)).ok_or_else(|| {
                let name = self.name;
                let message =
                    format!("Resource {name} depends_on must be a list of strings");
                at(invalid("", &message), span)
            })
        };
        names.iter().zip(places).map(text).collect()
    }

    fn deletion_policy(&self) -> Result<Option<&'static str>> {
        let is_name = |value: &Value| matches!(value, Value::Str(_)) || is_call(value);
        let policy = self.parsed("deletion_policy", "string", is_name)?;
        let policy = self.stack.resolve(&policy)?;
        if let Value::None = policy {
            return Ok(None);
        }
        let newton = self.stack.version >= Version::Newton;
        let known = |known: &&str| {
            let lower = newton.then(|| known.to_lowercase());
            policy.as_str().is_some_and(|p| p == *known || Some(p) == lower.as_deref())
        };
        match POLICIES.into_iter().find(known) {
            Some(policy) => Ok(Some(policy)),
            None => {
                let policy = python::str(&policy)?;
                let raised =
                    invalid("", &format!("Invalid deletion policy \"{policy}\""));
                let node = self.stack.template.get(self.node, "deletion_policy");
                let span = node.and_then(|node| self.stack.template.span(node));
                Err(at(meant(raised, POLICIES, &policy), span))
            }
        }
    }

    /// Whether its condition holds, if it has one.
    pub(super) fn is_enabled(&self) -> Result<bool> {
        let Some(node) = self.stack.template.get(self.node, "condition") else {
            return Ok(true);
        };
        let path = format!("resources.{}.condition", self.name);
        let fits = |value: &Value| {
            matches!(value, Value::Str(_) | Value::Bool(_)) || is_call(value)
        };
        let read = |node| self.stack.parse_condition(node, &path);
        let condition = self.field("condition", "string_or_boolean", read, fits);
        let condition = condition.map_err(|raised| match raised.class {
            Class::Type => failed("", raised),
            _ => raised,
        })?;
        let holds = self.stack.condition(&self.stack.resolve(&condition)?);
        holds.map_err(|raised| {
            let raised = match raised.class {
                Class::Value => failed(&path, raised),
                _ => raised,
            };
            at(raised, self.stack.template.span(node))
        })
    }
}

fn is_call(value: &Value) -> bool {
    Call::of(value).is_some()
}
