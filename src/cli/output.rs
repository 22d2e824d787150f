//! A patched document → text in the format asked for → where it belongs.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use interpolate::apply;
use interpolate::node::{Document, Node};
use interpolate::source::{Encoding, Os, Sources, World};
use interpolate::yaml;
use similar::TextDiff;

use super::failure::{Failure, reason};
use super::option::{Format, Interpolate};

/// How many documents of the stream the options are about.
pub(crate) fn count(options: &Interpolate, document: &Document) -> usize {
    if options.reading.all_documents { document.roots().len() } else { 1 }
}

/// Prints or writes what the options ask for.
pub(crate) fn deliver(
    options: &Interpolate,
    sources: &Sources,
    document: &mut Document,
) -> Result<ExitCode, Failure> {
    let nodes = nodes(options, document)?;
    let base = sources.get(document.file());
    let result = text(options, document, &base.text, &nodes)?;
    let output = &options.output;
    if output.check || output.diff {
        if output.diff {
            let colour = output.colour(&io::stdout());
            print(diff(&base.name, &base.text, &result, colour).as_bytes())?;
        }
        let differs = output.check && *base.text != *result;
        return Ok(ExitCode::from(u8::from(differs)));
    }
    let bytes = match base.encoding {
        Encoding::Utf16Be | Encoding::Utf16Le if is_base(options) => {
            Cow::Owned(yaml::bytes::bytes(&result, base.encoding))
        }
        Encoding::Utf16Be | Encoding::Utf16Le | Encoding::Utf8 => {
            Cow::Borrowed(result.as_bytes())
        }
    };
    match &output.output {
        Some(path) => write(path, &bytes)?,
        None if !output.in_place => print(&bytes)?,
        None if *base.text != *result => write(Path::new(&options.base()), &bytes)?,
        None => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the result is BASE as a whole, patched, and not made from it.
fn is_base(options: &Interpolate) -> bool {
    let path = options.output.path.as_ref();
    options.format() == Format::Yaml && path.is_none_or(|path| path.tokens.is_empty())
}

/// What is asked for in each document.
fn nodes(options: &Interpolate, document: &mut Document) -> Result<Vec<Node>, Failure> {
    let roots = 0..count(options, document);
    let Some(path) = &options.output.path else {
        return Ok(document.roots()[roots].to_vec());
    };
    let (mut nodes, mut errors) = (Vec::new(), Vec::new());
    for root in roots {
        match apply::find(document, path, root) {
            Ok(node) => nodes.push(node),
            Err(error) => errors.push(*error),
        }
    }
    if errors.is_empty() { Ok(nodes) } else { Err(Failure::input(errors)) }
}

fn text<'d>(
    options: &Interpolate,
    document: &Document,
    base: &'d str,
    nodes: &[Node],
) -> Result<Cow<'d, str>, Failure> {
    match is_base(options) && document.is_clean() && !nodes.is_empty() {
        true => Ok(Cow::Borrowed(base)),
        false => Err(Failure::file("printing is on its way")),
    }
}

/// A unified diff, which `patch` can apply.
fn diff(name: &str, old: &str, new: &str, colour: bool) -> String {
    let plain =
        TextDiff::from_lines(old, new).unified_diff().header(name, name).to_string();
    if !colour {
        return plain;
    }
    let paint = |(i, line): (usize, &str)| {
        let style = match line.as_bytes().first() {
            _ if i < 2 => "\x1b[1m",
            Some(b'@') => "\x1b[36m",
            Some(b'+') => "\x1b[32m",
            Some(b'-') => "\x1b[31m",
            Some(_) | None => return line.to_owned(),
        };
        let text = line.trim_end_matches('\n');
        format!("{style}{text}\x1b[0m{}", &line[text.len()..])
    };
    plain.split_inclusive('\n').enumerate().map(paint).collect()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Os::default().write(path, bytes).map_err(|error| {
        Failure::file(format!("Writing file {}: {}", path.display(), reason(&error)))
    })
}

/// Prints on standard output. A reader that has seen enough is no failure.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let reason = reason(&error);
            Err(Failure::file(format!("Writing to standard output: {reason}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
