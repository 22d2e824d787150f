//! Environments: the values and defaults of parameters in a list of files, merged in
//! order.

use hashbrown::HashMap;

use crate::eval::python::{self, Class, Dict, Exception, Key, Result, Value, json};

use crate::hot::exception::{at, check_depth};
use crate::hot::input::{EntrySpans, File, FileEntry};

use super::schema::{ParameterType, Schemas};

#[rustfmt::skip]
const SECTIONS: [&str; 6] = [
    "parameters", "resource_registry", "parameter_defaults", "encrypted_param_names", "event_sinks",
    STRATEGIES,
];

const STRATEGIES: &str = "parameter_merge_strategies";

pub(super) type Environment<'a> = (&'a File, Vec<FileEntry>);

/// Reads the sections of environments. Raises a `ValueError` for an unknown or null one.
pub(super) fn parse(environments: &[File]) -> Result<Vec<Environment<'_>>> {
    environments.iter().map(|file| Ok((file, sections(file)?))).collect()
}

fn sections(file: &File) -> Result<Vec<FileEntry>> {
    if !matches!(file.value(), Value::None | Value::Dict(_)) {
        let message = "The environment is not a valid YAML mapping data type.";
        return Err(at(Exception::of_value(message), file.span()));
    }
    let sections = file.entries()?;
    for FileEntry { key, value, place } in &sections {
        let name = python::str(key.value())?;
        let wrong = match value {
            _ if !has_section(&name) => "wrong",
            Value::None => "empty",
            _ => continue,
        };
        let message = format!("environment has {wrong} section \"{name}\"");
        let mut raised = Exception::of_value(message);
        if wrong == "wrong" {
            raised = raised.did_you_mean(SECTIONS, &name);
        }
        return Err(at(raised, place.key));
    }
    Ok(sections)
}

/// Returns true if an environment may have a section of this name.
pub(super) fn has_section(name: &str) -> bool {
    SECTIONS.contains(&name)
}

/// The strategy by which a value is merged with the value of an earlier file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    Overwrite,
    Merge,
    DeepMerge,
}

/// Merges environments to the values and the defaults. Raises if strategies conflict.
pub(super) fn merge(
    environments: Vec<Environment>,
    schemas: &Schemas,
) -> Result<(Values, Values)> {
    let mut merger = Merger { schemas, strategies: Vec::new(), file: "" };
    let (mut given, mut defaults) = (Values::default(), Values::default());
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
                let entries = mapping(&section.value).map_err(|raised| {
                    let raised = raised.hint(format!("`{name}` is to be a mapping"));
                    at(raised, section.place.value)
                })?;
                merger.section(old, file.entries_at(&[name], entries)?, &strategies)?;
            }
        }
    }
    Ok((given, defaults))
}

struct Merger<'a> {
    schemas: &'a Schemas,
    /// Strategies that the files so far chose, by parameter.
    strategies: Vec<(String, Strategy)>,
    file: &'a str,
}

