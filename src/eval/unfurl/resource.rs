//! Resources that expressions start from: a tree of instances, or a document as the only
//! one. Attributes are evaluated once, when an expression reaches them.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::eval::python::{Class, Dict, Exception, Key, Lock, Object, Result, Value};
use crate::eval::{DocumentView, Scope, Start, Strict, Thunk};

const ROOT: &str = "root";

/// The resources of a run. Dropping them drops all evaluated attributes.
#[derive(Debug)]
pub(super) struct Instances(Arc<InstanceTree>);

#[derive(Debug)]
struct InstanceTree {
    /// Parents come before their children.
    members: Vec<Instance>,
    /// Index of the first member of each name.
    places: HashMap<String, usize>,
    scope: Scope,
    /// True if the only member is a document. Its keys can be asked for like resources.
    is_document: bool,
}

#[derive(Debug)]
struct Instance {
    name: String,
    source: Value,
    parent: Option<usize>,
    children: Vec<usize>,
    attributes: Lock<Option<Value>>,
}

/// A reference to one of the resources.
#[derive(Clone, Debug)]
pub(super) struct ResourceRef {
    tree: Arc<InstanceTree>,
    at: usize,
}

impl Instances {
    /// Makes resources of a document. Fails if it is not the tree that `start` asks for,
    /// or has no resource of the requested name.
    pub(super) fn load(
        document: &Value,
        start: &Start,
        scope: &Scope,
    ) -> Result<DocumentView> {
        let instances = match (start.instances, document.force()?) {
            (true, document) => Instances::read(&document, scope)?,
            (false, Value::None) => Instances::of(Value::Dict(Dict::default()), scope),
            (false, document) => Instances::of(document, scope),
        };
        let here = match &start.at {
            Some(name) => instances.named(name)?,
            None => resource(&instances.0, 0),
        };
        let held = attributes_of(&resource(&instances.0, 0))?;
        Ok(DocumentView { here, content: held, state: Some(Box::new(instances)) })
    }

    /// Makes a document the only resource.
    fn of(source: Value, scope: &Scope) -> Instances {
        let root = Instance::new(ROOT.to_owned(), source, None);
        Instances::new(vec![root], scope, true)
    }

    fn new(members: Vec<Instance>, scope: &Scope, is_document: bool) -> Instances {
        // A required result is asked of the whole expression, not of each attribute.
        let strict = scope.strict.min(Strict::Cycles);
        let scope = Scope { strict, ..scope.clone() };
        let mut places = HashMap::new();
        for (at, member) in members.iter().enumerate() {
            places.entry(member.name.clone()).or_insert(at);
        }
        Instances(Arc::new(InstanceTree { members, places, scope, is_document }))
    }

    /// Reads a tree written as `{name, attributes, instances: […]}`. Raises a
    /// `ValueError` if it has another shape.
    fn read(source: &Value, scope: &Scope) -> Result<Instances> {
        let mut members: Vec<Instance> = Vec::new();
        let mut todo = vec![(source.clone(), None)];
        while let Some((source, parent)) = todo.pop() {
            let at = members.len();
            let (member, below) = Instance::read(&source, parent)?;
            members.push(member);
            if let Some(above) = parent.and_then(|parent: usize| members.get_mut(parent))
            {
                above.children.push(at);
            }
            todo.extend(below.into_iter().rev().map(|source| (source, Some(at))));
        }
        Ok(Instances::new(members, scope, false))
    }

    /// Returns the resource of a name. Raises a `KeyError` if there is none.
    fn named(&self, name: &str) -> Result<Value> {
        if let Some(at) = self.0.places.get(name) {
            return Ok(resource(&self.0, *at));
        }
        let unknown =
            Exception::new(Class::Key, format!("there is no instance named '{name}'"));
        Err(unknown.did_you_mean(self.0.members.iter().map(|member| &*member.name), name))
    }
}

fn resource(tree: &Arc<InstanceTree>, at: usize) -> Value {
    Value::object(ResourceRef { tree: tree.clone(), at })
}

/// Returns the attributes of a resource; other values are returned unchanged.
pub(super) fn attributes_of(here: &Value) -> Result<Value> {
    match here.downcast::<ResourceRef>() {
        Some(resource) => resource.attributes(),
        None => Ok(here.clone()),
    }
}

