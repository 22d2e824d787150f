//! The main job: reads BASE and ops-files, applies the patch, and prints the result.

use std::process::ExitCode;

use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions};

use super::eval;
use super::failure::{Failure, both, warn};
use super::main_options::MainOptions;
use super::output;
use super::patched::{Patched, touched};
use super::read::{InputReader, Patches};
use super::side_output::SideOutput;
use super::store_file::StoreFile;

pub fn run(options: &MainOptions, sources: &mut Sources) -> Result<ExitCode, Failure> {
    options.check()?;
    let mut patched = patched(options, options.dialect(), sources)?;
    output::deliver(options, sources, &mut patched)
}

/// Returns BASE, patched, filled in and evaluated, with the side output.
pub fn patched(
    options: &MainOptions,
    dialect: Option<Dialect>,
    sources: &mut Sources,
) -> Result<Patched, Failure> {
    let mut reader = InputReader::new(&options.input, &options.output, dialect, sources)?;
    let read = both(reader.read(&options.base()), reader.given());
    let ((read, given), store) = both(read, reader.store(options.target().as_deref()))?;
    let world = reader.world.clone();
    finish(options, read, &given, (store, world), sources)
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
    let patches = reader.patches(&base, ops.clone())?;
    let world = reader.world.clone();
    finish(options, (base, patches), given, (store, world), sources)
}

fn finish(
    options: &MainOptions,
    (mut document, patches): (Tree, Patches),
    given: &Bindings,
    (mut store, world): (Option<StoreFile>, Os),
    sources: &Sources,
) -> Result<Patched, Failure> {
    let (input, output) = (&options.input, &options.output);
    let reach = patches.reach.clone();
    let applied = patches.apply(&mut document, sources)?;
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
    }
    let mut side = SideOutput { store, session: None };
    if input.evaluation.is_on() {
        let mut session = eval::session(input, world, given)?;
        let filled =
            interpolate::unstable::eval::fill(&mut document, roots, &mut session);
        filled.map_err(|failed| eval::all_raised(&failed, sources))?;
        eval::warn_of(&session, sources, output);
        unused.retain(|name| rules.unused && !session.context.is_used(name));
        variables::unused(&unused).map_or(Ok(()), Err)?;
        side.session = Some(session);
    }
    Ok(Patched { document, side, printed })
}
