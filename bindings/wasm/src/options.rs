//! The options of a call.

use std::collections::BTreeMap;

use interpolate::{
    Aliases, Dialect, Document, Memory, Patch, Reader, Recording, Variables,
};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::change;
use crate::failure::{Result, misused, thrown};
use crate::text::{Text, each};

/// The options of a call; each function uses those that concern it.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Options {
    dialect: Option<Schema>,
    strict: bool,
    files: BTreeMap<String, String>,
    directives: bool,
    all_documents: bool,
    r#where: Option<String>,
    anchors: Option<Anchors>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    variables: JsValue,
    evaluate: bool,
    /// The document of a stream that a path is about.
    pub(crate) document: usize,
}

#[derive(Clone, Copy, Deserialize)]
enum Schema {
    #[serde(rename = "core")]
    Core,
    #[serde(rename = "go")]
    Go,
    #[serde(rename = "yaml-1.1")]
    Yaml11,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Anchors {
    Copy,
    Follow,
    Refuse,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dialect: None,
            strict: false,
            files: BTreeMap::new(),
            directives: true,
            all_documents: false,
            r#where: None,
            anchors: None,
            variables: JsValue::UNDEFINED,
            evaluate: false,
            document: 0,
        }
    }
}

impl Options {
    pub(crate) fn of(value: JsValue) -> Result<Options> {
        if value.is_undefined() || value.is_null() {
            return Ok(Options::default());
        }
        serde_wasm_bindgen::from_value(value).map_err(misused)
    }

    pub(crate) fn reader(&self) -> Reader {
        let files = self.files.iter().map(|(path, text)| (path.into(), text.clone()));
        let world = Memory { files: files.collect(), ..Memory::default() };
        let reader = Reader::new().world(world).strict(self.strict);
        match self.dialect {
            None => reader,
            Some(Schema::Core) => reader.dialect(Dialect::Core),
            Some(Schema::Go) => reader.dialect(Dialect::Go),
            Some(Schema::Yaml11) => reader.dialect(Dialect::Yaml11),
        }
    }

    /// Parses a text as a document.
    pub(crate) fn document(&self, value: JsValue, name: &str) -> Result<Document> {
        let text = Text::of(value, name)?;
        self.reader().parse(&text.name, text.text).map_err(thrown)
    }

    /// Reads patches, and joins them in their order.
    pub(crate) fn patch(&self, value: JsValue) -> Result<Patch> {
        let mut patch = change::patch(value, &self.reader())?;
        match self.anchors {
            None => {}
            Some(Anchors::Copy) => patch.set_aliases(Aliases::Keep),
            Some(Anchors::Follow) => patch.set_aliases(Aliases::Follow),
            Some(Anchors::Refuse) => patch.set_aliases(Aliases::Refuse),
        }
        Ok(patch)
    }

    pub(crate) fn variables(&self) -> Result<Variables> {
        let mut variables = Variables::new();
        for value in each(self.variables.clone()) {
            let text = Text::of(value, "vars.yml")?;
            variables.parse(&text.name, &text.text).map_err(thrown)?;
        }
        Ok(variables)
    }

    /// Parses a document, expands its directives, patches it and fills in variables.
    pub(crate) fn recording(&self, base: JsValue, ops: JsValue) -> Result<Recording> {
        let document = self.document(base, "base.yml")?;
        let patch = self.patch(ops)?;
        let variables = self.variables()?;
        let mut recording = Recording::of(document);
        if self.directives {
            match &self.r#where {
                Some(selector) => recording.expand_where(selector),
                None if self.all_documents => recording.expand_all(),
                None => recording.expand(),
            }
            .map_err(thrown)?;
        }
        match &self.r#where {
            Some(selector) => recording.apply_where(&patch, selector),
            None if self.all_documents => recording.apply_to_all(&patch),
            None => recording.apply(&patch),
        }
        .map_err(thrown)?;
        recording.fill(&variables).map_err(thrown)?;
        if self.evaluate {
            evaluate(&mut recording, &variables)?;
        }
        Ok(recording)
    }
}

#[cfg(feature = "eval")]
fn evaluate(recording: &mut Recording, variables: &Variables) -> Result<()> {
    recording.evaluate_all(variables).map_err(thrown)
}

#[cfg(not(feature = "eval"))]
fn evaluate(_: &mut Recording, _: &Variables) -> Result<()> {
    Err(js_sys::Error::new("this engine has no templates: `evaluate` needs the full one")
        .into())
}
