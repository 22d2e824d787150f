//! Comments that allow what a rule is about: `# interpolate: allow RULE`.

use std::collections::{BTreeMap, HashMap};

use super::finding::Finding;
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, near};
use crate::source::{FileId, Source, Sources, Span};

/// The words that such a comment begins with.
const MARK: &str = "interpolate: allow ";

/// Returns the findings that no comment allows, in the order of their places.
///
/// # Example
/// ```
/// use interpolate::unstable::check;
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::yaml;
///
/// let mut sources = Sources::default();
/// let file = sources.add("a.yml", "a: yes  # interpolate: allow ambiguous-scalar\n");
/// let tree = yaml::read(&sources, file, &yaml::Options::default())?;
/// assert_eq!(check::text(&tree).len(), 1);
/// assert!(check::allowed(check::text(&tree), &sources).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn allowed(findings: Vec<Finding>, sources: &Sources) -> Vec<Finding> {
    let mut files: BTreeMap<FileId, Allowances> = BTreeMap::new();
    let mut left = findings;
    left.retain(|finding| {
        finding.span().is_none_or(|span| {
            let read = || Allowances::read(span.file, sources.get(span.file));
            let allowances = files.entry(span.file).or_insert_with(read);
            !allowances.allow(finding.rule, span)
        })
    });
    left.sort_by_key(|finding| finding.span().map(|span| (span.file, span.start)));
    left
}

/// Returns the findings about comments that allow rules which do not exist.
pub fn unknown_rules(file: FileId, source: &Source) -> Vec<Finding> {
    Allowances::read(file, source).unknown
}

/// The rules that comments of a text allow, by line.
#[derive(Default)]
struct Allowances {
    lines: HashMap<usize, Vec<Rule>>,
    /// The offsets at which lines begin.
    starts: Vec<usize>,
    unknown: Vec<Finding>,
}

impl Allowances {
    /// Reads the comments of a text. A comment on a line of its own is about the next line
    /// that is no comment.
    fn read(file: FileId, source: &Source) -> Allowances {
        let mut found = Allowances::default();
        let (mut start, mut waiting) = (0, Vec::new());
        for (number, line) in source.text.split_inclusive('\n').enumerate() {
            found.starts.push(start);
            let trimmed = line.trim();
            if let Some((before, after)) = comment(line) {
                let at = Span {
                    file,
                    start: (start + before.len()) as u32,
                    end: (start + line.trim_end().len()) as u32,
                };
                waiting.extend(found.rules(after, at));
            }
            if !trimmed.is_empty() && !trimmed.starts_with('#') && !waiting.is_empty() {
                found.lines.insert(number, std::mem::take(&mut waiting));
            }
            start += line.len();
        }
        found
    }

    /// Returns true if a comment allows a finding at a place.
    fn allow(&self, rule: Rule, span: Span) -> bool {
        let line = self.starts.partition_point(|&start| start <= span.start as usize);
        let rules = line.checked_sub(1).and_then(|line| self.lines.get(&line));
        rules.is_some_and(|rules| rules.contains(&rule))
    }

    fn rules(&mut self, names: &str, at: Span) -> Vec<Rule> {
        let words = names.split([',', ' ']).filter(|word| !word.is_empty());
        let mut rules = Vec::new();
        // A reason may follow in brackets or after a dash.
        for name in
            words.take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        {
            match Rule::named(name) {
                Some(rule) => rules.push(rule),
                None => {
                    let error = Diagnostic::warning(format!("there is no rule '{name}'"));
                    let names = Rule::ALL.map(Rule::name);
                    let near =
                        near(names, name).map(|near| format!("did you mean '{near}'?"));
                    let error = error.at(at).hints(near);
                    self.unknown.push(Finding::new(Rule::UnknownRule, *error));
                    break;
                }
            }
        }
        rules
    }
}

/// Returns the text of a line before a comment that allows something, and the names in it.
fn comment(line: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    while let Some(at) = line[from..].find('#').map(|at| from + at) {
        let is_comment = line[..at].chars().next_back().is_none_or(char::is_whitespace);
        let text = line[at..].trim_start_matches('#').trim_start();
        if let Some(names) = text.strip_prefix(MARK).filter(|_| is_comment) {
            return Some((&line[..at], names.trim()));
        }
        from = at + 1;
    }
    None
}
