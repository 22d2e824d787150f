//! The parts of an inherited list, the pointers to inherited values, and the directives that
//! name them.

use hashbrown::HashMap;

use super::put_state::PutState;
use crate::arena::Index;
use crate::compare::ListPart;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Base, Source};
use crate::pointer::JsonPointer;
use crate::restore::written::ChildIndex;
use crate::scalar::Scalar;

/// An item of an inherited list as it is written: a value, or a directive whose items are
/// spliced in.
pub(super) struct InheritedPart {
    /// The item as it is written, if it is a directive.
    pub directive: Option<NodeId>,
    /// The pointer to the item; `None` if no directive can name it.
    pub pointer: Option<SourcePointer>,
    /// For a directive, the pointer to the list, if directives can name its items.
    inner: Option<SourcePointer>,
    pub part: ListPart,
}

impl InheritedPart {
    /// Returns the parts of a list at a pointer; `None` if the list is not written as a list.
    pub(super) fn all(
        put: &mut PutState<'_, '_>,
        list: NodeId,
        pointer: &SourcePointer,
    ) -> Option<Vec<InheritedPart>> {
        let i = written_list(put, list)?;
        let mut items = put.items(list).into_iter();
        let mut parts = Vec::new();
        for (at, child) in put.source.base().children(i).enumerate() {
            // A directive counts the items that are written, spliced in or not.
            let pointer = pointer.child(&at.to_string());
            let spliced = InheritedPart::spliced(put, child, &pointer);
            if let Some(spliced) = &spliced {
                items.by_ref().take(spliced.part.gives.len()).for_each(drop);
            }
            parts.push(match spliced {
                Some(spliced) => spliced,
                None => InheritedPart::lone(items.next()?, Some(pointer)),
            });
        }
        items.next().is_none().then_some(parts)
    }

    /// Returns the part that is a value.
    fn lone(item: NodeId, pointer: Option<SourcePointer>) -> InheritedPart {
        let part =
            ListPart { view: Some(item), gives: vec![item], splice: false, site: false };
        InheritedPart { directive: None, pointer, inner: None, part }
    }

    /// Returns the part that node `i` of the source is if its items are spliced in.
    fn spliced(
        put: &mut PutState<'_, '_>,
        i: Index,
        pointer: &SourcePointer,
    ) -> Option<InheritedPart> {
        let import = put.lone_import(i)?;
        let (key, source, relative) = (import.key, import.source, import.is_relative());
        let found = import.found?;
        let gives = match put.kind(found) {
            Kind::Mapping => return None,
            Kind::Sequence => put.items(found),
            Kind::Scalar => vec![found],
        };
        let named = SourcePointer::of_import(
            put.source,
            &mut put.compare.written,
            (key, source),
            &source.pointer,
        );
        let inner = named.filter(|_| is_list_of_values(put, found));
        let part = ListPart { view: None, gives, splice: true, site: true };
        Some(InheritedPart {
            // In another place a relative directive names something else.
            directive: (!relative).then_some(NodeId::Clean(put.source.file(), i)),
            pointer: Some(pointer.clone()),
            inner,
            part,
        })
    }

    /// Returns the items of a directive as parts.
    pub(super) fn into_items(self) -> impl Iterator<Item = InheritedPart> {
        let InheritedPart { inner, part, .. } = self;
        part.gives.into_iter().enumerate().map(move |(at, item)| {
            let pointer = inner.as_ref().map(|list| list.child(&at.to_string()));
            InheritedPart::lone(item, pointer)
        })
    }
}

/// Returns true if a list is written as a list without directives: a directive can name each
/// item by its index.
pub(super) fn is_list_of_values(put: &PutState<'_, '_>, list: NodeId) -> bool {
    let children = written_list(put, list).map(|i| put.source.base().children(i));
    children.is_some_and(|mut all| all.all(|child| put.sites.get(child).is_none()))
}

/// Returns the node of the source that a list was written as.
fn written_list(put: &PutState<'_, '_>, list: NodeId) -> Option<Index> {
    let document = put.compare.document;
    let (file, i) = document.origin_of(document.follow(list))?;
    let arena = put.source.base();
    (file == arena.file() && arena.style(i).is_sequence()).then_some(i)
}

/// A pointer to an inherited value: that of a directive, and tokens behind it.
#[derive(Clone, Debug)]
pub(super) struct SourcePointer {
    /// The key of the directive. A key made from the pointer is quoted as it is.
    pub key: NodeId,
    /// The key that imports the value.
    pub text: String,
}

impl SourcePointer {
    /// Returns the pointer of the directive `key`, whose tokens are `tokens` after the edit;
    /// `None` if its value can be named by no key alone.
    pub(super) fn of_import(
        document: &Tree,
        written: &mut ChildIndex<'_>,
        (key, source): (NodeId, &Source),
        tokens: &[String],
    ) -> Option<SourcePointer> {
        let NodeId::Clean(file, i) = key else { return None };
        let value = NodeId::Clean(file, document.base().next(i));
        if source.raw || !document.is_null(value) {
            return None;
        }
        let Scalar::String(name) = document.scalar(key) else { return None };
        let start = match source.base {
            Base::File(..) => return None,
            Base::Root | Base::Anchor(_) => name.split('/').next()?.to_owned(),
            Base::Parent(dots) => {
                let (_, here) = written.pointer_to_parent(document, key)?;
                let mark = if source.optional { "+?" } else { "+" };
                format!("{mark}{}", climb(&here, dots)?)
            }
        };
        let start = SourcePointer { key, text: start };
        Some(tokens.iter().fold(start, |pointer, token| pointer.child(token)))
    }

    /// Returns the pointer to a child.
    pub(super) fn child(&self, token: &str) -> SourcePointer {
        let text = format!("{}/{}", self.text, JsonPointer::escape(token));
        SourcePointer { key: self.key, text }
    }
}

/// Returns the pointer to the collection that a number of dots leads to; one dot is that at
/// `pointer`.
fn climb(pointer: &str, dots: u32) -> Option<&str> {
    (1..dots).try_fold(pointer, |at, _| Some(&at[..at.rfind('/')?]))
}

/// The places of the inherited values that were met, by their nodes. A node that comes from
/// several places has the last one that was met.
#[derive(Default)]
pub(super) struct InheritedOrigins(pub HashMap<NodeId, Origin>);

pub(super) enum Origin {
    /// The value of a directive.
    Import(SourcePointer),
    /// An entry of an inherited mapping: the mapping, and the key.
    Entry(NodeId, NodeId),
}

impl InheritedOrigins {
    /// Returns the pointer to an inherited value; `None` if no directive can name it.
    pub(super) fn pointer(
        &self,
        document: &Tree,
        value: NodeId,
    ) -> Option<SourcePointer> {
        let (mut at, mut tokens) = (value, Vec::new());
        let pointer = loop {
            match self.0.get(&at)? {
                Origin::Import(pointer) => break pointer.clone(),
                Origin::Entry(mapping, key) => {
                    let Scalar::String(token) = document.scalar(*key) else {
                        return None;
                    };
                    tokens.push(token);
                    at = *mapping;
                }
            }
        };
        let tokens = tokens.iter().rev();
        Some(tokens.fold(pointer, |pointer, token| pointer.child(token)))
    }
}
