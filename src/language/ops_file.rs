//! An ops-file, read and printed. A sequence of mappings with `type`, `path`, `value` and
//! `absent` is read to ops, or to one diagnostic with everything that is wrong. Items are
//! unmarshalled first, as bosh does, and then built.

use std::borrow::Cow;

use super::given::{GivenFields, OF_ALL_OPS, ONE_LANGUAGE, OpRules};
use super::unmarshal::{
    MAX_REPORTED_MISMATCHES, TypeMismatch, boolean, check_value, is_unset,
    mismatch_message, text, unmarshal_list,
};
use super::writer::{self, OpFields, OpValue, ValueTexts};
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{
    Combination, Content, Edit, Expect, Missing, NewComment, Op, Origin, Patch,
};
use crate::pointer::{Modifier, Pointer, Token};
use crate::scalar::Dialect;
use crate::select::Mistake;
use crate::source::{FileId, Span};
use crate::target::Target;
use crate::yaml::{DecodeTarget, Options, accept, json, parse_text};

/// Types that other tools and people have for ops, and what does the same here.
const FOREIGN_TYPES: [(&[&str], &str); 6] = [
    (
        &["set", "update", "change", "modify", "put"],
        "'replace' changes a value, and makes what a `?` in its path allows",
    ),
    (
        &["add", "create", "upsert", "new"],
        "'replace' makes what a `?` in its path allows: /a/b?; /list/- appends an item",
    ),
    (&["append", "push"], "'replace' at /list/- appends an item"),
    (&["delete", "del", "rm", "unset"], "'remove' removes a value"),
    (&["rename", "mv"], "'move' gives what is at `from:` another place"),
    (&["assert", "expect", "check"], "'test' fails if the value is another one"),
];

/// The values of `type` that bosh knows.
const TYPES: [&str; 3] = ["replace", "remove", "test"];

/// The values of `type` that only we know.
const OUR_TYPES: [&str; 4] = ["copy", "move", "merge", "insert"];

/// The names of the fields of an item of an ops-file.
pub const FIELDS: &[&str] = &["type", "path", "value", "absent", "error"];

/// Returns the names of all fields of ops, of bosh's and of our own.
pub fn field_names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().copied().chain(["from"].into_iter().chain(OF_ALL_OPS))
}

/// Compiles the first document of an ops-file as bosh does; `name` is the name of the file
/// in messages.
///
/// # Errors
/// bosh's messages: one for all items that do not unmarshal, else one for each op that
/// cannot be built.
pub fn ops(document: &Tree, name: &str) -> Result<Patch, Diagnostics> {
    read(document, name, false)
}

/// Compiles an ops-file, with our own ops and fields if it is `extended`.
pub(super) fn read(
    document: &Tree,
    name: &str,
    extended: bool,
) -> Result<Patch, Diagnostics> {
    let definitions = definitions(document, name)?;
    let ops = (0..).zip(&definitions).map(|(number, definition)| {
        OpReader { document, number, extended }.build(definition, name)
    });
    let ops = Diagnostics::all(ops)?;
    Ok(Patch { ops, arenas: vec![document.shared_base().clone()], ..Patch::default() })
}

/// The reader of one item.
struct OpReader<'a> {
    document: &'a Tree,
    number: u32,
    /// True if there are ops and fields that bosh does not know.
    extended: bool,
}

