//! The value of a scalar, and the meaning of plain text in each dialect: null, a boolean,
//! a number, or the text itself. The first byte decides for nearly every word.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::Num;

use super::time;

/// The line breaks that only YAML 1.1 has.
pub(crate) const BREAKS_1_1: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// The rules by which a text is read: the meaning of plain scalars, the accepted syntax,
/// the effect of `<<`.
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

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 3] = [Dialect::Core, Dialect::Go, Dialect::Yaml11];

    /// Returns the name: `core`, `go` or `yaml-1.1`.
    ///
    /// ```
    /// use interpolate::Dialect;
    ///
    /// assert_eq!("yaml-1.1".parse(), Ok(Dialect::Yaml11));
    /// assert_eq!(Dialect::Yaml11.name(), "yaml-1.1");
    /// assert!("yaml-3".parse::<Dialect>().is_err());
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Core => "core",
            Dialect::Go => "go",
            Dialect::Yaml11 => "yaml-1.1",
        }
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Dialect, String> {
        let found = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| format!("the dialect is core, go or yaml-1.1, not '{name}'"))
    }
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

/// The identity of a scalar as a key: equal keys have equal identities.
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
    /// Parses plain text without a tag.
    pub fn plain(text: impl Into<Cow<'a, str>>, dialect: Dialect) -> Scalar<'a> {
        let text = text.into();
        typed(&text, dialect).unwrap_or(Scalar::String(text))
    }

    /// Makes an integer of any size.
    pub fn integer(number: BigInt) -> Scalar<'a> {
        match i128::try_from(&number) {
            Ok(small) => Scalar::Int(small),
            Err(_) => Scalar::Big(Arc::new(number)),
        }
    }

    /// Returns the same value, borrowing the text.
    pub fn borrowed(&self) -> Scalar<'_> {
        match self {
            Scalar::String(text) => Scalar::String(Cow::Borrowed(text)),
            other => other.clone(),
        }
    }

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

    /// Returns the tag that yaml.v2 names in messages about the value.
    pub(crate) fn tag_name(&self) -> &'static str {
        match self {
            Scalar::Null => "!!null",
            Scalar::Bool(_) => "!!bool",
            Scalar::Int(_) | Scalar::Big(_) => "!!int",
            Scalar::Float(_) => "!!float",
            Scalar::String(_) => "!!str",
            Scalar::Binary(_) => "!!binary",
        }
    }

    /// The Go type that yaml.v2 gives the value.
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

    /// Returns the identity as a key. All NaN are one key, although NaN equals nothing.
    pub fn identity(self) -> Identity<'a> {
        match self {
            Scalar::Null => Identity::Null,
            Scalar::Bool(x) => Identity::Bool(x),
            Scalar::Int(x) => Identity::Int(x),
            Scalar::Big(x) => Identity::Big(x),
            // Adding 0.0 turns -0.0, which equals it, to 0.0.
            Scalar::Float(x) => Identity::Float((x + 0.0).to_bits()),
            Scalar::String(text) => Identity::String(text),
            Scalar::Binary(bytes) => Identity::Binary(bytes),
        }
    }
}

impl Identity<'_> {
    /// Returns a hash of the key. Different keys may have the same by chance.
    // The standard hasher resists collisions made on purpose at several times the cost;
    // here a collision costs one comparison.
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
    // Fibonacci hashing: the factor is 2^64 divided by the golden ratio.
    (digest.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Parses plain `text`; `None` if it is a string.
pub(super) fn typed(text: &str, dialect: Dialect) -> Option<Scalar<'static>> {
    if is_surely_string(text) {
        return None;
    }
    match text.as_bytes().first() {
        None => Some(Scalar::Null),
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {
            special(text).or_else(|| match dialect {
                Dialect::Core => core_number(text),
                Dialect::Go => go_number(text),
                Dialect::Yaml11 => yaml11_number(text),
            })
        }
        Some(_) => word(text, dialect),
    }
}

/// Returns true if plain `text` is a string in every dialect, and that is quick to tell: it
/// begins like no number and is no word.
#[inline]
pub(crate) fn is_surely_string(text: &str) -> bool {
    match text.as_bytes().first() {
        None | Some(b'0'..=b'9' | b'+' | b'-' | b'.') => false,
        // yaml.v2 knows all words of the other dialects.
        Some(
            b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'y' | b'Y' | b'o' | b'O',
        ) => text.len() > 5 || word(text, Dialect::Go).is_none(),
        Some(_) => true,
    }
}

