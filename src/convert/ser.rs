//! Makes nodes of Rust values: a `serde::Serializer` whose results are opened nodes.

use std::fmt::Display;

use hashbrown::HashSet;
use serde_core::ser::{self, Error as _, Serialize, Serializer};

use super::error::{Error, text};
use crate::arena::Style;
use crate::diagnostic;
use crate::node::{Kind, NodeId, Seat, Slot, Slots, Tree};
use crate::scalar::{Dialect, Scalar};
use crate::source::Sources;
use crate::yaml::{self, Options};

/// Makes a node of a value, which is not yet in any place of `tree`.
///
/// # Errors
/// YAML cannot express a part of the value: a map with two equal keys, collections nested
/// more than 128 deep or, in the dialect of yaml.v2, an integer beyond 64 bits or a
/// collection as a key. The message begins with the path to that part. It also fails
/// where the implementation of `T` does.
///
/// # Examples
/// ```
/// use interpolate::unstable::convert::{deserialize, serialize};
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::yaml::{self, Options};
///
/// let mut sources = Sources::default();
/// let file = sources.add("empty.yml", "");
/// let mut tree = yaml::read(&sources, file, &Options::default())?;
/// let node = serialize(&mut tree, &[("yes", 1.0), ("no", 2.5)])?;
/// let text = yaml::print_found(&tree, node)?;
/// assert_eq!(text, b"- - 'yes'\n  - 1.0\n- - 'no'\n  - 2.5\n");
///
/// let pairs: Vec<(String, f32)> = deserialize(&tree, node)?;
/// assert_eq!(pairs[1], ("no".to_owned(), 2.5));
/// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
/// ```
pub fn serialize<T: Serialize + ?Sized>(
    tree: &mut Tree,
    value: &T,
) -> diagnostic::Result<NodeId> {
    value.serialize(NodeWriter { tree, depth: 0 }).map_err(Error::into_diagnostic)
}

/// Makes a tree of a value: the node of the value is its root.
///
/// # Errors
/// As [`serialize`].
pub fn tree_of<T: Serialize + ?Sized>(value: &T) -> diagnostic::Result<Tree> {
    let mut tree = yaml::blank()?;
    let node = serialize(&mut tree, value)?;
    tree.set_at(Seat::Root(0), node, None);
    Ok(tree)
}

/// A plain scalar that is written as it is spelled: a date, or a number with its zeros. Other
/// formats of serde write a text.
///
/// ```
/// use interpolate::{Document, Spelled};
///
/// let mut document = Document::parse("day: 2024-01-01\ntag: 1.9\n")?;
/// document.set("/day", Spelled("2024-01-02"))?;
/// document.set("/tag", [Spelled("1.10")])?;
/// assert_eq!(document.to_string(), "day: 2024-01-02\ntag:\n- 1.10\n");
/// assert!(document.set("/day", Spelled("a: b")).is_err());
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelled<'a>(pub &'a str);

impl Spelled<'_> {
    /// The name by which a serializer knows one.
    const NAME: &'static str = "interpolate::Spelled";

    /// Makes the node.
    fn node(self, tree: &mut Tree) -> Result<NodeId, Error> {
        let mut sources = Sources::default();
        let file = sources.add("", self.0);
        let options = Options { dialect: tree.dialect(), ..Options::default() };
        let wrong = || Error::custom("the spelling is not that of a plain scalar");
        let read = yaml::read(&sources, file, &options).map_err(|_| wrong())?;
        let NodeId::Clean(_, root) = read.root() else { return Err(wrong()) };
        let span = read.base().span(root);
        let is_whole = span.start == 0 && span.end as usize == self.0.len();
        let is_plain = read.base().style(root) == Style::Plain && is_whole;
        if !is_plain || read.roots().len() > 1 || self.0.contains('\n') {
            return Err(wrong());
        }
        tree.add_arena(read.shared_base());
        Ok(read.root())
    }
}

impl Serialize for Spelled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(Spelled::NAME, self.0)
    }
}

/// The serializer of one value.
struct NodeWriter<'t> {
    tree: &'t mut Tree,
    /// Number of collections around the value.
    depth: usize,
}

impl<'t> NodeWriter<'t> {
    fn scalar(self, scalar: Scalar<'static>) -> Result<NodeId, Error> {
        Ok(self.tree.new_scalar(scalar))
    }

