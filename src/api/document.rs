//! The document: a text that keeps its bytes.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde_core::Serialize;
use serde_core::de::Deserialize;

use super::error::{Error, Problem, Result, add_arguments, problems, texts};
use super::job::{Documents, Job, pipeline_of};
use super::node::{Node, Nodes};
use super::path;
use super::reader::Reader;
use super::variables::Variables;
use crate::apply::{self, LocatedNode, Purpose, Reach};
use crate::check;
use crate::convert;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diff;
use crate::job::{Lens, with_same_keys};
use crate::language::{self, Verb};
use crate::node::{NodeId, Tree};
use crate::patch::Patch;
use crate::pointer::{JsonPointer, Pointer};
use crate::restore::Comments;
use crate::select::{DocumentSelector, Query, QueryBudget};
use crate::source::{Sources, reason};
use crate::target::Target;
use crate::yaml::{self, Expansion};

/// A text in YAML or JSON and the edits laid over it.
///
/// `Display` prints it: whatever no edit changed keeps its bytes. An operation that fails
/// changes nothing.
///
/// A text with several documents is a stream. Edits and paths concern its first document;
/// [`documents`](Document::documents) reads them all, [`apply_to_all`](Document::apply_to_all)
/// patches them all.
///
/// A document remembers its texts and the places of the ops that were applied. After very
/// many edits, parsing what it prints frees memory.
///
/// ```
/// use interpolate::Document;
///
/// let mut document = Document::parse("name: shop   # the old name\nazs: [z1]\n")?;
/// document.set("/name", "store")?;
/// document.append("/azs", "z2")?;
/// assert_eq!(document.to_string(), "name: store   # the old name\nazs: [z1, z2]\n");
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone)]
pub struct Document {
    tree: Tree,
    reader: Reader,
}

// Reading.
impl Document {
    pub(super) fn new(tree: Tree, reader: Reader) -> Document {
        Document { tree, reader }
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(super) fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    pub(super) fn into_tree(self) -> Tree {
        self.tree
    }

    pub(super) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Parses a text as YAML 1.2. A [`Reader`] parses other dialects, and texts with names
    /// and includes.
    ///
    /// # Errors
    /// The first syntax error, with its place.
    ///
    /// ```
    /// let document = interpolate::Document::parse("a: [1, 2]   # any YAML or JSON\n")?;
    /// assert_eq!(document.to_string(), "a: [1, 2]   # any YAML or JSON\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn parse(text: impl Into<String>) -> Result<Document> {
        Reader::new().parse("document", text)
    }

