//! The generators of [`generate`](super::generate), or their absence in a build without
//! the Cargo feature `generate`.

use super::secret::{ErrorChain, Secret};
use crate::source::World;

#[cfg(feature = "generate")]
use {super::generate::KeySource, std::collections::BTreeMap};

/// Input of the generators, by variable.
#[derive(Default)]
pub(super) struct Generator {
    #[cfg(feature = "generate")]
    sources: BTreeMap<String, KeySource>,
}

/// A variable to be generated: its name, its type and its options.
pub(super) struct GeneratorTask {
    #[cfg_attr(not(feature = "generate"), expect(dead_code, reason = "no key is made"))]
    pub name: String,
    pub kind: String,
    pub options: String,
    /// True if a certificate has the names that one of bosh has.
    #[cfg_attr(not(feature = "generate"), expect(dead_code, reason = "no key is made"))]
    pub names_of_bosh: bool,
}

impl Generator {
    /// Makes the keys of some variables on all cores. The options may still have uses of
    /// other variables, if the length of the key does not depend on them.
    #[cfg(feature = "generate")]
    pub(super) fn make_keys(
        &mut self,
        tasks: Vec<GeneratorTask>,
        world: &dyn World,
        tell: &mut dyn FnMut(usize, usize),
    ) {
        let mut all = Vec::new();
        for GeneratorTask { name, kind, options, .. } in tasks {
            if let Some(bits) = super::generate::key_length(&kind, &options) {
                // The generator reports a failure.
                let Ok(moment) = world.moment() else { return };
                all.push((name, KeySource::new(moment), bits));
            }
        }
        let tasks = all.iter_mut().map(|(_, source, bits)| (source, *bits)).collect();
        super::generate::make_keys(tasks, tell);
        self.sources.extend(all.into_iter().map(|(name, source, _)| (name, source)));
    }

    #[cfg(not(feature = "generate"))]
    pub(super) fn make_keys(
        &mut self,
        _: Vec<GeneratorTask>,
        _: &dyn World,
        _: &mut dyn FnMut(usize, usize),
    ) {
    }

    /// Generates the value of a variable at this time, from unpredictable bytes.
    #[cfg(feature = "generate")]
    pub(super) fn generate(
        &mut self,
        GeneratorTask { name, kind, options, names_of_bosh }: &GeneratorTask,
        world: &dyn World,
        find: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
    ) -> Result<Secret, ErrorChain> {
        let mut source = match self.sources.remove(name) {
            Some(source) => source,
            None => KeySource::new(
                world.moment().map_err(|error| vec![error.to_string().into()])?,
            ),
        };
        source.names_of_bosh = *names_of_bosh;
        super::generate::generate(&mut source, kind, options, find)
    }

    /// Fails: there are no generators.
    #[cfg(not(feature = "generate"))]
    pub(super) fn generate(
        &mut self,
        GeneratorTask { kind, .. }: &GeneratorTask,
        _: &dyn World,
        _: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
    ) -> Result<Secret, ErrorChain> {
        let why = "this build has no generators: it lacks the Cargo feature 'generate'";
        Err(vec![format!("Generating a value of type '{kind}'").into(), why.into()])
    }
}
