//! Filters of mappings: `combine`, `dict2items`, `items2dict`, `rekey_on_member`.

use super::order::retain;
use super::parameter::{
    flag, is_sequence, members, shown, text, type_error, type_error_of, value_error,
    values,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{
    self, Arguments, Bound, Class, Dict, Exception, Key, Result, Value,
};
use crate::eval::visit::VisitCounter;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::variadic("combine", combine),
    Plugin::new("dict2items", "dict_to_list_of_dict_key_value_elements", &["mydict"],
        &["key_name", "value_name"], dict2items),
    Plugin::new("items2dict", "list_of_dict_key_value_elements_to_dict", &["mylist"],
        &["key_name", "value_name"], items2dict),
    Plugin::new("rekey_on_member", "rekey_on_member", &["data", "key"], &["duplicates"], rekey_on_member),
];

/// The rule for two lists of the same key: the parameter `list_merge` of `combine`.
#[derive(Clone, Copy, PartialEq)]
enum ListCombination {
    Replace,
    Keep,
    Append,
    Prepend,
    AppendNew,
    PrependNew,
}

impl ListCombination {
    fn of(name: &str) -> Result<ListCombination> {
        Ok(match name {
            "replace" => ListCombination::Replace,
            "keep" => ListCombination::Keep,
            "append" => ListCombination::Append,
            "prepend" => ListCombination::Prepend,
            "append_rp" => ListCombination::AppendNew,
            "prepend_rp" => ListCombination::PrependNew,
            other => {
                return value_error(format!(
                    "'list_merge' is one of replace, keep, append, prepend, append_rp \
                     and prepend_rp, not '{other}'"
                ));
            }
        })
    }
}

#[derive(Clone, Copy)]
struct Combiner<'c> {
    call: &'c CallSite<'c>,
    walk: &'c VisitCounter<'c>,
    recursive: bool,
    lists: ListCombination,
}

fn combine(call: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    let recursive = flag(arguments.take("recursive"), false)?;
    let lists = text(arguments.take("list_merge"), "replace")?;
    if !arguments.keywords.is_empty() {
        let message = "'recursive' and 'list_merge' are the only valid keyword arguments";
        return type_error(message);
    }
    let walk = VisitCounter::new(&call.scope.context);
    // Ansible flattens the arguments by one level and drops null values, so that a list
    // of mappings can be combined.
    let terms = super::sequence::flat(arguments.positional, Some(1), true, &walk)?;
    // A single argument is returned even if it is not a mapping.
    if terms.len() < 2 {
        return Ok(terms.into_iter().next().unwrap_or(Value::Dict(Dict::default())));
    }
    let combiner =
        Combiner { call, walk: &walk, recursive, lists: ListCombination::of(&lists)? };
    // From the last mapping to the first, as Ansible does: an entry of a later mapping is
    // not compared again with each earlier one.
    let mut rest = terms.into_iter().rev();
    let last = rest.next().unwrap_or(Value::None);
    rest.try_fold(last, |high, low| match (&low, &high) {
        (Value::Dict(low), Value::Dict(high)) => {
            combiner.merge(low, high, 0).map(Value::Dict)
        }
        _ => type_error(format!(
            "failed to combine variables, expected dicts but got a '{}' and a '{}'",
            low.type_name(),
            high.type_name()
        )),
    })
}

