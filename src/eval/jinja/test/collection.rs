//! Tests of collections, under their full names. Most of them test addresses.

use crate::eval::jinja::filter::collection::ip::{Address, Network, scoped};
use crate::eval::jinja::filter::parameter::{members, string};
use crate::eval::jinja::plugin::{Plugin, PluginTable, without_own_collection};
use crate::eval::jinja::{CallSite, defined};
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::{self, Arguments, Bound, Result, Value};

#[rustfmt::skip]
pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("community.general.a_module", "a_module", a_module),
    Plugin::new("community.general.ansible_type", "ansible_type", &["data", "dtype"], &["alias"], ansible_type),
    Plugin::new("ansible.utils.in_any_network", "in_any_network", &["ip", "networks"], &[], in_networks),
    Plugin::new("ansible.utils.in_network", "in_network", &["network_a", "network_b"], &[], subnet_of),
    Plugin::new("ansible.utils.in_one_network", "in_one_network", &["ip", "networks"], &[], in_networks),
    Plugin::of_value("ansible.utils.ip", "ip", ip),
    Plugin::of_value("ansible.utils.ip_address", "ip_address", address),
    Plugin::of_value("ansible.utils.ipv4", "ipv4", ip),
    Plugin::of_value("ansible.utils.ipv4_address", "ipv4_address", address),
    Plugin::of_value("ansible.utils.ipv4_hostmask", "ipv4_hostmask", mask),
    Plugin::of_value("ansible.utils.ipv4_netmask", "ipv4_netmask", mask),
    Plugin::of_value("ansible.utils.ipv6", "ipv6", ip),
    Plugin::of_value("ansible.utils.ipv6_address", "ipv6_address", address),
    Plugin::of_value("ansible.utils.ipv6_ipv4_mapped", "ipv6_ipv4_mapped", address),
    Plugin::of_value("ansible.utils.ipv6_sixtofour", "ipv6_sixtofour", address),
    Plugin::of_value("ansible.utils.ipv6_teredo", "ipv6_teredo", address),
    Plugin::of_value("ansible.utils.loopback", "loopback", address),
    Plugin::of_value("ansible.utils.mac", "mac", mac),
    Plugin::of_value("ansible.utils.multicast", "multicast", address),
    Plugin::of_value("ansible.utils.private", "private", address),
    Plugin::of_value("ansible.utils.public", "public", address),
    Plugin::of_value("ansible.utils.reserved", "reserved", address),
    Plugin::new("ansible.utils.subnet_of", "subnet_of", &["network_a", "network_b"], &[], subnet_of),
    Plugin::new("ansible.utils.supernet_of", "supernet_of", &["network_a", "network_b"], &[], subnet_of),
    Plugin::of_value("ansible.utils.unspecified", "unspecified", address),
];

/// The modules of ansible-core 2.19. Those of collections are not installed here.
const MODULES: &str = "add_host apt apt_key apt_repository assemble assert async_status \
    blockinfile command copy cron deb822_repository debconf debug dnf dnf5 dpkg_selections \
    expect fail fetch file find gather_facts get_url getent git group group_by hostname \
    import_playbook import_role import_tasks include_role include_tasks include_vars iptables \
    known_hosts lineinfile meta mount_facts package package_facts pause ping pip raw reboot \
    replace rpm_key script service service_facts set_fact set_stats setup shell slurp stat \
    subversion systemd systemd_service sysvinit tempfile template unarchive uri user \
    validate_argument_spec wait_for wait_for_connection yum_repository";

/// `a_module`: tests the name of a module.
fn a_module(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let name = string(&arguments.only(), "a_module expects a string, not")?.to_owned();
    let name = without_own_collection(&name);
    Ok(Value::Bool(MODULES.split_whitespace().any(|module| module == name)))
}

/// `ansible_type`: compares the type of a value with one name, or with several.
fn ansible_type(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data, wanted], [alias]) = arguments.split();
    let mut given = Arguments::of([data]);
    given.keywords.extend(alias.map(|alias| ("alias".into(), alias)));
    let own = defined(call.filter("community.general.reveal_ansible_type", given)?)?;
    let wanted = match wanted {
        Value::Str(_) => vec![wanted],
        other => members(&other)?,
    };
    for name in &wanted {
        if python::equal(name, &own)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn network(value: &Value) -> Result<Option<Network>> {
    python::str(value).map(|text| Network::read_strict(&text))
}

/// `ip`, `ipv4`, `ipv6`: tests an address or a network.
fn ip(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(Value::Bool(network(&arguments.only())?.is_some_and(|network| {
        match call.short_name() {
            "ipv4" => !network.ip.six,
            "ipv6" => network.ip.six,
            _ => true,
        }
    })))
}

/// Tests an address without a prefix.
fn address(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let found = scoped(&python::str(&arguments.only())?);
    Ok(Value::Bool(found.is_some_and(|ip| is(ip, call.short_name()))))
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

fn mask(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let text = python::str(&arguments.only())?;
    let found = Network::read_strict(&format!("10.0.0.0/{text}"));
    Ok(Value::Bool(found.is_some_and(|network| {
        let mask = match call.short_name() {
            "ipv4_hostmask" => network.hostmask(),
            _ => network.netmask(),
        };
        mask.to_string() == text
    })))
}

fn subnet_of(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let (inner, outer) = if call.short_name() == "supernet_of" { (b, a) } else { (a, b) };
    let both = network(&inner)?.zip(network(&outer)?);
    Ok(Value::Bool(both.is_some_and(|(inner, outer)| outer.contains(inner))))
}

fn in_networks(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([ip, networks], []) = arguments.split();
    let inner = network(&ip)?;
    let mut count = 0;
    for outer in members(&networks)? {
        let both = inner.zip(network(&outer)?);
        count += usize::from(both.is_some_and(|(inner, outer)| outer.contains(inner)));
    }
    Ok(Value::Bool(count == 1 || count > 1 && call.short_name() == "in_any_network"))
}

fn mac(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let text = string(&value, "expected string,")?;
    let pattern = "(?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\\.){2}[0-9a-f]{4}$|\
                   ^[0-9a-f]{12}$";
    let found = regex::compile(pattern, Flags::default())?.match_start(text)?;
    Ok(Value::Bool(found.is_some()))
}
