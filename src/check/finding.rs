//! One finding, the change of a text that removes its reason, and findings that repeat in a
//! file, told as one.

use hashbrown::HashMap;

use super::rule::Rule;
use crate::diagnostic::{Diagnostic, Severity};
use crate::node::Path;
use crate::source::{FileId, Span};

/// A place where a rule is not kept.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The message with its severity and places, the first one being that of the finding.
    pub diagnostic: Diagnostic,
    /// A change of the text that surely mends it.
    pub fix: Option<Fix>,
    /// The name of the variable that it is about.
    pub name: Option<String>,
}

impl Finding {
    /// Creates a finding with the severity of its rule.
    pub fn new(rule: Rule, diagnostic: Diagnostic) -> Finding {
        let diagnostic = Diagnostic { severity: rule.severity(), ..diagnostic };
        Finding { rule, diagnostic, fix: None, name: None }
    }

    /// Creates the finding of an op that fails.
    pub fn failure(diagnostic: Diagnostic) -> Finding {
        Finding::new(Rule::FailingOp, diagnostic)
    }

    /// Makes it a note.
    #[must_use]
    pub fn note(mut self) -> Finding {
        self.diagnostic.severity = Severity::Note;
        self
    }

    /// Returns its place.
    pub fn span(&self) -> Option<Span> {
        self.diagnostic.labels.first().map(|label| label.span)
    }
}

/// The removal of an entry or item from a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The entry or item in the text.
    pub span: Span,
    /// The document of the stream.
    pub root: usize,
    /// The way to the collection.
    pub path: Path,
    /// The position of the entry or item in it.
    pub position: usize,
}

/// Maximum number of places of one spelling that are named: the others are counted.
// More places of the same word do not tell more, and a file may have thousands.
const MAX_PLACES: usize = 3;

/// Maximum number of variables that one message names.
// They fit a line; the message has the number of all.
const MAX_NAMES: usize = 5;

/// Returns the findings as people read them: of those that repeat in a file, one tells all.
/// Other programs want each with its own place.
pub fn grouped(findings: Vec<Finding>) -> Vec<Finding> {
    let mut groups: Vec<Vec<Finding>> = Vec::new();
    let mut numbers: HashMap<(FileId, Rule, String), usize> = HashMap::new();
    for finding in findings {
        let file = finding.span().map(|span| span.file);
        let key = file.zip(repeated(&finding)).map(|(file, of)| (file, finding.rule, of));
        let known = key.as_ref().and_then(|key| numbers.get(key)).copied();
        let number = known.unwrap_or(groups.len());
        numbers.extend(key.map(|key| (key, number)));
        match groups.get_mut(number) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups.into_iter().filter_map(told).collect()
}

/// Returns what findings of a rule have in common if they repeat.
fn repeated(finding: &Finding) -> Option<String> {
    match finding.rule {
        Rule::AmbiguousScalar => Some(finding.diagnostic.message.clone()),
        Rule::UnusedVariable => Some(String::new()),
        _ => None,
    }
}

/// Returns the finding that tells a group.
fn told(group: Vec<Finding>) -> Option<Finding> {
    let count = group.len();
    let mut others = group.into_iter();
    let mut first = others.next()?;
    if count == 1 {
        return Some(first);
    }
    if first.rule == Rule::UnusedVariable {
        let message = format!("{count} variables have a value and no use");
        let more = if count > MAX_NAMES { ", …" } else { "" };
        let place = first.span();
        let names = first.name.into_iter().chain(others.filter_map(|it| it.name));
        let names: Vec<String> = names.take(MAX_NAMES).collect();
        let warning = Diagnostic::warning(message).at(place);
        let warning = warning.hint(format!("{}{more}", names.join(", ")));
        return Some(Finding::new(Rule::UnusedVariable, *warning));
    }
    let labels = others.flat_map(|other| other.diagnostic.labels);
    first.diagnostic.labels.extend(labels.take(MAX_PLACES - 1));
    let more = count.saturating_sub(MAX_PLACES);
    let places = if more == 1 { "place" } else { "places" };
    let more = (more > 0).then(|| format!("{more} more {places} in this file"));
    first.diagnostic.hints.splice(0..0, more);
    Some(first)
}
