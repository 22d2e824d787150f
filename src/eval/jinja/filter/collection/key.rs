//! `keep_keys`, `remove_keys` and `replace_keys`: those of `community.general` work on a
//! list of mappings, those of `ansible.utils` on all mappings in a value.

use std::sync::Arc;

use crate::eval::jinja::filter::parameter::{given, members, string, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::regex::{self, Flags, Pattern};
use crate::eval::python::{self, Bound, Dict, Key, Result, Value};
use crate::eval::visit::VisitCounter;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("ansible.utils.keep_keys", "keep_keys", &["data"], &["target", "matching_parameter"], deep),
    Plugin::new("ansible.utils.remove_keys", "remove_keys", &["data"], &["target", "matching_parameter"],
        deep),
    Plugin::new("ansible.utils.replace_keys", "replace_keys", &["data"],
        &["target", "matching_parameter"], deep),
    Plugin::new("community.general.keep_keys", "keep_keys", &["data"], &["target", "matching_parameter"],
        select),
    Plugin::new("community.general.remove_keys", "remove_keys", &["data"],
        &["target", "matching_parameter"], select),
    Plugin::new("community.general.replace_keys", "replace_keys", &["data"],
        &["target", "matching_parameter"], replace_keys),
];

/// A text that keys are compared with, and the manner.
struct KeyMatcher {
    mark: String,
    form: KeyForm,
}

enum KeyForm {
    Whole,
    Start,
    End,
    Pattern(Arc<Pattern>),
}

impl KeyMatcher {
    fn new(mark: &str, matching: &str) -> Result<KeyMatcher> {
        let form = match matching {
            "equal" | "equality" => KeyForm::Whole,
            "starts_with" => KeyForm::Start,
            "ends_with" => KeyForm::End,
            "regex" => KeyForm::Pattern(regex::compile(mark, Flags::default())?),
            other => {
                return value_error(format!(
                    "matching_parameter is one of equal, starts_with, ends_with and regex, \
                     not '{other}'"
                ));
            }
        };
        Ok(KeyMatcher { mark: mark.to_owned(), form })
    }

    fn equals(&self, key: &Key) -> bool {
        key.as_str() == Some(&*self.mark)
    }

    fn matches(&self, key: &Key) -> Result<bool> {
        let Some(key) = key.as_str() else { return Ok(false) };
        Ok(match &self.form {
            KeyForm::Whole => key == self.mark,
            KeyForm::Start => key.starts_with(&*self.mark),
            KeyForm::End => key.ends_with(&*self.mark),
            KeyForm::Pattern(pattern) => pattern.match_start(key)?.is_some(),
        })
    }
}

fn any(marks: &[KeyMatcher], key: &Key) -> Result<bool> {
    // A match ends the search, and so does an exception.
    let mut found = marks.iter().map(|mark| mark.matches(key));
    found.find(|found| !matches!(found, Ok(false))).unwrap_or(Ok(false))
}

/// Returns the matchers of a target: one string, or a list of strings.
fn matchers(target: Option<Value>, matching: &str) -> Result<Vec<KeyMatcher>> {
    let target = target.unwrap_or(Value::None);
    let targets = match &target {
        Value::Str(_) => vec![target],
        Value::List(_) | Value::Tuple(_) => members(&target)?,
        other => {
            let kind = other.type_name();
            let message =
                format!("The target must be a string or a list. target is {kind}.");
            return value_error(message);
        }
    };
    if targets.is_empty() {
        return value_error("The target can't be empty.");
    }
    let marks = targets.iter().map(|m| string(m, "The target items must be strings,"));
    marks.map(|mark| KeyMatcher::new(mark?, matching)).collect()
}

/// Matchers, and the names that matching keys get.
type KeyRenames = Vec<(KeyMatcher, Value)>;

fn renames(target: Option<Value>, matching: &str) -> Result<KeyRenames> {
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
            let message =
                "All dictionaries in target must include attributes: after, before.";
            return value_error(message);
        };
        let before = string(&before, "The attributes before must be strings,")?;
        string(&after, "The attributes after must be strings,")?;
        renames.push((KeyMatcher::new(before, matching)?, after));
    }
    if renames.is_empty() {
        return value_error("The target can't be empty.");
    }
    Ok(renames)
}

/// Returns the entries of each mapping in a list; their keys must be strings.
fn mappings(data: &Value) -> Result<Vec<Vec<(Key, Value)>>> {
    let Value::List(list) = data else {
        let kind = data.type_name();
        return value_error(format!("First argument must be a list, not {kind}"));
    };
    let entries = |member: Value| {
        let Value::Dict(dict) = &member else {
            let kind = member.type_name();
            return value_error(format!(
                "The data items must be dictionaries, not {kind}"
            ));
        };
        dict.entries()
    };
    let mappings = list.items()?.into_iter().map(entries).collect::<Result<Vec<_>>>()?;
    if mappings.iter().flatten().all(|(key, _)| key.as_str().is_some()) {
        return Ok(mappings);
    }
    value_error("Top level keys must be strings.")
}

