//! Output: a patched document is printed in the format of the options, and written to
//! standard output or to a file.

use std::io::{self, IoSlice, Write};
use std::process::ExitCode;

use interpolate::unstable::diagnostic::{self, Diagnostic, visible_line};
use interpolate::unstable::diff::unified;
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::{Encoding, Os, Source, Sources, reason};
use interpolate::unstable::yaml;
use interpolate::unstable::yaml::UnplacedComments;

use super::answer::answer;
use super::failure::{Failure, Result, report, unwritable, warn};
use super::main_options::MainOptions;
use super::options::Format;
use super::replacement::prepare;
use super::side_output::{Patched, SideOutput, StoreFile, Undelivered};

/// Prints or writes the result as the options say.
// A changed vars-store is written first: a result with a password that is stored nowhere
// would be lost. `--diff` and `--check` write nothing.
pub fn deliver(
    options: &MainOptions,
    sources: &Sources,
    patched: &mut Patched,
) -> std::result::Result<ExitCode, Undelivered> {
    let side = std::mem::take(&mut patched.side);
    let base = sources.get(patched.document.file());
    note_first(options, sources, &patched.document);
    if let Some(question) = options.question() {
        let answer = answer(options, sources, patched, question)?;
        return put_with(options, &[&answer], side);
    }
    let printed = text(options, patched)?;
    let lost = note_of_unplaced(printed.unplaced_comments());
    warn(lost.as_slice(), sources, &options.output);
    let is_utf16 = matches!(base.encoding, Encoding::Utf16Be | Encoding::Utf16Le);
    if options.output.compares() || is_utf16 && options.format() == Format::Yaml {
        return deliver_text(options, base, &printed.to_string(), side);
    }
    let pieces: Vec<&[u8]> = printed.pieces().map(str::as_bytes).collect();
    put_with(options, &pieces, side)
}

/// Prints or writes a text in the place of BASE as the options say.
pub fn deliver_text(
    options: &MainOptions,
    base: &Source,
    text: &str,
    side: SideOutput,
) -> std::result::Result<ExitCode, Undelivered> {
    if options.output.compares()
        && let Some(code) = compare(options, base, text, side.store.as_ref())?
    {
        return Ok(code);
    }
    let bytes = yaml::bytes::bytes(text, base.encoding);
    let diff = options.output.diff.then(|| shown(options, base, text));
    put_with(options, &[&bytes], SideOutput { diff, ..side })
}

/// Returns the diff of BASE and the result.
fn shown(options: &MainOptions, base: &Source, text: &str) -> String {
    if *base.text == *text {
        return String::new();
    }
    diff(&base.name, &base.text, text, options.output.colour(&io::stdout()))
}

/// Writes the result.
pub fn put(options: &MainOptions, pieces: &[&[u8]]) -> Result<ExitCode> {
    put_with(options, pieces, SideOutput::default()).map_err(Failure::from)
}

/// Writes the result after the side output.
pub fn put_with(
    options: &MainOptions,
    pieces: &[&[u8]],
    mut side: SideOutput,
) -> std::result::Result<ExitCode, Undelivered> {
    // Prepared before one is replaced: a failure leaves both files as they are.
    let output = options.target().map(|path| {
        let mut world = Os::default();
        world.forces = options.input.safety.force;
        // With -i the path was read, and its file is replaced.
        world.writes_open_files = options.output.output.is_some();
        let ready = prepare(&world, &path, &pieces.concat(), false, &options.output);
        ready.map(|ready| (path, ready))
    });
    let output = output.transpose()?;
    side.write_store(&options.output)?;
    // If it cannot be printed, no file is replaced but the vars-store.
    if let Some(diff) = &side.diff {
        print(&[diff.as_bytes()])?;
    }
    side.write_files(&options.output)?;
    match output {
        Some((path, ready)) => ready.commit().map_err(|e| unwritable(&path, &e))?,
        None if options.output.reports_json() => {
            let text = pieces.concat();
            let report = report(Some(&String::from_utf8_lossy(&text)), "Succeeded");
            print(&[report.as_bytes()])?;
        }
        None => print(pieces)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text<'d>(
    options: &MainOptions,
    Patched { document, printed, .. }: &'d Patched,
) -> Result<yaml::Printed<'d>> {
    if options.format() == Format::Yaml {
        return Ok(yaml::print(document));
    }
    let roots = printed.iter().map(|&at| document.roots()[at]);
    // A stream without documents prints no value in JSON, and not a null.
    let all = options.input.reading.all_documents && options.format() == Format::Json;
    let roots = roots.filter(|&root| !(all && document.is_absent(root)));
    let pages = roots.map(|root| match options.format() {
        Format::Json => yaml::json::print(document, root, options.input.expansion()),
        Format::Bosh | Format::Yaml => {
            yaml::go::print(document, root, options.input.expansion())
        }
    });
    let pages: diagnostic::Result<Vec<String>> = pages.collect();
    let between = if options.format() == Format::Json { "" } else { "---\n" };
    pages.map(|pages| pages.join(between).into()).map_err(Failure::from)
}

