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
use crate::eval::python::Signature;

/// Every filter of a collection, in the order of their names.
pub(in crate::eval::jinja) const FILTERS: PluginTable = &[
    Plugin::new(
        "ansible.netcommon.comp_type5",
        Signature::new(
            "comp_type5",
            &["unencrypted_password", "encrypted_password"],
            &["return_original"],
        ),
        vlan::comp_type5,
    ),
    Plugin::new(
        "ansible.netcommon.hash_salt",
        Signature::of_value("hash_salt"),
        vlan::hash_salt,
    ),
    Plugin::new(
        "ansible.netcommon.pop_ace",
        Signature::new("pop_ace", &["data", "filter_options", "match_criteria"], &[]),
        vlan::pop_ace,
    ),
    Plugin::new(
        "ansible.netcommon.type5_pw",
        Signature::new("type5_pw", &["password"], &["salt"]),
        vlan::type5_pw,
    ),
    Plugin::new(
        "ansible.netcommon.vlan_expander",
        Signature::of_value("vlan_expander"),
        vlan::vlan_expander,
    ),
    Plugin::new(
        "ansible.netcommon.vlan_parser",
        Signature::new("vlan_parser", &["data"], &["first_line_len", "other_line_len"]),
        vlan::vlan_parser,
    ),
    Plugin::new(
        "ansible.utils.cidr_merge",
        Signature::new("cidr_merge", &["value"], &["action"]),
        ip::cidr_merge,
    ),
    Plugin::new(
        "ansible.utils.consolidate",
        Signature::new(
            "consolidate",
            &["data_sources"],
            &["fail_missing_match_key", "fail_missing_match_value", "fail_duplicate"],
        ),
        difference::consolidate,
    ),
    Plugin::new(
        "ansible.utils.fact_diff",
        Signature::new("fact_diff", &["before", "after"], &["plugin", "common"]),
        difference::fact_diff,
    ),
    Plugin::new(
        "ansible.utils.from_xml",
        Signature::new("from_xml", &["data"], &["engine"]),
        xml::from_xml,
    ),
    Plugin::new(
        "ansible.utils.get_path",
        Signature::new("get_path", &["var", "path"], &["wantlist"]),
        path::get_path,
    ),
    Plugin::new(
        "ansible.utils.hwaddr",
        Signature::new("hwaddr", &["value"], &["query", "alias"]),
        ip::hwaddr,
    ),
    Plugin::new(
        "ansible.utils.index_of",
        Signature::new(
            "index_of",
            &["data", "test"],
            &["value", "key", "fail_on_missing", "wantlist"],
        ),
        path::index_of,
    ),
    Plugin::new(
        "ansible.utils.ip4_hex",
        Signature::new("ip4_hex", &["arg"], &["delimiter"]),
        ip::ip4_hex,
    ),
    Plugin::new(
        "ansible.utils.ipaddr",
        Signature::new("ipaddr", &["value"], &["query", "version", "alias"]),
        ip::ipaddr,
    ),
    Plugin::new(
        "ansible.utils.ipcut",
        Signature::new("ipcut", &["value", "amount"], &[]),
        ip::ipcut,
    ),
    Plugin::new(
        "ansible.utils.ipmath",
        Signature::new("ipmath", &["value", "amount"], &[]),
        ip::ipmath,
    ),
    Plugin::new(
        "ansible.utils.ipsubnet",
        Signature::new("ipsubnet", &["value"], &["query", "index"]),
        ip::ipsubnet,
    ),
    Plugin::new(
        "ansible.utils.ipv4",
        Signature::new("ipv4", &["value"], &["query"]),
        ip::version,
    ),
    Plugin::new(
        "ansible.utils.ipv6",
        Signature::new("ipv6", &["value"], &["query"]),
        ip::version,
    ),
    Plugin::new(
        "ansible.utils.ipv6form",
        Signature::new("ipv6form", &["value", "format"], &[]),
        ip::ipv6form,
    ),
    Plugin::new(
        "ansible.utils.ipwrap",
        Signature::new("ipwrap", &["value"], &["query"]),
        ip::ipwrap,
    ),
    Plugin::new(
        "ansible.utils.keep_keys",
        Signature::new("keep_keys", &["data"], &["target", "matching_parameter"]),
        key::deep,
    ),
    Plugin::new(
        "ansible.utils.macaddr",
        Signature::new("macaddr", &["value"], &["query", "alias"]),
        ip::hwaddr,
    ),
    Plugin::new(
        "ansible.utils.network_in_network",
        Signature::new("network_in_network", &["value", "test"], &[]),
        ip::network_in,
    ),
    Plugin::new(
        "ansible.utils.network_in_usable",
        Signature::new("network_in_usable", &["value", "test"], &[]),
        ip::network_in,
    ),
    Plugin::new(
        "ansible.utils.next_nth_usable",
        Signature::new("next_nth_usable", &["value", "offset"], &[]),
        ip::nth_usable,
    ),
    Plugin::new(
        "ansible.utils.nthhost",
        Signature::new("nthhost", &["value"], &["query"]),
        ip::nthhost,
    ),
    Plugin::new(
        "ansible.utils.param_list_compare",
        Signature::new("param_list_compare", &["base", "target"], &[]),
        difference::param_list_compare,
    ),
    Plugin::new(
        "ansible.utils.previous_nth_usable",
        Signature::new("previous_nth_usable", &["value", "offset"], &[]),
        ip::nth_usable,
    ),
    Plugin::new(
        "ansible.utils.reduce_on_network",
        Signature::new("reduce_on_network", &["value", "network"], &[]),
        ip::reduce_on_network,
    ),
    Plugin::new(
        "ansible.utils.remove_keys",
        Signature::new("remove_keys", &["data"], &["target", "matching_parameter"]),
        key::deep,
    ),
    Plugin::new(
        "ansible.utils.replace_keys",
        Signature::new("replace_keys", &["data"], &["target", "matching_parameter"]),
        key::deep,
    ),
    Plugin::new(
        "ansible.utils.slaac",
        Signature::new("slaac", &["value"], &["query"]),
        ip::slaac,
    ),
    Plugin::new(
        "ansible.utils.to_paths",
        Signature::new("to_paths", &["var"], &["prepend", "wantlist"]),
        path::to_paths,
    ),
    Plugin::new(
        "ansible.utils.to_xml",
        Signature::new(
            "to_xml",
            &["data"],
            &["engine", "indent", "indent_width", "full_document"],
        ),
        xml::to_xml,
    ),
    Plugin::new(
        "ansible.utils.usable_range",
        Signature::new("usable_range", &["ip"], &[]),
        ip::usable_range,
    ),
    Plugin::new(
        "community.general.accumulate",
        Signature::of_value("list_accumulate"),
        list::accumulate,
    ),
    Plugin::new(
        "community.general.counter",
        Signature::of_value("counter"),
        list::counter,
    ),
    Plugin::new("community.general.crc32", Signature::of_value("crc32s"), text::crc32),
    Plugin::new("community.general.dict", Signature::of_value("dict_filter"), list::dict),
    Plugin::new(
        "community.general.dict_kv",
        Signature::new("dict_kv", &["value", "key"], &[]),
        list::dict_kv,
    ),
    Plugin::new(
        "community.general.from_csv",
        Signature::new(
            "from_csv",
            &["data"],
            &["dialect", "fieldnames", "delimiter", "skipinitialspace", "strict"],
        ),
        table::from_csv,
    ),
    Plugin::new(
        "community.general.from_ini",
        Signature::of_value("from_ini").keyword_only(&["delimiters"]),
        table::from_ini,
    ),
    Plugin::new(
        "community.general.groupby_as_dict",
        Signature::new("groupby_as_dict", &["sequence", "attribute"], &[]),
        list::groupby_as_dict,
    ),
    Plugin::new(
        "community.general.hashids_decode",
        Signature::new(
            "hashids_decode",
            &["hashid"],
            &["salt", "alphabet", "min_length"],
        ),
        hashid::decode,
    ),
    Plugin::new(
        "community.general.hashids_encode",
        Signature::new("hashids_encode", &["nums"], &["salt", "alphabet", "min_length"]),
        hashid::encode,
    ),
    Plugin::new(
        "community.general.json_patch",
        Signature::new("FilterModule.json_patch", &["inp", "op", "path"], &["value"])
            .keyword_only(&["from", "fail_test"]),
        patch::json_patch,
    ),
    Plugin::new(
        "community.general.json_patch_recipe",
        Signature::new(
            "FilterModule.json_patch_recipe",
            &["inp", "operations"],
            &["fail_test"],
        ),
        patch::json_patch_recipe,
    ),
    Plugin::new(
        "community.general.json_query",
        Signature::new("json_query", &["data", "expr"], &[]),
        jmespath::json_query,
    ),
    Plugin::new(
        "community.general.keep_keys",
        Signature::new("keep_keys", &["data"], &["target", "matching_parameter"]),
        key::select,
    ),
    Plugin::variadic("community.general.lists_difference", list::lists),
    Plugin::variadic("community.general.lists_intersect", list::lists),
    Plugin::variadic("community.general.lists_mergeby", list::lists_mergeby),
    Plugin::variadic("community.general.lists_symmetric_difference", list::lists),
    Plugin::variadic("community.general.lists_union", list::lists),
    Plugin::new(
        "community.general.random_mac",
        Signature::new("random_mac", &["value"], &["seed"]),
        text::random_mac,
    ),
    Plugin::new(
        "community.general.remove_keys",
        Signature::new("remove_keys", &["data"], &["target", "matching_parameter"]),
        key::select,
    ),
    Plugin::new(
        "community.general.replace_keys",
        Signature::new("replace_keys", &["data"], &["target", "matching_parameter"]),
        key::replace_keys,
    ),
    Plugin::new(
        "community.general.reveal_ansible_type",
        Signature::new("reveal_ansible_type", &["data"], &["alias"]),
        text::ansible_type,
    ),
    Plugin::new(
        "community.general.to_days",
        Signature::new("to_days", &["human_time"], &[]).keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_hours",
        Signature::new("to_hours", &["human_time"], &[]).keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_ini",
        Signature::of_value("to_ini").keyword_only(&["no_extra_spaces"]),
        table::to_ini,
    ),
    Plugin::new(
        "community.general.to_milliseconds",
        Signature::new("to_milliseconds", &["human_time"], &[])
            .keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_minutes",
        Signature::new("to_minutes", &["human_time"], &[])
            .keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_months",
        Signature::new("to_months", &["human_time"], &[])
            .keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_seconds",
        Signature::new("to_seconds", &["human_time"], &[])
            .keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_time_unit",
        Signature::new("to_time_unit", &["human_time"], &["unit"])
            .keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_weeks",
        Signature::new("to_weeks", &["human_time"], &[]).keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.to_years",
        Signature::new("to_years", &["human_time"], &[]).keyword_only(&["year", "month"]),
        time::to_time_unit,
    ),
    Plugin::new(
        "community.general.unicode_normalize",
        Signature::new("unicode_normalize", &["data"], &["form"]),
        text::unicode_normalize,
    ),
    Plugin::new(
        "community.general.version_sort",
        Signature::new("version_sort", &["value"], &["reverse"]),
        list::version_sort,
    ),
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
