//! Classes of values: nodes of two documents that are equal get the same number.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Dialect, Identity, Scalar};

pub(crate) struct Classes<'a> {
    documents: [&'a Tree; 2],
    /// True if tags count that are none of YAML's own.
    tagged: bool,
    numbers: HashMap<(Option<Cow<'a, str>>, ValueShape<'a>), u32>,
    known: [HashMap<NodeId, u32>; 2],
    next: u32,
    /// Number of children that may still be looked at.
    // `<<` can make a document of exponential size. When nothing is left, no two values
    // count as equal, which is slow to print but right.
    children_left: usize,
}

/// A value whose parts are known by their class.
#[derive(PartialEq, Eq, Hash)]
enum ValueShape<'a> {
    Scalar(Meaning<'a>),
    Sequence(Vec<u32>),
    /// Sorted by class: the order of keys does not count.
    Mapping(Vec<(u32, u32)>),
}

/// The identity of a scalar, and true for a negative zero.
type Meaning<'a> = (Identity<'a>, bool);

/// Returns the meaning of scalar `node`. bosh prints `1.0` as `1`: there both are equal.
pub(super) fn meaning(document: &Tree, node: NodeId) -> Meaning<'_> {
    let go = document.base().dialect() == Dialect::Go;
    match document.scalar(node) {
        // From 1e6 on Go prints an exponent, which reads back as a float.
        Scalar::Float(x) if go && x.abs() < 1e6 && x.fract() == 0.0 => {
            (Identity::Int(x as i128), false)
        }
        Scalar::Float(x) if x == 0.0 => (Identity::Float(0), x.is_sign_negative()),
        scalar => (scalar.identity(), false),
    }
}

impl<'a> Classes<'a> {
    /// Prepares a comparison that looks at no more than `children_left` children.
    pub(crate) fn new(documents: [&'a Tree; 2], children_left: usize) -> Classes<'a> {
        let known = [HashMap::new(), HashMap::new()];
        let numbers = HashMap::new();
        Classes { documents, tagged: false, numbers, known, next: 0, children_left }
    }

    /// Has values with different tags differ, such as `!Ref a` and `!Sub a`.
    pub(crate) fn with_tags(self) -> Classes<'a> {
        Classes { tagged: true, ..self }
    }

    pub(crate) fn equal(&mut self, old: NodeId, new: NodeId) -> bool {
        self.of_old(old) == self.of_new(new)
    }

    pub(crate) fn of_old(&mut self, node: NodeId) -> u32 {
        self.number(0, node)
    }

    pub(crate) fn of_new(&mut self, node: NodeId) -> u32 {
        self.number(1, node)
    }

    fn number(&mut self, side: usize, node: NodeId) -> u32 {
        let node = self.documents[side].follow(node);
        let mut todo = vec![node];
        while let Some(&node) = todo.last() {
            if self.known[side].contains_key(&node) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            if let Some(shape) = self.shape(side, node, &mut todo) {
                let tag = self.tagged.then(|| self.documents[side].own_tag(node));
                let number = self.intern(tag.flatten(), shape);
                self.known[side].insert(node, number);
                todo.truncate(before - 1);
            }
        }
        self.known[side].get(&node).copied().unwrap_or(u32::MAX)
    }

    /// Returns the shape of `node`; `None` if children in `todo` need their class first.
    fn shape(
        &mut self,
        side: usize,
        node: NodeId,
        todo: &mut Vec<NodeId>,
    ) -> Option<ValueShape<'a>> {
        let (document, known) = (self.documents[side], &self.known[side]);
        let mut part = |node: NodeId| {
            let node = document.follow(node);
            let number = known.get(&node).copied();
            if number.is_none() {
                todo.push(node);
            }
            number
        };
        match document.kind(node) {
            Kind::Scalar => Some(ValueShape::Scalar(meaning(document, node))),
            Kind::Sequence => {
                let items = document.items(node);
                self.children_left = self.children_left.saturating_sub(items.len());
                let parts: Vec<_> = items.into_iter().map(&mut part).collect();
                parts.into_iter().collect::<Option<_>>().map(ValueShape::Sequence)
            }
            Kind::Mapping => {
                let pairs = document.pairs(node);
                self.children_left = self.children_left.saturating_sub(pairs.len());
                let pair = |(key, value)| (part(key), part(value));
                let parts: Vec<_> = pairs.into_iter().map(pair).collect();
                let parts = parts.into_iter().map(|(key, value)| Some((key?, value?)));
                let mut parts: Vec<_> = parts.collect::<Option<_>>()?;
                parts.sort_unstable();
                Some(ValueShape::Mapping(parts))
            }
        }
    }

    fn intern(&mut self, tag: Option<Cow<'a, str>>, shape: ValueShape<'a>) -> u32 {
        let next = self.next;
        let number = match self.children_left {
            0 => next,
            _ => *self.numbers.entry((tag, shape)).or_insert(next),
        };
        self.next += u32::from(number == next);
        number
    }
}
