//! The main job: reads BASE and ops-files, applies the patch, and prints the result. Several
//! BASEs get the same patch: a file that fails does not keep the others from being patched.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use interpolate::unstable::history::{DocumentHistory, Recorder};
use interpolate::unstable::language;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Sources, Span};
use interpolate::unstable::target::Target;
use interpolate::unstable::variables::Bindings;

use super::draft::Draft;
use super::failure::{Failure, Result, both, print_errors, print_lines, warn};
use super::habits::is_it_ops;
use super::main_options::MainOptions;
use super::options::{ErrorFormat, Question};
use super::output;
use super::read::{InputReader, compile_patches, read_patched, read_variables};
use super::side_output::StoreFile;

pub fn run(options: &MainOptions, sources: &mut Sources) -> Result<ExitCode> {
    options.check_question()?;
    options.check()?;
    warn_of_patterns(options, sources);
    let (draft, store) = draft(options, options.dialect(), sources)?;
    draft.settle(options, store, sources, |mut patched, sources| {
        output::deliver(options, sources, &mut patched)
    })
}

/// Warns about patterns in a query of an option that are no I-Regexp.
fn warn_of_patterns(options: &MainOptions, sources: &mut Sources) {
    let Some(Question { kind, path }) = options.question() else { return };
    let Ok(Target::Query(query)) = path.target(options.format()) else { return };
    if query.pattern_warnings().is_empty() {
        return;
    }
    let text = query.text();
    let file = sources.add(kind.option(), text);
    let place = Span { file, start: 0, end: text.len() as u32 };
    let warnings = query.pattern_warnings().iter();
    let warnings: Vec<_> = warnings.map(|warning| warning.at(Some(place))).collect();
    warn(&warnings, sources, &options.output);
}

/// Returns BASE, patched, and the vars-store.
pub fn draft(
    options: &MainOptions,
    dialect: Option<Dialect>,
    sources: &mut Sources,
) -> Result<(Draft, Option<StoreFile>)> {
    let mut reader = InputReader::new(options, sources)?;
    reader.dialect = dialect;
    let read =
        both(read_patched(&mut reader, &options.base()), read_variables(&mut reader));
    let (read, store) = both(read, reader.store(options.target().as_deref()))?;
    let ((base, patches), given) = read;
    let pipeline = options.pipeline(reader.documents.clone(), Arc::new(given));
    Ok((Draft::new(options, base, &patches, pipeline, sources, None)?, store))
}

/// Returns one of several BASEs, patched, and the vars-store. The ops and the variables were
/// read before.
fn draft_with(
    options: &MainOptions,
    ops: &Patch,
    given: &Arc<Bindings>,
    sources: &mut Sources,
) -> Result<(Draft, Option<StoreFile>)> {
    let mut reader = InputReader::new(options, sources)?;
    let base = reader.base(&options.base());
    let (base, store) = both(base, reader.store(options.target().as_deref()))?;
    let patches = compile_patches(&mut reader, &base, ops.clone())?;
    let pipeline = options.pipeline(reader.documents.clone(), given.clone());
    Ok((Draft::new(options, base, &patches, pipeline, sources, None)?, store))
}

/// Returns the history of BASE, patched, filled in and evaluated, with the documents of the
/// stream that the main job prints.
pub fn recorded(
    options: &MainOptions,
    sources: &mut Sources,
) -> Result<(DocumentHistory, Vec<usize>, Arc<Bindings>)> {
    let mut reader = InputReader::new(options, sources)?;
    let read =
        both(read_patched(&mut reader, &options.base()), read_variables(&mut reader));
    let (((base, patches), given), store) = both(read, reader.store(None))?;
    let given = Arc::new(given);
    let pipeline = options.pipeline(reader.documents.clone(), given.clone());
    let mut recorder = Recorder::default();
    let recording = Some(&mut recorder);
    let draft = Draft::new(options, base, &patches, pipeline, sources, recording)?;
    let patched = draft.fill(options, store, sources, Some(&mut recorder))?;
    Ok((recorder.finish(patched.document), patched.printed, given))
}

