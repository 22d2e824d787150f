//! The resources of a template. Input: their definitions. Output: which of them are
//! enabled, what they depend on, and their resolved sections.

use std::iter;

use indexmap::{IndexMap, IndexSet};

use crate::eval::python::{self, Class, Dict, Exception, Result, Value};
use crate::source::Span;

use super::exception::{
    Placed, TemplatePath, invalid, invalid_at, replacing, unknown_resource,
};
use super::input::{File, FileEntry};
use super::parse;
use super::stack::{IntrinsicCall, Resource, Stack, each_call};
use super::template::TemplateNode;
use super::version::Version;

/// Keys of a definition, with the first version that accepts each.
#[rustfmt::skip]
pub(super) const KEYS: [(&str, Version); 9] = [
    ("type", Version::Icehouse), ("properties", Version::Icehouse), ("metadata", Version::Icehouse),
    ("depends_on", Version::Icehouse), ("deletion_policy", Version::Icehouse),
    ("update_policy", Version::Icehouse), ("description", Version::Icehouse),
    ("external_id", Version::Newton), ("condition", Version::Newton),
];

/// Policies for a resource that is removed from the template.
const POLICIES: [&str; 3] = ["Delete", "Retain", "Snapshot"];

/// The definition of a resource, parsed. Absent entries are null.
#[derive(Debug)]
pub(super) struct ResourceDefinition {
    kind: Value,
    properties: Value,
    metadata: Value,
    /// Names, and the spans where they are written.
    depends_on: Vec<(String, Option<Span>)>,
    deletion_policy: Option<&'static str>,
    update_policy: Value,
    description: Value,
    external_id: Value,
    pub(super) span: Option<Span>,
}

#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub(super) enabled: IndexMap<String, ResourceDefinition>,
    pub(super) disabled: Vec<String>,
}

impl Definitions {
    /// Reads the section and evaluates the conditions of the resources.
    pub(super) fn read(stack: &Stack) -> Result<Definitions> {
        let mut definitions = Definitions::default();
        for [key, node] in stack.template.section("resources")? {
            let name = key.name()?;
            let read = DefinitionReader { stack, node, name: &name, span: key.span() };
            let definition = read.definition().placed(read.span)?;
            if read.is_enabled().placed(read.span)? {
                definitions.enabled.insert(name, definition);
            } else {
                definitions.disabled.push(name);
            }
        }
        Ok(definitions)
    }

    /// Checks that names contain no `/` and differ from the names of parameters.
    pub(super) fn validate_names(&self, stack: &Stack) -> Result<()> {
        for (name, definition) in &self.enabled {
            if name.contains('/') {
                let raised = invalid("Resource name may not contain \"/\"");
                return Err(raised.placed(definition.span));
            }
        }
        let mut twice: Vec<&str> = stack.parameters.names().collect();
        twice.retain(|name| self.enabled.contains_key(*name));
        let Some(first) = twice.first() else { return Ok(()) };
        let span = self.enabled.get(*first).and_then(|definition| definition.span);
        let names: Vec<String> = twice.iter().map(|name| format!("'{name}'")).collect();
        Err(invalid(format!("Duplicate names {{{}}}", names.join(", "))).placed(span))
    }

