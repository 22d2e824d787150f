//! Filters that read and write CSV and INI.

use crate::eval::jinja::filter::parameter::{
    flag, given, list_of, members, string, text, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::configparser::{self, ConfigRules};
use crate::eval::python::csv::{self, CsvFormat};
use crate::eval::python::{
    self, Bound, Class, Dict, Exception, Key, Result, Signature, Value,
};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("community.general.from_csv", "from_csv", &["data"],
        &["dialect", "fieldnames", "delimiter", "skipinitialspace", "strict"], from_csv),
    Plugin::signed("community.general.from_ini",
        Signature::of_value("from_ini").keyword_only(&["delimiters"]), from_ini),
    Plugin::signed("community.general.to_ini",
        Signature::of_value("to_ini").keyword_only(&["no_extra_spaces"]), to_ini),
];

fn from_csv(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [dialect, names, delimiter, skip, strict]) = arguments.split();
    let mut format = CsvFormat::default();
    match &*text(given(dialect), "excel")? {
        "excel" | "unix" => {}
        "excel-tab" => format.delimiter = '\t',
        other => {
            return value_error(format!(
                "Dialect '{other}' is not supported by your version of python."
            ));
        }
    }
    if let Some(delimiter) = given(delimiter) {
        let mut chars = python::str(&delimiter)?.chars().collect::<Vec<_>>().into_iter();
        let (Some(delimiter), None) = (chars.next(), chars.next()) else {
            let message = "Unable to create custom dialect: \"delimiter\" must be a 1-character string";
            return value_error(message);
        };
        format.delimiter = delimiter;
    }
    format.skip_blanks = flag(given(skip), false)?;
    format.strict = flag(given(strict), false)?;
    let data = python::str(&data)?;
    let rows =
        csv::read(data.trim_start_matches('\u{feff}'), format).map_err(|error| {
            Exception::of_value(format!("Unable to process file: {}", error.message))
        })?;
    let mut rows = rows.into_iter();
    let names = match given(names) {
        Some(names) => members(&names)?,
        None => rows.next().unwrap_or_default().into_iter().map(Value::from).collect(),
    };
    list_of(rows.filter(|row| !row.is_empty()).map(|row| record(&names, row)))
}

/// Makes a mapping of a row. As in `csv.DictReader`, extra fields are under `None`.
fn record(names: &[Value], row: Vec<String>) -> Result<Value> {
    let record = Dict::default();
    let mut fields = row.into_iter();
    for name in names {
        let field = fields.next().map_or(Value::None, Value::from);
        record.set(Key::new(name.clone())?, field);
    }
    let rest: Vec<Value> = fields.map(Value::from).collect();
    if !rest.is_empty() {
        record.set(Key::new(Value::None)?, Value::list(rest));
    }
    Ok(Value::Dict(record))
}

fn from_ini(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [delimiters]) = arguments.split();
    if given(delimiters).is_some() {
        let message = "unsupported: from_ini with other delimiters than '=' and ':'";
        return Err(Exception::new(Class::Unsupported, message));
    }
    let source = string(&value, "from_ini requires a str,")?;
    let rules =
        ConfigRules { interpolation: false, case_sensitive: true, allow_no_value: false };
    let config = configparser::read(source, "<???>", rules).map_err(|error| {
        let message = format!("from_ini failed to parse given string: {}", error.message);
        Exception::of_value(message)
    })?;
    let all = Dict::default();
    for section in config.sections().chain(["DEFAULT"]) {
        let options = config.items(section)?.into_iter();
        let options =
            options.map(|(name, value)| (name, value.map_or(Value::None, Value::from)));
        let options = Dict::named(options);
        if section != "DEFAULT" || !options.is_empty() {
            all.set(Key::text(section), Value::Dict(options));
        }
    }
    Ok(Value::Dict(all))
}

fn to_ini(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [tight]) = arguments.split();
    let sign = if flag(tight, false)? { "=" } else { " = " };
    let Value::Dict(sections) = &value else {
        return value_error(format!("to_ini requires a dict, got {}", value.type_name()));
    };
    if sections.is_empty() {
        let message = "to_ini received an empty dict. An empty dict cannot be converted.";
        return value_error(message);
    }
    let mut sections = sections.entries()?;
    // `ConfigParser` writes the inherited options first.
    sections.sort_by_key(|(name, _)| name.as_str() != Some("DEFAULT"));
    let mut out = String::new();
    for (name, options) in sections {
        out += &format!("[{}]\n", python::str(name.value())?);
        let Value::Dict(options) = &options else {
            return value_error(format!(
                "to_ini failed to parse given dict: a section is a dict, not {}",
                options.type_name()
            ));
        };
        for (option, value) in options.entries()? {
            if matches!(value, Value::None) {
                let message =
                    "to_ini failed to parse given dict:option values must be strings";
                return value_error(message);
            }
            // `ConfigParser.write` indents continuation lines, or they would not be read back.
            let value = python::str(&value)?.replace('\n', "\n\t");
            out += &format!("{}{sign}{value}\n", python::str(option.value())?);
        }
        out.push('\n');
    }
    // Sections end with an empty line; the filter strips the last one.
    out.pop();
    Ok(Value::from(out))
}
