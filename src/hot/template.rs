//! The text of a template. Input: a document. Output: its sections, and nodes as plain
//! data in Python's types.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use crate::eval::python::{
    self, Class, Dict, Exception, Key, List, Result, Set, Value, json,
};
use crate::eval::read_scalar;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Scalar, YAML_TAG_PREFIX};
use crate::source::{FileId, Span};
use crate::yaml::Expansion;

use super::exception::{at, check_depth, invalid};
use super::secret::VariableTexts;

/// A template as it was written, after patches.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) document: Arc<Tree>,
    pub(super) root: NodeId,
    /// Files that are JSON. Their numbers are read by other rules than YAML's.
    json: Vec<FileId>,
    has_variable_texts: bool,
    /// Number of nodes read so far, counted each time that an alias leads to them.
    read: Cell<usize>,
    limit: Expansion,
    /// Texts from variables that were read so far.
    pub(super) variable_texts: Rc<VariableTexts>,
}

/// Size that a node counts for against the limit of alias expansion, in bytes. An
/// estimate: the limit is given in bytes of text, and a short scalar with its key takes
/// about this much.
const BYTES_PER_NODE: usize = 64;

impl Template {
    pub(super) fn new(document: Arc<Tree>, limit: Expansion) -> Template {
        let (root, read) = (document.root(), Cell::new(0));
        let json = document.arenas().filter(|arena| is_json(arena.text()));
        let json = json.map(|arena| arena.file()).collect();
        let (has_variable_texts, variable_texts) =
            (document.has_secrets(), Rc::default());
        Template { document, root, json, has_variable_texts, read, limit, variable_texts }
    }

    /// Checks that there is one document. Raises a `ValueError` if a second one follows.
    pub(super) fn validate_single(&self) -> Result<()> {
        let mut roots = self.document.roots().iter().skip(1);
        let Some(&second) = roots.find(|root| !self.document.is_absent(**root)) else {
            return Ok(());
        };
        let message =
            "expected a single document in the stream but found another document";
        Err(at(Exception::of_value(message), self.span(second)))
    }

    /// Checks all tags. Raises a `ValueError` if Python's safe loader refuses one.
    pub(super) fn validate_tags(&self) -> Result<()> {
        for (i, tag) in self.document.base().tags() {
            let node = NodeId::Clean(self.document.file(), i);
            let Err(message) = self.tagged(node, &tag) else { continue };
            return Err(at(Exception::of_value(message), self.span(node)));
        }
        Ok(())
    }

    /// Returns the message of Python's loader for a tag that it refuses on a node.
    fn tagged(&self, node: NodeId, tag: &str) -> std::result::Result<(), String> {
        let found = match self.document.kind(node) {
            Kind::Scalar => "scalar",
            Kind::Sequence => "sequence",
            Kind::Mapping => "mapping",
        };
        let wanted = match tag.strip_prefix(YAML_TAG_PREFIX) {
            Some("str" | "int" | "float" | "bool" | "null" | "binary" | "timestamp") => {
                "scalar"
            }
            Some("seq" | "omap" | "pairs") => "sequence",
            Some("map" | "set") => "mapping",
            _ if tag == "!" => return Ok(()),
            _ => {
                return Err(format!(
                    "could not determine a constructor for the tag '{tag}'"
                ));
            }
        };
        if found != wanted {
            return Err(format!("expected a {wanted} node, but found {found}"));
        }
        let Ok(Value::Str(text)) = self.data(node) else { return Ok(()) };
        let shown = python::repr(&Value::Str(text)).unwrap_or_default();
        match tag.strip_prefix(YAML_TAG_PREFIX) {
            Some("float") => Err(format!("could not convert string to float: {shown}")),
            Some("int") => {
                Err(format!("invalid literal for int() with base 10: {shown}"))
            }
            Some("bool") => Err(format!("{shown} is no boolean")),
            _ => Ok(()),
        }
    }

    /// Returns the value of a key. Aliases are followed.
    pub(super) fn get(&self, node: NodeId, key: &str) -> Option<NodeId> {
        self.document.get(node, key).map(|value| self.document.follow(value))
    }

