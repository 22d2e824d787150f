//! A patched document whose variables are still to be filled in.

use std::process::ExitCode;

use hashbrown::HashSet;
use interpolate::unstable::arena::Style;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::history::Recorder;
use interpolate::unstable::job::{Patches, Pipeline};
use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::source::{Sources, Span};
use interpolate::unstable::variables;

use super::eval;
use super::failure::{Failure, Result, warn};
use super::main_options::MainOptions;
use super::options::Format;
use super::output::first_of_several;
use super::read::{InputReader, apply_patches};
use super::side_output::{Patched, SideOutput, StoreFile, Undelivered};

/// Maximum number of times that a vars-store is read, if other runs change it meanwhile.
// Each time one of them has succeeded, and values that are made already are made no more.
const MAX_ATTEMPTS: usize = 100;

/// A patched document whose variables are still to be filled in.
#[derive(Clone)]
pub struct Draft {
    document: Tree,
    /// The documents of the stream to fill in, and those to print.
    roots: Vec<usize>,
    printed: Vec<usize>,
    pipeline: Pipeline,
}

impl Draft {
    /// Patches a document.
    pub fn new(
        options: &MainOptions,
        mut document: Tree,
        patches: &Patches,
        pipeline: Pipeline,
        sources: &Sources,
        recorder: Option<&mut Recorder>,
    ) -> Result<Draft> {
        let is_recorded = recorder.is_some();
        let applied = apply_patches(patches, &mut document, recorder, sources)?;
        warn(&applied.warnings, sources, &options.output);
        let remarks = applied.remarks.iter().map(|remark| remark.diagnostic.clone());
        options.note_once(remarks, sources);
        if options.output.in_place && patches.has_directives() {
            let name = options.base();
            let message =
                format!("-i writes out the directives of '{}'", name.to_string_lossy());
            let hint = "`--no-directives` patches the file as it is, and keeps them";
            warn(&[*Diagnostic::warning(message).hint(hint)], sources, &options.output);
        }
        let input = &options.input;
        let selects = !input.patching.selectors.is_empty() || input.reading.all_documents;
        let mut printed = applied.shown(&patches.reach, selects);
        let is_asked = options.question().is_some();
        if input.reading.all_documents
            && input.patching.selectors.is_empty()
            && options.format() == Format::Json
            && !is_asked
        {
            // JSON shows also the empty documents, which patches pass over.
            printed = (0..document.roots().len()).collect();
        }
        let is_told = applied.names_others || !applied.selected.is_empty();
        if !patches.ops.is_empty() && !selects && !is_told {
            options.note_once(first_of_several(&document).into_iter(), sources);
        }
        let roots = applied.touched(&patches.reach);
        let fills = pipeline.fills(None) || input.variables.vars_store.is_some();
        let prints_all = !is_recorded
            && !selects
            && options.format() != Format::Bosh
            && options.question().is_none();
        if fills && prints_all {
            check_unfilled_documents(options, &document, &roots, sources)?;
        }
        Ok(Draft { document, roots, printed, pipeline })
    }

    /// Fills in the document and delivers it. Begins again with new values of the vars-store
    /// if another run has changed them meanwhile.
    pub fn settle(
        self,
        options: &MainOptions,
        mut store: Option<StoreFile>,
        sources: &mut Sources,
        mut deliver: impl FnMut(
            Patched,
            &mut Sources,
        ) -> std::result::Result<ExitCode, Undelivered>,
    ) -> Result<ExitCode> {
        let mut attempts = 1..MAX_ATTEMPTS;
        while let Some(kept) = store.take_if(|_| attempts.next().is_some()) {
            let patched = self.clone().fill(options, Some(kept), sources, None)?;
            match deliver(patched, sources) {
                Err(Undelivered::Outdated(old)) => {
                    store = Some(reread(options, *old, sources)?);
                }
                done => return done.map_err(Failure::from),
            }
        }
        deliver(self.fill(options, store, sources, None)?, sources).map_err(Failure::from)
    }

