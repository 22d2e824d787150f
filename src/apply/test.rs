//! `type: test`, and `test` of a JSON Patch.

use super::failure::{Failure, describe};
use crate::compare::is_json_equal;
use crate::node::{NodeId, Tree};
use crate::patch::{Expect, Op};

/// Checks a node that was found. `depth` is the number of tokens of the path.
pub(super) fn check(
    document: &Tree,
    op: &Op,
    expect: Expect,
    found: NodeId,
    depth: usize,
) -> Result<(), Failure> {
    let first_line = |node| document.span(node).map(|span| document.first_line(span));
    let is_met = match expect {
        Expect::Equal(value) => document.equal(found, value),
        Expect::EqualJson(value) => {
            // The value has an end: no limit of steps is needed.
            is_json_equal(document, found, value, &mut u64::MAX.clone())
        }
        Expect::Null => document.is_null(found),
        Expect::Absent => {
            let message = format!("Expected to not find '{}'", op.at);
            return Err(
                Failure::new(message, depth).label(first_line(found), "this is here")
            );
        }
    };
    if is_met {
        return Ok(());
    }
    let label = |verb: &str, node| match describe(document, node) {
        Some(name) => format!("{verb} {name}"),
        None => format!("{verb} this"),
    };
    let failure = Failure::new("Found value does not match expected value".into(), depth);
    let failure = match expect {
        Expect::Equal(value) | Expect::EqualJson(value) => {
            failure.label(first_line(value), label("expected", value))
        }
        Expect::Null | Expect::Absent => {
            failure.hint(Some("`absent: false` without a value expects null".into()))
        }
    };
    Err(failure.label(first_line(found), label("found", found)))
}