impl OpReader<'_> {
    fn build(&self, it: &OpDefinition, name: &str) -> diagnostic::Result<Op> {
        self.parse(it).map_err(|diagnostic| {
            let within = it.show(self.document, self.number, name);
            let verbatim = format!("{} within\n{within}", diagnostic.message);
            let meant = it.misspelt.map(|(_, field)| format!("did you mean '{field}'?"));
            let place = it.misspelt.map(|(span, _)| span);
            diagnostic.verbatim(verbatim).label(place, meant.unwrap_or_default())
        })
    }

    fn parse(&self, it: &OpDefinition) -> diagnostic::Result<Op> {
        let document = self.document;
        let kind = it.kind.map_or(Cow::Borrowed(""), |kind| document.text_of(kind));
        let fields = GivenFields { document, item: it.item, number: self.number };
        if self.extended && OUR_TYPES.contains(&&*kind) {
            return our_op(&fields, &kind);
        }
        let title = match &*kind {
            "replace" => "Replace",
            "remove" => "Remove",
            "test" => "Test",
            _ => return Err(self.unknown_type(it, &kind)),
        };
        let rules = self.rules(it, &fields, &kind)?;
        let refuse = |error: BuildError| {
            let number = self.number;
            let message =
                format!("Building ops: {title} operation [{number}]: {}", error.why);
            let diagnostic =
                Diagnostic::error(message).at(error.place.unwrap_or(it.span));
            diagnostic.hints(error.hint)
        };
        let path = it.path.ok_or_else(|| refuse(BuildError::new("Missing path")))?;
        let only_comments = &*kind == "replace" && it.value.is_none() && rules.comments();
        let edit = if only_comments { Ok(Edit::Keep) } else { it.edit(&kind, document) };
        let edit = edit.map_err(refuse)?;
        let at = self.target(path).map_err(refuse)?;
        let span = document.first_line_of(path);
        let origin =
            Some(Origin { span: it.span, path: span, from: None, number: self.number });
        Ok(rules.apply(Op::new(at, edit, origin)))
    }

    /// Reads the fields that bosh does not know.
    fn rules(
        &self,
        it: &OpDefinition,
        fields: &GivenFields<'_>,
        kind: &str,
    ) -> diagnostic::Result<OpRules> {
        // Most ops have none, and each field costs a search through the keys.
        if !it.has_other_fields {
            return Ok(OpRules::default());
        }
        if !self.extended {
            self.check_extensions(it)?;
            return Ok(OpRules::default());
        }
        let rules = OpRules::read(fields)?;
        rules.check_kind(fields, kind)?;
        Ok(rules)
    }

    fn unknown_type(&self, it: &OpDefinition, kind: &str) -> Box<Diagnostic> {
        let document = self.document;
        let number = self.number;
        let op = document.get(it.item, "op").filter(|_| self.extended);
        if let (None, Some(op)) = (it.kind, op) {
            let message = format!(
                "operation [{number}] has 'op', as in a JSON Patch, and the first one has \
                 'type', as in an ops-file"
            );
            let place = document.first_line_of(op);
            return Diagnostic::error(message).at(place).hint(ONE_LANGUAGE);
        }
        let message =
            format!("Building ops: Unknown operation [{number}] with type '{kind}'");
        let place = it.kind.map_or(it.span, |kind| document.first_line_of(kind));
        let ours: &[&str] = if self.extended { &OUR_TYPES } else { &[] };
        let mut types = TYPES.iter().chain(ours).copied();
        let all: Vec<String> = types.clone().map(|name| format!("'{name}'")).collect();
        let lower = kind.to_lowercase();
        let near = types.find(|name| strsim::damerau_levenshtein(name, &lower) <= 2);
        let foreign = FOREIGN_TYPES.iter().find(|(names, _)| names.contains(&&*lower));
        let hint = match near {
            _ if self.extended && foreign.is_some() => {
                foreign.map_or("", |(_, hint)| hint).to_owned()
            }
            Some(name) => format!("did you mean '{name}'?"),
            None => {
                let [first @ .., last] = &all[..] else {
                    return Diagnostic::error(message);
                };
                format!("an op has the type {} or {last}", first.join(", "))
            }
        };
        Diagnostic::error(message).at(place).hint(hint)
    }

    /// Refuses fields that bosh ignores, and that mean something outside of its format.
    fn check_extensions(&self, it: &OpDefinition) -> diagnostic::Result<()> {
        for (key, _) in self.document.pairs(it.item) {
            let name = self.document.member_name(key).unwrap_or_default();
            if OF_ALL_OPS.contains(&&*name) {
                let message = format!("bosh has no field '{name}'");
                let place = self.document.first_line_of(key);
                let hint = "without --format bosh it has an effect";
                return Err(Diagnostic::error(message).at(place).hint(hint));
            }
        }
        Ok(())
    }

    fn target(&self, path: NodeId) -> Result<Target, BuildError> {
        let text = self.document.text_of(path);
        let parsed = if self.extended {
            Target::parse(&text)
        } else {
            Pointer::parse(&text).map(Target::Pointer).map_err(Mistake::from)
        };
        parsed.map_err(|mistake| {
            let is_query = self.extended && text.starts_with('$');
            BuildError {
                place: Some(self.document.first_line_of(path)),
                hint: if is_query { mistake.hint } else { respelt(&text) },
                ..BuildError::new(format!("Invalid path: {}", mistake.message))
            }
        })
    }
}

/// Returns a hint for a path that does not begin with `/`.
fn respelt(path: &str) -> Option<String> {
    let wrong = !path.starts_with('/');
    let path = wrong.then(|| Pointer::respelt(path)).flatten()?;
    Some(format!("write '{path}': a path begins with '/', which stands between names"))
}

