//! Variables in documents of a stream that are not filled in.

use hashbrown::HashSet;
use interpolate::unstable::arena::Style;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::source::{Sources, Span};
use interpolate::unstable::variables;

use super::failure::{Failure, warn};
use super::main_options::MainOptions;

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
