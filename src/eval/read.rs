//! A node of a document → the value that was written there. Each string knows its place;
//! nothing is evaluated.

use std::sync::{Arc, OnceLock};

use num_bigint::BigInt;

use crate::node::{Document, Kind, Node};
use crate::python::{Dict, Key, Lazy, List, Result, Secrecy, Stamp, Str, Value};
use crate::scalar::Scalar;

/// A node that is read one level at a time, when somebody asks.
#[derive(Debug)]
struct Unread {
    document: Arc<Document>,
    node: Node,
    read: OnceLock<Value>,
}

/// What was written at a node. Members of containers are read when somebody asks.
pub fn read(document: &Arc<Document>, node: Node) -> Value {
    let node = document.follow(node);
    let member = |node: Node| match document.kind(node) {
        Kind::Scalar => scalar(document, node),
        Kind::Sequence | Kind::Mapping => {
            let (document, read) = (document.clone(), OnceLock::new());
            Value::Lazy(Arc::new(Unread { document, node, read }))
        }
    };
    match document.kind(node) {
        Kind::Scalar => scalar(document, node),
        Kind::Sequence => {
            let items =
                document.items(node).into_iter().map(|item| document.follow(item));
            Value::List(items.map(member).collect::<List>())
        }
        Kind::Mapping => {
            let pairs = document.pairs(node).into_iter();
            let entry = |(key, value): (Node, Node)| {
                Some((self::key(document, key)?, member(document.follow(value))))
            };
            Value::Dict(pairs.filter_map(entry).collect::<Dict>())
        }
    }
}

/// What was written at a node, as far as one can see without looking into what is in it:
/// collections there are empty lists.
pub(super) fn glance(document: &Document, node: Node) -> Value {
    let node = document.follow(node);
    let scalar = |node| match document.kind(node) {
        Kind::Scalar => scalar(document, node),
        Kind::Sequence | Kind::Mapping => Value::list([]),
    };
    match document.kind(node) {
        Kind::Scalar | Kind::Sequence => scalar(node),
        Kind::Mapping => {
            let pairs = document.pairs(node).into_iter();
            let entry = |(name, value)| {
                Some((key(document, name)?, scalar(document.follow(value))))
            };
            Value::Dict(pairs.filter_map(entry).collect::<Dict>())
        }
    }
}

/// A text as a value that is evaluated nowhere: data.
pub fn read_text(text: &str) -> Value {
    Value::Str(Str::stamped(text, Stamp { quoted: true, ..Stamp::default() }))
}

/// What was written as a key, if it can be one.
pub(super) fn key(document: &Document, node: Node) -> Option<Key> {
    Key::new(scalar(document, document.follow(node))).ok()
}

pub(super) fn scalar(document: &Document, node: Node) -> Value {
    if document.kind(node) != Kind::Scalar {
        // A key that is no scalar stands for its text nowhere; it is told apart by its place.
        return Value::text(format!("{node:?}"));
    }
    match document.scalar(node) {
        Scalar::Null => Value::None,
        Scalar::Bool(x) => Value::Bool(x),
        Scalar::Int(x) => Value::integer(BigInt::from(x)),
        Scalar::Big(x) => Value::Big(x),
        Scalar::Float(x) => Value::Float(x),
        Scalar::String(text) => {
            let origin = document.span(node);
            let secrecy = match document.is_secret(node) {
                true => Secrecy::Private,
                false => Secrecy::Open,
            };
            Value::Str(Str::stamped(
                &*text,
                Stamp { origin, secrecy, ..Stamp::default() },
            ))
        }
        Scalar::Binary(bytes) => Value::Bytes(bytes.into()),
    }
}

impl Lazy for Unread {
    fn force(&self) -> Result<Value> {
        Ok(self.read.get_or_init(|| read(&self.document, self.node)).clone())
    }

    fn known(&self) -> Option<Value> {
        self.read.get().cloned()
    }
}
