//! The ops that bosh does not know: `copy`, `move`, `merge` and `insert`.

use super::op_fields::OpFields;
use super::op_rules::OpRules;
use crate::diagnostic::Result;
use crate::node::Kind;
use crate::patch::{Combination, Content, Edit, Op, Origin};
use crate::pointer::{Modifier, Token};
use crate::target::Target;

/// Builds a `copy`, `move`, `merge` or `insert` op.
pub(super) fn op(fields: &OpFields<'_>, kind: &str) -> Result<Op> {
    let (document, number) = (fields.document, fields.number);
    let transfers = matches!(kind, "copy" | "move");
    fields.check_known(kind, if transfers { "from" } else { "value" })?;
    let (path, at) = fields.target("path")?;
    let mut from_place = None;
    let (at, edit) = if transfers {
        if let Target::Query(_) = at {
            let why = "the new place must be a single one: it is no JSONPath";
            return Err(fields.error(why, path));
        }
        let (place, from) = fields.target("from")?;
        from_place = Some(place);
        let content =
            if kind == "move" { Content::Moved(from) } else { Content::Copied(from) };
        (at.with_new_key(), Edit::Add(content))
    } else {
        let value = fields.required("value")?;
        if kind == "merge" && document.kind(value) != Kind::Mapping {
            let place = document.first_line_of(value);
            return Err(fields.error("'value' must be a mapping", place));
        }
        let content = Content::Written(value);
        if kind == "merge" {
            (at, Edit::Combine(content, Combination::MERGE))
        } else {
            (place_in_list(at), Edit::Add(content))
        }
    };
    let rules = OpRules::read(fields)?;
    let adds_item = kind == "insert" || kind == "copy" && is_place_in_list(&at);
    rules.check_unless(fields, kind, adds_item)?;
    let origin = Origin { span: fields.span(), path, from: from_place, number };
    Ok(rules.apply(Op::new(at, edit, Some(origin))))
}

/// Returns the place after the last item, if the path names a list and no place in one.
fn place_in_list(at: Target) -> Target {
    if is_place_in_list(&at) {
        return at;
    }
    let Target::Pointer(mut pointer) = at else { return at };
    if pointer.required == pointer.tokens.len() {
        pointer.required += 1;
    }
    pointer.tokens.push(Token::End);
    Target::Pointer(pointer)
}

/// Returns true if a path ends at a place between the items of a list.
fn is_place_in_list(at: &Target) -> bool {
    match at.tokens().last() {
        Some(Token::Index(..) | Token::End) => true,
        Some(token) => {
            matches!(token.modifiers().last(), Some(Modifier::Before | Modifier::After))
        }
        None => false,
    }
}
