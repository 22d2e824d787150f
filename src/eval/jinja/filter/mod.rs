//! Filters: the piped value and arguments come in, a value goes out.

pub(in crate::eval::jinja) mod attribute;
pub(in crate::eval::jinja) mod chance;
pub(in crate::eval::jinja) mod collection;
mod combination;
mod comment;
pub(in crate::eval::jinja) mod crypt;
mod data;
pub(in crate::eval::jinja) mod date;
pub(in crate::eval::jinja) mod dict;
pub(in crate::eval::jinja) mod encode;
pub(in crate::eval::jinja) mod glob;
mod group;
pub(in crate::eval::jinja) mod hash;
mod html;
mod human;
mod kind;
mod link;
mod list;
mod nest;
mod number;
pub(in crate::eval::jinja) mod order;
pub(in crate::eval::jinja) mod parameter;
mod path;
mod regex;
mod select;
pub(in crate::eval::jinja) mod set;
mod text;
mod url;
pub(in crate::eval::jinja) mod vault;
mod wrap;

use super::plugin::{Plugin, PluginTable};

/// Every filter, in the order of their names.
pub const FILTERS: PluginTable = &[
    Plugin::variadic("abs", number::abs),
    Plugin::variadic("attr", kind::attr),
    Plugin::variadic("b64decode", encode::b64decode),
    Plugin::variadic("b64encode", encode::b64encode),
    Plugin::variadic("basename", path::basename),
    Plugin::variadic("batch", list::batch),
    Plugin::variadic("bool", kind::bool),
    Plugin::variadic("capitalize", text::case),
    Plugin::variadic("center", text::center),
    Plugin::variadic("checksum", hash::fixed),
    Plugin::variadic("combinations", combination::combinations),
    Plugin::variadic("combine", dict::combine),
    Plugin::variadic("comment", comment::comment),
    Plugin::variadic("commonpath", path::commonpath),
    Plugin::variadic("count", list::length),
    Plugin::variadic("d", kind::default).lenient(),
    Plugin::variadic("default", kind::default).lenient(),
    Plugin::variadic("dict2items", dict::dict2items),
    Plugin::variadic("dictsort", order::dictsort),
    Plugin::variadic("difference", set::difference),
    Plugin::variadic("dirname", path::dirname),
    Plugin::variadic("e", html::escape),
    Plugin::variadic("escape", html::escape),
    Plugin::variadic("expanduser", path::expanduser),
    Plugin::variadic("expandvars", path::expandvars),
    Plugin::variadic("extract", nest::extract),
    Plugin::variadic("fileglob", path::fileglob),
    Plugin::variadic("filesizeformat", human::filesizeformat),
    Plugin::variadic("first", list::first),
    Plugin::variadic("flatten", nest::flatten),
    Plugin::variadic("float", number::float),
    Plugin::variadic("forceescape", html::forceescape),
    Plugin::variadic("format", text::format),
    Plugin::variadic("from_json", data::from_json),
    Plugin::variadic("from_yaml", data::from_yaml),
    Plugin::variadic("from_yaml_all", data::from_yaml_all),
    Plugin::variadic("groupby", order::groupby),
    Plugin::variadic("hash", hash::hash),
    Plugin::variadic("human_readable", human::human_readable),
    Plugin::variadic("human_to_bytes", human::human_to_bytes),
    Plugin::variadic("indent", text::indent),
    Plugin::variadic("int", number::int),
    Plugin::variadic("intersect", set::intersect),
    Plugin::variadic("items", list::items),
    Plugin::variadic("items2dict", dict::items2dict),
    Plugin::variadic("join", list::join),
    Plugin::variadic("last", list::last),
    Plugin::variadic("length", list::length),
    Plugin::variadic("list", list::list),
    Plugin::variadic("log", number::log),
    Plugin::variadic("lower", text::case),
    Plugin::variadic("mandatory", kind::mandatory).lenient(),
    Plugin::variadic("map", select::map).lenient(),
    Plugin::variadic("max", order::extreme),
    Plugin::variadic("md5", hash::fixed),
    Plugin::variadic("min", order::extreme),
    Plugin::variadic("normpath", path::normpath),
    Plugin::variadic("password_hash", crypt::password_hash),
    Plugin::variadic("path_join", path::path_join),
    Plugin::variadic("permutations", combination::permutations),
    Plugin::variadic("pow", number::pow),
    Plugin::variadic("pprint", kind::pprint),
    Plugin::variadic("product", combination::product),
    Plugin::variadic("quote", path::quote),
    Plugin::variadic("random", chance::random),
    Plugin::variadic("realpath", path::realpath),
    Plugin::variadic("regex_escape", regex::regex_escape),
    Plugin::variadic("regex_findall", regex::regex_findall),
    Plugin::variadic("regex_replace", regex::regex_replace),
    Plugin::variadic("regex_search", regex::regex_search),
    Plugin::variadic("reject", select::select).lenient(),
    Plugin::variadic("rejectattr", select::selectattr).lenient(),
    Plugin::variadic("rekey_on_member", dict::rekey_on_member),
    Plugin::variadic("relpath", path::relpath),
    Plugin::variadic("replace", text::replace),
    Plugin::variadic("reverse", list::reverse),
    Plugin::variadic("root", number::root),
    Plugin::variadic("round", number::round),
    Plugin::variadic("safe", html::safe),
    Plugin::variadic("select", select::select).lenient(),
    Plugin::variadic("selectattr", select::selectattr).lenient(),
    Plugin::variadic("sha1", hash::fixed),
    Plugin::variadic("shuffle", chance::shuffle),
    Plugin::variadic("slice", list::slice),
    Plugin::variadic("sort", order::sort),
    Plugin::variadic("split", text::split),
    Plugin::variadic("splitext", path::splitext),
    Plugin::variadic("strftime", date::strftime),
    Plugin::variadic("string", text::string),
    Plugin::variadic("striptags", html::striptags),
    Plugin::variadic("subelements", nest::subelements),
    Plugin::variadic("sum", list::sum),
    Plugin::variadic("symmetric_difference", set::symmetric_difference),
    Plugin::variadic("ternary", kind::ternary).lenient(),
    Plugin::variadic("title", text::title),
    Plugin::variadic("to_datetime", date::to_datetime),
    Plugin::variadic("to_json", data::to_json),
    Plugin::variadic("to_nice_json", data::to_nice_json),
    Plugin::variadic("to_nice_yaml", data::to_nice_yaml),
    Plugin::variadic("to_uuid", hash::to_uuid),
    Plugin::variadic("to_yaml", data::to_yaml),
    Plugin::variadic("tojson", data::tojson),
    Plugin::variadic("trim", text::trim),
    Plugin::variadic("truncate", text::truncate),
    Plugin::variadic("type_debug", kind::type_debug).lenient(),
    Plugin::variadic("union", set::union),
    Plugin::variadic("unique", order::unique),
    Plugin::variadic("unvault", vault::unvault),
    Plugin::variadic("upper", text::case),
    Plugin::variadic("urldecode", url::urldecode),
    Plugin::variadic("urlencode", url::urlencode),
    Plugin::variadic("urlize", link::urlize),
    Plugin::variadic("urlsplit", url::urlsplit),
    Plugin::variadic("vault", vault::vault),
    Plugin::variadic("win_basename", path::win_basename),
    Plugin::variadic("win_dirname", path::win_dirname),
    Plugin::variadic("win_splitdrive", path::win_splitdrive),
    Plugin::variadic("wordcount", text::wordcount),
    Plugin::variadic("wordwrap", wrap::wordwrap),
    Plugin::variadic("xmlattr", html::xmlattr),
    Plugin::variadic("zip", combination::zip),
    Plugin::variadic("zip_longest", combination::zip_longest),
];
