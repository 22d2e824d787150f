//! Normalized paths (RFC 9535, section 2.7): the one spelling of the way to a node, such as
//! `$['jobs'][0]['name']`.

use std::fmt::Write;

use hashbrown::HashMap;

use crate::diagnostic::{Diagnostic, Result};
use crate::node::{NodeId, Path, Step, Tree};
use crate::scalar::Scalar;

/// The normalized paths of nodes of a document.
pub struct NormalizedPaths<'t> {
    tree: &'t Tree,
    root: NodeId,
    /// The mappings on the way to the last node, by depth.
    // Most nodes follow one that is near to them.
    levels: Vec<Option<PathLevel>>,
}

/// The members of a mapping.
struct PathLevel {
    mapping: NodeId,
    /// The value of each key.
    values: HashMap<NodeId, NodeId>,
    /// The key to which each name leads.
    keys: HashMap<String, NodeId>,
}

impl<'t> NormalizedPaths<'t> {
    /// Creates the paths of the document whose root is `root`.
    pub fn new(tree: &'t Tree, root: NodeId) -> NormalizedPaths<'t> {
        NormalizedPaths { tree, root, levels: Vec::new() }
    }

    /// Returns the path of a node, to which `steps` lead from the root.
    ///
    /// # Errors
    /// A key on the way is a collection, or another key has the same name, as 1 and "1" have:
    /// no path leads there.
    pub fn path(&mut self, steps: &Path) -> Result<String> {
        let mut path = String::from("$");
        let has_other_key = steps
            .iter()
            .any(|step| matches!(step, Step::Key(key) if !is_text(self.tree, *key)));
        let mut node = self.root;
        for (depth, &step) in steps.iter().enumerate() {
            match step {
                Step::Index(index) => {
                    write!(path, "[{index}]").ok();
                }
                Step::Key(key) => {
                    let Some(name) = self.tree.member_name(key) else {
                        let why = "a key that is a collection has no name in a path";
                        return Err(self.refused(key, why));
                    };
                    path += &normalized_name(&name);
                }
            }
            if has_other_key {
                node = self.enter(depth, node, step)?;
            }
        }
        Ok(path)
    }

    /// Follows a step, and makes sure that the name of its key leads there.
    fn enter(&mut self, depth: usize, node: NodeId, step: Step) -> Result<NodeId> {
        let key = match step {
            Step::Index(index) => {
                let (item, _) = self.tree.item_at(node, i64::from(index));
                return Ok(item.map_or(node, |(_, item)| item));
            }
            Step::Key(key) => key,
        };
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, || None);
        }
        let known = self.levels[depth].take().filter(|level| level.mapping == node);
        let level = known.unwrap_or_else(|| PathLevel::new(self.tree, node));
        let name = self.tree.member_name(key).unwrap_or_default();
        let leads_there = level.keys.get(&*name) == Some(&key);
        let value = level.values.get(&key).copied().unwrap_or(node);
        self.levels[depth] = Some(level);
        if leads_there {
            return Ok(value);
        }
        Err(self.refused(key, "no path leads here: another key has the same name"))
    }

    fn refused(&self, key: NodeId, why: &str) -> Box<Diagnostic> {
        let error = Diagnostic::error(why);
        let place = self.tree.span(key).map(|span| self.tree.first_line(span));
        error.label(place, "this key")
    }
}

impl PathLevel {
    fn new(tree: &Tree, mapping: NodeId) -> PathLevel {
        let mut values = HashMap::new();
        let mut keys = HashMap::new();
        // A name leads to the text, or else to the last key with this name.
        let (texts, others): (Vec<_>, Vec<_>) =
            tree.pairs(mapping).into_iter().partition(|&(key, _)| is_text(tree, key));
        for (key, value) in others.into_iter().chain(texts) {
            values.insert(key, value);
            if let Some(name) = tree.member_name(key) {
                keys.insert(name.into_owned(), key);
            }
        }
        PathLevel { mapping, values, keys }
    }
}

fn is_text(tree: &Tree, key: NodeId) -> bool {
    matches!(tree.scalar_as_written(key), Scalar::String(_))
}

/// Returns the step to the member with a name: `['a']`.
pub(crate) fn normalized_name(name: &str) -> String {
    format!("[{}]", quoted(name))
}

/// Spells a string of a query.
pub(super) fn quoted(text: &str) -> String {
    let text: String = text.chars().map(escaped).collect();
    format!("'{text}'")
}

fn escaped(c: char) -> String {
    match c {
        '\u{8}' => "\\b".into(),
        '\t' => "\\t".into(),
        '\n' => "\\n".into(),
        '\u{c}' => "\\f".into(),
        '\r' => "\\r".into(),
        '\'' => "\\'".into(),
        '\\' => "\\\\".into(),
        '\0'..='\x1f' => format!("\\u{:04x}", u32::from(c)),
        _ => c.into(),
    }
}
