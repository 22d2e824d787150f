//! Reads Rust values: a `serde::Deserializer` over a node. Aliases and `<<` are followed,
//! and of duplicate keys the one counts that counts in the document's dialect.

use std::borrow::Cow;
use std::cell::Cell;
use std::marker::PhantomData;
use std::vec::IntoIter;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde_core::de::value::SeqDeserializer;
use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Error as _, IntoDeserializer,
    Unexpected, Visitor,
};
use serde_core::forward_to_deserialize_any;

use super::error::{Error, text};
use crate::arena::Style;
use crate::diagnostic;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;
use crate::yaml::Expansion;

/// Deserializes the value of `node`.
///
/// Types are those that the document's dialect gives its scalars. An integer beyond 128
/// bits is the closest float, where a float will do. A local tag `!Variant` chooses the
/// variant of an enum; to any other type it says nothing. A key of a mapping has the type
/// it has in YAML, but names a field or variant by its text.
///
/// # Errors
/// The value does not fit `T`: the message begins with the path from `node` to the
/// innermost value that does not fit, which is labelled. Values of secrets are not shown.
/// It also fails for collections nested more than 128 deep, and if aliases expand to more
/// than an [`Expansion`] allows.
///
/// # Examples
/// ```
/// use std::collections::BTreeMap;
///
/// use interpolate::unstable::convert::deserialize;
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::yaml::{self, Options};
///
/// let mut sources = Sources::default();
/// let file = sources.add("ports.yml", "web: &p [80, 443]\nproxy: *p\ndns: [53, x]\n");
/// let tree = yaml::read(&sources, file, &Options::default())?;
/// let web = tree.get(tree.root(), "proxy").unwrap();
/// assert_eq!(deserialize::<Vec<u16>>(&tree, web)?, [80, 443]);
///
/// let error = deserialize::<BTreeMap<&str, Vec<u16>>>(&tree, tree.root()).unwrap_err();
/// assert_eq!(error.message, "/dns/1: invalid type: string \"x\", expected u16");
/// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
/// ```
pub fn deserialize<'t, T: Deserialize<'t>>(
    tree: &'t Tree,
    node: NodeId,
) -> diagnostic::Result<T> {
    deserialize_within(tree, node, Expansion::default())
}

pub(super) fn deserialize_within<'t, T: Deserialize<'t>>(
    tree: &'t Tree,
    node: NodeId,
    limit: Expansion,
) -> diagnostic::Result<T> {
    let [nodes, bytes, secrets] = [0; 3].map(Cell::new);
    let has_secrets = tree.has_secrets();
    let walk = DecodeWalk { tree, has_secrets, limit, nodes, bytes, secrets };
    let root = NodeReader { walk: &walk, node, depth: 0, role: NodeRole::Value };
    root.read(PhantomData).map_err(Error::into_diagnostic)
}

/// The use of a node that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    Value,
    /// A value whose local tag was read as the name of a variant.
    Untagged,
    Key,
}

/// The deserializer of a node.
#[derive(Clone, Copy)]
struct NodeReader<'w, 't> {
    walk: &'w DecodeWalk<'t>,
    node: NodeId,
    /// Number of collections around the node.
    depth: usize,
    role: NodeRole,
}

