//! Selectors of documents of a stream: `kind=Deployment,name=web.*,labels=(app=web)`, or a
//! condition of JSONPath; and the selectors that a document has by its name.

use hashbrown::HashMap;

use super::budget::QueryBudget;
use super::error::{Mistake, PatternWarning, QueryError, hint};
use super::foreign::foreign;
use super::i_regexp::IRegexp;
use super::normalized_paths::quoted;
use super::parser::QueryParser;
use super::repair;
use super::selection::Selection;
use super::syntax::Condition;
use crate::compare::{DocumentName, group_and_version, kind, name_of_document};
use crate::diagnostic::{Diagnostic, Result, listed, near};
use crate::node::{NodeId, Tree};
use crate::source::Span;

/// A selector of documents by their identity in Kubernetes, or by any condition.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentSelector {
    /// As it was written.
    text: String,
    test: SelectorTest,
    warnings: Vec<PatternWarning>,
    /// The place it was written at.
    place: Option<Span>,
}

#[derive(Clone, Debug, PartialEq)]
enum SelectorTest {
    /// `@.kind == 'Deployment'`
    Condition(Box<Condition>),
    /// `kind=Deployment,name=web.*`: all must hold.
    Fields(Vec<Field>),
}

#[derive(Clone, Debug, PartialEq)]
enum Field {
    /// The whole text of a field matches the pattern, which is given as text too. A pattern
    /// without special characters is that text only.
    // A stream may have as many ops with names as documents.
    Matches(&'static str, Option<IRegexp>, String),
    /// Any text matches the empty pattern.
    Anything,
    /// Labels, or annotations, fulfil all requirements.
    Labels(&'static str, Vec<Requirement>),
}

/// The parts of the identity of a document.
const PARTS: [&str; 5] = ["group", "version", "kind", "name", "namespace"];

const LABELS: [&str; 2] = ["labels", "annotations"];

impl DocumentSelector {
    /// Parses a selector: a condition if it begins with `@`, `!` or `(`, else fields with
    /// commas between them.
    ///
    /// # Errors
    /// The mistake: a field that does not exist, a pattern that is no I-Regexp.
    ///
    /// ```
    /// use interpolate::unstable::select::DocumentSelector;
    /// assert!(DocumentSelector::parse("kind=Deployment,labels=(app=web)").is_ok());
    /// assert!(DocumentSelector::parse("@.kind == 'Deployment'").is_ok());
    /// assert!(DocumentSelector::parse("knd=Deployment").is_err());
    /// ```
    pub fn parse(text: &str) -> std::result::Result<DocumentSelector, Mistake> {
        let mut warnings = Vec::new();
        let test = if text.starts_with(['@', '!', '(']) {
            let parsed = QueryParser::new(text).whole_condition();
            let (condition, found) = parsed.map_err(|error| {
                QueryError { hint: repair::hint_of_condition(text), ..error }.told(text)
            })?;
            warnings = found;
            SelectorTest::Condition(Box::new(condition))
        } else {
            let fields = split(text).into_iter().map(field);
            let fields = fields.collect::<std::result::Result<_, String>>();
            let is_condition = text.starts_with(['.', '$']) || text.contains("==");
            SelectorTest::Fields(fields.map_err(|message| Mistake {
                message,
                hint: repair::hint_of_condition(text).filter(|_| is_condition),
            })?)
        };
        Ok(DocumentSelector { text: text.into(), test, warnings, place: None })
    }

    /// Returns the same selector, written at a place.
    #[must_use]
    pub fn at(self, place: Span) -> DocumentSelector {
        DocumentSelector { place: Some(place), ..self }
    }

    /// The selector as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the warnings about its patterns, at its place.
    pub fn pattern_warnings(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        self.warnings.iter().map(|warning| warning.at(self.place))
    }

    /// Returns the name that a document must have, if it is a whole name.
    pub(crate) fn name(&self) -> Option<&str> {
        let SelectorTest::Fields(fields) = &self.test else { return None };
        fields.iter().find_map(|field| match field {
            Field::Matches("name", None, name) => Some(&**name),
            _ => None,
        })
    }

    /// Returns true if it selects the document with this root. An empty one has nothing to
    /// select it by.
    ///
    /// # Errors
    /// A condition takes more than the budget has.
    pub fn selects(
        &self,
        tree: &Tree,
        root: NodeId,
        budget: &mut QueryBudget,
    ) -> Result<bool> {
        if tree.is_empty_document(root) {
            return Ok(false);
        }
        match &self.test {
            SelectorTest::Condition(condition) => {
                Selection::new(tree, root, budget).holds(condition, root)
            }
            SelectorTest::Fields(fields) => {
                Ok(fields.iter().all(|field| field.holds(tree, root)))
            }
        }
    }

    /// Returns the positions of the documents that it selects among those at `roots`.
    ///
    /// # Errors
    /// It selects none, or a condition takes more than the budget has.
    pub fn select(
        &self,
        tree: &Tree,
        roots: &[usize],
        budget: &mut QueryBudget,
    ) -> Result<Vec<usize>> {
        let mut selected = Vec::new();
        for &at in roots {
            let selects = self.selects(tree, tree.roots()[at], budget);
            if selects.map_err(|error| self.located(error))? {
                selected.push(at);
            }
        }
        if selected.is_empty() {
            Err(self.selects_nothing(tree, roots))
        } else {
            Ok(selected)
        }
    }

    /// Returns the error of a selector that selects none of the documents at `roots`.
    pub(crate) fn selects_nothing(
        &self,
        tree: &Tree,
        roots: &[usize],
    ) -> Box<Diagnostic> {
        let documents: Vec<NodeId> = roots.iter().map(|&at| tree.roots()[at]).collect();
        let documents = &documents[..documents.len().min(MAX_COMPARED)];
        let error = Diagnostic::error(format!("no document matches '{}'", self.text));
        let near = match &self.test {
            SelectorTest::Fields(fields) => {
                fields.iter().find_map(|field| field.nearest(tree, documents))
            }
            SelectorTest::Condition(_) => None,
        };
        let near = near.map(|near| format!("did you mean '{near}'?"));
        let near = near.or_else(|| self.hint_of_part(tree, documents));
        // `kind == 'Deployment'` is a field whose pattern begins with `=`.
        let near = near.or_else(|| {
            repair::hint_of_condition(&self.text).filter(|_| self.text.contains("=="))
        });
        let names = documents.iter().map(|&root| DocumentName::of(tree, root));
        let names = describe(&names.collect::<Vec<_>>(), roots.len());
        let pattern = self.warnings.first().map(PatternWarning::told);
        self.located(error.hints(pattern.into_iter().chain(near).chain(names)))
    }

    /// Returns a hint at the pattern of a whole text, if one of a part of it is written.
    fn hint_of_part(&self, tree: &Tree, documents: &[NodeId]) -> Option<String> {
        let SelectorTest::Fields(fields) = &self.test else { return None };
        let meant = fields.iter().find_map(|field| field.widened(tree, documents))?;
        Some(format!("a pattern is for the whole text: write '{meant}' for a part of it"))
    }

    /// Adds the place of the selector to an error.
    pub(crate) fn located(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        error.at(self.place)
    }
}

/// Maximum number of documents whose names are read for the error of a selector.
// A hint shows a few of them.
const MAX_COMPARED: usize = 1000;

/// Splits at the commas that are not in brackets.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn field(text: &str) -> std::result::Result<Field, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is no field: write kind=Deployment"))?;
    let name = name.trim();
    let value = value.trim();
    if let Some(name) = LABELS.into_iter().find(|known| *known == name) {
        let inner = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let inner = inner.unwrap_or(value);
        let requirements = split(inner).into_iter().filter(|_| !inner.trim().is_empty());
        let requirements = requirements.map(Requirement::parse);
        return Ok(Field::Labels(
            name,
            requirements.collect::<std::result::Result<_, _>>()?,
        ));
    }
    let part = PARTS.into_iter().find(|known| *known == name).ok_or_else(|| {
        let known = [&PARTS[..], &LABELS].concat().join(", ");
        format!("there is no field '{name}', only {known}")
    })?;
    if value.is_empty() {
        return Ok(Field::Anything);
    }
    let pattern = IRegexp::parse(value).map_err(|_| {
        let foreign = foreign(value);
        let part = foreign.as_ref().map_or(value, |foreign| &foreign.part);
        let hint = foreign.as_ref().map(hint).unwrap_or_default();
        format!("'{part}' is in no regular expression of RFC 9485: {hint}")
    })?;
    let is_literal = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    Ok(Field::Matches(part, Some(pattern).filter(|_| !is_literal), value.into()))
}

impl Field {
    fn holds(&self, tree: &Tree, root: NodeId) -> bool {
        match self {
            Field::Matches(part, Some(pattern), _) => {
                pattern.matches(&part_of(part, tree, root), true)
            }
            Field::Matches(part, None, text) => part_of(part, tree, root) == *text,
            Field::Anything => true,
            Field::Labels(name, requirements) => {
                let metadata = tree.get(root, "metadata");
                let labels = metadata.and_then(|metadata| tree.get(metadata, name));
                requirements.iter().all(|requirement| {
                    let value =
                        labels.and_then(|labels| tree.get(labels, &requirement.key));
                    let value = value.map(|value| tree.text_of(value).into_owned());
                    requirement.holds(value.as_deref())
                })
            }
        }
    }

