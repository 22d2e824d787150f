//! Serial numbers of certificates, as `00:11:22` and as integers, and the parts of a PEM file.

use num_bigint::{BigInt, BigUint, Sign};

use crate::eval::jinja::filter::parameter::{type_error_of, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Result, Value};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("community.crypto.parse_serial", "parse_serial_filter", &["serial_str"], &[], parse_serial),
    Plugin::new("community.crypto.split_pem", "split_pem_filter", &["data"], &[], split_pem),
    Plugin::new("community.crypto.to_serial", "to_serial_filter", &["serial_int"], &[], to_serial),
];

/// The first words of the lines around a part of a PEM file.
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// `parse_serial`: the integer of hexadecimal bytes between colons.
fn parse_serial(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let Some(text) = value.as_str() else {
        let wrong = "The input for the community.crypto.parse_serial filter must be a string; \
                     got {} instead";
        return type_error_of(&value, wrong);
    };
    let mut bytes = Vec::new();
    for (at, part) in text.split(':').enumerate() {
        let Some(byte) = byte_of(part) else {
            let part = python::repr(&Value::text(part))?;
            let number = ordinal(at + 1);
            return value_error(format!(
                "The {number} part {part} is not a hexadecimal number in range [0, 255]"
            ));
        };
        bytes.push(byte);
    }
    Ok(Value::integer(BigInt::from_bytes_be(Sign::Plus, &bytes)))
}

/// Returns the byte that a text writes as Python's `int(text, 16)` reads it.
fn byte_of(text: &str) -> Option<u8> {
    let text = text.trim();
    let text = text.strip_prefix('+').unwrap_or(text);
    let marked = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let digits = marked.unwrap_or(text);
    let digits = digits.strip_prefix('_').filter(|_| marked.is_some()).unwrap_or(digits);
    // An underscore stands between two digits.
    if digits.starts_with(['_', '+', '-'])
        || digits.ends_with('_')
        || digits.contains("__")
    {
        return None;
    }
    let digits = digits.replace('_', "");
    let significant = digits.trim_start_matches('0');
    match (digits.is_empty(), significant.is_empty()) {
        (true, _) => None,
        (false, true) => Some(0),
        (false, false) => u8::from_str_radix(significant, 16).ok(),
    }
}

/// Returns `1st`, `2nd`, `3rd`, `4th` and so on.
fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// `to_serial`: the hexadecimal bytes of an integer, with colons between them.
fn to_serial(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let number = match &value {
        Value::Bool(it) => BigInt::from(u8::from(*it)),
        Value::Int(it) => BigInt::from(*it),
        Value::Big(it) => (**it).clone(),
        other => {
            let wrong = "The input for the community.crypto.to_serial filter must be an \
                         integer; got {} instead";
            return type_error_of(other, wrong);
        }
    };
    let Ok(number) = BigUint::try_from(number) else {
        return value_error(
            "The input for the community.crypto.to_serial filter must not be negative",
        );
    };
    let bytes: Vec<String> =
        number.to_bytes_be().iter().map(|byte| format!("{byte:02X}")).collect();
    Ok(Value::from(bytes.join(":")))
}

/// `split_pem`: the parts of a PEM file, without what stands between them.
fn split_pem(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let Some(text) = value.as_str() else {
        let wrong = "The community.crypto.split_pem input must be a text type, not {}";
        return type_error_of(&value, wrong);
    };
    let mut parts = Vec::new();
    let mut part: Option<String> = None;
    for line in text.split_inclusive('\n').filter(|line| !line.trim().is_empty()) {
        if line.starts_with(BEGIN) {
            part = Some(String::new());
        }
        let Some(open) = &mut part else { continue };
        open.push_str(line);
        if line.starts_with(END) {
            parts.extend(part.take().map(Value::from));
        }
    }
    Ok(Value::list(parts))
}
