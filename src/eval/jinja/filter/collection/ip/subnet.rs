//! Filters on networks: subnets, hosts, arithmetic and containment.

use std::ops::RangeInclusive;

use super::network::{Address, Network, low};
use super::query::{ParsedAddress, shown};
use crate::eval::jinja::filter::parameter::{self, index, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Dict, Exception, Result, Value, limit_members};

#[rustfmt::skip]
pub(in crate::eval::jinja::filter::collection) const FILTERS: PluginTable = &[
    Plugin::new("ansible.utils.cidr_merge", "cidr_merge", &["value"], &["action"], cidr_merge),
    Plugin::new("ansible.utils.ip4_hex", "ip4_hex", &["arg"], &["delimiter"], ip4_hex),
    Plugin::new("ansible.utils.ipcut", "ipcut", &["value", "amount"], &[], ipcut),
    Plugin::new("ansible.utils.ipmath", "ipmath", &["value", "amount"], &[], ipmath),
    Plugin::new("ansible.utils.ipsubnet", "ipsubnet", &["value"], &["query", "index"], ipsubnet),
    Plugin::new("ansible.utils.ipv6form", "ipv6form", &["value", "format"], &[], ipv6form),
    Plugin::new("ansible.utils.network_in_network", "network_in_network", &["value", "test"], &[],
        network_in),
    Plugin::new("ansible.utils.network_in_usable", "network_in_usable", &["value", "test"], &[], network_in),
    Plugin::new("ansible.utils.next_nth_usable", "next_nth_usable", &["value", "offset"], &[], nth_usable),
    Plugin::new("ansible.utils.nthhost", "nthhost", &["value"], &["query"], nthhost),
    Plugin::new("ansible.utils.previous_nth_usable", "previous_nth_usable", &["value", "offset"], &[],
        nth_usable),
    Plugin::new("ansible.utils.reduce_on_network", "reduce_on_network", &["value", "network"], &[],
        reduce_on_network),
    Plugin::new("ansible.utils.usable_range", "usable_range", &["ip"], &[], usable_range),
];

fn no() -> Value {
    Value::Bool(false)
}

fn ipsubnet(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [query, at]) = arguments.split();
    let Some(found) = ParsedAddress::of(&value, None)? else { return Ok(no()) };
    let network = found.network.cidr();
    let query = text(query, "")?;
    if query.is_empty() {
        return Ok(shown(network));
    }
    if !query.bytes().all(|b| b.is_ascii_digit()) {
        return rank(network, &query);
    }
    let prefix = query.parse().ok().filter(|prefix| *prefix <= network.ip.width());
    let Some(prefix) = prefix else { return Ok(no()) };
    let at = at.map(|at| index(&python::int(&at)?)).transpose()?;
    match network.host_bits() {
        0 => supernet(network, prefix, at),
        _ => subnet(network, prefix, at),
    }
}

/// Returns one of the networks that contain an address; the largest has `prefix` bits.
fn supernet(network: Network, prefix: u32, at: Option<i64>) -> Result<Value> {
    let bits = i64::from(network.ip.width());
    let at = match at {
        None => 0,
        Some(at) if at.saturating_mul(2) > bits + 1 || at < i64::from(prefix) - bits => {
            return Ok(no());
        }
        Some(at) if at < 0 => at + bits - i64::from(prefix),
        Some(at) => at,
    };
    let prefix = u32::try_from(at).ok().map(|at| prefix + at);
    match prefix.filter(|prefix| *prefix < network.ip.width()) {
        Some(prefix) => Ok(shown(Network { ip: network.ip, prefix }.cidr())),
        None => value_error("list index out of range"),
    }
}

/// Returns a subnet of `prefix` bits by index or, without index, their number.
fn subnet(network: Network, prefix: u32, at: Option<i64>) -> Result<Value> {
    let Some(at) = at else {
        let Some(bits) = prefix.checked_sub(network.prefix) else {
            return value_error(format!("Requested subnet size of {prefix} is invalid"));
        };
        return Ok(shown(num_bigint::BigInt::from(1) << bits));
    };
    let count = prefix.checked_sub(network.prefix).map(|by| low(by).saturating_add(1));
    let place = if at < 0 {
        count.and_then(|count| count.checked_add_signed(at.into()))
    } else {
        u128::try_from(at).ok()
    };
    let place = place.filter(|place| *place < count.unwrap_or(1));
    let shift = network.ip.width() - prefix;
    Ok(place.map_or_else(no, |place| {
        let offset = place.checked_shl(shift).unwrap_or(0);
        shown(Network { ip: network.ip.with(network.ip.bits | offset), prefix })
    }))
}

