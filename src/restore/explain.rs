//! The report of a save: for each changed path, the place in the saved document that
//! makes the change, found by reading that document along the path. [`Saved`] has it, with the
//! text and the notes.

use std::cell::RefCell;
use std::fmt::Write;
use std::iter::successors;
use std::sync::OnceLock;

use hashbrown::{HashMap, HashSet};

use super::compare::Comparer;
use super::expander::ExpandedSource;
use super::site::ImportSites;
use crate::arena::Index;
use crate::compare::{EntryKey, visit_limit};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::{STRATEGY_KEY, Strategy};
use crate::node::{Kind, NodeId, Slot, Tree};
use crate::patch::Patch;
use crate::pointer::JsonPointer;
use crate::scalar::Identity;

/// Maximum number of lines of a report.
// Each line takes a walk along its path, so that a report of all paths of a large document
// would take quadratic time. A reader does not follow more lines than this.
const MAX_REPORTED_CHANGES: usize = 1000;

/// A document that expands to the edited one.
#[derive(Debug)]
pub struct Saved {
    /// The text of the document.
    pub text: String,
    /// Warnings about directives that could not be kept.
    pub notes: Vec<Diagnostic>,
    /// The name of the source, and the number of documents of EDITED.
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) first: ExpandedSource,
    /// The last draft; `None` if the source was right as it was given.
    pub(super) last: Option<ExpandedSource>,
    pub(super) dropped: Vec<DroppedDirective>,
    /// True if values with different tags differ.
    pub(super) tags_count: bool,
    /// The report of each document, once it was needed.
    pub(super) reports: OnceLock<Vec<SaveReport>>,
}

impl Saved {
    /// Returns a line for each changed path, and for each override that had to be added
    /// so that another path stays as it was: `/path: what was done`.
    pub fn explain(&self) -> Vec<String> {
        let reports = self.reports().iter();
        let all =
            reports.clone().flat_map(|report| report.changed.iter().chain(&report.kept));
        let mut lines: Vec<String> =
            all.clone().take(MAX_REPORTED_CHANGES).cloned().collect();
        let unshown = all.count() - lines.len();
        let more = unshown + reports.clone().map(|report| report.more).sum::<usize>();
        let least = if reports.clone().any(|it| it.is_cut) { "at least " } else { "" };
        if more > 0 {
            lines.push(format!("… and {least}{more} more places"));
        }
        lines
    }

    fn reports(&self) -> &[SaveReport] {
        self.reports.get_or_init(|| {
            let Some(last) = &self.last else { return Vec::new() };
            // It serves all documents and is made once: there may be as many as lines.
            let mut compare = Comparer::new(&self.first.view, self.tags_count);
            let reports = (0..self.count).map(|root| {
                let changes = Changes::find(&self.first, root, &mut compare);
                let before = PathReading::new(&self.first, self, root);
                let after = PathReading::new(last, self, root);
                SaveReport::new(&changes, &before, &after)
            });
            reports.collect()
        })
    }

    /// Adds a note about the overrides that keep what was inherited, if there are any.
    pub(super) fn note_kept(&mut self) {
        let kept: usize = self.reports().iter().map(|report| report.kept.len()).sum();
        let places = match kept {
            0 => return,
            1 => "1 place keeps the value that it inherited".to_owned(),
            _ => format!("{kept} places keep the values that they inherited"),
        };
        let note = Diagnostic::warning(format!("{places}, by an override"));
        let hint = "`--follow-sources` lets the edits of their sources through";
        self.notes.push(*note.hint(hint));
    }
}

/// The lines about a document.
#[derive(Debug, Default)]
pub(super) struct SaveReport {
    /// A line for each changed path.
    changed: Vec<String>,
    /// The number of changed paths without a line.
    more: usize,
    /// True if not all changed paths were counted.
    is_cut: bool,
    /// A line for each override that keeps what was inherited.
    kept: Vec<String>,
}

impl SaveReport {
    fn new<'a>(
        changes: &Changes<'a>,
        before: &PathReading<'a>,
        after: &PathReading<'a>,
    ) -> SaveReport {
        let mut lines = Vec::new();
        let mut reported = Vec::new();
        for &at in changes.ends.iter().take(MAX_REPORTED_CHANGES) {
            let path = changes.path(at);
            let spelled = spell(&path);
            lines.push(format!("{spelled}: {}", after.describe(&path, before)));
            reported.push(spelled);
        }
        let more = changes.ends.len() - lines.len();
        let kept = before.added(after, &reported);
        SaveReport { changed: lines, more, is_cut: changes.is_cut, kept }
    }
}

