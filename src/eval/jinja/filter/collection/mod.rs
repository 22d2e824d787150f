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

use crate::eval::jinja::plugin::{Plugin, PluginTable};

/// Every filter of a collection, in the order of their names.
pub(in crate::eval::jinja) const FILTERS: PluginTable = &[
    Plugin::variadic("ansible.netcommon.comp_type5", vlan::comp_type5),
    Plugin::variadic("ansible.netcommon.hash_salt", vlan::hash_salt),
    Plugin::variadic("ansible.netcommon.pop_ace", vlan::pop_ace),
    Plugin::variadic("ansible.netcommon.type5_pw", vlan::type5_pw),
    Plugin::variadic("ansible.netcommon.vlan_expander", vlan::vlan_expander),
    Plugin::variadic("ansible.netcommon.vlan_parser", vlan::vlan_parser),
    Plugin::variadic("ansible.utils.cidr_merge", ip::cidr_merge),
    Plugin::variadic("ansible.utils.consolidate", difference::consolidate),
    Plugin::variadic("ansible.utils.fact_diff", difference::fact_diff),
    Plugin::variadic("ansible.utils.from_xml", xml::from_xml),
    Plugin::variadic("ansible.utils.get_path", path::get_path),
    Plugin::variadic("ansible.utils.hwaddr", ip::hwaddr),
    Plugin::variadic("ansible.utils.index_of", path::index_of),
    Plugin::variadic("ansible.utils.ip4_hex", ip::ip4_hex),
    Plugin::variadic("ansible.utils.ipaddr", ip::ipaddr),
    Plugin::variadic("ansible.utils.ipcut", ip::ipcut),
    Plugin::variadic("ansible.utils.ipmath", ip::ipmath),
    Plugin::variadic("ansible.utils.ipsubnet", ip::ipsubnet),
    Plugin::variadic("ansible.utils.ipv4", ip::version),
    Plugin::variadic("ansible.utils.ipv6", ip::version),
    Plugin::variadic("ansible.utils.ipv6form", ip::ipv6form),
    Plugin::variadic("ansible.utils.ipwrap", ip::ipwrap),
    Plugin::variadic("ansible.utils.keep_keys", key::deep),
    Plugin::variadic("ansible.utils.macaddr", ip::hwaddr),
    Plugin::variadic("ansible.utils.network_in_network", ip::network_in),
    Plugin::variadic("ansible.utils.network_in_usable", ip::network_in),
    Plugin::variadic("ansible.utils.next_nth_usable", ip::nth_usable),
    Plugin::variadic("ansible.utils.nthhost", ip::nthhost),
    Plugin::variadic("ansible.utils.param_list_compare", difference::param_list_compare),
    Plugin::variadic("ansible.utils.previous_nth_usable", ip::nth_usable),
    Plugin::variadic("ansible.utils.reduce_on_network", ip::reduce_on_network),
    Plugin::variadic("ansible.utils.remove_keys", key::deep),
    Plugin::variadic("ansible.utils.replace_keys", key::deep),
    Plugin::variadic("ansible.utils.slaac", ip::slaac),
    Plugin::variadic("ansible.utils.to_paths", path::to_paths),
    Plugin::variadic("ansible.utils.to_xml", xml::to_xml),
    Plugin::variadic("ansible.utils.usable_range", ip::usable_range),
    Plugin::variadic("community.general.accumulate", list::accumulate),
    Plugin::variadic("community.general.counter", list::counter),
    Plugin::variadic("community.general.crc32", text::crc32),
    Plugin::variadic("community.general.dict", list::dict),
    Plugin::variadic("community.general.dict_kv", list::dict_kv),
    Plugin::variadic("community.general.from_csv", table::from_csv),
    Plugin::variadic("community.general.from_ini", table::from_ini),
    Plugin::variadic("community.general.groupby_as_dict", list::groupby_as_dict),
    Plugin::variadic("community.general.hashids_decode", hashid::decode),
    Plugin::variadic("community.general.hashids_encode", hashid::encode),
    Plugin::variadic("community.general.json_patch", patch::json_patch),
    Plugin::variadic("community.general.json_patch_recipe", patch::json_patch_recipe),
    Plugin::variadic("community.general.json_query", jmespath::json_query),
    Plugin::variadic("community.general.keep_keys", key::select),
    Plugin::variadic("community.general.lists_difference", list::lists),
    Plugin::variadic("community.general.lists_intersect", list::lists),
    Plugin::variadic("community.general.lists_mergeby", list::lists_mergeby),
    Plugin::variadic("community.general.lists_symmetric_difference", list::lists),
    Plugin::variadic("community.general.lists_union", list::lists),
    Plugin::variadic("community.general.random_mac", text::random_mac),
    Plugin::variadic("community.general.remove_keys", key::select),
    Plugin::variadic("community.general.replace_keys", key::replace_keys),
    Plugin::variadic("community.general.reveal_ansible_type", text::ansible_type),
    Plugin::variadic("community.general.to_days", time::to_time_unit),
    Plugin::variadic("community.general.to_hours", time::to_time_unit),
    Plugin::variadic("community.general.to_ini", table::to_ini),
    Plugin::variadic("community.general.to_milliseconds", time::to_time_unit),
    Plugin::variadic("community.general.to_minutes", time::to_time_unit),
    Plugin::variadic("community.general.to_months", time::to_time_unit),
    Plugin::variadic("community.general.to_seconds", time::to_time_unit),
    Plugin::variadic("community.general.to_time_unit", time::to_time_unit),
    Plugin::variadic("community.general.to_weeks", time::to_time_unit),
    Plugin::variadic("community.general.to_years", time::to_time_unit),
    Plugin::variadic("community.general.unicode_normalize", text::unicode_normalize),
    Plugin::variadic("community.general.version_sort", list::version_sort),
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
