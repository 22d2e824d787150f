//! Makes nodes of Rust values: a `serde::Serializer` whose results are opened nodes.

use std::fmt::Display;

use hashbrown::HashSet;
use serde_core::ser::{self, Error as _, Serialize, Serializer};

use super::error::{Error, text};
use crate::diagnostic;
use crate::node::{Kind, NodeId, Seat, Slot, Slots, Tree};
use crate::scalar::{Dialect, Scalar};
use crate::yaml;

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

    fn items(self) -> Result<ItemWriter<'t>, Error> {
        Error::check_depth(self.depth)?;
        let NodeWriter { tree, depth } = self;
        Ok(ItemWriter { tree, depth: depth + 1, items: Vec::new(), variant: None })
    }

    fn entries(self) -> Result<EntryWriter<'t>, Error> {
        Error::check_depth(self.depth)?;
        let (tree, depth) = (self.tree, self.depth + 1);
        let (entries, key) = (Vec::new(), None);
        Ok(EntryWriter { tree, depth, entries, key, variant: None })
    }

    /// Returns the writer of the content of a variant, one level deeper.
    fn content(self) -> Result<Self, Error> {
        Error::check_depth(self.depth)?;
        Ok(NodeWriter { depth: self.depth + 1, ..self })
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
    type SerializeSeq = ItemWriter<'t>;
    type SerializeTuple = ItemWriter<'t>;
    type SerializeTupleStruct = ItemWriter<'t>;
    type SerializeTupleVariant = ItemWriter<'t>;
    type SerializeMap = EntryWriter<'t>;
    type SerializeStruct = EntryWriter<'t>;
    type SerializeStructVariant = EntryWriter<'t>;

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
        _name: &'static str,
        value: &T,
    ) -> Result<NodeId, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<NodeId, Error> {
        let mut entries = self.entries()?;
        ser::SerializeStruct::serialize_field(&mut entries, variant, value)?;
        ser::SerializeStruct::end(entries)
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<ItemWriter<'t>, Error> {
        self.items()
    }

    fn serialize_tuple(self, _length: usize) -> Result<ItemWriter<'t>, Error> {
        self.items()
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<ItemWriter<'t>, Error> {
        self.items()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<ItemWriter<'t>, Error> {
        Ok(ItemWriter { variant: Some(variant), ..self.content()?.items()? })
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<EntryWriter<'t>, Error> {
        self.entries()
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<EntryWriter<'t>, Error> {
        self.entries()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<EntryWriter<'t>, Error> {
        Ok(EntryWriter { variant: Some(variant), ..self.content()?.entries()? })
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

fn slot(key: Option<NodeId>, value: NodeId) -> Slot {
    Slot::new(key, value, None)
}

fn make(tree: &mut Tree, node: NodeId, slots: Vec<Slot>) -> NodeId {
    if let NodeId::Opened(id) = node {
        tree.set_children(id, Slots::new(slots));
    }
    node
}

fn make_mapping(tree: &mut Tree, entries: Vec<Slot>) -> NodeId {
    let node = tree.new_mapping(&[], None);
    make(tree, node, entries)
}

/// Returns the content of a variant under its name; any other value itself.
fn name_variant(tree: &mut Tree, variant: Option<&str>, content: NodeId) -> NodeId {
    let Some(variant) = variant else { return content };
    let key = tree.new_text(variant);
    make_mapping(tree, vec![slot(Some(key), content)])
}

/// The serializer of a sequence.
struct ItemWriter<'t> {
    tree: &'t mut Tree,
    /// Number of collections around the items.
    depth: usize,
    items: Vec<Slot>,
    /// The name of the variant whose content this is.
    variant: Option<&'static str>,
}

impl ItemWriter<'_> {
    fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
        let writer = NodeWriter { tree: self.tree, depth: self.depth };
        let item = item
            .serialize(writer)
            .map_err(|error| error.in_item(self.items.len()).in_variant(self.variant))?;
        self.items.push(slot(None, item));
        Ok(())
    }

    fn finish(self) -> NodeId {
        let node = self.tree.new_sequence();
        let node = make(self.tree, node, self.items);
        name_variant(self.tree, self.variant, node)
    }
}

/// The serializer of a mapping.
struct EntryWriter<'t> {
    tree: &'t mut Tree,
    /// Number of collections around the entries.
    depth: usize,
    entries: Vec<Slot>,
    /// The key whose value is next.
    key: Option<NodeId>,
    /// The name of the variant whose content this is.
    variant: Option<&'static str>,
}

impl EntryWriter<'_> {
    fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<NodeId, Error> {
        value.serialize(NodeWriter { tree: self.tree, depth: self.depth })
    }

    fn push<T: Serialize + ?Sized>(
        &mut self,
        key: NodeId,
        value: &T,
    ) -> Result<(), Error> {
        let value = self
            .write(value)
            .map_err(|error| error.in_entry(self.tree, key).in_variant(self.variant))?;
        self.entries.push(slot(Some(key), value));
        Ok(())
    }

    /// Fails if two scalar keys are equal, or the dialect has no such key.
    fn check_keys(&self) -> Result<(), Error> {
        let mut known = HashSet::with_capacity(self.entries.len());
        for key in self.entries.iter().filter_map(|slot| slot.key) {
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

    fn finish(self) -> NodeId {
        let node = make_mapping(self.tree, self.entries);
        name_variant(self.tree, self.variant, node)
    }
}

/// Implements a trait of sequences, whose method for an item is `$method`.
macro_rules! sequence {
    ($name:ident, $method:ident) => {
        impl ser::$name for ItemWriter<'_> {
            type Ok = NodeId;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
                self.push(item)
            }

            fn end(self) -> Result<NodeId, Error> {
                Ok(self.finish())
            }
        }
    };
}

sequence!(SerializeSeq, serialize_element);
sequence!(SerializeTuple, serialize_element);
sequence!(SerializeTupleStruct, serialize_field);
sequence!(SerializeTupleVariant, serialize_field);

impl ser::SerializeMap for EntryWriter<'_> {
    type Ok = NodeId;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(self.write(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        match self.key.take() {
            Some(key) => self.push(key, value),
            None => Err(Error::custom("a value was given before its key")),
        }
    }

    fn end(self) -> Result<NodeId, Error> {
        self.check_keys()?;
        Ok(self.finish())
    }
}

/// Implements a trait of structs.
macro_rules! fields {
    ($name:ident) => {
        impl ser::$name for EntryWriter<'_> {
            type Ok = NodeId;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                let key = self.tree.new_text(name);
                self.push(key, value)
            }

            fn end(self) -> Result<NodeId, Error> {
                Ok(self.finish())
            }
        }
    };
}

fields!(SerializeStruct);
fields!(SerializeStructVariant);
