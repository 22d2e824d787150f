//! The parts of an ops-file that bosh does not know: the ops `copy`, `move`, `merge` and
//! `insert`, and fields that say where, whether and how an op is applied.

use crate::diagnostic::{Diagnostic, Result, near};
use crate::node::{Aliases, Kind, NodeId, Tree};
use crate::patch::{
    Combination, Content, Edit, Missing, NewComment, NewComments, Op, Origin,
};
use crate::pointer::{Modifier, Token};
use crate::scalar::Scalar;
use crate::select::{DocumentSelector, Mistake};
use crate::source::Span;
use crate::target::Target;

/// Line breaks that only YAML 1.1 has: a comment would end there.
const BREAKS_1_1: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// The fields of all ops.
pub(super) const OF_ALL_OPS: [&str; 6] =
    ["where", "optional", "anchors", "comment", "comment_above", "unless"];

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
    pub(super) fn read(document: &Tree, item: NodeId, number: u32) -> Result<OpRules> {
        let fields = Fields { document, item, number };
        let mut rules = OpRules::default();
        if fields.flag("optional")? {
            rules.missing = Missing::Passes;
        }
        if let Some((text, place)) = fields.text("where")? {
            let selector = DocumentSelector::parse(&text);
            let selector = selector.map_err(|why| fields.mistake("", why, place))?;
            rules.only = Some(selector.at(place));
        }
        rules.aliases = fields.word("anchors", &ANCHORS)?;
        rules.unless_exists = fields.word("unless", &[("exists", ())])?.is_some();
        rules.comments = NewComments {
            beside: fields.comment("comment", 1)?,
            above: fields.comment("comment_above", usize::MAX)?,
        };
        Ok(rules)
    }

    /// Returns true if the op has a comment.
    pub(super) fn comments(&self) -> bool {
        self.comments != NewComments::default()
    }

    /// Refuses fields that have no meaning in an op of a type that bosh knows.
    pub(super) fn check_kind(
        &self,
        kind: &str,
        document: &Tree,
        item: NodeId,
        number: u32,
    ) -> Result<()> {
        let fields = Fields { document, item, number };
        self.check_unless(&fields, kind, false)?;
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
    fn check_unless(
        &self,
        fields: &Fields<'_>,
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

/// The values of `anchors`.
const ANCHORS: [(&str, Aliases); 3] =
    [("copy", Aliases::Keep), ("follow", Aliases::Follow), ("refuse", Aliases::Refuse)];

/// Builds an op that only we know.
pub(super) fn op(document: &Tree, item: NodeId, number: u32, kind: &str) -> Result<Op> {
    let fields = Fields { document, item, number };
    let transfers = matches!(kind, "copy" | "move");
    fields.check_known(kind, if transfers { "from" } else { "value" })?;
    let (path, at) = fields.target("path")?;
    let mut from_place = None;
    let (at, edit) = if transfers {
        if let Target::Query(_) = at {
            let why = "the new place is one: it is no JSONPath";
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
            return Err(fields.error("a mapping is merged: 'value' is none", place));
        }
        let content = Content::Written(value);
        if kind == "merge" {
            (at, Edit::Combine(content, Combination::MERGE))
        } else {
            (place_in_list(at), Edit::Add(content))
        }
    };
    let rules = OpRules::read(document, item, number)?;
    let adds_item = kind == "insert" || kind == "copy" && is_place_in_list(&at);
    rules.check_unless(&fields, kind, adds_item)?;
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

/// The fields of one item.
struct Fields<'a> {
    document: &'a Tree,
    item: NodeId,
    number: u32,
}

impl Fields<'_> {
    fn span(&self) -> Span {
        self.document.first_line_of(self.item)
    }

    fn error(&self, why: &str, place: Span) -> Box<Diagnostic> {
        Diagnostic::error(format!("operation [{}]: {why}", self.number)).at(place)
    }

    fn get(&self, name: &str) -> Option<(NodeId, Span)> {
        let node = self.document.get(self.item, name)?;
        Some((node, self.document.first_line_of(node)))
    }

    fn required(&self, name: &str) -> Result<NodeId> {
        // A path without a text would be the whole document.
        let is_empty = |node| name != "value" && self.document.is_null(node);
        let (node, _) = self
            .get(name)
            .filter(|&(node, _)| !is_empty(node))
            .ok_or_else(|| self.error(&format!("'{name}' is missing"), self.span()))?;
        Ok(node)
    }

    /// Returns a text that may be missing.
    fn text(&self, name: &str) -> Result<Option<(String, Span)>> {
        let Some((node, place)) = self.get(name) else { return Ok(None) };
        match self.document.kind(node) {
            Kind::Scalar => Ok(Some((self.document.text_of(node).into_owned(), place))),
            Kind::Sequence | Kind::Mapping => {
                Err(self.error(&format!("'{name}' must be a text"), place))
            }
        }
    }

    fn target(&self, name: &str) -> Result<(Span, Target)> {
        self.required(name)?;
        let (text, place) = self.text(name)?.unwrap_or((String::new(), self.span()));
        let target = Target::parse(&text)
            .map_err(|why| self.mistake("Invalid path: ", why, place))?;
        Ok((place, target))
    }

    fn mistake(&self, what: &str, mistake: Mistake, place: Span) -> Box<Diagnostic> {
        let error = self.error(&format!("{what}{}", mistake.message), place);
        mistake.hint.into_iter().fold(error, Diagnostic::hint)
    }

    fn flag(&self, name: &str) -> Result<bool> {
        let Some((node, place)) = self.get(name) else { return Ok(false) };
        match self.document.scalar(node) {
            Scalar::Bool(value) => Ok(value),
            Scalar::Null => Ok(false),
            _ => Err(self.error(&format!("'{name}' must be true or false"), place)),
        }
    }

    /// Returns the meaning of one of some words.
    fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>> {
        let Some((text, place)) = self.text(name)? else { return Ok(None) };
        let known = words.iter().find(|(word, _)| *word == text);
        known.map(|(_, meaning)| Some(*meaning)).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.error(&format!("'{name}' is {}, not '{text}'", words.join(", ")), place)
        })
    }

    fn comment(&self, name: &str, max_lines: usize) -> Result<NewComment> {
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
            let hint = "write 'comment_above'";
            return Err(self.error(&why, place).hint(hint));
        }
        let barred =
            |c: char| c.is_control() && !"\n\t".contains(c) || BREAKS_1_1.contains(&c);
        if text.replace("\r\n", "\n").contains(barred) {
            let why = format!("'{name}' has a character that no comment may have");
            return Err(self.error(&why, place));
        }
        Ok(NewComment::Text(text.replace("\r\n", "\n")))
    }

    /// Refuses fields that the op does not have.
    fn check_known(&self, kind: &str, own: &str) -> Result<()> {
        for (key, _) in self.document.pairs(self.item) {
            let name = self.document.member_name(key).unwrap_or_default();
            let known = || ["type", "path", own].into_iter().chain(OF_ALL_OPS);
            if known().any(|known| known == name) {
                continue;
            }
            let place = self.document.first_line_of(key);
            let error = self.error(&format!("'{kind}' has no field '{name}'"), place);
            let near = near(known(), &name).map(|near| format!("did you mean '{near}'?"));
            return Err(near.into_iter().fold(error, Diagnostic::hint));
        }
        Ok(())
    }
}
