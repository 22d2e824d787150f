//! Reads nodes as values. A node of a document in, the value that was written out;
//! nothing is evaluated. Each string keeps its span. A value tagged `!unsafe` is never
//! evaluated, and one tagged `!vault` raises when it is used.

use std::sync::{Arc, OnceLock};

use num_bigint::BigInt;

use crate::arena::Style;
use crate::eval::python::yaml::{YamlTag, construct, resolve};
use crate::eval::python::{
    Class, Dict, Exception, Key, Lazy, Result, Secrecy, Stamp, Str, Value,
};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Dialect, Scalar};
use crate::source::Span;
use crate::variables::Bindings;

/// A node that is read when it is needed, one level at a time.
#[derive(Debug)]
struct UnreadNode {
    document: Arc<Tree>,
    node: NodeId,
    is_data: bool,
    read: OnceLock<Value>,
}

/// Reads a node. The members of containers are lazy.
pub fn read(document: &Arc<Tree>, node: NodeId) -> Value {
    read_within(document, node, false)
}

/// Reads a node. With `is_data`, its texts are data and never evaluated.
fn read_within(document: &Arc<Tree>, node: NodeId, is_data: bool) -> Value {
    let node = document.follow(node);
    let is_data = is_data || is_unsafe(document, node);
    let member = |node: NodeId| match document.kind(node) {
        Kind::Scalar if is_vault(document, node) => {
            let message = "Attempting to decrypt but no vault secrets found.";
            let hint = "a `!vault` value cannot be used here: give the key at the top a value with -v or -l";
            refused(Class::Unsupported, message, hint, document.span(node))
        }
        Kind::Scalar => {
            date(document, node).unwrap_or_else(|| scalar_within(document, node, is_data))
        }
        Kind::Sequence | Kind::Mapping => {
            let document = document.clone();
            Value::Lazy(Arc::new(UnreadNode {
                document,
                node,
                is_data,
                read: OnceLock::new(),
            }))
        }
    };
    match document.kind(node) {
        Kind::Scalar => member(node),
        Kind::Sequence => {
            let items = document.items(node).into_iter().map(|id| document.follow(id));
            Value::list(items.map(member))
        }
        Kind::Mapping => {
            if is_unquoted(document, node) {
                let message = "`{{` without quotes begins a mapping";
                let hint = "quote the template: \"{{ name }}\"";
                return refused(Class::Type, message, hint, document.span(node));
            }
            let pairs = document.pairs(node).into_iter();
            if document.tag(node).is_some_and(|tag| tag == "tag:yaml.org,2002:set") {
                let keys = pairs.filter_map(|(key, _)| self::key(document, key));
                return Value::Set(keys.collect());
            }
            let entries = pairs.filter_map(|(key, value)| {
                Some((self::key(document, key)?, member(document.follow(value))))
            });
            Value::Dict(entries.collect())
        }
    }
}

/// Returns the date or time that an unquoted scalar is in YAML 1.1.
fn date(document: &Tree, node: NodeId) -> Option<Value> {
    let NodeId::Clean(file, i) = node else { return None };
    let arena = document.arena(file);
    let is_plain = match arena.resolved_tag(i).as_deref() {
        None => arena.style(i) == Style::Plain,
        Some(tag) => tag == "tag:yaml.org,2002:timestamp",
    };
    if arena.dialect() != Dialect::Yaml11 || !is_plain {
        return None;
    }
    let text = arena.string(i);
    let is_date = resolve(&text) == YamlTag::Timestamp;
    is_date.then(|| construct(&text, YamlTag::Timestamp).ok())?
}

/// Reads one level of a node, enough to recognize a source: inner collections are empty.
pub(super) fn glance(document: &Tree, node: NodeId) -> Value {
    let node = document.follow(node);
    let scalar = |node| match document.kind(node) {
        Kind::Scalar => scalar(document, node),
        Kind::Sequence | Kind::Mapping => Value::list([]),
    };
    match document.kind(node) {
        Kind::Scalar | Kind::Sequence => scalar(node),
        Kind::Mapping => {
            let pairs = document.pairs(node).into_iter();
            let entries = pairs.filter_map(|(name, value)| {
                Some((key(document, name)?, scalar(document.follow(value))))
            });
            Value::Dict(entries.collect())
        }
    }
}

