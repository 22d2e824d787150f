//! One finding, the change of a text that removes its reason, what is left of others after it,
//! and findings that repeat in a file, told as one.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;

use super::rule::Rule;
use crate::apply;
use crate::diagnostic::{Diagnostic, Severity};
use crate::node::{Kind, NodeId, Path, Seat, Tree};
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

/// Returns a text with some fixes of it applied. All other bytes stay, and so do aliases.
pub fn fixed(tree: &Tree, fixes: &[&Fix]) -> Tree {
    let mut tree = tree.clone();
    let mut fixes: Vec<&&Fix> = fixes.iter().collect();
    // From the last to the first, so that no position changes before its turn.
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
    fixes.dedup();
    for fix in fixes {
        let Some(seat) = apply::locate(&mut tree, &fix.path, fix.root) else { continue };
        remove(&mut tree, seat, fix.position);
    }
    follow_anchors(&mut tree);
    tree
}

/// Has aliases stand for what became of their anchors: an equal value, which they share still.
fn follow_anchors(tree: &mut Tree) {
    let mut todo = tree.roots().to_vec();
    while let Some(node) = todo.pop() {
        let NodeId::Opened(id) = node else { continue };
        if let Some((file, i)) = tree.origin_of(node)
            && tree.arena(file).anchor(i).is_some()
        {
            tree.set_alias_value(file, i, node);
        }
        let slots = tree.children(id);
        todo.extend(slots.ids().map(|at| slots.get(at).value));
    }
}

/// Returns the findings that are not in what is removed.
pub fn outside(findings: Vec<Finding>, removed: &[&Fix]) -> Vec<Finding> {
    let mut ranges: BTreeMap<FileId, Vec<Range<u32>>> = BTreeMap::new();
    for Fix { span, .. } in removed {
        ranges.entry(span.file).or_default().push(span.start..span.end);
    }
    let covers: BTreeMap<FileId, Cover> =
        ranges.into_iter().map(|(file, ranges)| (file, Cover::new(ranges))).collect();
    let mut left = findings;
    left.retain(|finding| {
        let at = finding.span().and_then(|at| Some((covers.get(&at.file)?, at.start)));
        at.is_none_or(|(cover, at)| !cover.has(at))
    });
    left
}

fn remove(tree: &mut Tree, seat: Seat, position: usize) {
    let Some(id) = tree.open(seat, true) else { return };
    let Some(at) = tree.children(id).at(position) else { return };
    match tree.kind(NodeId::Opened(id)) {
        Kind::Sequence => tree.remove_item(id, at),
        Kind::Mapping => tree.remove_slot(id, at),
        Kind::Scalar => {}
    }
}

/// Ranges of a text.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// In the order of their starts; each ends where the longest one so far does.
    ranges: Vec<Range<u32>>,
}

impl Cover {
    pub(super) fn new(mut ranges: Vec<Range<u32>>) -> Cover {
        ranges.sort_by_key(|range| range.start);
        let mut end = 0;
        for range in &mut ranges {
            end = end.max(range.end);
            range.end = end;
        }
        Cover { ranges }
    }

    /// Returns true if an offset is in one of the ranges.
    pub(super) fn has(&self, at: u32) -> bool {
        let begun = self.ranges.partition_point(|range| range.start <= at);
        begun > 0 && at < self.ranges[begun - 1].end
    }
}
