//! Environments: the values and defaults of parameters in a list of files, merged in
//! order.

use hashbrown::HashMap;
use indexmap::IndexMap;

use crate::eval::python::{self, Dict, Exception, Key, Result, Value, limit_depth};

use crate::hot::exception::{Placed, invalid};
use crate::hot::input::{File, FileEntry};

use super::schema::{ParameterType, Schemas, read_json};

/// Sections that an environment may have.
#[rustfmt::skip]
pub(super) const SECTIONS: [&str; 6] = [
    "parameters", "resource_registry", "parameter_defaults", "encrypted_param_names", "event_sinks",
    STRATEGIES,
];

const STRATEGIES: &str = "parameter_merge_strategies";

/// Values of parameters, with the places where they were given.
pub(super) type ParameterValues = IndexMap<Key, FileEntry>;

pub(super) type Environment<'a> = (&'a File, Vec<FileEntry>);

/// Reads the sections of an environment. Raises a `ValueError` for an unknown or null one.
pub(super) fn sections(file: &File) -> Result<Vec<FileEntry>> {
    if !matches!(file.value, Value::None | Value::Dict(_)) {
        let message = "The environment is not a valid YAML mapping data type.";
        return Err(Exception::of_value(message).placed(file.span()));
    }
    let sections = file.entries()?;
    for FileEntry { key, value, place } in &sections {
        let name = python::str(key.value())?;
        let wrong = match value {
            _ if !SECTIONS.contains(&&*name) => "wrong",
            Value::None => "empty",
            _ => continue,
        };
        let message = format!("environment has {wrong} section \"{name}\"");
        let mut raised = Exception::of_value(message);
        if wrong == "wrong" {
            raised = raised.did_you_mean(SECTIONS, &name);
        }
        return Err(raised.placed(place.key));
    }
    Ok(sections)
}

/// Strategies by which a value is merged with the value of an earlier file.
const OVERWRITE: &str = "overwrite";
const MERGE: &str = "merge";
const DEEP_MERGE: &str = "deep_merge";

/// Merges environments to the values and the defaults. Raises if strategies conflict.
pub(super) fn merge(
    environments: Vec<Environment>,
    schemas: &Schemas,
) -> Result<(ParameterValues, ParameterValues)> {
    let mut merger = EnvironmentMerger { schemas, strategies: HashMap::new(), file: "" };
    let mut given = ParameterValues::default();
    let mut defaults = ParameterValues::default();
    for (file, sections) in environments {
        merger.file = &file.name;
        let strategies =
            sections.iter().find(|entry| entry.key.as_str() == Some(STRATEGIES));
        let strategies = strategies.map_or(Value::None, |entry| entry.value.clone());
        for section in sections {
            let (name, old) = match section.key.as_str() {
                Some(name @ "parameters") => (name, &mut given),
                Some(name @ "parameter_defaults") => (name, &mut defaults),
                _ => continue,
            };
            if python::truth(&section.value)? {
                let entries = mapping(&section.value)
                    .map_err(|raised| raised.hint(format!("`{name}` is to be a mapping")))
                    .placed(section.place.value)?;
                merger.section(old, file.entries_at(&[name], entries)?, &strategies)?;
            }
        }
    }
    Ok((given, defaults))
}

struct EnvironmentMerger<'a> {
    schemas: &'a Schemas,
    /// Strategies that the files so far chose, by parameter.
    strategies: HashMap<String, &'static str>,
    file: &'a str,
}

impl EnvironmentMerger<'_> {
    fn section(
        &mut self,
        all: &mut ParameterValues,
        entries: Vec<FileEntry>,
        strategies: &Value,
    ) -> Result<()> {
        let schemas = self.schemas;
        let known = |entry: &FileEntry| {
            let name = entry.key.as_str();
            let known = name.is_some_and(|name| schemas.contains_key(name));
            known && !matches!(entry.value, Value::None)
        };
        for entry in entries.iter().filter(|entry| known(entry)) {
            self.record_strategy(entry.key.as_str().unwrap_or_default(), strategies)
                .placed(entry.place.key)?;
        }
        // Heat copies the first file as a whole. Parameters that the template lacks are
        // dropped only when a later file is merged.
        let is_first = all.is_empty();
        for entry in entries {
            if is_first {
                all.insert(entry.key.clone(), entry);
                continue;
            }
            if !known(&entry) {
                continue;
            }
            let name = entry.key.as_str().unwrap_or_default();
            let value = match self.strategies.get(name).copied() {
                None | Some(OVERWRITE) => Ok(entry.value),
                Some(strategy) => {
                    let old = all.get(&entry.key).map(|old| old.value.clone());
                    self.value(name, old, entry.value, strategy)
                }
            };
            let value = value.placed(entry.place.value)?;
            all.insert(entry.key.clone(), FileEntry { value, ..entry });
        }
        Ok(())
    }

    /// Records the strategy of a parameter. Fails if an earlier file chose another one.
    fn record_strategy(&mut self, name: &str, strategies: &Value) -> Result<()> {
        let agreed = self.strategies.get(name).copied();
        let (word, strategy) = strategy(name, strategies, agreed)?;
        if agreed.is_some_and(|agreed| agreed != strategy) {
            let file = self.file;
            return Err(invalid(format!(
                "Conflicting merge strategy '{word}' for parameter '{name}' in file \
                 '{file}'."
            )));
        }
        self.strategies.insert(name.to_owned(), strategy);
        Ok(())
    }

    fn value(
        &self,
        name: &str,
        old: Option<Value>,
        new: Value,
        strategy: &str,
    ) -> Result<Value> {
        let Some((schema, _)) = self.schemas.get(name) else { return Ok(new) };
        let new = match (schema.kind, new) {
            (ParameterType::Json, new) => read_json(&new).map_err(|r| bad(&r))?,
            (_, new @ (Value::Str(_) | Value::List(_))) => new,
            _ => return Err(bad(&Exception::of_value(""))),
        };
        match schema.kind {
            ParameterType::Json => map(old, new, strategy == DEEP_MERGE, 0),
            ParameterType::List => list(old, new),
            ParameterType::String => joined(old, new),
            ParameterType::Number => python::add(&old.unwrap_or(Value::Int(0)), &new),
            ParameterType::Boolean => Err(invalid(format!(
                "Invalid merge strategy 'merge' for parameter '{name}'."
            ))),
        }
    }
}

