//! Nodes of a document, for reading.

use std::borrow::Cow;
use std::fmt;

use hashbrown::HashMap;
use serde_core::de::Deserialize;

use super::error::{Error, Place, Result};
use super::path;
use crate::apply::LocatedNode;
use crate::convert;
use crate::node::{Kind, NodeId, OpId, Slot, Step, Tree};
use crate::pointer::{JsonPointer, Pointer, Token};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::yaml::{self, Expansion, json};

/// A node of a [`Document`](crate::Document): a scalar, a sequence or a mapping.
///
/// Aliases are followed and `<<` is merged. A node borrows its document, so that it
/// cannot be taken for a node of another one.
///
/// ```
/// use interpolate::{Document, Kind};
///
/// let document = Document::parse("jobs: [{name: web, port: 80}, {name: db}]\n")?;
/// let jobs = document.get("/jobs").unwrap();
/// assert_eq!(jobs.kind(), Kind::Sequence);
/// let names: Vec<_> = jobs.items().filter_map(|job| job.get("/name")).collect();
/// assert_eq!(names[1].as_str().unwrap(), "db");
/// assert_eq!(names[1].path(), "/jobs/1/name");
/// assert_eq!(jobs.get("/name=web/port").unwrap().deserialize::<u16>()?, 80);
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone)]
pub struct Node<'d> {
    tree: &'d Tree,
    at: LocatedNode,
}

/// The origin of a node: the places that its value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The place at which the value is written: in the document, in an ops-file, in an
    /// included file. `None` for a value that code made.
    pub written: Option<Place>,
    /// The place of the op or directive that put it where it is. `None` if the value
    /// stands where it was read, or if code put it there.
    pub op: Option<Place>,
}

impl<'d> Node<'d> {
    pub(super) fn new(tree: &'d Tree, at: LocatedNode) -> Node<'d> {
        Node { tree, at }
    }

    pub(super) fn located(&self) -> (&'d Tree, &LocatedNode) {
        (self.tree, &self.at)
    }

    /// The kind of the node.
    pub fn kind(&self) -> Kind {
        self.tree.kind(self.at.node)
    }

    /// The text of a string; `None` for anything else.
    pub fn as_str(&self) -> Option<Cow<'d, str>> {
        self.tree.string(self.at.node)
    }

    /// The value of a boolean; `None` for anything else.
    pub fn as_bool(&self) -> Option<bool> {
        match self.tree.scalar(self.at.node) {
            Scalar::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of an integer; `None` for anything else and for larger integers.
    pub fn as_i64(&self) -> Option<i64> {
        match self.tree.scalar(self.at.node) {
            Scalar::Int(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }

    /// The value of a number; `None` for anything else.
    pub fn as_f64(&self) -> Option<f64> {
        match self.tree.scalar(self.at.node) {
            Scalar::Int(value) => Some(value as f64),
            Scalar::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Returns true for null.
    pub fn is_null(&self) -> bool {
        self.tree.is_null(self.at.node)
    }

    /// The text of a scalar of any type: of a number, its digits as written. Empty for a
    /// collection.
    pub fn text(&self) -> Cow<'d, str> {
        self.tree.text_of(self.at.node)
    }

    /// The tag, resolved: `!secret`, `tag:yaml.org,2002:str`.
    pub fn tag(&self) -> Option<Cow<'d, str>> {
        self.tree.tag(self.at.node)
    }

    /// Returns the node at a path below this one, or `None`. Paths are described at
    /// [`Document::get`](crate::Document::get); the `$` of a JSONPath is this node.
    pub fn get(&self, path: &str) -> Option<Node<'d>> {
        self.try_get(path).ok()?
    }

    /// Returns the node at a path below this one, or `None` if it is missing.
    ///
    /// # Errors
    /// The path is malformed, or a JSONPath selects several nodes.
    ///
    /// ```
    /// let document = interpolate::Document::parse("web: {ports: [80, 443]}\n")?;
    /// let web = document.find("/web")?;
    /// assert_eq!(web.try_get("ports[1]")?.unwrap().to_string(), "443");
    /// assert!(web.try_get("ports[2]")?.is_none());
    /// assert!(web.try_get("ports[").is_err());
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn try_get(&self, path: &str) -> Result<Option<Node<'d>>> {
        path::one(self, &path::target(path)?)
    }

    /// Number of items of a sequence, or of entries of a mapping.
    ///
    /// ```
    /// let document = interpolate::Document::parse("a: &a {b: 1}\nc: {<<: *a, d: [2]}\n")?;
    /// assert_eq!(document.find("/c")?.len(), 2);
    /// assert_eq!(document.find("/c/d")?.len(), 1);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        match self.kind() {
            Kind::Scalar => 0,
            Kind::Sequence => self.tree.slots(self.at.node).len(),
            Kind::Mapping => self.tree.pairs(self.at.node).len(),
        }
    }