    /// Returns the entries of a mapping; nothing for other nodes.
    pub(super) fn entries(&self, node: NodeId) -> Option<Vec<(NodeId, NodeId)>> {
        let is_mapping = self.document.kind(node) == Kind::Mapping;
        let follow = |(key, value)| (key, self.document.follow(value));
        (is_mapping && !self.is_tagged(node, "set"))
            .then(|| self.document.pairs(node).into_iter().map(follow).collect())
    }

    /// Returns the entries of a section; nothing if it is missing or empty. Raises an
    /// `AttributeError` if it holds something else than a mapping.
    pub(super) fn section(&self, name: &str) -> Result<Option<Vec<(NodeId, NodeId)>>> {
        let Some(section) = self.get(self.root, name) else { return Ok(None) };
        if let Some(entries) = self.entries(section) {
            return Ok(Some(entries));
        }
        let data = self.data(section)?;
        if python::truth(&data)? {
            let raised = python::no_attribute(&data, "items");
            let raised = raised.hint(format!("`{name}` is to be a mapping"));
            Err(at(raised, self.span(section)))
        } else {
            Ok(None)
        }
    }

    pub(super) fn defines(&self, section: &str, name: &str) -> bool {
        let section = self.get(self.root, section);
        section.is_some_and(|section| self.get(section, name).is_some())
    }

    pub(super) fn is_null(&self, node: NodeId) -> bool {
        matches!(self.data(node), Ok(Value::None))
    }

    /// Returns a key as a name. Raises a `TypeError` if it is no string.
    pub(super) fn name(&self, key: NodeId) -> Result<String> {
        let data = self.data(key)?;
        data.as_str().map(str::to_owned).ok_or_else(|| {
            let message = "sequence item 1: expected str instance, {} found";
            let raised = Exception::of_type_of(&data, message);
            at(raised.hint("a name is a string: quote it"), self.span(key))
        })
    }

    /// Returns the key of an entry. Raises a `TypeError` if it is a collection.
    pub(super) fn key(&self, node: NodeId) -> Result<Key> {
        Key::new(self.data(node)?)
    }

    pub(super) fn span(&self, node: NodeId) -> Option<Span> {
        self.document.span(node)
    }

    /// Returns a node as plain data; calls of functions are mappings.
    pub(super) fn data(&self, node: NodeId) -> Result<Value> {
        self.data_within(node, 0)
    }

    fn data_within(&self, node: NodeId, depth: usize) -> Result<Value> {
        let node = self.document.follow(node);
        check_depth(depth)?;
        self.count()?;
        let member = |node| self.data_within(node, depth + 1);
        match self.document.kind(node) {
            Kind::Scalar => Ok(self.scalar(node)),
            Kind::Sequence => {
                let items = self.document.items(node).into_iter();
                if self.is_pairs(node) {
                    return self.pairs_of(items, depth);
                }
                Ok(Value::List(items.map(member).collect::<Result<List>>()?))
            }
            Kind::Mapping => {
                let pairs = self.document.pairs(node).into_iter();
                if self.is_tagged(node, "set") {
                    let keys = pairs.map(|(key, _)| self.key(key));
                    return Ok(Value::Set(keys.collect::<Result<Set>>()?));
                }
                let entry = |(key, value)| Ok((self.key(key)?, member(value)?));
                Ok(Value::Dict(pairs.map(entry).collect::<Result<Dict>>()?))
            }
        }
    }

    /// Counts a node. Raises a limit exception if aliases expand the document too far.
    pub(super) fn count(&self) -> Result<()> {
        self.read.set(self.read.get() + 1);
        let most = self.limit.0 / BYTES_PER_NODE;
        if self.read.get() <= most {
            Ok(())
        } else {
            let message = format!(
                "there are more than {most} values where aliases stand for what they \
                     name"
            );
            let hint = "`--limit expansion=N` raises the limit, to N / 64 values";
            Err(Exception::new(Class::Limit, message).hint(hint))
        }
    }

    /// Returns the value of `!!omap` or `!!pairs`: a list of pairs.
    fn pairs_of(
        &self,
        items: impl Iterator<Item = NodeId>,
        depth: usize,
    ) -> Result<Value> {
        let pairs = items.flat_map(|item| self.document.pairs(item));
        let pair = |(key, value)| {
            let key = self.data_within(key, depth + 2)?;
            Ok(Value::tuple([key, self.data_within(value, depth + 2)?]))
        };
        Ok(Value::List(pairs.map(pair).collect::<Result<List>>()?))
    }

