//! The rule `shared-node`.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::finding::Finding;
use super::rule::Rule;
use super::trace::{Subject, Trace};
use crate::arena::Index;
use crate::diagnostic::Diagnostic;
use crate::node::{NodeId, Tree};
use crate::patch::Patch;
use crate::source::{FileId, Span};

/// The edits of one node by the ops of one file.
struct Edits {
    /// The path of the first op.
    first: Span,
    /// Number of further ops.
    more: usize,
    /// True if the first op is an argument of the command line.
    is_typed: bool,
    /// The lines of the node and of an alias.
    node: Span,
    alias: Span,
}

/// Returns a finding for each node with an alias that keeps the old value, and each file
/// whose ops edit it without saying what the aliases do.
pub(super) fn find(patch: &Patch, traces: &[(&Subject, Trace)]) -> Vec<Finding> {
    let mut edits: BTreeMap<(FileId, FileId, Index), Edits> = BTreeMap::new();
    for (subject, trace) in traces {
        let mut aliases: HashMap<Index, Option<Index>> = HashMap::new();
        for (op, done) in patch.ops.iter().zip(&trace.ops) {
            let Some(origin) = op.origin else { continue };
            for &node in &done.shared {
                let key = (origin.path.file, subject.tree.file(), node);
                if let Some(edits) = edits.get_mut(&key) {
                    edits.more += 1;
                    continue;
                }
                let alias = aliases.entry(node);
                let alias = alias.or_insert_with(|| kept_alias(&trace.result, node));
                if let Some(alias) = *alias {
                    let [node, alias] = [node, alias]
                        .map(|i| subject.tree.first_line(subject.tree.base().span(i)));
                    let is_typed = op.typed.is_some();
                    let first = origin.path;
                    edits.insert(key, Edits { first, more: 0, is_typed, node, alias });
                }
            }
        }
    }
    edits.into_values().map(finding).collect()
}

/// Returns an alias of a written node that is still as it was written.
fn kept_alias(result: &Tree, node: Index) -> Option<Index> {
    let aliases = result.base().aliases().iter();
    let mut of_node = aliases.filter(|(_, target)| *target == node);
    of_node.find(|(alias, _)| is_in_place(result, *alias)).map(|(alias, _)| *alias)
}

/// Returns true if a written node is where it was written, without an edit.
fn is_in_place(tree: &Tree, i: Index) -> bool {
    let arena = tree.base();
    let file = tree.file();
    let holds = |node: NodeId| {
        let written = tree.origin_of(node).filter(|(of, _)| *of == file);
        written.is_some_and(|(_, at)| (at..arena.next(at)).contains(&i))
    };
    let mut here = tree.roots().iter().copied().find(|&root| holds(root));
    while let Some(NodeId::Opened(id)) = here {
        if tree.origin(id) == Some((file, i)) {
            return false;
        }
        here = tree.children(id).iter().map(|slot| slot.value).find(|&node| holds(node));
    }
    here.is_some()
}

fn finding(Edits { first, more, is_typed, node, alias }: Edits) -> Finding {
    let warning = Diagnostic::warning("this op edits a node that has aliases")
        .at(first)
        .label(node, "the anchor")
        .label(alias, "this alias keeps the old value");
    let more = match more {
        0 => None,
        1 => Some("1 more op of this file edits it".to_owned()),
        count => Some(format!("{count} more ops of this file edit it")),
    };
    let option = if is_typed { "--anchors " } else { "anchors: " };
    let hint = format!(
        "`{option}follow` changes the aliases too, `{option}copy` says that they stay"
    );
    Finding::new(Rule::SharedNode, *warning.hints(more).hint(hint))
}
