//! The sites of a document: what the directives of each import today, and what they will
//! import once the edit is made.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::compare::{Compare, Key, Renames};
use super::written::Written;
use crate::arena::Index;
use crate::node::{Document, Kind, Node};
use crate::patch::{Base, Edit, Merge, Patch, Source, Step};
use crate::scalar::{Identity, Scalar};

/// A mapping with directives.
pub(super) struct Site<'a> {
    pub(super) imports: Vec<Import<'a>>,
}

impl Site<'_> {
    pub(super) fn is_raw(&self) -> bool {
        self.imports.iter().any(|import| import.source.raw)
    }
}

/// One directive.
pub(super) struct Import<'a> {
    /// The key, as it was written.
    pub(super) key: Node,
    source: &'a Source,
    /// What it imports today.
    pub(super) found: Option<Node>,
}

/// What a directive will import.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum After {
    /// This.
    Found(Node),
    /// This, but it has to be asked for by another pointer.
    Renamed(Node, Vec<String>),
    /// Nothing, which it may.
    Missing,
    /// Nothing, which is an error.
    Gone,
}

/// A value before and after the edit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Both {
    pub(super) view: Option<Node>,
    pub(super) edited: Option<Node>,
}

/// The collections around a place, each of which knows the one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) around: Option<usize>,
    pub(super) both: Both,
}

/// The sites by the mapping in the source.
#[derive(Default)]
pub(super) struct Sites<'a> {
    sites: HashMap<Index, Site<'a>>,
    /// What surrounds a site whose directives will import something else.
    stirred: HashSet<Index>,
}

impl<'a> Sites<'a> {
    /// The sites of the document at `root`. `founds` are what the imports of the patch
    /// import, in order.
    pub(super) fn new(
        (source, root): (&Document, Node),
        patch: &'a Patch,
        founds: &mut impl Iterator<Item = Node>,
        compare: &mut Compare<'a>,
        roots: Both,
    ) -> Sites<'a> {
        let mut sites = Sites::default();
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let mut import = |import: &'a crate::patch::Import| Import {
                key: import.key,
                source: &import.source,
                found: import.found.and_then(|_| founds.next()),
            };
            let site = Site { imports: merge.imports.iter().map(&mut import).collect() };
            sites.add((source, root), merge, site, compare, roots);
        }
        sites
    }

    /// The sites of the document at `root`, whatever they import.
    pub(super) fn written(source: &Document, root: Node, patch: &'a Patch) -> Sites<'a> {
        let mut written = Written::new(source.base());
        let mut sites = Sites::default();
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let imports = merge.imports.iter().map(|import| Import {
                key: import.key,
                source: &import.source,
                found: None,
            });
            let site = Site { imports: imports.collect() };
            let at =
                way(&mut written, root, &merge.site).and_then(|way| way.last().copied());
            sites.sites.extend(at.map(|at| (at, site)));
        }
        sites
    }

    fn add(
        &mut self,
        (source, root): (&Document, Node),
        merge: &Merge,
        site: Site<'a>,
        compare: &mut Compare<'a>,
        roots: Both,
    ) {
        let Some(way) = way(&mut compare.written, root, &merge.site) else { return };
        let frames = compare.trace(&merge.site, roots);
        let here = frames.len() - 1;
        let indexed = merge.site.iter().any(|step| matches!(step, Step::Index(_)));
        let stirred = site.imports.iter().any(|import| {
            let unclear = indexed && matches!(import.source.base, Base::Parent(_));
            let after =
                self.after(import, (source, root), (&frames, here), compare, roots);
            unclear || after != import.found.map_or(After::Missing, After::Found)
        });
        if stirred {
            self.stirred.extend(&way);
        }
        self.sites.extend(way.last().map(|&at| (at, site)));
    }

    /// The site that node `i` of the source is.
    pub(super) fn get(&self, i: Index) -> Option<&Site<'a>> {
        self.sites.get(&i)
    }

    /// Whether node `i` is or holds a site whose directives will import something else.
    pub(super) fn is_stirred(&self, i: Index) -> bool {
        self.stirred.contains(&i)
    }

    /// What a directive in the collection `here` will import.
    pub(super) fn after(
        &self,
        import: &Import<'a>,
        (source, root): (&Document, Node),
        (frames, here): (&[Frame], usize),
        compare: &mut Compare<'a>,
        roots: Both,
    ) -> After {
        let mut pointer = import.source.pointer.clone();
        let both = match &import.source.base {
            Base::File(..) => {
                return import.found.map_or(After::Missing, After::Found);
            }
            Base::Root => compare.look_up(roots, &mut pointer),
            Base::Parent(dots) => {
                let base = climb(frames, here, *dots).unwrap_or(roots);
                compare.look_up(base, &mut pointer)
            }
            Base::Anchor(_) => origin(source, compare.document, import.found)
                .and_then(|i| steps(source, &mut compare.written, root, i))
                .map_or(Both { view: None, edited: None }, |steps| {
                    steps.iter().fold(roots, |both, step| compare.step(both, step))
                }),
        };
        // What a raw import will give is known only once the edit is in its source.
        let is_raw = |compare: &mut Compare<'a>, found, view| {
            import.source.raw && !compare.same(found, view)
        };
        match (import.found, both.view, both.edited) {
            (Some(found), Some(view), Some(edited))
                if compare.same(view, edited) || is_raw(compare, found, view) =>
            {
                match pointer == import.source.pointer {
                    true => After::Found(found),
                    false => After::Renamed(found, pointer),
                }
            }
            (Some(found), None, _) => After::Found(found),
            (_, _, Some(edited)) => After::Found(edited),
            (Some(_), Some(_), None) if !import.source.optional => After::Gone,
            (_, _, None) => After::Missing,
        }
    }
}

