//! A patched document whose variables are still to be filled in.

use std::ffi::OsStr;
use std::process::ExitCode;
use std::rc::Rc;

use hashbrown::HashSet;
use interpolate::unstable::arena::Style;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::eval as evaluation;
use interpolate::unstable::history::Recorder;
use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::source::{Os, Sources, Span};
use interpolate::unstable::variables::{self, Bindings, FillOptions};

use super::eval;
use super::failure::{Failure, warn};
use super::main_options::MainOptions;
use super::options::Format;
use super::read::{InputReader, Patches};
use super::side_output::{Patched, SideOutput, Undelivered};
use super::store_file::StoreFile;

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
    given: Rc<Bindings>,
    /// The world of what documents name.
    world: Os,
}

impl Draft {
    /// Patches a document.
    pub fn new(
        options: &MainOptions,
        (mut document, patches): (Tree, Patches),
        (given, world): (Rc<Bindings>, Os),
        sources: &Sources,
        recorder: Option<&mut Recorder>,
    ) -> Result<Draft, Failure> {
        let (reach, expands) = (patches.reach.clone(), patches.expands());
        let is_recorded = recorder.is_some();
        let applied = match recorder {
            None => patches.apply(&mut document, sources)?,
            Some(recorder) => patches.record(&mut document, sources, recorder)?,
        };
        warn(&applied.warnings, sources, &options.output);
        if options.output.in_place && expands {
            warn(&[directives_warning(&options.base())], sources, &options.output);
        }
        let input = &options.input;
        let selects = !input.patching.selectors.is_empty() || input.reading.all_documents;
        let printed = applied.shown(&reach, selects);
        let roots = applied.touched(&reach);
        let fills = !given.is_empty()
            || input.variables.vars_store.is_some()
            || options.rules().asks();
        let prints_all = !is_recorded
            && !selects
            && options.format() != Format::Bosh
            && options.path().is_none()
            && options.output.paths.is_none();
        if fills && prints_all {
            check_unfilled_documents(options, (&document, &roots), sources)?;
        }
        Ok(Draft { document, roots, printed, given, world })
    }

    /// Fills in the document and delivers it. Begins again with new values of the vars-store
    /// if another run has changed them meanwhile.
    pub fn settle(
        self,
        options: &MainOptions,
        mut store: Option<StoreFile>,
        sources: &mut Sources,
        mut deliver: impl FnMut(Patched, &mut Sources) -> Result<ExitCode, Undelivered>,
    ) -> Result<ExitCode, Failure> {
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
        let patched = self.fill(options, store, sources, None)?;
        deliver(patched, sources).map_err(Failure::from)
    }

    /// Fills in the document, and evaluates its templates.
    pub fn fill(
        self,
        options: &MainOptions,
        mut store: Option<StoreFile>,
        sources: &Sources,
        mut recorder: Option<&mut Recorder>,
    ) -> Result<Patched, Failure> {
        let Draft { mut document, roots, printed, given, world } = self;
        let (input, rules) = (&options.input, options.rules());
        let mut unused = Vec::new();
        if !given.is_empty() || store.is_some() || rules.asks() {
            let store = store.as_mut().map(|kept| &mut kept.store);
            // A variable without a `((name))` may be used in a template.
            let now = FillOptions {
                unused: rules.unused && !input.evaluation.is_on(),
                ..rules
            };
            let (os, roots) = (Os::default(), roots.iter().copied());
            let written = options.output.in_place.then(|| document.clone());
            unused = variables::fill(&mut document, roots, &given, store, &os, &now)
                .map_err(Failure::input)?;
            if written.is_some_and(|written| variables::is_filled_in(&written, &document))
            {
                warn(&[values_warning(&options.base())], sources, &options.output);
            }
            if let Some(recorder) = &mut recorder {
                recorder.record_variables(&mut document);
            }
        }
        let mut side = SideOutput { store, session: None };
        if input.evaluation.is_on() {
            let mut session = eval::session(input, world, &given)?;
            let filled = evaluation::fill(&mut document, roots, &mut session);
            filled.map_err(|failed| eval::all_raised(&failed, sources))?;
            if let Some(recorder) = recorder {
                recorder.record_templates(&mut document);
            }
            eval::warn_of(&session, sources, &options.output);
            unused.retain(|name| rules.unused && !session.context.is_used(name));
            variables::unused(&unused).map_or(Ok(()), Err)?;
            side.session = Some(session);
        }
        Ok(Patched { document, side, printed })
    }
}

/// Returns the warning of `-i` about a file whose directives are replaced by what they give.
fn directives_warning(base: &OsStr) -> Diagnostic {
    let name = base.to_string_lossy();
    let message = format!("-i writes out the directives of '{name}'");
    let hint = "`--no-directives` patches the file as it is, and keeps them";
    *Diagnostic::warning(message).hint(hint)
}

/// Returns the warning of `-i` about a file whose variables are replaced by their values.
fn values_warning(base: &OsStr) -> Diagnostic {
    let name = base.to_string_lossy();
    let message = format!("-i writes the values of variables into '{name}'");
    let hint = "`--output FILE` keeps its ((names)), and writes the values elsewhere";
    *Diagnostic::warning(message).hint(hint)
}

/// Reads the vars-store anew. Values that were generated before count again, where nothing
/// that they depend on is another one.
fn reread(
    options: &MainOptions,
    old: StoreFile,
    sources: &mut Sources,
) -> Result<StoreFile, Failure> {
    let (input, output) = (&options.input, &options.output);
    let mut reader = InputReader::new(input, output, options.dialect(), sources)?;
    let mut new = reader.store_at(old.path().to_owned())?;
    new.store.reuse(old.store);
    Ok(new)
}

/// Warns if a document of the stream has variables and is not filled in. With `--var-errs`,
/// that is an error.
pub fn check_unfilled_documents(
    options: &MainOptions,
    (document, filled): (&Tree, &[usize]),
    sources: &Sources,
) -> Result<(), Failure> {
    let filled: HashSet<usize> = filled.iter().copied().collect();
    let mut others = (0..document.roots().len()).filter(|root| !filled.contains(root));
    let variable = others.find_map(|root| Some((root, first_variable(document, root)?)));
    let Some((root, (name, place))) = variable else { return Ok(()) };
    let message = format!("(({name})) in document {} is not filled in", root + 1);
    let hint = "`--all-documents` fills in each document";
    if options.rules().missing {
        let error = Diagnostic::error(message).at(place).hint(hint);
        return Err(Failure::input([*error]));
    }
    let warning = Diagnostic::warning(message).at(place).hint(hint);
    warn(&[*warning], sources, &options.output);
    Ok(())
}

/// Returns the name and the place of the first variable in a document as it was written.
fn first_variable(document: &Tree, root: usize) -> Option<(String, Option<Span>)> {
    let NodeId::Clean(file, first) = document.roots()[root] else { return None };
    let arena = document.arena(file);
    // What an alias stands for was looked at before.
    let mut written =
        (first..arena.next(first)).filter(|&i| arena.style(i) != Style::Alias);
    written.find_map(|i| {
        let node = NodeId::Clean(file, i);
        Some((variables::first_use(document, node)?, document.span(node)))
    })
}
