//! Selectors of documents of a stream: `kind=Deployment,name=web.*,labels=(app=web)`, or a
//! condition of JSONPath.

use super::i_regexp::IRegexp;
use super::parser::Parser;
use super::selection::Selection;
use super::syntax::Condition;
use crate::diagnostic::Result;
use crate::node::{NodeId, Tree};

/// A selector of documents by their identity in Kubernetes, or by any condition.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentSelector {
    /// As it was written.
    text: String,
    test: Test,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    /// `@.kind == 'Deployment'`
    Condition(Box<Condition>),
    /// `kind=Deployment,name=web.*`: all must hold.
    Fields(Vec<Field>),
}

#[derive(Clone, Debug, PartialEq)]
enum Field {
    /// The whole text of a field matches.
    Matches(Part, IRegexp),
    /// Labels, or annotations, fulfil all requirements.
    Labels(&'static str, Vec<Requirement>),
}

/// A part of the identity of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Group,
    Version,
    Kind,
    Name,
    Namespace,
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

const PARTS: [(&str, Part); 5] = [
    ("group", Part::Group),
    ("version", Part::Version),
    ("kind", Part::Kind),
    ("name", Part::Name),
    ("namespace", Part::Namespace),
];

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
    pub fn parse(text: &str) -> std::result::Result<DocumentSelector, String> {
        let test = if text.starts_with(['@', '!', '(']) {
            let condition = Parser::new(text).whole_condition();
            Test::Condition(Box::new(condition.map_err(|error| error.within(text))?))
        } else {
            let parts = split(text).into_iter();
            Test::Fields(parts.map(field).collect::<std::result::Result<_, String>>()?)
        };
        Ok(DocumentSelector { text: text.into(), test })
    }

    /// The selector as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if it selects the document with this root.
    ///
    /// # Errors
    /// A condition takes more than `limit` steps.
    pub fn selects(&self, tree: &Tree, root: NodeId, limit: u64) -> Result<bool> {
        match &self.test {
            Test::Condition(condition) => {
                Selection::new(tree, root, limit).holds(condition, root)
            }
            Test::Fields(fields) => {
                Ok(fields.iter().all(|field| field.holds(tree, root)))
            }
        }
    }
}

/// Splits at the commas that are not in brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
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
    let known = || "group, version, kind, name, namespace, labels, annotations";
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is no field: write kind=Deployment"))?;
    let (name, value) = (name.trim(), value.trim());
    if let Some(name) = LABELS.into_iter().find(|known| *known == name) {
        let inner = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let requirements = split(inner.unwrap_or(value)).into_iter().map(requirement);
        return Ok(Field::Labels(
            name,
            requirements.collect::<std::result::Result<_, _>>()?,
        ));
    }
    let part = PARTS.into_iter().find(|(known, _)| *known == name);
    let (_, part) =
        part.ok_or_else(|| format!("there is no field '{name}', only {}", known()))?;
    let pattern = IRegexp::parse(value);
    let pattern = pattern.map_err(|_| {
        format!(
            "'{value}' is no regular expression of RFC 9485, which has no '\\d' or '\\w'"
        )
    })?;
    Ok(Field::Matches(part, pattern))
}

/// Parses `app`, `!app`, `app=web`, `app!=web`, `app in (a, b)` or `app notin (a, b)`.
fn requirement(text: &str) -> std::result::Result<Requirement, String> {
    let text = text.trim();
    let made = |key: &str, values: Vec<String>, negated| {
        let key = key.trim();
        let is_key = !key.is_empty() && !key.contains([' ', '(', ')', '!', '=']);
        let wrong = || format!("'{text}' is no requirement of a label: write app=web");
        is_key.then(|| Requirement { key: key.into(), values, negated }).ok_or_else(wrong)
    };
    let list = |values: &str| {
        let inner = values.trim().strip_prefix('(')?.strip_suffix(')')?;
        Some(inner.split(',').map(|value| value.trim().to_owned()).collect::<Vec<_>>())
    };
    for (word, negated) in [(" notin ", true), (" in ", false)] {
        if let Some((key, values)) = text.split_once(word)
            && let Some(values) = list(values)
        {
            return made(key, values, negated);
        }
    }
    for (sign, negated) in [("!=", true), ("==", false), ("=", false)] {
        if let Some((key, value)) = text.split_once(sign) {
            return made(key, vec![value.trim().into()], negated);
        }
    }
    match text.strip_prefix('!') {
        Some(key) => made(key, Vec::new(), true),
        None => made(text, Vec::new(), false),
    }
}

impl Field {
    fn holds(&self, tree: &Tree, root: NodeId) -> bool {
        match self {
            Field::Matches(part, pattern) => pattern.matches(&part.of(tree, root), true),
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
}

impl Requirement {
    fn holds(&self, value: Option<&str>) -> bool {
        let is_there = value.is_some_and(|value| {
            self.values.is_empty() || self.values.iter().any(|wanted| wanted == value)
        });
        is_there != self.negated
    }
}

impl Part {
    fn of(self, tree: &Tree, root: NodeId) -> String {
        let text = |node: Option<NodeId>| {
            node.map(|node| tree.text_of(node).into_owned()).unwrap_or_default()
        };
        let metadata = tree.get(root, "metadata");
        let of_metadata =
            |key| text(metadata.and_then(|metadata| tree.get(metadata, key)));
        let api = || text(tree.get(root, "apiVersion"));
        let split = |api: String| match api.split_once('/') {
            Some((group, version)) => (group.to_owned(), version.to_owned()),
            None => (String::new(), api),
        };
        match self {
            Part::Group => split(api()).0,
            Part::Version => split(api()).1,
            Part::Kind => text(tree.get(root, "kind")),
            Part::Name => of_metadata("name"),
            Part::Namespace => of_metadata("namespace"),
        }
    }
}