impl<'t> NodeReader<'_, 't> {
    fn read<S: DeserializeSeed<'t>>(self, seed: S) -> Result<S::Value, Error> {
        self.located(|node| seed.deserialize(node))
    }

    /// Deserializes the node by `read`, and notes the node in an error.
    // Here and not in the methods of the deserializer, since a type may refuse a value
    // after the method has returned it.
    fn located<T>(self, read: impl FnOnce(Self) -> Result<T, Error>) -> Result<T, Error> {
        let before = self.walk.secrets.get();
        read(self).map_err(|error| {
            let is_secret = self.walk.secrets.get() > before;
            error.at(self.walk.tree, self.node, is_secret)
        })
    }

    fn child(self, node: NodeId, role: NodeRole) -> Self {
        NodeReader { node, depth: self.depth + 1, role, ..self }
    }

    fn kind(self) -> Kind {
        self.walk.tree.kind(self.node)
    }

    /// Returns the value of a scalar; null for a collection.
    fn scalar(self) -> Scalar<'t> {
        let tree = self.walk.tree;
        // Under a local tag every text is a string, which the tag of a variant is not
        // meant to say.
        if self.role == NodeRole::Untagged
            && let NodeId::Clean(file, i) = tree.follow(self.node)
            && let arena = tree.arena(file)
            && matches!(arena.style(i), Style::Plain | Style::Empty)
        {
            return Scalar::plain(arena.string(i), arena.dialect());
        }
        tree.scalar(self.node)
    }

    /// Returns the value of a scalar that is handed to a visitor; `None` for a collection.
    fn counted_scalar(self) -> Result<Option<Scalar<'t>>, Error> {
        if self.kind() != Kind::Scalar {
            return Ok(None);
        }
        let walk = self.walk;
        let scalar = self.scalar();
        let is_secret = match self.role {
            NodeRole::Key => Tree::is_hidden,
            NodeRole::Value | NodeRole::Untagged => Tree::is_secret,
        };
        if walk.has_secrets && is_secret(walk.tree, self.node) {
            walk.secrets.set(walk.secrets.get() + 1);
        }
        let bytes = match &scalar {
            Scalar::String(text) => text.len(),
            Scalar::Binary(bytes) => bytes.len(),
            _ => 0,
        };
        walk.count(0, bytes)?;
        Ok(Some(scalar))
    }

    fn is_null(self) -> bool {
        self.kind() == Kind::Scalar && self.scalar() == Scalar::Null
    }

    /// Returns true if the node is a collection of that kind, or nothing is written for
    /// it: `key:` may stand for an empty list as well as for null.
    fn may_be(self, kind: Kind) -> bool {
        let is_empty = || match self.walk.tree.follow(self.node) {
            NodeId::Clean(file, i) => {
                self.walk.tree.arena(file).style(i) == Style::Empty && self.is_null()
            }
            NodeId::Opened(_) => false,
        };
        self.kind() == kind || is_empty()
    }

    /// Returns the name in a local tag that was not read: `!Variant`.
    fn local_tag(self) -> Option<String> {
        let tag =
            self.walk.tree.tag(self.node).filter(|_| self.role == NodeRole::Value)?;
        Some(tag.strip_prefix('!').filter(|name| !name.is_empty())?.to_owned())
    }

    fn visit_items<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        Error::check_depth(self.depth)?;
        let items = self.walk.tree.items(self.node);
        self.walk.count(1 + items.len(), 0)?;
        let length = items.len();
        let mut items = ItemReader { parent: self, items: items.into_iter(), read: 0 };
        let value = visitor.visit_seq(&mut items)?;
        if items.read < length {
            let expected = format!("a sequence of length {}", items.read);
            return Err(Error::invalid_length(length, &&*expected));
        }
        Ok(value)
    }

    /// Returns the entries of a mapping, each key once.
    fn pairs(self) -> Result<Vec<(NodeId, NodeId)>, Error> {
        Error::check_depth(self.depth)?;
        let (pairs, skipped) = self.walk.tree.effective_pairs(self.node);
        // Skipping takes time, too: merges of merges may skip exponentially many entries.
        self.walk.count(1 + 2 * pairs.len() + skipped, 0)?;
        Ok(pairs)
    }

    fn visit_entries<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        let pairs = self.pairs()?;
        let length = pairs.len();
        let mut entries =
            EntryReader { parent: self, pairs: pairs.into_iter(), pending: None };
        let value = visitor.visit_map(&mut entries)?;
        if entries.pairs.len() > 0 {
            let expected = format!("a map of length {}", length - entries.pairs.len());
            return Err(Error::invalid_length(length, &&*expected));
        }
        Ok(value)
    }

    /// Reads a mapping with one entry, which is a variant and its content.
    fn visit_variant<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        let [(key, value)] = self.pairs()?[..] else {
            let expected = "a mapping with one entry, the variant";
            return Err(Error::invalid_value(Unexpected::Map, &expected));
        };
        let name = VariantName::Key(self.child(key, NodeRole::Key));
        let content = self.child(value, NodeRole::Value);
        visitor.visit_enum(VariantReader { name, content })
    }

    /// Reads what should be an integer.
    fn visit_integer<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.counted_scalar()? {
            // As a float it would be reported as one.
            Some(Scalar::Big(x)) if u128::try_from(&*x).is_err() => {
                let found = format!("integer `{x}`");
                Err(Error::invalid_type(Unexpected::Other(&found), &visitor))
            }
            Some(scalar) => visit_scalar(scalar, visitor),
            None => self.deserialize_any(visitor),
        }
    }

    fn visit_float<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.counted_scalar()? {
            Some(Scalar::Int(x)) => visitor.visit_f64(x as f64),
            Some(Scalar::Big(x)) => visitor.visit_f64(closest_float(&x)),
            Some(scalar) => visit_scalar(scalar, visitor),
            None => self.deserialize_any(visitor),
        }
    }
}

