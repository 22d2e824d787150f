//! What the text of a scalar means in each dialect, and how a value is spelled so that
//! it reads back as the same value.

use std::borrow::Cow;

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
    /// `1.5`
    Float(f64),
    /// `text`
    String(Cow<'a, str>),
    /// `!!binary aGk=` whose bytes are no text
    Binary(Vec<u8>),
}
