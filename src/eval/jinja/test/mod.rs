//! Tests: a value and arguments come in, whether it passes goes out.

pub(in crate::eval::jinja) mod collection;
mod compare;
mod file;
mod task;
mod text;
mod value;

use super::plugin::{Plugin, PluginTable};
use crate::eval::python::Signature;

/// Every test, in the order of their names.
pub const TESTS: PluginTable = &[
    Plugin::new("!=", Signature::positional("ne", &["a", "b"], &[]), compare::operator),
    Plugin::new("<", Signature::positional("lt", &["a", "b"], &[]), compare::operator),
    Plugin::new("<=", Signature::positional("le", &["a", "b"], &[]), compare::operator),
    Plugin::new("==", Signature::positional("eq", &["a", "b"], &[]), compare::operator),
    Plugin::new(">", Signature::positional("gt", &["a", "b"], &[]), compare::operator),
    Plugin::new(">=", Signature::positional("ge", &["a", "b"], &[]), compare::operator),
    Plugin::new("abs", Signature::of_value("isabs"), file::abs),
    Plugin::new("all", Signature::of_value("all"), value::all),
    Plugin::new("any", Signature::of_value("any"), value::any),
    Plugin::new("boolean", Signature::of_value("test_boolean"), value::boolean),
    Plugin::new("callable", Signature::of_value("test_callable"), value::callable),
    Plugin::new("change", Signature::of_value("changed"), task::changed),
    Plugin::new("changed", Signature::of_value("changed"), task::changed),
    Plugin::new(
        "contains",
        Signature::new("contains", &["seq", "value"], &[]),
        compare::contains,
    ),
    Plugin::new("defined", Signature::of_value("test_defined"), value::is_defined)
        .lenient(),
    Plugin::new("directory", Signature::of_value("directory"), file::directory),
    Plugin::new(
        "divisibleby",
        Signature::new("test_divisibleby", &["value", "num"], &[]),
        compare::divisibleby,
    ),
    Plugin::new("eq", Signature::positional("eq", &["a", "b"], &[]), compare::operator),
    Plugin::new(
        "equalto",
        Signature::positional("eq", &["a", "b"], &[]),
        compare::operator,
    ),
    Plugin::new("escaped", Signature::of_value("test_escaped"), value::escaped),
    Plugin::new("even", Signature::of_value("test_even"), compare::even),
    Plugin::new("exists", Signature::of_value("exists"), file::is_there),
    Plugin::new("failed", Signature::of_value("failed"), task::failed),
    Plugin::new("failure", Signature::of_value("failed"), task::failed),
    Plugin::new("false", Signature::of_value("test_false"), value::r#false),
    Plugin::new(
        "falsy",
        Signature::new("falsy", &["value"], &["convert_bool"]),
        value::falsy,
    ),
    Plugin::new("file", Signature::of_value("file"), file::file),
    Plugin::new("filter", Signature::of_value("test_filter"), value::filter),
    Plugin::new("finished", Signature::of_value("finished"), task::progress),
    Plugin::new("float", Signature::of_value("test_float"), value::float),
    Plugin::new("ge", Signature::positional("ge", &["a", "b"], &[]), compare::operator),
    Plugin::new(
        "greaterthan",
        Signature::positional("gt", &["a", "b"], &[]),
        compare::operator,
    ),
    Plugin::new("gt", Signature::positional("gt", &["a", "b"], &[]), compare::operator),
    Plugin::new("in", Signature::new("test_in", &["value", "seq"], &[]), compare::within),
    Plugin::new("integer", Signature::of_value("test_integer"), value::integer),
    Plugin::new("is_abs", Signature::of_value("isabs"), file::abs),
    Plugin::new("is_dir", Signature::of_value("is_dir"), file::directory),
    Plugin::new("is_file", Signature::of_value("is_file"), file::file),
    Plugin::new("is_link", Signature::of_value("is_link"), file::link),
    Plugin::new("is_mount", Signature::of_value("is_mount"), file::mount),
    Plugin::new(
        "is_same_file",
        Signature::new("samefile", &["f1", "f2"], &[]),
        file::same_file,
    ),
    Plugin::new("isnan", Signature::of_value("isnotanumber"), compare::nan),
    Plugin::new("issubset", Signature::new("issubset", &["a", "b"], &[]), value::subset),
    Plugin::new(
        "issuperset",
        Signature::new("issuperset", &["a", "b"], &[]),
        value::superset,
    ),
    Plugin::new("iterable", Signature::of_value("test_iterable"), value::iterable),
    Plugin::new("le", Signature::positional("le", &["a", "b"], &[]), compare::operator),
    Plugin::new(
        "lessthan",
        Signature::positional("lt", &["a", "b"], &[]),
        compare::operator,
    ),
    Plugin::new("link", Signature::of_value("link"), file::link),
    Plugin::new("link_exists", Signature::of_value("link_exists"), file::link_exists),
    Plugin::new("lower", Signature::of_value("test_lower"), text::lower),
    Plugin::new("lt", Signature::positional("lt", &["a", "b"], &[]), compare::operator),
    Plugin::new("mapping", Signature::of_value("test_mapping"), value::mapping),
    Plugin::new(
        "match",
        Signature::new(
            "match",
            &[],
            &["value", "pattern", "ignorecase", "multiline", "match_type"],
        ),
        text::pattern,
    ),
    Plugin::new("mount", Signature::of_value("mount"), file::mount),
    Plugin::new("nan", Signature::of_value("isnotanumber"), compare::nan),
    Plugin::new("ne", Signature::positional("ne", &["a", "b"], &[]), compare::operator),
    Plugin::new("none", Signature::of_value("test_none"), value::none),
    Plugin::new("number", Signature::of_value("test_number"), value::number),
    Plugin::new("odd", Signature::of_value("test_odd"), compare::odd),
    Plugin::new("reachable", Signature::of_value("unreachable"), task::reachable),
    Plugin::new(
        "regex",
        Signature::new(
            "regex",
            &[],
            &["value", "pattern", "ignorecase", "multiline", "match_type"],
        ),
        text::pattern,
    ),
    Plugin::new(
        "same_file",
        Signature::new("samefile", &["f1", "f2"], &[]),
        file::same_file,
    ),
    Plugin::new(
        "sameas",
        Signature::new("test_sameas", &["value", "other"], &[]),
        compare::sameas,
    ),
    Plugin::new(
        "search",
        Signature::new(
            "search",
            &[],
            &["value", "pattern", "ignorecase", "multiline", "match_type"],
        ),
        text::pattern,
    ),
    Plugin::new("sequence", Signature::of_value("test_sequence"), value::sequence),
    Plugin::new("skip", Signature::of_value("skipped"), task::skipped),
    Plugin::new("skipped", Signature::of_value("skipped"), task::skipped),
    Plugin::new("started", Signature::of_value("started"), task::progress),
    Plugin::new("string", Signature::of_value("test_string"), value::string),
    Plugin::new("subset", Signature::new("issubset", &["a", "b"], &[]), value::subset),
    Plugin::new("succeeded", Signature::of_value("failed"), task::succeeded),
    Plugin::new("success", Signature::of_value("failed"), task::succeeded),
    Plugin::new("successful", Signature::of_value("failed"), task::succeeded),
    Plugin::new(
        "superset",
        Signature::new("issuperset", &["a", "b"], &[]),
        value::superset,
    ),
    Plugin::new("test", Signature::of_value("test_test"), value::test),
    Plugin::new("timedout", Signature::of_value("timedout"), task::timedout),
    Plugin::new("true", Signature::of_value("test_true"), value::r#true),
    Plugin::new(
        "truthy",
        Signature::new("truthy", &["value"], &["convert_bool"]),
        value::truthy,
    ),
    Plugin::new("undefined", Signature::of_value("test_undefined"), value::undefined)
        .lenient(),
    Plugin::new("unreachable", Signature::of_value("unreachable"), task::unreachable),
    Plugin::new("upper", Signature::of_value("test_upper"), text::upper),
    Plugin::new("uri", Signature::new("is_uri", &["value"], &["schemes"]), text::uri),
    Plugin::new("url", Signature::new("is_url", &["value"], &["schemes"]), text::url),
    Plugin::new("urn", Signature::of_value("is_urn"), text::urn),
    Plugin::new(
        "vault_encrypted",
        Signature::of_value("test_vault_encrypted"),
        value::vault_encrypted,
    ),
    Plugin::new("vaulted_file", Signature::of_value("vaulted_file"), file::vaulted_file),
    Plugin::new(
        "version",
        Signature::new(
            "version_compare",
            &["value", "version"],
            &["operator", "strict", "version_type"],
        ),
        compare::version,
    ),
    Plugin::new(
        "version_compare",
        Signature::new(
            "version_compare",
            &["value", "version"],
            &["operator", "strict", "version_type"],
        ),
        compare::version,
    ),
];
