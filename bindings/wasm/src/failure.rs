//! What JavaScript gets when something goes wrong: an `Error` with places.

use interpolate::{Error, Place, Problem};
use js_sys::Reflect;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// A result, or what is thrown.
pub(crate) type Result<T> = std::result::Result<T, JsValue>;

/// An error or a warning.
#[derive(Serialize)]
pub(crate) struct Fault {
    severity: &'static str,
    rule: Option<&'static str>,
    message: String,
    places: Vec<Spot>,
    hints: Vec<String>,
}

/// A place in a text, with a note about it.
#[derive(Serialize)]
pub(crate) struct Spot {
    name: String,
    line: usize,
    column: usize,
    note: String,
}

impl Spot {
    pub(crate) fn of(place: &Place, note: &str) -> Spot {
        let Place { name, line, column, .. } = place;
        Spot { name: name.clone(), line: *line, column: *column, note: note.into() }
    }
}

impl Fault {
    pub(crate) fn of(problem: &Problem) -> Fault {
        let places = problem.places.iter();
        Fault {
            severity: problem.severity.name(),
            rule: problem.rule,
            message: problem.message.clone(),
            places: places.map(|(place, note)| Spot::of(place, note)).collect(),
            hints: problem.hints.clone(),
        }
    }
}

/// Returns a value as JavaScript has it, with `null` for what is missing.
pub(crate) fn answer(value: &impl Serialize) -> Result<JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(misused)
}

/// Returns the exception of an error: `message`, `places`, `problems`, `rendered`.
pub(crate) fn thrown(error: Error) -> JsValue {
    let problems = error.problems();
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    let places = problems.iter().flat_map(|problem| &problem.places);
    let places: Vec<Spot> = places.map(|(place, note)| Spot::of(place, note)).collect();
    let faults: Vec<Fault> = problems.iter().map(Fault::of).collect();
    let exception = js_sys::Error::new(&messages.join("\n"));
    exception.set_name("InterpolateError");
    let fields = [
        ("places", answer(&places)),
        ("problems", answer(&faults)),
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