    /// Returns the field with a similar text that one of the documents has, if no document
    /// has this one.
    fn nearest(&self, tree: &Tree, documents: &[NodeId]) -> Option<String> {
        let Field::Matches(part, _, text) = self else { return None };
        if documents.iter().any(|&root| self.holds(tree, root)) {
            return None;
        }
        let values = documents.iter().map(|&root| part_of(part, tree, root));
        let values: Vec<String> = values.filter(|value| !value.is_empty()).collect();
        let same = values.iter().find(|value| value.eq_ignore_ascii_case(text));
        let near = same
            .map(String::as_str)
            .or_else(|| near(values.iter().map(String::as_str), text))?;
        Some(format!("{part}={near}"))
    }

    /// Returns the field with a pattern that one of the documents matches, if the text of one
    /// begins with what is written, ends with it or contains it, and no document has it.
    fn widened(&self, tree: &Tree, documents: &[NodeId]) -> Option<String> {
        let Field::Matches(part, _, text) = self else { return None };
        if documents.iter().any(|&root| self.holds(tree, root)) {
            return None;
        }
        let inner = text.strip_prefix('^').unwrap_or(text);
        let inner = inner.strip_suffix('$').unwrap_or(inner);
        let is_grouped = inner.starts_with('(') && inner.ends_with(')');
        let needs_group = inner.contains('|') && !is_grouped;
        let inner = if needs_group { format!("({inner})") } else { inner.to_owned() };
        let wider = [format!("{inner}.*"), format!(".*{inner}"), format!(".*{inner}.*")];
        let is_found = |text: &String| {
            let pattern = IRegexp::parse(text);
            pattern.is_ok_and(|pattern| {
                let mut texts = documents.iter().map(|&root| part_of(part, tree, root));
                texts.any(|text| pattern.matches(&text, true))
            })
        };
        let wider = wider.into_iter().find(is_found)?;
        Some(format!("{part}={wider}"))
    }
}

/// Returns the text of one of the [`PARTS`].
fn part_of(part: &str, tree: &Tree, root: NodeId) -> String {
    match part {
        "group" => group_and_version(tree, root).0,
        "version" => group_and_version(tree, root).1,
        "kind" => kind(tree, root),
        "name" => name_of_document(tree, root),
        _ => DocumentName::of(tree, root).namespace,
    }
}

/// A requirement of a label selector.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    /// The values that it may have; any if there are none.
    values: Vec<String>,
    /// True if the label must be absent, or have another value.
    negated: bool,
}