    fn integer(self, x: i128) -> Result<NodeId, Error> {
        // yaml.v2 reads the digits of any other integer as a float.
        let fits = i64::try_from(x).is_ok() || u64::try_from(x).is_ok();
        if self.tree.dialect() == Dialect::Go && !fits {
            return Err(beyond_64_bits(x));
        }
        self.scalar(Scalar::Int(x))
    }

    fn collection(self, kind: Kind) -> Result<CollectionWriter<'t>, Error> {
        Error::check_depth(self.depth)?;
        let tree = self.tree;
        let depth = self.depth + 1;
        let key = None;
        Ok(CollectionWriter { tree, kind, depth, slots: Vec::new(), key, variant: None })
    }

    /// Returns the writer of the content of a variant, one level deeper.
    fn variant(
        self,
        name: &'static str,
        kind: Kind,
    ) -> Result<CollectionWriter<'t>, Error> {
        Error::check_depth(self.depth)?;
        let content = NodeWriter { depth: self.depth + 1, ..self };
        Ok(CollectionWriter { variant: Some(name), ..content.collection(kind)? })
    }
}

/// Methods that make a scalar: `$method(x: $type) = $scalar;`
macro_rules! scalars {
    ($($method:ident($x:ident: $type:ty) = $scalar:expr;)*) => {
        $(fn $method(self, $x: $type) -> Result<NodeId, Error> {
            self.scalar($scalar)
        })*
    };
}

/// Methods that make an integer.
macro_rules! integers {
    ($($method:ident: $type:ty,)*) => {
        $(fn $method(self, x: $type) -> Result<NodeId, Error> {
            self.integer(x.into())
        })*
    };
}

impl<'t> Serializer for NodeWriter<'t> {
    type Ok = NodeId;
    type Error = Error;
    type SerializeSeq = CollectionWriter<'t>;
    type SerializeTuple = CollectionWriter<'t>;
    type SerializeTupleStruct = CollectionWriter<'t>;
    type SerializeTupleVariant = CollectionWriter<'t>;
    type SerializeMap = CollectionWriter<'t>;
    type SerializeStruct = CollectionWriter<'t>;
    type SerializeStructVariant = CollectionWriter<'t>;

    integers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_i128: i128,
    }

    scalars! {
        serialize_bool(x: bool) = Scalar::Bool(x);
        serialize_f32(x: f32) = Scalar::Float(shortest(x));
        serialize_f64(x: f64) = Scalar::Float(x);
        serialize_char(x: char) = Scalar::String(x.to_string().into());
        serialize_str(x: &str) = Scalar::String(x.to_owned().into());
        serialize_bytes(x: &[u8]) = Scalar::Binary(x.to_vec());
        serialize_unit_struct(_name: &'static str) = Scalar::Null;
    }

    fn serialize_u128(self, x: u128) -> Result<NodeId, Error> {
        match i128::try_from(x) {
            Ok(x) => self.integer(x),
            Err(_) if self.tree.dialect() == Dialect::Go => Err(beyond_64_bits(x)),
            Err(_) => self.scalar(Scalar::integer(x.into())),
        }
    }

    fn serialize_unit(self) -> Result<NodeId, Error> {
        self.scalar(Scalar::Null)
    }

    fn serialize_none(self) -> Result<NodeId, Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<NodeId, Error> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<NodeId, Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<NodeId, Error> {
        if name != Spelled::NAME {
            return value.serialize(self);
        }
        let tree = self.tree;
        let text = value.serialize(NodeWriter { tree: &mut *tree, depth: self.depth })?;
        let text = tree.string(text).unwrap_or_default().into_owned();
        Spelled(&text).node(tree)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<NodeId, Error> {
        let mut entries = self.collection(Kind::Mapping)?;
        ser::SerializeStruct::serialize_field(&mut entries, variant, value)?;
        ser::SerializeStruct::end(entries)
    }

    fn serialize_seq(
        self,
        _length: Option<usize>,
    ) -> Result<CollectionWriter<'t>, Error> {
        self.collection(Kind::Sequence)
    }

    fn serialize_tuple(self, _length: usize) -> Result<CollectionWriter<'t>, Error> {
        self.collection(Kind::Sequence)
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<CollectionWriter<'t>, Error> {
        self.collection(Kind::Sequence)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<CollectionWriter<'t>, Error> {
        self.variant(variant, Kind::Sequence)
    }

    fn serialize_map(
        self,
        _length: Option<usize>,
    ) -> Result<CollectionWriter<'t>, Error> {
        self.collection(Kind::Mapping)
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<CollectionWriter<'t>, Error> {
        self.collection(Kind::Mapping)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<CollectionWriter<'t>, Error> {
        self.variant(variant, Kind::Mapping)
    }
}

