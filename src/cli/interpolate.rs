//! The main job: BASE and ops-files are read, the patch is applied, the result is
//! printed.

use std::process::ExitCode;

use interpolate::apply;
use interpolate::source::Sources;

use super::failure::Failure;
use super::option::Interpolate;
use super::output;
use super::read::Reader;

/// Does it.
pub(crate) fn run(
    options: &Interpolate,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    options.check()?;
    let (mut document, patch) = Reader::new(options, sources)?.read()?;
    let roots = 0..output::count(options, &document);
    let ops = (&patch.ops[..], roots.len());
    apply::apply(&patch, &mut document, roots).map_err(|d| Failure::ops(d, ops))?;
    output::deliver(options, sources, &mut document)
}