    /// Validates the functions of all resources that have no `external_id`.
    pub(super) fn validate(&self, stack: &Stack) -> Result<()> {
        self.enabled.iter().try_for_each(|(name, definition)| {
            // Heat does not manage an external resource, so it never looks at its
            // properties.
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

    /// Returns enabled resources as references see them, with given attributes and ids.
    pub(super) fn visible_resources(
        &self,
        stack: &Stack,
    ) -> Result<IndexMap<String, Resource>> {
        let mut visible = IndexMap::new();
        for name in self.enabled.keys() {
            let unseen = Resource { name: name.clone(), ..Resource::default() };
            visible.insert(name.clone(), unseen);
        }
        for (name, entry) in self.named(stack, stack.input.attributes.as_ref())? {
            let Value::Dict(attributes) = &entry.value else {
                let wanted = format!("the attributes of '{name}' are to be a mapping");
                return Err(entry.wrong_type(&wanted));
            };
            if let Some(resource) = visible.get_mut(&name) {
                resource.attributes = Some(attributes.clone());
            }
        }
        for (name, entry) in self.named(stack, stack.input.ids.as_ref())? {
            let id = id(&name, &entry)?;
            if let Some(resource) = visible.get_mut(&name) {
                resource.id = Some(id);
            }
        }
        Ok(visible)
    }

    /// Returns entries by name of a resource. Warns of a resource that does not exist.
    fn named(
        &self,
        stack: &Stack,
        file: Option<&File>,
    ) -> Result<Vec<(String, FileEntry)>> {
        let mut named = Vec::new();
        for entry in file.map_or(Ok(Vec::new()), File::entries)? {
            let name = python::str(entry.key.value())?;
            if !self.enabled.contains_key(&name) && !self.disabled.contains(&name) {
                let message = format!("the template has no resource '{name}'");
                let raised = Exception::new(Class::Missing, message);
                let known = self.enabled.keys().chain(&self.disabled);
                let raised = raised.did_you_mean(known.map(|known| &**known), &name);
                stack.warn(*raised.placed(entry.place.key));
            }
            named.push((name, entry));
        }
        Ok(named)
    }

    /// Returns the dependencies of each resource. Raises if one is missing or circular.
    pub(super) fn needs(
        &self,
        stack: &Stack,
    ) -> Result<IndexMap<&str, IndexSet<String>>> {
        let mut needs = IndexMap::new();
        for (name, definition) in &self.enabled {
            let needed = self.needed(stack, name, definition);
            needs.insert(&**name, needed.placed(definition.span)?);
        }
        match find_circle(&needs) {
            None => Ok(needs),
            Some((first, circle)) => {
                let span = self.enabled.get(first).and_then(|definition| definition.span);
                let message = format!("Circular Dependency Found: {{{circle}}}");
                Err(invalid(message).placed(span))
            }
        }
    }

    fn needed(
        &self,
        stack: &Stack,
        name: &str,
        definition: &ResourceDefinition,
    ) -> Result<IndexSet<String>> {
        let mut implicit = IndexSet::new();
        // Heat looks for dependencies under CloudFormation's names of the sections, and its
        // messages show them.
        let sections =
            [(&definition.properties, "Properties"), (&definition.metadata, "Metadata")];
        for (value, section) in sections {
            let mut path = TemplatePath::from(format!("{name}.{section}"));
            scan(stack, value, &mut path, &mut implicit)?;
        }
        let external = stack.resolve(&definition.external_id)?;
        if python::truth(&external)? {
            if definition.depends_on.is_empty() {
                return Ok(IndexSet::new());
            }
            let raised = invalid(format!(
                "Invalid dependency with external {} resource: {}",
                python::str(&definition.kind)?,
                python::str(&external)?
            ));
            let span = definition.depends_on.first().and_then(|(_, span)| *span);
            return Err(raised.placed(span));
        }
        // Explicit dependencies come first, in the order written.
        let mut needed = IndexSet::new();
        for (other, span) in &definition.depends_on {
            if self.enabled.contains_key(other) {
                needed.insert(other.clone());
            } else if !self.disabled.contains(other) {
                let known = self.enabled.keys().chain(&self.disabled);
                let raised = unknown_resource(other, name);
                let raised = raised.did_you_mean(known.map(|known| &**known), other);
                return Err(raised.placed(*span));
            }
        }
        needed.extend(implicit);
        Ok(needed)
    }
}

fn id(name: &str, entry: &FileEntry) -> Result<Value> {
    let wrong = || entry.wrong_type(&format!("the id of '{name}' is to be a string"));
    match &entry.value {
        id @ Value::Str(_) => Ok(id.clone()),
        Value::Int(_) | Value::Float(_) => Err(wrong().hint("quote it")),
        _ => Err(wrong()),
    }
}

/// Returns a circle of dependencies: its first resource, and all as Heat shows a graph.
fn find_circle<'n>(
    needs: &IndexMap<&'n str, IndexSet<String>>,
) -> Option<(&'n str, String)> {
    let mut needed = vec![Vec::new(); needs.len()];
    let mut users = vec![Vec::new(); needs.len()];
    for (user, names) in needs.values().enumerate() {
        for at in names.iter().filter_map(|name| needs.get_index_of(&**name)) {
            needed[user].push(at);
            users[at].push(user);
        }
    }
    // A resource on a circle always has a dependency and a user on it. Those without one
    // of both are removed until no more can be.
    let mut left: Vec<[usize; 2]> =
        needed.iter().zip(&users).map(|(a, b)| [a.len(), b.len()]).collect();
    let mut todo: Vec<usize> = (0..needs.len()).collect();
    let mut gone = vec![false; needs.len()];
    while let Some(at) = todo.pop() {
        if gone[at] || !left[at].contains(&0) {
            continue;
        }
        gone[at] = true;
        for (others, side) in [(&users[at], 0), (&needed[at], 1)] {
            for other in others {
                left[*other][side] = left[*other][side].saturating_sub(1);
                todo.push(*other);
            }
        }
    }
    let names: Vec<&str> = needs.keys().copied().collect();
    let open: Vec<usize> = (0..needs.len()).filter(|at| !gone[*at]).collect();
    let shown = open.iter().map(|&at| {
        let needed = needed[at].iter().filter(|at| !gone[**at]);
        let needed: Vec<&str> = needed.map(|&at| names[at]).collect();
        format!("{}: {{{}}}", names[at], needed.join(", "))
    });
    Some((names[*open.first()?], shown.collect::<Vec<_>>().join(", ")))
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Str(_))
}

fn is_map(value: &Value) -> bool {
    matches!(value, Value::Dict(_)) || is_call(value)
}

impl ResourceDefinition {
    /// Resolves the sections of the definition; `needed` are its dependencies.
    pub(super) fn resolve(
        &self,
        stack: &Stack,
        name: &str,
        needed: &IndexSet<String>,
    ) -> Result<Value> {
        let properties = self.properties(stack, name)?;
        // Heat never deletes a resource that it did not create.
        let external = stack.resolve(&self.external_id)?;
        let policy = match &self.external_id {
            Value::None => self.deletion_policy,
            _ => Some("Retain"),
        };
        let policy = policy.filter(|policy| *policy != "Delete");
        let list = |names: Vec<&String>| match &names[..] {
            [] => Value::None,
            names => Value::list(names.iter().map(|name| Value::text(&***name))),
        };
        let entries = [
            ("type", self.kind.clone()),
            ("properties", properties),
            ("metadata", stack.resolve(&self.metadata)?),
            ("depends_on", list(self.depends_on.iter().map(|(name, _)| name).collect())),
            ("deletion_policy", policy.map_or(Value::None, Value::from)),
            ("update_policy", stack.resolve(&self.update_policy)?),
            ("external_id", external),
            ("description", self.description.clone()),
            ("requires", list(needed.iter().collect())),
        ];
        let given =
            entries.into_iter().filter(|(_, value)| !matches!(value, Value::None));
        Ok(Value::Dict(Dict::named(given)))
    }