struct BuildError {
    why: String,
    place: Option<Span>,
    hint: Option<String>,
}

impl BuildError {
    fn new(why: impl Into<String>) -> BuildError {
        BuildError { why: why.into(), place: None, hint: None }
    }
}

/// An item of an ops-file, unmarshalled: go-patch calls it the same.
struct OpDefinition {
    item: NodeId,
    span: Span,
    kind: Option<NodeId>,
    path: Option<NodeId>,
    value: Option<NodeId>,
    /// A null in `value`, which counts as no value.
    missing: Option<NodeId>,
    absent: Option<bool>,
    /// True if there is a key that is no field of bosh.
    has_other_fields: bool,
    /// The place of a key that is no field, and the field it resembles.
    misspelt: Option<(Span, &'static str)>,
}

/// Unmarshals every item. Unknown fields are ignored, as bosh does.
fn definitions(document: &Tree, name: &str) -> diagnostic::Result<Vec<OpDefinition>> {
    let types = ["[]patch.OpDefinition", "patch.OpDefinition"];
    let root = document.root();
    let (definitions, mismatches) =
        unmarshal_list(document, root, types, OpDefinition::new, OpDefinition::field);
    if mismatches.is_empty() {
        return Ok(definitions);
    }
    let message = format!(
        "Deserializing ops file '{name}': {}",
        mismatch_message(document, &mismatches)
    );
    let mut hints: Vec<&str> =
        mismatches.iter().filter_map(|mismatch| mismatch.hint).collect();
    hints.dedup();
    let places =
        mismatches.iter().take(MAX_REPORTED_MISMATCHES).map(|mismatch| mismatch.place);
    Err(places.fold(Diagnostic::error(message), Diagnostic::at).hints(hints))
}

impl OpDefinition {
    fn new(document: &Tree, item: NodeId) -> OpDefinition {
        OpDefinition {
            item,
            span: document.first_line_of(item),
            kind: None,
            path: None,
            value: None,
            missing: None,
            absent: None,
            has_other_fields: false,
            misspelt: None,
        }
    }

    /// Returns the edit of an op whose type bosh knows.
    fn edit(&self, kind: &str, document: &Tree) -> Result<Edit, BuildError> {
        let null = "a null counts as no value; `value: NULL` says null";
        match (kind, self.value, self.absent) {
            ("replace", Some(value), _) => Ok(Edit::Replace(value)),
            ("replace", None, _) => Err(BuildError {
                place: self.missing.map(|node| document.first_line_of(node)),
                hint: self.missing.map(|_| null.into()),
                ..BuildError::new("Missing value")
            }),
            ("remove", None, _) => Ok(Edit::Remove),
            ("remove", Some(value), _) => Err(BuildError {
                place: Some(document.first_line_of(value)),
                ..BuildError::new("Cannot specify value")
            }),
            // go-patch ignores a value beside `absent: true`.
            (_, _, Some(true)) => Ok(Edit::Test(Expect::Absent)),
            (_, Some(value), _) => Ok(Edit::Test(Expect::Equal(value))),
            (_, None, Some(false)) => Ok(Edit::Test(Expect::Null)),
            (_, None, None) => Err(BuildError::new("Missing value or absent")),
        }
    }

    /// Prints the item as bosh shows it in a message, with its value redacted.
    fn show(&self, document: &Tree, number: u32, name: &str) -> String {
        let kind = self.kind.filter(|kind| !document.text_of(*kind).is_empty());
        let error = format!("operation [{number}] in {name} failed");
        let fields = [
            ("Type", kind.map(|kind| json::quoted(&document.text_of(kind)))),
            ("Path", self.path.map(|path| json::quoted(&document.text_of(path)))),
            ("Value", self.value.map(|_| json::quoted("<redacted>"))),
            ("Absent", self.absent.map(|absent| absent.to_string())),
            ("Error", Some(json::quoted(&error))),
        ];
        let given = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let given: Vec<String> =
            given.map(|(name, value)| format!("  \"{name}\": {value}")).collect();
        // Go's encoder escapes these so that JSON can stand in HTML and in JavaScript.
        format!("{{\n{}\n}}", given.join(",\n"))
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029")
    }