#[derive(Clone)]
enum PathToken<'a> {
    Key(EntryKey<'a>),
    /// A key that a variable fills in, which no message shows.
    HiddenKey(EntryKey<'a>),
    Index(usize),
}

impl<'a> PathToken<'a> {
    /// Returns the token for a key of a document.
    fn of(document: &Tree, name: NodeId, key: EntryKey<'a>) -> PathToken<'a> {
        let token =
            if document.is_hidden(name) { PathToken::HiddenKey } else { PathToken::Key };
        token(key)
    }
}

/// A node that changed, by the collection around it and its token there; `None` for the root.
type ChangedNode<'a> = Option<(usize, PathToken<'a>)>;

struct Changes<'a> {
    /// The changed nodes, each behind its parent.
    nodes: Vec<ChangedNode<'a>>,
    ends: Vec<usize>,
    /// True if there are more changes than were looked for.
    is_cut: bool,
}

impl<'a> Changes<'a> {
    fn find(
        first: &'a ExpandedSource,
        root: usize,
        compare: &mut Comparer<'a>,
    ) -> Changes<'a> {
        let view = &first.view;
        let there = first.source.roots().len();
        let mut changes = Changes { nodes: Vec::new(), ends: Vec::new(), is_cut: false };
        // Nested aliases let one change stand at exponentially many paths.
        let mut visits_left = visit_limit([view]);
        let roots = (Some(view.roots()[root]), Some(view.roots()[there + root]));
        let mut todo = vec![(None, roots)];
        while let Some((node, (was, is))) = todo.pop() {
            let equal = was.zip(is).is_some_and(|(was, is)| compare.equal(was, is));
            if equal {
                continue;
            }
            if visits_left == 0 {
                changes.is_cut = true;
                break;
            }
            changes.nodes.push(node);
            let here = changes.nodes.len() - 1;
            let inner = was.zip(is).and_then(|(was, is)| children(compare, was, is));
            match inner {
                None => changes.ends.push(here),
                Some(inner) => {
                    visits_left = visits_left.saturating_sub(inner.len() + 1);
                    let inner = inner.into_iter().rev();
                    todo.extend(inner.map(|(token, both)| (Some((here, token)), both)));
                }
            }
        }
        changes
    }

    /// Returns the path from the root to a changed node.
    fn path(&self, at: usize) -> Vec<PathToken<'a>> {
        let way = successors(self.nodes[at].as_ref(), |it| self.nodes[it.0].as_ref());
        let mut path: Vec<PathToken<'a>> = way.map(|it| it.1.clone()).collect();
        path.reverse();
        path
    }
}

type Children<'a> = Vec<(PathToken<'a>, (Option<NodeId>, Option<NodeId>))>;

/// Pairs the children of two collections; `None` if kinds or list lengths differ.
fn children<'a>(
    compare: &mut Comparer<'a>,
    was: NodeId,
    is: NodeId,
) -> Option<Children<'a>> {
    let document = compare.document;
    match (document.kind(was), document.kind(is)) {
        (Kind::Mapping, Kind::Mapping) => {
            let [was, is] = [was, is].map(|node| compare.entries(node));
            let kept = was.list.iter().map(|entry| {
                let token = PathToken::of(document, entry.name, entry.key.clone());
                (token, (Some(entry.value), is.get(&entry.key)))
            });
            let added = is.list.iter().filter(|entry| was.get(&entry.key).is_none());
            let added = added.map(|entry| {
                let token = PathToken::of(document, entry.name, entry.key.clone());
                (token, (None, Some(entry.value)))
            });
            Some(kept.chain(added).collect())
        }
        (Kind::Sequence, Kind::Sequence) => {
            let [was, is] = [was, is].map(|node| document.items(node));
            let is_even = was.len() == is.len();
            let both = was.into_iter().zip(is).enumerate();
            let both = both.map(|(i, (a, b))| (PathToken::Index(i), (Some(a), Some(b))));
            is_even.then(|| both.collect())
        }
        _ => None,
    }
}

