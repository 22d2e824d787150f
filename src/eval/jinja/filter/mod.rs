//! Filters: the piped value and arguments come in, a value goes out.

pub(in crate::eval::jinja) mod attribute;
pub(in crate::eval::jinja) mod collection;
pub(in crate::eval::jinja) mod crypt;
mod data;
pub(in crate::eval::jinja) mod date;
pub(in crate::eval::jinja) mod dict;
pub(in crate::eval::jinja) mod encode;
mod html;
mod number;
pub(in crate::eval::jinja) mod order;
pub(in crate::eval::jinja) mod parameter;
pub(in crate::eval::jinja) mod path;
pub(in crate::eval::jinja) mod random;
mod regex;
mod select;
mod sequence;
mod text;
mod value;
pub(in crate::eval::jinja) mod vault;

use super::plugin::{Plugin, PluginTable};
use crate::eval::python::Signature;

/// Every filter, in the order of their names.
pub const FILTERS: PluginTable = &[
    Plugin::new("abs", Signature::of_value("abs"), number::abs),
    Plugin::new("attr", Signature::new("do_attr", &["obj", "name"], &[]), value::attr),
    Plugin::new(
        "b64decode",
        Signature::new("b64decode", &["string"], &["encoding", "urlsafe"]),
        encode::b64decode,
    ),
    Plugin::new(
        "b64encode",
        Signature::new("b64encode", &["string"], &["encoding", "urlsafe"]),
        encode::b64encode,
    ),
    Plugin::new("basename", Signature::of_value("basename"), path::basename),
    Plugin::new(
        "batch",
        Signature::new("do_batch", &["value", "linecount"], &["fill_with"]),
        sequence::batch,
    ),
    Plugin::new("bool", Signature::of_value("to_bool"), value::bool),
    Plugin::new("capitalize", Signature::of_value("do_capitalize"), text::case),
    Plugin::new(
        "center",
        Signature::new("do_center", &["value"], &["width"]),
        text::center,
    ),
    Plugin::new("checksum", Signature::of_value("checksum"), encode::fixed),
    Plugin::new(
        "combinations",
        Signature::new("combinations", &["iterable", "r"], &[]),
        sequence::combinations,
    ),
    Plugin::variadic("combine", dict::combine),
    Plugin::new(
        "comment",
        Signature::new("comment", &["text"], &["style"]).keywords(),
        text::comment,
    ),
    Plugin::new("commonpath", Signature::of_value("commonpath"), path::commonpath),
    Plugin::new("count", Signature::of_value("len"), sequence::length),
    Plugin::new(
        "d",
        Signature::new("ansible_default", &["value"], &["default_value", "boolean"]),
        value::default,
    )
    .lenient(),
    Plugin::new(
        "default",
        Signature::new("ansible_default", &["value"], &["default_value", "boolean"]),
        value::default,
    )
    .lenient(),
    Plugin::new(
        "dict2items",
        Signature::new(
            "dict_to_list_of_dict_key_value_elements",
            &["mydict"],
            &["key_name", "value_name"],
        ),
        dict::dict2items,
    ),
    Plugin::new(
        "dictsort",
        Signature::new("do_dictsort", &["value"], &["case_sensitive", "by", "reverse"]),
        order::dictsort,
    ),
    Plugin::new(
        "difference",
        Signature::new("difference", &["a", "b"], &[]),
        order::difference,
    ),
    Plugin::new("dirname", Signature::of_value("dirname"), path::dirname),
    Plugin::new("e", Signature::of_value("escape"), html::escape),
    Plugin::new("escape", Signature::of_value("escape"), html::escape),
    Plugin::new("expanduser", Signature::of_value("expanduser"), path::expanduser),
    Plugin::new("expandvars", Signature::of_value("expandvars"), path::expandvars),
    Plugin::new(
        "extract",
        Signature::new("extract", &["item", "container"], &["morekeys"]),
        sequence::extract,
    ),
    Plugin::new("fileglob", Signature::of_value("fileglob"), path::fileglob),
    Plugin::new(
        "filesizeformat",
        Signature::new("do_filesizeformat", &["value"], &["binary"]),
        number::filesizeformat,
    ),
    Plugin::new("first", Signature::of_value("do_first"), sequence::first),
    Plugin::new(
        "flatten",
        Signature::new("flatten", &["mylist"], &["levels", "skip_nulls"]),
        sequence::flatten,
    ),
    Plugin::new(
        "float",
        Signature::new("do_float", &["value"], &["default"]),
        number::float,
    ),
    Plugin::new("forceescape", Signature::of_value("do_forceescape"), html::forceescape),
    Plugin::variadic("format", text::format),
    Plugin::new(
        "from_json",
        Signature::of_value("from_json").keyword_only(&["profile"]),
        data::from_json,
    ),
    Plugin::new("from_yaml", Signature::of_value("from_yaml"), data::from_yaml),
    Plugin::new(
        "from_yaml_all",
        Signature::of_value("from_yaml_all"),
        data::from_yaml_all,
    ),
    Plugin::new(
        "groupby",
        Signature::new(
            "sync_do_groupby",
            &["value", "attribute"],
            &["default", "case_sensitive"],
        ),
        order::groupby,
    ),
    Plugin::new(
        "hash",
        Signature::new("get_hash", &["data"], &["hashtype"]),
        encode::hash,
    ),
    Plugin::new(
        "human_readable",
        Signature::new("human_readable", &["size"], &["isbits", "unit"]),
        number::human_readable,
    ),
    Plugin::new(
        "human_to_bytes",
        Signature::new("human_to_bytes", &["size"], &["default_unit", "isbits"]),
        number::human_to_bytes,
    ),
    Plugin::new(
        "indent",
        Signature::new("do_indent", &["s"], &["width", "first", "blank"]),
        text::indent,
    ),
    Plugin::new(
        "int",
        Signature::new("do_int", &["value"], &["default", "base"]),
        number::int,
    ),
    Plugin::new(
        "intersect",
        Signature::new("intersect", &["a", "b"], &[]),
        order::intersect,
    ),
    Plugin::new("items", Signature::of_value("do_items"), sequence::items),
    Plugin::new(
        "items2dict",
        Signature::new(
            "list_of_dict_key_value_elements_to_dict",
            &["mylist"],
            &["key_name", "value_name"],
        ),
        dict::items2dict,
    ),
    Plugin::new(
        "join",
        Signature::new("sync_do_join", &["value"], &["d", "attribute"]),
        sequence::join,
    ),
    Plugin::new("last", Signature::of_value("do_last"), sequence::last),
    Plugin::new("length", Signature::of_value("len"), sequence::length),
    Plugin::new("list", Signature::of_value("do_list"), sequence::list),
    Plugin::new("log", Signature::new("logarithm", &["x"], &["base"]), number::log),
    Plugin::new("lower", Signature::of_value("do_lower"), text::case),
    Plugin::new(
        "mandatory",
        Signature::new("mandatory", &["a"], &["msg"]),
        value::mandatory,
    )
    .lenient(),
    Plugin::variadic("map", select::map).lenient(),
    Plugin::new(
        "max",
        Signature::new("do_max", &["value"], &["case_sensitive", "attribute"]),
        order::extreme,
    ),
    Plugin::new("md5", Signature::of_value("md5"), encode::fixed),
    Plugin::new(
        "min",
        Signature::new("do_min", &["value"], &["case_sensitive", "attribute"]),
        order::extreme,
    ),
    Plugin::new("normpath", Signature::of_value("normpath"), path::normpath),
    Plugin::new(
        "password_hash",
        Signature::new(
            "get_encrypted_password",
            &["password"],
            &["hashtype", "salt", "salt_size", "rounds", "ident"],
        ),
        crypt::password_hash,
    ),
    Plugin::new("path_join", Signature::of_value("path_join"), path::path_join),
    Plugin::new(
        "permutations",
        Signature::new("permutations", &["iterable"], &["r"]),
        sequence::permutations,
    ),
    Plugin::new("pow", Signature::new("power", &["x", "y"], &[]), number::pow),
    Plugin::new("pprint", Signature::of_value("do_pprint"), value::pprint),
    Plugin::new(
        "product",
        Signature::new("product", &[], &[]).rest().keyword_only(&["repeat"]),
        sequence::product,
    ),
    Plugin::new("quote", Signature::of_value("quote"), path::quote),
    Plugin::new(
        "random",
        Signature::new("rand", &["end"], &["start", "step", "seed"]),
        random::random,
    ),
    Plugin::new("realpath", Signature::of_value("realpath"), path::realpath),
    Plugin::new(
        "regex_escape",
        Signature::new("regex_escape", &["string"], &["re_type"]),
        regex::regex_escape,
    ),
    Plugin::new(
        "regex_findall",
        Signature::new(
            "regex_findall",
            &["value", "regex"],
            &["multiline", "ignorecase"],
        ),
        regex::regex_findall,
    ),
    Plugin::new(
        "regex_replace",
        Signature::new(
            "regex_replace",
            &[],
            &[
                "value",
                "pattern",
                "replacement",
                "ignorecase",
                "multiline",
                "count",
                "mandatory_count",
            ],
        ),
        regex::regex_replace,
    ),
    Plugin::new(
        "regex_search",
        Signature::new("regex_search", &["value", "regex"], &[])
            .rest()
            .keyword_only(&["ignorecase", "multiline"])
            .keywords(),
        regex::regex_search,
    ),
    Plugin::variadic("reject", select::select).lenient(),
    Plugin::variadic("rejectattr", select::selectattr).lenient(),
    Plugin::new(
        "rekey_on_member",
        Signature::new("rekey_on_member", &["data", "key"], &["duplicates"]),
        dict::rekey_on_member,
    ),
    Plugin::new(
        "relpath",
        Signature::new("relpath", &["path"], &["start"]),
        path::relpath,
    ),
    Plugin::new(
        "replace",
        Signature::new("do_replace", &["s", "old", "new"], &["count"]),
        text::replace,
    ),
    Plugin::new("reverse", Signature::of_value("do_reverse"), sequence::reverse),
    Plugin::new("root", Signature::new("inversepower", &["x"], &["base"]), number::root),
    Plugin::new(
        "round",
        Signature::new("do_round", &["value"], &["precision", "method"]),
        number::round,
    ),
    Plugin::new("safe", Signature::of_value("do_mark_safe"), html::safe),
    Plugin::variadic("select", select::select).lenient(),
    Plugin::variadic("selectattr", select::selectattr).lenient(),
    Plugin::new("sha1", Signature::of_value("sha1"), encode::fixed),
    Plugin::new(
        "shuffle",
        Signature::new("randomize_list", &["mylist"], &["seed"]),
        random::shuffle,
    ),
    Plugin::new(
        "slice",
        Signature::new("do_slice", &["value", "slices"], &["fill_with"]),
        sequence::slice,
    ),
    Plugin::new(
        "sort",
        Signature::new(
            "do_sort",
            &["value"],
            &["reverse", "case_sensitive", "attribute"],
        ),
        order::sort,
    ),
    Plugin::variadic("split", text::split),
    Plugin::new("splitext", Signature::of_value("splitext"), path::splitext),
    Plugin::new(
        "strftime",
        Signature::new("strftime", &["string_format"], &["second", "utc"]),
        date::strftime,
    ),
    Plugin::new("string", Signature::of_value("soft_str"), text::string),
    Plugin::new("striptags", Signature::of_value("do_striptags"), html::striptags),
    Plugin::new(
        "subelements",
        Signature::new("subelements", &["obj", "subelements"], &["skip_missing"]),
        sequence::subelements,
    ),
    Plugin::new(
        "sum",
        Signature::new("sync_do_sum", &["iterable"], &["attribute", "start"]),
        sequence::sum,
    ),
    Plugin::new(
        "symmetric_difference",
        Signature::new("symmetric_difference", &["a", "b"], &[]),
        order::symmetric_difference,
    ),
    Plugin::new(
        "ternary",
        Signature::new("ternary", &["value", "true_val", "false_val"], &["none_val"]),
        value::ternary,
    )
    .lenient(),
    Plugin::new("title", Signature::of_value("do_title"), text::title),
    Plugin::new(
        "to_datetime",
        Signature::new("to_datetime", &["string"], &["format"]),
        date::to_datetime,
    ),
    Plugin::new("to_json", data::TO_JSON, data::to_json),
    Plugin::variadic("to_nice_json", data::to_nice_json),
    Plugin::variadic("to_nice_yaml", data::to_nice_yaml),
    Plugin::new(
        "to_uuid",
        Signature::new("to_uuid", &["string"], &["namespace"]),
        encode::to_uuid,
    ),
    Plugin::variadic("to_yaml", data::to_yaml),
    Plugin::new(
        "tojson",
        Signature::new("do_tojson", &["value"], &["indent"]),
        data::tojson,
    ),
    Plugin::new("trim", Signature::new("do_trim", &["value"], &["chars"]), text::trim),
    Plugin::new(
        "truncate",
        Signature::new("do_truncate", &["s"], &["length", "killwords", "end", "leeway"]),
        text::truncate,
    ),
    Plugin::new("type_debug", Signature::of_value("type_debug"), value::type_debug)
        .lenient(),
    Plugin::new("union", Signature::new("union", &["a", "b"], &[]), order::union),
    Plugin::new(
        "unique",
        Signature::new("unique", &["a"], &["case_sensitive", "attribute"]),
        order::unique,
    ),
    Plugin::new(
        "unvault",
        Signature::new("do_unvault", &["vault", "secret"], &["vault_id", "vaultid"]),
        vault::unvault,
    ),
    Plugin::new("upper", Signature::of_value("do_upper"), text::case),
    Plugin::new("urldecode", Signature::of_value("unquote_plus"), encode::urldecode),
    Plugin::new("urlencode", Signature::of_value("do_urlencode"), encode::urlencode),
    Plugin::new(
        "urlize",
        Signature::new(
            "do_urlize",
            &["value"],
            &["trim_url_limit", "nofollow", "target", "rel", "extra_schemes"],
        ),
        html::urlize,
    ),
    Plugin::new(
        "urlsplit",
        Signature::new("split_url", &["value"], &["query", "alias"]),
        encode::urlsplit,
    ),
    Plugin::new(
        "vault",
        Signature::new(
            "do_vault",
            &["data", "secret"],
            &["salt", "vault_id", "wrap_object", "vaultid"],
        ),
        vault::vault,
    ),
    Plugin::new("win_basename", Signature::of_value("basename"), path::win_basename),
    Plugin::new("win_dirname", Signature::of_value("dirname"), path::win_dirname),
    Plugin::new(
        "win_splitdrive",
        Signature::of_value("splitdrive"),
        path::win_splitdrive,
    ),
    Plugin::new("wordcount", Signature::of_value("do_wordcount"), text::wordcount),
    Plugin::new(
        "wordwrap",
        Signature::new(
            "do_wordwrap",
            &["s"],
            &["width", "break_long_words", "wrapstring", "break_on_hyphens"],
        ),
        text::wordwrap,
    ),
    Plugin::new(
        "xmlattr",
        Signature::new("do_xmlattr", &["d"], &["autospace"]),
        html::xmlattr,
    ),
    Plugin::new(
        "zip",
        Signature::new("zip", &[], &[]).rest().keyword_only(&["strict"]),
        sequence::zip,
    ),
    Plugin::new(
        "zip_longest",
        Signature::new("zip_longest", &[], &[]).rest().keyword_only(&["fillvalue"]),
        sequence::zip_longest,
    ),
];
