//! The options of a call.

use std::collections::BTreeMap;

use interpolate::{
    Aliases, Dialect, Document, Documents, Job, Memory, Patch, Reader, Recording,
    Variables,
};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::change;
use crate::failure::{Result, misused, thrown};
use crate::text::{Text, each, parsed};

/// The options of a call; each function uses those that concern it.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Options {
    #[serde(deserialize_with = "parsed")]
    dialect: Option<Dialect>,
    strict: bool,
    files: BTreeMap<String, String>,
    directives: bool,
    all_documents: bool,
    r#where: Option<String>,
    #[serde(deserialize_with = "parsed")]
    anchors: Option<Aliases>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    variables: JsValue,
    evaluate: bool,
    /// The document of a stream that a path is about.
    pub(crate) document: usize,
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
            Some(dialect) => reader.dialect(dialect),
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
        if let Some(aliases) = self.anchors {
            patch.set_aliases(aliases);
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

    /// Parses a document, and does the job of the options and a patch.
    pub(crate) fn recording(&self, base: JsValue, ops: JsValue) -> Result<Recording> {
        self.run(base, ops).map(|(recording, _)| recording)
    }

    /// Does the job; returns the documents that the result is about, too.
    pub(crate) fn run(
        &self,
        base: JsValue,
        ops: JsValue,
    ) -> Result<(Recording, Vec<usize>)> {
        let mut recording = Recording::of(self.document(base, "base.yml")?);
        let job = self.job()?.patch(self.patch(ops)?);
        let documents = recording.run(&job).map_err(thrown)?;
        Ok((recording, documents))
    }

    /// Returns the job of the options, without a patch.
    pub(crate) fn job(&self) -> Result<Job> {
        let job = Job::new()
            .documents(self.documents())
            .directives(self.directives)
            .variables(self.variables()?);
        templates(job, self.evaluate)
    }

    /// Returns the documents that the options choose.
    fn documents(&self) -> Documents {
        match &self.r#where {
            Some(selector) => Documents::Where(selector.clone()),
            None if self.all_documents => Documents::All,
            None => Documents::First,
        }
    }
}

#[cfg(feature = "eval")]
fn templates(job: Job, evaluate: bool) -> Result<Job> {
    Ok(job.templates(evaluate))
}

#[cfg(not(feature = "eval"))]
fn templates(job: Job, evaluate: bool) -> Result<Job> {
    if evaluate {
        let message = "this engine has no templates: `evaluate` needs the full one";
        return Err(js_sys::Error::new(message).into());
    }
    Ok(job)
}
