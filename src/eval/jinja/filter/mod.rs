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

use super::plugin::{Entry, Table};

/// Every filter, in the order of their names.
pub const FILTERS: Table = &[
    Entry::new("abs", number::abs),
    Entry::new("attr", kind::attr),
    Entry::new("b64decode", encode::b64decode),
    Entry::new("b64encode", encode::b64encode),
    Entry::new("basename", path::basename),
    Entry::new("batch", list::batch),
    Entry::new("bool", kind::bool),
    Entry::new("capitalize", text::case),
    Entry::new("center", text::center),
    Entry::new("checksum", hash::fixed),
    Entry::new("combinations", combination::combinations),
    Entry::new("combine", dict::combine),
    Entry::new("comment", comment::comment),
    Entry::new("commonpath", path::commonpath),
    Entry::new("count", list::length),
    Entry::lenient("d", kind::default),
    Entry::lenient("default", kind::default),
    Entry::new("dict2items", dict::dict2items),
    Entry::new("dictsort", order::dictsort),
    Entry::new("difference", set::difference),
    Entry::new("dirname", path::dirname),
    Entry::new("e", html::escape),
    Entry::new("escape", html::escape),
    Entry::new("expanduser", path::expanduser),
    Entry::new("expandvars", path::expandvars),
    Entry::new("extract", nest::extract),
    Entry::new("fileglob", path::fileglob),
    Entry::new("filesizeformat", human::filesizeformat),
    Entry::new("first", list::first),
    Entry::new("flatten", nest::flatten),
    Entry::new("float", number::float),
    Entry::new("forceescape", html::forceescape),
    Entry::new("format", text::format),
    Entry::new("from_json", data::from_json),
    Entry::new("from_yaml", data::from_yaml),
    Entry::new("from_yaml_all", data::from_yaml_all),
    Entry::new("groupby", order::groupby),
    Entry::new("hash", hash::hash),
    Entry::new("human_readable", human::human_readable),
    Entry::new("human_to_bytes", human::human_to_bytes),
    Entry::new("indent", text::indent),
    Entry::new("int", number::int),
    Entry::new("intersect", set::intersect),
    Entry::new("items", list::items),
    Entry::new("items2dict", dict::items2dict),
    Entry::new("join", list::join),
    Entry::new("last", list::last),
    Entry::new("length", list::length),
    Entry::new("list", list::list),
    Entry::new("log", number::log),
    Entry::new("lower", text::case),
    Entry::lenient("mandatory", kind::mandatory),
    Entry::lenient("map", select::map),
    Entry::new("max", order::extreme),
    Entry::new("md5", hash::fixed),
    Entry::new("min", order::extreme),
    Entry::new("normpath", path::normpath),
    Entry::new("password_hash", crypt::password_hash),
    Entry::new("path_join", path::path_join),
    Entry::new("permutations", combination::permutations),
    Entry::new("pow", number::pow),
    Entry::new("pprint", kind::pprint),
    Entry::new("product", combination::product),
    Entry::new("quote", path::quote),
    Entry::new("random", chance::random),
    Entry::new("realpath", path::realpath),
    Entry::new("regex_escape", regex::regex_escape),
    Entry::new("regex_findall", regex::regex_findall),
    Entry::new("regex_replace", regex::regex_replace),
    Entry::new("regex_search", regex::regex_search),
    Entry::lenient("reject", select::select),
    Entry::lenient("rejectattr", select::selectattr),
    Entry::new("rekey_on_member", dict::rekey_on_member),
    Entry::new("relpath", path::relpath),
    Entry::new("replace", text::replace),
    Entry::new("reverse", list::reverse),
    Entry::new("root", number::root),
    Entry::new("round", number::round),
    Entry::new("safe", html::safe),
    Entry::lenient("select", select::select),
    Entry::lenient("selectattr", select::selectattr),
    Entry::new("sha1", hash::fixed),
    Entry::new("shuffle", chance::shuffle),
    Entry::new("slice", list::slice),
    Entry::new("sort", order::sort),
    Entry::new("split", text::split),
    Entry::new("splitext", path::splitext),
    Entry::new("strftime", date::strftime),
    Entry::new("string", text::string),
    Entry::new("striptags", html::striptags),
    Entry::new("subelements", nest::subelements),
    Entry::new("sum", list::sum),
    Entry::new("symmetric_difference", set::symmetric_difference),
    Entry::lenient("ternary", kind::ternary),
    Entry::new("title", text::title),
    Entry::new("to_datetime", date::to_datetime),
    Entry::new("to_json", data::to_json),
    Entry::new("to_nice_json", data::to_nice_json),
    Entry::new("to_nice_yaml", data::to_nice_yaml),
    Entry::new("to_uuid", hash::to_uuid),
    Entry::new("to_yaml", data::to_yaml),
    Entry::new("tojson", data::tojson),
    Entry::new("trim", text::trim),
    Entry::new("truncate", text::truncate),
    Entry::lenient("type_debug", kind::type_debug),
    Entry::new("union", set::union),
    Entry::new("unique", order::unique),
    Entry::new("unvault", vault::unvault),
    Entry::new("upper", text::case),
    Entry::new("urldecode", url::urldecode),
    Entry::new("urlencode", url::urlencode),
    Entry::new("urlize", link::urlize),
    Entry::new("urlsplit", url::urlsplit),
    Entry::new("vault", vault::vault),
    Entry::new("win_basename", path::win_basename),
    Entry::new("win_dirname", path::win_dirname),
    Entry::new("win_splitdrive", path::win_splitdrive),
    Entry::new("wordcount", text::wordcount),
    Entry::new("wordwrap", wrap::wordwrap),
    Entry::new("xmlattr", html::xmlattr),
    Entry::new("zip", combination::zip),
    Entry::new("zip_longest", combination::zip_longest),
];