fn beyond_64_bits(x: impl Display) -> Error {
    Error::custom(format!("the integer {x} does not fit 64 bits"))
}

/// Returns the float with the digits of `x`: 0.1, and not 0.10000000149011612.
fn shortest(x: f32) -> f64 {
    let short = x.to_string().parse().unwrap_or(f64::from(x));
    // Rounding twice could lead to a neighbour of `x`.
    if short as f32 == x { short } else { f64::from(x) }
}

/// Makes a node with the children `slots` of an empty one.
fn make(tree: &mut Tree, node: NodeId, slots: Vec<Slot>) -> NodeId {
    if let NodeId::Opened(id) = node {
        tree.set_children(id, Slots::new(slots));
    }
    node
}

/// The serializer of a sequence or a mapping.
struct CollectionWriter<'t> {
    tree: &'t mut Tree,
    kind: Kind,
    /// Number of collections around the children.
    depth: usize,
    slots: Vec<Slot>,
    /// The key whose value is next.
    key: Option<NodeId>,
    /// The name of the variant whose content this is.
    variant: Option<&'static str>,
}

impl CollectionWriter<'_> {
    fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<NodeId, Error> {
        value.serialize(NodeWriter { tree: self.tree, depth: self.depth })
    }

    fn push<T: Serialize + ?Sized>(
        &mut self,
        key: Option<NodeId>,
        value: &T,
    ) -> Result<(), Error> {
        let value = self.write(value).map_err(|error| {
            let error = match key {
                Some(key) => error.in_entry(self.tree, key),
                None => error.in_item(self.slots.len()),
            };
            error.in_variant(self.variant)
        })?;
        self.slots.push(Slot::new(key, value, None));
        Ok(())
    }

    /// Fails if two scalar keys are equal, or the dialect has no such key.
    fn check_keys(&self) -> Result<(), Error> {
        let mut known = HashSet::with_capacity(self.slots.len());
        for key in self.slots.iter().filter_map(|slot| slot.key) {
            if self.tree.kind(key) != Kind::Scalar {
                if self.tree.dialect() == Dialect::Go {
                    let message = "yaml.v2 takes no key that is a collection";
                    return Err(Error::custom(message));
                }
            } else if !known.insert(self.tree.scalar(key).identity()) {
                let key = text(self.tree, key);
                return Err(Error::custom(format!("duplicate key `{key}`")));
            }
        }
        Ok(())
    }

    /// Returns the node; the content of a variant under its name.
    fn finish(self) -> NodeId {
        let node = match self.kind {
            Kind::Mapping => self.tree.new_mapping(&[], None),
            Kind::Sequence | Kind::Scalar => self.tree.new_sequence(),
        };
        let content = make(self.tree, node, self.slots);
        let Some(variant) = self.variant else { return content };
        let key = self.tree.new_text(variant);
        let named = self.tree.new_mapping(&[], None);
        make(self.tree, named, vec![Slot::new(Some(key), content, None)])
    }
}

/// Implements a trait of collections, whose method for a child is `$method`. The children of
/// a struct have names.
macro_rules! collection {
    ($trait:ident, $method:ident $(, $name:ident)?) => {
        impl ser::$trait for CollectionWriter<'_> {
            type Ok = NodeId;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($name: &'static str,)?
                value: &T,
            ) -> Result<(), Error> {
                let name: Option<&str> = None$(.or(Some($name)))?;
                let key = name.map(|name| self.tree.new_text(name));
                self.push(key, value)
            }

            fn end(self) -> Result<NodeId, Error> {
                Ok(self.finish())
            }
        }
    };
}

collection!(SerializeSeq, serialize_element);
collection!(SerializeTuple, serialize_element);
collection!(SerializeTupleStruct, serialize_field);
collection!(SerializeTupleVariant, serialize_field);
collection!(SerializeStruct, serialize_field, name);
collection!(SerializeStructVariant, serialize_field, name);

impl ser::SerializeMap for CollectionWriter<'_> {
    type Ok = NodeId;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(self.write(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        match self.key.take() {
            Some(key) => self.push(Some(key), value),
            None => Err(Error::custom("a value was given before its key")),
        }
    }

    fn end(self) -> Result<NodeId, Error> {
        self.check_keys()?;
        Ok(self.finish())
    }
}
