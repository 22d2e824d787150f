//! Queries that select nothing: a query and a document come in; the deepest place that the
//! query reaches goes out, with what is missing there.

use super::budget::QueryBudget;
use super::query::Query;
use super::selection::{NoTrail, Selection};
use super::syntax::{Condition, Nested, Operand, Segment, Selector};
use crate::compare::NAME_KEYS;
use crate::diagnostic::{near, near_hint};
use crate::node::{Kind, NodeId, Step, Tree};
use crate::scalar::Scalar;

/// Maximum number of steps: the explanation of a query takes less time than the query.
const MAX_STEPS: u64 = 1_000_000;

/// Maximum number of nodes whose names or values are compared with those of the query.
// As many names are compared to find a similar one.
const MAX_COMPARED: usize = 1_000;

/// Other languages have these names in place of `length()`.
const LENGTHS: [&str; 3] = ["length", "size", "count"];

/// The deepest place that a query reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadEnd {
    /// A node there.
    pub node: NodeId,
    /// The message about what it lacks: "this has no 'imgae'".
    pub lacks: String,
    /// The query that was likely meant.
    pub hint: Option<String>,
    /// The query of the mappings that lack the key that the query ends with, and the key.
    pub new_key: Option<(String, String)>,
}

impl DeadEnd {
    /// Returns the place at which a query that selects nothing leads no further.
    pub fn of(tree: &Tree, root: NodeId, query: &Query) -> Option<DeadEnd> {
        let mut budget = QueryBudget::of_steps(MAX_STEPS);
        let mut selection = Selection::new(tree, root, &mut budget);
        let mut found = vec![root];
        for (number, segment) in query.segments.iter().enumerate() {
            let mut next = Vec::new();
            for &at in &found {
                selection.advance(segment, &mut NoTrail, at, &mut next).ok()?;
            }
            if next.is_empty() {
                found.truncate(MAX_COMPARED);
                let is_last = number + 1 == query.segments.len();
                let mut search = HintSearch { tree, query, segment, found, selection };
                return Some(search.dead_end(is_last));
            }
            found = next;
        }
        None
    }
}

/// The search for what a segment misses.
struct HintSearch<'a, 'b> {
    tree: &'a Tree,
    query: &'a Query,
    segment: &'a Segment,
    /// The nodes that the segments before it select.
    found: Vec<NodeId>,
    selection: Selection<'a, 'b>,
}

impl HintSearch<'_, '_> {
    fn dead_end(&mut self, is_last: bool) -> DeadEnd {
        let selector = self.segment.selectors.first();
        let mapping = self.first(Kind::Mapping);
        let (node, lacks, hint) = match selector {
            Some(Selector::Name(name)) => self.name(name, mapping),
            Some(Selector::Index(index)) => self.index(*index),
            Some(Selector::Filter(condition)) => (
                self.found[0],
                "nothing in this fulfils the condition".into(),
                self.filter(condition),
            ),
            Some(Selector::Wildcard | Selector::Slice(_)) | None => {
                (self.found[0], "this has nothing to select".into(), None)
            }
        };
        let new_key = match &self.segment.selectors[..] {
            [Selector::Name(name)]
                if is_last && mapping.is_some() && !self.segment.descends =>
            {
                Some((self.before().to_owned(), name.clone()))
            }
            _ => None,
        };
        DeadEnd { node, lacks, hint, new_key }
    }

    /// The query without this segment and those behind it.
    fn before(&self) -> &str {
        self.query.text()[..self.segment.start].trim_end()
    }

    /// Returns the query with something before this segment.
    fn with(&self, inserted: &str) -> String {
        let (before, after) = self.query.text().split_at(self.segment.start);
        format!("{}{inserted}{}", before.trim_end(), after.trim_start())
    }

    fn first(&self, kind: Kind) -> Option<NodeId> {
        self.found.iter().copied().find(|&node| self.tree.kind(node) == kind)
    }

