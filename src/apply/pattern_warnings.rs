//! Warnings about patterns in the queries and selectors of ops.

use crate::diagnostic::Diagnostic;
use crate::patch::{Content, Edit, Op};
use crate::target::Target;

/// Maximum number of warnings: a generated patch may have the same pattern in each op.
// The command line prints as many diagnostics.
const MAX_WARNINGS: usize = 100;

/// Returns warnings about patterns that are no I-Regexp, each at the path or the selector
/// that it stands in.
pub(super) fn pattern_warnings(ops: &[Op]) -> Vec<Diagnostic> {
    ops.iter().flat_map(of_op).take(MAX_WARNINGS).collect()
}

fn of_op(op: &Op) -> impl Iterator<Item = Diagnostic> + '_ {
    let from = match &op.edit {
        Edit::Add(content) | Edit::Combine(content, _) => match content {
            Content::Copied(from) | Content::Moved(from) => Some(from),
            Content::Written(_) => None,
        },
        _ => None,
    };
    let path = op.origin.map(|origin| origin.path);
    let span = op.origin.map(|origin| origin.span);
    let targets = std::iter::once((&op.at, path)).chain(from.map(|from| (from, span)));
    let of_targets = targets.flat_map(|(target, place)| {
        let query = match target {
            Target::Query(query) => Some(query),
            Target::Pointer(_) | Target::Json(_) => None,
        };
        query.into_iter().flat_map(move |query| {
            query.pattern_warnings().iter().map(move |warning| warning.at(place))
        })
    });
    let selectors = op.only.iter().flat_map(|selector| selector.pattern_warnings());
    of_targets.chain(selectors)
}
