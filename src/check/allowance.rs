//! Comments that allow what a rule is about: `# interpolate: allow RULE`.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;

use super::finding::{Cover, Finding};
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, near_hint};
use crate::layout::{Remark, TextLines, remarks};
use crate::node::Tree;
use crate::scalar::Dialect;
use crate::source::{FileId, Sources, Span};
use crate::yaml::{self, Options};

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
            let file = label.span.file;
            let at = label.span.start;
            let allowances = files.entry(file);
            let allowances =
                allowances.or_insert_with(|| Allowances::read(file, sources));
            allowances.allow(finding.rule, at)
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
        let mut found = Allowances::default();
        let text = &sources.get(file).text;
        if !text.contains(MARK) {
            return found;
        }
        let Some(tree) = read_any(file, sources) else { return found };
        let lines = TextLines::new(tree.base());
        let mut allowed = AllowedLines::default();
        let mut waiting = Vec::new();
        for line in 0..lines.count() {
            let start = lines.start(line);
            if lines.begins_entry(line) {
                let indent = lines.indentation(line);
                let is_item = is_item(&lines.line(line)[indent..]);
                allowed.close(indent, is_item, start);
                let rules = std::mem::take(&mut waiting);
                if !rules.is_empty() {
                    allowed.open.push(OpenEntry { indent, is_item, start, rules });
                }
            }
            let comment = lines.range_beside(line);
            let Some(names) = allowed_names(&text[comment.clone()]) else { continue };
            let blanks = text[comment.clone()].trim_end().len();
            let at = Span {
                file,
                start: (comment.start + names.start) as u32,
                end: (comment.start + blanks) as u32,
            };
            let rules = found.rules(names.text, at);
            if lines.has_content(line) {
                allowed.add(&rules, start..lines.start(line + 1));
            } else {
                waiting.extend(rules);
            }
        }
        // Nothing stands further to the left than the end of the text.
        allowed.close(0, false, text.len());
        let covers = allowed.ranges.into_iter();
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
                    let error = error.at(at).hints(near_hint(names, name));
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
    fn close(&mut self, indent: usize, is_item: bool, end: usize) {
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

/// Reads a text in the dialect that accepts it.
fn read_any(file: FileId, sources: &Sources) -> Option<Tree> {
    let dialects = [Dialect::Core, Dialect::Go].into_iter();
    let options = dialects.map(|dialect| Options { dialect, ..Options::default() });
    options.filter_map(|options| yaml::read(sources, file, &options).ok()).next()
}

fn is_item(content: &str) -> bool {
    content.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The names in a comment that allows something.
struct AllowedNames<'t> {
    /// Offset of their remark in the comment.
    start: usize,
    text: &'t str,
}

fn allowed_names(comment: &str) -> Option<AllowedNames<'_>> {
    remarks(comment).find_map(|Remark { start, text }| {
        Some(AllowedNames { start, text: text.strip_prefix(MARK)?.trim() })
    })
}
