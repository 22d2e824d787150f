//! The rules, each with its name, its severity and its page.

use crate::apply::RemarkKind;
use crate::diagnostic::Severity;

/// A rule that findings are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A text cannot be read.
    Unreadable,
    /// An op fails.
    FailingOp,
    /// A mapping has a key twice.
    DuplicateKey,
    /// A plain scalar is one value in YAML 1.1 and another one in YAML 1.2.
    AmbiguousScalar,
    /// An op has a field that nobody reads.
    UnknownField,
    /// All that an op does is undone by later ops.
    OverwrittenOp,
    /// An op changes nothing.
    NoEffect,
    /// An op makes an entry or an item beside one of nearly the same name.
    OptionalPath,
    /// An op gives a value another type.
    OtherType,
    /// A merge replaces a list of items that have names.
    LostItems,
    /// A merge makes another object of a document.
    OtherObject,
    /// The result depends on the order of two ops-files.
    OpOrder,
    /// An op edits a node that has aliases, and these keep the old value.
    SharedNode,
    /// A file has no part in the result.
    UnusedFile,
    /// A variable has a value and no use.
    UnusedVariable,
    /// A comment allows a rule that does not exist.
    UnknownRule,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 16] = [
        Rule::Unreadable,
        Rule::FailingOp,
        Rule::DuplicateKey,
        Rule::AmbiguousScalar,
        Rule::UnknownField,
        Rule::OverwrittenOp,
        Rule::NoEffect,
        Rule::OptionalPath,
        Rule::OtherType,
        Rule::LostItems,
        Rule::OtherObject,
        Rule::OpOrder,
        Rule::SharedNode,
        Rule::UnusedFile,
        Rule::UnusedVariable,
        Rule::UnknownRule,
    ];

    /// Returns its name, as `# interpolate: allow NAME` has it: the title of its page.
    pub fn name(self) -> &'static str {
        self.page().lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// Returns the rule about the changes that a remark is about.
    pub(super) fn of_remark(kind: RemarkKind) -> Rule {
        match kind {
            RemarkKind::OtherObject => Rule::OtherObject,
            RemarkKind::LostItems => Rule::LostItems,
            RemarkKind::OtherType
            | RemarkKind::OtherCollection
            | RemarkKind::OtherReading => Rule::OtherType,
            RemarkKind::NearName => Rule::OptionalPath,
        }
    }

    /// Returns the rule with a name.
    pub fn named(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Returns the severity of its findings. Some findings are only notes.
    pub fn severity(self) -> Severity {
        match self {
            Rule::Unreadable | Rule::FailingOp | Rule::DuplicateKey => Severity::Error,
            Rule::UnusedVariable | Rule::UnusedFile | Rule::OtherType => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// Returns its page in Markdown: a paragraph, a bad and a good example.
    pub fn page(self) -> &'static str {
        match self {
            Rule::Unreadable => include_str!("rules/unreadable.md"),
            Rule::FailingOp => include_str!("rules/failing-op.md"),
            Rule::DuplicateKey => include_str!("rules/duplicate-key.md"),
            Rule::AmbiguousScalar => include_str!("rules/ambiguous-scalar.md"),
            Rule::UnknownField => include_str!("rules/unknown-field.md"),
            Rule::OverwrittenOp => include_str!("rules/overwritten-op.md"),
            Rule::NoEffect => include_str!("rules/no-effect.md"),
            Rule::OptionalPath => include_str!("rules/optional-path.md"),
            Rule::OtherType => include_str!("rules/other-type.md"),
            Rule::LostItems => include_str!("rules/lost-items.md"),
            Rule::OtherObject => include_str!("rules/other-object.md"),
            Rule::OpOrder => include_str!("rules/op-order.md"),
            Rule::SharedNode => include_str!("rules/shared-node.md"),
            Rule::UnusedFile => include_str!("rules/unused-file.md"),
            Rule::UnusedVariable => include_str!("rules/unused-variable.md"),
            Rule::UnknownRule => include_str!("rules/unknown-rule.md"),
        }
    }

    /// Returns the first sentence of its page.
    pub fn summary(self) -> &'static str {
        let body = self.page().split_once("\n\n").map_or("", |(_, body)| body);
        let line = body.split("\n\n").next().unwrap_or_default();
        line.split_inclusive(". ").next().unwrap_or_default().trim()
    }
}
