//! `--var-errs` and `--var-errs-unused`: what was asked for and not found, what was given
//! and not asked for.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml;

/// What counts as an error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FillOptions {
    /// Variables without a value.
    pub missing: bool,
    /// Values without a use.
    pub unused: bool,
    /// A section `variables:` with something else than definitions. (Other programs have such
    /// a section, too: by default it is left alone.)
    pub section: bool,
    /// Strings that grow beyond so many bytes.
    pub expansion: yaml::Expansion,
}

impl FillOptions {
    /// Whether there is something to ask of a document without variables.
    pub fn asks(&self) -> bool {
        self.missing || self.unused || self.section
    }
}

/// So many places are shown, and so many suggestions.
const MAX_SHOWN: usize = 100;

/// What is said of values that nothing asked for.
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
    Some(near.chain(more).fold(diagnostic, Diagnostic::hint))
}

fn list(title: &str, names: &[&str]) -> Option<String> {
    let lines: String = names.iter().map(|name| format!("\n    - {name}")).collect();
    (!names.is_empty()).then(|| format!("{title}:{lines}"))
}