    /// Makes a document of any value.
    ///
    /// # Errors
    /// YAML cannot hold the value.
    ///
    /// ```
    /// let document = interpolate::Document::from_value([Some(1), None])?;
    /// assert_eq!(document.to_string(), "- 1\n- null\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn from_value(value: impl Serialize) -> Result<Document> {
        let made = convert::tree_of(&value).map_err(Error::about_value)?;
        let tree = yaml::clean(&made).map_err(|error| Error::about(error, &made))?;
        Ok(Document { tree: tree.into_owned(), reader: Reader::new() })
    }

    /// The root of the first document.
    pub fn root(&self) -> Node<'_> {
        Node::new(&self.tree, LocatedNode::root(self.tree.root()))
    }

    /// The root of every document of the stream.
    ///
    /// ```
    /// let stream = interpolate::Document::parse("kind: Pod\n---\nkind: Service\n")?;
    /// let kinds = stream.documents().filter_map(|root| root.get("/kind"));
    /// let kinds: Vec<String> = kinds.map(|kind| kind.to_string()).collect();
    /// assert_eq!(kinds, ["Pod", "Service"]);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn documents(&self) -> impl Iterator<Item = Node<'_>> {
        let roots = self.tree.roots().iter();
        roots.map(|&root| Node::new(&self.tree, LocatedNode::root(root)))
    }

    /// All nodes of the first document.
    pub fn nodes(&self) -> Nodes<'_> {
        self.root().nodes()
    }

    /// Returns the node at a path, or `None` if it is missing or malformed.
    ///
    /// A path that begins with `/` is that of an ops-file: `/jobs/name=web/azs/0`. A token is
    /// a key, the index of an item (from the end if negative), or `key=value` for the one item
    /// that has this entry. In a key, `~1` stands for `/`, `~0` for `~`, and `~7` for `:`. A
    /// key that looks like an index ends with `?`: `/ports/80?`. It does not lead through keys
    /// that are no strings or have a `=` in them. The empty path is the root.
    ///
    /// Any other path is a dotted one, `jobs[name=web].azs[0]`, or a JSONPath that selects a
    /// single node, `$.jobs[0].azs[0]`.
    ///
    /// ```
    /// let text = "jobs: [{name: web, azs: [z1, z2]}]\nlabels: {app/name: shop}\n";
    /// let document = interpolate::Document::parse(text)?;
    /// let text = |path| document.get(path).map(|node| node.to_string());
    /// assert_eq!(text("/jobs/name=web/azs/-1").as_deref(), Some("z2"));
    /// assert_eq!(text("jobs[name=web].azs[-1]").as_deref(), Some("z2"));
    /// assert_eq!(text("$.jobs[0].azs[-1]").as_deref(), Some("z2"));
    /// assert_eq!(text("/labels/app~1name").as_deref(), Some("shop"));
    /// assert_eq!(text("/jobs/name=db"), None);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn get(&self, path: &str) -> Option<Node<'_>> {
        self.root().get(path)
    }

    /// Returns the node at a path.
    ///
    /// # Errors
    /// There is none: the place where the path ends, and what is there. Or a JSONPath selects
    /// several.
    ///
    /// ```
    /// let document = interpolate::Document::parse("jobs: [{name: web}]\n")?;
    /// assert_eq!(document.find("/jobs/name=web")?.path(), "/jobs/0");
    /// let error = document.find("/jobs/name=wep").unwrap_err();
    /// assert_eq!(error.problems()[0].hints, ["did you mean 'web'?"]);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn find(&self, path: &str) -> Result<Node<'_>> {
        self.find_in(0, path)
    }

    /// Returns the node at a path in a document of the stream, from 0.
    ///
    /// # Errors
    /// As [`find`](Document::find), and there is no such document.
    ///
    /// ```
    /// let stream = interpolate::Document::parse("n: 1\n---\nn: 2\n")?;
    /// assert_eq!(stream.find_in(1, "/n")?.to_string(), "2");
    /// assert!(stream.find_in(2, "/n").is_err());
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn find_in(&self, document: usize, path: &str) -> Result<Node<'_>> {
        let target = path::target(path)?;
        let Some(root) = self.documents().nth(document) else {
            return Err(Error::message(format!("there is no document {document}")));
        };
        match path::one(&root, &target)? {
            Some(node) => Ok(node),
            None => Err(path::nowhere(&self.tree, target, document)),
        }
    }

    /// Returns the node at a JSON Pointer, whose tokens name any key, by its text.
    ///
    /// # Errors
    /// There is none: the place where the pointer ends, and what is there.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer};
    ///
    /// let document = Document::parse("ports: {80: http, a=b: c}\n")?;
    /// let at = |key: &str| document.at(&JsonPointer::of(["ports", key]));
    /// assert_eq!(at("80")?.as_str().unwrap(), "http");
    /// assert_eq!(at("a=b")?.pointer().to_string(), "/ports/a=b");
    /// assert!(at("443").is_err());
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn at(&self, pointer: &JsonPointer) -> Result<Node<'_>> {
        let root = LocatedNode::root(self.tree.root());
        match apply::resolve(&self.tree, root, pointer) {
            Some(at) => Ok(Node::new(&self.tree, at)),
            None => Err(path::nowhere(&self.tree, Target::Json(pointer.clone()), 0)),
        }
    }

    /// Returns the nodes that a JSONPath query (RFC 9535) selects, in its order.
    ///
    /// # Errors
    /// The query is malformed, or it takes more than 50 million steps or 256 MB.
    ///
    /// ```
    /// let text = "web: {image: a}\njobs: [{image: b}]\n";
    /// let document = interpolate::Document::parse(text)?;
    /// let images = document.select("$..image")?;
    /// let paths: Vec<String> = images.iter().map(|image| image.path()).collect();
    /// assert_eq!(paths, ["/web/image", "/jobs/0/image"]);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn select(&self, query: &str) -> Result<Vec<Node<'_>>> {
        let parsed = Query::parse(query).map_err(|error| {
            Error::message(format!("query '{query}': {}", error.told(query)))
        })?;
        let found = apply::find_all(&self.tree, &parsed, 0, &mut QueryBudget::default());
        let found = found.map_err(|error| Error::about(error, &self.tree))?;
        let located = |(node, path)| LocatedNode { node, path, by: None };
        Ok(found.into_iter().map(|it| Node::new(&self.tree, located(it))).collect())
    }

    /// Deserializes the first document; [`Node::deserialize`] deserializes a part.
    ///
    /// # Errors
    /// The value does not fit `T`; the place of the part that does not fit is known.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// let document = interpolate::Document::parse("a: 1\nb: 2\n")?;
    /// let numbers: BTreeMap<&str, u8> = document.deserialize()?;
    /// assert_eq!(numbers["b"], 2);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn deserialize<'d, T: Deserialize<'d>>(&'d self) -> Result<T> {
        self.root().deserialize()
    }

    /// Prints the first document as indented JSON, aliases written out.
    ///
    /// # Errors
    /// Aliases expand it to more than 256 MiB.
    ///
    /// ```
    /// let document = interpolate::Document::parse("a: &a 1\nb: *a\n")?;
    /// assert_eq!(document.to_json()?, "{\n  \"a\": 1,\n  \"b\": 1\n}\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn to_json(&self) -> Result<String> {
        self.root().to_json()
    }
}

