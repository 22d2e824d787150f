//! The engine for JavaScript: each function reads its arguments, calls the library and
//! returns what it answers. `types.ts` describes all of them.

mod change;
mod failure;
mod options;
mod text;
mod version;

use interpolate::Document;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use failure::{Result, answer, thrown};
use options::Options;
use version::{MergeAnswer, PutAnswer};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.ts");

#[cfg(feature = "review")]
#[wasm_bindgen(typescript_custom_section)]
const REVIEW_TYPES: &str = include_str!("review.ts");

#[cfg(feature = "eval")]
#[wasm_bindgen(typescript_custom_section)]
const EVALUATE_TYPE: &str = include_str!("evaluate.ts");

/// Applies patches to a document, and returns its text.
#[wasm_bindgen(skip_typescript)]
pub fn patch(base: JsValue, ops: JsValue, options: JsValue) -> Result<String> {
    let recording = Options::of(options)?.recording(base, ops)?;
    Ok(recording.document().to_string())
}

/// Returns the value at a path.
#[wasm_bindgen(skip_typescript)]
pub fn get(base: JsValue, path: &str, options: JsValue) -> Result<JsValue> {
    let options = Options::of(options)?;
    let document = options.document(base, "base.yml")?;
    value(&document, options.document, path)
}

/// Returns the value at a path in each document that the options choose.
#[wasm_bindgen(js_name = getAll, skip_typescript)]
pub fn get_all(
    base: JsValue,
    ops: JsValue,
    path: &str,
    options: JsValue,
) -> Result<js_sys::Array> {
    let (recording, documents) = Options::of(options)?.run(base, ops)?;
    let values = documents.into_iter().map(|at| value(recording.document(), at, path));
    values.collect()
}

fn value(document: &Document, at: usize, path: &str) -> Result<JsValue> {
    let found = document.find_in(at, path);
    js_sys::JSON::parse(&found.and_then(|node| node.to_json()).map_err(thrown)?)
}

/// Returns the ops-file that turns one document into another.
#[wasm_bindgen(skip_typescript)]
pub fn diff(old: JsValue, new: JsValue, options: JsValue) -> Result<String> {
    let options = Options::of(options)?;
    let old = options.document(old, "old.yml")?;
    let patch = old.diff(&options.document(new, "new.yml")?).map_err(thrown)?;
    Ok(patch.to_string())
}

/// Returns the histories of the places that a path leads to.
#[wasm_bindgen(skip_typescript)]
pub fn explain(
    base: JsValue,
    ops: JsValue,
    path: &str,
    options: JsValue,
) -> Result<JsValue> {
    let options = Options::of(options)?;
    let history = options.recording(base, ops)?.finish();
    let places = history.find_in(options.document, path).map_err(thrown)?;
    answer(&places)
}

/// Returns the lines of the result, with the places that stand on each.
#[wasm_bindgen(skip_typescript)]
pub fn lines(base: JsValue, ops: JsValue, options: JsValue) -> Result<JsValue> {
    let history = Options::of(options)?.recording(base, ops)?.finish();
    let lines = history.lines().map_err(thrown)?;
    answer(&lines)
}

/// Returns what is likely wrong with a document and patches for it.
#[cfg(feature = "review")]
#[wasm_bindgen(skip_typescript)]
pub fn check(base: JsValue, ops: JsValue, options: JsValue) -> Result<JsValue> {
    let options = Options::of(options)?;
    let document = options.document(base, "base.yml")?;
    answer(&document.check(&options.patch(ops)?))
}

/// Puts an edited copy of a document back into its text.
#[wasm_bindgen(skip_typescript)]
pub fn put(base: JsValue, edited: JsValue, options: JsValue) -> Result<JsValue> {
    let options = Options::of(options)?;
    let mut document = options.document(base, "base.yml")?;
    let edited = options.document(edited, "edited.yml")?;
    let notes = document.put_with(&edited, &options.job()?).map_err(thrown)?;
    answer(&PutAnswer::of(&document, notes))
}

/// Merges two versions of a document by meaning.
#[wasm_bindgen(skip_typescript)]
pub fn merge(
    base: JsValue,
    ours: JsValue,
    theirs: JsValue,
    options: JsValue,
) -> Result<JsValue> {
    let options = Options::of(options)?;
    let base = options.document(base, "base.yml")?;
    let ours = options.document(ours, "ours.yml")?;
    let theirs = options.document(theirs, "theirs.yml")?;
    let merged = interpolate::merge(&base, &ours, &theirs).map_err(thrown)?;
    answer(&MergeAnswer::of(&merged))
}

/// Tells what becomes of each op on the next version of its document.
#[cfg(feature = "review")]
#[wasm_bindgen(skip_typescript)]
pub fn rebase(
    old: JsValue,
    new: JsValue,
    ops: JsValue,
    options: JsValue,
) -> Result<JsValue> {
    let options = Options::of(options)?;
    let old = options.document(old, "old.yml")?;
    let new = options.document(new, "new.yml")?;
    let patch = options.patch(ops)?;
    let rebased = interpolate::rebase(&old, &new, &patch).map_err(thrown)?;
    answer(&version::RebaseAnswer::of(rebased))
}

/// Replaces the templates and expressions of a document by their values.
#[cfg(feature = "eval")]
#[wasm_bindgen(skip_typescript)]
pub fn evaluate(base: JsValue, options: JsValue) -> Result<String> {
    let options = Options::of(options)?;
    let mut document = options.document(base, "base.yml")?;
    document.evaluate_all(&options.variables()?).map_err(thrown)?;
    Ok(document.to_string())
}
