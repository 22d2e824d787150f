//! The main job: reads BASE and ops-files, applies the patch, and prints the result.

use std::process::ExitCode;
use std::sync::Arc;

use interpolate::unstable::history::{History, Recorder};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Sources, Span};
use interpolate::unstable::target::Target;
use interpolate::unstable::variables::Bindings;

use super::draft::Draft;
use super::failure::{Failure, both, warn};
use super::main_options::MainOptions;
use super::output;
use super::read::{InputReader, patches, read_patched, read_variables};
use super::store_file::StoreFile;

pub fn run(options: &MainOptions, sources: &mut Sources) -> Result<ExitCode, Failure> {
    options.check()?;
    warn_of_patterns(options, sources);
    let (draft, store) = draft(options, options.dialect(), sources)?;
    draft.settle(options, store, sources, |mut patched, sources| {
        output::deliver(options, sources, &mut patched)
    })
}

/// Warns about patterns in the query of `--path` or `--paths` that are no I-Regexp.
pub fn warn_of_patterns(options: &MainOptions, sources: &mut Sources) {
    let query = match (options.path(), &options.output.paths) {
        (Some(Target::Query(query)), _) => Some(("--path", &**query)),
        (_, Some(query)) => Some(("--paths", query)),
        _ => None,
    };
    let query = query.filter(|(_, query)| !query.pattern_warnings().is_empty());
    let Some((option, query)) = query else { return };
    let text = query.text();
    let file = sources.add(option, text);
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
) -> Result<(Draft, Option<StoreFile>), Failure> {
    let mut reader = InputReader::new(options, sources)?;
    reader.dialect = dialect;
    let read =
        both(read_patched(&mut reader, &options.base()), read_variables(&mut reader));
    let ((read, given), store) = both(read, reader.store(options.target().as_deref()))?;
    let pipeline = options.pipeline(reader.documents.clone(), Arc::new(given));
    Ok((Draft::new(options, read, pipeline, sources, None)?, store))
}

/// Returns one of several BASEs, patched, and the vars-store. The ops and the variables were
/// read before.
pub fn draft_with(
    options: &MainOptions,
    ops: &Patch,
    given: &Arc<Bindings>,
    sources: &mut Sources,
) -> Result<(Draft, Option<StoreFile>), Failure> {
    let mut reader = InputReader::new(options, sources)?;
    let base = reader.base(&options.base());
    let (base, store) = both(base, reader.store(options.target().as_deref()))?;
    let patches = patches(&mut reader, &base, ops.clone())?;
    let pipeline = options.pipeline(reader.documents.clone(), given.clone());
    Ok((Draft::new(options, (base, patches), pipeline, sources, None)?, store))
}

/// Returns the history of BASE, patched, filled in and evaluated, with the documents of the
/// stream that the main job prints.
pub fn recorded(
    options: &MainOptions,
    sources: &mut Sources,
) -> Result<(History, Vec<usize>, Arc<Bindings>), Failure> {
    let mut reader = InputReader::new(options, sources)?;
    let read =
        both(read_patched(&mut reader, &options.base()), read_variables(&mut reader));
    let ((read, given), store) = both(read, reader.store(None))?;
    let given = Arc::new(given);
    let pipeline = options.pipeline(reader.documents.clone(), given.clone());
    let mut recorder = Recorder::default();
    let draft = Draft::new(options, read, pipeline, sources, Some(&mut recorder))?;
    let patched = draft.fill(options, store, sources, Some(&mut recorder))?;
    Ok((recorder.finish(patched.document), patched.printed, given))
}
