//! What the commands share that print a value: their help, what they refuse, and how a
//! value is printed.

use std::mem;

use interpolate::eval::{Exception, Value};
use interpolate::node::Document;
use interpolate::source::Sources;
use interpolate::{diagnostic, eval, yaml};

use super::failure::Failure;
use super::option::{Format, Interpolate};

/// The help of a command: of what is printed, only the format can be chosen. Its inputs
/// `are` read by the rules of a default schema.
pub(super) fn help(
    command: clap::Command,
    are: &str,
    default: &'static str,
) -> clap::Command {
    let unused = ["in_place", "path", "diff", "check", "all_documents"];
    let schema = format!("The rules by which {are} read [default: {default}]");
    let format = "How it is printed, as yaml or json [default: yaml]";
    unused
        .into_iter()
        .fold(command, |command, id| command.mut_arg(id, |arg| arg.hide(true)))
        .mut_arg("schema", |arg| arg.help(schema.clone()).long_help(schema))
        .mut_arg("format", |arg| {
            arg.help(format).long_help(format).hide_possible_values(true)
        })
}

/// Refuses options that have nothing to say where a `value` is printed, of what one
/// document `is`.
pub(super) fn check(options: &Interpolate, value: &str, is: &str) -> Result<(), Failure> {
    let output = &options.output;
    let wrong = if options.format() == Format::Bosh {
        format!("{value} is printed as YAML or JSON: that goes with no --format bosh")
    } else if output.path.is_some() || output.compares() {
        format!("{value} is printed: that goes with no --path, -i, --diff or --check")
    } else if options.input.reading.all_documents {
        format!("{is} one document: this goes with no --all-documents")
    } else {
        return Ok(());
    };
    Err(Failure::usage(&wrong))
}

/// A value as it is printed.
pub(super) fn print(
    options: &Interpolate,
    value: &Value,
    sources: &mut Sources,
) -> Result<String, Failure> {
    let mut blank = blank(sources)?;
    let written = match options.format() {
        Format::Json => eval::to_json(&mut blank, value, options.input.expansion()),
        Format::Yaml | Format::Bosh => eval::to_yaml(&mut blank, value).map(Ok),
    };
    // What is printed is the last thing that is made.
    mem::forget(blank);
    let text = written.map_err(|exception| raised(&exception, sources))?;
    text.map_err(Failure::from)
}

/// What was raised, as a failure.
pub(super) fn raised(exception: &Exception, sources: &Sources) -> Failure {
    Failure::from(eval::report(exception, sources))
}

/// A document without anything in it.
pub(super) fn blank(sources: &mut Sources) -> diagnostic::Result<Document> {
    let file = sources.add("", "");
    yaml::read(sources, file, &yaml::Options::default())
}