/// Returns the position, from 1, of a network among those of its size in another.
fn rank(network: Network, query: &str) -> Result<Value> {
    let Some(outer) = ParsedAddress::of(&Value::from(query), None)? else {
        return value_error(format!(
            "You must pass a valid subnet or IP address; {query} is invalid"
        ));
    };
    let outer = outer.subnet();
    if !outer.contains(network) {
        return value_error(format!("{network} is not in the subnet {}", outer.cidr()));
    }
    let inner = network.ip.bits & low(outer.host_bits());
    let place = inner.checked_shr(network.host_bits()).unwrap_or(0);
    Ok(shown(num_bigint::BigInt::from(place) + 1))
}

fn nthhost(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [query]) = arguments.split();
    let Some(found) = ParsedAddress::of(&value, None)? else { return Ok(no()) };
    let Ok(place) = text(query, "")?.trim().parse::<i128>() else { return Ok(no()) };
    if place >= 0 && place.unsigned_abs() >= found.network.size() {
        return Ok(no());
    }
    match found.network.at(place) {
        Some(address) => Ok(shown(address)),
        None => value_error("index out range for address range size!"),
    }
}

fn nth_usable(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let name = call.short_name();
    let ([value, offset], []) = arguments.split();
    let Some(found) = ParsedAddress::of(&value, None)? else { return Ok(no()) };
    let direction = if name.starts_with("next") { 1 } else { -1 };
    let by = direction * i128::from(amount(&offset)?);
    let Some((first, last)) = found.network.usable() else { return Ok(Value::None) };
    match found.network.ip.offset(by) {
        Some(ip) if first <= ip && ip <= last => Ok(shown(ip)),
        Some(_) => Ok(Value::None),
        None => value_error("bad address format"),
    }
}

fn amount(value: &Value) -> Result<i64> {
    match value {
        Value::Str(text) => text.trim().parse().ok(),
        Value::Int(amount) => Some(*amount),
        _ => None,
    }
    .ok_or_else(|| {
        Exception::of_type(format!(
            "You must pass an integer for arithmetic; {} is not a valid integer",
            parameter::shown(value)
        ))
    })
}

fn address(text: &str) -> Result<Address> {
    Address::read(text).ok_or_else(|| {
        let message = format!("You must pass a valid IP address; {text} is invalid");
        Exception::of_value(message)
    })
}

fn ipmath(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, by], []) = arguments.split();
    let value = python::str(&value)?;
    let ip = match Network::read(&value) {
        Some(network) => network.ip,
        None => address(&value)?,
    };
    match ip.offset(amount(&by)?.into()) {
        Some(ip) => Ok(shown(ip)),
        None => value_error("result outside valid IP address boundary!"),
    }
}

fn ip4_hex(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [delimiter]) = arguments.split();
    let value = python::str(&value)?;
    let ip = address(&value)?;
    if ip.six {
        return value_error(format!("{value} is not an address of version 4"));
    }
    let parts = (ip.bits as u32).to_be_bytes().map(|byte| format!("{byte:02x}"));
    Ok(Value::from(parts.join(&text(delimiter, "")?)))
}

fn ipcut(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, by], []) = arguments.split();
    let ip = address(&python::str(&value)?)?;
    let by = amount(&by)?;
    let kept = by.unsigned_abs().min(ip.width().into()) as u32;
    let bits = if by < 0 {
        ip.bits & low(kept)
    } else {
        ip.bits.checked_shr(ip.width() - kept).unwrap_or(0)
    };
    let (size, mark) = if ip.six { (16, ":") } else { (8, ".") };
    let mut parts = Vec::new();
    for start in (0..kept).step_by(size as usize) {
        let end = (start + size).min(kept);
        let part = bits >> (kept - end) & low(end - start);
        parts.push(if ip.six { format!("{part:x}") } else { part.to_string() });
    }
    Ok(Value::from(parts.join(mark)))
}

fn ipv6form(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, form], []) = arguments.split();
    let ip = address(&python::str(&value)?)?;
    let words = std::net::Ipv6Addr::from_bits(ip.bits).segments();
    Ok(match &*python::str(&form)? {
        "expand" if ip.six => shown(words.map(|word| format!("{word:04x}")).join(":")),
        "expand" | "compress" => shown(ip),
        "x509" if ip.six => shown(words.map(|word| format!("{word:x}")).join(":")),
        "x509" => return value_error(format!("{ip} is not an address of version 6")),
        _ => Value::None,
    })
}

