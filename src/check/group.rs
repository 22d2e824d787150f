//! Findings that repeat in a file, told as one.

use hashbrown::HashMap;

use super::finding::Finding;
use super::rule::Rule;
use crate::diagnostic::Diagnostic;
use crate::source::FileId;

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
