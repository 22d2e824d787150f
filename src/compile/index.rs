//! The directives of all texts: which a collection holds, which of its children lead to
//! more, and what its names and keys lead to. Everything is read on demand and once;
//! marks on the bytes of a text tell which subtrees need no look at all.

use std::ops::Range;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use memchr::{memchr_iter, memmem};

use super::directive::{Directive, is_directive_key};
use crate::arena::{self, Arena, Style, flag};
use crate::diagnostic::Diagnostic;
use crate::merge::NAME_KEY;
use crate::node::{Kind, NodeId, Step, Tree};
use crate::pointer::JsonPointer;
use crate::scalar::Scalar;
use crate::source::FileId;

pub(super) type DirectiveId = usize;

/// The names of one text, and the nodes they stand for.
pub(super) type Names = Rc<HashMap<Box<str>, Referent>>;

/// A node that a directive refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Referent {
    pub(super) node: NodeId,
    /// True if only its own entries count, without the imports of its directives.
    pub(super) own: bool,
}

/// The directives of one collection.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// The directives, in the order of their keys.
    pub(super) directives: Vec<DirectiveId>,
    /// The key `+&` and the name it gives, unless that is null or no string.
    name: Option<(NodeId, Option<String>)>,
    /// True if the collection has no other entries.
    pub(super) is_alone: bool,
    /// The children that contain more directives.
    pub(super) children: Vec<(Step, NodeId)>,
}

impl Branch {
    /// Returns true if the collection has a directive or a name.
    pub(super) fn is_site(&self) -> bool {
        !self.directives.is_empty() || self.name.is_some()
    }
}

/// The children of a collection by key and by position.
#[derive(Debug, Default)]
struct NodeChildren {
    entries: HashMap<Box<str>, (NodeId, NodeId)>,
    items: Vec<NodeId>,
}

/// One step of a directive's path.
#[derive(Clone, Debug)]
pub(super) enum RouteSegment {
    /// The very child that a step leads to.
    Step(Step),
    /// The entry with this key or the item with this number.
    Text(String),
}

/// The directives of all texts.
#[derive(Debug, Default)]
pub(super) struct DirectiveIndex {
    marks: HashMap<FileId, Marks>,
    pub(super) branches: HashMap<NodeId, Rc<Branch>>,
    children: HashMap<NodeId, Rc<NodeChildren>>,
    pub(super) directives: Vec<Directive>,
    names: HashMap<FileId, Names>,
    pub(super) errors: Vec<Diagnostic>,
}

impl DirectiveIndex {
    pub(super) fn add(&mut self, arena: &Arena) {
        self.marks.insert(arena.file(), Marks::find(arena));
    }

    /// Returns true if a document of a text may have directives.
    pub(super) fn marks(arena: &Arena, section: &arena::Section) -> bool {
        let range = section.start as usize..section.end as usize;
        Marks::find_in(arena, range).any(section.root..arena.next(section.root))
    }

    pub(super) fn directive(&self, id: DirectiveId) -> &Directive {
        &self.directives[id]
    }

    /// Returns true if `node` may contain directives.
    pub(super) fn is_marked(&self, document: &Tree, node: NodeId) -> bool {
        match node {
            NodeId::Clean(file, i) => {
                let next = document.arena(file).next(i);
                self.marks.get(&file).is_some_and(|marks| marks.any(i..next))
            }
            NodeId::Opened(_) => true,
        }
    }

    pub(super) fn branch(&mut self, document: &Tree, node: NodeId) -> Rc<Branch> {
        let node = document.follow(node);
        if let Some(branch) = self.branches.get(&node) {
            return branch.clone();
        }
        let branch = Rc::new(match document.kind(node) {
            _ if !self.is_marked(document, node) => Branch::default(),
            Kind::Scalar => Branch::default(),
            Kind::Sequence => self.sequence(document, node),
            Kind::Mapping => self.mapping(document, node),
        });
        self.branches.insert(node, branch.clone());
        branch
    }

    fn sequence(&self, document: &Tree, node: NodeId) -> Branch {
        let items = (0..).map(Step::Index).zip(document.items(node));
        let children = items.filter(|&(_, item)| self.is_marked(document, item));
        Branch { children: children.collect(), ..Branch::default() }
    }

    fn mapping(&mut self, document: &Tree, node: NodeId) -> Branch {
        let mut branch = Branch::default();
        let (pairs, others) = self.marked_pairs(document, node);
        let keys = pairs.iter().filter(|(key, _)| self.is_marked(document, *key)).count();
        for (key, value) in pairs {
            if !self.is_marked(document, key) {
                branch.children.push((Step::Key(key), value));
            } else if document.is_text(key, NAME_KEY) {
                branch.name = Some((key, self.name(document, key, value)));
            } else {
                match Directive::read(document, node, key, value) {
                    Ok(Some(directive)) => {
                        branch.directives.push(self.directives.len());
                        self.directives.push(directive);
                    }
                    Ok(None) if self.is_marked(document, value) => {
                        branch.children.push((Step::Key(key), value));
                    }
                    Ok(None) => {}
                    Err(diagnostic) => self.errors.push(*diagnostic),
                }
            }
        }
        branch.is_alone = others == 0 && branch.children.is_empty();
        if keys > 1 {
            self.check_duplicates(document, node);
        }
        branch
    }

