//! Reads nodes as the Go types that yaml.v2 unmarshals them into, and writes its message
//! about those that do not fit.

use std::borrow::Cow;

use crate::arena::Style;
use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{self, Dialect, Scalar};
use crate::source::Span;
use crate::yaml;

/// A node that does not fit the Go type it is unmarshalled into.
pub(crate) struct TypeMismatch {
    /// The reason, in the words of yaml.v2.
    pub(crate) why: String,
    pub(crate) place: Span,
    pub(crate) hint: Option<&'static str>,
}

/// Maximum number of mismatches in one message.
// A text that is no list of ops at all has one for each of its items.
pub(super) const MAX_REPORTED_MISMATCHES: usize = 1_000;

/// Returns yaml.v2's message about all mismatches of a text.
pub(crate) fn mismatch_message(document: &Tree, mismatches: &[TypeMismatch]) -> String {
    let text = document.base().text();
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let (shown, more) =
        mismatches.split_at(mismatches.len().min(MAX_REPORTED_MISMATCHES));
    let more =
        (!more.is_empty()).then(|| format!("\n  and {} more", more.len())).into_iter();
    let lines = shown.iter().map(|TypeMismatch { place, why, .. }| {
        let line = 1 + breaks.partition_point(|&at| at < place.start as usize);
        format!("\n  line {line}: {why}")
    });
    format!("yaml: unmarshal errors:{}", lines.chain(more).collect::<String>())
}

/// Reads the mappings of a list: `item` begins one, and `field` adds an entry. `types` are the
/// Go types of the list and of an item.
pub(crate) fn unmarshal_list<T>(
    document: &Tree,
    list: NodeId,
    types: [&str; 2],
    item: fn(&Tree, NodeId) -> T,
    field: fn(&mut T, &Tree, NodeId, NodeId) -> std::result::Result<(), TypeMismatch>,
) -> (Vec<T>, Vec<TypeMismatch>) {
    let mut all = Vec::new();
    let mut mismatches = Vec::new();
    if document.kind(list) != Kind::Sequence && !document.is_null(list) {
        mismatches.push(mismatch(document, list, types[0]));
    }
    for node in document.items(list) {
        if document.kind(node) != Kind::Mapping && !document.is_null(node) {
            mismatches.push(mismatch(document, node, types[1]));
        }
        let mut one = item(document, node);
        for (key, value) in document.pairs(node) {
            mismatches.extend(field(&mut one, document, key, value).err());
        }
        all.push(one);
    }
    (all, mismatches)
}

/// Returns the error that `root` is no file of variables, without quoting its values.
pub(crate) fn check_static_variables(
    file: &Tree,
    root: NodeId,
) -> Option<Box<Diagnostic>> {
    let (nodes, wanted) = match file.kind(root) {
        Kind::Mapping => {
            let keys = file.pairs(root).into_iter().map(|(key, _)| key);
            (keys.filter(|&key| file.kind(key) != Kind::Scalar).collect(), "string")
        }
        Kind::Scalar if file.is_null(root) => return None,
        Kind::Scalar | Kind::Sequence => (vec![root], "template.StaticVariables"),
    };
    let hidden = |node| {
        let mismatch = mismatch(file, node, wanted);
        TypeMismatch { why: yaml::hide(&mismatch.why), ..mismatch }
    };
    let all: Vec<TypeMismatch> = nodes.into_iter().map(hidden).collect();
    let first = all.first()?.place;
    Some(Diagnostic::error(mismatch_message(file, &all)).at(first))
}

/// Returns the name of a variable that a key of a file of variables stands for.
// yaml.v2 makes an empty string of a null.
pub(crate) fn variable_name(file: &Tree, key: NodeId) -> String {
    if file.is_null(key) { String::new() } else { file.text_of(key).into_owned() }
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
    if document.kind(node) != Kind::Scalar {
        return Err(mismatch(document, node, "bool"));
    }
    match document.scalar(node) {
        Scalar::Bool(value) => Ok(value),
        Scalar::Null => Ok(false),
        _ if is_quoted_null(document, node) => Err(mismatch(document, node, "*bool")),
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

/// Refuses a value that yaml.v2 does not read into a Go pointer.
pub(super) fn check_value(
    document: &Tree,
    node: NodeId,
) -> std::result::Result<(), TypeMismatch> {
    if is_quoted_null(document, node) {
        return Err(mismatch(document, node, "*interface {}"));
    }
    Ok(())
}

/// Returns true for a string that is spelled like a null, in Go's dialect.
// yaml.v2 takes `"~"` and `"null"` for nulls when it prepares a pointer, and finds strings
// when it sets it.
fn is_quoted_null(document: &Tree, node: NodeId) -> bool {
    let NodeId::Clean(file, i) = document.follow(node) else { return false };
    let arena = document.arena(file);
    arena.dialect() == Dialect::Go
        && arena.tag(i).is_none()
        && matches!(document.string(node).as_deref(), Some("~" | "null"))
}

pub(crate) fn mismatch(document: &Tree, node: NodeId, wanted: &str) -> TypeMismatch {
    let tag = match document.kind(node) {
        Kind::Sequence => "!!seq".to_owned(),
        Kind::Mapping => "!!map".to_owned(),
        Kind::Scalar => {
            let tag = match document.scalar(node) {
                Scalar::String(text) if is_timestamp(document, node, &text) => {
                    "!!timestamp"
                }
                scalar => scalar.tag_name(),
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

/// Returns true for a plain date in Go's dialect, which yaml.v2 reads as text.
fn is_timestamp(document: &Tree, node: NodeId, text: &str) -> bool {
    let NodeId::Clean(file, i) = document.follow(node) else { return false };
    let arena = document.arena(file);
    arena.dialect() == Dialect::Go
        && arena.style(i) == Style::Plain
        && arena.tag(i).is_none()
        && scalar::is_timestamp(text)
}

/// Abbreviates a value to at most ten bytes, as yaml.v2 quotes it.
fn abbreviate(text: &str) -> Cow<'_, str> {
    if text.len() <= 10 {
        return Cow::Borrowed(text);
    }
    let end = (0..=7).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    Cow::Owned(format!("{}...", &text[..end]))
}
