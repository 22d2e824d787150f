//! The items of an ops-file as bosh unmarshals them: unknown fields are left to other
//! readers, scalars become text where text is wanted, a null is no value.

use serde_json::Value;

use super::unmarshal::{Misfit, REPORTED, report};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Document, Kind, Node};
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
        return Ok(definitions);
    }
    let message =
        format!("Deserializing ops file '{name}': {}", report(document, &misfits));
    let mut hints: Vec<&str> = misfits.iter().filter_map(|misfit| misfit.hint).collect();
    hints.dedup();
    let places = misfits.iter().take(REPORTED).map(|misfit| misfit.place);
    let diagnostic = places.fold(Diagnostic::error(message), Diagnostic::at);
    Err(hints.into_iter().fold(diagnostic, Diagnostic::hint))
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
    /// The item as bosh shows it in a message, without its value.
    pub(super) fn show(
        &self,
        document: &Document,
        (number, name): (u32, &str),
    ) -> String {
        let text = |node| Value::from(document.text_of(node));
        let kind = self.kind.map(text).filter(|kind| kind != "");
        let error = format!("operation [{number}] in {name} failed");
        let fields = [
            ("Type", kind),
            ("Path", self.path.map(text)),
            ("Value", self.value.map(|_| "<redacted>".into())),
            ("Absent", self.absent.map(Value::from)),
            ("Error", Some(error.into())),
        ];
        let given = fields.into_iter().filter_map(|(name, it)| Some((name.into(), it?)));
        // So Go escapes what may end up in a page or a script.
        format!("{:#}", Value::Object(given.collect()))
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029")
    }

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
