//! Custom constraints on addresses: a value comes in; what is wrong with it goes out.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::eval::python::{self, Result, Value};

use super::matches;

pub(super) fn ip_addr(value: &Value) -> Result<Option<String>> {
    let valid = value.as_str().is_some_and(|text| address(text).is_none());
    Ok((!valid).then(|| "Invalid IP address".to_owned()))
}

/// What is wrong with an address.
fn address(text: &str) -> Option<String> {
    if text.parse::<Ipv4Addr>().is_ok() || text.parse::<Ipv6Addr>().is_ok() {
        return None;
    }
    let part = |part: &str| {
        let significant = part.trim_start_matches('0');
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let significant = if significant.is_empty() { "0" } else { significant };
        digits.then(|| significant.parse::<u8>().ok()).flatten()
    };
    let parts: Option<Vec<u8>> = text.split('.').map(part).collect();
    Some(match parts.as_deref() {
        Some([a, b, c, d]) => format!(
            "'{text}' is not an accepted IP address, '{a}.{b}.{c}.{d}' is recommended"
        ),
        _ => format!("'{text}' is not a valid IP address"),
    })
}

pub(super) fn mac_addr(value: &Value) -> Result<Option<String>> {
    const FORM: &str = r"(?i)^(?:[0-9A-F]{1,2}(?::[0-9A-F]{1,2}){5}|[0-9A-F]{1,2}(?:-[0-9A-F]{1,2}){5}|[0-9A-F]{1,4}(?::[0-9A-F]{1,4}){2}|[0-9A-F]{1,4}(?:-[0-9A-F]{1,4}){2}|[0-9A-F]{1,4}(?:\.[0-9A-F]{1,4}){2}|[0-9A-F]{5,6}[-:][0-9A-F]{5,6}|[0-9A-F]{11,12})$";
    let valid = match value.as_str() {
        Some(text) => matches(FORM, text)?,
        None => false,
    };
    Ok((!valid).then(|| "Invalid MAC address.".to_owned()))
}

pub(super) fn net_cidr(value: &Value) -> Result<Option<String>> {
    let Some(text) = value.as_str() else {
        let kind = value.type_name();
        let reason = format!("unexpected type <class '{kind}'> for addr arg");
        return Ok(Some(format!("Invalid net cidr {reason} ")));
    };
    let whole = expanded(text);
    if !is_network(&whole) {
        return Ok(Some(format!("Invalid net cidr invalid IPNetwork {whole} ")));
    }
    Ok(subnet(text))
}

pub(super) fn ip_or_cidr(value: &Value) -> Result<Option<String>> {
    let Some(text) = value.as_str() else {
        let shown = python::str(value)?;
        return Ok(Some(format!("{shown} is not a valid IP or CIDR")));
    };
    Ok(if text.contains('/') { subnet(text) } else { address(text) })
}

/// `10/8` is `10.0.0.0/8`, and `10` as well.
fn expanded(text: &str) -> String {
    let (address, prefix) = match text.split_once('/') {
        Some((address, prefix)) => (address, Some(prefix)),
        None => (text, None),
    };
    let parts: Vec<&str> = address.split('.').collect();
    let first = parts.first().and_then(|part| part.parse::<u8>().ok());
    let classful = first.map(|octet| match octet {
        0..=127 => "8",
        128..=191 => "16",
        192..=223 => "24",
        224..=239 => "4",
        240..=255 => "32",
    });
    let is_prefix = |prefix: &&str| prefix.parse::<u8>().is_ok_and(|bits| bits <= 32);
    let prefix = match prefix {
        Some(_) => prefix.filter(is_prefix),
        None => classful,
    };
    match prefix {
        Some(prefix) if !text.contains(':') && parts.len() <= 4 => {
            let rest = ".0".repeat(4 - parts.len());
            format!("{address}{rest}/{prefix}")
        }
        _ => text.to_owned(),
    }
}

fn is_network(text: &str) -> bool {
    let (address, prefix) = text.split_once('/').unwrap_or((text, "0"));
    let within = |most| prefix.trim().parse::<u32>().is_ok_and(|bits| bits <= most);
    match (address.parse::<Ipv4Addr>(), address.parse::<Ipv6Addr>()) {
        (Ok(_), _) => within(32) || prefix.parse().is_ok_and(is_mask),
        (_, Ok(_)) => within(128),
        (Err(_), Err(_)) => false,
    }
}

/// Whether an address masks a network, or the hosts of one.
fn is_mask(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    let solid = |bits: u32| bits.leading_ones() + bits.trailing_zeros() >= 32;
    solid(bits) || solid(!bits)
}

/// What is wrong with a network that is to be written as a subnet is.
fn subnet(text: &str) -> Option<String> {
    let canonical = match text.split_once('/') {
        Some((address, prefix)) if address.parse::<Ipv4Addr>().is_ok() => prefix
            .parse::<u8>()
            .is_ok_and(|bits| bits <= 32 && bits.to_string() == prefix),
        Some((_, prefix)) => is_network(text) && !prefix.contains(char::is_whitespace),
        None => false,
    };
    (!canonical).then(|| format!("'{text}' is not a valid IP subnet"))
}