// Reading documents.
impl Reader {
    /// Parses a text; `name` is its name in messages, and included files are searched for
    /// beside it.
    ///
    /// # Errors
    /// The first syntax error, with its place.
    pub fn parse(&self, name: &str, text: impl Into<String>) -> Result<Document> {
        Ok(Document::new(self.tree(name, text.into())?, self.clone()))
    }

    /// Reads a file of the [world](Reader::world): UTF-8 or UTF-16.
    ///
    /// # Errors
    /// The file cannot be read, or the first syntax error, with its place.
    ///
    /// ```
    /// use interpolate::{Os, Reader};
    ///
    /// let reader = Reader::new().world(Os::default());
    /// let manifest = reader.read("ops/scale/manifest.yml")?;
    /// assert_eq!(manifest.get("/name").unwrap().as_str().unwrap(), "shop");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Document> {
        let path = path.as_ref();
        let name = path.to_string_lossy().into_owned();
        let stored = self.outside().read(path).map_err(|error| {
            Error::message(format!("cannot read '{name}': {}", reason(&error)))
        })?;
        self.parse_bytes(&name, stored)
    }

    /// Parses the bytes of a file: UTF-8 or UTF-16.
    ///
    /// # Errors
    /// The bytes are no text, or the first syntax error, with its place.
    ///
    /// ```
    /// let stored = b"\xff\xfea\0:\0 \x001\0\n\0";
    /// let document = interpolate::Reader::new().parse_bytes("a.yml", stored)?;
    /// assert_eq!(document.find("/a")?.to_string(), "1");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn parse_bytes(
        &self,
        name: &str,
        stored: impl Into<Vec<u8>>,
    ) -> Result<Document> {
        let dialect = self.options("").dialect;
        let source = yaml::decode(name.to_owned(), stored.into(), dialect)
            .map_err(|error| Error::new(error, Sources::default()))?;
        Ok(Document::new(self.source(source)?, self.clone()))
    }

    /// Reads a patch in the dialect of this reader, as [`Patch::parse`] does in YAML 1.2.
    ///
    /// # Errors
    /// A syntax error, or each op that cannot be built, with its place.
    pub fn patch(&self, name: &str, text: &str) -> Result<Patch> {
        let tree = self.tree(name, text.to_owned())?;
        language::patch(&tree, name).map_err(|errors| Error::about(errors, &tree))
    }

    /// Reads a document as a JSON Merge Patch (RFC 7396): its entries are merged into a
    /// document, and those that are null are removed from it.
    ///
    /// # Errors
    /// A syntax error, or the text is a list of ops.
    ///
    /// ```
    /// use interpolate::{Document, Reader};
    ///
    /// let mut document = Document::parse("image: {tag: 1.9, pull: Always}   # ours\n")?;
    /// let changes = "image: {tag: 1.10, pull: null}\n";
    /// document.apply(&Reader::new().merge_patch("changes.yml", changes)?)?;
    /// assert_eq!(document.to_string(), "image: {tag: 1.10}   # ours\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn merge_patch(&self, name: &str, text: &str) -> Result<Patch> {
        let tree = self.tree(name, text.to_owned())?;
        language::merge_patch(&tree).map_err(|error| Error::about(error, &tree))
    }

    /// Reads an argument of the command line, such as `image.tag=1.10` of
    /// [`Verb::Set`](crate::Verb), as a patch.
    ///
    /// # Errors
    /// A path or a value is malformed, or one is missing.
    ///
    /// ```
    /// use interpolate::{Document, Reader, Verb};
    ///
    /// let mut document = Document::parse("image: {tag: 1.9}   # ours\n")?;
    /// document.apply(&Reader::new().argument(Verb::Set, "image.tag=1.10")?)?;
    /// assert_eq!(document.to_string(), "image: {tag: 1.10}   # ours\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn argument(&self, verb: Verb, text: &str) -> Result<Patch> {
        let mut texts = Sources::default();
        let patch = language::argument(&mut texts, verb, text, &self.options(""));
        let patch = patch.map_err(|error| Error::new(error, texts.clone()))?;
        let arguments = texts.files().map(|file| (file, texts.shared(file).clone()));
        Ok(Patch { arguments: arguments.collect(), ..patch })
    }
}