impl Requirement {
    /// Parses `app`, `!app`, `app=web`, `app==web`, `app!=web`, `app in (a, b)` or
    /// `app notin (a, b)`.
    ///
    /// # Errors
    /// The text is none of these.
    fn parse(text: &str) -> std::result::Result<Requirement, String> {
        let text = text.trim();
        let wrong = || format!("'{text}' is no requirement of a label: write app=web");
        parsed(text).ok_or_else(wrong)
    }

    /// Returns true if a label fulfils it that has this value, or is missing.
    fn holds(&self, value: Option<&str>) -> bool {
        let is_there = value.is_some_and(|value| {
            self.values.is_empty() || self.values.iter().any(|wanted| wanted == value)
        });
        is_there != self.negated
    }
}

fn parsed(text: &str) -> Option<Requirement> {
    let made = |key: &str, values, negated| {
        Some(Requirement { key: key.to_owned(), values, negated })
    };
    if let Some(key) = text.strip_prefix('!') {
        let (key, rest) = key_and_rest(key.trim_start())?;
        return if rest.is_empty() { made(key, Vec::new(), true) } else { None };
    }
    let (key, rest) = key_and_rest(text)?;
    if rest.is_empty() {
        return made(key, Vec::new(), false);
    }
    for (sign, negated) in [("!=", true), ("==", false), ("=", false)] {
        if let Some(value) = rest.strip_prefix(sign) {
            return made(key, vec![value_of(value)?], negated);
        }
    }
    for (word, negated) in [("notin", true), ("in", false)] {
        if let Some(list) = rest.strip_prefix(word) {
            let inner = list.trim().strip_prefix('(')?.strip_suffix(')')?;
            let values = inner.split(',').map(value_of).collect::<Option<_>>()?;
            return made(key, values, negated);
        }
    }
    None
}

