//! One patch that JavaScript gives, in any language.

use interpolate::{Patch, Reader, Verb};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::failure::{Result, misused, thrown};
use crate::text::each;

/// The name of a patch that has none, in messages.
const NAME: &str = "ops.yml";

/// A patch as it was given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    #[serde(default)]
    name: Option<String>,
    text: String,
    #[serde(default, rename = "as")]
    language: Language,
}

/// The language of a patch. Those that begin with `Set` are arguments of the command line.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Language {
    /// An ops-file, a JSON Patch or an Overlay: its content tells which.
    #[default]
    Patch,
    Merge,
    Set,
    SetString,
    Append,
    Rm,
    Mv,
    Cp,
}

/// Reads patches, and joins them in their order.
pub(crate) fn patch(value: JsValue, reader: &Reader) -> Result<Patch> {
    let mut joined = Patch::new();
    for value in each(value) {
        let change = match value.as_string() {
            Some(text) => Change { name: None, text, language: Language::Patch },
            None => serde_wasm_bindgen::from_value(value).map_err(misused)?,
        };
        joined.extend(change.read(reader).map_err(thrown)?);
    }
    Ok(joined)
}

impl Change {
    fn read(&self, reader: &Reader) -> interpolate::Result<Patch> {
        let name = self.name.as_deref().unwrap_or(NAME);
        let verb = match self.language {
            Language::Patch => return reader.patch(name, &self.text),
            Language::Merge => return reader.merge_patch(name, &self.text),
            Language::Set => Verb::Set,
            Language::SetString => Verb::SetString,
            Language::Append => Verb::Append,
            Language::Rm => Verb::Remove,
            Language::Mv => Verb::Move,
            Language::Cp => Verb::Copy,
        };
        reader.argument(verb, &self.text)
    }
}
