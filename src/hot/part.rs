//! A part of a template that is plain data: a node comes in; what is written there, and an
//! exception that points at it, go out.

use crate::eval::python::{self, Exception, Result, Value};
use crate::node::{Kind, Node};
use crate::source::Span;

use super::exception::{at, invalid, meant};
use super::template::Template;

/// What is written at a node.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    template: &'t Template,
    node: Node,
}

impl<'t> Part<'t> {
    pub(super) fn new(template: &'t Template, node: Node) -> Part<'t> {
        Part { template, node }
    }

    /// Where it stands.
    pub(super) fn span(&self) -> Option<Span> {
        self.template.span(self.node)
    }

    /// All of it.
    pub(super) fn data(&self) -> Result<Value> {
        self.template.data(self.node)
    }

    pub(super) fn is_null(&self) -> bool {
        self.template.is_null(self.node)
    }

    /// What stands behind a key.
    pub(super) fn get(&self, key: &str) -> Option<Part<'t>> {
        let node = self.template.get(self.node, key)?;
        Some(Part { node, ..*self })
    }

    /// The data behind a key; nothing is null.
    pub(super) fn get_data(&self, key: &str) -> Result<Value> {
        self.get(key).map_or(Ok(Value::None), |part| part.data())
    }

    /// The items of a list, if it is one.
    pub(super) fn items(&self) -> Option<Vec<Part<'t>>> {
        let document = &self.template.document;
        let items = || document.items(self.node).into_iter();
        let part = |item| Part { node: document.follow(item), ..*self };
        (document.kind(self.node) == Kind::Sequence).then(|| items().map(part).collect())
    }

    /// An exception that points at it.
    pub(super) fn wrong(&self, message: &str) -> Box<Exception> {
        at(invalid("", message), self.span())
    }

    /// Whether it is a mapping with these keys.
    pub(super) fn validate_keys(&self, known: &[&str], what: &str) -> Result<()> {
        let Some(entries) = self.template.entries(self.node) else {
            return Err(self.wrong(&format!("Invalid {what}, expected a mapping")));
        };
        for (key, _) in entries {
            let name = self.template.key(key)?;
            if name.as_str().is_none_or(|name| !known.contains(&name)) {
                let name = python::str(name.value())?;
                let message = format!("Invalid key '{name}' for {what}");
                let raised = meant(invalid("", &message), known.iter().copied(), &name);
                return Err(at(raised, self.template.span(key)));
            }
        }
        Ok(())
    }
}
