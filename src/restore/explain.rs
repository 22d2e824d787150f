//! A saved edit → what became of each changed place, a line for each: the last document is
//! read along the path of every change of the first expansion.

use std::fmt::Write;

use super::compare::{Compare, Key};
use super::site::Sites;
use super::{Expanded, Saved};
use crate::arena::Index;
use crate::node::{Document, Kind, Node};
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

impl Saved {
    /// What became of each changed place: `/path: what`.
    pub fn explain(&self) -> Vec<String> {
        let Some(last) = &self.last else { return Vec::new() };
        let (mut lines, mut more) = (Vec::new(), 0);
        for root in 0..self.given {
            let found = Changes::find(&self.first, root);
            let reading = Reading::new(last, self, root);
            let room = LISTED - lines.len();
            more += found.places.len().saturating_sub(room);
            lines.extend(found.places.iter().take(room).map(|&at| {
                let way = found.way(at);
                format!("{}: {}", spell(&way), reading.say(&way))
            }));
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

/// The saved document, to be read along a path.
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
        let text = source.base().text.as_bytes();
        let lines = memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1);
        Reading {
            source,
            saved,
            root: source.roots()[root],
            sites: Sites::written(source, source.roots()[root], patch),
            lines: [0].into_iter().chain(lines).collect(),
        }
    }

    /// What stands at the end of a path.
    fn say(&self, way: &[Token<'_>]) -> String {
        let (mut at, mut site, mut depth) = (self.root, None, 0);
        let mut inherits = false;
        for token in way {
            let node = self.source.follow(at);
            site = self.site(node).or(site);
            let Some(next) = self.next(node, token) else {
                inherits = self.site(node).is_some();
                break;
            };
            (at, depth) = (next, depth + 1);
        }
        let line = self.line(at);
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
            None => format!("removed from {line}"),
        };
        let path = spell(way);
        for (holder, why) in &self.saved.dropped {
            let inside = path.strip_prefix(holder.as_str());
            if inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                write!(said, "; {why}").ok();
            }
        }
        said
    }

    fn site(&self, node: Node) -> Option<Index> {
        let Node::Clean(_, i) = node else { return None };
        self.sites.get(i).map(|_| i)
    }

    /// What is written one step further.
    fn next(&self, node: Node, token: &Token<'_>) -> Option<Node> {
        match token {
            Token::Root => Some(node),
            Token::Index(index) => {
                let items = self.source.items(node);
                let spliced = items.iter().any(|&item| self.site(item).is_some());
                items.get(*index).copied().filter(|_| !spliced)
            }
            Token::Key(Key::Scalar(key)) => {
                let mut pairs = self.source.pairs(node).into_iter();
                pairs
                    .find(|&(name, _)| self.source.identity(name).as_ref() == Some(key))
                    .map(|(_, value)| value)
            }
            Token::Key(Key::Class(_)) => None,
        }
    }

    /// `FILE:LINE`
    fn line(&self, node: Node) -> String {
        let start = self.source.span(node).map_or(0, |span| span.start);
        let line = self.lines.partition_point(|&line| line <= start);
        format!("{}:{line}", self.saved.name)
    }
}