fn parameters(arguments: Bound) -> Result<(Value, Option<Value>, String)> {
    let ([data], [target, matching]) = arguments.split();
    Ok((data, target, text(given(matching), "equal")?))
}

/// `keep_keys`, `remove_keys` of `community.general`
fn select(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let (data, target, matching) = parameters(arguments)?;
    let mappings = mappings(&data)?;
    let marks = matchers(target, &matching)?;
    if matching == "regex" && marks.len() > 1 {
        let message =
            "Single item is required in the target list if matching_parameter=regex.";
        return value_error(message);
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
    let (data, target, matching) = parameters(arguments)?;
    let mappings = mappings(&data)?;
    let renames = renames(target, &matching)?;
    let mut replaced = Vec::new();
    for entries in mappings {
        let dict = Dict::default();
        for (mut key, value) in entries {
            for (mark, after) in &renames {
                if mark.matches(&key)? {
                    // The first matching rename wins.
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

/// A change of the keys of all mappings in a value.
enum KeyChange {
    Keep(Vec<KeyMatcher>),
    Remove(Vec<KeyMatcher>),
    Replace(KeyRenames),
}

/// `keep_keys`, `remove_keys`, `replace_keys` of `ansible.utils`
fn deep(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let (data, target, matching) = parameters(arguments)?;
    let name = call.short_name();
    if !matches!(data, Value::List(_) | Value::Dict(_)) {
        let message = format!("Error when using plugin '{name}': Input is not valid");
        return value_error(message);
    }
    let change = match name {
        "keep_keys" => KeyChange::Keep(matchers(target, &matching)?),
        "remove_keys" => KeyChange::Remove(matchers(target, &matching)?),
        _ => KeyChange::Replace(renames(target, &matching)?),
    };
    let walk = VisitCounter::new(&call.scope.context);
    Ok(change.apply(&data, &walk, 0)?.unwrap_or(Value::None))
}

impl KeyChange {
    /// Returns the changed value; `None` if nothing of it is kept.
    fn apply(
        &self,
        value: &Value,
        walk: &VisitCounter<'_>,
        depth: usize,
    ) -> Result<Option<Value>> {
        walk.visit(depth)?;
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
            other => Ok(Some(other.clone())),
        }
    }

    /// Returns what remains of a member of a list.
    fn member(&self, member: Value, changed: Option<Value>) -> Result<Option<Value>> {
        Ok(match self {
            KeyChange::Keep(_) => changed,
            KeyChange::Remove(_) => match changed {
                Some(changed) if python::truth(&changed)? => Some(changed),
                _ => None,
            },
            KeyChange::Replace(_) => Some(changed.unwrap_or(member)),
        })
    }

    /// Returns what is kept of an entry. The last mark that has something to keep says how
    /// much: one that equals the key keeps all of a container, others what matches in it.
    fn kept(
        &self,
        marks: &[KeyMatcher],
        key: &Key,
        value: &Value,
        walk: &VisitCounter<'_>,
        depth: usize,
    ) -> Result<Option<Value>> {
        if !matches!(value, Value::List(_) | Value::Dict(_)) {
            let kept = marks.iter().any(|mark| mark.equals(key)) || any(marks, key)?;
            return Ok(kept.then(|| value.clone()));
        }
        let inner = self.apply(value, walk, depth + 1)?.filter(|inner| !is_empty(inner));
        let filled = inner.clone().map(without_empty).transpose()?;
        let filled = filled.filter(|filled| !is_empty(filled));
        Ok(match marks.iter().rposition(|mark| mark.equals(key)) {
            Some(at) if at + 1 == marks.len() || filled.is_none() => Some(value.clone()),
            _ => filled.or(inner),
        })
    }

    fn mapping(
        &self,
        entries: &[(Key, Value)],
        walk: &VisitCounter<'_>,
        depth: usize,
    ) -> Result<Value> {
        let dict = Dict::default();
        for (key, value) in entries {
            let changed = match self {
                KeyChange::Remove(marks) if any(marks, key)? => None,
                KeyChange::Keep(marks) => self.kept(marks, key, value, walk, depth)?,
                _ => self.apply(value, walk, depth + 1)?,
            };
            if let Some(changed) = changed {
                dict.set(key.clone(), changed);
            }
        }
        if let KeyChange::Replace(renames) = self {
            rename(&dict, renames)?;
        }
        Ok(Value::Dict(dict))
    }
}

/// Renames keys one after the other. As in Python, a renamed key moves to the end.
fn rename(dict: &Dict, renames: &KeyRenames) -> Result<()> {
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

/// Removes the empty members of a list.
fn without_empty(value: Value) -> Result<Value> {
    let Value::List(list) = &value else { return Ok(value) };
    let members = list.items()?.into_iter().filter(|member| !is_empty(member));
    Ok(Value::list(members))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::List(list) => list.is_empty(),
        Value::Dict(dict) => dict.is_empty(),
        _ => false,
    }
}