// Editing.
impl Document {
    /// Sets the node at a path, which must exist. After a token with `?` it is made:
    /// `/env?/proxy`. `-` appends to a list, `:before` and `:after` insert beside an item:
    /// `/jobs/name=web:after`. Mappings at the end of a dotted path are made, as with `--set`:
    /// `env.proxy`. A JSONPath sets all that it selects, and adds its last key.
    ///
    /// A path through an alias changes the value at this place; other aliases and the
    /// anchor keep their value. A document without content has no mapping yet: set its
    /// root, the path `""`, first.
    ///
    /// # Errors
    /// The path is malformed or leads nowhere, or YAML cannot hold the value.
    ///
    /// ```
    /// let mut document = interpolate::Document::parse("limits: {cpu: 1}\n")?;
    /// document.set("/limits/cpu", 0.5)?;
    /// document.set("/tags?/-", ["a", "b"])?;
    /// assert_eq!(document.to_string(), "limits: {cpu: 0.5}\ntags:\n- - a\n  - b\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    ///
    /// A text takes the quotes of the one that it replaces:
    ///
    /// ```
    /// let mut document = interpolate::Document::parse("tag: \"1.9\"\nname: web\n")?;
    /// document.set("/tag", "1.10")?;
    /// assert_eq!(document.to_string(), "tag: \"1.10\"\nname: web\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn set(&mut self, path: &str, value: impl Serialize) -> Result<()> {
        match path::place(path)? {
            Target::Pointer(pointer) => self.set_one(&pointer, value),
            _ => self.apply(&Patch::new().replace(path, value)?),
        }
    }

    fn set_one(&mut self, pointer: &Pointer, value: impl Serialize) -> Result<()> {
        let edit = |tree: &mut Tree| {
            let node = made(tree, &value)?;
            Ok(apply::put(tree, pointer, Purpose::Replace, 0, node)?)
        };
        // A copy takes time for everything that earlier edits opened.
        if apply::reaches(&mut self.tree, pointer, 0) {
            return edit(&mut self.tree)
                .map_err(|errors| Error::about(errors, &self.tree));
        }
        self.edit(edit)
    }

    /// Appends an item to the list at a path. With `?` at its end, a missing list is made,
    /// and so is one at the end of a dotted path or JSONPath.
    ///
    /// # Errors
    /// As [`set`](Document::set).
    ///
    /// ```
    /// let mut document = interpolate::Document::parse("azs:\n- z1   # first\n")?;
    /// document.append("/azs", "z2")?;
    /// document.append("/ports?", 80)?;
    /// assert_eq!(document.to_string(), "azs:\n- z1   # first\n- z2\nports:\n- 80\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn append(&mut self, path: &str, value: impl Serialize) -> Result<()> {
        match path::end_of(path)? {
            Target::Pointer(pointer) => self.set_one(&pointer, value),
            _ => self.apply(&Patch::new().append(path, value)?),
        }
    }

    /// Removes the node at a path; with `?` at its end it may be missing.
    ///
    /// # Errors
    /// The path is malformed or leads nowhere.
    ///
    /// ```
    /// let mut document = interpolate::Document::parse("a: 1 # one\nb: 2 # two\n")?;
    /// document.remove("/a")?;
    /// document.remove("/c?")?;
    /// assert_eq!(document.to_string(), "b: 2 # two\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn remove(&mut self, path: &str) -> Result<()> {
        let pointer = match path::target(path)? {
            Target::Pointer(pointer) => pointer,
            _ => return self.apply(&Patch::new().remove(path)?),
        };
        apply::remove(&mut self.tree, &pointer, 0)
            .map_err(|error| Error::about(error, &self.tree))
    }

    /// Replaces the node at a JSON Pointer.
    ///
    /// # Errors
    /// There is none, or YAML cannot hold the value.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer};
    ///
    /// let mut document = Document::parse("ports: {80: http} # open\n")?;
    /// let ports = JsonPointer::of(["ports"]);
    /// document.replace_at(&ports.child("80"), "web")?;
    /// document.add_at(&ports.child("a=b"), 1)?;
    /// assert_eq!(document.to_string(), "ports: {80: web, a=b: 1} # open\n");
    /// document.remove_at(&ports.child("80"))?;
    /// assert_eq!(document.to_string(), "ports: {a=b: 1} # open\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn replace_at(&mut self, at: &JsonPointer, value: impl Serialize) -> Result<()> {
        self.put_json(at, value, Purpose::Replace)
    }

    /// Sets an entry of a mapping, or inserts an item of a list before that with an index, at
    /// the end for `-`.
    ///
    /// # Errors
    /// There is no such mapping or list, or YAML cannot hold the value.
    pub fn add_at(&mut self, at: &JsonPointer, value: impl Serialize) -> Result<()> {
        self.put_json(at, value, Purpose::Add)
    }

    fn put_json(
        &mut self,
        at: &JsonPointer,
        value: impl Serialize,
        purpose: Purpose,
    ) -> Result<()> {
        let tree = &mut self.tree;
        let put =
            made(tree, &value).and_then(|node| apply::put(tree, at, purpose, 0, node));
        put.map_err(|error| Error::about(error, &self.tree))
    }

    /// Removes the node at a JSON Pointer.
    ///
    /// # Errors
    /// There is none, or it is the root.
    pub fn remove_at(&mut self, at: &JsonPointer) -> Result<()> {
        apply::remove(&mut self.tree, at, 0)
            .map_err(|error| Error::about(error, &self.tree))
    }

    /// Applies a patch to the first document.
    ///
    /// # Errors
    /// Each op that fails, with its place.
    ///
    /// ```
    /// use interpolate::{Document, Patch};
    ///
    /// let mut document = Document::parse("jobs:\n- name: web # public\n  n: 1\n")?;
    /// let ops = "- {type: replace, path: /jobs/name=web/n, value: 2}\n";
    /// document.apply(&Patch::parse("ops.yml", ops)?)?;
    /// assert_eq!(document.to_string(), "jobs:\n- name: web # public\n  n: 2\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn apply(&mut self, patch: &Patch) -> Result<()> {
        self.apply_within(patch, &self.first())
    }

    /// Returns what is likely wrong with a patch for the first document, and with the text
    /// of the document: each finding has the name of its [rule](Problem::rule). Findings
    /// that a comment `# interpolate: allow RULE` allows are left out.
    ///
    /// ```
    /// use interpolate::{Document, Patch};
    ///
    /// let document = Document::parse("n: 1\n")?;
    /// let ops = "- {type: replace, path: /n, value: 1}\n";
    /// let findings = document.check(&Patch::parse("ops.yml", ops)?);
    /// assert_eq!(findings[0].rule, Some("no-effect"));
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn check(&self, patch: &Patch) -> Vec<Problem> {
        let subject =
            check::Subject { tree: self.tree.clone(), reach: Reach::of(&self.tree, [0]) };
        let mut findings = check::text(&self.tree);
        findings.extend(check::ops(patch, &[subject]));
        let mut texts = texts(self.tree.arenas().chain(&patch.arenas));
        add_arguments(&mut texts, patch);
        check::allowed(findings, &texts)
            .into_iter()
            .flat_map(|finding| {
                let rule = Some(finding.rule.name());
                let found = problems(&[finding.diagnostic], &texts).into_iter();
                found.map(move |problem| Problem { rule, ..problem })
            })
            .collect()
    }

    /// Applies a patch to every document of the stream.
    ///
    /// # Errors
    /// As [`apply`](Document::apply).
    ///
    /// ```
    /// use interpolate::{Document, Patch};
    ///
    /// let mut stream = Document::parse("a: 1\n---\na: 2 # two\n")?;
    /// stream.apply_to_all(&Patch::default().replace("/a", 3)?)?;
    /// assert_eq!(stream.to_string(), "a: 3\n---\na: 3 # two\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn apply_to_all(&mut self, patch: &Patch) -> Result<()> {
        self.apply_within(patch, &self.all())
    }

    /// Applies a patch to the documents of the stream that a selector chooses: their
    /// `group`, `version`, `kind`, `name`, `namespace`, `labels` and `annotations`, as in
    /// kustomize, or a condition of JSONPath.
    ///
    /// # Errors
    /// As [`apply`](Document::apply), and the selector is malformed or chooses none.
    ///
    /// ```
    /// use interpolate::{Document, Patch};
    ///
    /// let mut stream = Document::parse("kind: A\nn: 1\n---\nkind: B\nn: 1\n")?;
    /// stream.apply_where(&Patch::new().replace("/n", 2)?, "kind=B")?;
    /// assert_eq!(stream.to_string(), "kind: A\nn: 1\n---\nkind: B\nn: 2\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn apply_where(&mut self, patch: &Patch, selector: &str) -> Result<()> {
        self.apply_within(patch, &self.selected(selector)?)
    }

    fn apply_within(&mut self, patch: &Patch, reach: &Reach) -> Result<()> {
        self.edit_with(patch, |tree| apply::apply_to(patch, tree, reach).map(drop))
    }

    /// Returns the reach of a patch for some documents.
    pub(super) fn reach(&self, documents: &Documents) -> Result<Reach> {
        match documents {
            Documents::First => Ok(self.first()),
            Documents::All => Ok(self.all()),
            Documents::Where(selector) => self.selected(selector),
        }
    }

    /// The reach of a patch for the first document.
    pub(super) fn first(&self) -> Reach {
        Reach::of(&self.tree, [0])
    }

    /// The reach of a patch for all documents.
    pub(super) fn all(&self) -> Reach {
        Reach::of(&self.tree, self.tree.filled_documents())
    }

    /// Returns the reach of a patch for the documents that a selector chooses.
    pub(super) fn selected(&self, selector: &str) -> Result<Reach> {
        let selector = DocumentSelector::parse(selector)
            .map_err(|why| Error::message(format!("selector '{selector}': {why}")))?;
        let roots: Vec<usize> = (0..self.tree.roots().len()).collect();
        let selected = selector.select(&self.tree, &roots, &mut QueryBudget::default());
        selected.map(Reach::only).map_err(|error| Error::about(error, &self.tree))
    }

    /// Replaces the `((names))` of the first document that have a value; others stay. As
    /// in bosh, a definition in the section `variables:` goes once it has its value.
    ///
    /// # Errors
    /// A value that does not fit its place.
    ///
    /// ```
    /// use interpolate::{Document, Variables};
    ///
    /// let mut variables = Variables::new();
    /// variables.set("azs", ["z1", "z2"])?;
    /// let mut document = Document::parse("web: {azs: ((azs)), tls: ((tls))}\n")?;
    /// document.fill(&variables)?;
    /// assert_eq!(document.to_string(), "web: {azs: [z1, z2], tls: ((tls))}\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn fill(&mut self, variables: &Variables) -> Result<()> {
        self.fill_in(&[0], variables)
    }

    /// Fills in some documents of the stream.
    pub(super) fn fill_in(
        &mut self,
        roots: &[usize],
        variables: &Variables,
    ) -> Result<()> {
        let pipeline = pipeline_of(variables, self.reader(), self.tree());
        self.edit(|tree| pipeline.fill(tree, roots, None, None).map(drop))
    }

    /// Runs an edit on a copy, which replaces the document if it succeeds.
    // The copy shares the texts and copies what edits opened.
    pub(super) fn edit(
        &mut self,
        edit: impl FnOnce(&mut Tree) -> std::result::Result<(), Diagnostics>,
    ) -> Result<()> {
        self.edit_with(Patch::NONE, edit)
    }

    /// Runs an edit on a copy; errors may point into the patch, too.
    pub(super) fn edit_with<T>(
        &mut self,
        patch: &Patch,
        edit: impl FnOnce(&mut Tree) -> std::result::Result<T, Diagnostics>,
    ) -> Result<T> {
        let mut tree = self.tree.clone();
        let done = edit(&mut tree).map_err(|errors| {
            let mut texts = texts(tree.arenas());
            add_arguments(&mut texts, patch);
            Error::new(errors, texts)
        })?;
        self.tree = tree;
        Ok(done)
    }
}

