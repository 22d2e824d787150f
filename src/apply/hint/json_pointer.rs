//! The explanations of what a JSON Pointer does not find: the members and items of a place are
//! named by its tokens as they stand, so that each token is at fault alone.

use super::{FailedStep, items};
use crate::apply::failure::{OpFailure, describe_type};
use crate::diagnostic::near_hint;

impl FailedStep<'_> {
    /// Returns the failure of a token of a JSON Pointer at a scalar.
    pub(in crate::apply) fn no_collection(self, token: &str) -> OpFailure {
        let path = self.path.prefix(self.depth);
        let kind = describe_type(self.document, self.node);
        self.failure(format!("'{path}' is {kind}, which has no '{token}'"))
            .label(self.document.span(self.node), format!("this is {kind}"))
    }

    /// Returns the failure of a token of a JSON Pointer that a mapping does not have.
    pub(in crate::apply) fn no_member(self, token: &str) -> OpFailure {
        let document = &*self.document;
        let pairs = document.pairs(self.node);
        let keys = pairs.iter().filter(|(key, _)| !document.is_hidden(*key));
        let names: Vec<_> =
            keys.filter_map(|&(key, _)| document.member_name(key)).collect();
        self.failure(format!("{} has no member '{token}'", self.around()))
            .missing()
            .label(document.span(self.node), "this has no such member")
            .hint(near_hint(names.iter().map(|name| &**name), token))
    }

    /// Returns the failure of a token of a JSON Pointer that names no item of a list.
    pub(in crate::apply) fn no_index(self, token: &str) -> OpFailure {
        let around = self.around();
        let items = items(self.document.items(self.node).len());
        let message = match token {
            "-" => format!("there is no item at '-', the end of {around}"),
            _ => format!("{around} has {items}, and none at {token}"),
        };
        self.failure(message)
            .missing()
            .label(self.document.span(self.node), format!("this has {items}"))
    }

    /// Returns the failure of a token of a JSON Pointer at a list that is no index.
    pub(in crate::apply) fn not_an_index(self, token: &str) -> OpFailure {
        let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
        let hint = (is_number && !token.is_empty())
            .then(|| "an index has no leading zero".into());
        self.failure(format!("an index of a list is expected, not '{token}'")).hint(hint)
    }

    fn around(&self) -> String {
        match self.path.prefix(self.depth) {
            path if path.is_empty() => "the document".into(),
            path => format!("'{path}'"),
        }
    }
}