impl Merger<'_> {
    fn section(
        &mut self,
        all: &mut Values,
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
            let agreed =
                self.record_strategy(entry.key.as_str().unwrap_or_default(), strategies);
            agreed.map_err(|raised| at(raised, entry.place.key))?;
        }
        // Heat copies the first file as a whole. Parameters that the template lacks are
        // dropped only when a later file is merged.
        let is_first = all.is_empty();
        for entry in entries {
            if is_first {
                all.take(entry);
                continue;
            }
            if !known(&entry) {
                continue;
            }
            let name = entry.key.as_str().unwrap_or_default();
            let agreed = self.strategies.iter().find(|(known, _)| known == name);
            let strategy = agreed.map_or(Strategy::Overwrite, |(_, strategy)| *strategy);
            let value = match strategy {
                Strategy::Overwrite => Ok(entry.value),
                Strategy::Merge | Strategy::DeepMerge => {
                    self.value(name, all.get(name)?, entry.value, strategy)
                }
            };
            let value = value.map_err(|raised| at(raised, entry.place.value))?;
            all.take(FileEntry { value, ..entry });
        }
        Ok(())
    }

    /// Records the strategy of a parameter. Fails if an earlier file chose another one.
    fn record_strategy(&mut self, name: &str, strategies: &Value) -> Result<()> {
        let agreed = self.strategies.iter().find(|(known, _)| known == name);
        let agreed = agreed.map(|(_, strategy)| *strategy);
        let (word, strategy) = strategy(name, strategies, agreed)?;
        match agreed {
            None => self.strategies.push((name.to_owned(), strategy)),
            Some(agreed) if agreed != strategy => {
                let message = format!(
                    "Conflicting merge strategy '{word}' for parameter '{name}' in file \
                     '{}'.",
                    self.file
                );
                return Err(Exception::new(Class::Syntax, message));
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn value(
        &self,
        name: &str,
        old: Option<Value>,
        new: Value,
        strategy: Strategy,
    ) -> Result<Value> {
        let Some((schema, _)) = self.schemas.get(name) else { return Ok(new) };
        let new = match (schema.kind, new) {
            (ParameterType::Json, Value::Str(text)) if text.is_empty() => {
                Value::Str(text)
            }
            (ParameterType::Json, Value::Str(text)) => {
                json::load(&text).map_err(|r| bad(&r))?
            }
            (ParameterType::Json, other) => {
                let text = json::dump(&other, &json::JsonStyle::default());
                text.and_then(|text| json::load(&text)).map_err(|r| bad(&r))?
            }
            (_, new @ (Value::Str(_) | Value::List(_))) => new,
            _ => return Err(bad(&Exception::of_value(""))),
        };
        match schema.kind {
            ParameterType::Json => map(old, new, strategy == Strategy::DeepMerge, 0),
            ParameterType::List => list(old, new),
            ParameterType::String => joined(old, new),
            ParameterType::Number => python::add(&old.unwrap_or(Value::Int(0)), &new),
            ParameterType::Boolean => Err(Exception::new(
                Class::Syntax,
                format!("Invalid merge strategy 'merge' for parameter '{name}'."),
            )),
        }
    }
}

/// Returns the strategy of a parameter, with its name in the file.
fn strategy(
    name: &str,
    strategies: &Value,
    agreed: Option<Strategy>,
) -> Result<(String, Strategy)> {
    let word = |strategy: Strategy| match strategy {
        Strategy::Overwrite => "overwrite",
        Strategy::Merge => "merge",
        Strategy::DeepMerge => "deep_merge",
    };
    let known = |value: &Value| {
        let all = [Strategy::Overwrite, Strategy::Merge, Strategy::DeepMerge];
        all.into_iter().find(|strategy| value.as_str() == Some(word(*strategy)))
    };
    let strategies = match strategies {
        Value::None => return Ok(("overwrite".into(), Strategy::Overwrite)),
        other => mapping(other)?,
    };
    let default = strategies.get_text("default")?;
    let own = match (strategies.get_text(name)?, agreed) {
        (Some(own), _) => Some(own),
        (None, Some(agreed)) => Some(Value::text(word(agreed))),
        (None, None) => default.clone(),
    };
    // Heat ignores unknown names of strategies.
    let chosen = own.filter(|own| known(own).is_some()).or(default);
    let Some(chosen) = chosen else {
        return Ok(("overwrite".into(), Strategy::Overwrite));
    };
    let strategy = known(&chosen).unwrap_or(Strategy::Overwrite);
    Ok((python::str(&chosen)?, strategy))
}

/// Merges two mappings. If `deep`, mappings, lists and strings in them are merged, too.
fn map(old: Option<Value>, new: Value, deep: bool, depth: usize) -> Result<Value> {
    check_depth(depth)?;
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
    let kind = value.type_name();
    Exception::of_type(format!("sequence item 0: expected str instance, {kind} found"))
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

/// Values of parameters by name, with the places where they were given.
#[derive(Debug, Default)]
pub(super) struct Values {
    all: Dict,
    places: HashMap<Key, EntrySpans>,
}

impl Values {
    pub(super) fn take(&mut self, FileEntry { key, value, place }: FileEntry) {
        self.places.insert(key.clone(), place);
        self.all.set(key, value);
    }

    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Result<Option<Value>> {
        self.all.get_text(name)
    }

    pub(super) fn entries(&self) -> Result<Vec<FileEntry>> {
        let entry = |(key, value)| FileEntry { place: self.place(&key), key, value };
        Ok(self.all.entries()?.into_iter().map(entry).collect())
    }

    fn place(&self, key: &Key) -> EntrySpans {
        self.places.get(key).copied().unwrap_or_default()
    }
}