fn spell(path: &[PathToken<'_>]) -> String {
    let tokens = path.iter().map(|token| match token {
        PathToken::Index(index) => index.to_string(),
        PathToken::Key(key) => key.token(),
        PathToken::HiddenKey(_) => "***".to_owned(),
    });
    let pointer = JsonPointer { tokens: tokens.collect() }.to_string();
    if pointer.is_empty() { "/".to_owned() } else { pointer }
}

/// Returns true if a path leads to a place or into it.
fn is_within(path: &str, place: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns a path and all paths that lead to a place around it.
fn holders(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at).filter(|&at| at > 0);
    ends.chain([path.len()]).map(|end| &path[..end])
}

/// The end of the written part of a path.
struct PathEnd {
    at: NodeId,
    /// The key of the node, or the node itself if it has none.
    name: NodeId,
    /// The last mapping with directives on the path.
    site: Option<Index>,
    depth: usize,
    /// True if the path goes on in values that the mapping `site` inherits.
    inherited: bool,
}

/// The keys and values of a mapping.
type EntriesOf<'a> = HashMap<Identity<'a>, (NodeId, NodeId)>;

/// A document that is read along paths.
struct PathReading<'a> {
    source: &'a Tree,
    saved: &'a Saved,
    /// The number of the document in the stream, and its root.
    document: usize,
    root: NodeId,
    sites: ImportSites<'a>,
    /// The entries of the mappings that paths led through.
    entries: RefCell<HashMap<NodeId, EntriesOf<'a>>>,
}

