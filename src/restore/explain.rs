//! A saved edit → what became of each changed place, a line for each: the last document is
//! read along the path of every change of the first expansion.

use std::collections::HashMap;
use std::fmt::Write;

use super::compare::{Compare, Key};
use super::expander::Expanded;
use super::site::Sites;
use crate::arena::Index;
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::Strategy;
use crate::node::{Document, Kind, Node, Slot};
use crate::patch::Patch;
use crate::scalar::{Identity, Scalar};

/// So many places are listed; more help nobody.
const LISTED: usize = 1000;

/// What changed, by its key in the collection around it.
struct Change<'a> {
    around: Option<usize>,
    key: Token<'a>,
}

#[derive(Clone)]
enum Token<'a> {
    Root,
    Key(Key<'a>),
    Index(usize),
}

/// A document that expands to what was given.
#[derive(Debug)]
pub struct Saved {
    /// Its text.
    pub text: String,
    /// What became of directives that could not be kept.
    pub notes: Vec<Diagnostic>,
    pub(super) name: String,
    /// How many documents were given.
    pub(super) given: usize,
    pub(super) first: Expanded,
    /// What it became, if it is something else.
    pub(super) last: Option<Expanded>,
    /// The mappings that lost directives, and why.
    pub(super) dropped: Vec<(String, String)>,
}

impl Saved {
    /// What became of each changed place, and which others had to be written because of
    /// that: `/path: what`.
    pub fn explain(&self) -> Vec<String> {
        let Some(last) = &self.last else { return Vec::new() };
        let (mut lines, mut more) = (Vec::new(), 0);
        for root in 0..self.given {
            let found = Changes::find(&self.first, root);
            let before = Reading::new(&self.first, self, root);
            let reading = Reading::new(last, self, root);
            let room = LISTED - lines.len();
            more += found.places.len().saturating_sub(room);
            let ways = found.places.iter().take(room).map(|&at| found.way(at));
            let told: Vec<String> = ways
                .map(|way| {
                    let path = spell(&way);
                    lines.push(format!("{path}: {}", reading.say(&way, &before)));
                    path
                })
                .collect();
            let others = before.added(&reading, &told);
            let room = LISTED - lines.len();
            more += others.len().saturating_sub(room);
            lines.extend(others.into_iter().take(room));
        }
        if more > 0 {
            lines.push(format!("… and {more} more places"));
        }
        lines
    }
}

/// The places at which an expansion was edited.
struct Changes<'a> {
    steps: Vec<Change<'a>>,
    places: Vec<usize>,
}

impl<'a> Changes<'a> {
    fn find(first: &'a Expanded, root: usize) -> Changes<'a> {
        let (view, there) = (&first.view, first.source.roots().len());
        let (mut compare, mut changes) =
            (Compare::new(view), Changes { steps: Vec::new(), places: Vec::new() });
        let roots = (Some(view.roots()[root]), Some(view.roots()[there + root]));
        let mut todo = vec![(Token::Root, None, roots)];
        while let Some((key, around, (was, is))) = todo.pop() {
            let same = was.zip(is).is_some_and(|(was, is)| compare.same(was, is));
            if same {
                continue;
            }
            changes.steps.push(Change { around, key });
            let here = changes.steps.len() - 1;
            let inner = was.zip(is).and_then(|(was, is)| children(&mut compare, was, is));
            match inner {
                None => changes.places.push(here),
                Some(inner) => todo.extend(
                    inner.into_iter().rev().map(|(key, both)| (key, Some(here), both)),
                ),
            }
        }
        changes
    }

    fn way(&self, mut at: usize) -> Vec<Token<'a>> {
        let mut way = Vec::new();
        loop {
            let step = &self.steps[at];
            way.push(step.key.clone());
            let Some(around) = step.around else { break };
            at = around;
        }
        way.reverse();
        way.remove(0);
        way
    }
}

type Inner<'a> = Vec<(Token<'a>, (Option<Node>, Option<Node>))>;