/// Returns the strategy of a parameter, with its name in the file.
fn strategy(
    name: &str,
    strategies: &Value,
    agreed: Option<&'static str>,
) -> Result<(String, &'static str)> {
    let known = |value: &Value| {
        let all = [OVERWRITE, MERGE, DEEP_MERGE];
        all.into_iter().find(|strategy| value.as_str() == Some(strategy))
    };
    let strategies = match strategies {
        Value::None => return Ok((OVERWRITE.into(), OVERWRITE)),
        other => mapping(other)?,
    };
    let default = strategies.get_text("default")?;
    let own = match (strategies.get_text(name)?, agreed) {
        (Some(own), _) => Some(own),
        (None, Some(agreed)) => Some(Value::text(agreed)),
        (None, None) => default.clone(),
    };
    // Heat ignores unknown names of strategies.
    let chosen = own.filter(|own| known(own).is_some()).or(default);
    let chosen = chosen.unwrap_or_else(|| Value::text(OVERWRITE));
    Ok((python::str(&chosen)?, known(&chosen).unwrap_or(OVERWRITE)))
}

/// Merges two mappings. If `deep`, mappings, lists and strings in them are merged, too.
fn map(old: Option<Value>, new: Value, deep: bool, depth: usize) -> Result<Value> {
    limit_depth(depth, "")?;
    let Some(old) = old.filter(|old| python::truth(old).unwrap_or(true)) else {
        return Ok(new);
    };
    // A JSON text is not parsed yet, so this fails; so does Python.
    let merged: Dict = mapping(&old)?.entries()?.into_iter().collect();
    for (key, value) in mapping(&new)?.entries()? {
        let before = merged.get(&key)?;
        let there = match &before {
            Some(before) => python::truth(before)?,
            None => false,
        };
        let value = match value {
            Value::None => continue,
            value if !deep => value,
            value @ Value::Dict(_) if there => map(before, value, deep, depth + 1)?,
            value @ Value::List(_) if there => list(before, value)?,
            value @ Value::Str(_) => joined(before, value)?,
            value => value,
        };
        merged.set(key, value);
    }
    Ok(Value::Dict(merged))
}

fn list(old: Option<Value>, new: Value) -> Result<Value> {
    match (old, new) {
        (Some(old), new) if !python::truth(&old)? => Ok(new),
        (None, new) => Ok(new),
        (Some(Value::List(old)), Value::List(new)) => {
            Ok(Value::list(old.items()?.into_iter().chain(new.items()?)))
        }
        // Two comma-delimited lists.
        (Some(Value::Str(old)), Value::Str(new)) => {
            Ok(Value::text(format!("{},{}", &*old, &*new)))
        }
        (Some(old), _) => Err(no_text(&old)),
    }
}

fn joined(old: Option<Value>, new: Value) -> Result<Value> {
    let old = old.unwrap_or_else(|| Value::text(""));
    match (&old, &new) {
        (Value::Str(old), Value::Str(new)) => {
            python::limit_bytes(old.len() + new.len())?;
            Ok(Value::text(format!("{}{}", &**old, &**new)))
        }
        (Value::Str(_), other) | (other, _) => Err(no_text(other)),
    }
}

fn no_text(value: &Value) -> Box<Exception> {
    Exception::of_type_of(value, "sequence item 0: expected str instance, {} found")
}

fn mapping(value: &Value) -> Result<&Dict> {
    match value {
        Value::Dict(entries) => Ok(entries),
        other => Err(python::no_attribute(other, "items")),
    }
}

fn bad(raised: &Exception) -> Box<Exception> {
    Exception::of_value(format!("Invalid parameter in environment {}.", raised.message))
}
