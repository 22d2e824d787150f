//! The fields with which a language of patches spells an op.

use crate::diagnostic::{Diagnostic, Result};
use crate::node::NodeId;
use crate::patch::{
    Combination, Content, Edit, Expect, Missing, NewComment, NewComments, Op,
};
use crate::target::Target;

/// The fields of an op, in the order they are printed.
pub(super) struct OpFields {
    /// Names and texts.
    pub texts: Vec<(&'static str, String)>,
    /// `value` or `absent`
    pub value: Option<(&'static str, OpValue)>,
    /// The other fields that are no texts.
    pub words: Vec<(&'static str, OpValue)>,
}

/// The value of a field that is no text.
#[derive(Clone, Copy)]
pub(super) enum OpValue {
    Node(NodeId),
    Bool(bool),
    Null,
}

impl OpFields {
    /// Returns the fields of an op; `None` for the merge of directives.
    ///
    /// # Errors
    /// An ops-file cannot spell the op.
    pub(super) fn of(op: &Op) -> Result<Option<OpFields>> {
        let (kind, from, value) = match &op.edit {
            Edit::Replace(node) => ("replace", None, node_value(*node)),
            Edit::Remove => ("remove", None, None),
            Edit::Keep => ("replace", None, None),
            Edit::Test(expect) => ("test", None, Some(expected(*expect)?)),
            Edit::Add(Content::Copied(from)) => ("copy", Some(from), None),
            Edit::Add(Content::Moved(from)) => ("move", Some(from), None),
            Edit::Add(Content::Written(node)) => ("insert", None, node_value(*node)),
            Edit::Combine(Content::Written(node), Combination::MERGE) => {
                ("merge", None, node_value(*node))
            }
            Edit::Combine(..) => {
                return Err(unwritable("an op that combines by other rules"));
            }
            Edit::Merge(_) | Edit::RemoveWhiteouts => return Ok(None),
        };
        if [Some(&op.at), from].into_iter().flatten().any(is_json) {
            return Err(unwritable("an operation of a JSON Patch"));
        }
        if op.only.len() > 1 {
            return Err(unwritable("an op with two selectors of documents"));
        }
        let mut texts = vec![("type", kind.to_owned()), ("path", op.at.spell())];
        texts.extend(from.map(|from| ("from", from.spell())));
        let mut words = Vec::new();
        if op.missing != Missing::Fails {
            words.push(("optional", OpValue::Bool(true)));
        }
        rules(op, &mut texts, &mut words);
        Ok(Some(OpFields { texts, value, words }))
    }

    /// Returns the fields of an operation of a JSON Patch.
    ///
    /// # Errors
    /// A JSON Patch cannot hold the op.
    pub(super) fn of_json_patch(op: &Op) -> Result<Option<OpFields>> {
        let (kind, from, value) = match &op.edit {
            Edit::Replace(value) => ("replace", None, Some(*value)),
            Edit::Remove => ("remove", None, None),
            Edit::Add(Content::Written(value)) => ("add", None, Some(*value)),
            Edit::Add(Content::Copied(from)) => ("copy", Some(from), None),
            Edit::Add(Content::Moved(from)) => ("move", Some(from), None),
            Edit::Test(Expect::EqualJson(value)) => ("test", None, Some(*value)),
            _ => return Err(no_json_patch()),
        };
        let Target::Json(path) = &op.at else { return Err(no_json_patch()) };
        if !is_plain(op) || op.missing != Missing::Fails {
            return Err(no_json_patch());
        }
        let mut texts = vec![("op", kind.to_owned())];
        texts.extend(from.map(|from| ("from", from.to_string())));
        texts.push(("path", path.to_string()));
        let value = value.map(|value| ("value", OpValue::Node(value)));
        Ok(Some(OpFields { texts, value, words: Vec::new() }))
    }

    /// Returns the fields of an action of an Overlay.
    ///
    /// # Errors
    /// An Overlay cannot hold the op.
    pub(super) fn of_overlay(op: &Op) -> Result<Option<OpFields>> {
        let (from, value) = match &op.edit {
            Edit::Remove => (None, Some(("remove", OpValue::Bool(true)))),
            Edit::Combine(Content::Written(node), Combination::OVERLAY) => {
                (None, Some(("update", OpValue::Node(*node))))
            }
            Edit::Combine(Content::Copied(from), Combination::OVERLAY) => {
                (Some(from), None)
            }
            _ => return Err(Diagnostic::error("an Overlay cannot hold this op")),
        };
        let is_action = op.missing == Missing::Warns
            && [Some(&op.at), from].into_iter().flatten().all(is_query);
        if !is_action || !is_plain(op) {
            return Err(Diagnostic::error("an Overlay cannot hold this op"));
        }
        let mut texts = vec![("target", op.at.spell())];
        texts.extend(from.map(|from| ("copy", from.spell())));
        Ok(Some(OpFields { texts, value, words: Vec::new() }))
    }
}

fn unwritable(what: &str) -> Box<Diagnostic> {
    Diagnostic::error(format!("an ops-file cannot hold {what}"))
}

fn is_json(target: &Target) -> bool {
    matches!(target, Target::Json(_))
}

fn is_query(target: &Target) -> bool {
    matches!(target, Target::Query(_))
}

/// Returns true for an op without the fields that only an ops-file has.
pub(super) fn is_plain(op: &Op) -> bool {
    op.only.is_empty()
        && op.aliases.is_none()
        && !op.unless_exists
        && op.comments == NewComments::default()
}

fn expected(expect: Expect) -> Result<(&'static str, OpValue)> {
    match expect {
        Expect::Equal(value) => Ok(("value", OpValue::Node(value))),
        Expect::EqualJson(_) => Err(unwritable("a test of a JSON Patch")),
        Expect::Null => Ok(("absent", OpValue::Bool(false))),
        Expect::Absent => Ok(("absent", OpValue::Bool(true))),
    }
}

/// Adds the fields that bosh does not know.
fn rules(
    op: &Op,
    texts: &mut Vec<(&'static str, String)>,
    words: &mut Vec<(&'static str, OpValue)>,
) {
    texts.extend(op.only.iter().map(|only| ("where", only.text().to_owned())));
    texts.extend(op.unless_exists.then(|| ("unless", "exists".into())));
    texts.extend(op.aliases.map(|aliases| ("anchors", aliases.name().to_owned())));
    let comments =
        [("comment", &op.comments.trailing), ("comment_above", &op.comments.leading)];
    for (name, comment) in comments {
        match comment {
            NewComment::Unchanged => {}
            NewComment::Removed => words.push((name, OpValue::Null)),
            NewComment::Text(text) => texts.push((name, text.clone())),
        }
    }
}

fn node_value(node: NodeId) -> Option<(&'static str, OpValue)> {
    Some(("value", OpValue::Node(node)))
}

fn no_json_patch() -> Box<Diagnostic> {
    Diagnostic::error("a JSON Patch cannot hold this op")
}
