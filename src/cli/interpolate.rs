//! The main job: reads BASE and ops-files, applies the patch, and prints the result.

use std::process::ExitCode;

use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{self, FillOptions};

use super::eval;
use super::failure::{Failure, both, warn};
use super::main_options::MainOptions;
use super::output::{self, SideOutput};
use super::read::InputReader;

pub fn run(options: &MainOptions, sources: &mut Sources) -> Result<ExitCode, Failure> {
    options.check()?;
    let (mut document, side) = patched(options, options.dialect(), sources)?;
    output::deliver(options, sources, &mut document, side)
}

/// Returns BASE, patched, filled in and evaluated, with the side output.
pub fn patched(
    options: &MainOptions,
    dialect: Option<Dialect>,
    sources: &mut Sources,
) -> Result<(Tree, SideOutput), Failure> {
    let (input, output) = (&options.input, &options.output);
    let mut reader = InputReader::new(input, output, dialect, sources)?;
    let read = both(reader.read(&options.base()), reader.given());
    let (((mut document, patches), given), mut store) =
        both(read, reader.store(options.target().as_deref()))?;
    let (roots, world) = (input.roots(&document), reader.world.clone());
    let warnings = patches.apply(&mut document, &roots, sources)?;
    warn(&warnings, sources, output);
    let rules = options.rules();
    let mut unused = Vec::new();
    if !given.is_empty() || store.is_some() || rules.asks() {
        let store = store.as_mut().map(|kept| &mut kept.store);
        // A variable without a `((name))` may be used in a template.
        let now =
            FillOptions { unused: rules.unused && !input.evaluation.is_on(), ..rules };
        let os = Os::default();
        unused = variables::fill(&mut document, roots.clone(), &given, store, &os, &now)
            .map_err(Failure::input)?;
    }
    let mut side = SideOutput { store, session: None };
    if input.evaluation.is_on() {
        let mut session = eval::session(input, world, &given)?;
        let filled =
            interpolate::unstable::eval::fill(&mut document, roots, &mut session);
        filled.map_err(|failed| eval::all_raised(&failed, sources))?;
        eval::warn_of(&session, sources, output);
        unused.retain(|name| rules.unused && !session.context.is_used(name));
        variables::unused(&unused).map_or(Ok(()), Err)?;
        side.session = Some(session);
    }
    Ok((document, side))
}