    /// Fills in the document, and evaluates its templates.
    pub fn fill(
        self,
        options: &MainOptions,
        mut store: Option<StoreFile>,
        sources: &Sources,
        recorder: Option<&mut Recorder>,
    ) -> Result<Patched> {
        let Draft { mut document, roots, printed, pipeline } = self;
        let generates = store.is_some();
        let kept = store.as_mut().map(|kept| &mut kept.store);
        let finished = pipeline
            .finish(&mut document, &roots, kept, recorder, sources)
            .map_err(Failure::input)?;
        if generates {
            options
                .note_once(note_of_undefined(&finished.undefined).into_iter(), sources);
        }
        if options.output.in_place && finished.is_document_filled {
            let name = options.base();
            let name = name.to_string_lossy();
            let message = format!("-i writes the values of variables into '{name}'");
            let hint =
                "`--output FILE` keeps its ((names)), and writes the values elsewhere";
            warn(&[*Diagnostic::warning(message).hint(hint)], sources, &options.output);
        }
        if let Some(session) = &finished.session {
            eval::warn_of(&session.context.warnings(), sources, &options.output);
        }
        let side = SideOutput { store, session: finished.session, diff: None };
        Ok(Patched { document, side, printed })
    }
}

/// Reads the vars-store anew. Values that were generated before count again, where nothing
/// that they depend on is another one.
fn reread(
    options: &MainOptions,
    old: StoreFile,
    sources: &mut Sources,
) -> Result<StoreFile> {
    let mut new = InputReader::new(options, sources)?.store_at(old.path)?;
    new.store.reuse(old.store);
    Ok(new)
}

/// Maximum number of variables without a definition that are shown.
// Four excerpts fit a screen.
const MAX_SHOWN: usize = 4;

/// Returns a note about variables that a vars-store cannot generate.
fn note_of_undefined(undefined: &[(String, Option<Span>)]) -> Option<Diagnostic> {
    let (name, _) = undefined.first()?;
    let message = match undefined.len() {
        1 => format!("(({name})) has no value, and no definition"),
        count => format!("{count} variables have no value, and no definition"),
    };
    let shown = undefined.iter().take(MAX_SHOWN).filter_map(|(_, place)| *place);
    let note = shown.fold(Diagnostic::note(message), |note, place| note.at(place));
    let definition = format!("`variables: [{{name: {name}, type: password}}]`");
    Some(*note.hint(format!("{definition} in BASE defines one that is generated")))
}

/// Warns if a document of the stream has variables and is not filled in. With `--var-errs`,
/// that is an error.
pub fn check_unfilled_documents(
    options: &MainOptions,
    document: &Tree,
    filled: &[usize],
    sources: &Sources,
) -> Result<()> {
    let filled: HashSet<usize> = filled.iter().copied().collect();
    let mut others = (0..document.roots().len()).filter(|root| !filled.contains(root));
    let variable = others.find_map(|root| Some((root, first_variable(document, root)?)));
    let Some((root, (name, place))) = variable else { return Ok(()) };
    let message = format!("(({name})) in document {} is not filled in", root + 1);
    let hint = "`--all-documents` fills in each document";
    if options.rules().missing {
        return Err(Failure::input([*Diagnostic::error(message).at(place).hint(hint)]));
    }
    warn(&[*Diagnostic::warning(message).at(place).hint(hint)], sources, &options.output);
    Ok(())
}

/// Returns the name and the place of the first variable in a document as it was written.
fn first_variable(document: &Tree, root: usize) -> Option<(String, Option<Span>)> {
    let NodeId::Clean(file, first) = document.roots()[root] else { return None };
    let arena = document.arena(file);
    // The node of an alias was looked at before.
    let mut written =
        (first..arena.next(first)).filter(|&i| arena.style(i) != Style::Alias);
    written.find_map(|i| {
        let node = NodeId::Clean(file, i);
        Some((variables::first_use(document, node)?, document.span(node)))
    })
}
