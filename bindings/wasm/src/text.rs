//! A text that JavaScript gives, with its name in messages.

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error};
use wasm_bindgen::JsValue;

use crate::failure::{Result, misused};

/// A text, and its name in messages.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Text {
    /// Reads a string, or an object with a name; `name` is for those that have none.
    pub(crate) fn of(value: JsValue, name: &str) -> Result<Text> {
        if let Some(text) = value.as_string() {
            return Ok(Text { name: name.into(), text });
        }
        let mut text: Text = serde_wasm_bindgen::from_value(value).map_err(misused)?;
        if text.name.is_empty() {
            text.name = name.into();
        }
        Ok(text)
    }
}

/// Returns the members of an array, or the only value.
pub(crate) fn each(value: JsValue) -> Vec<JsValue> {
    if value.is_undefined() || value.is_null() {
        return Vec::new();
    }
    match js_sys::Array::is_array(&value) {
        true => js_sys::Array::from(&value).to_vec(),
        false => vec![value],
    }
}

/// Reads a name that the library knows.
pub(crate) fn parsed<'de, T, D>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error>
where
    T: FromStr<Err = String>,
    D: Deserializer<'de>,
{
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
}