impl Combiner<'_> {
    fn merge(self, low: &Dict, high: &Dict, depth: usize) -> Result<Dict> {
        self.walk.visit(depth)?;
        let both = (Value::Dict(low.clone()), Value::Dict(high.clone()));
        // The shortcut of Ansible. It also keeps the order of the entries of `high`.
        if low.is_empty() || python::equal(&both.0, &both.1)? {
            return Ok(high.clone());
        }
        let merged: Dict = low.entries()?.into_iter().collect();
        for (key, value) in high.entries()? {
            let value = match merged.get(&key)? {
                None => value,
                Some(old) => self.entry(old, value, depth)?,
            };
            merged.set(key, value);
        }
        Ok(merged)
    }

    fn entry(self, low: Value, high: Value, depth: usize) -> Result<Value> {
        let (old, new) = match (&low, &high) {
            (Value::Dict(old), Value::Dict(new)) if self.recursive => {
                return self.merge(old, new, depth + 1).map(Value::Dict);
            }
            (Value::List(_), Value::List(_)) => (members(&low)?, members(&high)?),
            _ => return Ok(high),
        };
        let old = match self.lists {
            ListCombination::AppendNew | ListCombination::PrependNew => {
                retain(self.call, old, &new, false)?
            }
            _ => old,
        };
        Ok(match self.lists {
            ListCombination::Replace => high,
            ListCombination::Keep => low,
            ListCombination::Append | ListCombination::AppendNew => {
                Value::list(old.into_iter().chain(new))
            }
            ListCombination::Prepend | ListCombination::PrependNew => {
                Value::list(new.into_iter().chain(old))
            }
        })
    }
}

fn names(key: Option<Value>, value: Option<Value>) -> Result<(Key, Key)> {
    let key = Key::new(key.unwrap_or("key".into()))?;
    Ok((key, Key::new(value.unwrap_or("value".into()))?))
}

fn dict2items(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [key, name]) = arguments.split();
    let Value::Dict(dict) = &value else {
        let wrong = "dict2items requires a dictionary, got <class '{}'> instead.";
        return type_error_of(&value, wrong);
    };
    let (key, name) = names(key, name)?;
    Ok(Value::list(dict.entries()?.into_iter().map(|(own, value)| {
        let pair = [(key.clone(), own.into_value()), (name.clone(), value)];
        Value::Dict(pair.into_iter().collect())
    })))
}

fn items2dict(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [key, name]) = arguments.split();
    if !is_sequence(&value) {
        let wrong = "items2dict requires a list, got <class '{}'> instead.";
        return type_error_of(&value, wrong);
    }
    let (key, name) = names(key, name)?;
    let dict = Dict::default();
    for item in python::iterate(&value)? {
        let found = python::item(&item, key.value())
            .and_then(|key| Ok((Key::new(key)?, python::item(&item, name.value())?)));
        let (key, value) = found.map_err(|why| entry_error(&why, &key, &name, &value))?;
        dict.set(key, value);
    }
    Ok(Value::Dict(dict))
}

fn entry_error(error: &Exception, key: &Key, name: &Key, list: &Value) -> Box<Exception> {
    let list = shown(list);
    match error.class {
        Class::Key => Exception::of_type(format!(
            "items2dict requires each dictionary in the list to contain the keys '{}' and \
             '{}', got {list} instead.",
            shown(key.value()),
            shown(name.value())
        )),
        Class::Type => Exception::of_type(format!(
            "items2dict requires a list of dictionaries, got {list} instead."
        )),
        _ => Box::new(error.clone()),
    }
}

fn rekey_on_member(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data, key], [duplicates]) = arguments.split();
    let duplicates = text(duplicates, "error")?;
    if !matches!(&*duplicates, "error" | "overwrite") {
        return value_error(format!(
            "duplicates parameter to rekey_on_member has unknown value '{duplicates}'"
        ));
    }
    let wrong = "Type is not a valid list, set, or dict";
    let items = match &data {
        Value::Dict(dict) => values(dict)?,
        // Strings are iterable, but Ansible refuses them.
        Value::Str(_) | Value::Bytes(_) => return type_error(wrong),
        other => python::iterate(other).or_else(|_| type_error(wrong))?,
    };
    let rekeyed = Dict::default();
    for item in items {
        let Value::Dict(entries) = &item else {
            return type_error("List item is not a valid dict");
        };
        let Some(member) = entries.get(&Key::new(key.clone())?)? else {
            let message = format!("Key {} was not found.", python::repr(&key)?);
            return Err(Exception::new(Class::Key, message));
        };
        let member = Key::new(member)?;
        if duplicates == "error" && rekeyed.get(&member)?.is_some() {
            return value_error(format!(
                "Key {} is not unique, cannot convert to dict.",
                python::repr(member.value())?
            ));
        }
        rekeyed.set(member, item);
    }
    Ok(Value::Dict(rekeyed))
}