impl Drop for Instances {
    /// Breaks a cycle: evaluated attributes hold the scope, which holds the resource.
    fn drop(&mut self) {
        for member in &self.0.members {
            member.attributes.write().take();
        }
    }
}

impl Instance {
    fn new(name: String, source: Value, parent: Option<usize>) -> Instance {
        Instance {
            name,
            source,
            parent,
            children: Vec::new(),
            attributes: Lock::default(),
        }
    }

    /// Reads one member. Also returns the sources of its children.
    fn read(source: &Value, parent: Option<usize>) -> Result<(Instance, Vec<Value>)> {
        let wrong = |what: &str| Exception::of_value(format!("an instance {what}"));
        let Value::Dict(entries) = source.force()? else {
            return Err(wrong("is a mapping of name, attributes and instances"));
        };
        let name = match entries.get_text("name")? {
            Some(Value::Str(name)) => name.to_string(),
            None if parent.is_none() => ROOT.to_owned(),
            _ => return Err(wrong("has a name")),
        };
        let attributes = match entries.get_text("attributes")? {
            Some(attributes @ Value::Dict(_)) => attributes,
            None | Some(Value::None) => Value::Dict(Dict::default()),
            Some(_) => return Err(wrong("has a mapping of attributes")),
        };
        let below = match entries.get_text("instances")? {
            Some(Value::List(below)) => below.items()?,
            None | Some(Value::None) => Vec::new(),
            Some(_) => return Err(wrong("has a list of instances")),
        };
        Ok((Instance::new(name, attributes, parent), below))
    }
}

impl ResourceRef {
    pub(super) fn attributes(&self) -> Result<Value> {
        let Some(member) = self.tree.members.get(self.at) else { return Ok(Value::None) };
        if let Some(known) = member.attributes.read().clone() {
            return Ok(known);
        }
        let here = Value::object(self.clone());
        let scope = Scope { here, ..self.tree.scope.clone() };
        // No lock is held meanwhile: the source may be a template that reads this resource.
        let attributes = match member.source.force()? {
            Value::Dict(entries) => {
                let entries = entries.read();
                let thunks = entries
                    .iter()
                    .map(|(key, value)| (key.clone(), Thunk::of(value, &scope)));
                Value::Dict(thunks.collect())
            }
            other => Thunk::of(&other, &scope).force()?,
        };
        Ok(member.attributes.write().get_or_insert(attributes).clone())
    }

    pub(super) fn is_same(&self, other: &ResourceRef) -> bool {
        self.at == other.at && Arc::ptr_eq(&self.tree, &other.tree)
    }

    /// Returns the value of a key of a path.
    pub(super) fn member(&self, key: &Value) -> Result<Option<Value>> {
        match key.as_str() {
            Some("") => Ok(None),
            Some(name) if name.starts_with('.') => self.property(name),
            _ => child(&self.attributes()?, key),
        }
    }

    /// Returns all resources by name; of a document, its top-level values.
    pub(super) fn all(&self) -> Result<Value> {
        if let (true, Value::Dict(attributes)) =
            (self.tree.is_document, attributes_of(&self.sibling(0))?)
        {
            return Ok(Value::Dict(attributes.copied()));
        }
        let all = Dict::default();
        for (at, member) in self.tree.members.iter().enumerate() {
            if !all.has_text(&member.name) {
                all.set(Key::text(&member.name), self.sibling(at));
            }
        }
        Ok(Value::Dict(all))
    }

    /// Returns the part of `.all` that a path needs to continue with `name`. Building all
    /// of it for each path would take time proportional to the tree.
    pub(super) fn all_for(&self, name: &str) -> Result<Value> {
        let named = self.named(name);
        if let (true, attributes @ Value::Dict(entries)) =
            (self.tree.is_document, &attributes_of(&self.sibling(0))?)
            && (named.is_none() || entries.has_text(name))
        {
            return Ok(attributes.clone());
        }
        let entry = named.map(|named| (Key::text(name), named));
        Ok(Value::Dict(entry.into_iter().collect()))
    }

    fn named(&self, name: &str) -> Option<Value> {
        Some(self.sibling(*self.tree.places.get(name)?))
    }

