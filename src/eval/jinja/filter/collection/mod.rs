//! The filters of collections that are used most, under their full names; and the short
//! names that Ansible once had for them.

mod difference;
mod hashid;
pub(in crate::eval::jinja) mod ip;
mod jmespath;
mod key;
mod list;
mod patch;
mod path;
mod table;
mod text;
mod time;
mod vlan;
mod xml;

use crate::eval::jinja::plugin::{Entry, Table};

/// Every filter of a collection, in the order of their names.
pub(in crate::eval::jinja) const FILTERS: Table = &[
    Entry::new("ansible.netcommon.comp_type5", vlan::comp_type5),
    Entry::new("ansible.netcommon.hash_salt", vlan::hash_salt),
    Entry::new("ansible.netcommon.pop_ace", vlan::pop_ace),
    Entry::new("ansible.netcommon.type5_pw", vlan::type5_pw),
    Entry::new("ansible.netcommon.vlan_expander", vlan::vlan_expander),
    Entry::new("ansible.netcommon.vlan_parser", vlan::vlan_parser),
    Entry::new("ansible.utils.cidr_merge", ip::cidr_merge),
    Entry::new("ansible.utils.consolidate", difference::consolidate),
    Entry::new("ansible.utils.fact_diff", difference::fact_diff),
    Entry::new("ansible.utils.from_xml", xml::from_xml),
    Entry::new("ansible.utils.get_path", path::get_path),
    Entry::new("ansible.utils.hwaddr", ip::hwaddr),
    Entry::new("ansible.utils.index_of", path::index_of),
    Entry::new("ansible.utils.ip4_hex", ip::ip4_hex),
    Entry::new("ansible.utils.ipaddr", ip::ipaddr),
    Entry::new("ansible.utils.ipcut", ip::ipcut),
    Entry::new("ansible.utils.ipmath", ip::ipmath),
    Entry::new("ansible.utils.ipsubnet", ip::ipsubnet),
    Entry::new("ansible.utils.ipv4", ip::version),
    Entry::new("ansible.utils.ipv6", ip::version),
    Entry::new("ansible.utils.ipv6form", ip::ipv6form),
    Entry::new("ansible.utils.ipwrap", ip::ipwrap),
    Entry::new("ansible.utils.keep_keys", key::deep),
    Entry::new("ansible.utils.macaddr", ip::hwaddr),
    Entry::new("ansible.utils.network_in_network", ip::network_in),
    Entry::new("ansible.utils.network_in_usable", ip::network_in),
    Entry::new("ansible.utils.next_nth_usable", ip::nth_usable),
    Entry::new("ansible.utils.nthhost", ip::nthhost),
    Entry::new("ansible.utils.param_list_compare", difference::param_list_compare),
    Entry::new("ansible.utils.previous_nth_usable", ip::nth_usable),
    Entry::new("ansible.utils.reduce_on_network", ip::reduce_on_network),
    Entry::new("ansible.utils.remove_keys", key::deep),
    Entry::new("ansible.utils.replace_keys", key::deep),
    Entry::new("ansible.utils.slaac", ip::slaac),
    Entry::new("ansible.utils.to_paths", path::to_paths),
    Entry::new("ansible.utils.to_xml", xml::to_xml),
    Entry::new("ansible.utils.usable_range", ip::usable_range),
    Entry::new("community.general.accumulate", list::accumulate),
    Entry::new("community.general.counter", list::counter),
    Entry::new("community.general.crc32", text::crc32),
    Entry::new("community.general.dict", list::dict),
    Entry::new("community.general.dict_kv", list::dict_kv),
    Entry::new("community.general.from_csv", table::from_csv),
    Entry::new("community.general.from_ini", table::from_ini),
    Entry::new("community.general.groupby_as_dict", list::groupby_as_dict),
    Entry::new("community.general.hashids_decode", hashid::decode),
    Entry::new("community.general.hashids_encode", hashid::encode),
    Entry::new("community.general.json_patch", patch::json_patch),
    Entry::new("community.general.json_patch_recipe", patch::json_patch_recipe),
    Entry::new("community.general.json_query", jmespath::json_query),
    Entry::new("community.general.keep_keys", key::select),
    Entry::new("community.general.lists_difference", list::lists),
    Entry::new("community.general.lists_intersect", list::lists),
    Entry::new("community.general.lists_mergeby", list::lists_mergeby),
    Entry::new("community.general.lists_symmetric_difference", list::lists),
    Entry::new("community.general.lists_union", list::lists),
    Entry::new("community.general.random_mac", text::random_mac),
    Entry::new("community.general.remove_keys", key::select),
    Entry::new("community.general.replace_keys", key::replace_keys),
    Entry::new("community.general.reveal_ansible_type", text::ansible_type),
    Entry::new("community.general.to_days", time::to_time_unit),
    Entry::new("community.general.to_hours", time::to_time_unit),
    Entry::new("community.general.to_ini", table::to_ini),
    Entry::new("community.general.to_milliseconds", time::to_time_unit),
    Entry::new("community.general.to_minutes", time::to_time_unit),
    Entry::new("community.general.to_months", time::to_time_unit),
    Entry::new("community.general.to_seconds", time::to_time_unit),
    Entry::new("community.general.to_time_unit", time::to_time_unit),
    Entry::new("community.general.to_weeks", time::to_time_unit),
    Entry::new("community.general.to_years", time::to_time_unit),
    Entry::new("community.general.unicode_normalize", text::unicode_normalize),
    Entry::new("community.general.version_sort", list::version_sort),
];

/// Where filters are that Ansible once had itself: they keep their short names.
const MOVED: &[(&str, &[&str])] = &[
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

/// The full name of a filter that has moved.
pub(in crate::eval::jinja) fn moved(name: &str) -> Option<String> {
    // The filters of addresses were here, before they moved once more.
    let short = name.strip_prefix("ansible.netcommon.").unwrap_or(name);
    let home = |(_, names): &&(&str, &[&str])| names.contains(&short);
    MOVED.iter().find(home).map(|(collection, _)| format!("{collection}{short}"))
}
