//! One change at one place, where it was written, and the comments that it gives.

use std::ops::Range;

use super::{Content, Edit};
use crate::node::Aliases;
use crate::select::DocumentSelector;
use crate::source::Span;
use crate::target::Target;

/// One change at one place.
#[derive(Clone, Debug)]
pub struct Op {
    /// The places. Of a merge, only for messages: [`Merge::site`](super::Merge::site) is exact.
    pub at: Target,
    /// The change.
    pub edit: Edit,
    /// The effect of places that are missing.
    pub missing: Missing,
    /// Of `Add`: an item is not added to a list that has an equal one.
    pub unless_exists: bool,
    /// Of a query that ends with a key: mappings that lack the key get it.
    pub makes_key: bool,
    /// The documents of the stream that it is applied to: those that all of these select. If
    /// there is none, those that the whole patch is applied to.
    pub only: Vec<DocumentSelector>,
    /// The effect of an edit of a node that has aliases; `None` is that of the whole run.
    pub aliases: Option<Aliases>,
    /// The comments that the entry gets.
    pub comments: NewComments,
    /// The place it was written at; `None` if it was built in code.
    pub origin: Option<Origin>,
    /// Its target, if it was typed in an argument of the command line.
    pub typed: Option<TypedPath>,
    /// Likewise, the place from which it takes its value.
    pub typed_from: Option<TypedPath>,
}

/// The effect of a target that leads nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// The op fails.
    #[default]
    Fails,
    /// The op has no effect.
    Passes,
    /// The op has no effect, and a warning tells so.
    Warns,
}

impl Op {
    /// Creates an op whose target must be there.
    pub fn new(at: impl Into<Target>, edit: Edit, origin: Option<Origin>) -> Op {
        Op {
            at: at.into(),
            edit,
            missing: Missing::Fails,
            unless_exists: false,
            makes_key: false,
            only: Vec::new(),
            aliases: None,
            comments: NewComments::default(),
            origin,
            typed: None,
            typed_from: None,
        }
    }

    /// Returns the place from which it takes its value, if it copies or moves one.
    pub fn source(&self) -> Option<&Target> {
        match &self.edit {
            Edit::Add(content) | Edit::Combine(content, _) => match content {
                Content::Copied(from) | Content::Moved(from) => Some(from),
                Content::Written(_) => None,
            },
            _ => None,
        }
    }

    /// Sets the place from which it takes its value, if it copies or moves one.
    pub(crate) fn set_source(&mut self, place: Target) {
        if let Edit::Add(content) | Edit::Combine(content, _) = &mut self.edit
            && let Content::Copied(from) | Content::Moved(from) = content
        {
            *from = place;
        }
    }

    /// Returns the place from which it moves a value.
    pub fn moved_from(&self) -> Option<&Target> {
        match &self.edit {
            Edit::Add(Content::Moved(from)) | Edit::Combine(Content::Moved(from), _) => {
                Some(from)
            }
            _ => None,
        }
    }

    /// The name of its kind: `replace`, `import` …
    pub fn kind(&self) -> &'static str {
        match &self.edit {
            Edit::Test(_) => "test",
            Edit::Replace(_) | Edit::Keep => "replace",
            Edit::Remove => "remove",
            Edit::Add(Content::Written(_)) => "insert",
            Edit::Add(Content::Copied(_)) => "copy",
            Edit::Add(Content::Moved(_)) => "move",
            Edit::Combine(..) => "merge",
            Edit::Merge(_) | Edit::RemoveWhiteouts => "import",
        }
    }
}

/// The place at which an op was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The op.
    pub span: Span,
    /// Its path.
    pub path: Span,
    /// The path from which it takes its value.
    pub from: Option<Span>,
    /// Its number in its file, from 0.
    pub number: u32,
}

/// Comments that an op gives to the entry it changes, without `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewComments {
    /// The comment behind the entry.
    pub trailing: NewComment,
    /// The lines above the entry.
    pub leading: NewComment,
}

/// The change of a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NewComment {
    /// It stays as it is.
    #[default]
    Unchanged,
    /// It is removed.
    Removed,
    /// It has this text, of one line or several.
    Text(String),
}

/// A path as it was typed in an argument of the command line: `jobs[name=web].port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedPath {
    /// The path.
    pub text: String,
    /// The parts of it that are its tokens.
    pub tokens: Vec<Range<usize>>,
}

impl TypedPath {
    /// Returns the path as far as a number of tokens.
    pub(crate) fn prefix(&self, count: usize) -> &str {
        let Some(last) = count.checked_sub(1) else { return "" };
        let end = self.tokens.get(last).map_or(self.text.len(), |token| token.end);
        &self.text[..end]
    }
}
