//! Nodes of both documents come in, numbers go out that are the same for those that mean
//! the same.

use std::collections::HashMap;

use crate::node::{Document, Kind, Node};
use crate::scalar::{Dialect, Identity, Scalar};

/// Every value met so far, numbered.
pub(super) struct Classes<'a> {
    documents: [&'a Document; 2],
    numbers: HashMap<ValueShape<'a>, u32>,
    known: [HashMap<Node, u32>; 2],
    next: u32,
    /// How many more children are looked at: `<<` may make them without number. Then no
    /// two values are known to be the same.
    children_left: usize,
}

/// A value whose parts are numbered.
#[derive(PartialEq, Eq, Hash)]
enum ValueShape<'a> {
    Scalar(Meaning<'a>),
    Sequence(Vec<u32>),
    /// In the order of the numbers.
    Mapping(Vec<(u32, u32)>),
}

/// What a scalar means, and whether it is a negative zero.
type Meaning<'a> = (Identity<'a>, bool);

/// The meaning of scalar `node`. bosh prints `1.0` as `1`, and so to it they are the same.
pub(super) fn meaning(document: &Document, node: Node) -> Meaning<'_> {
    let go = document.base().dialect() == Dialect::Go;
    match document.scalar(node) {
        Scalar::Float(x) if go && x.abs() < 1e6 && x.fract() == 0.0 => {
            (Identity::Int(x as i128), false)
        }
        Scalar::Float(x) if x == 0.0 => (Identity::Float(0), x.is_sign_negative()),
        scalar => (scalar.identity(), false),
    }
}

impl<'a> Classes<'a> {
    /// Compares nodes of an old and a new document, and looks at so many children.
    pub(super) fn new(documents: [&'a Document; 2], children_left: usize) -> Classes<'a> {
        let known = [HashMap::new(), HashMap::new()];
        Classes { documents, numbers: HashMap::new(), known, next: 0, children_left }
    }

    /// Whether they mean the same.
    pub(super) fn equal(&mut self, old: Node, new: Node) -> bool {
        self.of_old(old) == self.of_new(new)
    }

    /// The number of a node of the old document.
    pub(super) fn of_old(&mut self, node: Node) -> u32 {
        self.number(0, node)
    }

    /// The number of a node of the new document.
    pub(super) fn of_new(&mut self, node: Node) -> u32 {
        self.number(1, node)
    }

    fn number(&mut self, side: usize, node: Node) -> u32 {
        let document = self.documents[side];
        let node = document.follow(node);
        let mut todo = vec![node];
        while let Some(&node) = todo.last() {
            if self.known[side].contains_key(&node) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            if let Some(shape) = self.shape(side, node, &mut todo) {
                let number = self.intern(shape);
                self.known[side].insert(node, number);
                todo.truncate(before - 1);
            }
        }
        self.known[side].get(&node).copied().unwrap_or(u32::MAX)
    }

    /// The shape of `node`, unless children must be numbered before.
    fn shape(
        &mut self,
        side: usize,
        node: Node,
        todo: &mut Vec<Node>,
    ) -> Option<ValueShape<'a>> {
        let (document, known) = (self.documents[side], &self.known[side]);
        let mut part = |node: Node| {
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

    fn intern(&mut self, shape: ValueShape<'a>) -> u32 {
        let next = self.next;
        let number = match self.children_left {
            0 => next,
            _ => *self.numbers.entry(shape).or_insert(next),
        };
        self.next += u32::from(number == next);
        number
    }
}
