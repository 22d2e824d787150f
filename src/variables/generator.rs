//! The generators of [`generate`](super::generate), or their absence in a build without
//! the Cargo feature `generate`.

use super::secret::{ErrorChain, Secret};
use crate::source::World;

/// Generates the value of a variable at this time, from unpredictable bytes.
#[cfg(feature = "generate")]
pub(super) fn generate(
    kind: &str,
    options: &str,
    world: &dyn World,
    find: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
) -> Result<Secret, ErrorChain> {
    let moment = world.moment().map_err(|error| vec![error.to_string().into()])?;
    super::generate::generate(kind, options, moment, find)
}

/// Fails: there are no generators.
#[cfg(not(feature = "generate"))]
pub(super) fn generate(
    kind: &str,
    _: &str,
    _: &dyn World,
    _: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
) -> Result<Secret, ErrorChain> {
    let why = "this build has no generators: it lacks the Cargo feature 'generate'";
    Err(vec![format!("Generating a value of type '{kind}'").into(), why.into()])
}
