//! XML as `xmltodict` has it: elements are mappings, attributes keys that begin with `@`.

mod read;
mod write;

use crate::eval::jinja::filter::parameter::{count, flag, given, text};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Exception, Result, Signature, Value};
use crate::eval::walk::Walk;

pub(super) const FILTERS: PluginTable = &[
    Plugin::new(
        "ansible.utils.from_xml",
        Signature::new("from_xml", &["data"], &["engine"]),
        from_xml,
    ),
    Plugin::new(
        "ansible.utils.to_xml",
        Signature::new(
            "to_xml",
            &["data"],
            &["engine", "indent", "indent_width", "full_document"],
        ),
        to_xml,
    ),
];

fn wrong(plugin: &str, what: &str) -> Box<Exception> {
    Exception::of_value(format!("Error when using plugin '{plugin}': {what}"))
}

fn check(plugin: &str, engine: Option<Value>) -> Result<()> {
    match &*text(given(engine), "xmltodict")? {
        "xmltodict" => Ok(()),
        other => Err(wrong(plugin, &format!("engine: {other} is not supported "))),
    }
}

fn from_xml(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [engine]) = arguments.split();
    check("from_xml", engine)?;
    read::read(&python::str(&data)?)
        .map_err(|what| wrong("from_xml", &format!("Input Xml is not valid ({what})")))
}

fn to_xml(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [engine, indent, width, whole]) = arguments.split();
    check("to_xml", engine)?;
    let indent = match &*text(given(indent), "tabs")? {
        "spaces" => " ".repeat(count(given(width), 4)?),
        _ => "\t".to_owned(),
    };
    let whole = flag(given(whole), true)?;
    let walk = Walk::new(&call.scope.context);
    write::write(&data, &indent, whole, &walk).map(Value::from).map_err(|mut error| {
        error.message =
            wrong("to_xml", &format!("Input json is not valid ({})", error.message))
                .message;
        error
    })
}
