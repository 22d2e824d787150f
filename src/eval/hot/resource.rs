//! The resources of a template: definitions come in; which are enabled, what they need and
//! what they say, resolved, goes out.

use indexmap::{IndexMap, IndexSet};

use crate::node::Node;
use crate::python::{self, Class, Dict, Exception, Key, Result, Value};
use crate::source::Span;

use super::condition::at;
use super::function::Call;
use super::parse::{invalid, said};
use super::stack::{Resource, Stack};
use super::version::Version;

/// A resource as a template defines it, parsed; what is not said is null.
#[derive(Debug)]
pub(super) struct Definition {
    kind: Value,
    properties: Value,
    metadata: Value,
    depends_on: Vec<String>,
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

/// The keys of the first version, then those of later ones.
const KEYS: [&str; 9] = [
    "type",
    "properties",
    "metadata",
    "depends_on",
    "deletion_policy",
    "update_policy",
    "description",
    "external_id",
    "condition",
];

/// What may become of a resource that is no longer wanted.
const POLICIES: [&str; 3] = ["Delete", "Retain", "Snapshot"];

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

    /// What references see of the resources that are enabled.
    pub(super) fn seen(&self, stack: &Stack) -> Result<IndexMap<String, Resource>> {
        let seen = |name: &String| {
            let attributes = match stack.input.attributes.get_text(name)? {
                Some(Value::Dict(attributes)) => Some(attributes),
                _ => None,
            };
            let id = stack.input.ids.get_text(name)?;
            Ok((name.clone(), Resource { name: name.clone(), id, attributes }))
        };
        self.enabled.keys().map(seen).collect()
    }

    /// Whether no name is one of a parameter.
    pub(super) fn validate_names(&self, stack: &Stack) -> Result<()> {
        let mut twice: Vec<&str> = stack.parameters.names().collect();
        twice.retain(|name| self.enabled.contains_key(*name));
        let Some(first) = twice.first() else { return Ok(()) };
        let span = self.enabled.get(*first).and_then(|definition| definition.span);
        let names: Vec<String> = twice.iter().map(|name| format!("'{name}'")).collect();
        let message = format!("Duplicate names {{{}}}", names.join(", "));
        Err(at(invalid("", &message), span))
    }

    /// What each of the resources needs.
    ///
    /// # Errors
    /// Something that is needed is not there, or needs itself.
    pub(super) fn needs(
        &self,
        stack: &Stack,
    ) -> Result<IndexMap<&str, IndexSet<String>>> {
        let mut needs = IndexMap::new();
        for (name, definition) in &self.enabled {
            let needed = self.needed(stack, name, definition);
            let needed = needed.map_err(|raised| at(raised, definition.span))?;
            needs.insert(&**name, needed);
        }
        match circle(&needs) {
            None => Ok(needs),
            Some(circle) => {
                let message = format!("Circular Dependency Found: {{{circle}}}");
                Err(Exception::new(Class::Syntax, message))
            }
        }
    }