    /// Returns the value of a scalar. Text from variables is recorded.
    pub(super) fn scalar(&self, node: NodeId) -> Value {
        let value = self.plain(node);
        // Null and booleans carry no secret and occur in every message.
        let is_public = matches!(value, Value::None | Value::Bool(_));
        if self.has_variable_texts && !is_public && self.document.is_secret(node) {
            self.variable_texts.borrow_mut().extend(python::str(&value));
        }
        value
    }

    fn plain(&self, node: NodeId) -> Value {
        if let NodeId::Clean(file, i) = node
            && self.json.contains(&file)
            && let Ok(value) = json::load(self.document.arena(file).raw(i))
        {
            return value;
        }
        match self.document.scalar(node) {
            Scalar::String(text) => Value::text(&*text),
            _ => read_scalar(&self.document, node),
        }
    }

    /// Returns true if a sequence of mappings is `!!omap` or `!!pairs`.
    pub(super) fn is_pairs(&self, node: NodeId) -> bool {
        self.is_tagged(node, "omap") || self.is_tagged(node, "pairs")
    }

    fn is_tagged(&self, node: NodeId, name: &str) -> bool {
        let NodeId::Clean(file, i) = node else { return false };
        let tag = self.document.arena(file).resolved_tag(i);
        tag.is_some_and(|tag| {
            tag.strip_prefix(YAML_TAG_PREFIX).is_some_and(|known| known == name)
        })
    }
}

/// Returns true if a text is JSON: Heat tries JSON before YAML.
fn is_json(text: &str) -> bool {
    // The first character rules out most YAML texts, which would be parsed twice.
    text.trim_start().starts_with(['{', '[']) && json::load(text).is_ok()
}

/// A node of a template that holds plain data.
#[derive(Clone, Copy)]
pub(super) struct TemplateNode<'t> {
    template: &'t Template,
    node: NodeId,
}

impl<'t> TemplateNode<'t> {
    pub(super) fn new(template: &'t Template, node: NodeId) -> TemplateNode<'t> {
        TemplateNode { template, node }
    }

    pub(super) fn span(&self) -> Option<Span> {
        self.template.span(self.node)
    }

    pub(super) fn data(&self) -> Result<Value> {
        self.template.data(self.node)
    }

    pub(super) fn is_null(&self) -> bool {
        self.template.is_null(self.node)
    }

    pub(super) fn get(&self, key: &str) -> Option<TemplateNode<'t>> {
        Some(TemplateNode { node: self.template.get(self.node, key)?, ..*self })
    }

    /// Returns the value of a key as plain data; null if there is none.
    pub(super) fn get_data(&self, key: &str) -> Result<Value> {
        self.get(key).map_or(Ok(Value::None), |part| part.data())
    }

    /// Returns the items of a sequence; nothing for other nodes.
    pub(super) fn items(&self) -> Option<Vec<TemplateNode<'t>>> {
        let document = &self.template.document;
        let items = || document.items(self.node).into_iter();
        let part = |item| TemplateNode { node: document.follow(item), ..*self };
        (document.kind(self.node) == Kind::Sequence).then(|| items().map(part).collect())
    }

    /// Returns a failed validation at the node.
    pub(super) fn wrong(&self, message: &str) -> Box<Exception> {
        at(invalid(message), self.span())
    }

    /// Checks that the node is a mapping with known keys; `what` names it in messages.
    pub(super) fn validate_keys(&self, known: &[&str], what: &str) -> Result<()> {
        let Some(entries) = self.template.entries(self.node) else {
            return Err(self.wrong(&format!("Invalid {what}, expected a mapping")));
        };
        for (key, _) in entries {
            let name = self.template.key(key)?;
            if name.as_str().is_none_or(|name| !known.contains(&name)) {
                let name = python::str(name.value())?;
                let message = format!("Invalid key '{name}' for {what}");
                let raised = invalid(&message).did_you_mean(known.iter().copied(), &name);
                return Err(at(raised, self.template.span(key)));
            }
        }
        Ok(())
    }
}