/// Maximum number of comments without a place that are shown.
// Each takes a few lines; the message has the number of all.
const MAX_SHOWN_COMMENTS: usize = 3;

/// Returns a note about comments that the result has no place for.
fn note_of_unplaced(unplaced: &UnplacedComments) -> Option<Diagnostic> {
    let UnplacedComments { places, others } = unplaced;
    let [comments, are] = match places.len() + others {
        0 => return None,
        1 => ["1 comment has", "is"],
        count => [&*format!("{count} comments have"), "are"],
    };
    let message = format!("{comments} no place in brackets, and {are} left out");
    let shown = places.iter().take(MAX_SHOWN_COMMENTS);
    let note = shown.fold(Diagnostic::note(message), |note, &place| {
        note.label(place, "this is left out")
    });
    Some(*note)
}

/// Returns a note that a run is about the first of several documents.
pub fn first_of_several(document: &Tree) -> Option<Diagnostic> {
    let roots = document.roots();
    let count = roots.iter().filter(|&&root| !document.is_absent(root)).count();
    let message = format!("this is about the first of {count} documents");
    let hint = "`--all-documents` is about each, `--where` about some";
    (count > 1).then(|| *Diagnostic::note(message).hint(hint))
}

/// Notes that a question, or JSON, is about the first document of a stream only.
fn note_first(options: &MainOptions, sources: &Sources, document: &Tree) {
    let input = &options.input;
    let is_chosen = !input.patching.selectors.is_empty() || input.reading.all_documents;
    let leaves_out = options.format() == Format::Json || options.question().is_some();
    if leaves_out && !is_chosen {
        options.note_once(first_of_several(document).into_iter(), sources);
    }
}

/// Returns the exit code if nothing is written: `--diff`, `--check`, or `-i` unchanged.
fn compare(
    options: &MainOptions,
    base: &Source,
    text: &str,
    store: Option<&StoreFile>,
) -> Result<Option<ExitCode>> {
    let output = &options.output;
    let same = *base.text == *text;
    let kept = store.is_none_or(|kept| kept.store.changed().is_none());
    // An unchanged file keeps its time stamp, for build tools.
    let nothing_to_do = output.in_place && same && kept;
    // With -i the diff is printed before the file is replaced.
    let shows = output.diff && !output.in_place;
    if shows {
        print(&[shown(options, base, text).as_bytes()])?;
    }
    let done = shows || output.check || nothing_to_do;
    Ok(done.then(|| ExitCode::from(u8::from(output.check && !same))))
}

/// Returns a unified diff, which `patch` can apply.
fn diff(name: &str, old: &str, new: &str, colour: bool) -> String {
    let name = visible_line(name);
    let plain = unified([&*name; 2], old, new, 3);
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

/// Prints on standard output. A closed pipe is no failure: `head` has read enough.
pub fn print(pieces: &[&[u8]]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    check_printed(write_all(&mut stdout, pieces).and_then(|()| stdout.flush()))
}

/// Writes pieces without joining them, as many as possible in one system call.
// Standard output passes whole lines on to the system without a copy.
fn write_all(out: &mut impl Write, pieces: &[&[u8]]) -> io::Result<()> {
    let mut slices: Vec<_> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    // Empty pieces do not count as progress.
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        match out.write_vectored(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut rest, count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the failure of standard output, unless it is a closed pipe.
pub fn check_printed(printed: io::Result<()>) -> Result<()> {
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let reason = reason(&error);
            Err(Failure::file(format!("Writing to standard output: {reason}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
