//! Mappings → the same with some of their keys kept, removed or renamed: of
//! `community.general` in a list of mappings, of `ansible.utils` however deep.

use std::sync::Arc;

use crate::eval::jinja::filter::parameter::{given, members, string, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::regex::{self, Flags, Pattern};
use crate::eval::python::{self, Bound, Dict, Key, Result, Signature, Value};
use crate::eval::walk::Walk;

pub(super) const FILTERS: PluginTable = &[
    Plugin::new(
        "ansible.utils.keep_keys",
        Signature::new("keep_keys", &["data"], &["target", "matching_parameter"]),
        deep,
    ),
    Plugin::new(
        "ansible.utils.remove_keys",
        Signature::new("remove_keys", &["data"], &["target", "matching_parameter"]),
        deep,
    ),
    Plugin::new(
        "ansible.utils.replace_keys",
        Signature::new("replace_keys", &["data"], &["target", "matching_parameter"]),
        deep,
    ),
    Plugin::new(
        "community.general.keep_keys",
        Signature::new("keep_keys", &["data"], &["target", "matching_parameter"]),
        select,
    ),
    Plugin::new(
        "community.general.remove_keys",
        Signature::new("remove_keys", &["data"], &["target", "matching_parameter"]),
        select,
    ),
    Plugin::new(
        "community.general.replace_keys",
        Signature::new("replace_keys", &["data"], &["target", "matching_parameter"]),
        replace_keys,
    ),
];

/// What tells the keys that are meant.
enum Mark {
    Whole(String),
    Start(String),
    End(String),
    Pattern(Arc<Pattern>),
}

impl Mark {
    fn new(mark: &str, way: &str) -> Result<Mark> {
        let mark = match way {
            "equal" | "equality" => Mark::Whole(mark.into()),
            "starts_with" => Mark::Start(mark.into()),
            "ends_with" => Mark::End(mark.into()),
            "regex" => Mark::Pattern(regex::compile(mark, Flags::default())?),
            other => {
                return value_error(format!(
                    "matching_parameter is one of equal, starts_with, ends_with and regex, \
                     not '{other}'"
                ));
            }
        };
        Ok(mark)
    }

    fn matches(&self, key: &Key) -> Result<bool> {
        let Some(key) = key.as_str() else { return Ok(false) };
        Ok(match self {
            Mark::Whole(mark) => key == mark,
            Mark::Start(mark) => key.starts_with(&**mark),
            Mark::End(mark) => key.ends_with(&**mark),
            Mark::Pattern(pattern) => pattern.match_start(key)?.is_some(),
        })
    }
}

fn any(marks: &[Mark], key: &Key) -> Result<bool> {
    for mark in marks {
        if mark.matches(key)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The marks that are given as one string or a list of them.
fn marks(target: Option<Value>, way: &str) -> Result<Vec<Mark>> {
    let target = target.unwrap_or(Value::None);
    let targets = match &target {
        Value::Str(_) => vec![target],
        Value::List(_) | Value::Tuple(_) => members(&target)?,
        other => {
            return value_error(format!(
                "The target must be a string or a list. target is {}.",
                other.type_name()
            ));
        }
    };
    if targets.is_empty() {
        return value_error("The target can't be empty.");
    }
    let mark =
        |mark: &Value| Mark::new(string(mark, "The target items must be strings,")?, way);
    targets.iter().map(mark).collect()
}

/// Marks, and what the keys become.
type Renames = Vec<(Mark, Value)>;

fn renames(target: Option<Value>, way: &str) -> Result<Renames> {
    let Some(target @ Value::List(_)) = target else {
        return value_error("The target must be a list of dictionaries.");
    };
    let mut renames = Vec::new();
    for member in members(&target)? {
        let part = |name: &str| match &member {
            Value::Dict(dict) => dict.get_text(name),
            _ => Ok(None),
        };
        let (Some(before), Some(after)) = (part("before")?, part("after")?) else {
            return value_error(
                "All dictionaries in target must include attributes: after, before.",
            );
        };
        let before = string(&before, "The attributes before must be strings,")?;
        string(&after, "The attributes after must be strings,")?;
        renames.push((Mark::new(before, way)?, after));
    }
    if renames.is_empty() {
        value_error("The target can't be empty.")
    } else {
        Ok(renames)
    }
}

/// The mappings of a list, whose keys are strings.
fn mappings(data: &Value) -> Result<Vec<Vec<(Key, Value)>>> {
    let Value::List(list) = data else {
        return value_error(format!(
            "First argument must be a list, not {}",
            data.type_name()
        ));
    };
    let entries = |member: Value| match member {
        Value::Dict(dict) => dict.entries(),
        other => value_error(format!(
            "The data items must be dictionaries, not {}",
            other.type_name()
        )),
    };
    let mappings = list.items()?.into_iter().map(entries).collect::<Result<Vec<_>>>()?;
    if mappings.iter().flatten().all(|(key, _)| key.as_str().is_some()) {
        Ok(mappings)
    } else {
        value_error("Top level keys must be strings.")
    }
}

/// Returns the data, the target and the matching parameter.
fn parameters(arguments: Bound) -> Result<(Value, Option<Value>, String)> {
    let ([data], [target, way]) = arguments.split();
    Ok((data, target, text(given(way), "equal")?))
}

/// `keep_keys`, `remove_keys` of `community.general`
fn select(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let (data, target, way) = parameters(arguments)?;
    let (mappings, marks) = (mappings(&data)?, marks(target, &way)?);
    if way == "regex" && marks.len() > 1 {
        return value_error(
            "Single item is required in the target list if matching_parameter=regex.",
        );
    }
    let wanted = call.name.ends_with("keep_keys");
    let mut selected = Vec::new();
    for entries in mappings {
        let dict = Dict::default();
        for (key, value) in entries {
            if any(&marks, &key)? == wanted {
                dict.set(key, value);
            }
        }
        selected.push(Value::Dict(dict));
    }
    Ok(Value::list(selected))
}

/// `replace_keys` of `community.general`
fn replace_keys(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let (data, target, way) = parameters(arguments)?;
    let (mappings, renames) = (mappings(&data)?, renames(target, &way)?);
    let mut replaced = Vec::new();
    for entries in mappings {
        let dict = Dict::default();
        for (mut key, value) in entries {
            for (mark, after) in &renames {
                if mark.matches(&key)? {
                    key = Key::new(after.clone())?;
                    break;
                }
            }
            dict.set(key, value);
        }
        replaced.push(Value::Dict(dict));
    }
    Ok(Value::list(replaced))
}

/// What is done to each mapping within a value.
enum Change {
    Keep(Vec<Mark>),
    Remove(Vec<Mark>),
    Replace(Renames),
}

/// `keep_keys`, `remove_keys`, `replace_keys` of `ansible.utils`
fn deep(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let (data, target, way) = parameters(arguments)?;
    let name = call.name.rsplit('.').next().unwrap_or(call.name);
    if !matches!(data, Value::List(_) | Value::Dict(_)) {
        return value_error(format!(
            "Error when using plugin '{name}': Input is not valid"
        ));
    }
    let change = match name {
        "keep_keys" => Change::Keep(marks(target, &way)?),
        "remove_keys" => Change::Remove(marks(target, &way)?),
        _ => Change::Replace(renames(target, &way)?),
    };
    let walk = Walk::new(&call.scope.context);
    Ok(change.apply(&data, &walk, 0)?.unwrap_or(Value::None))
}

impl Change {
    /// A value with all of its mappings changed; nothing if nothing of it is kept.
    fn apply(
        &self,
        value: &Value,
        walk: &Walk<'_>,
        depth: usize,
    ) -> Result<Option<Value>> {
        walk.meet(depth)?;
        match value {
            Value::Dict(dict) => self.mapping(&dict.entries()?, walk, depth).map(Some),
            Value::List(list) => {
                let mut members = Vec::new();
                for member in list.items()? {
                    let changed = self.apply(&member, walk, depth + 1)?;
                    members.extend(self.member(member, changed)?);
                }
                Ok(Some(Value::list(members)))
            }
            other => Ok((!matches!(self, Change::Keep(_))).then(|| other.clone())),
        }
    }

    /// What of a list's member remains.
    fn member(&self, member: Value, changed: Option<Value>) -> Result<Option<Value>> {
        Ok(match self {
            Change::Keep(_) => changed.filter(|value| !is_empty(value)),
            Change::Remove(_) => match changed {
                Some(changed) if python::truth(&changed)? => Some(changed),
                _ => None,
            },
            Change::Replace(_) => Some(changed.unwrap_or(member)),
        })
    }

    fn mapping(
        &self,
        entries: &[(Key, Value)],
        walk: &Walk<'_>,
        depth: usize,
    ) -> Result<Value> {
        let dict = Dict::default();
        for (key, value) in entries {
            let marked = match self {
                Change::Keep(marks) | Change::Remove(marks) => any(marks, key)?,
                Change::Replace(_) => false,
            };
            match self {
                Change::Remove(_) if marked => continue,
                Change::Keep(_) if marked => {
                    dict.set(key.clone(), value.clone());
                    continue;
                }
                _ => {}
            }
            let changed = self.apply(value, walk, depth + 1)?;
            let whole = matches!(self, Change::Keep(_));
            if let Some(changed) = changed.filter(|value| !whole || !is_empty(value)) {
                dict.set(key.clone(), changed);
            }
        }
        if let Change::Replace(renames) = self {
            rename(&dict, renames)?;
        }
        Ok(Value::Dict(dict))
    }
}

/// Renames keys one after the other; what is renamed comes last.
fn rename(dict: &Dict, renames: &Renames) -> Result<()> {
    for (mark, after) in renames {
        let keys: Vec<Key> = dict.read().keys().cloned().collect();
        for key in keys {
            if mark.matches(&key)? {
                let value = dict.write().shift_remove(&key);
                dict.set(Key::new(after.clone())?, value.unwrap_or(Value::None));
            }
        }
    }
    Ok(())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::List(list) => list.is_empty(),
        Value::Dict(dict) => dict.is_empty(),
        _ => false,
    }
}
