//! A patch as it is written: its document, and the fields of an op, checked by the rules of its
//! kind.

use crate::diagnostic::{Diagnostic, Result, near_hint};
use crate::layout;
use crate::node::{Aliases, Kind, NodeId, Tree};
use crate::patch::{Missing, NewComment, NewComments, Op, Patch};
use crate::scalar::{BREAKS_1_1, Scalar};
use crate::select::{DocumentSelector, Mistake};
use crate::source::Span;
use crate::target::Target;

/// The hint for a list that mixes ops of an ops-file with operations of a JSON Patch.
pub(super) const ONE_LANGUAGE: &str =
    "a file has one language: put the others into a file of their own";

/// Returns true if a document reads as an ops-file or a JSON Patch, and not as a manifest.
pub fn is_patch(document: &Tree) -> bool {
    let first = document.items(document.root()).into_iter().next();
    first.is_some_and(|op| {
        has(document, op, "path")
            && (has(document, op, "type") || has(document, op, "op"))
    })
}

pub(super) fn has(document: &Tree, mapping: NodeId, key: &str) -> bool {
    document.get(mapping, key).is_some()
}

/// Returns the patch with the ops of a document. If it is written as JSON, its values take
/// the style of what they are put into: its author did not choose quotes and brackets.
pub(super) fn patch_of(document: &Tree, ops: Vec<Op>) -> Patch {
    let arena = document.shared_base().clone();
    let restyled = if layout::is_json(&arena) { vec![arena.file()] } else { Vec::new() };
    Patch { ops, arenas: vec![arena], restyled, ..Patch::default() }
}

/// Fails if there are several documents.
pub(super) fn check_single(document: &Tree, what: &str) -> Result<()> {
    let Some(&second) = document.roots().get(1) else { return Ok(()) };
    let message = format!("{what} is a single document");
    let place = document.span(second).map(|span| document.first_line(span));
    Err(Diagnostic::error(message).label(place, "the second one"))
}

/// The fields of all ops.
pub(super) const OF_ALL_OPS: [&str; 6] =
    ["where", "optional", "anchors", "comment", "comment_above", "unless"];

/// The fields of one op.
#[derive(Clone, Copy)]
pub(super) struct GivenFields<'a> {
    pub document: &'a Tree,
    pub item: NodeId,
    /// The number of the op in its file.
    pub number: u32,
}

