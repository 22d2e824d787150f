//! The main job: reads BASE and ops-files, applies the patch, and prints the result.

use std::process::ExitCode;

use interpolate::unstable::history::{History, Recorder};
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources, Span};
use interpolate::unstable::target::Target;
use interpolate::unstable::variables::{self, Bindings, FillOptions};

use super::eval;
use super::failure::{Failure, both, warn};
use super::main_options::MainOptions;
use super::output;
use super::patched::{Patched, touched};
use super::read::{InputReader, Patches, read_variables};
use super::side_output::SideOutput;
use super::store_file::StoreFile;

pub fn run(options: &MainOptions, sources: &mut Sources) -> Result<ExitCode, Failure> {
    options.check()?;
    warn_of_patterns(options, sources);
    let mut patched = patched(options, options.dialect(), sources)?;
    output::deliver(options, sources, &mut patched)
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

/// Returns BASE, patched, filled in and evaluated, with the side output.
pub fn patched(
    options: &MainOptions,
    dialect: Option<Dialect>,
    sources: &mut Sources,
) -> Result<Patched, Failure> {
    let mut reader = InputReader::new(&options.input, &options.output, dialect, sources)?;
    let read =
        both(Patches::read(&mut reader, &options.base()), read_variables(&mut reader));
    let ((read, given), store) = both(read, reader.store(options.target().as_deref()))?;
    let world = reader.documents.clone();
    finish(options, read, &given, (store, world), sources, None)
}

/// Returns the history of BASE, patched, filled in and evaluated, with the documents of the
/// stream that the main job prints.
pub fn recorded(
    options: &MainOptions,
    sources: &mut Sources,
) -> Result<(History, Vec<usize>, Bindings), Failure> {
    let (input, output) = (&options.input, &options.output);
    let mut reader = InputReader::new(input, output, options.dialect(), sources)?;
    let read =
        both(Patches::read(&mut reader, &options.base()), read_variables(&mut reader));
    let ((read, given), store) = both(read, reader.store(None))?;
    let world = reader.documents.clone();
    let mut recorder = Recorder::default();
    let patched =
        finish(options, read, &given, (store, world), sources, Some(&mut recorder))?;
    Ok((recorder.finish(patched.document), patched.printed, given))
}

/// Returns one of several BASEs, patched, filled in and evaluated. The ops and the variables
/// were read before.
pub fn patched_with(
    options: &MainOptions,
    ops: &Patch,
    given: &Bindings,
    sources: &mut Sources,
) -> Result<Patched, Failure> {
    let (input, output) = (&options.input, &options.output);
    let mut reader = InputReader::new(input, output, options.dialect(), sources)?;
    let base = reader.base(&options.base());
    let (base, store) = both(base, reader.store(options.target().as_deref()))?;
    let patches = Patches::new(&mut reader, &base, ops.clone())?;
    let world = reader.documents.clone();
    finish(options, (base, patches), given, (store, world), sources, None)
}

fn finish(
    options: &MainOptions,
    (mut document, patches): (Tree, Patches),
    given: &Bindings,
    (mut store, world): (Option<StoreFile>, Os),
    sources: &Sources,
    mut recorder: Option<&mut Recorder>,
) -> Result<Patched, Failure> {
    let (input, output) = (&options.input, &options.output);
    let reach = patches.reach.clone();
    let applied = match &mut recorder {
        None => patches.apply(&mut document, sources)?,
        Some(recorder) => patches.record(&mut document, sources, recorder)?,
    };
    warn(&applied.warnings, sources, output);
    let (roots, printed) = touched(input, &reach, &applied);
    let rules = options.rules();
    let mut unused = Vec::new();
    if !given.is_empty() || store.is_some() || rules.asks() {
        let store = store.as_mut().map(|kept| &mut kept.store);
        // A variable without a `((name))` may be used in a template.
        let now =
            FillOptions { unused: rules.unused && !input.evaluation.is_on(), ..rules };
        let os = Os::default();
        let roots = roots.iter().copied();
        unused = variables::fill(&mut document, roots, given, store, &os, &now)
            .map_err(Failure::input)?;
        if let Some(recorder) = &mut recorder {
            recorder.record_variables(&mut document);
        }
    }
    let mut side = SideOutput { store, session: None };
    if input.evaluation.is_on() {
        let mut session = eval::session(input, world, given)?;
        let filled =
            interpolate::unstable::eval::fill(&mut document, roots, &mut session);
        filled.map_err(|failed| eval::all_raised(&failed, sources))?;
        if let Some(recorder) = recorder {
            recorder.record_templates(&mut document);
        }
        eval::warn_of(&session, sources, output);
        unused.retain(|name| rules.unused && !session.context.is_used(name));
        variables::unused(&unused).map_or(Ok(()), Err)?;
        side.session = Some(session);
    }
    Ok(Patched { document, side, printed })
}
