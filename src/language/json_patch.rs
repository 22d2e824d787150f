//! A JSON Patch (RFC 6902): a list of mappings with `op`, `path`, `value`, `from`.

use super::given::{GivenFields, ONE_LANGUAGE, patch_of};
use super::writer::{self, OpFields, OpValue, ValueTexts, has_own_fields};
use crate::diagnostic::{Diagnostic, Diagnostics, Result, near_hint};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Content, Edit, Expect, Missing, Op, Origin, Patch};
use crate::pointer::JsonPointer;
use crate::source::Span;
use crate::target::Target;

/// The values of `op`.
const OPS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Compiles the first document of a JSON Patch.
///
/// # Errors
/// One diagnostic for each operation that is wrong.
pub(super) fn read(document: &Tree) -> std::result::Result<Patch, Diagnostics> {
    let items = (0..).zip(document.items(document.root()));
    let ops = items.map(|(number, item)| op(&GivenFields { document, item, number }));
    Ok(patch_of(document, Diagnostics::all(ops)?))
}

/// Builds an operation.
fn op(fields: &GivenFields<'_>) -> Result<Op> {
    if fields.document.kind(fields.item) != Kind::Mapping {
        return Err(fields.error("an operation must be a mapping", fields.span()));
    }
    if let (None, Some((_, kind))) = (fields.single("op")?, fields.get("type")) {
        return Err(Diagnostic::error(format!(
            "operation [{}] has 'type', as in an ops-file, and the first one has 'op', as \
             in a JSON Patch",
            fields.number
        )).at(kind).hint(ONE_LANGUAGE));
    }
    let name = text(fields, "op")?;
    if !OPS.contains(&&*name) {
        return Err(unknown_op(fields, &name));
    }
    let (path, at) = pointer(fields, "path")?;
    let transfers = matches!(&*name, "move" | "copy");
    let from = if transfers { Some(pointer(fields, "from")?) } else { None };
    let from_place = from.as_ref().map(|(place, _)| *place);
    let edit = match (&*name, from) {
        ("move", Some((_, from))) => Edit::Add(Content::Moved(from)),
        (_, Some((_, from))) => Edit::Add(Content::Copied(from)),
        ("add", None) => Edit::Add(Content::Written(member(fields, "value")?)),
        ("remove", None) => Edit::Remove,
        ("replace", None) => Edit::Replace(member(fields, "value")?),
        _ => Edit::Test(Expect::EqualJson(member(fields, "value")?)),
    };
    let span = fields.span();
    let number = fields.number;
    Ok(Op::new(at, edit, Some(Origin { span, path, from: from_place, number })))
}

fn unknown_op(fields: &GivenFields<'_>, name: &str) -> Box<Diagnostic> {
    let place = fields.get("op").map_or(fields.span(), |(_, place)| place);
    let error = fields.error(&format!("there is no op '{name}'"), place);
    let near = near_hint(OPS, &name.to_lowercase());
    error.hint(near.unwrap_or_else(|| format!("the ops are {}", OPS.join(", "))))
}

/// Returns the value of a field that must be there once.
fn member(fields: &GivenFields<'_>, name: &str) -> Result<NodeId> {
    fields.single(name)?.ok_or_else(|| fields.missing(name))
}

fn text(fields: &GivenFields<'_>, name: &str) -> Result<String> {
    let document = fields.document;
    let node = member(fields, name)?;
    document.string(node).map(|text| text.into_owned()).ok_or_else(|| {
        fields.error(&format!("'{name}' must be a text"), document.first_line_of(node))
    })
}

fn pointer(fields: &GivenFields<'_>, name: &str) -> Result<(Span, Target)> {
    let text = text(fields, name)?;
    let span = fields.document.first_line_of(member(fields, name)?);
    match JsonPointer::parse(&text) {
        Ok(pointer) => Ok((span, Target::Json(pointer))),
        Err(why) => {
            let error = fields.error(&format!("{why}, and not '{text}'"), span);
            let hint = "an ops-file (`type:` in place of `op:`) takes a JSONPath";
            Err(error.hints(text.starts_with('$').then_some(hint)))
        }
    }
}

/// Returns the JSON Patch that compiles to `patch`, as a document.
///
/// # Errors
/// A JSON Patch cannot hold an op.
pub fn write(patch: &Patch) -> Result<Tree> {
    writer::document(patch, &ValueTexts::of(patch), fields_of, false)
}

/// Returns the fields of an operation of a JSON Patch.
///
/// # Errors
/// A JSON Patch cannot hold the op.
pub(super) fn fields_of(op: &Op) -> Result<Option<OpFields>> {
    let no_json = || Diagnostic::error("a JSON Patch cannot hold this op");
    let (kind, from, value) = match &op.edit {
        Edit::Replace(value) => ("replace", None, Some(*value)),
        Edit::Remove => ("remove", None, None),
        Edit::Add(Content::Written(value)) => ("add", None, Some(*value)),
        Edit::Add(Content::Copied(from)) => ("copy", Some(from), None),
        Edit::Add(Content::Moved(from)) => ("move", Some(from), None),
        Edit::Test(Expect::EqualJson(value)) => ("test", None, Some(*value)),
        _ => return Err(no_json()),
    };
    let Target::Json(path) = &op.at else { return Err(no_json()) };
    if has_own_fields(op) || op.missing != Missing::Fails {
        return Err(no_json());
    }
    let mut texts = vec![("op", kind.to_owned())];
    texts.extend(from.map(|from| ("from", from.to_string())));
    texts.push(("path", path.to_string()));
    let value = value.map(|value| ("value", OpValue::Node(value)));
    Ok(Some(OpFields { texts, value, words: Vec::new() }))
}