impl<'a> PathReading<'a> {
    fn new(
        last: &'a ExpandedSource,
        saved: &'a Saved,
        document: usize,
    ) -> PathReading<'a> {
        let source = &last.source;
        let patch = last.patches.get(document).unwrap_or(Patch::NONE);
        let root = source.roots()[document];
        let sites = ImportSites::without_values(source, root, patch);
        PathReading { source, saved, document, root, sites, entries: RefCell::default() }
    }

    /// Follows a path as far as it is written.
    fn follow(&self, path: &[PathToken<'_>]) -> PathEnd {
        let root = self.root;
        let mut end =
            PathEnd { at: root, name: root, site: None, depth: 0, inherited: false };
        for token in path {
            let node = self.source.follow(end.at);
            end.site = self.sites.at(node).or(end.site);
            let Some((name, value)) = self.next(node, token) else {
                end.inherited = self.sites.at(node).is_some();
                break;
            };
            (end.at, end.name, end.depth) = (value, name, end.depth + 1);
        }
        end
    }

    /// Describes the place that makes a change, or the place that a value was removed from.
    fn describe(&self, path: &[PathToken<'_>], before: &PathReading<'_>) -> String {
        let PathEnd { at, name, site, depth, inherited } = self.follow(path);
        let line = self.line(name);
        let whole = depth == path.len();
        let is = |word| {
            let strategy = self.source.get(at, STRATEGY_KEY);
            strategy.is_some_and(|node| self.source.is_text(node, word))
        };
        let mut text = match site {
            Some(_) if whole && is("whiteout") => format!("whiteout at {line}"),
            Some(_) if whole && is("nullout") => format!("nullout at {line}"),
            Some(_) if whole => format!("override at {line}"),
            Some(site) if inherited => {
                let keys = self.sites.imports(site).iter();
                let line = keys.clone().next().map_or(line, |it| self.line(it.key));
                let keys = keys.map(|import| self.source.string(import.key));
                let keys =
                    keys.map(|it| it.map_or_else(String::new, |it| format!("'{it}'")));
                let keys: Vec<String> = keys.collect();
                format!("as {} gives it at {line}", keys.join(", "))
            }
            Some(_) => format!("override within {line}"),
            None if whole => format!("edited in place at {line}"),
            None if matches!(path.get(depth), Some(PathToken::Index(_))) => {
                format!("edited in place within {line}")
            }
            None => {
                let was = before.follow(path);
                let place =
                    Some(before.line(was.name)).filter(|_| was.depth == path.len());
                place.map_or(format!("removed from {line}"), |was| {
                    format!("removed; it stood at {was}")
                })
            }
        };
        let path = spell(path);
        let here = self.saved.dropped.iter().filter(|it| it.document == self.document);
        for DroppedDirective { holder, why, .. } in here {
            if is_within(&path, holder) {
                write!(text, "; {why}").ok();
            }
        }
        text
    }

    /// Returns the key and the value that a token leads to.
    fn next(&self, node: NodeId, token: &PathToken<'_>) -> Option<(NodeId, NodeId)> {
        match token {
            PathToken::Index(index) => {
                let items = self.source.items(node);
                let spliced = items.iter().any(|&item| self.sites.at(item).is_some());
                let item = items.get(*index).copied().filter(|_| !spliced)?;
                Some((item, item))
            }
            PathToken::Key(EntryKey::Scalar(key))
            | PathToken::HiddenKey(EntryKey::Scalar(key)) => {
                let mut known = self.entries.borrow_mut();
                let entries = known.entry(node).or_insert_with(|| {
                    let entries = self.source.pairs(node).into_iter();
                    entries
                        .filter_map(|it| Some((self.source.identity(it.0)?, it)))
                        .collect()
                });
                entries.get(key).copied()
            }
            PathToken::Key(EntryKey::Class(_))
            | PathToken::HiddenKey(EntryKey::Class(_)) => None,
        }
    }

    /// Returns a line for each entry that only `after` has and no line reports yet.
    fn added(&self, after: &PathReading<'a>, reported: &[String]) -> Vec<String> {
        let around: HashSet<&str> =
            reported.iter().flat_map(|path| holders(path)).collect();
        let reported: HashSet<&str> = reported.iter().map(String::as_str).collect();
        let mut lines = Vec::new();
        let mut todo = vec![(String::new(), self.root, after.root)];
        while let Some((path, old, new)) = todo.pop() {
            let first = todo.len();
            for (token, name, old, new) in self.children(after, old, new) {
                if old.is_some_and(|old| self.has_text_of(old, after, new)) {
                    continue;
                }
                let path = format!("{path}{}", spell(&[token]));
                match old {
                    Some(old) => todo.push((path, old, new)),
                    None if around.contains(&*path)
                        || holders(&path).any(|path| reported.contains(path)) => {}
                    None => {
                        let what = match Strategy::of(after.source, new) {
                            Some(Strategy::Whiteout) => "whiteout",
                            Some(Strategy::Nullout) => "nullout",
                            _ => "override",
                        };
                        let line = after.line(name);
                        lines
                            .push(format!("{path}: {what} at {line}, to stay as it was"));
                    }
                }
            }
            todo[first..].reverse();
        }
        lines
    }

    /// Returns true if a node is written as one of `after` is.
    fn has_text_of(&self, node: NodeId, after: &PathReading<'a>, other: NodeId) -> bool {
        let text = |reading: &PathReading<'a>, node| {
            let span = reading.source.span(node)?;
            reading.source.base().text().get(span.start as usize..span.end as usize)
        };
        text(self, node).is_some_and(|here| text(after, other) == Some(here))
    }

    /// Returns the children of a collection of `after`, with their keys and the old values
    /// if there are any. Children of aliases are left out: the anchor is their place.
    fn children(
        &self,
        after: &PathReading<'a>,
        old: NodeId,
        new: NodeId,
    ) -> Vec<(PathToken<'a>, NodeId, Option<NodeId>, NodeId)> {
        let kinds = (self.source.kind(old), after.source.kind(new));
        let own = |reading: &PathReading<'a>, node: NodeId| {
            let slots = reading.source.slots(node).into_owned().into_iter();
            let alias = reading.source.follow(node) != node;
            slots.filter(move |_| !alias).collect::<Vec<_>>()
        };
        let olds = own(self, old);
        let news = own(after, new);
        // A lone directive may expand to several items, or to none.
        let mut sites = news.iter().filter(|slot| after.sites.at(slot.value).is_some());
        let has_splices = sites.any(|slot| after.source.slots(slot.value).len() == 1);
        match kinds {
            (Kind::Sequence, Kind::Sequence)
                if olds.len() == news.len() && !has_splices =>
            {
                let both = olds.into_iter().zip(news).enumerate();
                both.map(|(i, (old, new))| {
                    (PathToken::Index(i), new.value, Some(old.value), new.value)
                })
                .collect()
            }
            (Kind::Mapping, Kind::Mapping) => {
                let key = |reading: &PathReading<'a>, slot: &Slot| {
                    let key = slot.key.and_then(|key| reading.source.identity(key))?;
                    let is_directive = matches!(&key, Identity::String(key)
                        if key == STRATEGY_KEY || key == "<<" || compile::is_directive_key(key));
                    (!is_directive).then_some(key)
                };
                let known: HashMap<Identity<'_>, NodeId> = olds
                    .iter()
                    .filter_map(|slot| Some((key(self, slot)?, slot.value)))
                    .collect();
                let entry = |slot: &Slot| {
                    let key = key(after, slot)?;
                    let old = known.get(&key).copied();
                    Some((
                        PathToken::Key(EntryKey::Scalar(key)),
                        slot.key?,
                        old,
                        slot.value,
                    ))
                };
                news.iter().filter_map(entry).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns `FILE:LINE` of a node.
    fn line(&self, node: NodeId) -> String {
        let start = self.source.span(node).map_or(0, |span| span.start);
        let lines = self.source.base().source().line_starts();
        let line = lines.partition_point(|&line| line <= start);
        format!("{}:{line}", self.saved.name)
    }
}

/// A directive that a save wrote out.
#[derive(Debug)]
pub(super) struct DroppedDirective {
    /// The number of its document in the stream.
    pub document: usize,
    /// The JSON pointer to the mapping that lost it.
    pub holder: String,
    /// The reason, for people.
    pub why: String,
}