    /// Returns a mapping's entries that contain directives, and the number of others.
    fn marked_pairs(
        &self,
        document: &Tree,
        node: NodeId,
    ) -> (Vec<(NodeId, NodeId)>, usize) {
        if let Some(found) = self.marked_keys(document, node) {
            return found;
        }
        let pairs = document.pairs(node);
        let all = pairs.len();
        let marked: Vec<_> = pairs
            .into_iter()
            .filter(|&(key, value)| {
                self.is_marked(document, key) || self.is_marked(document, value)
            })
            .collect();
        let others = all - marked.len();
        (marked, others)
    }

    /// As [`DirectiveIndex::marked_pairs`], without reading other keys. `None` if a value contains
    /// directives or there is a `<<`: then it matters which of several equal keys counts.
    fn marked_keys(
        &self,
        document: &Tree,
        node: NodeId,
    ) -> Option<(Vec<(NodeId, NodeId)>, usize)> {
        let NodeId::Clean(file, i) = node else { return None };
        let arena = document.arena(file);
        let mut marks = self.marks.get(&file)?.from(i);
        let mut pairs = Vec::new();
        let mut others = 0;
        for (key, value) in arena.entries(i) {
            let after = arena.next(value);
            match marks.first() {
                _ if arena.has(key, flag::MERGE_KEY) => return None,
                Some(&mark) if mark == key => {
                    pairs.push((NodeId::Clean(file, key), NodeId::Clean(file, value)));
                    marks = &marks[marks.partition_point(|&mark| mark < after)..];
                }
                Some(&mark) if mark < after => return None,
                Some(_) | None => others += 1,
            }
        }
        Some((pairs, others))
    }

    /// Reads the name that `+&` gives. A number names as its text does.
    fn name(&mut self, document: &Tree, key: NodeId, value: NodeId) -> Option<String> {
        if document.kind(value) != Kind::Scalar {
            let diagnostic = Diagnostic::error("`+&` gives a name, which is a string");
            let span = document.span(key).map(|at| document.first_line(at));
            self.errors.push(*diagnostic.at(span));
            return None;
        }
        (!document.is_null(value)).then(|| document.text_of(value).into_owned())
    }

    /// Refuses a mapping in which the same directive stands twice.
    fn check_duplicates(&mut self, document: &Tree, node: NodeId) {
        let mut seen = HashSet::new();
        for key in document.slots(node).iter().filter_map(|slot| slot.key) {
            if !self.is_marked(document, key) {
                continue;
            }
            let Some(text) = document.string(key) else { continue };
            if seen.insert(text.clone()) {
                continue;
            }
            let diagnostic = Diagnostic::error(format!("found duplicate key \"{text}\""));
            let span = document.span(key).map(|at| document.first_line(at));
            let label = text.contains("include");
            let label =
                label.then(|| format!("a label makes keys differ, e.g. '{text}-2'"));
            self.errors.push(*diagnostic.at(span).hints(label));
        }
    }

    /// Returns the written child that a segment leads to from `node`, and the step to it.
    pub(super) fn child(
        &mut self,
        document: &Tree,
        node: NodeId,
        segment: &RouteSegment,
    ) -> Option<(Step, NodeId)> {
        let node = document.follow(node);
        let children = self.children(document, node);
        match segment {
            RouteSegment::Step(Step::Index(at)) => children.item(*at),
            RouteSegment::Step(Step::Key(key)) => match document.string(*key) {
                Some(text) => children.entry(&text),
                None => entry_like(document, node, *key),
            },
            RouteSegment::Text(text) if children.items.is_empty() => children.entry(text),
            RouteSegment::Text(text) => children.item(JsonPointer::index(text)?),
        }
    }

    fn children(&mut self, document: &Tree, node: NodeId) -> Rc<NodeChildren> {
        if let Some(children) = self.children.get(&node) {
            return children.clone();
        }
        let mut children = NodeChildren::default();
        match document.kind(node) {
            Kind::Scalar => {}
            Kind::Sequence => children.items = document.items(node),
            Kind::Mapping => {
                for (key, value) in document.pairs(node) {
                    if let Some(text) = document.string(key) {
                        children.entries.insert(text.into(), (key, value));
                    }
                }
            }
        }
        let children = Rc::new(children);
        self.children.insert(node, children.clone());
        children
    }

