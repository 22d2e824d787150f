//! What the text of a scalar means in each dialect, and how a value is spelled so that
//! it reads back as the same value.

mod base64;
mod float;
mod quote;
mod resolve;
mod tag;
mod time;

use std::borrow::Cow;
use std::sync::Arc;

use num_bigint::BigInt;

pub use base64::to_base64;
pub(crate) use float::{positional, scientific, spell_go};
pub(crate) use quote::push_escape;
pub use quote::{
    Context, Literal, Quote, is_plain, literal, spell, spell_json, spell_quoted,
    spell_with,
};
pub(crate) use resolve::is_string_in_go;
pub use tag::Tag;

/// How a text is read: what its plain scalars mean, what is accepted, how `<<` merges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.2 core schema.
    #[default]
    Core,
    /// Go's yaml.v2, which bosh reads with.
    Go,
    /// YAML 1.1 as PyYAML reads it.
    Yaml11,
}

/// The value of a scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// `~`
    Null,
    /// `true`
    Bool(bool),
    /// `1`
    Int(i128),
    /// An integer that needs more than 128 bits, and only that; yaml.v2 has none.
    Big(Arc<BigInt>),
    /// `1.5`
    Float(f64),
    /// `text`
    String(Cow<'a, str>),
    /// `!!binary gP8=` (in yaml.v2 only if the bytes are no text)
    Binary(Vec<u8>),
}

/// What makes two keys of a mapping the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity<'a> {
    /// `~`
    Null,
    /// `true`
    Bool(bool),
    /// `1`
    Int(i128),
    /// An integer that needs more than 128 bits.
    Big(Arc<BigInt>),
    /// `1.5`, by its bits
    Float(u64),
    /// `text`
    String(Cow<'a, str>),
    /// `!!binary aGk=`
    Binary(Vec<u8>),
}

impl<'a> Scalar<'a> {
    /// What plain text without a tag means.
    pub fn plain(text: impl Into<Cow<'a, str>>, dialect: Dialect) -> Scalar<'a> {
        let text = text.into();
        resolve::typed(&text, dialect).unwrap_or(Scalar::String(text))
    }

    /// What text means under a tag.
    ///
    /// # Errors
    /// The text is none of what the tag says.
    pub fn tagged(
        text: impl Into<Cow<'a, str>>,
        tag: Tag,
        dialect: Dialect,
    ) -> Result<Scalar<'a>, String> {
        tag::resolve(text.into(), tag, dialect)
    }

    /// An integer of any size.
    pub fn integer(number: BigInt) -> Scalar<'a> {
        match i128::try_from(&number) {
            Ok(small) => Scalar::Int(small),
            Err(_) => Scalar::Big(Arc::new(number)),
        }
    }

    /// The same value, borrowing the text.
    pub fn borrowed(&self) -> Scalar<'_> {
        match self {
            Scalar::Null => Scalar::Null,
            Scalar::Bool(x) => Scalar::Bool(*x),
            Scalar::Int(x) => Scalar::Int(*x),
            Scalar::Big(x) => Scalar::Big(x.clone()),
            Scalar::Float(x) => Scalar::Float(*x),
            Scalar::String(text) => Scalar::String(Cow::Borrowed(text)),
            Scalar::Binary(bytes) => Scalar::Binary(bytes.clone()),
        }
    }

    /// The same value, with a text of its own.
    pub(crate) fn into_owned(self) -> Scalar<'static> {
        match self {
            Scalar::Null => Scalar::Null,
            Scalar::Bool(x) => Scalar::Bool(x),
            Scalar::Int(x) => Scalar::Int(x),
            Scalar::Big(x) => Scalar::Big(x),
            Scalar::Float(x) => Scalar::Float(x),
            Scalar::String(text) => Scalar::String(text.into_owned().into()),
            Scalar::Binary(bytes) => Scalar::Binary(bytes),
        }
    }

    /// What Go calls its type.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Scalar::Null => "<nil>",
            Scalar::Bool(_) => "bool",
            Scalar::Int(x) if *x > i64::MAX.into() => "uint64",
            Scalar::Int(_) => "int",
            Scalar::Big(_) | Scalar::Float(_) => "float64",
            Scalar::String(_) | Scalar::Binary(_) => "string",
        }
    }

    /// What this scalar is as a key. (No key equals NaN, but a mapping holds one of it.)
    pub fn identity(self) -> Identity<'a> {
        match self {
            Scalar::Null => Identity::Null,
            Scalar::Bool(x) => Identity::Bool(x),
            Scalar::Int(x) => Identity::Int(x),
            Scalar::Big(x) => Identity::Big(x),
            Scalar::Float(x) => Identity::Float((x + 0.0).to_bits()),
            Scalar::String(text) => Identity::String(text),
            Scalar::Binary(bytes) => Identity::Binary(bytes),
        }
    }
}

impl Identity<'_> {
    /// A number that is the same for the same key, and for two others only by chance.
    pub(crate) fn digest(&self) -> u64 {
        match self {
            Identity::Null => 1,
            Identity::Bool(x) => 2 + u64::from(*x),
            Identity::Int(x) => mix(4, *x as u64),
            Identity::Big(x) => x.iter_u64_digits().fold(8, mix),
            Identity::Float(bits) => mix(5, *bits),
            Identity::String(text) => text.as_bytes().chunks(8).fold(6, mix_bytes),
            Identity::Binary(bytes) => bytes.chunks(8).fold(7, mix_bytes),
        }
    }
}

fn mix_bytes(digest: u64, bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    mix(digest, u64::from_le_bytes(word) ^ (bytes.len() as u64) << 59)
}

fn mix(digest: u64, word: u64) -> u64 {
    (digest.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