/// What is in two collections of a kind.
fn children<'a>(compare: &mut Compare<'a>, was: Node, is: Node) -> Option<Inner<'a>> {
    let document = compare.document;
    match (document.kind(was), document.kind(is)) {
        (Kind::Mapping, Kind::Mapping) => {
            let (was, is) = (compare.entries(was), compare.entries(is));
            let kept = was.list.iter().map(|entry| {
                (Token::Key(entry.key.clone()), (Some(entry.value), is.get(&entry.key)))
            });
            let added = is.list.iter().filter(|entry| was.get(&entry.key).is_none());
            let added = added
                .map(|entry| (Token::Key(entry.key.clone()), (None, Some(entry.value))));
            Some(kept.chain(added).collect())
        }
        (Kind::Sequence, Kind::Sequence) => {
            let (was, is) = (document.items(was), document.items(is));
            let both = || was.iter().zip(&is).enumerate();
            (was.len() == is.len()).then(|| {
                both()
                    .map(|(i, (&a, &b))| (Token::Index(i), (Some(a), Some(b))))
                    .collect()
            })
        }
        _ => None,
    }
}

/// A path as RFC 6901 spells it.
fn spell(way: &[Token<'_>]) -> String {
    let mut path = String::new();
    for token in way {
        let token = match token {
            Token::Root => continue,
            Token::Index(index) => index.to_string(),
            Token::Key(Key::Scalar(Identity::String(text))) => text.clone().into_owned(),
            Token::Key(Key::Scalar(Identity::Int(number))) => number.to_string(),
            Token::Key(Key::Scalar(Identity::Bool(is))) => is.to_string(),
            Token::Key(Key::Scalar(Identity::Float(bits))) => {
                f64::from_bits(*bits).to_string()
            }
            Token::Key(Key::Scalar(Identity::Null)) => "null".to_owned(),
            Token::Key(_) => "?".to_owned(),
        };
        path.push('/');
        path.push_str(&token.replace('~', "~0").replace('/', "~1"));
    }
    if path.is_empty() { "/".to_owned() } else { path }
}

/// Whether a path leads to a place or into it.
fn is_within(path: &str, place: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// How far a path leads in what is written.
struct Found {
    at: Node,
    /// Its key, if it has one.
    name: Node,
    /// The last mapping with directives on the way.
    site: Option<Index>,
    depth: usize,
    /// Whether the path leaves what is written for what that mapping inherits.
    left: bool,
}

/// A document, to be read along a path.
struct Reading<'a> {
    source: &'a Document,
    saved: &'a Saved,
    root: Node,
    sites: Sites<'a>,
    /// The offsets at which lines begin.
    lines: Vec<u32>,
}

impl<'a> Reading<'a> {
    fn new(last: &'a Expanded, saved: &'a Saved, root: usize) -> Reading<'a> {
        let source = &last.source;
        let patch = last.patches.get(root).unwrap_or(Patch::NONE);
        let text = source.base().text().as_bytes();
        let lines = memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1);
        Reading {
            source,
            saved,
            root: source.roots()[root],
            sites: Sites::written(source, source.roots()[root], patch),
            lines: [0].into_iter().chain(lines).collect(),
        }
    }

    /// As far as a path leads.
    fn walk(&self, way: &[Token<'_>]) -> Found {
        let root = self.root;
        let mut found = Found { at: root, name: root, site: None, depth: 0, left: false };
        for token in way {
            let node = self.source.follow(found.at);
            found.site = self.site(node).or(found.site);
            let Some((name, value)) = self.next(node, token) else {
                found.left = self.site(node).is_some();
                break;
            };
            (found.at, found.name, found.depth) = (value, name, found.depth + 1);
        }
        found
    }

    /// What stands at the end of a path, and where it stood before.
    fn say(&self, way: &[Token<'_>], before: &Reading<'_>) -> String {
        let Found { at, name, site, depth, left: inherits } = self.walk(way);
        let line = self.line(name);
        let whole = depth == way.len();
        let strategy = self.source.get(at, "+%");
        let is = |word| strategy.is_some_and(|node| self.source.is_text(node, word));
        let mut said = match site {
            Some(_) if whole && is("whiteout") => format!("whiteout at {line}"),
            Some(_) if whole && is("nullout") => format!("nullout at {line}"),
            Some(_) if whole => format!("override at {line}"),
            Some(site) if inherits => {
                let keys =
                    self.sites.get(site).into_iter().flat_map(|site| &site.imports);
                let line = keys.clone().next().map_or(line, |it| self.line(it.key));
                let keys: Vec<String> = keys
                    .map(|import| match self.source.scalar(import.key) {
                        Scalar::String(text) => format!("'{text}'"),
                        _ => String::new(),
                    })
                    .collect();
                format!("as {} gives it at {line}", keys.join(", "))
            }
            Some(_) => format!("override within {line}"),
            None if whole => format!("edited in place at {line}"),
            None if matches!(way.get(depth), Some(Token::Index(_))) => {
                format!("edited in place within {line}")
            }
            None => {
                let was = before.walk(way);
                let place =
                    Some(before.line(was.name)).filter(|_| was.depth == way.len());
                place.map_or(format!("removed from {line}"), |was| {
                    format!("removed; it stood at {was}")
                })
            }
        };
        let path = spell(way);
        for (holder, why) in &self.saved.dropped {
            if is_within(&path, holder) {
                write!(said, "; {why}").ok();
            }
        }
        said
    }

    /// Whether an item may stand for several.
    fn is_splice(&self, item: Node) -> bool {
        self.site(item).is_some() && self.source.slots(item).len() == 1
    }

    fn site(&self, node: Node) -> Option<Index> {
        let Node::Clean(_, i) = node else { return None };
        self.sites.get(i).map(|_| i)
    }

    /// What is written one step further, and the key it has.
    fn next(&self, node: Node, token: &Token<'_>) -> Option<(Node, Node)> {
        match token {
            Token::Root => Some((node, node)),
            Token::Index(index) => {
                let items = self.source.items(node);
                let spliced = items.iter().any(|&item| self.site(item).is_some());
                let item = items.get(*index).copied().filter(|_| !spliced)?;
                Some((item, item))
            }
            Token::Key(Key::Scalar(key)) => {
                let mut pairs = self.source.pairs(node).into_iter();
                pairs.find(|&(name, _)| self.source.identity(name).as_ref() == Some(key))
            }
            Token::Key(Key::Class(_)) => None,
        }
    }

    /// What `after` says in places that said nothing, but for what was told already.
    fn added(&self, after: &Reading<'_>, told: &[String]) -> Vec<String> {
        let is_told = |path: &str| {
            told.iter().any(|told| is_within(told, path) || is_within(path, told))
        };
        let mut lines = Vec::new();
        let mut todo = vec![(String::new(), self.root, after.root)];
        while let Some((path, old, new)) = todo.pop() {
            let first = todo.len();
            for (token, name, old, new) in self.both(after, old, new) {
                let path = format!("{path}{}", spell(&[token]));
                match old {
                    Some(old) => todo.push((path, old, new)),
                    None if is_told(&path) => {}
                    None => {
                        let what = match after.source.strategy(new) {
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

    /// The entries that are written in two collections, or in the second one alone.
    fn both(
        &self,
        after: &Reading<'a>,
        old: Node,
        new: Node,
    ) -> Vec<(Token<'a>, Node, Option<Node>, Node)> {
        let kinds = (self.source.kind(old), after.source.kind(new));
        let own = |reading: &Reading<'a>, node: Node| {
            let slots = reading.source.slots(node).into_owned().into_iter();
            let alias = reading.source.follow(node) != node;
            slots.filter(move |_| !alias).collect::<Vec<_>>()
        };
        let (olds, news) = (own(self, old), own(after, new));
        match kinds {
            (Kind::Sequence, Kind::Sequence)
                if olds.len() == news.len()
                    && !news.iter().any(|slot| after.is_splice(slot.value)) =>
            {
                let both = olds.into_iter().zip(news).enumerate();
                both.map(|(i, (old, new))| {
                    (Token::Index(i), new.value, Some(old.value), new.value)
                })
                .collect()
            }
            (Kind::Mapping, Kind::Mapping) => {
                let key = |reading: &Reading<'a>, slot: &Slot| {
                    let key = slot.key.and_then(|key| reading.source.identity(key))?;
                    let machinery = matches!(&key, Identity::String(key)
                        if key == "+%" || key == "<<" || compile::counts(key));
                    (!machinery).then_some(key)
                };
                let known: HashMap<Identity<'_>, Node> = olds
                    .iter()
                    .filter_map(|slot| Some((key(self, slot)?, slot.value)))
                    .collect();
                let entry = |slot: &Slot| {
                    let (name, key) = (slot.key?, key(after, slot)?);
                    let old = known.get(&key).copied();
                    Some((Token::Key(Key::Scalar(key)), name, old, slot.value))
                };
                news.iter().filter_map(entry).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `FILE:LINE`
    fn line(&self, node: Node) -> String {
        let start = self.source.span(node).map_or(0, |span| span.start);
        let line = self.lines.partition_point(|&line| line <= start);
        format!("{}:{line}", self.saved.name)
    }
}
