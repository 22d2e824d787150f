//! Filters that convert values to JSON and YAML, and back.

use super::html::markup;
use super::parameter::{
    count, flag, given, number, string, text, type_error, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined};
use crate::eval::python::{self, Arguments, Bound, Result, Signature, Value, json, yaml};
use crate::eval::yaml as reader;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::variadic("community.general.to_nice_yaml", to_yaml),
    Plugin::variadic("community.general.to_yaml", to_yaml),
    Plugin::signed("from_json", Signature::of_value("from_json").keyword_only(&["profile"]), from_json),
    Plugin::of_value("from_yaml", "from_yaml", from_yaml),
    Plugin::of_value("from_yaml_all", "from_yaml_all", from_yaml_all),
    Plugin::signed("to_json", TO_JSON, to_json),
    Plugin::variadic("to_nice_json", to_nice_json),
    Plugin::variadic("to_nice_yaml", to_yaml),
    Plugin::variadic("to_yaml", to_yaml),
    Plugin::new("tojson", "do_tojson", &["value"], &["indent"], tojson),
];

/// `tojson`: JSON that is safe in HTML.
fn tojson(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [indent]) = arguments.split();
    let indent = indentation(indent)?;
    let style = json::JsonStyle { indent, sort: json::KeyOrder::Text, ..style() };
    let written = json::dump(&value, &style)?;
    // Escapes instead of entities: the JSON must stay valid inside of `<script>`.
    let safe = [("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("'", "\\u0027")];
    Ok(markup(safe.iter().fold(written, |text, (from, to)| text.replace(from, to))))
}

fn style() -> json::JsonStyle {
    json::JsonStyle { default: json_for, ..json::JsonStyle::default() }
}

/// Replaces a value that JSON lacks: a date by a string, an iterable by a list.
fn json_for(value: &Value) -> Result<Option<Value>> {
    match value {
        Value::Range(_) => python::iterate(value).map(Value::list).map(Some),
        other => yaml_for(other),
    }
}

/// Replaces a value that YAML lacks.
fn yaml_for(value: &Value) -> Result<Option<Value>> {
    if let Value::Set(_) = value {
        return python::iterate(value).map(Value::list).map(Some);
    }
    let Value::Object(object) = defined(value.clone())? else { return Ok(None) };
    if let Some(plain) = object.plain() {
        return Ok(Some(plain));
    }
    if object.attribute("isoformat")?.is_some() {
        return object.call_method("isoformat", Arguments::default()).map(Some);
    }
    Ok(object.iterate()?.map(Value::list))
}

/// Reads the parameter `indent`: a number of spaces, or the string to indent with.
fn indentation(indent: Option<Value>) -> Result<Option<String>> {
    match given(indent) {
        None => Ok(None),
        Some(Value::Str(text)) => Ok(Some(text.to_string())),
        Some(other) => Ok(Some(" ".repeat(count(Some(other), 0)?))),
    }
}

/// The parameters of `json.dumps`, and those of Ansible, which have no effect here.
#[rustfmt::skip]
pub(super) const TO_JSON: Signature = Signature::new("to_json", &["a"], &[
    "indent", "sort_keys", "separators", "ensure_ascii", "skipkeys", "allow_nan", "check_circular",
    "default",
]).keyword_only(&["profile", "vault_to_text", "preprocess_unsafe"]);

fn to_json(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], options): ([_; 1], [_; 11]) = arguments.split();
    let [indent, sort, separators, ascii, ..] = options;
    let sort =
        if flag(sort, false)? { json::KeyOrder::Text } else { json::KeyOrder::Never };
    let texts = |pair: Value| -> Result<(String, String)> {
        let [item, key] = python::unpack(&pair)?;
        Ok((python::str(&item)?, python::str(&key)?))
    };
    let style = json::JsonStyle {
        indent: indentation(indent)?,
        sort,
        ascii: flag(ascii, true)?,
        separators: given(separators).map(texts).transpose()?,
        ..style()
    };
    json::dump(&value, &style).map(Value::from)
}

fn to_nice_json(call: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    // Ansible sets the separators itself and ignores an argument.
    arguments.take("separators");
    let mut given = arguments.positional.into_iter();
    let value = given.next();
    for (name, default) in [("indent", Value::Int(4)), ("sort_keys", Value::Bool(true))] {
        let keywords = &mut arguments.keywords;
        let given = given.next().or_else(|| python::take_keyword(keywords, name));
        arguments.keywords.push((name.into(), given.unwrap_or(default)));
    }
    let separators = Value::tuple([Value::text(","), Value::text(": ")]);
    arguments.keywords.push(("separators".into(), separators));
    let positional = value.into_iter().chain(given).collect();
    to_json(call, TO_JSON.bind(Arguments { positional, keywords: arguments.keywords })?)
}

