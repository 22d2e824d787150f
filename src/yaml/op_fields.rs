//! The fields with which an ops-file spells an op.

use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Aliases, NodeId};
use crate::patch::{Combination, Content, Edit, Expect, Missing, NewComment, Op};
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
            Edit::Replace(value) => {
                ("replace", None, Some(("value", OpValue::Node(*value))))
            }
            Edit::Remove => ("remove", None, None),
            Edit::Keep => ("replace", None, None),
            Edit::Test(expect) => ("test", None, Some(expected(*expect))),
            Edit::Add(Content::Copied(from)) => ("copy", Some(from), None),
            Edit::Add(Content::Moved(from)) => ("move", Some(from), None),
            Edit::Add(Content::Written(value)) => {
                ("insert", None, Some(("value", OpValue::Node(*value))))
            }
            Edit::Combine(Content::Written(value), Combination::MERGE) => {
                ("merge", None, Some(("value", OpValue::Node(*value))))
            }
            Edit::Combine(..) => {
                let message =
                    "an ops-file cannot hold an op that combines by other rules";
                return Err(Diagnostic::error(message));
            }
            Edit::Merge(_) | Edit::RemoveWhiteouts => return Ok(None),
        };
        let mut texts = vec![("type", kind.to_owned()), ("path", op.at.spell())];
        texts.extend(from.map(|from| ("from", from.spell())));
        if op.only.len() > 1 {
            let message = "an ops-file cannot hold an op with two selectors of documents";
            return Err(Diagnostic::error(message));
        }
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
        let mut texts = vec![("op", kind.to_owned())];
        texts.extend(from.map(|from| ("from", from.to_string())));
        texts.push(("path", path.to_string()));
        let value = value.map(|value| ("value", OpValue::Node(value)));
        Ok(Some(OpFields { texts, value, words: Vec::new() }))
    }
}

fn expected(expect: Expect) -> (&'static str, OpValue) {
    match expect {
        Expect::Equal(value) | Expect::EqualJson(value) => {
            ("value", OpValue::Node(value))
        }
        Expect::Null => ("absent", OpValue::Bool(false)),
        Expect::Absent => ("absent", OpValue::Bool(true)),
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
    let aliases = match op.aliases {
        None => None,
        Some(Aliases::Keep) => Some("copy"),
        Some(Aliases::Follow) => Some("follow"),
        Some(Aliases::Refuse) => Some("refuse"),
    };
    texts.extend(aliases.map(|word| ("anchors", word.to_owned())));
    let comments =
        [("comment", &op.comments.beside), ("comment_above", &op.comments.above)];
    for (name, comment) in comments {
        match comment {
            NewComment::Unchanged => {}
            NewComment::Removed => words.push((name, OpValue::Null)),
            NewComment::Text(text) => texts.push((name, text.clone())),
        }
    }
}