impl GivenFields<'_> {
    pub(super) fn span(&self) -> Span {
        self.document.first_line_of(self.item)
    }

    /// Returns an error that begins with the number of the op.
    pub(super) fn error(&self, why: &str, place: Span) -> Box<Diagnostic> {
        Diagnostic::error(format!("operation [{}]: {why}", self.number)).at(place)
    }

    /// Returns the value of a field, and its place.
    pub(super) fn get(&self, name: &str) -> Option<(NodeId, Span)> {
        let node = self.document.get(self.item, name)?;
        Some((node, self.document.first_line_of(node)))
    }

    /// Returns the value of a field that must be there.
    pub(super) fn required(&self, name: &str) -> Result<NodeId> {
        // A path without a text would be the whole document.
        let given = self.get(name).map(|(node, _)| node);
        given
            .filter(|node| name == "value" || !self.document.is_null(*node))
            .ok_or_else(|| self.missing(name))
    }

    pub(super) fn missing(&self, name: &str) -> Box<Diagnostic> {
        self.error(&format!("'{name}' is missing"), self.span())
    }

    /// Returns the value of a field that may be there once.
    pub(super) fn single(&self, name: &str) -> Result<Option<NodeId>> {
        let document = self.document;
        let slots = document.slots(self.item);
        let mut found = slots
            .iter()
            .filter(|slot| slot.key.is_some_and(|key| document.is_text(key, name)));
        let first = found.next();
        if let Some(again) = found.next().and_then(|slot| slot.key) {
            let place = document.first_line_of(again);
            return Err(self.error(&format!("'{name}' is there twice"), place));
        }
        Ok(first.map(|slot| slot.value))
    }

    /// Returns a text that may be missing.
    pub(super) fn text(&self, name: &str) -> Result<Option<(String, Span)>> {
        let Some((node, place)) = self.get(name) else { return Ok(None) };
        match self.document.kind(node) {
            Kind::Scalar => Ok(Some((self.document.text_of(node).into_owned(), place))),
            Kind::Sequence | Kind::Mapping => {
                Err(self.error(&format!("'{name}' must be a text"), place))
            }
        }
    }

    /// Returns the path in a field, and its place.
    pub(super) fn target(&self, name: &str) -> Result<(Span, Target)> {
        self.required(name)?;
        let (text, place) = self.text(name)?.unwrap_or((String::new(), self.span()));
        let target = Target::parse(&text)
            .map_err(|why| self.mistake("Invalid path: ", why, place))?;
        Ok((place, target))
    }

    /// Returns an error of a text that cannot be parsed.
    pub(super) fn mistake(
        &self,
        what: &str,
        mistake: Mistake,
        place: Span,
    ) -> Box<Diagnostic> {
        self.error(&format!("{what}{}", mistake.message), place).hints(mistake.hint)
    }

    /// Returns true or false; false if the field is missing.
    pub(super) fn flag(&self, name: &str) -> Result<bool> {
        let Some((node, place)) = self.get(name) else { return Ok(false) };
        match self.document.scalar(node) {
            Scalar::Bool(value) => Ok(value),
            Scalar::Null => Ok(false),
            _ => Err(self.error(&format!("'{name}' must be true or false"), place)),
        }
    }

    /// Returns the meaning of one of some words.
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>> {
        let Some((text, place)) = self.text(name)? else { return Ok(None) };
        let known = words.iter().find(|(word, _)| *word == text);
        known.map(|(_, meaning)| Some(*meaning)).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.error(&format!("'{name}' is {}, not '{text}'", words.join(", ")), place)
        })
    }

    /// Returns a comment of so many lines at most.
    pub(super) fn comment(&self, name: &str, max_lines: usize) -> Result<NewComment> {
        let Some((node, place)) = self.get(name) else {
            return Ok(NewComment::Unchanged);
        };
        if self.document.is_null(node) {
            return Ok(NewComment::Removed);
        }
        let text = self.text(name)?.map_or(String::new(), |(text, _)| text);
        let text = text.trim_end();
        if text.lines().count() > max_lines {
            let why = format!("'{name}' has several lines: they can stand above");
            return Err(self.error(&why, place).hint("write 'comment_above'"));
        }
        // For YAML 1.1 a comment would end at such a break.
        let barred =
            |c: char| c.is_control() && !"\n\t".contains(c) || BREAKS_1_1.contains(&c);
        if text.replace("\r\n", "\n").contains(barred) {
            let why = format!("'{name}' has a character that no comment may have");
            return Err(self.error(&why, place));
        }
        Ok(NewComment::Text(text.replace("\r\n", "\n")))
    }

    /// Refuses fields that the op does not have.
    pub(super) fn check_known(&self, kind: &str, own: &str) -> Result<()> {
        for (key, _) in self.document.pairs(self.item) {
            let name = self.document.member_name(key).unwrap_or_default();
            let known = ["type", "path", own].into_iter().chain(OF_ALL_OPS);
            if known.clone().any(|known| known == name) {
                continue;
            }
            let place = self.document.first_line_of(key);
            let error = self.error(&format!("'{kind}' has no field '{name}'"), place);
            return Err(error.hints(near_hint(known, &name)));
        }
        Ok(())
    }
}

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
    pub(super) fn read(fields: &GivenFields<'_>) -> Result<OpRules> {
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
    pub(super) fn check_kind(&self, fields: &GivenFields<'_>, kind: &str) -> Result<()> {
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
        fields: &GivenFields<'_>,
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