fn from_json(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([text], [_]) = arguments.split();
    json::load(string(&text, "the JSON object must be str, bytes or bytearray,")?)
}

/// `to_yaml` and `to_nice_yaml`: `yaml.dump`.
fn to_yaml(call: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    let name = call.short_name();
    let mut style = yaml::YamlStyle {
        unicode: true,
        strict: !call.is_older(),
        default: yaml_for,
        ..yaml::YamlStyle::default()
    };
    if name == "to_yaml" {
        style.flow = None;
    } else {
        style.indent = if call.name == name { 4 } else { 2 };
        if arguments.positional.len() > 1 {
            // The only filter of the two that has `indent` as its second parameter.
            let indent = arguments.positional.remove(1);
            arguments.keywords.push(("indent".into(), indent));
        }
    }
    // Ansible's function has `*_args`, which it ignores.
    arguments.positional.truncate(1);
    let mut others = Vec::new();
    for (option, value) in std::mem::take(&mut arguments.keywords) {
        match &*option {
            // `None` leaves a number at its default.
            "indent" => style.indent = number(given(Some(value)), 2)?,
            "width" => style.width = number(given(Some(value)), 80)?,
            "sort_keys" => style.sort_keys = python::truth(&value)?,
            "allow_unicode" => {
                let what = "yaml.dump() got multiple values for keyword argument";
                return type_error(format!("{what} 'allow_unicode'"));
            }
            "canonical" => style.canonical = python::truth(&value)?,
            "version" => style.version = given(Some(value)).map(version).transpose()?,
            "tags" => style.tags = tags(given(Some(value)))?,
            "explicit_start" => style.explicit_start = python::truth(&value)?,
            "explicit_end" => style.explicit_end = python::truth(&value)?,
            "default_flow_style" => {
                style.flow =
                    given(Some(value)).map(|it| python::truth(&it)).transpose()?;
            }
            "default_style" => style.scalar = quote(&text(given(Some(value)), "")?),
            "a" => others.push((option, value)),
            "line_break" | "encoding" | "redact_sensitive_values" => {}
            _ => {
                return type_error(format!(
                    "dump_all() got an unexpected keyword argument '{}'",
                    &*option
                ));
            }
        }
    }
    arguments.keywords = others;
    let bound = Signature::new(name, &["a"], &[]).bind(arguments)?;
    yaml::dump(&bound.only(), &style).map(Value::from)
}

/// Reads the version of YAML for the directive `%YAML`.
fn version(value: Value) -> Result<(i64, i64)> {
    let [major, minor] = python::unpack(&value)?;
    let number = |part: &Value| match part {
        Value::Int(number) => Ok(*number),
        _ => type_error("an integer is required"),
    };
    match (number(&major)?, number(&minor)?) {
        (1, minor @ (1 | 2)) => Ok((1, minor)),
        _ => value_error("incompatible %YAML directive"),
    }
}

/// Reads the handles and prefixes for the directives `%TAG`.
fn tags(value: Option<Value>) -> Result<Vec<(String, String)>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let Value::Dict(tags) = value else {
        return type_error("the tags must be a mapping");
    };
    let mut found = Vec::new();
    for (handle, prefix) in tags.entries()? {
        let handle = python::str(handle.value())?;
        let prefix = python::str(&prefix)?;
        let name = handle.strip_prefix('!').and_then(|rest| rest.strip_suffix('!'));
        let mut others =
            name.unwrap_or_default().chars().filter(|c| !matches!(c, '-' | '_'));
        let is_handle =
            handle == "!" || name.is_some() && others.all(|c| c.is_ascii_alphanumeric());
        if !is_handle || prefix.is_empty() || prefix.contains(char::is_whitespace) {
            return value_error(
                "tag handles begin and end with '!', prefixes are not empty",
            );
        }
        found.push((handle, prefix));
    }
    found.sort();
    Ok(found)
}

fn quote(mark: &str) -> Option<yaml::ScalarStyle> {
    match mark {
        "'" => Some(yaml::ScalarStyle::Single),
        "\"" => Some(yaml::ScalarStyle::Double),
        "|" => Some(yaml::ScalarStyle::Literal),
        ">" => Some(yaml::ScalarStyle::Folded),
        _ => None,
    }
}

fn from_yaml(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Str(text) => reader::load(&text),
        other => Ok(other),
    }
}

fn from_yaml_all(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Str(text) => reader::load_all(&text).map(Value::list),
        Value::None => Ok(Value::list([])),
        other => Ok(other),
    }
}
