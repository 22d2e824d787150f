//! Reads nodes as the Go types that yaml.v2 unmarshals them into, and writes its message
//! about those that do not fit.

use std::borrow::Cow;

use crate::arena::Style;
use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::yaml;

/// A node that does not fit the Go type it is unmarshalled into.
pub(crate) struct TypeMismatch {
    /// The reason, in the words of yaml.v2.
    pub(crate) why: String,
    pub(crate) place: Span,
    pub(crate) hint: Option<&'static str>,
}

/// Maximum number of mismatches in one message: a text may be no list at all.
pub(super) const MAX_REPORTED_MISMATCHES: usize = 1_000;

/// Returns yaml.v2's message about all mismatches of a text.
pub(crate) fn mismatch_message(document: &Tree, mismatches: &[TypeMismatch]) -> String {
    let text = document.base().text();
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |span: &Span| 1 + breaks.partition_point(|&at| at < span.start as usize);
    let (shown, more) =
        mismatches.split_at(mismatches.len().min(MAX_REPORTED_MISMATCHES));
    let more =
        (!more.is_empty()).then(|| format!("\n  and {} more", more.len())).into_iter();
    let lines =
        shown.iter().map(|it| format!("\n  line {}: {}", line(&it.place), it.why));
    format!("yaml: unmarshal errors:{}", lines.chain(more).collect::<String>())
}

/// Returns the error that `root` is no file of variables, without quoting its values.
pub(crate) fn check_static_variables(
    file: &Tree,
    root: NodeId,
) -> Option<Box<Diagnostic>> {
    let (node, wanted) = match file.kind(root) {
        Kind::Mapping => {
            let mut keys = file.pairs(root).into_iter().map(|(key, _)| key);
            (keys.find(|&key| file.kind(key) != Kind::Scalar)?, "string")
        }
        Kind::Scalar if file.is_null(root) => return None,
        Kind::Scalar | Kind::Sequence => (root, "template.StaticVariables"),
    };
    let mut mismatch = mismatch(file, node, wanted);
    mismatch.why = yaml::hide(&mismatch.why);
    let place = mismatch.place;
    Some(Diagnostic::error(mismatch_message(file, &[mismatch])).at(place))
}

/// Reads a scalar of any type as text.
pub(crate) fn text(
    document: &Tree,
    node: NodeId,
) -> std::result::Result<Cow<'_, str>, TypeMismatch> {
    match document.kind(node) {
        Kind::Scalar => Ok(document.text_of(node)),
        Kind::Sequence | Kind::Mapping => Err(mismatch(document, node, "string")),
    }
}

pub(super) fn boolean(
    document: &Tree,
    node: NodeId,
) -> std::result::Result<bool, TypeMismatch> {
    match document.scalar(node) {
        Scalar::Bool(value) => Ok(value),
        _ => Err(mismatch(document, node, "bool")),
    }
}

/// Returns true if yaml.v2 leaves a Go pointer to `node` unset: for a null, but not one
/// that is spelled `Null` or `NULL`.
pub(super) fn is_unset(document: &Tree, node: NodeId) -> bool {
    document.is_null(node)
        && match document.follow(node) {
            NodeId::Clean(file, i) => {
                let arena = document.arena(file);
                arena.style(i) != Style::Plain || !matches!(arena.raw(i), "Null" | "NULL")
            }
            NodeId::Opened(_) => true,
        }
}

pub(crate) fn mismatch(document: &Tree, node: NodeId, wanted: &str) -> TypeMismatch {
    let tag = match document.kind(node) {
        Kind::Sequence => "!!seq".to_owned(),
        Kind::Mapping => "!!map".to_owned(),
        Kind::Scalar => {
            let tag = match document.scalar(node) {
                Scalar::Null => "!!null",
                Scalar::Bool(_) => "!!bool",
                Scalar::Int(_) | Scalar::Big(_) => "!!int",
                Scalar::Float(_) => "!!float",
                Scalar::String(_) => "!!str",
                Scalar::Binary(_) => "!!binary",
            };
            format!("{tag} `{}`", abbreviate(&document.text_of(node)))
        }
    };
    let hint = match wanted {
        "[]patch.OpDefinition" => Some("an ops-file is a list of operations"),
        "patch.OpDefinition" => Some("an operation is a mapping: {type: …, path: …}"),
        _ => None,
    };
    let why = format!("cannot unmarshal {tag} into {wanted}");
    TypeMismatch { why, place: document.first_line_of(node), hint }
}

/// Abbreviates a value to at most ten bytes, as yaml.v2 quotes it.
fn abbreviate(text: &str) -> Cow<'_, str> {
    if text.len() <= 10 {
        return Cow::Borrowed(text);
    }
    let end = (0..=7).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    Cow::Owned(format!("{}...", &text[..end]))
}