fn visit_scalar<'t, V>(scalar: Scalar<'t>, visitor: V) -> Result<V::Value, Error>
where
    V: Visitor<'t>,
{
    match scalar {
        Scalar::Null => visitor.visit_unit(),
        Scalar::Bool(x) => visitor.visit_bool(x),
        Scalar::Int(x) => match (u64::try_from(x), i64::try_from(x)) {
            (Ok(x), _) => visitor.visit_u64(x),
            (_, Ok(x)) => visitor.visit_i64(x),
            _ => visitor.visit_i128(x),
        },
        Scalar::Big(x) => match u128::try_from(&*x) {
            Ok(x) => visitor.visit_u128(x),
            Err(_) => visitor.visit_f64(closest_float(&x)),
        },
        Scalar::Float(x) => visitor.visit_f64(x),
        Scalar::String(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
        Scalar::String(Cow::Owned(text)) => visitor.visit_string(text),
        Scalar::Binary(bytes) => visitor.visit_byte_buf(bytes),
    }
}

fn closest_float(x: &BigInt) -> f64 {
    x.to_f64().unwrap_or(f64::INFINITY)
}

/// Methods that read a number by the method `$visit`.
macro_rules! numbers {
    ($visit:ident: $($method:ident)*) => {
        $(fn $method<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
            self.$visit(visitor)
        })*
    };
}

