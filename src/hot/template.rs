//! The text of a template. Input: a document. Output: its sections, and nodes as plain
//! data in Python's types.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use crate::eval::python::{
    self, Class, Exception, Key, Result, Value, json, limit_depth,
};
use crate::eval::read_scalar;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Scalar, YAML_TAG_PREFIX};
use crate::source::{FileId, Span};
use crate::yaml::Expansion;

use super::exception::{Placed, invalid};
use super::secret::VariableTexts;

/// A template as it was written, after patches.
#[derive(Clone, Debug)]
pub(super) struct Template {
    document: Arc<Tree>,
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
        let json = document.arenas().filter(|arena| is_json(arena.text()));
        Template {
            json: json.map(|arena| arena.file()).collect(),
            has_variable_texts: document.has_secrets(),
            document,
            read: Cell::new(0),
            limit,
            variable_texts: Rc::default(),
        }
    }

    pub(super) fn root(&self) -> TemplateNode<'_> {
        self.node(self.document.root())
    }

    fn node(&self, id: NodeId) -> TemplateNode<'_> {
        TemplateNode { template: self, id }
    }

    /// Checks that there is one document. Raises a `ValueError` if a second one follows.
    pub(super) fn validate_single(&self) -> Result<()> {
        let mut roots = self.document.roots().iter().skip(1);
        let Some(&second) = roots.find(|root| !self.document.is_absent(**root)) else {
            return Ok(());
        };
        let message =
            "expected a single document in the stream but found another document";
        Err(Exception::of_value(message).placed(self.document.span(second)))
    }

    /// Checks all tags. Raises a `ValueError` if Python's safe loader refuses one.
    pub(super) fn validate_tags(&self) -> Result<()> {
        self.document.base().tags().try_for_each(|(i, tag)| {
            let node = self.node(NodeId::Clean(self.document.file(), i));
            node.validate_tag(&tag).map_err(Exception::of_value).placed(node.span())
        })
    }

    /// Returns the entries of a section; none if it is missing or empty. Raises an
    /// `AttributeError` if it holds something else than a mapping.
    pub(super) fn section(&self, name: &str) -> Result<Vec<[TemplateNode<'_>; 2]>> {
        let Some(section) = self.root().get(name) else { return Ok(Vec::new()) };
        if let Some(entries) = section.entries() {
            return Ok(entries);
        }
        let data = section.data()?;
        if !python::truth(&data)? {
            return Ok(Vec::new());
        }
        let raised = python::no_attribute(&data, "items");
        Err(raised.hint(format!("`{name}` is to be a mapping")).placed(section.span()))
    }

    pub(super) fn defines(&self, section: &str, name: &str) -> bool {
        self.root().get(section).is_some_and(|section| section.get(name).is_some())
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
}

/// Returns true if a text is JSON: Heat tries JSON before YAML.
fn is_json(text: &str) -> bool {
    // The first character rules out most YAML texts, which would be parsed twice.
    text.trim_start().starts_with(['{', '[']) && json::load(text).is_ok()
}

/// A node of a template.
#[derive(Clone, Copy)]
pub(super) struct TemplateNode<'t> {
    template: &'t Template,
    id: NodeId,
}

