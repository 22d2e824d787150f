//! The fields that say where, whether and how an op is applied.

use super::op_fields::OpFields;
use crate::diagnostic::Result;
use crate::node::Aliases;
use crate::patch::{Missing, NewComments, Op};
use crate::select::DocumentSelector;

/// The fields that say where, whether and how an op is applied.
#[derive(Default)]
pub(super) struct OpRules {
    missing: Missing,
    only: Option<DocumentSelector>,
    aliases: Option<Aliases>,
    comments: NewComments,
    unless_exists: bool,
}

impl OpRules {
    /// Reads the fields of an item.
    pub(super) fn read(fields: &OpFields<'_>) -> Result<OpRules> {
        let mut rules = OpRules::default();
        if fields.flag("optional")? {
            rules.missing = Missing::Passes;
        }
        if let Some((text, place)) = fields.text("where")? {
            let selector = DocumentSelector::parse(&text);
            let selector = selector.map_err(|why| fields.mistake("", why, place))?;
            rules.only = Some(selector.at(place));
        }
        rules.aliases =
            fields.word("anchors", &Aliases::ALL.map(|it| (it.name(), it)))?;
        rules.unless_exists = fields.word("unless", &[("exists", ())])?.is_some();
        rules.comments = NewComments {
            trailing: fields.comment("comment", 1)?,
            leading: fields.comment("comment_above", usize::MAX)?,
        };
        Ok(rules)
    }

    /// Returns true if the op has a comment.
    pub(super) fn comments(&self) -> bool {
        self.comments != NewComments::default()
    }

    /// Refuses fields that have no meaning in an op of a type that bosh knows.
    pub(super) fn check_kind(&self, fields: &OpFields<'_>, kind: &str) -> Result<()> {
        self.check_unless(fields, kind, false)?;
        let mut names = ["comment", "comment_above"].into_iter();
        let found = names.find_map(|name| Some((name, fields.get(name)?.1)));
        match found.filter(|_| matches!(kind, "remove" | "test")) {
            Some((name, place)) => {
                Err(fields.error(&format!("'{kind}' has no field '{name}'"), place))
            }
            None => Ok(()),
        }
    }

    /// Refuses `unless` in an op that does not add an item to a list.
    pub(super) fn check_unless(
        &self,
        fields: &OpFields<'_>,
        kind: &str,
        is_allowed: bool,
    ) -> Result<()> {
        let unless = fields.get("unless").filter(|_| !is_allowed);
        let Some((_, place)) = unless else { return Ok(()) };
        let what = if kind == "copy" {
            "a 'copy' that adds no item to a list".into()
        } else {
            format!("'{kind}'")
        };
        let hint = "it is for `type: insert`, and for a `type: copy` whose path ends in \
                    `-`, an index, `:before` or `:after`";
        Err(fields.error(&format!("{what} has no field 'unless'"), place).hint(hint))
    }

    /// Returns the op with these rules.
    pub(super) fn apply(self, op: Op) -> Op {
        Op {
            missing: self.missing,
            only: self.only.into_iter().collect(),
            aliases: self.aliases,
            comments: self.comments,
            unless_exists: self.unless_exists,
            ..op
        }
    }
}