impl<'t> Deserializer<'t> for NodeReader<'_, 't> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.counted_scalar()? {
            Some(scalar) => visit_scalar(scalar, visitor),
            None if self.kind() == Kind::Sequence => self.visit_items(visitor),
            None => self.visit_entries(visitor),
        }
    }

    numbers! {
        visit_integer:
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    numbers! { visit_float: deserialize_f32 deserialize_f64 }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.may_be(Kind::Sequence) {
            return self.visit_items(visitor);
        }
        match self.counted_scalar()? {
            Some(Scalar::Binary(bytes)) => {
                SeqDeserializer::new(bytes.into_iter()).deserialize_any(visitor)
            }
            Some(scalar) => visit_scalar(scalar, visitor),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'t>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'t>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.may_be(Kind::Mapping) {
            self.visit_entries(visitor)
        } else {
            self.deserialize_any(visitor)
        }
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        // A derived visitor would take the items of a sequence for its fields.
        if self.kind() == Kind::Sequence {
            return Err(Error::invalid_type(Unexpected::Seq, &visitor));
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'t>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Some(name) = self.local_tag() {
            let name = VariantName::Tag(name);
            let content = NodeReader { role: NodeRole::Untagged, ..self };
            return visitor.visit_enum(VariantReader { name, content });
        }
        if self.kind() == Kind::Mapping {
            return self.visit_variant(visitor);
        }
        match self.counted_scalar()? {
            Some(Scalar::String(name)) => visitor.visit_enum(name.into_deserializer()),
            Some(scalar) => visit_scalar(scalar, visitor),
            None => self.deserialize_any(visitor),
        }
    }

    /// Reads the name of a field or variant.
    fn deserialize_identifier<V: Visitor<'t>>(
        self,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.counted_scalar()? {
            Some(Scalar::String(name)) => visit_scalar(Scalar::String(name), visitor),
            // A derived visitor would take a number for the number of a field.
            Some(_) => visitor.visit_str(&text(self.walk.tree, self.node)),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(
        self,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'t>>
        bool char str string bytes byte_buf unit unit_struct
    }
}

/// The items of a sequence that are not read yet.
struct ItemReader<'w, 't> {
    parent: NodeReader<'w, 't>,
    items: IntoIter<NodeId>,
    /// Number of items that were read.
    read: usize,
}

impl<'t> de::SeqAccess<'t> for ItemReader<'_, 't> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.read;
        self.read += 1;
        let item = self.parent.child(item, NodeRole::Value);
        item.read(seed).map(Some).map_err(|error| error.in_item(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The entries of a mapping that are not read yet.
struct EntryReader<'w, 't> {
    parent: NodeReader<'w, 't>,
    pairs: IntoIter<(NodeId, NodeId)>,
    /// The entry whose key was read and whose value was not.
    pending: Option<(NodeId, NodeId)>,
}

impl<'t> de::MapAccess<'t> for EntryReader<'_, 't> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        self.pending = self.pairs.next();
        let Some((key, _)) = self.pending else { return Ok(None) };
        self.parent.child(key, NodeRole::Key).read(seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, Error> {
        let Some((key, value)) = self.pending.take() else {
            return Err(Error::custom("a value was asked for before its key"));
        };
        let value = self.parent.child(value, NodeRole::Value);
        value.read(seed).map_err(|error| error.in_entry(value.walk.tree, key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.pairs.len())
    }
}

/// A variant of an enum with content.
struct VariantReader<'w, 't> {
    name: VariantName<'w, 't>,
    content: NodeReader<'w, 't>,
}

/// The place of the name of a variant.
enum VariantName<'w, 't> {
    /// `!Variant content`
    Tag(String),
    /// `Variant: content`
    Key(NodeReader<'w, 't>),
}

impl<'t> de::EnumAccess<'t> for VariantReader<'_, 't> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'t>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self), Error> {
        let variant = match &self.name {
            VariantName::Tag(name) => seed.deserialize(name.as_str().into_deserializer()),
            VariantName::Key(key) => key.read(seed),
        };
        Ok((variant?, self))
    }
}

impl<'w, 't> VariantReader<'w, 't> {
    fn located<T>(
        self,
        read: impl FnOnce(NodeReader<'w, 't>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.content.located(read).map_err(|error| match self.name {
            VariantName::Tag(_) => error,
            VariantName::Key(key) => error.in_entry(key.walk.tree, key.node),
        })
    }
}

impl<'t> de::VariantAccess<'t> for VariantReader<'_, 't> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.located(<()>::deserialize)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'t>>(
        self,
        seed: S,
    ) -> Result<S::Value, Error> {
        self.located(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'t>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.located(|content| content.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'t>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.located(|content| content.deserialize_struct("", fields, visitor))
    }
}

/// The state of one deserialization.
struct DecodeWalk<'t> {
    tree: &'t Tree,
    /// True if any value of the tree is secret.
    has_secrets: bool,
    limit: Expansion,
    /// Number of nodes. A node counts each time an alias leads to it.
    nodes: Cell<usize>,
    /// Length of the strings.
    bytes: Cell<usize>,
    /// Number of secrets.
    secrets: Cell<usize>,
}

impl DecodeWalk<'_> {
    /// Counts nodes, and the bytes of strings.
    fn count(&self, nodes: usize, bytes: usize) -> Result<(), Error> {
        self.nodes.set(self.nodes.get() + nodes);
        self.bytes.set(self.bytes.get() + bytes);
        Ok(self.limit.check(self.bytes.get(), self.nodes.get())?)
    }
}