// Comparing and saving.
impl Document {
    /// Returns the patch that turns the first document into that of `new`. It is empty if
    /// both have the same value.
    ///
    /// # Errors
    /// `new` was edited and cannot be printed so that it reads back, or a document is too large
    /// with its `<<` written out.
    ///
    /// ```
    /// use interpolate::Document;
    ///
    /// let old = Document::parse("a: 1\nb: 2\n")?;
    /// let patch = old.diff(&Document::parse("a: 1\nb: 3\n")?)?;
    /// assert_eq!(patch.to_string(), "- type: replace\n  path: /b\n  value: 3\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn diff(&self, new: &Document) -> Result<Patch> {
        let limit = Expansion::default();
        for tree in [&self.tree, &new.tree] {
            limit.check_merged(tree).map_err(|error| Error::about(error, tree))?;
        }
        let read =
            yaml::Options { dialect: new.tree.dialect(), ..yaml::Options::default() };
        let mut texts = texts(self.tree.arenas().chain(new.tree.arenas()));
        let versions = [self.tree.clone(), new.tree.clone()];
        let [old, new] = match with_same_keys(&mut texts, versions, &read) {
            Ok(versions) => versions,
            Err(errors) => return Err(Error::new(errors, texts)),
        };
        diff::diff(&old, &new).map_err(|error| Error::about(error, &new))
    }

    /// Puts an edited copy back: changes this document as little as possible so that,
    /// with its directives expanded, it has the values of `edited`. Directives and
    /// comments are kept. Documents of a stream are paired by kind, name and namespace; those
    /// that `edited` lacks stay. Returns notes about what could not be kept.
    ///
    /// `edited` is compared with the expansion of directives alone: a value that
    /// [`fill`](Document::fill) or `evaluate_all` made counts as edited, and a note tells of
    /// one. [`put_with`](Document::put_with) keeps variables and templates. If it is a text that
    /// somebody edited, its comments are saved, too; one [made of a value](Document::from_value)
    /// has none, and those of this document stay.
    ///
    /// # Errors
    /// The document does not expand, a document is too large with its `<<` written out, or the
    /// edit cannot be written.
    ///
    /// ```
    /// use interpolate::Document;
    ///
    /// let text = "base: {a: 1}\nweb: {+/base: , b: 2}   # inherits\n";
    /// let mut document = Document::parse(text)?;
    /// document.put(&Document::parse("base: {a: 1}\nweb: {a: 5, b: 2}\n")?)?;
    /// let saved = "base: {a: 1}\nweb: {+/base: , a: 5, b: 2}   # inherits\n";
    /// assert_eq!(document.to_string(), saved);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn put(&mut self, edited: &Document) -> Result<Vec<Problem>> {
        self.put_with(edited, &Job::new())
    }

    /// Puts an edited copy of the result of a job back. As [`put`](Document::put) does with
    /// directives, it keeps `((names))`, templates and expressions, where these still give the
    /// values of `edited`.
    ///
    /// # Errors
    /// As for [`put`](Document::put); the document cannot be filled in or evaluated; or the job
    /// has a patch, or is for documents that a selector chooses.
    ///
    /// ```
    /// use interpolate::{Document, Job, Variables};
    ///
    /// let mut variables = Variables::new();
    /// variables.set("host", "db")?;
    /// let job = Job::new().variables(variables);
    /// let mut document = Document::parse("url: ((host)):80   # inside\nn: 1\n")?;
    /// document.put_with(&Document::parse("url: db:80\nn: 2\n")?, &job)?;
    /// assert_eq!(document.to_string(), "url: ((host)):80   # inside\nn: 2\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn put_with(&mut self, edited: &Document, job: &Job) -> Result<Vec<Problem>> {
        if !job.patch.is_empty() || matches!(job.documents, Documents::Where(_)) {
            let wrong = "a job with a patch or a selector has no way back";
            return Err(Error::message(wrong));
        }
        let trees = yaml::clean(&self.tree)
            .and_then(|source| Ok((source, yaml::clean(&edited.tree)?)));
        let limit = Expansion::default();
        let trees = trees.and_then(|(source, edited)| {
            limit.check_merged(&source)?;
            limit.check_merged(&edited)?;
            Ok((source, edited))
        });
        let (source, edited) = trees.map_err(|error| Error::about(error, &self.tree))?;
        let values = job.variables.bindings();
        let arenas = source.arenas().chain(edited.arenas()).chain(values.arenas());
        let mut texts = texts(arenas);
        let pipeline = job.pipeline(&self.reader, &source);
        let mut lens = Lens { pipeline: &pipeline, store: None, accepts_code: false };
        // A text without a name was made of a value, which has no comments to compare.
        let is_data = edited.base().source().name.is_empty();
        let comments = if is_data { Comments::Source } else { Comments::Auto };
        let saved = lens.put(&mut texts, &source, &edited, comments, false);
        let mut saved = match saved {
            Ok(saved) => saved,
            Err(errors) => return Err(Error::new(errors, texts)),
        };
        // Their hints are about the options of the program.
        saved.notes.iter_mut().for_each(|note| note.hints.clear());
        let name = source.base().source().name.clone();
        self.tree = self.reader.tree(&name, saved.text)?;
        Ok(problems(&saved.notes, &texts))
    }
}

/// Makes the nodes of a value. Its texts take the quotes of those that they replace.
fn made(
    tree: &mut Tree,
    value: impl Serialize,
) -> std::result::Result<NodeId, Box<Diagnostic>> {
    let first = tree.opened_count() as u32;
    let node = convert::serialize(tree, &value)?;
    let end = tree.opened_count() as u32;
    tree.hints_mut().restyle_opened(first..end);
    Ok(node)
}

impl FromStr for Document {
    type Err = Error;

    fn from_str(text: &str) -> Result<Document> {
        Document::parse(text)
    }
}

/// Prints the name of the text: values may be secrets.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("name", &self.tree.base().source().name)
            .finish_non_exhaustive()
    }
}

/// Prints the text with its edits.
impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        yaml::print(&self.tree).fmt(f)
    }
}