    fn field(
        &mut self,
        document: &Tree,
        key: NodeId,
        value: NodeId,
    ) -> std::result::Result<(), TypeMismatch> {
        let given = (!is_unset(document, value)).then_some(value);
        match &*text(document, key)? {
            "type" => self.kind = text(document, value).map(|_| given)?,
            "path" => self.path = text(document, value).map(|_| given)?,
            "error" => drop(text(document, value)?),
            "absent" => self.absent = given.map(|v| boolean(document, v)).transpose()?,
            "value" => {
                check_value(document, value)?;
                (self.value, self.missing) = (given, given.is_none().then_some(value));
            }
            other => {
                self.has_other_fields = true;
                self.misspelt = self.misspelt.or(similar_field(other)
                    .map(|field| (document.first_line_of(key), field)));
            }
        }
        Ok(())
    }
}

/// Returns the field that `key` is a likely misspelling of.
fn similar_field(key: &str) -> Option<&'static str> {
    let lower = key.to_lowercase();
    let distances = FIELDS.iter().map(|&it| (strsim::osa_distance(it, &lower), it));
    distances
        .filter(|(distance, field)| *distance <= 1 + usize::from(field.len() > 4))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, field)| field)
}

/// Builds a `copy`, `move`, `merge` or `insert` op.
fn our_op(fields: &GivenFields<'_>, kind: &str) -> diagnostic::Result<Op> {
    let document = fields.document;
    let number = fields.number;
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

/// Prints the ops-file that compiles to `patch`.
///
/// # Errors
/// An ops-file cannot hold an op: one of a JSON Patch, a Merge Patch or an Overlay, or one
/// with two selectors of documents.
pub fn print_ops(patch: &Patch) -> diagnostic::Result<String> {
    print_with(patch, &ValueTexts::of(patch))
}

/// Prints the ops-file of each patch.
///
/// # Errors
/// As [`print_ops`].
pub fn print_each(patches: &[Patch]) -> diagnostic::Result<Vec<String>> {
    // The patches of a stream take their values from one text, which is prepared once.
    let mut texts = ValueTexts::default();
    let print = |patch| {
        if !texts.serves(patch) {
            texts = ValueTexts::of(patch);
        }
        print_with(patch, &texts)
    };
    patches.iter().map(print).collect()
}

fn print_with(patch: &Patch, texts: &ValueTexts) -> diagnostic::Result<String> {
    let text = writer::document(patch, texts, fields_of, false)?.to_string();
    if is_accepted(&text) {
        return Ok(text);
    }
    let rewritten = writer::document(patch, texts, fields_of, true)?.to_string();
    Ok(if is_accepted(&rewritten) { rewritten } else { text })
}

/// Returns the fields of an op; `None` for the merge of directives.
///
/// # Errors
/// An ops-file cannot spell the op.
pub(super) fn fields_of(op: &Op) -> diagnostic::Result<Option<OpFields>> {
    let value = |node: &NodeId| Some(("value", OpValue::Node(*node)));
    let (kind, from, value) = match &op.edit {
        Edit::Replace(node) => ("replace", None, value(node)),
        Edit::Remove => ("remove", None, None),
        Edit::Keep => ("replace", None, None),
        Edit::Test(expect) => ("test", None, Some(expected(*expect)?)),
        Edit::Add(Content::Copied(from)) => ("copy", Some(from), None),
        Edit::Add(Content::Moved(from)) => ("move", Some(from), None),
        Edit::Add(Content::Written(node)) => ("insert", None, value(node)),
        Edit::Combine(Content::Written(node), Combination::MERGE) => {
            ("merge", None, value(node))
        }
        Edit::Combine(..) => {
            return Err(unwritable("an op that combines by other rules"));
        }
        Edit::Merge(_) | Edit::RemoveWhiteouts => return Ok(None),
    };
    if [Some(&op.at), from].into_iter().flatten().any(is_json) {
        return Err(unwritable("an operation of a JSON Patch"));
    }
    let makes_key = |target: &Target| match target {
        Target::Query(query) => query.split_key().is_some(),
        Target::Pointer(_) | Target::Json(_) => false,
    };
    if op.makes_key && makes_key(&op.at) {
        return Err(unwritable("an op that makes keys where a query leads"));
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

fn unwritable(what: &str) -> Box<Diagnostic> {
    Diagnostic::error(format!("an ops-file cannot hold {what}"))
}

fn is_json(target: &Target) -> bool {
    matches!(target, Target::Json(_))
}

fn expected(expect: Expect) -> diagnostic::Result<(&'static str, OpValue)> {
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

fn is_accepted(text: &str) -> bool {
    let options = Options { dialect: Dialect::Go, ..Options::default() };
    accept::accept(text).is_ok()
        && parse_text(FileId::BLANK, text, &options)
            .is_ok_and(|arena| accept::decode(&arena, DecodeTarget::Value).is_ok())
}
