//! A collection → what of it matters to directives: those it holds, and the children
//! that hold more.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::directive::{self, Directive, NAME};
use super::link::Linker;
use super::mark::Marks;
use crate::arena::{Arena, flag};
use crate::diagnostic::Diagnostic;
use crate::node::{Kind, Node};
use crate::patch::Step;
use crate::scalar::Scalar;

/// The number of a directive.
pub(super) type DirectiveId = usize;

/// What of a collection matters.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// Its directives, in the order of their keys.
    pub(super) directives: Vec<DirectiveId>,
    /// `+&` and the name it gives.
    pub(super) name: Option<(Node, Option<String>)>,
    /// Whether it holds nothing else.
    pub(super) alone: bool,
    /// Where more directives stand.
    pub(super) children: Vec<(Step, Node)>,
}

/// The children of a collection by their keys.
#[derive(Debug, Default)]
pub(super) struct Children {
    entries: HashMap<Box<str>, (Node, Node)>,
    items: Vec<Node>,
}

/// A step as it is asked for.
#[derive(Clone, Debug)]
pub(super) enum Token {
    /// To this very child.
    Step(Step),
    /// To the entry of this key or the item of this number.
    Text(String),
}

impl Linker<'_> {
    /// Looks for the directives of a text.
    pub(super) fn add_marks(&mut self, arena: &Arc<Arena>) {
        self.marks.insert(arena.file(), Marks::find(arena));
    }

    /// Whether directives may stand in `node`.
    pub(super) fn is_marked(&self, node: Node) -> bool {
        match node {
            Node::Clean(file, i) => {
                let next = self.document.arena(file).next(i);
                self.marks.get(&file).is_some_and(|marks| marks.any((i, next)))
            }
            Node::Opened(_) => true,
        }
    }

    /// What of `node` matters.
    pub(super) fn branch(&mut self, node: Node) -> Rc<Branch> {
        let node = self.document.follow(node);
        if let Some(branch) = self.branches.get(&node) {
            return branch.clone();
        }
        let branch = Rc::new(match self.document.kind(node) {
            _ if !self.is_marked(node) => Branch::default(),
            Kind::Scalar => Branch::default(),
            Kind::Sequence => self.sequence(node),
            Kind::Mapping => self.mapping(node),
        });
        self.branches.insert(node, branch.clone());
        branch
    }

    fn sequence(&self, node: Node) -> Branch {
        let items = (0..).map(Step::Index).zip(self.document.items(node));
        let children = items.filter(|&(_, item)| self.is_marked(item)).collect();
        Branch { children, ..Branch::default() }
    }

    fn mapping(&mut self, node: Node) -> Branch {
        let mut branch = Branch::default();
        let (pairs, others) = self.marked_pairs(node);
        let keys = pairs.iter().filter(|(key, _)| self.is_marked(*key)).count();
        for (key, value) in pairs {
            if !self.is_marked(key) {
                branch.children.push((Step::Key(key), value));
            } else if self.document.is_text(key, NAME) {
                branch.name = Some((key, self.name(key, value)));
            } else {
                match directive::read(&self.document, node, key, value) {
                    Ok(Some(directive)) => branch.directives.push(self.add(directive)),
                    Ok(None) if self.is_marked(value) => {
                        branch.children.push((Step::Key(key), value));
                    }
                    Ok(None) => {}
                    Err(diagnostic) => self.wrong.push(*diagnostic),
                }
            }
        }
        branch.alone = others == 0 && branch.children.is_empty();
        if keys > 1 {
            self.check_twice(node);
        }
        branch
    }

    /// The entries of a mapping that hold directives, and how many others there are.
    fn marked_pairs(&self, node: Node) -> (Vec<(Node, Node)>, usize) {
        if let Some(found) = self.marked_keys(node) {
            return found;
        }
        let pairs = self.document.pairs(node);
        let all = pairs.len();
        let marked =
            |&(key, value): &(Node, Node)| self.is_marked(key) || self.is_marked(value);
        let pairs: Vec<_> = pairs.into_iter().filter(marked).collect();
        let others = all - pairs.len();
        (pairs, others)
    }

    /// The same, if only keys hold them and no `<<` brings more: then it does not matter
    /// which of several equal keys counts.
    fn marked_keys(&self, node: Node) -> Option<(Vec<(Node, Node)>, usize)> {
        let Node::Clean(file, i) = node else { return None };
        let arena = self.document.arena(file);
        let mut marks = self.marks.get(&file)?.from(i);
        let (mut pairs, mut others) = (Vec::new(), 0);
        for (key, value) in arena.entries(i) {
            let after = arena.next(value);
            match marks.first() {
                _ if arena.has(key, flag::MERGE_KEY) => return None,
                Some(&mark) if mark == key => {
                    pairs.push((Node::Clean(file, key), Node::Clean(file, value)));
                    marks = &marks[marks.partition_point(|&mark| mark < after)..];
                }
                Some(&mark) if mark < after => return None,
                Some(_) | None => others += 1,
            }
        }
        Some((pairs, others))
    }

    fn add(&mut self, directive: Directive) -> DirectiveId {
        self.directives.push(directive);
        self.directives.len() - 1
    }

    /// A number names as its text does; null names nothing.
    fn name(&mut self, key: Node, value: Node) -> Option<String> {
        if self.document.kind(value) != Kind::Scalar {
            let diagnostic = Diagnostic::error("`+&` gives a name, which is a string");
            let span = self.document.span(key).map(|at| self.document.first_line(at));
            self.wrong.push(*span.into_iter().fold(diagnostic, Diagnostic::at));
            return None;
        }
        let name = self.document.text_of(value).into_owned();
        (!directive::is_empty(&self.document, value)).then_some(name)
    }

    /// Refuses a mapping with one directive written twice.
    fn check_twice(&mut self, node: Node) {
        let mut met = HashSet::new();
        let mut twice = Vec::new();
        for key in self.document.slots(node).iter().filter_map(|slot| slot.key) {
            if !self.is_marked(key) {
                continue;
            }
            if let Scalar::String(text) = self.document.scalar(key)
                && !met.insert(text.clone())
            {
                twice.push((key, text.into_owned()));
            }
        }
        for (key, text) in twice {
            let message = format!("found duplicate key \"{text}\"");
            let hint = format!("a label makes keys differ, e.g. '{text}-2'");
            let diagnostic = Diagnostic::error(message);
            let span = self.document.span(key).map(|at| self.document.first_line(at));
            let diagnostic = span.into_iter().fold(diagnostic, Diagnostic::at);
            let include = text.contains("include");
            self.wrong.push(*if include { diagnostic.hint(hint) } else { diagnostic });
        }
    }

    /// The child that a step from `node` leads to, as it is written, and the step.
    pub(super) fn child(&mut self, node: Node, token: &Token) -> Option<(Step, Node)> {
        let node = self.document.follow(node);
        let children = self.children(node);
        match token {
            Token::Step(Step::Index(at)) => item(&children, *at),
            Token::Step(Step::Key(key)) => match self.document.scalar(*key) {
                Scalar::String(text) if self.document.kind(*key) == Kind::Scalar => {
                    entry(&children, &text)
                }
                _ => self.entry_like(node, *key),
            },
            Token::Text(text) if children.items.is_empty() => entry(&children, text),
            Token::Text(text) => item(&children, index(text)?),
        }
    }

    /// The entry whose key means what `key` does, which is no string.
    fn entry_like(&self, node: Node, key: Node) -> Option<(Step, Node)> {
        let wanted = self.document.scalar(key).identity();
        let same = |&(other, _): &(Node, Node)| {
            other == key
                || self.document.kind(other) == Kind::Scalar
                    && self.document.kind(key) == Kind::Scalar
                    && self.document.scalar(other).identity() == wanted
        };
        let (key, value) = self.document.pairs(node).into_iter().find(same)?;
        Some((Step::Key(key), value))
    }

    pub(super) fn children(&mut self, node: Node) -> Rc<Children> {
        if let Some(children) = self.children.get(&node) {
            return children.clone();
        }
        let mut children = Children::default();
        match self.document.kind(node) {
            Kind::Scalar => {}
            Kind::Sequence => children.items = self.document.items(node),
            Kind::Mapping => {
                for (key, value) in self.document.pairs(node) {
                    if let Scalar::String(text) = self.document.scalar(key)
                        && self.document.kind(key) == Kind::Scalar
                    {
                        children.entries.insert(text.into(), (key, value));
                    }
                }
            }
        }
        let children = Rc::new(children);
        self.children.insert(node, children.clone());
        children
    }

    /// The string keys of `node`, as they stand.
    pub(super) fn keys(&self, node: Node) -> Vec<String> {
        let keys = self.document.pairs(node).into_iter().map(|(key, _)| key);
        let text = |key| match self.document.scalar(key) {
            Scalar::String(text) if self.document.kind(key) == Kind::Scalar => {
                Some(text.into_owned())
            }
            _ => None,
        };
        keys.filter_map(text).collect()
    }
}

fn entry(children: &Children, text: &str) -> Option<(Step, Node)> {
    let &(key, value) = children.entries.get(text)?;
    Some((Step::Key(key), value))
}

fn item(children: &Children, at: u32) -> Option<(Step, Node)> {
    Some((Step::Index(at), *children.items.get(at as usize)?))
}

/// An index as RFC 6901 has it: no sign, no leading zero.
fn index(text: &str) -> Option<u32> {
    match jsonptr::Token::new(text).to_index().ok()? {
        jsonptr::index::Index::Num(at) => u32::try_from(at).ok(),
        jsonptr::index::Index::Next => None,
    }
}
