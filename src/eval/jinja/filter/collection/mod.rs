//! The filters of the most used collections, by their full names, and the short names
//! that Ansible keeps for some of them.

mod certificate;
mod difference;
mod dns;
mod hashid;
pub(in crate::eval::jinja) mod ip;
mod jmespath;
mod json_diff;
mod key;
mod list;
mod patch;
mod path;
mod table;
mod text;
mod time;
mod vlan;
mod xml;

pub(in crate::eval::jinja) use path::LOOKUPS as PATH_LOOKUPS;

use crate::eval::jinja::plugin::{PluginKind, PluginTable};

pub(in crate::eval::jinja) const FILTERS: &[PluginTable] = &[
    certificate::FILTERS,
    difference::FILTERS,
    dns::FILTERS,
    hashid::FILTERS,
    ip::MAC_FILTERS,
    ip::QUERY_FILTERS,
    ip::SUBNET_FILTERS,
    jmespath::FILTERS,
    json_diff::FILTERS,
    key::FILTERS,
    list::FILTERS,
    patch::FILTERS,
    path::FILTERS,
    table::FILTERS,
    text::FILTERS,
    time::FILTERS,
    vlan::FILTERS,
    xml::FILTERS,
];

/// Filters that were once Ansible's own, by their collection. Short names still work.
const MOVED_FILTERS: &[(&str, &[&str])] = &[
    ("community.general.", &["json_query", "random_mac"]),
    ("ansible.netcommon.", &["comp_type5", "hash_salt", "type5_pw", "vlan_parser"]),
    (
        "ansible.utils.",
        &[
            "cidr_merge",
            "hwaddr",
            "ip4_hex",
            "ipaddr",
            "ipmath",
            "ipsubnet",
            "ipv4",
            "ipv6",
            "ipwrap",
            "network_in_network",
            "network_in_usable",
            "next_nth_usable",
            "nthhost",
            "previous_nth_usable",
            "reduce_on_network",
            "slaac",
        ],
    ),
];

/// Lookups that were once Ansible's own.
const MOVED_LOOKUPS: &[(&str, &[&str])] =
    &[("community.general.", &["cartesian", "flattened"])];

/// Returns the present name of a plugin that was moved to a collection.
pub(in crate::eval::jinja) fn moved(kind: PluginKind, name: &str) -> Option<String> {
    let moved = match kind {
        PluginKind::Filter => MOVED_FILTERS,
        PluginKind::Lookup => MOVED_LOOKUPS,
        PluginKind::Test | PluginKind::Function => return None,
    };
    // The address filters were in `ansible.netcommon` before they moved once more.
    let short = name.strip_prefix("ansible.netcommon.").unwrap_or(name);
    let (collection, _) = moved.iter().find(|(_, names)| names.contains(&short))?;
    Some(format!("{collection}{short}"))
}
