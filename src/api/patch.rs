//! Patches: read from a text, taken from the directives of a document, or built in code.

use std::fmt;

use serde_core::Serialize;

use super::document::Document;
use super::error::{Error, Result, texts};
use super::path;
use super::reader::Reader;
use crate::compile;
use crate::convert;
use crate::language;
use crate::node::{NodeId, Tree};
use crate::patch::{Combination, Content, Edit, Expect, Op, Patch};
use crate::pointer::JsonPointer;
use crate::target::Target;
use crate::yaml;

/// ```
/// use interpolate::{Document, Patch};
///
/// let patch = Patch::new()
///     .test("/instances", 1)?
///     .replace("/instances", 3)?
///     .replace("/env?/proxy", "http://proxy.example")?
///     .remove("/debug?")?;
/// let mut document = Document::parse("instances: 1   # of web\n")?;
/// document.apply(&patch)?;
/// let expected = "instances: 3   # of web\nenv:\n  proxy: http://proxy.example\n";
/// assert_eq!(document.to_string(), expected);
/// # Ok::<(), interpolate::Error>(())
/// ```
impl Patch {
    /// Reads a patch: an ops-file, a JSON Patch or an OpenAPI Overlay. `name` is its name in
    /// messages.
    ///
    /// # Errors
    /// A syntax error, or each op that cannot be built, with its place.
    ///
    /// ```
    /// let ops = "- {type: replace, path: /azs/-, value: z3}\n";
    /// let patch = interpolate::Patch::parse("ops.yml", ops)?;
    /// assert_eq!(patch.len(), 1);
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Patch> {
        Reader::new().patch(name, text)
    }