    /// The names in the document that stands in a file, below `root`. Of a name given
    /// twice the last one counts, and `+&` takes precedence over an anchor.
    pub(super) fn names(&mut self, document: &Tree, file: FileId, root: NodeId) -> Names {
        if let Some(names) = self.names.get(&file) {
            return names.clone();
        }
        let mut names = anchors(document, file, root);
        let mut todo = vec![root];
        while let Some(node) = todo.pop() {
            let branch = self.branch(document, node);
            if let Some((_, Some(name))) = &branch.name {
                names.insert(name.as_str().into(), Referent { node, own: true });
            }
            todo.extend(branch.children.iter().rev().map(|&(_, child)| child));
        }
        let names = Rc::new(names);
        self.names.insert(file, names.clone());
        names
    }
}

impl NodeChildren {
    fn entry(&self, text: &str) -> Option<(Step, NodeId)> {
        let &(key, value) = self.entries.get(text)?;
        Some((Step::Key(key), value))
    }

    fn item(&self, at: u32) -> Option<(Step, NodeId)> {
        Some((Step::Index(at), *self.items.get(at as usize)?))
    }
}

/// Returns the entry of `node` whose key equals `key`, which is no string.
fn entry_like(document: &Tree, node: NodeId, key: NodeId) -> Option<(Step, NodeId)> {
    let wanted = document.identity(key);
    let (key, value) = document.pairs(node).into_iter().find(|&(other, _)| {
        other == key || wanted.is_some() && document.identity(other) == wanted
    })?;
    Some((Step::Key(key), value))
}

/// The collections with an anchor below `root`, by its name.
fn anchors(document: &Tree, file: FileId, root: NodeId) -> HashMap<Box<str>, Referent> {
    let NodeId::Clean(_, root) = root else { return HashMap::new() };
    let arena = document.arena(file);
    let inside = root..arena.next(root);
    let referent = |i| {
        let node = NodeId::Clean(file, i);
        let collection = document.kind(node) != Kind::Scalar;
        Some((arena.anchor(i)?.into(), Referent { node, own: false }))
            .filter(|_| collection)
    };
    arena.props_nodes().filter(|i| inside.contains(i)).filter_map(referent).collect()
}

/// Strings of one text that would be directives as keys, and aliases of nodes that
/// contain some, in order.
#[derive(Debug, Default)]
struct Marks(Vec<arena::Index>);

impl Marks {
    fn find(arena: &Arena) -> Marks {
        Marks::find_in(arena, 0..arena.text().len()).with_aliases(arena)
    }

    /// Returns the marks in a range of the text, without those of aliases.
    fn find_in(arena: &Arena, range: Range<usize>) -> Marks {
        let text = arena.text().as_bytes();
        let start = range.start;
        let signs = memchr_iter(b'+', &text[range.clone()]).map(|at| start + at);
        let plain = signs.filter_map(|at| match at.checked_sub(1) {
            None => Some(at),
            Some(before) => match text[before] {
                b'"' | b'\'' => Some(before),
                // The last byte of a byte order mark, in UTF-8.
                0xbf => Some(at),
                b' ' | b'\t' | b'\n' | b'\r' | b'[' | b'{' | b',' | b':' | b'?' => {
                    Some(at)
                }
                _ => None,
            },
        });
        // In double quotes the `+` may be an escape.
        let escaped = memmem::find_iter(&text[range], b"\"\\").map(|at| start + at);
        let mut found: Vec<arena::Index> =
            plain.chain(escaped).filter_map(|at| string_at(arena, at as u32)).collect();
        found.sort_unstable();
        found.dedup();
        Marks(found)
    }

    fn with_aliases(mut self, arena: &Arena) -> Marks {
        if self.0.is_empty() {
            return self;
        }
        // An alias follows its target, so that one pass finds aliases of aliases.
        let mut aliases = Marks::default();
        for &(alias, target) in arena.aliases() {
            let range = target..arena.next(target);
            if self.any(range.clone()) || aliases.any(range) {
                aliases.0.push(alias);
            }
        }
        self.0.append(&mut aliases.0);
        self.0.sort_unstable();
        self
    }

    /// Returns true if a mark is in a range of nodes.
    fn any(&self, nodes: Range<arena::Index>) -> bool {
        self.from(nodes.start).first().is_some_and(|&mark| mark < nodes.end)
    }

    fn from(&self, node: arena::Index) -> &[arena::Index] {
        &self.0[self.0.partition_point(|&mark| mark < node)..]
    }
}

/// Returns the string that begins at an offset, if it would be a directive as a key.
fn string_at(arena: &Arena, at: u32) -> Option<arena::Index> {
    let after = arena.nodes().partition_point(|node| node.start <= at);
    let i = (0..after).rev().take_while(|i| arena.nodes()[*i].start == at).find(|i| {
        matches!(arena.nodes()[*i].style, Style::Plain | Style::Single | Style::Double)
    })? as arena::Index;
    matches!(arena.scalar(i), Scalar::String(text) if is_directive_key(&text))
        .then_some(i)
}