    fn needed(
        &self,
        stack: &Stack,
        name: &str,
        definition: &Definition,
    ) -> Result<IndexSet<String>> {
        let mut implicit = IndexSet::new();
        for (value, section) in
            [(&definition.properties, "Properties"), (&definition.metadata, "Metadata")]
        {
            implicit.extend(stack.needs(value, &format!("{name}.{section}"))?);
        }
        let external = stack.resolve(&definition.external_id)?;
        if python::truth(&external)? {
            if definition.depends_on.is_empty() {
                return Ok(IndexSet::new());
            }
            let message = format!(
                "Invalid dependency with external {} resource: {}",
                python::str(&definition.kind)?,
                python::str(&external)?
            );
            return Err(Exception::new(Class::Syntax, message));
        }
        let mut needed = IndexSet::new();
        for other in &definition.depends_on {
            if self.enabled.contains_key(other) {
                needed.insert(other.clone());
            } else if !self.disabled.contains(other) {
                return Err(super::stack::unknown(other, name));
            }
        }
        needed.extend(implicit);
        Ok(needed)
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
        let depends_on = match self.depends_on.is_empty() {
            true => Value::None,
            false => names(&mut self.depends_on.iter()),
        };
        let needed = match needed.is_empty() {
            true => Value::None,
            false => names(&mut needed.iter()),
        };
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

struct Reader<'a> {
    stack: &'a Stack,
    node: Node,
    name: &'a str,
    span: Option<Span>,
}

impl Reader<'_> {
    fn definition(&self) -> Result<Definition> {
        let (template, newton) =
            (&self.stack.template, self.stack.version >= Version::Newton);
        let known = if newton { &KEYS[..] } else { &KEYS[..KEYS.len() - 2] };
        let mut unknown = Vec::new();
        for (key, _) in template.entries(self.node).unwrap_or_default() {
            let name = python::str(template.key(key)?.value())?;
            if !known.contains(&&*name) {
                unknown.push(name);
            }
        }
        if !unknown.is_empty() {
            return Err(invalid(
                "",
                &format!(
                    "Invalid keyword(s) inside a resource definition: {}",
                    unknown.join(", ")
                ),
            ));
        }
        self.fields().map_err(|raised| match raised.class {
            Class::Type | Class::Value | Class::Key => {
                at(invalid("", &said(&raised)), raised.places.first().map(|(at, _)| *at))
            }
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
        match fits(&value) {
            true => Ok(value),
            false => {
                let message = format!("Resource {} {key} type must be {kind}", self.name);
                let span = self.stack.template.span(node);
                Err(at(Exception::of_type(message), span))
            }
        }
    }

    fn depends_on(&self) -> Result<Vec<String>> {
        let is_sequence = |value: &Value| {
            matches!(value, Value::Str(_) | Value::List(_) | Value::Bytes(_))
        };
        let names = match self.written("depends_on", "list or string", is_sequence)? {
            Value::None => return Ok(Vec::new()),
            name @ Value::Str(_) => vec![name],
            other => python::iterate(&other)?,
        };
        let text = |name: &Value| {
            name.as_str().map(str::to_owned).ok_or_else(|| {
                let name = self.name;
                let message =
                    format!("Resource {name} depends_on must be a list of strings");
                invalid("", &message)
            })
        };
        names.iter().map(text).collect()
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
                Err(invalid("", &format!("Invalid deletion policy \"{policy}\"")))
            }
        }
    }

    fn is_enabled(&self) -> Result<bool> {
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
            Class::Type => invalid("", &raised.message),
            _ => raised,
        })?;
        let holds = self.stack.condition(&self.stack.resolve(&condition)?);
        holds.map_err(|raised| {
            let raised = match raised.class {
                Class::Value => invalid(&path, &raised.message),
                _ => raised,
            };
            at(raised, self.stack.template.span(node))
        })
    }
}

fn is_call(value: &Value) -> bool {
    Call::of(value).is_some()
}

/// The resources that need each other in a circle, if any do, as Python shows a graph.
fn circle(needs: &IndexMap<&str, IndexSet<String>>) -> Option<String> {
    let mut left: IndexMap<&str, IndexSet<&str>> = needs
        .iter()
        .map(|(name, needed)| (*name, needed.iter().map(|name| &**name).collect()))
        .collect();
    loop {
        let before = left.len();
        let open: IndexSet<&str> = left.keys().copied().collect();
        left.retain(|_, needed| needed.iter().any(|name| open.contains(name)));
        if left.is_empty() {
            return None;
        }
        if left.len() == before {
            break;
        }
    }
    let shown = left.iter().map(|(name, needed)| {
        let needed: Vec<&str> =
            needed.iter().copied().filter(|name| left.contains_key(name)).collect();
        format!("{name}: {{{}}}", needed.join(", "))
    });
    Some(shown.collect::<Vec<_>>().join(", "))
}
