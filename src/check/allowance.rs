//! Comments that allow what a rule is about: `# interpolate: allow RULE`.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;

use super::cover::Cover;
use super::finding::Finding;
use super::rule::Rule;
use crate::arena::{Index, Style};
use crate::diagnostic::{Diagnostic, near};
use crate::source::{FileId, Sources, Span};
use crate::yaml;

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
        // Of a key that is there twice, either one may have the comment.
        let count = if finding.rule == Rule::DuplicateKey { 2 } else { 1 };
        !finding.diagnostic.labels.iter().take(count).any(|label| {
            let (file, at) = (label.span.file, label.span.start);
            let read = || Allowances::read(file, sources);
            files.entry(file).or_insert_with(read).allow(finding.rule, at)
        })
    });
    left.sort_by_key(|finding| finding.span().map(|span| (span.file, span.start)));
    left
}

/// Returns the findings about comments that allow rules which do not exist.
pub fn unknown_rules(file: FileId, sources: &Sources) -> Vec<Finding> {
    Allowances::read(file, sources).unknown
}

/// The rules that comments of a text allow, and where.
#[derive(Default)]
struct Allowances {
    /// The lines and entries in which each rule is allowed.
    covers: HashMap<Rule, Cover>,
    unknown: Vec<Finding>,
}

impl Allowances {
    /// Reads the comments of a text. A comment on a line of its own is about the next entry
    /// and all that is in it, another one about its line.
    fn read(file: FileId, sources: &Sources) -> Allowances {
        let (mut found, text) = (Allowances::default(), &sources.get(file).text);
        if !text.contains(MARK) {
            return found;
        }
        let scalars = scalars(file, sources);
        let is_in_scalar = |at: usize| scalars.has(at as u32);
        let mut lines = AllowedLines::default();
        let (mut start, mut waiting) = (0, Vec::new());
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            let content = line.trim_start_matches(' ');
            let is_blank = content.trim().is_empty();
            let is_content =
                !is_blank && !content.starts_with('#') && !is_in_scalar(start);
            if is_content {
                let (indent, is_item) = (line.len() - content.len(), is_item(content));
                lines.close((indent, is_item), start);
                let rules = std::mem::take(&mut waiting);
                if !rules.is_empty() {
                    lines.open.push(OpenEntry { indent, is_item, start, rules });
                }
            }
            let comment = comment(line).filter(|(at, _)| !is_in_scalar(start + at));
            if let Some((at, names)) = comment {
                let span = Span {
                    file,
                    start: (start + at) as u32,
                    end: (start + line.trim_end().len()) as u32,
                };
                let rules = found.rules(names, span);
                if is_content {
                    lines.add(&rules, start..end);
                } else {
                    waiting.extend(rules);
                }
            }
            start = end;
        }
        // Nothing stands further to the left than the end of the text.
        lines.close((0, false), start);
        let covers = lines.ranges.into_iter();
        found.covers = covers.map(|(rule, ranges)| (rule, Cover::new(ranges))).collect();
        found
    }

    /// Returns true if a comment allows a finding at an offset.
    fn allow(&self, rule: Rule, at: u32) -> bool {
        self.covers.get(&rule).is_some_and(|cover| cover.has(at))
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

/// An entry below a comment that allows something, while its lines are read.
struct OpenEntry {
    indent: usize,
    is_item: bool,
    start: usize,
    rules: Vec<Rule>,
}

/// The lines in which rules are allowed, while a text is read.
#[derive(Default)]
struct AllowedLines {
    /// The entries that the line is a part of, outer ones first.
    open: Vec<OpenEntry>,
    ranges: BTreeMap<Rule, Vec<Range<u32>>>,
}

impl AllowedLines {
    /// Ends the entries that a line is not a part of.
    fn close(&mut self, (indent, is_item): (usize, bool), end: usize) {
        // The items of a list may stand as far to the left as its key.
        let is_over = |entry: &mut OpenEntry| {
            let is_list_below = is_item && !entry.is_item && indent == entry.indent;
            indent <= entry.indent && !is_list_below
        };
        while let Some(entry) = self.open.pop_if(is_over) {
            self.add(&entry.rules, entry.start..end);
        }
    }

    fn add(&mut self, rules: &[Rule], Range { start, end }: Range<usize>) {
        for &rule in rules {
            self.ranges.entry(rule).or_default().push(start as u32..end as u32);
        }
    }
}

/// Returns where scalars stand in a text, but not the first line of a block scalar, which may
/// have a comment. Empty if the text cannot be read.
fn scalars(file: FileId, sources: &Sources) -> Cover {
    let Ok(tree) = yaml::read(sources, file, &yaml::Options::default()) else {
        return Cover::default();
    };
    let arena = tree.base();
    let is_scalar = |&i: &Index| {
        let style = arena.style(i);
        !style.is_mapping() && !style.is_sequence()
    };
    let range = |i| {
        let Span { start, end, .. } = arena.span(i);
        let (start, end) = (start as usize, end as usize);
        let header = match arena.style(i) {
            Style::Literal | Style::Folded => {
                arena.text()[start..end].find('\n').unwrap_or(end - start)
            }
            _ => 0,
        };
        // A line that begins with a scalar is not inside of it.
        (start + header + 1) as u32..end as u32
    };
    Cover::new(arena.indices().filter(is_scalar).map(range).collect())
}

fn is_item(content: &str) -> bool {
    content.strip_prefix('-').is_some_and(|rest| rest.starts_with([' ', '\n', '\r']))
}

/// Returns the offset of a comment that allows something in a line, and the names in it.
fn comment(line: &str) -> Option<(usize, &str)> {
    let bytes = line.as_bytes();
    let begins =
        |&(at, _): &(usize, &str)| at == 0 || bytes[at - 1].is_ascii_whitespace();
    line.match_indices('#').filter(begins).find_map(|(at, _)| {
        let text = line[at..].trim_start_matches('#').trim_start();
        Some((at, text.strip_prefix(MARK)?.trim()))
    })
}