/// Returns true if plain `text` is a string to yaml.v2, which then writes it unquoted.
pub(crate) fn is_string_in_go(text: &str) -> bool {
    let numeric = matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'+' | b'-'));
    typed(text, Dialect::Go).is_none()
        && !(numeric && (time::is_timestamp(text) || time::is_sexagesimal(text)))
}

/// Returns true if plain `text` is that string in every dialect; no date and no `<<`.
pub(super) fn is_string_everywhere(text: &str) -> bool {
    let numeric = matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'+' | b'-'));
    let typed = |dialect| typed(text, dialect).is_some();
    ![Dialect::Core, Dialect::Go, Dialect::Yaml11].into_iter().any(typed)
        && !(numeric && (time::is_like_timestamp(text) || time::is_sexagesimal(text)))
        // PyYAML fails on `0x_`.
        && !(numeric && text.ends_with('_'))
        && !matches!(text, "<<" | "=")
}

fn word(text: &str, dialect: Dialect) -> Option<Scalar<'static>> {
    match text {
        "~" | "null" | "Null" | "NULL" => Some(Scalar::Null),
        "true" | "True" | "TRUE" => Some(Scalar::Bool(true)),
        "false" | "False" | "FALSE" => Some(Scalar::Bool(false)),
        _ if dialect == Dialect::Core => None,
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(Scalar::Bool(true)),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(Scalar::Bool(false)),
        "y" | "Y" if dialect == Dialect::Go => Some(Scalar::Bool(true)),
        "n" | "N" if dialect == Dialect::Go => Some(Scalar::Bool(false)),
        _ => None,
    }
}

fn special(text: &str) -> Option<Scalar<'static>> {
    match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            Some(Scalar::Float(f64::INFINITY))
        }
        "-.inf" | "-.Inf" | "-.INF" => Some(Scalar::Float(f64::NEG_INFINITY)),
        ".nan" | ".NaN" | ".NAN" => Some(Scalar::Float(f64::NAN)),
        _ => None,
    }
}

fn core_number(text: &str) -> Option<Scalar<'static>> {
    if let Some(digits) = text.strip_prefix("0x") {
        return integer("", digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return integer("", digits, 8);
    }
    let (sign, digits) = split_sign(text);
    integer(sign, digits, 10).or_else(|| decimal(text))
}

/// Parses Go's syntax of integers, then decimal fractions. `_` may stand anywhere; in a
/// number that begins with a point, only between digits.
fn go_number(text: &str) -> Option<Scalar<'static>> {
    if text.starts_with('.') && !separates_digits(text) {
        return None;
    }
    let text = without_underscores(text);
    let (sign, digits) = split_sign(&text);
    let fits = |scalar: &Scalar| match scalar {
        Scalar::Int(x) => {
            i64::try_from(*x).is_ok() || sign.is_empty() && u64::try_from(*x).is_ok()
        }
        _ => false,
    };
    let finite = |scalar: &Scalar| matches!(scalar, Scalar::Float(x) if x.is_finite());
    go_integer(sign, digits)
        .filter(fits)
        .or_else(|| decimal(&text).filter(finite))
        .or_else(|| signed_binary(&text))
}

fn go_integer(sign: &str, digits: &str) -> Option<Scalar<'static>> {
    match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => integer(sign, &digits[2..], 16),
        [b'0', b'o' | b'O', ..] => integer(sign, &digits[2..], 8),
        [b'0', b'b' | b'B', ..] => integer(sign, &digits[2..], 2),
        [b'0', ..] => integer(sign, digits, 8),
        _ => integer(sign, digits, 10),
    }
}

/// Parses `0b-1`: yaml.v2 hands what follows the prefix to Go's ParseInt.
fn signed_binary(text: &str) -> Option<Scalar<'static>> {
    let digits = i64::from_str_radix(text.strip_prefix("0b")?, 2).ok()?;
    Some(Scalar::Int(digits.into()))
}