    fn name(
        &mut self,
        name: &str,
        mapping: Option<NodeId>,
    ) -> (NodeId, String, Option<String>) {
        let list = self.first(Kind::Sequence);
        if let Some(node) = mapping.filter(|_| !self.segment.descends) {
            let hint = near_member(self.tree, &self.found, name);
            let hint = hint.or_else(|| self.list(list?, name));
            return (node, format!("this has no '{name}'"), hint);
        }
        if self.segment.descends {
            let hint = near_member(self.tree, &self.descendants(), name);
            return (self.found[0], format!("nothing in this has '{name}'"), hint);
        }
        if let Some(node) = list {
            return (node, "this is a list".into(), self.list(node, name));
        }
        let node = self.found[0];
        let kind = if self.tree.is_null(node) { "null" } else { "a single value" };
        (node, format!("this is {kind}"), None)
    }

    /// Returns the hint at a name that a list does not have.
    fn list(&self, list: NodeId, name: &str) -> Option<String> {
        let items = self.tree.items(list);
        let items = &items[..items.len().min(MAX_COMPARED)];
        if LENGTHS.contains(&name) {
            return Some(
                "length() stands in a condition only: [?length(@.a) > 1]".into(),
            );
        }
        if name.parse::<u32>().is_ok() {
            return Some(format!("an index has no quotes: '{}[{name}]'", self.before()));
        }
        if items.iter().any(|&item| self.tree.member(item, name).is_some()) {
            return Some(format!("did you mean '{}'?", self.with("[*]")));
        }
        items.iter().find(|item| {
            let own = self.tree.get(**item, NAME_KEYS[0]);
            own.is_some_and(|own| !self.tree.is_secret(own) && self.is_text(own, name))
        })?;
        let before = self.before();
        Some(format!(
            "did you mean '{before}[?@.name == {}]'?",
            super::normalized_paths::quoted(name)
        ))
    }

    fn is_text(&self, node: NodeId, text: &str) -> bool {
        self.tree.string(node).is_some_and(|found| found == text)
    }

    fn index(&self, index: i64) -> (NodeId, String, Option<String>) {
        match self.first(Kind::Sequence) {
            Some(list) => {
                let count = self.tree.items(list).len();
                let items = if count == 1 { "item" } else { "items" };
                (list, format!("this has {count} {items}"), None)
            }
            None => {
                let node = self.found[0];
                let is_mapping = self.tree.kind(node) == Kind::Mapping;
                let key = index.to_string();
                let is_key = is_mapping && self.tree.member(node, &key).is_some();
                let hint = is_key.then(|| format!("a key has quotes: ['{key}']"));
                let kind = if is_mapping { "a mapping" } else { "a single value" };
                (node, format!("this is {kind}"), hint)
            }
        }
    }

    /// Returns the nodes in those that were found, and these.
    fn descendants(&self) -> Vec<NodeId> {
        let mut nodes = self.found.clone();
        let mut children = Vec::new();
        let mut next = 0;
        while let Some(&node) = nodes.get(next)
            && nodes.len() < MAX_COMPARED
        {
            children.clear();
            self.tree.children_of(node, &mut children);
            nodes.extend(children.iter().map(|&(_, child)| child));
            next += 1;
        }
        nodes
    }

    /// Returns a hint at why no child fulfils a condition.
    fn filter(&mut self, condition: &Condition) -> Option<String> {
        let mut children = Vec::new();
        for &node in &self.found {
            if children.len() < MAX_COMPARED {
                self.tree.children_of(node, &mut children);
            }
        }
        let children = children.into_iter().take(MAX_COMPARED);
        let children: Vec<NodeId> = children.map(|(_, child)| child).collect();
        let mut todo = vec![condition];
        while let Some(condition) = todo.pop() {
            let hint = match condition {
                Condition::Any(parts) | Condition::All(parts) => {
                    todo.extend(parts.iter().rev());
                    None
                }
                Condition::Exists(nested) => self.missing(nested, &children),
                Condition::Compare(left, _, right) => {
                    self.compared(left, right, &children)
                }
                Condition::Regexp { text, .. } => match text {
                    Operand::Singular(nested) => self.missing(nested, &children),
                    _ => None,
                },
                Condition::Not(_) => None,
            };
            if hint.is_some() {
                return hint;
            }
        }
        None
    }