/// Returns the addresses of a value as numbers, from the first to the last; zero for no
/// address.
fn bounds(value: &Value, usable: bool) -> Result<RangeInclusive<u128>> {
    let Some(found) = ParsedAddress::of(value, None)? else { return Ok(0..=0) };
    let network = found.network.cidr();
    let (first, last) = match (network.usable(), network.host_bits()) {
        (Some(ends), _) if usable => ends,
        (_, 0 | 1) => (network.first(), network.first()),
        _ => (network.first(), network.last()),
    };
    Ok(first.bits..=last.bits)
}

fn within(outer: &RangeInclusive<u128>, inner: &RangeInclusive<u128>) -> bool {
    outer.contains(inner.start()) && outer.contains(inner.end())
}

fn network_in(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let name = call.short_name();
    let ([value, test], []) = arguments.split();
    let outer = bounds(&value, name.ends_with("usable"))?;
    Ok(Value::Bool(within(&outer, &bounds(&test, false)?)))
}

fn reduce_on_network(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, network], []) = arguments.split();
    let outer = bounds(&network, false)?;
    let mut kept = Vec::new();
    for member in python::iterate(&value)? {
        if within(&outer, &bounds(&member, false)?) {
            kept.push(member);
        }
    }
    Ok(Value::list(kept))
}

fn usable_range(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], []) = arguments.split();
    let value = python::str(&value)?;
    let Some(network) = Network::read_strict(&value) else {
        return value_error(format!(
            "Error while using plugin 'usable_range': '{value}' is not an address or a \
             network without host bits"
        ));
    };
    // A network of IPv6 has up to 2**128 hosts: the count is checked before they are listed.
    let count = usize::try_from(network.size()).unwrap_or(usize::MAX);
    limit_members(count)?;
    let hosts = (0..count).filter_map(|at| network.first().offset(at as i128)).map(shown);
    Ok(Value::Dict(Dict::named([
        ("usable_ips", Value::list(hosts)),
        ("number_of_ips", Value::integer(network.exact_size())),
    ])))
}

fn cidr_merge(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [action]) = arguments.split();
    let mut networks = Vec::new();
    for member in python::iterate(&value)? {
        let member = python::str(&member)?;
        match Network::read(&member) {
            Some(network) => networks.push(network),
            None => {
                return value_error(format!(
                    "cidr_merge: error in netaddr:\ninvalid IPNetwork {member}"
                ));
            }
        }
    }
    match &*text(action, "merge")? {
        "merge" => Ok(Value::list(merge(networks).into_iter().map(shown))),
        "span" => span(networks),
        other => value_error(format!("cidr_merge: invalid action '{other}'")),
    }
}

/// Returns the smallest list of networks with the same addresses.
fn merge(mut networks: Vec<Network>) -> Vec<Network> {
    networks.sort_by_key(|network| (network.last(), network.first(), network.ip));
    // From the last to the first, so that a range which reaches its predecessor absorbs it.
    let mut ranges: Vec<(Address, Address, Option<Network>)> = Vec::new();
    for network in networks.into_iter().rev() {
        let first = network.first();
        let last = network.last();
        match ranges.last_mut() {
            Some((low, _, one))
                if low.six == last.six && low.bits <= last.bits.saturating_add(1) =>
            {
                (*low, *one) = ((*low).min(first), None);
            }
            _ => ranges.push((first, last, Some(network))),
        }
    }
    ranges.reverse();
    let mut merged = Vec::new();
    for (first, last, one) in ranges {
        match one {
            Some(network) => merged.push(network),
            None => fill(first, last, &mut merged),
        }
    }
    merged
}

/// Appends the smallest list of networks from one address to another.
fn fill(first: Address, last: Address, out: &mut Vec<Network>) {
    let mut next = Some(first);
    while let Some(ip) = next.filter(|ip| *ip <= last) {
        let mut bits = ip.bits.trailing_zeros().min(ip.width());
        while ip.bits | low(bits) > last.bits {
            bits -= 1;
        }
        let network = Network { ip, prefix: ip.width() - bits };
        next = network.last().offset(1);
        out.push(network);
    }
}

/// Returns the smallest network that spans all networks.
fn span(mut networks: Vec<Network>) -> Result<Value> {
    networks.sort_by_key(|one| (one.ip.six, one.first(), one.prefix, one.ip));
    let [lowest, .., highest] = &*networks else {
        return Ok(networks.first().map_or(Value::None, shown));
    };
    if lowest.ip.six != highest.ip.six {
        let message = "IP sequence cannot contain both IPv4 and IPv6!";
        return value_error(format!("cidr_merge: error in netaddr:\n{message}"));
    }
    let mut ip = highest.last();
    let mut prefix = highest.prefix;
    while prefix > 0 && ip > lowest.first() {
        prefix -= 1;
        ip = Network { ip, prefix }.first();
    }
    Ok(shown(Network { ip, prefix }))
}