/// So many dots up: one is the collection itself.
fn climb(frames: &[Frame], mut at: usize, dots: u32) -> Option<Both> {
    for _ in 1..dots {
        at = frames.get(at)?.around?;
    }
    Some(frames.get(at)?.both)
}

/// The written nodes along a path, the last one where it leads; none through an alias.
fn way(source: &mut Written<'_>, root: Node, path: &[Step]) -> Option<Vec<Index>> {
    let mut way = vec![written(root)?];
    for step in path {
        let arena = source.arena;
        let node = *way.last()?;
        let next = match *step {
            Step::Index(index) => source.child(node, index as usize)?,
            // A key is followed by its value.
            Step::Key(Node::Clean(file, key)) => {
                let inside = file == arena.file && node < key && key < arena.next(node);
                inside.then(|| arena.next(key))?
            }
            Step::Key(Node::Opened(_)) => return None,
        };
        way.push(next);
    }
    Some(way)
}

fn written(node: Node) -> Option<Index> {
    match node {
        Node::Clean(_, i) => Some(i),
        Node::Opened(_) => None,
    }
}

/// Where in the source a found value was written.
fn origin(source: &Document, view: &Document, found: Option<Node>) -> Option<Index> {
    let (file, i) = match found? {
        Node::Clean(file, i) => (file, i),
        Node::Opened(id) => view.opened.get(id as usize)?.was?,
    };
    (file == source.file()).then_some(i)
}

/// The path from the root to a written node.
fn steps(
    source: &Document,
    written: &mut Written<'_>,
    root: Node,
    to: Index,
) -> Option<Vec<Step>> {
    let Node::Clean(file, mut at) = root else { return None };
    let mut steps = Vec::new();
    while at != to {
        let (place, child) = written.above(at, to)?;
        steps.push(match source.kind(Node::Clean(file, at)) {
            Kind::Scalar => return None,
            Kind::Sequence => Step::Index(place as u32),
            // A value follows its key.
            Kind::Mapping if place % 2 == 0 => return None,
            Kind::Mapping => Step::Key(Node::Clean(file, written.child(at, place - 1)?)),
        });
        at = child;
    }
    Some(steps)
}

