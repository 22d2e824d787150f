//! Nodes → fields of the types wanted, as yaml.v2 unmarshals them, and what it says of
//! those that do not fit.

use std::borrow::Cow;

use crate::arena::Style;
use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::yaml;

/// What does not unmarshal into what, and where.
pub(crate) struct Misfit {
    pub(crate) why: String,
    pub(crate) place: Span,
    pub(crate) hint: Option<&'static str>,
}

/// One message tells of so many misfits.
pub(super) const REPORTED: usize = 1_000;

/// What yaml.v2 says of everything that does not fit.
pub(crate) fn report(document: &Document, misfits: &[Misfit]) -> String {
    let text = document.base().text();
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |span: &Span| 1 + breaks.partition_point(|&at| at < span.start as usize);
    let (told, more) = misfits.split_at(misfits.len().min(REPORTED));
    let more =
        (!more.is_empty()).then(|| format!("\n  and {} more", more.len())).into_iter();
    let lines = told.iter().map(|it| format!("\n  line {}: {}", line(&it.place), it.why));
    format!("yaml: unmarshal errors:{}", lines.chain(more).collect::<String>())
}

/// What keeps `root` from being a file of variables, said without its values.
pub(crate) fn static_misfit(file: &Document, root: Node) -> Option<Box<Diagnostic>> {
    let (node, wanted) = match file.kind(root) {
        Kind::Mapping => {
            let mut keys = file.pairs(root).into_iter().map(|(key, _)| key);
            (keys.find(|&key| file.kind(key) != Kind::Scalar)?, "string")
        }
        Kind::Scalar if file.is_null(root) => return None,
        Kind::Scalar | Kind::Sequence => (root, "template.StaticVariables"),
    };
    let mut misfit = file.misfit(node, wanted);
    misfit.why = yaml::hide(&misfit.why);
    let place = misfit.place;
    Some(Diagnostic::error(report(file, &[misfit])).at(place))
}

impl Document {
    /// Where `node` was written, its first line.
    pub(crate) fn place_of(&self, node: Node) -> Span {
        let file = self.base().file();
        let span = self.span(node).unwrap_or(Span { file, start: 0, end: 0 });
        self.first_line(span)
    }

    /// The text of a scalar, whatever its type.
    pub(crate) fn text_of(&self, node: Node) -> Cow<'_, str> {
        match (self.scalar(node), self.follow(node)) {
            (Scalar::String(text), _) => text,
            (_, Node::Clean(file, i)) => self.arena(file).string(i),
            (_, Node::Opened(_)) => Cow::Borrowed(""),
        }
    }

    pub(crate) fn as_text(
        &self,
        node: Node,
    ) -> std::result::Result<Cow<'_, str>, Misfit> {
        match self.kind(node) {
            Kind::Scalar => Ok(self.text_of(node)),
            Kind::Sequence | Kind::Mapping => Err(self.misfit(node, "string")),
        }
    }

    pub(crate) fn as_bool(&self, node: Node) -> std::result::Result<bool, Misfit> {
        match self.scalar(node) {
            Scalar::Bool(value) if self.kind(node) == Kind::Scalar => Ok(value),
            _ => Err(self.misfit(node, "bool")),
        }
    }

    /// Whether yaml.v2 leaves a pointer to `node` unset: for a null, but not one that is
    /// spelled `Null` or `NULL`.
    pub(crate) fn is_missing(&self, node: Node) -> bool {
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

    pub(crate) fn misfit(&self, node: Node, wanted: &str) -> Misfit {
        let tag = match self.kind(node) {
            Kind::Sequence => "!!seq".to_owned(),
            Kind::Mapping => "!!map".to_owned(),
            Kind::Scalar => {
                let tag = match self.scalar(node) {
                    Scalar::Null => "!!null",
                    Scalar::Bool(_) => "!!bool",
                    Scalar::Int(_) | Scalar::Big(_) => "!!int",
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
