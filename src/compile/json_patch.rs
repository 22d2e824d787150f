//! Compiles a JSON Patch (RFC 6902): a list of mappings with `op`, `path`, `value`, `from`.

use super::ops::ONE_LANGUAGE;
use super::single::patch_of;
use crate::diagnostic::{Diagnostic, Diagnostics, Result, near};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Content, Edit, Expect, Op, Origin, Patch};
use crate::pointer::JsonPointer;
use crate::source::Span;
use crate::target::Target;

/// The values of `op`.
const OPS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Compiles the first document of a JSON Patch.
///
/// # Errors
/// One diagnostic for each operation that is wrong.
pub(super) fn json_patch(document: &Tree) -> std::result::Result<Patch, Diagnostics> {
    let (mut ops, mut errors) = (Vec::new(), Vec::new());
    for (number, item) in (0..).zip(document.items(document.root())) {
        match (Item { document, item, number }).op() {
            Ok(op) => ops.push(op),
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        return Err(Diagnostics(errors));
    }
    Ok(patch_of(document, ops))
}

/// An operation as it is written.
struct Item<'a> {
    document: &'a Tree,
    item: NodeId,
    number: u32,
}

impl Item<'_> {
    fn op(&self) -> Result<Op> {
        if self.document.kind(self.item) != Kind::Mapping {
            return Err(self.error("an operation must be a mapping", self.span()));
        }
        let name = self.text("op")?;
        if !OPS.contains(&&*name) {
            return Err(self.unknown_op(&name));
        }
        let (path, at) = self.pointer("path")?;
        let transfers = matches!(&*name, "move" | "copy");
        let from = if transfers { Some(self.pointer("from")?) } else { None };
        let from_place = from.as_ref().map(|(place, _)| *place);
        let edit = match (&*name, from) {
            ("move", Some((_, from))) => Edit::Add(Content::Moved(from)),
            (_, Some((_, from))) => Edit::Add(Content::Copied(from)),
            ("add", None) => Edit::Add(Content::Written(self.value()?)),
            ("remove", None) => Edit::Remove,
            ("replace", None) => Edit::Replace(self.value()?),
            _ => Edit::Test(Expect::EqualJson(self.value()?)),
        };
        let origin =
            Origin { span: self.span(), path, from: from_place, number: self.number };
        Ok(Op::new(at, edit, Some(origin)))
    }

    fn span(&self) -> Span {
        self.document.first_line_of(self.item)
    }

    fn error(&self, why: &str, place: Span) -> Box<Diagnostic> {
        Diagnostic::error(format!("operation [{}]: {why}", self.number)).at(place)
    }

    fn unknown_op(&self, name: &str) -> Box<Diagnostic> {
        let place = self.document.get(self.item, "op");
        let place = place.map_or(self.span(), |op| self.document.first_line_of(op));
        let error = self.error(&format!("there is no op '{name}'"), place);
        match near(OPS, &name.to_lowercase()) {
            Some(op) => error.hint(format!("did you mean '{op}'?")),
            None => error.hint(format!("the ops are {}", OPS.join(", "))),
        }
    }

    fn value(&self) -> Result<NodeId> {
        self.member("value")
    }

    /// Returns a member that must be there, once.
    fn member(&self, name: &str) -> Result<NodeId> {
        let document = self.document;
        let slots = document.slots(self.item);
        let is = |key| document.is_text(key, name);
        let mut found = slots.iter().filter(|slot| slot.key.is_some_and(is));
        let Some(first) = found.next() else {
            let kind = document.get(self.item, "type").filter(|_| name == "op");
            if let Some(kind) = kind {
                let message = format!(
                    "operation [{}] has 'type', as in an ops-file, and the first one has \
                     'op', as in a JSON Patch",
                    self.number
                );
                let place = document.first_line_of(kind);
                return Err(Diagnostic::error(message).at(place).hint(ONE_LANGUAGE));
            }
            return Err(self.error(&format!("'{name}' is missing"), self.span()));
        };
        if let Some(again) = found.next().and_then(|slot| slot.key) {
            let place = document.first_line_of(again);
            return Err(self.error(&format!("'{name}' is there twice"), place));
        }
        Ok(first.value)
    }

    fn text(&self, name: &str) -> Result<String> {
        let (document, node) = (self.document, self.member(name)?);
        document.string(node).map(|text| text.into_owned()).ok_or_else(|| {
            self.error(&format!("'{name}' must be a text"), document.first_line_of(node))
        })
    }

    fn pointer(&self, name: &str) -> Result<(Span, Target)> {
        let text = self.text(name)?;
        let span = self.document.first_line_of(self.member(name)?);
        match JsonPointer::parse(&text) {
            Ok(pointer) => Ok((span, Target::Json(pointer))),
            Err(why) => {
                let error = self.error(&format!("{why}, and not '{text}'"), span);
                Err(if text.starts_with('$') {
                    error.hint("an ops-file (`type:` in place of `op:`) takes a JSONPath")
                } else {
                    error
                })
            }
        }
    }
}
