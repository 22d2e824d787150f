//! `--var-errs` and `--var-errs-unused`: missing values and unused ones.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml;

/// The conditions that are errors, and the limits of filling in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FillOptions {
    /// Variables without a value are errors.
    pub missing: bool,
    /// Values without a use are errors.
    pub unused: bool,
    /// Something else than definitions in the section `variables:` is an error. Other
    /// programs have such a section too: by default it is left alone.
    pub section: bool,
    /// The maximum size of a string.
    pub expansion: yaml::Expansion,
}

impl FillOptions {
    /// Returns true if a document without variables has to be checked as well.
    pub fn asks(&self) -> bool {
        self.missing || self.unused || self.section
    }
}

/// Maximum number of places and of suggestions in an error.
// A suggestion takes time for each value; more than a screenful is not read.
const MAX_SHOWN: usize = 100;

/// Returns the error for values without a use.
pub fn unused(names: &[String]) -> Option<Box<Diagnostic>> {
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    list("Expected to use variables", &names).map(Diagnostic::error)
}

pub(super) fn missing(
    missing: &BTreeMap<(String, String), Vec<Span>>,
    near: impl Fn(&str) -> Option<String>,
) -> Option<Box<Diagnostic>> {
    let mut names: Vec<&str> = missing.keys().map(|(variable, _)| &**variable).collect();
    names.dedup();
    let diagnostic = Diagnostic::error(list("Expected to find variables", &names)?);
    let mut places: Vec<(Span, &String)> = missing
        .iter()
        .flat_map(|((_, name), spans)| spans.iter().map(move |&span| (span, name)))
        .collect();
    places.sort_by_key(|(span, _)| (span.file.0, span.start));
    let diagnostic = places.iter().take(MAX_SHOWN).fold(diagnostic, |d, (span, name)| {
        d.label(*span, format!("'{name}' has no value"))
    });
    let more = places.len().saturating_sub(MAX_SHOWN);
    let more = (more > 0).then(|| format!("{more} more places are not shown"));
    let near = names.into_iter().take(MAX_SHOWN).filter_map(near);
    Some(diagnostic.hints(near.chain(more)))
}

fn list(title: &str, names: &[&str]) -> Option<String> {
    let lines: String = names.iter().map(|name| format!("\n    - {name}")).collect();
    (!names.is_empty()).then(|| format!("{title}:{lines}"))
}
