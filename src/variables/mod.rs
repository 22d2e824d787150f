//! Variables: fills in the `((names))` of a patched document with the values of a run,
//! and puts them back into an edited copy.
//!
//! The rules are those of `bosh interpolate`. Where bosh depends on chance, such as the
//! order of a map, the result here is always the same.

mod added_code;
mod bindings;
mod definition;
mod edited_copy;
mod fill;
#[cfg(feature = "generate")]
pub mod generate;
mod generator;
mod respell;
mod secret;
mod store;
mod syntax;
mod template;
mod used_values;
mod value_search;

use crate::diagnostic::Diagnostics;
use crate::node::{Seat, Tree};
use crate::pointer::{Pointer, Token};
use crate::source::{Span, World};

pub use added_code::AddedCode;
pub use bindings::Bindings;
pub use definition::{FillOptions, unused};
pub use edited_copy::{
    RestoredPlaceholders, RestoredUses, overwritten_placeholders, overwritten_templates,
    restore_placeholders,
};
pub use respell::respelled;
pub use secret::{ErrorChain, ErrorLine, Secret};
pub use store::{Store, Tell};
pub use syntax::{Use, first_use, uses};
pub use template::{EvaluationOutcome, RestoredTemplates, TemplateRestorer};
pub use used_values::UsedValues;

use fill::VariableLookup;

/// The outcome of filling in.
#[derive(Debug, Default)]
pub struct Filled {
    /// The names of values without a use.
    pub unused: Vec<String>,
    /// True if a text that the document has in its own file was filled in.
    pub is_document_changed: bool,
    /// The names of variables that have neither a value nor a definition, with a place each.
    pub undefined: Vec<(String, Option<Span>)>,
}

/// Fills in the given documents of the stream.
///
/// # Errors
/// All problems of the run. The document is unusable then.
pub fn fill(
    document: &mut Tree,
    roots: impl IntoIterator<Item = usize>,
    given: &Bindings,
    store: Option<&mut Store>,
    world: &dyn World,
    rules: &FillOptions,
) -> Result<Filled, Diagnostics> {
    let given = given.nodes(document)?;
    let mut lookup = VariableLookup::new(document, given, store, world, rules);
    let mut unread = false;
    for root in roots {
        let definitions = match definition::read(lookup.document, root, rules) {
            Ok(definitions) => definitions,
            Err(problem) => {
                lookup.problems.push(*problem);
                unread = true;
                continue;
            }
        };
        lookup.define(&definitions);
        lookup.make_keys(&definitions);
        for definition in definitions.iter().filter(|it| !it.kind.is_empty()) {
            lookup.value_of(definition);
        }
        fill::fill(&mut lookup, Seat::Root(root));
        // Every definition is looked up, with or without a use.
        let found = definitions.into_iter().filter(|it| lookup.defined(it));
        let found: Vec<String> = found.map(|definition| definition.name).collect();
        for name in found {
            if let Err(diagnostic) = forget(lookup.document, root, name) {
                lookup.problems.push(*diagnostic);
            }
        }
    }
    let mut problems = std::mem::take(&mut lookup.problems);
    // A document that was not filled in may have any uses.
    if !unread {
        problems.extend(lookup.check());
    }
    let is_document_changed = lookup.is_document_changed;
    let undefined = lookup.undefined();
    let unused = lookup.unused();
    Diagnostics(problems).or(Filled { unused, is_document_changed, undefined })
}

/// Removes the definition of a variable that has its value: bosh does not print it.
fn forget(
    document: &mut Tree,
    root: usize,
    name: String,
) -> crate::diagnostic::Result<()> {
    let item = Token::Match { key: "name".into(), value: name, modifiers: Vec::new() };
    let tokens = vec![Token::Key("variables".into()), item];
    crate::apply::remove(document, &Pointer { required: tokens.len(), tokens }, root)
}