    /// Returns the merge directives of the first document as a patch for it. Files that
    /// they include are read from the [world](Reader::world) of the document.
    ///
    /// # Errors
    /// Each directive that is malformed or leads nowhere, each cycle, and each file that
    /// cannot be read.
    ///
    /// ```
    /// use interpolate::{Document, Patch};
    ///
    /// let mut document = Document::parse("base: {a: 1}\nweb: {+/base: , b: 2}\n")?;
    /// document.apply(&Patch::directives(&document)?)?;
    /// assert_eq!(document.to_string(), "base: {a: 1}\nweb: {b: 2, a: 1}\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn directives(document: &Document) -> Result<Patch> {
        Patch::directives_of(document, 0)
    }

    /// Returns the merge directives of a document of the stream, from 0.
    pub(super) fn directives_of(document: &Document, root: usize) -> Result<Patch> {
        let (tree, reader) = (document.tree(), document.reader());
        let tree = yaml::clean(tree).map_err(|error| Error::about(error, tree))?;
        let mut texts = texts(tree.arenas());
        let (world, rules) = (reader.outside(), reader.rules(&tree));
        compile::directives(&tree, root, &mut texts, &**world, &rules)
            .map_err(|errors| Error::new(errors, texts))
    }

    /// Returns a patch without ops.
    pub fn new() -> Patch {
        Patch::default()
    }

    /// Number of ops.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Returns true if there is no op.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Adds an op that sets, inserts or appends a value; see [`Document::set`].
    ///
    /// # Errors
    /// The path is malformed, or YAML cannot hold the value.
    pub fn replace(self, path: &str, value: impl Serialize) -> Result<Patch> {
        self.valued(path::place(path)?, value, |_, node| Edit::Replace(node))
    }

    /// Adds an op that appends an item to a list; see [`Document::append`].
    ///
    /// # Errors
    /// The path is malformed, or YAML cannot hold the value.
    pub fn append(self, path: &str, value: impl Serialize) -> Result<Patch> {
        let at = path::end_of(path)?;
        self.valued(at, value, |_, node| Edit::Add(Content::Written(node)))
    }

    /// Adds an op that removes a node; see [`Document::remove`].
    ///
    /// # Errors
    /// The path is malformed.
    pub fn remove(self, path: &str) -> Result<Patch> {
        self.with(path, Edit::Remove)
    }

    /// Adds an op that fails unless a node has a value.
    ///
    /// # Errors
    /// The path is malformed, or YAML cannot hold the value.
    pub fn test(self, path: &str, value: impl Serialize) -> Result<Patch> {
        self.valued(path::target(path)?, value, |tree, node| {
            let is_null = tree.is_null(node);
            Edit::Test(if is_null { Expect::Null } else { Expect::Equal(node) })
        })
    }

    /// Adds an op that fails if there is a node.
    ///
    /// # Errors
    /// The path is malformed.
    ///
    /// ```
    /// let patch = interpolate::Patch::new().test_absent("/debug")?;
    /// assert_eq!(patch.to_string(), "- type: test\n  path: /debug\n  absent: true\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn test_absent(self, path: &str) -> Result<Patch> {
        self.with(path, Edit::Test(Expect::Absent))
    }

    /// Adds an op `add` of JSON Patch: it sets an entry of a mapping, or inserts an item of a
    /// list before that with an index, at the end for `-`.
    ///
    /// # Errors
    /// YAML cannot hold the value.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer, Patch};
    ///
    /// let mut document = Document::parse("a=b: [2]   # both\n")?;
    /// let list = JsonPointer::of(["a=b"]);
    /// let patch = Patch::new().add_at(list.child("0"), 1)?.replace_at(list.child("1"), 3)?;
    /// document.apply(&patch.remove_at(list.child("0")))?;
    /// assert_eq!(document.to_string(), "a=b: [3]   # both\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn add_at(self, at: JsonPointer, value: impl Serialize) -> Result<Patch> {
        self.valued(Target::Json(at), value, |_, node| Edit::Add(Content::Written(node)))
    }

    /// Adds an op `replace` of JSON Patch: what it replaces must exist.
    ///
    /// # Errors
    /// YAML cannot hold the value.
    pub fn replace_at(self, at: JsonPointer, value: impl Serialize) -> Result<Patch> {
        self.valued(Target::Json(at), value, |_, node| Edit::Replace(node))
    }

    /// Adds an op `move` of JSON Patch: the comments go along.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer, Patch};
    ///
    /// let mut document = Document::parse("old: 1   # one\nb: 2\n")?;
    /// let [from, to] = ["old", "new"].map(|key| JsonPointer::of([key]));
    /// document.apply(&Patch::new().move_at(from, to))?;
    /// assert_eq!(document.to_string(), "new: 1   # one\nb: 2\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    #[must_use]
    pub fn move_at(mut self, from: JsonPointer, to: JsonPointer) -> Patch {
        let edit = Edit::Add(Content::Moved(Target::Json(from)));
        self.ops.push(Op::new(Target::Json(to), edit, None));
        self
    }

    /// Adds an op by which a mapping takes in the entries of another one. The keys of new
    /// entries keep their types.
    ///
    /// # Errors
    /// YAML cannot hold the value.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer, Patch};
    /// use std::collections::BTreeMap;
    ///
    /// let mut document = Document::parse("ports: {80: http}\n")?;
    /// let new = BTreeMap::from([(443, "https")]);
    /// document.apply(&Patch::new().merge_at(JsonPointer::of(["ports"]), new)?)?;
    /// assert_eq!(document.to_string(), "ports: {80: http, 443: https}\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn merge_at(self, at: JsonPointer, value: impl Serialize) -> Result<Patch> {
        self.valued(Target::Json(at), value, |_, node| {
            Edit::Combine(Content::Written(node), Combination::MERGE)
        })
    }

    /// Adds an op `remove` of JSON Patch: what it removes must exist.
    #[must_use]
    pub fn remove_at(mut self, at: JsonPointer) -> Patch {
        self.ops.push(Op::new(Target::Json(at), Edit::Remove, None));
        self
    }

    fn with(mut self, path: &str, edit: Edit) -> Result<Patch> {
        self.ops.push(Op::new(path::target(path)?, edit, None));
        Ok(self)
    }

    fn valued(
        mut self,
        at: Target,
        value: impl Serialize,
        edit: fn(&Tree, NodeId) -> Edit,
    ) -> Result<Patch> {
        let tree = convert::tree_of(&value).map_err(Error::about_value)?;
        let edit = edit(&tree, tree.root());
        let puts = edit.written_value().is_some();
        let makes_key = puts && matches!(at, Target::Query(_));
        let op = Op { makes_key, ..Op::new(at, edit, None) };
        // The first one is that of the tree, which is empty.
        let arenas = tree.arenas().skip(1).cloned().collect();
        let opened = tree.into_opened();
        self.extend(Patch { ops: vec![op], arenas, opened, ..Patch::default() });
        Ok(self)
    }
}

/// Prints a text that is read as this patch: an ops-file, or a JSON Patch, an Overlay or a
/// Merge Patch if the ops come from one. An op that does not fit in with the others, such as
/// one of a JSON Patch between ops of bosh, and merges of directives are comments there.
impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&language::print_patch(self))
    }
}
