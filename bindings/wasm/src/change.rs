//! One patch that JavaScript gives, in any language.

use std::str::FromStr;

use interpolate::{Patch, Reader, Verb};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::failure::{Result, misused, thrown};
use crate::text::{each, parsed};

/// The name of a patch that has none, in messages.
const NAME: &str = "ops.yml";

/// A patch as it was given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    #[serde(default)]
    name: Option<String>,
    text: String,
    #[serde(default, rename = "as", deserialize_with = "parsed")]
    language: Option<Language>,
}

/// The language of a patch.
#[derive(Clone, Copy)]
enum Language {
    /// An ops-file, a JSON Patch or an Overlay: its content tells which.
    Patch,
    Merge,
    /// An argument of the command line.
    Argument(Verb),
}

impl FromStr for Language {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Language, String> {
        match name {
            "patch" => Ok(Language::Patch),
            "merge" => Ok(Language::Merge),
            _ => match name.parse() {
                Ok(verb) => Ok(Language::Argument(verb)),
                Err(why) => Err(format!("{why}, and neither patch nor merge")),
            },
        }
    }
}

/// Reads patches, and joins them in their order.
pub(crate) fn patch(value: JsValue, reader: &Reader) -> Result<Patch> {
    let mut joined = Patch::new();
    for value in each(value) {
        let change = match value.as_string() {
            Some(text) => Change { name: None, text, language: None },
            None => serde_wasm_bindgen::from_value(value).map_err(misused)?,
        };
        joined.extend(change.read(reader).map_err(thrown)?);
    }
    Ok(joined)
}

impl Change {
    fn read(&self, reader: &Reader) -> interpolate::Result<Patch> {
        let name = self.name.as_deref().unwrap_or(NAME);
        match self.language.unwrap_or(Language::Patch) {
            Language::Patch => reader.patch(name, &self.text),
            Language::Merge => reader.merge_patch(name, &self.text),
            Language::Argument(verb) => reader.argument(verb, &self.text),
        }
    }
}
