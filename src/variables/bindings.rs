//! The variables given on the command line, in files and in the environment: names and
//! values come in, in the order of their strength, one flat map goes out.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::arena::Arena;
use crate::compile::static_misfit;
use crate::diagnostic::Result;
use crate::node::{Document, Kind, Node};
use crate::source::Text;

/// Variables with their values, later ones overriding earlier ones of the same name.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    entries: Vec<(String, BoundValue)>,
    arenas: Vec<Arc<Arena>>,
}

#[derive(Clone, Debug)]
enum BoundValue {
    Text(Text),
    Node(Node),
}

impl Bindings {
    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The parts of the dotted name with the most of them: so deep a value is.
    pub fn depth(&self) -> usize {
        let parts = |(name, _): &(String, BoundValue)| 1 + name.matches('.').count();
        self.entries.iter().map(parts).max().unwrap_or_default()
    }

    /// Adds a string.
    pub fn add_text(&mut self, name: impl Into<String>, text: impl Into<Text>) {
        self.entries.push((name.into(), BoundValue::Text(text.into())));
    }

    /// Adds what the first document of a text means, read with the same
    /// [`Sources`](crate::source::Sources) as what is filled in.
    pub fn add_document(&mut self, name: impl Into<String>, document: &Document) {
        self.entries.push((name.into(), BoundValue::Node(document.root())));
        self.arenas.push(document.shared_base().clone());
    }

    /// Adds every entry of a vars file, read with the same
    /// [`Sources`](crate::source::Sources) as what is filled in.
    ///
    /// # Errors
    /// It holds something else than a mapping with scalar keys.
    pub fn add_entries(&mut self, file: &Document) -> Result<()> {
        if let Some(misfit) = static_misfit(file, file.root()) {
            return Err(misfit);
        }
        for (key, value) in file.pairs(file.root()) {
            self.entries.push((file.text_of(key).into_owned(), BoundValue::Node(value)));
        }
        self.arenas.push(file.shared_base().clone());
        Ok(())
    }

    /// The values as nodes of `document`. A name with dots makes a mapping; where a name
    /// and a longer one that goes through it are both given, the shorter one counts.
    ///
    /// # Errors
    /// They were read with other [`Sources`](crate::source::Sources) than the document.
    pub(crate) fn nodes(
        &self,
        document: &mut Document,
    ) -> Result<BTreeMap<String, Node>> {
        for arena in &self.arenas {
            document.try_add_arena(arena)?;
        }
        let last: BTreeMap<&str, &BoundValue> =
            self.entries.iter().map(|(name, value)| (&**name, value)).collect();
        let (dotted, plain): (Vec<_>, Vec<_>) =
            last.into_iter().partition(|(name, _)| name.contains('.'));
        let mut nodes: BTreeMap<String, Node> = plain
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.node(document)))
            .collect();
        let made = document.new_mapping(&[], None);
        for (name, value) in dotted {
            let node = value.node(document);
            document.nest(made, name, node);
        }
        for (key, value) in document.pairs(made) {
            nodes.entry(document.text_of(key).into_owned()).or_insert(value);
        }
        Ok(nodes)
    }
}

impl BoundValue {
    fn node(&self, document: &mut Document) -> Node {
        match self {
            BoundValue::Text(text) => document.new_secret(text),
            BoundValue::Node(node) => *node,
        }
    }
}

impl Document {
    /// Puts `node` at a dotted name below a mapping made here, unless a shorter name has
    /// a value there already. (In the order of the names, `a.b` comes before `a.b.c`.)
    fn nest(&mut self, mapping: Node, name: &str, node: Node) {
        let mut at = mapping;
        let mut rest = name;
        while let Node::Opened(id) = at
            && self.kind(at) == Kind::Mapping
        {
            let (key, below) = match rest.split_once('.') {
                Some((key, below)) => (key, Some(below)),
                None => (rest, None),
            };
            at = match (self.find_key(id, key), below) {
                (Some(slot), Some(_)) => self.children(id).get(slot).value,
                (Some(_), None) => return,
                (None, _) => {
                    let new =
                        if below.is_some() { self.new_mapping(&[], None) } else { node };
                    self.insert_entry(id, key, new, None);
                    new
                }
            };
            let Some(below) = below else { return };
            rest = below;
        }
    }
}