fn separates_digits(text: &str) -> bool {
    let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let lone =
        |i: usize| bytes[i] != b'_' || digit(bytes.get(i + 1)) && digit(bytes.get(i - 1));
    (1..bytes.len()).all(lone)
}

fn yaml11_number(text: &str) -> Option<Scalar<'static>> {
    let (sign, unsigned) = split_sign(text);
    let plain = without_underscores(unsigned);
    let digits = &*plain;
    match unsigned.as_bytes() {
        [b'0', b'b', ..] => integer(sign, &digits[2..], 2),
        [b'0', b'x', ..] => integer(sign, &digits[2..], 16),
        [b'0', _, ..] => integer(sign, digits, 8),
        [b'0'..=b'9', ..] => integer(sign, digits, 10),
        [b'.', b'0'..=b'9', ..] if sign.is_empty() => None,
        _ => return None,
    }
    .or_else(|| yaml11_fraction(sign, unsigned))
    .or_else(|| sexagesimal(sign, unsigned))
}

/// Parses a fraction of YAML 1.1: it needs its point, an exponent its sign.
fn yaml11_fraction(sign: &str, unsigned: &str) -> Option<Scalar<'static>> {
    let point = unsigned.find('.')?;
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(e) => (&unsigned[..e], &unsigned[e + 1..]),
        None => (unsigned, "+0"),
    };
    let signed = exponent.starts_with(['-', '+']) && point < mantissa.len();
    let number = format!("{sign}{}e{exponent}", without_underscores(mantissa));
    signed.then(|| decimal(&number))?
}

fn sexagesimal(sign: &str, unsigned: &str) -> Option<Scalar<'static>> {
    if !time::is_sexagesimal(unsigned) {
        return None;
    }
    let text = without_underscores(unsigned);
    if !text.contains('.') {
        let sum =
            |sum: i128, part: &str| sum.checked_mul(60)?.checked_add(part.parse().ok()?);
        let sum = text.split(':').try_fold(0, sum)?;
        let whole = Scalar::Int(if sign == "-" { -sum } else { sum });
        return unsigned.starts_with(|c| c != '0').then_some(whole);
    }
    let sum = |sum: f64, part: &str| Some(sum * 60.0 + part.parse::<f64>().ok()?);
    let sum = text.split(':').try_fold(0.0, sum)?;
    Some(Scalar::Float(if sign == "-" { -sum } else { sum }))
}

fn split_sign(text: &str) -> (&str, &str) {
    text.split_at(usize::from(text.starts_with(['-', '+'])))
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') {
        Cow::Owned(text.replace('_', ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Maximum number of digits of an integer, as in Python: parsing is quadratic in it.
pub(crate) const MAX_INTEGER_DIGITS: usize = 4300;

/// Parses an integer; one with too many digits becomes the nearest float.
fn integer(sign: &str, digits: &str, radix: u32) -> Option<Scalar<'static>> {
    if digits.is_empty() || !digits.bytes().all(|b| char::from(b).is_digit(radix)) {
        return None;
    }
    let negative = sign == "-";
    if let Ok(x) = i128::from_str_radix(digits, radix) {
        return Some(Scalar::Int(if negative { -x } else { x }));
    }
    if digits.trim_start_matches('0').len() > MAX_INTEGER_DIGITS {
        let x = large(digits, radix);
        return Some(Scalar::Float(if negative { -x } else { x }));
    }
    let x = BigInt::from_str_radix(digits, radix).ok()?;
    Some(Scalar::integer(if negative { -x } else { x }))
}

fn large(digits: &str, radix: u32) -> f64 {
    let shift = |x: f64, b: u8| {
        x * f64::from(radix) + f64::from(char::from(b).to_digit(radix).unwrap_or(0))
    };
    match radix {
        10 => digits.parse().unwrap_or(f64::INFINITY),
        _ => digits.bytes().fold(0.0, shift),
    }
}

/// Parses `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn decimal(text: &str) -> Option<Scalar<'static>> {
    let digit = text.bytes().any(|b| b.is_ascii_digit());
    let numeric =
        |b: u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E');
    // Of these characters Rust's own parser accepts exactly the grammar above; the check
    // only keeps out its `inf` and `nan`.
    (digit && text.bytes().all(numeric))
        .then(|| text.parse().ok().map(Scalar::Float))
        .flatten()
}