impl<'t> TemplateNode<'t> {
    fn document(&self) -> &'t Tree {
        &self.template.document
    }

    pub(super) fn span(&self) -> Option<Span> {
        self.document().span(self.id)
    }

    /// Returns the node that an alias stands for; other nodes are returned unchanged.
    pub(super) fn followed(&self) -> TemplateNode<'t> {
        self.template.node(self.document().follow(self.id))
    }

    pub(super) fn kind(&self) -> Kind {
        self.document().kind(self.id)
    }

    /// Returns the value of a key. Aliases are followed.
    pub(super) fn get(&self, key: &str) -> Option<TemplateNode<'t>> {
        Some(self.template.node(self.document().get(self.id, key)?).followed())
    }

    /// Returns the value of a key as plain data; null if there is none.
    pub(super) fn get_data(&self, key: &str) -> Result<Value> {
        self.get(key).map_or(Ok(Value::None), |part| part.data())
    }

    /// Returns the entries of a mapping; nothing for other nodes. Values that are aliases
    /// are followed.
    pub(super) fn entries(&self) -> Option<Vec<[TemplateNode<'t>; 2]>> {
        let is_mapping = self.kind() == Kind::Mapping && !self.is_tagged("set");
        is_mapping.then(|| {
            self.pairs().into_iter().map(|[key, value]| [key, value.followed()]).collect()
        })
    }

    /// Returns the entries of a mapping or set as they are written; none for other nodes.
    pub(super) fn pairs(&self) -> Vec<[TemplateNode<'t>; 2]> {
        let pairs = self.document().pairs(self.id).into_iter();
        pairs.map(|(key, value)| [key, value].map(|id| self.template.node(id))).collect()
    }

    /// Returns the items of a sequence as they are written; none for other nodes.
    pub(super) fn items(&self) -> Vec<TemplateNode<'t>> {
        let items = self.document().items(self.id).into_iter();
        items.map(|item| self.template.node(item)).collect()
    }

    /// Returns the items of a sequence; nothing for other nodes. Aliases are followed.
    pub(super) fn sequence(&self) -> Option<Vec<TemplateNode<'t>>> {
        (self.kind() == Kind::Sequence)
            .then(|| self.items().iter().map(TemplateNode::followed).collect())
    }

    /// Returns the pairs of a sequence that is `!!omap` or `!!pairs`; nothing for other
    /// nodes.
    pub(super) fn listed_pairs(&self) -> Option<Vec<[TemplateNode<'t>; 2]>> {
        let is_listed = self.kind() == Kind::Sequence
            && (self.is_tagged("omap") || self.is_tagged("pairs"));
        is_listed.then(|| self.items().iter().flat_map(TemplateNode::pairs).collect())
    }

    fn is_tagged(&self, name: &str) -> bool {
        let NodeId::Clean(file, i) = self.id else { return false };
        let tag = self.document().arena(file).resolved_tag(i);
        tag.is_some_and(|tag| tag.strip_prefix(YAML_TAG_PREFIX) == Some(name))
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self.data(), Ok(Value::None))
    }

    /// Returns the text of a string; nothing for other nodes.
    pub(super) fn text(&self) -> Option<Cow<'t, str>> {
        match self.document().scalar(self.id) {
            Scalar::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a key as a name. Raises a `TypeError` if it is no string.
    pub(super) fn name(&self) -> Result<String> {
        let data = self.data()?;
        data.as_str().map(str::to_owned).ok_or_else(|| {
            let message = "sequence item 1: expected str instance, {} found";
            let raised = Exception::of_type_of(&data, message);
            raised.hint("a name is a string: quote it").placed(self.span())
        })
    }

    /// Returns the key of an entry. Raises a `TypeError` if it is a collection.
    pub(super) fn key(&self) -> Result<Key> {
        Key::new(self.data()?)
    }

    /// Returns a node as plain data; calls of functions are mappings.
    pub(super) fn data(&self) -> Result<Value> {
        self.data_within(0)
    }

    fn data_within(&self, depth: usize) -> Result<Value> {
        let node = self.followed();
        limit_depth(depth, "")?;
        self.template.count()?;
        if let Some(pairs) = node.listed_pairs() {
            let pairs = pairs.into_iter().map(|[key, value]| {
                let key = key.data_within(depth + 2)?;
                Ok(Value::tuple([key, value.data_within(depth + 2)?]))
            });
            return pairs.collect::<Result<_>>().map(Value::List);
        }
        match node.kind() {
            Kind::Scalar => Ok(node.scalar()),
            Kind::Sequence => {
                let items = node.items().into_iter();
                let items = items.map(|item| item.data_within(depth + 1));
                items.collect::<Result<_>>().map(Value::List)
            }
            Kind::Mapping if node.is_tagged("set") => {
                let keys = node.pairs().into_iter().map(|[key, _]| key.key());
                keys.collect::<Result<_>>().map(Value::Set)
            }
            Kind::Mapping => {
                let entries = node.pairs().into_iter();
                let entries = entries
                    .map(|[key, value]| Ok((key.key()?, value.data_within(depth + 1)?)));
                entries.collect::<Result<_>>().map(Value::Dict)
            }
        }
    }

    /// Returns the value of a scalar. Text from variables is recorded.
    pub(super) fn scalar(&self) -> Value {
        let value = self.plain();
        let template = self.template;
        // Null and booleans carry no secret and occur in every message.
        let is_public = matches!(value, Value::None | Value::Bool(_));
        if template.has_variable_texts && !is_public && self.document().is_secret(self.id)
        {
            template.variable_texts.borrow_mut().extend(python::str(&value));
        }
        value
    }

    fn plain(&self) -> Value {
        if let NodeId::Clean(file, i) = self.id
            && self.template.json.contains(&file)
            && let Ok(value) = json::load(self.document().arena(file).raw(i))
        {
            return value;
        }
        match self.text() {
            Some(text) => Value::text(&*text),
            None => read_scalar(self.document(), self.id),
        }
    }

    /// Checks the tag of the node. Fails with the message of Python's loader that refuses
    /// it.
    fn validate_tag(&self, tag: &str) -> std::result::Result<(), String> {
        let found = match self.kind() {
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
        let Ok(text @ Value::Str(_)) = self.data() else { return Ok(()) };
        let shown = python::repr(&text).unwrap_or_default();
        match tag.strip_prefix(YAML_TAG_PREFIX) {
            Some("float") => Err(format!("could not convert string to float: {shown}")),
            Some("int") => {
                Err(format!("invalid literal for int() with base 10: {shown}"))
            }
            Some("bool") => Err(format!("{shown} is no boolean")),
            _ => Ok(()),
        }
    }

    /// Returns a failed validation at the node.
    pub(super) fn wrong(&self, message: impl Into<String>) -> Box<Exception> {
        invalid(message).placed(self.span())
    }

    /// Checks that the node is a mapping with known keys; `what` names it in messages.
    pub(super) fn validate_keys(&self, known: &[&str], what: &str) -> Result<()> {
        let Some(entries) = self.entries() else {
            return Err(self.wrong(format!("Invalid {what}, expected a mapping")));
        };
        for [key, _] in entries {
            let name = key.key()?;
            if name.as_str().is_none_or(|name| !known.contains(&name)) {
                let name = python::str(name.value())?;
                let raised = key.wrong(format!("Invalid key '{name}' for {what}"));
                return Err(raised.did_you_mean(known.iter().copied(), &name));
            }
        }
        Ok(())
    }
}