    fn sibling(&self, at: usize) -> Value {
        resource(&self.tree, at)
    }

    /// Returns the value of a key that begins with a dot.
    fn property(&self, name: &str) -> Result<Option<Value>> {
        let Some(member) = self.tree.members.get(self.at) else { return Ok(None) };
        let list =
            |all: Vec<usize>| Value::list(all.into_iter().map(|at| self.sibling(at)));
        Ok(Some(match name {
            "." | ".owner" => Value::object(self.clone()),
            ".." => member.parent.map_or(Value::None, |at| self.sibling(at)),
            ".name" => Value::text(&*member.name),
            ".key" | ".tosca_id" => Value::text(format!("::{}", member.name)),
            ".root" | ".apex" => self.sibling(0),
            ".ancestors" => list(self.ancestors()),
            ".parents" => list(self.ancestors().into_iter().skip(1).rev().collect()),
            ".instances" => list(member.children.clone()),
            ".descendants" | ".descendents" => list(self.descendants()),
            ".all" => self.all()?,
            ".attributes" | ".names" => self.attributes()?,
            // Unfurl reads these from a TOSCA topology, which a document has not.
            ".artifacts" | ".targets" | ".sources" | ".super" => {
                Value::Dict(Dict::default())
            }
            ".hosted_on" | ".configured_by" | ".requirements" | ".capabilities" => {
                Value::list([])
            }
            ".required" => Value::Bool(true),
            ".readonly" => Value::Bool(false),
            _ => return Ok(None),
        }))
    }

    /// Returns the indices of itself and its ancestors.
    fn ancestors(&self) -> Vec<usize> {
        let members = &self.tree.members;
        std::iter::successors(Some(self.at), |at| members.get(*at)?.parent).collect()
    }

    /// Returns the indices of itself and its descendants, depth first.
    fn descendants(&self) -> Vec<usize> {
        let mut all = Vec::new();
        let mut todo = vec![self.at];
        while let Some(at) = todo.pop() {
            all.push(at);
            if let Some(member) = self.tree.members.get(at) {
                todo.extend(member.children.iter().rev());
            }
        }
        all
    }
}

impl Object for ResourceRef {
    fn type_name(&self) -> &str {
        "instance"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        match name {
            "name" => self.property(".name"),
            _ => self.member(&Value::text(name)),
        }
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        self.member(key)
    }

    fn truth(&self) -> Result<bool> {
        Ok(true)
    }

    fn display(&self) -> Result<String> {
        let name = self.tree.members.get(self.at).map_or("", |member| &member.name);
        Ok(format!("instance ::{name}"))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(other.downcast::<ResourceRef>().is_some_and(|other| self.is_same(other)))
    }

    /// Returns the source as it was written.
    fn plain(&self) -> Option<Value> {
        self.tree.members.get(self.at)?.source.force().ok()
    }
}

/// Returns the member of a value by key or index.
pub(super) fn child(value: &Value, key: &Value) -> Result<Option<Value>> {
    match (value, key) {
        (Value::Dict(entries), key) => match Key::new(key.clone()) {
            Ok(key) => entries.get(&key),
            Err(_) => Ok(None),
        },
        (Value::List(items), Value::Int(at)) => match place(*at, items.len()) {
            Some(at) => items.get(at),
            None => Ok(None),
        },
        (Value::Tuple(items), Value::Int(at)) => place(*at, items.len())
            .and_then(|at| items.get(at))
            .map(Value::force)
            .transpose(),
        (Value::Str(text), Value::Int(at)) => {
            let found = place(*at, text.character_count());
            let found = found.and_then(|at| text.character(at));
            Ok(found.map(|c| Value::text(c.to_string())))
        }
        (Value::Object(object), key) => match value.downcast::<ResourceRef>() {
            Some(resource) => resource.member(key),
            None => object.item(key),
        },
        _ => Ok(None),
    }
}

/// Returns the position of an index; a negative one counts from the end.
fn place(at: i64, length: usize) -> Option<usize> {
    let at = match usize::try_from(at) {
        Ok(at) => at,
        Err(_) => length.checked_sub(usize::try_from(at.unsigned_abs()).ok()?)?,
    };
    (at < length).then_some(at)
}
