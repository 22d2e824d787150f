//! The items of an ops-file as bosh unmarshals them: unknown fields are left to other
//! readers, scalars become text where text is wanted, a null is no value.

use std::borrow::Cow;

use crate::arena::Style;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Document, Kind, Node};
use crate::scalar::Scalar;
use crate::source::Span;

/// The fields of an item of an ops-file.
pub const FIELDS: &[&str] = &["type", "path", "value", "absent", "error"];

/// An item of an ops-file, its fields found but not yet understood.
pub(super) struct Definition {
    pub(super) span: Span,
    pub(super) kind: Option<Node>,
    pub(super) path: Option<Node>,
    pub(super) value: Option<Node>,
    /// A value that counts as none.
    pub(super) missing: Option<Node>,
    pub(super) absent: Option<bool>,
    /// A key that is no field, and the field that was meant by it.
    pub(super) misspelt: Option<(Span, &'static str)>,
}

/// One message tells of so many misfits.
const REPORTED: usize = 1_000;

/// What does not unmarshal into what, and where.
struct Misfit {
    why: String,
    place: Span,
    hint: Option<&'static str>,
}

/// Reads every item; `name` is what people call the file.
pub(super) fn definitions(document: &Document, name: &str) -> Result<Vec<Definition>> {
    let root = document.root();
    let mut misfits = Vec::new();
    if document.kind(root) != Kind::Sequence && !document.is_null(root) {
        misfits.push(document.misfit(root, "[]patch.OpDefinition"));
    }
    let items = document.items(root).into_iter();
    let definitions =
        items.map(|item| definition(document, item, &mut misfits)).collect();
    if misfits.is_empty() {
        Ok(definitions)
    } else {
        Err(report(document, name, misfits))
    }
}

fn report(document: &Document, name: &str, misfits: Vec<Misfit>) -> Box<Diagnostic> {
    let text = &document.base().text;
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |span: &Span| 1 + breaks.partition_point(|&at| at < span.start as usize);
    let (count, misfits) = (misfits.len(), &misfits[..misfits.len().min(REPORTED)]);
    let more = match count - misfits.len() {
        0 => None,
        more => Some(format!("and {more} more")),
    };
    let lines: Vec<String> = misfits
        .iter()
        .map(|misfit| format!("line {}: {}", line(&misfit.place), misfit.why))
        .chain(more)
        .collect();
    let lines = lines.join("\n  ");
    let message =
        format!("Deserializing ops file '{name}': yaml: unmarshal errors:\n  {lines}");
    let mut hints: Vec<&str> = misfits.iter().filter_map(|misfit| misfit.hint).collect();
    hints.dedup();
    let places = misfits.iter().map(|misfit| misfit.place);
    let diagnostic = places.fold(Diagnostic::error(message), Diagnostic::at);
    hints.into_iter().fold(diagnostic, Diagnostic::hint)
}

fn definition(document: &Document, item: Node, misfits: &mut Vec<Misfit>) -> Definition {
    let span = document.place_of(item);
    let mut definition = Definition {
        span,
        kind: None,
        path: None,
        value: None,
        missing: None,
        absent: None,
        misspelt: None,
    };
    if document.kind(item) != Kind::Mapping && !document.is_null(item) {
        misfits.push(document.misfit(item, "patch.OpDefinition"));
    }
    for (key, value) in document.pairs(item) {
        misfits.extend(definition.field(document, key, value).err());
    }
    definition
}

impl Definition {
    fn field(
        &mut self,
        document: &Document,
        key: Node,
        value: Node,
    ) -> std::result::Result<(), Misfit> {
        let given = (!document.is_missing(value)).then_some(value);
        match &*document.as_text(key)? {
            "type" => self.kind = document.as_text(value).map(|_| given)?,
            "path" => self.path = document.as_text(value).map(|_| given)?,
            "error" => drop(document.as_text(value)?),
            "absent" => self.absent = given.map(|v| document.as_bool(v)).transpose()?,
            "value" => {
                (self.value, self.missing) = (given, given.is_none().then_some(value));
            }
            other => {
                let meant = meant(other).map(|field| (document.place_of(key), field));
                self.misspelt = self.misspelt.or(meant);
            }
        }
        Ok(())
    }
}

/// The field that somebody meant who wrote `key`.
fn meant(key: &str) -> Option<&'static str> {
    let lower = key.to_lowercase();
    let distance = |field: &str| strsim::osa_distance(field, &lower);
    let near = |field: &&str| distance(field) <= 1 + usize::from(field.len() > 4);
    FIELDS.iter().copied().filter(near).min_by_key(|field| distance(field))
}

impl Document {
    /// Where `node` was written, its first line.
    pub(super) fn place_of(&self, node: Node) -> Span {
        let file = self.base().file;
        let span = self.span(node).unwrap_or(Span { file, start: 0, end: 0 });
        self.first_line(span)
    }

    /// The text of a scalar, whatever its type.
    pub(super) fn text_of(&self, node: Node) -> Cow<'_, str> {
        match (self.scalar(node), self.follow(node)) {
            (Scalar::String(text), _) => text,
            (_, Node::Clean(file, i)) => self.arena(file).string(i),
            (_, Node::Opened(_)) => Cow::Borrowed(""),
        }
    }

    fn as_text(&self, node: Node) -> std::result::Result<Cow<'_, str>, Misfit> {
        match self.kind(node) {
            Kind::Scalar => Ok(self.text_of(node)),
            Kind::Sequence | Kind::Mapping => Err(self.misfit(node, "string")),
        }
    }

    fn as_bool(&self, node: Node) -> std::result::Result<bool, Misfit> {
        match self.scalar(node) {
            Scalar::Bool(value) if self.kind(node) == Kind::Scalar => Ok(value),
            _ => Err(self.misfit(node, "bool")),
        }
    }

    /// Whether yaml.v2 leaves a pointer to `node` unset: for a null, but not one that is
    /// spelled `Null` or `NULL`.
    fn is_missing(&self, node: Node) -> bool {
        self.is_null(node)
            && match self.follow(node) {
                Node::Clean(file, i) => {
                    let arena = self.arena(file);
                    arena.style(i) != Style::Plain
                        || !matches!(arena.raw(i), "Null" | "NULL")
                }
                Node::Opened(_) => true,
            }
    }

    fn misfit(&self, node: Node, wanted: &str) -> Misfit {
        let tag = match self.kind(node) {
            Kind::Sequence => "!!seq".to_owned(),
            Kind::Mapping => "!!map".to_owned(),
            Kind::Scalar => {
                let tag = match self.scalar(node) {
                    Scalar::Null => "!!null",
                    Scalar::Bool(_) => "!!bool",
                    Scalar::Int(_) => "!!int",
                    Scalar::Float(_) => "!!float",
                    Scalar::String(_) => "!!str",
                    Scalar::Binary(_) => "!!binary",
                };
                format!("{tag} `{}`", abbreviate(&self.text_of(node)))
            }
        };
        let hint = match wanted {
            "[]patch.OpDefinition" => Some("an ops-file is a list of operations"),
            "patch.OpDefinition" => Some("an operation is a mapping: {type: …, path: …}"),
            _ => None,
        };
        let why = format!("cannot unmarshal {tag} into {wanted}");
        Misfit { why, place: self.place_of(node), hint }
    }
}

/// At most ten bytes, as yaml.v2 quotes a value.
fn abbreviate(text: &str) -> Cow<'_, str> {
    if text.len() <= 10 {
        return Cow::Borrowed(text);
    }
    let end = (0..=7).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    Cow::Owned(format!("{}...", &text[..end]))
}