    /// Returns true for an empty collection, and for a scalar.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of a sequence; none for anything else.
    pub fn items(&self) -> impl Iterator<Item = Node<'d>> + use<'d> {
        let (tree, at) = (self.tree, self.at.clone());
        let is_list = self.kind() == Kind::Sequence;
        let items = if is_list { children(tree, at.node) } else { Vec::new() };
        let child = move |it: Child| at.child(it.step, it.node, it.by);
        items.into_iter().map(move |it| Node { tree, at: child(it) })
    }

    /// The entries of a mapping, each key once; none for anything else.
    ///
    /// ```
    /// let document = interpolate::Document::parse("web: {port: 80, tls: false}\n")?;
    /// let entries = document.find("/web")?.entries();
    /// let entries: Vec<String> = entries.map(|(key, it)| format!("{key}={it}")).collect();
    /// assert_eq!(entries, ["port=80", "tls=false"]);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = (Node<'d>, Node<'d>)> + use<'d> {
        let (tree, at) = (self.tree, self.at.clone());
        let is_mapping = self.kind() == Kind::Mapping;
        let entries = if is_mapping { entries(tree, at.node) } else { Vec::new() };
        entries.into_iter().filter_map(move |it| {
            let Step::Key(key) = it.step else { return None };
            let child = |node| Node { tree, at: at.child(it.step, node, it.by) };
            Some((child(key), child(it.node)))
        })
    }

    /// The key of an entry; `None` for an item of a sequence and for a root.
    ///
    /// A [pointer](Node::pointer) names a key by its text, and leads to the string if there
    /// are two keys of one text: the key of what it leads to tells which one was found.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer};
    ///
    /// let document = Document::parse("{80: http, '80': text}\n")?;
    /// let node = document.at(&JsonPointer::of(["80"]))?;
    /// assert_eq!(node.key().unwrap().as_str().as_deref(), Some("80"));
    /// assert_eq!(node.to_string(), "text");
    /// assert!(document.root().key().is_none());
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn key(&self) -> Option<Node<'d>> {
        match self.at.path.last()? {
            Step::Key(key) => {
                let at = LocatedNode { node: *key, ..self.at.clone() };
                Some(Node { tree: self.tree, at })
            }
            Step::Index(_) => None,
        }
    }

    /// The node and all nodes below it, in the order of the document.
    pub fn nodes(&self) -> Nodes<'d> {
        Nodes { tree: self.tree, start: Some(self.at.clone()), above: Vec::new() }
    }

    /// Deserializes the node.
    ///
    /// # Errors
    /// The value does not fit `T`; the place of the part that does not fit is known.
    ///
    /// ```
    /// let document = interpolate::Document::parse("ports: [80, x]\n")?;
    /// let error = document.find("/ports")?.deserialize::<Vec<u16>>().unwrap_err();
    /// assert_eq!(error.problems()[0].places[0].to_string(), "document:1:13");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn deserialize<T: Deserialize<'d>>(&self) -> Result<T> {
        convert::deserialize(self.tree, self.at.node)
            .map_err(|error| Error::about(error, self.tree))
    }

    /// Prints the node as indented JSON, aliases written out.
    ///
    /// # Errors
    /// Aliases expand it to more than 256 MiB.
    ///
    /// ```
    /// let document = interpolate::Document::parse("web: {ports: [80, 443]}\n")?;
    /// assert_eq!(document.find("/web/ports/1")?.to_json()?, "443\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn to_json(&self) -> Result<String> {
        json::print(self.tree, self.at.node, Expansion::default())
            .map_err(|error| Error::about(error, self.tree))
    }

    /// The path of the node. [`Document::get`](crate::Document::get) finds the node by
    /// it, unless a key on the way is no string, has a `=` in it, or stands there twice.
    pub fn path(&self) -> String {
        let token = |step: &Step| match *step {
            Step::Index(index) => Token::Index(i64::from(index), Vec::new()),
            Step::Key(key) => Token::Key(self.tree.text_of(key).into_owned()),
        };
        let tokens: Vec<Token> = self.at.path.iter().map(token).collect();
        Pointer { required: tokens.len(), tokens }.spell()
    }

    /// The way to the node as a JSON Pointer, for [`Document::at`](crate::Document::at). A
    /// key that is no string is named by its text.
    ///
    /// ```
    /// let document = interpolate::Document::parse("a/b: [{x=y: 1}]\n")?;
    /// let last = document.nodes().last().unwrap();
    /// assert_eq!(last.pointer().tokens, ["a/b", "0", "x=y"]);
    /// assert_eq!(last.pointer().to_string(), "/a~1b/0/x=y");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn pointer(&self) -> JsonPointer {
        let token = |step: &Step| match *step {
            Step::Index(index) => index.to_string(),
            Step::Key(key) => self.tree.member_name(key).unwrap_or_default().into_owned(),
        };
        JsonPointer::of(self.at.path.iter().map(token))
    }

    /// The origin of the node.
    ///
    /// ```
    /// use interpolate::{Document, Patch};
    ///
    /// let mut document = Document::parse("azs: [z1]\n")?;
    /// let ops = "# More.\n- type: replace\n  path: /azs/-\n  value: z2\n";
    /// document.apply(&Patch::parse("more.yml", ops)?)?;
    /// let origin = document.get("/azs/1").unwrap().origin();
    /// assert_eq!(origin.written.unwrap().to_string(), "more.yml:4:10");
    /// assert_eq!(origin.op.unwrap().to_string(), "more.yml:2:3");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn origin(&self) -> Origin {
        let place = |span: Span| {
            let source = self.tree.arena(span.file).source();
            // A text without a name was made of a value.
            (!source.name.is_empty()).then(|| Place::new(source, span))
        };
        let op = self.at.by.and_then(|by| self.tree.op_span(by));
        let written = self.tree.span(self.at.node).and_then(place);
        Origin { written, op: op.and_then(place) }
    }
}

