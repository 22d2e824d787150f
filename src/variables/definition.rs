//! The definitions in the `variables:` section of a document, and the conditions under which they
//! and their values are errors (`--var-errs`, `--var-errs-unused`).
// bosh prints the document and reads it again: line numbers in its messages count in the
// printed text, and so do these.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Result};
use crate::language::{TypeMismatch, mismatch_message, text, unmarshal_list};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Dialect;
use crate::source::{Sources, Span};
use crate::yaml;

#[derive(Clone, Debug, Default)]
pub(super) struct Definition {
    pub name: String,
    pub kind: String,
    /// The options of its type, a node of the document.
    pub options: Option<NodeId>,
    pub place: Option<Span>,
    /// True if it has a field that definitions do not have.
    foreign: bool,
}

/// Reads the section of a document of the stream, if it has one.
pub(super) fn read(
    document: &Tree,
    root: usize,
    rules: &FillOptions,
) -> Result<Vec<Definition>> {
    let root = document.roots()[root];
    let section = match document.kind(root) {
        Kind::Mapping => document.get(root, "variables"),
        Kind::Sequence | Kind::Scalar => None,
    };
    // bosh prints and reads the whole document, where a key `<<` merges.
    if rules.section
        && document.dialect() == Dialect::Go
        && document.get(root, "<<").is_some()
    {
        print(document, root, rules)?;
    }
    let Some(section) = section else { return Ok(Vec::new()) };
    let printed = print(document, section, rules)?;
    let (mut definitions, misfits) = definitions(&printed, printed.root());
    if !misfits.is_empty() && !rules.section {
        return Ok(Vec::new());
    }
    if !misfits.is_empty() {
        let place = wrong_item(document, section, &printed, &misfits);
        let whole = print(document, root, rules)?;
        let section = whole.get(whole.root(), "variables").unwrap_or(whole.root());
        let (_, misfits) = self::definitions(&whole, section);
        return Err(Diagnostic::error(mismatch_message(&whole, &misfits)).at(place));
    }
    for (definition, item) in definitions.iter_mut().zip(document.items(section)) {
        definition.options =
            document.get(item, "options").filter(|&it| !document.is_null(it));
        definition.place = document.span(item).map(|span| document.first_line(span));
    }
    // Other programs have lists of entries with a `name` too.
    definitions.retain(|definition| rules.section || !definition.foreign);
    Ok(definitions)
}

/// Returns the place of the first item that does not fit, or of the whole section.
fn wrong_item(
    document: &Tree,
    section: NodeId,
    printed: &Tree,
    misfits: &[TypeMismatch],
) -> Option<Span> {
    let at = misfits.iter().map(|misfit| misfit.place.start).min()?;
    let items = printed.items(printed.root()).into_iter();
    let spans = items.map_while(|item| printed.span(item));
    let item = spans.take_while(|span| span.start <= at).count().checked_sub(1).and_then(
        |last| document.items(section).get(last).and_then(|&item| document.span(item)),
    );
    Some(document.first_line(item.or_else(|| document.span(section))?))
}

/// Returns a value as bosh prints it and reads it again.
fn print(document: &Tree, value: NodeId, rules: &FillOptions) -> Result<Tree> {
    let mut sources = Sources::default();
    let file =
        sources.add("variables", yaml::go::print(document, value, rules.expansion)?);
    let options = yaml::Options { dialect: Dialect::Go, ..yaml::Options::default() };
    yaml::read(&sources, file, &options).map_err(|mut error| {
        // No other text has these places.
        error.labels.clear();
        error
    })
}

fn definitions(printed: &Tree, section: NodeId) -> (Vec<Definition>, Vec<TypeMismatch>) {
    unmarshal_list(
        printed,
        section,
        ["[]template.VariableDefinition", "template.VariableDefinition"],
        |_, _| Definition::default(),
        Definition::field,
    )
}

impl Definition {
    fn field(
        &mut self,
        printed: &Tree,
        key: NodeId,
        value: NodeId,
    ) -> std::result::Result<(), TypeMismatch> {
        let given = !printed.is_null(value);
        match &*text(printed, key)? {
            "name" if given => self.name = text(printed, value)?.into_owned(),
            "type" if given => self.kind = text(printed, value)?.into_owned(),
            "name" | "type" | "options" | "consumes" | "update_mode" => {}
            _ => self.foreign = true,
        }
        Ok(())
    }
}

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
    /// Certificates name the country and the organization that those of bosh name.
    pub names_of_bosh: bool,
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
    Some(diagnostic.hints(names.into_iter().take(MAX_SHOWN).filter_map(near).chain(more)))
}

fn list(title: &str, names: &[&str]) -> Option<String> {
    let lines: String = names.iter().map(|name| format!("\n    - {name}")).collect();
    (!names.is_empty()).then(|| format!("{title}:{lines}"))
}
