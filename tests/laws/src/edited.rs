//! Edits the expanded value of a document by choices.

use serde_json::{Map, Value, json};

use crate::save::{Choices, KEYS};

/// Edits a value.
pub(crate) fn edit(choices: &mut Choices<'_>, value: &mut Value) {
    for _ in 0..1 + choices.next(4) {
        let copy = pick(choices, value).clone();
        let place = pick(choices, value);
        match choices.next(12) {
            0 => *place = json!("new"),
            1 => *place = json!(choices.next(9)),
            2 => *place = Value::Null,
            3 => *place = json!({"n": 1, "m": [1, {"k": null}]}),
            4 => *place = json!([]),
            5 => *place = json!({}),
            6 => *place = copy,
            _ => change(choices, place, copy),
        }
    }
    if !value.is_object() {
        *value = json!({"a": value.clone()});
    }
}

/// Changes a collection.
fn change(choices: &mut Choices<'_>, place: &mut Value, copy: Value) {
    match place {
        Value::Array(items) => {
            let at = choices.next(items.len() + 1);
            match choices.next(4) {
                0 => items.insert(at, copy),
                1 => items.insert(at, json!("item")),
                2 if at < items.len() => drop(items.remove(at)),
                _ => {
                    let middle = at.min(items.len());
                    items.rotate_left(middle);
                }
            }
        }
        Value::Object(entries) => {
            let keys: Vec<String> = entries.keys().cloned().collect();
            let key = keys.get(choices.next(keys.len())).cloned();
            match (choices.next(5), key) {
                (0, _) => drop(entries.insert(choices.one(KEYS).to_owned(), copy)),
                (1, _) => drop(entries.insert("added".into(), json!({"a": 1}))),
                (2, Some(key)) => {
                    if let Some(value) = entries.remove(&key) {
                        entries.insert(format!("{key}2"), value);
                    }
                }
                (3, _) => {
                    let all: Map<String, Value> = std::mem::take(entries);
                    entries.extend(all.into_iter().collect::<Vec<_>>().into_iter().rev());
                }
                (_, Some(key)) => drop(entries.remove(&key)),
                (_, None) => {}
            }
        }
        scalar => *scalar = copy,
    }
}

fn pick<'v>(choices: &mut Choices<'_>, mut value: &'v mut Value) -> &'v mut Value {
    for _ in 0..1 + choices.next(3) {
        let len = match &*value {
            Value::Array(items) => items.len(),
            Value::Object(entries) => entries.len(),
            _ => 0,
        };
        if len == 0 {
            break;
        }
        let at = choices.next(len);
        value = match value {
            Value::Array(items) => &mut items[at],
            Value::Object(entries) => entries.values_mut().nth(at).unwrap(),
            _ => unreachable!("it has children"),
        };
    }
    value
}