/// Prints the node: a scalar without its quotes, a collection as a document of its own.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = yaml::print_found(self.tree, self.at.node).map_err(|_| fmt::Error)?;
        let text = String::from_utf8_lossy(&text);
        f.write_str(text.strip_suffix('\n').unwrap_or(&text))
    }
}

/// Prints the path: the value may be a secret.
impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("path", &self.path())
            .field("kind", &self.kind())
            .finish_non_exhaustive()
    }
}

/// The nodes of a document or below a node, in the order of the document.
///
/// Each node is visited where it is written: an alias is visited, but not what is below
/// its anchor, and the entries that a `<<` provides are visited at their source.
///
/// ```
/// let document = interpolate::Document::parse("a: {image: x}\nb: [{image: y}]\n")?;
/// let images = document.nodes().filter(|node| node.path().ends_with("/image"));
/// let images: Vec<String> = images.map(|node| node.to_string()).collect();
/// assert_eq!(images, ["x", "y"]);
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone)]
pub struct Nodes<'d> {
    tree: &'d Tree,
    /// The first node, until it is visited.
    start: Option<LocatedNode>,
    /// The collections around the next node: each with its children that were not
    /// visited.
    above: Vec<(LocatedNode, std::vec::IntoIter<Child>)>,
}

impl<'d> Iterator for Nodes<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let at = match self.start.take() {
            Some(start) => start,
            None => loop {
                let (above, children) = self.above.last_mut()?;
                match children.next() {
                    Some(it) => break above.child(it.step, it.node, it.by),
                    None => drop(self.above.pop()),
                }
            },
        };
        let tree = self.tree;
        if tree.kind(at.node) != Kind::Scalar && tree.follow(at.node) == at.node {
            let own = children(tree, at.node);
            self.above.push((at.clone(), own.into_iter()));
        }
        Some(Node { tree, at })
    }
}

impl fmt::Debug for Nodes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nodes").finish_non_exhaustive()
    }
}

/// A child of a collection.
#[derive(Clone, Copy)]
struct Child {
    step: Step,
    node: NodeId,
    /// The op that put it there.
    by: Option<OpId>,
}

/// Returns the children that are written in a collection, without `<<`.
fn children(tree: &Tree, node: NodeId) -> Vec<Child> {
    let slots = tree.slots(node);
    let slots = (0..).zip(slots.iter()).filter(|(_, slot)| !tree.is_merge(slot));
    let child = |(i, slot): (u32, &Slot)| {
        let step = slot.key.map_or(Step::Index(i), Step::Key);
        Child { step, node: slot.value, by: slot.by }
    };
    slots.map(child).collect()
}

/// Returns the entries of a mapping, each key once, with those that `<<` provides.
fn entries(tree: &Tree, node: NodeId) -> Vec<Child> {
    let slots = tree.slots(node);
    let by = slots.iter().filter_map(|slot| Some((slot.key?, slot.by?)));
    let by: HashMap<NodeId, OpId> = by.collect();
    let pairs = tree.pairs(node).into_iter();
    let child = |(key, node): (NodeId, NodeId)| Child {
        step: Step::Key(key),
        node,
        by: by.get(&key).copied(),
    };
    pairs.map(child).collect()
}
