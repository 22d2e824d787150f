//! The tests of collections, under their full names: most of them of addresses.

use crate::eval::jinja::CallSite;
use crate::eval::jinja::filter::collection::ip::{Address, Network, scoped};
use crate::eval::jinja::filter::parameter::{bind, members, only, string};
use crate::eval::jinja::plugin::{Plugin, PluginTable};
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::{self, Arguments, Result, Value};

/// Every test of a collection, in the order of their names.
pub(in crate::eval::jinja) const TESTS: PluginTable = &[
    Plugin::variadic("ansible.utils.in_any_network", in_networks),
    Plugin::variadic("ansible.utils.in_network", subnet_of),
    Plugin::variadic("ansible.utils.in_one_network", in_networks),
    Plugin::variadic("ansible.utils.ip", ip),
    Plugin::variadic("ansible.utils.ip_address", address),
    Plugin::variadic("ansible.utils.ipv4", ip),
    Plugin::variadic("ansible.utils.ipv4_address", address),
    Plugin::variadic("ansible.utils.ipv4_hostmask", mask),
    Plugin::variadic("ansible.utils.ipv4_netmask", mask),
    Plugin::variadic("ansible.utils.ipv6", ip),
    Plugin::variadic("ansible.utils.ipv6_address", address),
    Plugin::variadic("ansible.utils.ipv6_ipv4_mapped", address),
    Plugin::variadic("ansible.utils.ipv6_sixtofour", address),
    Plugin::variadic("ansible.utils.ipv6_teredo", address),
    Plugin::variadic("ansible.utils.loopback", address),
    Plugin::variadic("ansible.utils.mac", mac),
    Plugin::variadic("ansible.utils.multicast", address),
    Plugin::variadic("ansible.utils.private", address),
    Plugin::variadic("ansible.utils.public", address),
    Plugin::variadic("ansible.utils.reserved", address),
    Plugin::variadic("ansible.utils.subnet_of", subnet_of),
    Plugin::variadic("ansible.utils.supernet_of", subnet_of),
    Plugin::variadic("ansible.utils.unspecified", address),
];

fn short<'a>(call: &CallSite<'a>) -> &'a str {
    call.name.rsplit('.').next().unwrap_or(call.name)
}

fn network(value: &Value) -> Result<Option<Network>> {
    python::str(value).map(|text| Network::read_strict(&text))
}

/// `ip`, `ipv4`, `ipv6`: an address or a network.
fn ip(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let found = network(&only(arguments, short(call))?)?;
    Ok(Value::Bool(found.is_some_and(|network| match short(call) {
        "ipv4" => !network.ip.six,
        "ipv6" => network.ip.six,
        _ => true,
    })))
}

/// Tests of an address without a prefix.
fn address(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let found = scoped(&python::str(&only(arguments, short(call))?)?);
    Ok(Value::Bool(found.is_some_and(|ip| is(ip, short(call)))))
}

fn is(ip: Address, what: &str) -> bool {
    match what {
        "ipv4_address" => !ip.six,
        "ipv6_address" => ip.six,
        "ipv6_ipv4_mapped" => ip.mapped().is_some(),
        "ipv6_sixtofour" => ip.is_in(&["2002::/16"]),
        "ipv6_teredo" => ip.is_in(&["2001::/32"]),
        "loopback" => ip.is_loopback(),
        "multicast" => ip.is_multicast(),
        "private" => ip.is_private(),
        "public" => ip.mapped().unwrap_or(ip).is_global(),
        "reserved" => ip.is_reserved(),
        "unspecified" => ip.bits == 0,
        _ => true,
    }
}

/// `ipv4_hostmask`, `ipv4_netmask`
fn mask(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let text = python::str(&only(arguments, short(call))?)?;
    let found = Network::read_strict(&format!("10.0.0.0/{text}"));
    Ok(Value::Bool(found.is_some_and(|network| {
        let mask = match short(call) {
            "ipv4_hostmask" => network.hostmask(),
            _ => network.netmask(),
        };
        mask.to_string() == text
    })))
}

/// `in_network`, `subnet_of`, `supernet_of`
fn subnet_of(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let ([a, b], []) = bind(arguments, short(call), ["network_a", "network_b"], [])?;
    let (inner, outer) = if short(call) == "supernet_of" { (b, a) } else { (a, b) };
    let both = network(&inner)?.zip(network(&outer)?);
    Ok(Value::Bool(both.is_some_and(|(inner, outer)| outer.contains(inner))))
}

/// `in_any_network`, `in_one_network`
fn in_networks(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let ([ip, networks], []) = bind(arguments, short(call), ["ip", "networks"], [])?;
    let (inner, mut count) = (network(&ip)?, 0);
    for outer in members(&networks)? {
        let both = inner.zip(network(&outer)?);
        count += usize::from(both.is_some_and(|(inner, outer)| outer.contains(inner)));
    }
    Ok(Value::Bool(count == 1 || count > 1 && short(call) == "in_any_network"))
}

fn mac(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let value = only(arguments, "mac")?;
    let text = string(&value, "expected string,")?;
    let pattern = "(?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\\.){2}[0-9a-f]{4}$|\
                   ^[0-9a-f]{12}$";
    let found = regex::compile(pattern, Flags::default())?.match_start(text)?;
    Ok(Value::Bool(found.is_some()))
}
