//! Lookups of values in CSV and INI files.

use super::file;
use super::option::{LookupOptions, term};
use crate::eval::jinja::filter::parameter::{given, type_error, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::configparser::{self, Config, ConfigRules};
use crate::eval::python::csv::{self, CsvFormat};
use crate::eval::python::{Arguments, Class, Exception, Result, Str, Value, regex};
use crate::eval::read_text;

pub(super) const LOOKUPS: PluginTable =
    &[Plugin::variadic("csvfile", csvfile), Plugin::variadic("ini", ini)];

const CSV_OPTIONS: &[&str] =
    &["file", "delimiter", "col", "keycol", "default", "encoding"];
const INI_OPTIONS: &[&str] = &[
    "file",
    "section",
    "type",
    "re",
    "default",
    "encoding",
    "case_sensitive",
    "allow_no_value",
    "interpolation",
];

/// `key file=ansible.csv delimiter=TAB col=1 keycol=0 default=…`
fn csvfile(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut options = LookupOptions::new(arguments.keywords);
    if arguments.positional.is_empty() {
        return value_error("Search key is required but was not found");
    }
    let mut found = Vec::new();
    for key in &arguments.positional {
        // The options of a term also apply to the later ones.
        let Some(key) = options.inline(term(key)?, CSV_OPTIONS)? else {
            return value_error("Search key is required but was not found");
        };
        found.extend(cells(call, &key, &mut options.clone())?);
    }
    Ok(Value::list(found))
}

/// Returns the value in the column that is asked for, of the first row with a key; else the
/// default, a list of which is several values.
fn cells(
    call: &CallSite<'_>,
    key: &str,
    options: &mut LookupOptions,
) -> Result<Vec<Value>> {
    let name = options.text("file", "ansible.csv")?;
    let delimiter = match options.text("delimiter", "TAB")?.as_str() {
        "TAB" => '\t',
        one if one.chars().count() == 1 => one.chars().next().unwrap_or('\t'),
        _ => return type_error("\"delimiter\" must be a 1-character string"),
    };
    let column = |number: i64, length: usize| {
        // Python counts a negative column from the end.
        let at = if number < 0 { number + length as i64 } else { number };
        usize::try_from(at)
            .ok()
            .filter(|at| *at < length)
            .ok_or_else(|| Exception::new(Class::Index, "list index out of range"))
    };
    let wanted = options.number("col", 1)?;
    let keys = options.number("keycol", 0)?;
    let text = file::read(call, "files", &name)?;
    for row in csv::read(&text, CsvFormat { delimiter, ..CsvFormat::default() })? {
        if row.is_empty() || row[column(keys, row.len())?] != key {
            continue;
        }
        return Ok(vec![read_text(&row[column(wanted, row.len())?])]);
    }
    match options.take("default") {
        None | Some(Value::None) => Ok(Vec::new()),
        Some(Value::List(list)) => list.items(),
        Some(default) => Ok(vec![default]),
    }
}

/// `key section=global file=ansible.ini type=ini re=false default=…`
fn ini(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut options = LookupOptions::new(arguments.keywords);
    // Ansible prepares its parser before it reads the options in terms.
    let rules = rules(&mut options.clone())?;
    let mut found = Vec::new();
    for key in &arguments.positional {
        let key = ini_key(term(key)?, &mut options)?;
        found.extend(option(call, &key, &mut options.clone(), rules.clone())?);
    }
    Ok(Value::list(found))
}

/// Adds the options of a term, which also apply to the later ones; returns its key. A word
/// that begins no option belongs to the text before it.
fn ini_key(term: &str, options: &mut LookupOptions) -> Result<String> {
    if !term.contains('=') && !term.trim().contains(' ') {
        return Ok(term.to_owned());
    }
    let mut parts = Vec::<(&str, String)>::new();
    let mut at = "key";
    for (number, word) in term.split_whitespace().enumerate() {
        let is_in = |name: &&&str| word.contains(&format!("{name}="));
        at = INI_OPTIONS.iter().rfind(is_in).copied().unwrap_or(at);
        match parts.iter_mut().find(|(name, _)| *name == at) {
            Some((_, part)) if number > 0 => *part += &format!(" {word}"),
            _ => parts.push((at, word.to_owned())),
        }
    }
    let mut key = None;
    for (_, part) in parts {
        let Some((name, value)) = part.split_once('=') else {
            key.get_or_insert(part);
            continue;
        };
        if value.contains('=') || !INI_OPTIONS.contains(&name) {
            return value_error(format!("{name:?} is not a valid option."));
        }
        options.prepend(vec![(Str::from(name), Value::text(value))]);
    }
    key.ok_or_else(|| {
        let what =
            "No key to look up was provided as first term within string inline options";
        Exception::of_value(format!("{what}: {term}"))
    })
}

fn rules(options: &mut LookupOptions) -> Result<ConfigRules> {
    Ok(ConfigRules {
        allow_no_value: options.flag("allow_no_value", false)?
            || options.flag("allow_none", false)?,
        interpolation: options.flag("interpolation", true)?,
        case_sensitive: options.flag("case_sensitive", false)?,
    })
}

/// Returns the value of an option in a section, or of all options that match a pattern.
fn option(
    call: &CallSite<'_>,
    key: &str,
    options: &mut LookupOptions,
    rules: ConfigRules,
) -> Result<Vec<Value>> {
    let name = options.text("file", "ansible.ini")?;
    let properties = options.text("type", "ini")? == "properties";
    let section = if properties {
        "java_properties".to_owned()
    } else {
        options.text("section", "global")?
    };
    let sensitive = rules.case_sensitive;
    let matches = options.flag("re", false)?;
    let text = file::read(call, "files", &name)?;
    let text = if properties { format!("[java_properties]\n{text}") } else { text };
    let config = configparser::read(&text, &name, rules)?;
    if !config.sections().any(|known| known == section) && section != "DEFAULT" {
        return value_error(format!("No section '{section}' in '{name}'."));
    }
    if matches {
        return matching(&config, &section, key);
    }
    let key = if sensitive { key.to_owned() } else { key.to_lowercase() };
    Ok(match config.items(&section)?.into_iter().find(|(name, _)| *name == key) {
        Some((_, None)) => Vec::new(),
        Some((_, Some(value))) => vec![read_text(&value)],
        None => match given(options.take("default")) {
            None => vec![Value::text("")],
            Some(Value::List(list)) => list.items()?,
            Some(default) => vec![default],
        },
    })
}

fn matching(config: &Config, section: &str, pattern: &str) -> Result<Vec<Value>> {
    let pattern = regex::compile(pattern, regex::Flags::default())?;
    let mut found = Vec::new();
    for (name, value) in config.items(section)? {
        if pattern.match_start(&name)?.is_some() {
            found.push(value.map_or(Value::None, |value| read_text(&value)));
        }
    }
    Ok(found)
}
