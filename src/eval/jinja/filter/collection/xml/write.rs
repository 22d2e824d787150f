//! A value → the text of the XML document that stands for it.

use crate::eval::python::{self, Exception, Result, Value, limit_bytes};
use crate::eval::walk::Walk;

/// Writes a document, or what could be a part of one.
pub(super) fn write(
    value: &Value,
    indent: &str,
    whole: bool,
    walk: &Walk<'_>,
) -> Result<String> {
    let Value::Dict(roots) = value else {
        return Err(Exception::of_type("it is no mapping"));
    };
    let mut out = String::new();
    if whole {
        out += "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
        if roots.len() != 1 {
            return Err(Exception::of_value("Document must have exactly one root."));
        }
    }
    let mut todo = Vec::new();
    for (name, value) in roots.entries()?.into_iter().rev() {
        let elements = elements(&python::str(name.value())?, value)?;
        if whole && elements.len() > 1 {
            return Err(Exception::of_value("document with multiple roots"));
        }
        todo.extend(elements.into_iter().rev().map(|element| Step::Open(0, element)));
    }
    while let Some(step) = todo.pop() {
        match step {
            Step::Open(depth, element) => {
                open(&mut out, &mut todo, indent, depth, walk, element)?;
            }
            Step::Close(depth, name) => {
                out += &indent.repeat(depth);
                out += &format!("</{name}>\n");
            }
        }
        limit_bytes(out.len())?;
    }
    // Between elements there are line breaks; none comes after the last.
    out.pop();
    Ok(out)
}

/// An element that is to be written.
struct Element {
    name: String,
    value: Value,
}

enum Step {
    Open(usize, Element),
    Close(usize, String),
}

/// The elements of a key: one for each member of a list.
fn elements(name: &str, value: Value) -> Result<Vec<Element>> {
    let values = match &value {
        Value::List(_) | Value::Tuple(_) => python::iterate(&value)?,
        _ => vec![value],
    };
    let element = |value| Element { name: name.to_owned(), value };
    Ok(values.into_iter().map(element).collect())
}

fn open(
    out: &mut String,
    todo: &mut Vec<Step>,
    indent: &str,
    depth: usize,
    walk: &Walk<'_>,
    Element { name, value }: Element,
) -> Result<()> {
    walk.meet(depth)?;
    if name.is_empty() || name.contains(['<', '>', '&', '"', '\'', ' ', '/', '=']) {
        return Err(Exception::of_value(format!(
            "'{name}' cannot be the name of an element"
        )));
    }
    limit_bytes(indent.len().saturating_mul(depth))?;
    *out += &indent.repeat(depth);
    *out += &format!("<{name}");
    let (mut text, mut children) = (String::new(), Vec::new());
    match &value {
        Value::Dict(entries) => {
            for (key, value) in entries.entries()? {
                let key = python::str(key.value())?;
                if key == "#text" {
                    text = plain(&value)?;
                } else if let Some(attribute) = key.strip_prefix('@') {
                    *out += &format!(" {attribute}={}", quote(&plain(&value)?));
                } else {
                    children.extend(elements(&key, value)?);
                }
            }
        }
        other => text = plain(other)?,
    }
    *out += &format!(">{}", escape(&text));
    if children.is_empty() {
        *out += &format!("</{name}>\n");
        return Ok(());
    }
    out.push('\n');
    todo.push(Step::Close(depth, name));
    let children = children.into_iter().rev();
    todo.extend(children.map(|child| Step::Open(depth + 1, child)));
    Ok(())
}

/// A value as text: truth as XML has it.
fn plain(value: &Value) -> Result<String> {
    match value {
        Value::None => Ok(String::new()),
        Value::Bool(holds) => Ok(holds.to_string()),
        other => python::str(other),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn quote(text: &str) -> String {
    let text = escape(text).replace('\n', "&#10;").replace('\r', "&#13;");
    let text = text.replace('\t', "&#9;");
    match (text.contains('"'), text.contains('\'')) {
        (true, false) => format!("'{text}'"),
        _ => format!("\"{}\"", text.replace('"', "&quot;")),
    }
}