/// Maximum number of files that differ and are named.
// A screenful: with more, the number of all tells enough.
const MAX_NAMED: usize = 20;

/// Patches each BASE, and compares or writes it. Returns the exit code of the worst one.
pub fn run_all(options: &mut MainOptions, sources: &mut Sources) -> Result<ExitCode> {
    options.check_question()?;
    options.check()?;
    warn_of_patterns(options, sources);
    let bases: Vec<OsString> = options.bases().cloned().collect();
    let mut reader = InputReader::new(options, sources)?;
    let (ops, given) = both(reader.read_ops(), read_variables(&mut reader))?;
    check_bases(options, &bases, sources)?;
    let given = Arc::new(given);
    let mut worst = 0;
    let mut failed = 0;
    let mut errors = Vec::new();
    let mut differ = Vec::new();
    for base in &bases {
        options.base = Some(base.clone());
        let before = sources.count();
        let asked = &*options;
        let draft = draft_with(asked, &ops, &given, sources);
        let done = draft.and_then(|(draft, store)| {
            draft.settle(asked, store, sources, |mut patched, sources| {
                output::deliver(asked, sources, &mut patched)
            })
        });
        match done {
            Ok(ExitCode::SUCCESS) => {}
            Ok(_) => differ.push(base.display().to_string()),
            Err(failure) => {
                failed += 1;
                worst = worst.max(failure.code);
                if options.output.errors == ErrorFormat::Json {
                    errors.extend(failure.errors(sources));
                } else {
                    failure.of_file(base).report(sources, &options.output);
                }
            }
        }
        options.follows = true;
        // A thousand files are read one after another.
        sources.release(before..sources.count(), &[]);
    }
    let is_told = !options.output.quiet && options.output.errors == ErrorFormat::Human;
    if !errors.is_empty() {
        print_errors(&errors);
    }
    if failed > 0 && is_told {
        print_lines(&[String::new(), failed_count(options, failed, bases.len())]);
    }
    if !differ.is_empty() && is_told {
        let names = differ[..differ.len().min(MAX_NAMED)].join(", ");
        let more = if differ.len() > MAX_NAMED { ", …" } else { "" };
        let count = format!("{} of {} files differ", differ.len(), bases.len());
        print_lines(&[format!("{count}: {names}{more}")]);
    }
    let worst = worst.max(u8::from(!differ.is_empty()));
    Ok(ExitCode::from(worst))
}

/// Returns the number of files that failed, and what became of the others.
fn failed_count(options: &MainOptions, failed: usize, count: usize) -> String {
    let others = count - failed;
    let written = match others {
        _ if !options.output.in_place => String::new(),
        0 => "; none was written".into(),
        1 => "; the other one was patched".into(),
        others => format!("; the other {others} were patched"),
    };
    format!("{failed} of {count} files failed{written}")
}

/// Refuses standard input, and files that look like ops-files, before anything is written.
// A shell expands `-o ops/*.yml` to one ops-file and several BASEs.
fn check_bases(
    options: &MainOptions,
    bases: &[OsString],
    sources: &mut Sources,
) -> Result<()> {
    if bases.iter().any(|base| base == "-") {
        let wrong = "standard input is a BASE of its own: it goes with no other BASE";
        return Err(Failure::usage(wrong));
    }
    let asked = bases.len().saturating_sub(options.after_dashes);
    for base in &bases[..asked] {
        let before = sources.count();
        let mut reader = InputReader::new(options, sources)?;
        if reader.begins_with_item(base)
            && reader.base(base).is_ok_and(|document| language::is_patch(&document))
        {
            return Err(refusal(base));
        }
        sources.release(before..sources.count(), &[]);
    }
    Ok(())
}

fn refusal(base: &OsString) -> Failure {
    let message = is_it_ops(&base.to_string_lossy());
    let hint = "each file needs an -o of its own, or give their folder: a shell reads \
                `-o ops/*.yml` as one ops-file and other BASEs; a BASE that reads as an \
                ops-file stands after `--`";
    Failure::usage(&message).hint(Some(hint.into()))
}