/// Splits a text after the key of a label.
fn key_and_rest(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"-_./".contains(c));
    let (key, rest) = text.split_at(end.unwrap_or(text.len()));
    (!key.is_empty()).then_some((key, rest.trim_start()))
}

fn value_of(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.contains(|c: char| c.is_whitespace() || "()!=<>,".contains(c)))
        .then(|| text.to_owned())
}

/// Maximum number of documents that a hint names.
// Their kinds and names fit a line or two.
const MAX_NAMED: usize = 5;

impl DocumentName {
    /// Returns a selector of documents with this kind and name, and with this namespace if
    /// one of `others` has the same kind and name in another. `None` if there is none.
    pub fn selector(&self, others: &[DocumentName]) -> Option<String> {
        self.selector_with(others.iter().any(|other| {
            other != self && (&other.kind, &other.name) == (&self.kind, &self.name)
        }))
    }

    /// Returns the selector of each document of a stream, in which no two have the same name.
    pub fn selectors(names: &[DocumentName]) -> Vec<Option<String>> {
        let mut namesakes = HashMap::<(&str, &str), usize>::new();
        for DocumentName { kind, name, .. } in names {
            *namesakes.entry((kind, name)).or_default() += 1;
        }
        names
            .iter()
            .map(|it| it.selector_with(namesakes[&(&*it.kind, &*it.name)] > 1))
            .collect()
    }

    fn selector_with(&self, needs_namespace: bool) -> Option<String> {
        let DocumentName { kind, name, namespace } = self;
        let fields = [("kind", kind), ("name", name), ("namespace", namespace)];
        let fields = &fields[..if needs_namespace { 3 } else { 2 }];
        let patterns = fields.iter().map(|(field, text)| {
            let pattern = pattern(text)?;
            Some(format!("{field}={pattern}"))
        });
        if let Some(patterns) = patterns.collect::<Option<Vec<_>>>() {
            return Some(patterns.join(","));
        }
        (!needs_namespace).then(|| {
            let kind = quoted(kind);
            let name = quoted(name);
            format!("@.kind == {kind} && @.metadata.name == {name}")
        })
    }
}

fn document_names(tree: &Tree, positions: &[usize]) -> Vec<DocumentName> {
    positions.iter().map(|&at| DocumentName::of(tree, tree.roots()[at])).collect()
}

/// Returns a selector of just the documents at `chosen`, for a hint: of all with their kind,
/// if there are no others of that kind.
pub(crate) fn choosing(tree: &Tree, chosen: &[usize], all: &[usize]) -> Option<String> {
    let wanted = document_names(tree, chosen);
    let all = document_names(tree, all);
    let mut kinds: Vec<&str> = wanted.iter().map(|name| &*name.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of_kinds = all.iter().filter(|name| kinds.contains(&&*name.kind)).count();
    let patterns = kinds.iter().map(|kind| pattern(kind)).collect::<Option<Vec<_>>>();
    match (patterns, &wanted[..]) {
        (Some(patterns), _) if of_kinds == chosen.len() && !kinds.contains(&"") => {
            Some(format!("kind={}", patterns.join("|")))
        }
        (_, [one]) if !one.kind.is_empty() && !one.name.is_empty() => {
            let same = all.iter().filter(|name| *name == one).count();
            one.selector(&all).filter(|_| same == 1)
        }
        _ => None,
    }
}

/// Describes documents of a stream, of which there are `count`; `None` if no document has a
/// name.
fn describe(names: &[DocumentName], count: usize) -> Option<String> {
    let named =
        names.iter().filter(|name| !name.kind.is_empty() || !name.name.is_empty());
    let shown: Vec<String> = named.take(MAX_NAMED).map(DocumentName::to_string).collect();
    if shown.is_empty() {
        return None;
    }
    let are = if count == 1 { "document is" } else { "documents are" };
    let left_out = count - shown.len();
    Some(format!("the {are} {}", listed(shown, left_out)))
}

/// Returns a regular expression that matches just this text, if it is a name as people
/// write them.
fn pattern(text: &str) -> Option<String> {
    text.chars()
        .all(|c: char| c.is_ascii_alphanumeric() || "-_:/.".contains(c))
        .then(|| text.replace('.', "\\."))
}