/// Reads the variables of the command line. A name with dots makes a mapping. `blank` is
/// an empty document of the same [`Sources`](crate::source::Sources).
///
/// # Errors
/// `blank` is of other sources.
pub fn given(given: &Bindings, mut blank: Tree) -> crate::diagnostic::Result<Dict> {
    let nodes = given.for_templates().nodes(&mut blank)?;
    let document = Arc::new(blank);
    Ok(Dict::named(nodes.into_iter().map(|(name, node)| (name, read(&document, node)))))
}

/// Makes a value of a text that is data: it is never evaluated.
pub fn read_text(text: &str) -> Value {
    Value::Str(Str::stamped(text, Stamp { quoted: true, ..Stamp::default() }))
}

/// Reads a key; nothing if the node cannot be a key.
pub(super) fn key(document: &Tree, node: NodeId) -> Option<Key> {
    let node = document.follow(node);
    let is_scalar = document.kind(node) == Kind::Scalar;
    is_scalar.then(|| Key::new(scalar(document, node)).ok())?
}

pub(crate) fn scalar(document: &Tree, node: NodeId) -> Value {
    scalar_within(document, node, false)
}

fn scalar_within(document: &Tree, node: NodeId, is_data: bool) -> Value {
    match document.scalar(node) {
        Scalar::Null => Value::None,
        Scalar::Bool(x) => Value::Bool(x),
        Scalar::Int(x) => Value::integer(BigInt::from(x)),
        Scalar::Big(x) => Value::Big(x),
        Scalar::Float(x) => Value::Float(x),
        Scalar::String(text) => {
            let origin = document.span(node);
            let secrecy =
                if document.is_secret(node) { Secrecy::Private } else { Secrecy::Open };
            let quoted = is_data || is_unsafe(document, node);
            let stamp = Stamp { origin, secrecy, quoted, ..Stamp::default() };
            Value::Str(Str::stamped(&*text, stamp))
        }
        Scalar::Binary(bytes) => Value::Bytes(bytes.into()),
    }
}

/// Returns true for an unquoted template, which YAML reads as a mapping in a mapping.
fn is_unquoted(document: &Tree, node: NodeId) -> bool {
    let NodeId::Clean(file, i) = node else { return false };
    let arena = document.arena(file);
    let rest = arena.text().get(arena.span(i).start as usize..);
    arena.style(i) == Style::FlowMapping
        && rest.is_some_and(|text| text.starts_with("{{"))
}

/// Returns true if a node is data: Ansible's `!unsafe`.
pub(super) fn is_unsafe(document: &Tree, node: NodeId) -> bool {
    document.tag(node).is_some_and(|tag| tag == "!unsafe")
}

fn is_vault(document: &Tree, node: NodeId) -> bool {
    document.tag(node).is_some_and(|tag| tag == "!vault" || tag == "!vault-encrypted")
}

impl Lazy for UnreadNode {
    fn force(&self) -> Result<Value> {
        self.read
            .get_or_init(|| read_within(&self.document, self.node, self.is_data))
            .force()
    }

    fn known(&self) -> Option<Value> {
        self.read.get().cloned()
    }
}

/// A value that raises an exception when it is used.
#[derive(Debug)]
struct Refused(Box<Exception>);

fn refused(class: Class, message: &str, hint: &str, at: Option<Span>) -> Value {
    let mut raised = Exception::new(class, message).hint(hint);
    raised.places.extend(at.map(|at| (at, String::new())));
    Value::Lazy(Arc::new(Refused(raised)))
}

impl Lazy for Refused {
    fn force(&self) -> Result<Value> {
        Err(self.0.clone())
    }

    fn known(&self) -> Option<Value> {
        None
    }
}
