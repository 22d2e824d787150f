//! The paths of what is merged.

use crate::node::{NodeId, Tree};
use crate::pointer::JsonPointer;

/// A step from a collection to one of its children.
#[derive(Clone, Copy)]
pub(super) enum PathStep {
    Key(NodeId),
    /// The item in which the key has this value.
    Name(&'static str, NodeId),
    Index(usize),
}

/// All paths that were met, each as its last step and the number of the path before it.
#[derive(Default)]
pub(super) struct Paths(Vec<(Option<u32>, PathStep)>);

impl Paths {
    /// Adds a step to a path; to the root, if there is none.
    pub(super) fn join(&mut self, path: Option<u32>, step: PathStep) -> Option<u32> {
        self.0.push((path, step));
        u32::try_from(self.0.len() - 1).ok()
    }

    /// Returns the spelling of a path: `/a/name=x/b`; empty for the root.
    pub(super) fn spell(&self, tree: &Tree, path: Option<u32>) -> String {
        let (mut steps, mut next) = (Vec::new(), path);
        while let Some(at) = next {
            let (before, step) = self.0[at as usize];
            steps.push(step);
            next = before;
        }
        let mut text = String::new();
        for step in steps.into_iter().rev() {
            text.push('/');
            match step {
                PathStep::Key(key) => {
                    let name = tree.member_name(key);
                    let written = || match key {
                        NodeId::Clean(file, i) => tree.arena(file).raw(i),
                        NodeId::Opened(_) => "?",
                    };
                    push_token(&mut text, name.as_deref().unwrap_or_else(written));
                }
                PathStep::Name(key, value) => {
                    text.push_str(key);
                    text.push('=');
                    push_token(&mut text, &tree.text_of(value));
                }
                PathStep::Index(at) => text.push_str(&at.to_string()),
            }
        }
        text
    }
}

/// Adds a token with its escapes, on one line.
fn push_token(text: &mut String, token: &str) {
    for c in JsonPointer::escape(token).chars() {
        if c.is_control() {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
}
