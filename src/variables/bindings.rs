//! The values of variables that are given on the command line, in files and in the
//! environment, merged into one flat map.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::arena::Arena;
use crate::diagnostic::Result;
use crate::language::{check_static_variables, variable_name};
use crate::node::{Kind, NodeId, Tree};
use crate::source::{Span, Text};

/// Values by variable name. Later ones override earlier ones.
///
/// # Example
/// ```
/// let mut bindings = interpolate::unstable::variables::Bindings::default();
/// bindings.add_text("db.host", "db.example");
/// assert_eq!(bindings.depth(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    entries: Vec<(String, BoundValue)>,
    arenas: Vec<Arc<Arena>>,
    /// The values as templates see them, if these are read in another dialect.
    for_templates: Option<Box<Bindings>>,
}

#[derive(Clone, Debug)]
enum BoundValue {
    Text(Text),
    Node(NodeId),
}

impl Bindings {
    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the number of parts of the longest dotted name.
    pub fn depth(&self) -> usize {
        let names = self.entries.iter().map(|(name, _)| name);
        names.map(|name| 1 + name.matches('.').count()).max().unwrap_or_default()
    }

    /// Returns the names of values, each with the place of its value in a file.
    pub fn places(&self) -> impl Iterator<Item = (&str, Option<Span>)> {
        self.entries.iter().map(|(name, value)| {
            let BoundValue::Node(NodeId::Clean(file, i)) = *value else {
                return (&**name, None);
            };
            let arena = self.arenas.iter().find(|arena| arena.file() == file);
            (&**name, arena.map(|arena| arena.span(i)))
        })
    }

    /// Adds a string.
    pub fn add_text(&mut self, name: impl Into<String>, text: impl Into<Text>) {
        self.entries.push((name.into(), BoundValue::Text(text.into())));
    }

    /// Adds the value of the first document of a text.
    pub fn add_document(&mut self, name: impl Into<String>, document: &Tree) {
        self.entries.push((name.into(), BoundValue::Node(document.root())));
        self.arenas.push(document.shared_base().clone());
    }

    /// Adds every entry of a vars file.
    ///
    /// # Errors
    /// The file is not a mapping with scalar keys.
    pub fn add_entries(&mut self, file: &Tree) -> Result<()> {
        if let Some(misfit) = check_static_variables(file, file.root()) {
            return Err(misfit);
        }
        for (key, value) in file.pairs(file.root()) {
            self.entries.push((variable_name(file, key), BoundValue::Node(value)));
        }
        self.arenas.push(file.shared_base().clone());
        Ok(())
    }

    /// Sets the values that templates see.
    pub fn set_for_templates(&mut self, values: Bindings) {
        self.for_templates = Some(Box::new(values));
    }

    /// Returns the values that templates see.
    #[cfg(feature = "eval")]
    pub(crate) fn for_templates(&self) -> &Bindings {
        self.for_templates.as_deref().unwrap_or(self)
    }

    /// The texts of the values.
    pub(crate) fn arenas(&self) -> &[Arc<Arena>] {
        &self.arenas
    }

    /// Returns the values as nodes of `document`. A dotted name makes a mapping; a name
    /// overrides longer names that go through it. Fails if the numbers of texts are used
    /// up.
    pub(crate) fn nodes(&self, document: &mut Tree) -> Result<BTreeMap<String, NodeId>> {
        for arena in &self.arenas {
            document.try_add_arena(arena)?;
        }
        let last: BTreeMap<&str, &BoundValue> =
            self.entries.iter().map(|(name, value)| (&**name, value)).collect();
        let (dotted, plain): (Vec<_>, Vec<_>) =
            last.into_iter().partition(|(name, _)| name.contains('.'));
        let mut nodes: BTreeMap<String, NodeId> = plain
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.node(document)))
            .collect();
        let made = document.new_mapping(&[], None);
        for (name, value) in dotted {
            let node = value.node(document);
            nest(document, made, name, node);
        }
        for (key, value) in document.pairs(made) {
            nodes.entry(document.text_of(key).into_owned()).or_insert(value);
        }
        Ok(nodes)
    }
}

impl BoundValue {
    fn node(&self, document: &mut Tree) -> NodeId {
        match self {
            BoundValue::Text(text) => document.new_secret(text),
            BoundValue::Node(node) => *node,
        }
    }
}

/// Puts `node` at a dotted name below `mapping`, unless a shorter name has a value.
// The names come in order: `a.b` before `a.b.c`.
fn nest(document: &mut Tree, mapping: NodeId, name: &str, node: NodeId) {
    let mut at = mapping;
    let mut keys = name.split('.').peekable();
    while let (NodeId::Opened(id), Some(key)) = (at, keys.next())
        && document.kind(at) == Kind::Mapping
    {
        let is_last = keys.peek().is_none();
        at = match document.find_key(id, key) {
            Some(_) if is_last => return,
            Some(slot) => document.children(id).get(slot).value,
            None => {
                let new = if is_last { node } else { document.new_mapping(&[], None) };
                document.insert_entry(id, key, new, None);
                new
            }
        };
    }
}