    fn compared(
        &mut self,
        left: &Operand,
        right: &Operand,
        children: &[NodeId],
    ) -> Option<String> {
        let (nested, literal) = match (left, right) {
            (Operand::Singular(nested), Operand::Literal(literal))
            | (Operand::Literal(literal), Operand::Singular(nested)) => (nested, literal),
            (Operand::Singular(nested), _) | (_, Operand::Singular(nested)) => {
                return self.missing(nested, children);
            }
            _ => return None,
        };
        let values = self.values(nested, children)?;
        if values.is_empty() {
            return self.missing(nested, children);
        }
        let shown = values.iter().filter(|&&value| !self.tree.is_secret(value));
        let shown = shown.filter(|&&value| self.tree.kind(value) == Kind::Scalar);
        let shown: Vec<NodeId> = shown.copied().collect();
        let text = |&value: &NodeId| self.tree.text_of(value).into_owned();
        let is_string = |&value: &NodeId| self.tree.string(value).is_some();
        match literal {
            Scalar::String(wanted) => {
                let same = shown.iter().find(|value| text(value) == **wanted);
                if same.is_some_and(|value| !is_string(value)) {
                    return Some(format!(
                        "no text is here: write {wanted} without quotes"
                    ));
                }
                let texts: Vec<String> =
                    shown.iter().filter(|v| is_string(v)).map(text).collect();
                let near = near(texts.iter().map(String::as_str), wanted);
                near.filter(|near| near != wanted)
                    .map(|near| format!("did you mean '{near}'?"))
            }
            Scalar::Int(number) => {
                let wanted = number.to_string();
                let same = shown.iter().find(|value| text(value) == wanted);
                let is_text = same.is_some_and(is_string);
                is_text.then(|| format!("a text is here: write '{wanted}' in quotes"))
            }
            _ => None,
        }
    }

    /// Returns the nodes that a query in a condition selects for the children.
    fn values(&mut self, nested: &Nested, children: &[NodeId]) -> Option<Vec<NodeId>> {
        let mut values = Vec::new();
        for &child in children {
            values.extend(self.selection.nodes(nested, child).ok()?);
        }
        Some(values)
    }

    /// Returns a hint at the member that a query in a condition names last, if no child has
    /// it.
    fn missing(&mut self, nested: &Nested, children: &[NodeId]) -> Option<String> {
        let ([around @ .., last], [.., _]) = (&nested.segments[..], children) else {
            return None;
        };
        let [Selector::Name(name)] = &last.selectors[..] else { return None };
        if nested.is_absolute || !self.values(nested, children)?.is_empty() {
            return None;
        }
        let around = Nested { is_absolute: false, segments: around.to_vec() };
        let nodes = self.values(&around, children)?;
        if let Some(hint) = near_member(self.tree, &nodes, name) {
            return Some(hint);
        }
        let is_length = LENGTHS.contains(&&**name)
            && nodes.iter().any(|&node| {
                self.tree.kind(node) != Kind::Mapping && !self.tree.is_null(node)
            });
        is_length.then(|| {
            let path = &self.query.text()[nested.segments[0].start..last.start];
            format!("a length is written length(@{})", path.trim_end())
        })
    }
}

/// Returns a hint at a name similar to `name` that one of the nodes has a member of.
fn near_member(tree: &Tree, nodes: &[NodeId], name: &str) -> Option<String> {
    let mut names = Vec::new();
    let mut children = Vec::new();
    for &node in nodes {
        if names.len() >= MAX_COMPARED || tree.kind(node) != Kind::Mapping {
            continue;
        }
        children.clear();
        tree.children_of(node, &mut children);
        let keys = children.iter().filter_map(|&(step, _)| match step {
            Step::Key(key) => Some(key).filter(|&key| !tree.is_hidden(key)),
            Step::Index(_) => None,
        });
        names.extend(keys.filter_map(|key| tree.member_name(key)).map(String::from));
        names.sort_unstable();
        names.dedup();
    }
    near_hint(names.iter().map(String::as_str), name)
}