    fn properties(&self, stack: &Stack, name: &str) -> Result<Value> {
        let wrong = |property: &str, mut raised: Box<Exception>| {
            raised.message = format!(
                "Property error: resources.{name}.properties{property}: {}",
                raised.message
            );
            raised
        };
        match &self.properties {
            Value::None => Ok(Value::Dict(Dict::default())),
            Value::Dict(entries) => stack.resolve_entries(entries, |key, raised| {
                let key = python::str(key.value()).unwrap_or_default();
                wrong(&format!(".{key}"), raised)
            }),
            other => stack.resolve(other).map_err(|raised| wrong("", raised)),
        }
    }
}

struct DefinitionReader<'a> {
    stack: &'a Stack,
    node: TemplateNode<'a>,
    name: &'a str,
    span: Option<Span>,
}

impl DefinitionReader<'_> {
    /// Returns the definition. Raises for unknown keys or values of another type.
    fn definition(&self) -> Result<ResourceDefinition> {
        let mut unknown = Vec::new();
        let mut first = None;
        for [key, _] in self.node.entries().unwrap_or_default() {
            let name = python::str(key.key()?.value())?;
            let row = KEYS.iter().find(|(known, _)| *known == name);
            if row.is_none_or(|(_, since)| self.stack.version < *since) {
                first = first.or(Some((key, row)));
                unknown.push(name);
            }
        }
        if let Some((key, row)) = first {
            let unknown = unknown.join(", ");
            let message =
                format!("Invalid keyword(s) inside a resource definition: {unknown}");
            let raised = key.wrong(message);
            return Err(match row {
                Some((name, since)) => raised.hint(since.hint(name)),
                None => raised,
            });
        }
        let wrapped = [Class::Type, Class::Value, Class::Key];
        self.fields().map_err(replacing(&wrapped, |raised| invalid_at("", raised)))
    }

    fn fields(&self) -> Result<ResourceDefinition> {
        Ok(ResourceDefinition {
            kind: self.field("type", "string", parse::value, is_text)?,
            properties: self.field("properties", "object", parse::value, is_map)?,
            metadata: self.field("metadata", "object", parse::value, is_map)?,
            depends_on: self.depends_on()?,
            deletion_policy: self.deletion_policy()?,
            update_policy: self.field("update_policy", "object", parse::value, is_map)?,
            description: self.field("description", "string", written, is_text)?,
            external_id: self.field("external_id", "string", parse::value, is_name)?,
            span: self.span,
        })
    }

    fn field(
        &self,
        key: &str,
        kind: &str,
        read: fn(&Stack, TemplateNode, &str) -> Result<Value>,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        let Some(node) = self.node.get(key) else { return Ok(Value::None) };
        let value = read(self.stack, node, &format!("resources.{}.{key}", self.name))?;
        if fits(&value) {
            Ok(value)
        } else {
            let message = format!("Resource {} {key} type must be {kind}", self.name);
            Err(Exception::of_type(message).placed(node.span()))
        }
    }

    fn depends_on(&self) -> Result<Vec<(String, Option<Span>)>> {
        let Some(node) = self.node.get("depends_on") else { return Ok(Vec::new()) };
        let names = self.field("depends_on", "list or string", written, |value| {
            matches!(value, Value::Str(_) | Value::List(_) | Value::Bytes(_))
        })?;
        let names = match names {
            Value::None => return Ok(Vec::new()),
            name @ Value::Str(_) => vec![name],
            other => python::iterate(&other)?,
        };
        let places = node.items().into_iter().chain(iter::repeat(node));
        let text = |(name, place): (&Value, TemplateNode)| {
            name.as_str().map(|name| (name.to_owned(), place.span())).ok_or_else(|| {
                let name = self.name;
                place.wrong(format!(
                    "Resource {name} depends_on must be a list of strings"
                ))
            })
        };
        names.iter().zip(places).map(text).collect()
    }

    fn deletion_policy(&self) -> Result<Option<&'static str>> {
        let policy = self.field("deletion_policy", "string", parse::value, is_name)?;
        let policy = self.stack.resolve(&policy)?;
        if let Value::None = policy {
            return Ok(None);
        }
        // Lower-case names were added with Newton.
        let newton = self.stack.version >= Version::Newton;
        let known = |known: &&str| {
            let lower = newton.then(|| known.to_lowercase());
            policy.as_str().is_some_and(|p| p == *known || Some(p) == lower.as_deref())
        };
        match POLICIES.into_iter().find(known) {
            Some(policy) => Ok(Some(policy)),
            None => {
                let policy = python::str(&policy)?;
                let raised = invalid(format!("Invalid deletion policy \"{policy}\""));
                let span = self.node.get("deletion_policy").and_then(|node| node.span());
                Err(raised.did_you_mean(POLICIES, &policy).placed(span))
            }
        }
    }

    /// Returns true if the resource has no condition, or its condition holds.
    fn is_enabled(&self) -> Result<bool> {
        let Some(node) = self.node.get("condition") else { return Ok(true) };
        let path = format!("resources.{}.condition", self.name);
        let condition =
            self.field("condition", "string_or_boolean", parse::condition, |value| {
                matches!(value, Value::Str(_) | Value::Bool(_)) || is_call(value)
            });
        let wrong = replacing(&[Class::Type], |raised| invalid_at("", raised));
        self.stack.condition_at(&condition.map_err(wrong)?, &path, node)
    }
}

/// Returns a node as it was written; calls of functions are mappings.
fn written(_: &Stack, node: TemplateNode, _: &str) -> Result<Value> {
    node.data()
}

fn is_name(value: &Value) -> bool {
    matches!(value, Value::Str(_)) || is_call(value)
}

fn is_call(value: &Value) -> bool {
    IntrinsicCall::of(value).is_some()
}

/// Adds the resources that calls in a value refer to. Raises if one does not exist.
fn scan(
    stack: &Stack,
    value: &Value,
    path: &mut TemplatePath,
    found: &mut IndexSet<String>,
) -> Result<()> {
    each_call(value, path, &mut |call, path| {
        path.push_name(call.name());
        let inner = scan(stack, &call.arguments, path, found);
        path.pop();
        let named = inner.and_then(|()| match call.resource(stack)? {
            Some(name) => stack.find_for(&name, || path.parsed()).map(Some),
            None => Ok(None),
        });
        found.extend(named.placed(call.span)?.map(|resource| resource.name.clone()));
        Ok(())
    })
}