/// The pointer to the mapping that has a written key, if each key on the way is a string.
pub(super) fn holder(
    source: &Document,
    written: &mut Written<'_>,
    key: Node,
) -> Option<String> {
    let Node::Clean(file, key) = key else { return None };
    let (arena, mut path) = (source.base(), String::new());
    let within = |i: Index| i <= key && key < arena.next(i);
    let mut at = arena.sections.iter().map(|s| s.root).find(|&root| within(root))?;
    loop {
        let (place, child) = written.above(at, key)?;
        let token = match source.kind(Node::Clean(file, at)) {
            Kind::Scalar => return None,
            Kind::Sequence => place.to_string(),
            Kind::Mapping if place % 2 == 0 => {
                return (child == key).then_some(path);
            }
            Kind::Mapping => {
                let name = written.child(at, place - 1)?;
                let Scalar::String(text) = arena.scalar(name) else { return None };
                text.into_owned()
            }
        };
        at = child;
        path.push('/');
        path.push_str(&token.replace('~', "~0").replace('/', "~1"));
    }
}

impl<'a> Compare<'a> {
    /// Where a pointer leads from there. What was renamed in it is renamed.
    fn look_up(&mut self, from: Both, pointer: &mut [String]) -> Both {
        let mut both = from;
        for token in pointer {
            let go = |it: &mut Self, from: Option<Node>| it.token(from?, token);
            let next = Both { view: go(self, both.view), edited: go(self, both.edited) };
            both = match (next, both) {
                (
                    Both { view: Some(was), edited: None },
                    Both { view: Some(view), edited: Some(edited) },
                ) => match self.renamed(view, edited, was) {
                    Some((name, value)) => {
                        *token = name;
                        Both { view: Some(was), edited: Some(value) }
                    }
                    None => next,
                },
                _ => next,
            };
        }
        both
    }

    /// The key that the value `was` of a mapping has after the edit, and the value there,
    /// if there is but one.
    fn renamed(&mut self, view: Node, edited: Node, was: Node) -> Option<(String, Node)> {
        let renames = match self.renames.get(&(view, edited)) {
            Some(known) => known.clone(),
            None => self.renames(view, edited),
        };
        if renames.is_empty() {
            return None;
        }
        renames.get(&self.class(was))?.clone()
    }

    fn renames(&mut self, view: Node, edited: Node) -> Rc<Renames> {
        let pair = (view, edited);
        let (view, edited) = (self.entries(view), self.entries(edited));
        let mut renames = Renames::new();
        for entry in edited.list.iter().filter(|entry| view.get(&entry.key).is_none()) {
            let name = match &entry.key {
                Key::Scalar(Identity::String(name)) => Some(name.clone().into_owned()),
                _ => None,
            };
            let found = name.map(|name| (name, entry.value));
            let only = renames.entry(self.class(entry.value));
            only.and_modify(|only| *only = None).or_insert(found);
        }
        let renames = Rc::new(renames);
        self.renames.insert(pair, renames.clone());
        renames
    }

    fn token(&mut self, node: Node, token: &str) -> Option<Node> {
        match self.document.kind(node) {
            Kind::Scalar => None,
            Kind::Mapping => {
                let key = Identity::String(Cow::Owned(token.to_owned()));
                self.entries(node).get(&Key::Scalar(key))
            }
            Kind::Sequence => {
                let plain = token.bytes().all(|b| b.is_ascii_digit());
                let canonical = token == "0" || !token.starts_with('0');
                let index = (plain && canonical).then(|| token.parse().ok())??;
                self.item(node, index)
            }
        }
    }

    /// The collections along a path of the source, if it leads to the same place in what
    /// becomes of it.
    fn trace(&mut self, path: &[Step], roots: Both) -> Vec<Frame> {
        let mut frames = vec![Frame { around: None, both: roots }];
        for (around, step) in path.iter().enumerate() {
            let both = self.step(frames[around].both, step);
            frames.push(Frame { around: Some(around), both });
        }
        frames
    }

    /// One step of a path of the source further.
    fn step(&mut self, from: Both, step: &Step) -> Both {
        let mut go = |node: Option<Node>| match *step {
            Step::Index(index) => self.item(node?, index as usize),
            Step::Key(key) => {
                let key = self.key(key);
                self.entries(node?).get(&key)
            }
        };
        let next = Both { view: go(from.view), edited: go(from.edited) };
        match (next, from) {
            (
                Both { view: Some(was), edited: None },
                Both { view: Some(view), edited: Some(edited) },
            ) => {
                let renamed = self.renamed(view, edited, was);
                Both { edited: renamed.map(|(_, value)| value), ..next }
            }
            _ => next,
        }
    }
}
