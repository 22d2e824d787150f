//! Errors for JavaScript: an `Error` with places.

use interpolate::{Error, Place};
use js_sys::Reflect;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// A result, or what is thrown.
pub(crate) type Result<T> = std::result::Result<T, JsValue>;

/// Returns a value as JavaScript has it, with `null` for what is missing.
pub(crate) fn answer(value: &impl Serialize) -> Result<JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(misused)
}

/// Returns the exception of an error: `message`, `places`, `problems`, `rendered`.
pub(crate) fn thrown(error: Error) -> JsValue {
    let problems = error.problems();
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    let places: Vec<&Place> = problems.iter().flat_map(|it| &it.places).collect();
    let exception = js_sys::Error::new(&messages.join("\n"));
    exception.set_name("InterpolateError");
    let fields = [
        ("places", answer(&places)),
        ("problems", answer(&problems)),
        ("rendered", Ok(error.render(false).into())),
    ];
    for (name, value) in fields {
        let value = value.unwrap_or(JsValue::NULL);
        Reflect::set(&exception, &name.into(), &value).ok();
    }
    exception.into()
}

/// Returns the exception of an argument that has the wrong type.
pub(crate) fn misused(error: serde_wasm_bindgen::Error) -> JsValue {
    js_sys::TypeError::new(&error.to_string()).into()
}
