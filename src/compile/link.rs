//! A document with merge directives → a patch of merges that hold what they import.
//!
//! What is needed first is done first: a need that lacks others puts them on a stack and
//! is tried again after them. One that stands on the stack already, begun, is a cycle.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use memchr::memchr2;

use super::anchor::Names;
use super::branch::{Branch, Children, DirectiveId};
use super::directive::Directive;
use super::expand::Expanded;
use super::import::{Files, Loaded};
use super::lookup::{Layer, Located};
use super::mark::Marks;
use super::place::{PlaceId, Places};
use crate::apply;
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::merge;
use crate::node::{Document, Node};
use crate::patch::{Edit, Lists, Op, Origin, Patch};
use crate::pointer::Pointer;
use crate::source::{Allow, FileId, Sources, Span, World};
use crate::yaml;

/// How directives are read, and what they may reach.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What an own list does to an imported one.
    pub lists: Lists,
    /// What includes may reach.
    pub allow: Allow,
    /// Where an include's `repository` lies, by its name; the last one counts.
    pub repositories: Vec<(String, PathBuf)>,
    /// How included files are read.
    pub yaml: yaml::Options,
    /// How far directives may make the document grow.
    pub expansion: yaml::Expansion,
    /// How many bytes all included files may have.
    pub include_bytes: u64,
    /// How many files may include each other.
    pub include_depth: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            lists: Lists::default(),
            allow: Allow::default(),
            repositories: Vec::new(),
            yaml: yaml::Options::default(),
            expansion: yaml::Expansion::default(),
            include_bytes: 64 << 20,
            include_depth: 100,
        }
    }
}

/// Reads the merge directives of one document of the stream, and what they include.
///
/// # Errors
/// Everything that is wrong with any of them.
pub fn directives(
    document: &Document,
    root: usize,
    sources: &mut Sources,
    world: &dyn World,
    rules: &Rules,
) -> Result<Patch, Diagnostics> {
    let Some(&node) = document.roots().get(root) else { return Ok(Patch::default()) };
    if memchr2(b'+', b'\\', document.base().text().as_bytes()).is_none() {
        return Ok(Patch::default());
    }
    let marks = Marks::find(document.base());
    let mut linker = Linker {
        document: document.clone(),
        at: root,
        root: node,
        sources,
        world,
        rules,
        arenas: Vec::new(),
        marks: HashMap::from([(document.file(), marks)]),
        branches: HashMap::new(),
        children: HashMap::new(),
        directives: Vec::new(),
        loads: HashMap::new(),
        loaded_all: false,
        files: Files::default(),
        anchors: HashMap::new(),
        places: Places::default(),
        homes: HashMap::new(),
        located: HashMap::new(),
        expanded: HashMap::new(),
        reported: HashSet::new(),
        active: HashSet::new(),
        ops: None,
        wrong: Vec::new(),
        spent: 0,
        room: apply::room(rules.expansion.0),
    };
    let ops = if linker.is_marked(node) { linker.run()? } else { Vec::new() };
    Ok(linker.patch(ops))
}

/// Something that has to be known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    /// The merges of the document.
    Root,
    /// What something is with its directives expanded, for a directive, at a place.
    Expand(Layer, PlaceId, DirectiveId),
    /// What a directive names, whose mapping lands at a place.
    Locate(DirectiveId, PlaceId),
}

/// What a need is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Expand(Node, bool),
    Locate(DirectiveId, PlaceId),
}

/// Why a need is not met.
pub(super) enum Stop {
    /// These have to be met first.
    Needs(Vec<Need>),
    /// Too much was expanded.
    Limit,
}

/// The state of a compilation.
pub(super) struct Linker<'a> {
    /// The document; what is expanded is opened here.
    pub(super) document: Document,
    pub(super) at: usize,
    pub(super) root: Node,
    pub(super) sources: &'a mut Sources,
    pub(super) world: &'a dyn World,
    pub(super) rules: &'a Rules,
    /// The texts of included files.
    pub(super) arenas: Vec<Arc<Arena>>,
    pub(super) marks: HashMap<FileId, Marks>,
    pub(super) branches: HashMap<Node, Rc<Branch>>,
    pub(super) children: HashMap<Node, Rc<Children>>,
    pub(super) directives: Vec<Directive>,
    pub(super) loads: HashMap<DirectiveId, Result<Loaded, Box<Diagnostic>>>,
    pub(super) loaded_all: bool,
    pub(super) files: Files,
    pub(super) anchors: HashMap<FileId, Names>,
    pub(super) places: Places,
    /// Where mappings with relative directives were written.
    pub(super) homes: HashMap<Node, PlaceId>,
    pub(super) located: HashMap<(DirectiveId, PlaceId), Located>,
    /// By the place only if that matters.
    pub(super) expanded: HashMap<(Node, bool, Option<PlaceId>), Expanded>,
    /// The directives that something was said of.
    pub(super) reported: HashSet<DirectiveId>,
    active: HashSet<Topic>,
    pub(super) ops: Option<Vec<Op>>,
    pub(super) wrong: Vec<Diagnostic>,
    spent: u64,
    pub(super) room: usize,
}

impl Linker<'_> {
    fn run(&mut self) -> Result<Vec<Op>, Diagnostics> {
        let mut stack = vec![Need::Root];
        while let Some(&need) = stack.last() {
            if self.is_met(&need) {
                stack.pop();
                self.active.remove(&self.topic(&need));
                continue;
            }
            self.active.insert(self.topic(&need));
            match self.attempt(need) {
                Ok(()) => {}
                Err(Stop::Limit) => {
                    let diagnostic = self.exceeded(&stack);
                    self.wrong.push(*diagnostic);
                    break;
                }
                Err(Stop::Needs(needs)) => self.push(needs, &mut stack),
            }
        }
        if self.wrong.is_empty() {
            Ok(self.ops.take().unwrap_or_default())
        } else {
            let mut wrong = std::mem::take(&mut self.wrong);
            wrong.sort_by_key(|it| {
                it.labels.first().map(|it| (it.span.file, it.span.start))
            });
            wrong.dedup();
            Err(Diagnostics(wrong))
        }
    }

    fn attempt(&mut self, need: Need) -> Result<(), Stop> {
        match need {
            Need::Root => self.merges().map(|ops| self.ops = Some(ops)),
            Need::Expand(layer, place, _) => self.expand(layer, place),
            Need::Locate(id, place) => {
                self.locate_behind(id, place).map_err(Stop::Needs)?;
                self.check_limit()
            }
        }
    }

    fn push(&mut self, needs: Vec<Need>, stack: &mut Vec<Need>) {
        for need in needs.into_iter().rev() {
            match need {
                Need::Expand(layer, ..) if self.is_active(&need) => {
                    if !self.is_met(&need) {
                        let diagnostic = self.cycle(stack, &need);
                        self.wrong.push(*diagnostic);
                        self.keep(layer, None, Expanded::itself(layer.node));
                    }
                }
                _ => stack.push(need),
            }
        }
    }

    fn topic(&self, need: &Need) -> Topic {
        match *need {
            Need::Root => Topic::Expand(self.root, false),
            Need::Expand(layer, ..) => Topic::Expand(layer.node, layer.own),
            Need::Locate(id, place) => Topic::Locate(id, place),
        }
    }

    /// Whether somebody waits for what this is about.
    pub(super) fn is_active(&self, need: &Need) -> bool {
        self.active.contains(&self.topic(need))
    }

    pub(super) fn is_same(&self, a: &Need, b: &Need) -> bool {
        self.topic(a) == self.topic(b)
    }

    fn is_met(&self, need: &Need) -> bool {
        match *need {
            Need::Root => self.ops.is_some(),
            Need::Expand(layer, place, _) => self.expansion(layer, place).is_some(),
            Need::Locate(id, place) => self.located.contains_key(&(id, place)),
        }
    }

    /// The file of an include, read if it can be.
    pub(super) fn loaded(&mut self, id: DirectiveId) -> Result<Loaded, Box<Diagnostic>> {
        if let Some(loaded) = self.loads.get(&id) {
            return loaded.clone();
        }
        let Directive { source, include, span, .. } = self.directives[id].clone();
        let include = include.unwrap_or_default();
        let loaded = self.load(&include, span.file, source.optional).map_err(|wrong| {
            let text = if wrong.labels.is_empty() { "" } else { "included here" };
            wrong.label(span, text)
        });
        self.loads.insert(id, loaded.clone());
        loaded
    }

    /// Counts what is made.
    pub(super) fn charge(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes);
    }

    /// Refuses to make too much.
    pub(super) fn check_limit(&self) -> Result<(), Stop> {
        if self.spent > self.rules.expansion.0 as u64 { Err(Stop::Limit) } else { Ok(()) }
    }

    fn patch(self, mut ops: Vec<Op>) -> Patch {
        let arenas = self.arenas.iter().map(|arena| &**arena);
        if arenas.chain([self.document.base()]).any(merge::may_have_whiteouts) {
            let start = Span { file: self.document.file(), start: 0, end: 0 };
            let origin = Origin { span: start, path: start, number: ops.len() as u32 };
            ops.push(Op { at: Pointer::default(), edit: Edit::RemoveWhiteouts, origin });
        }
        let limit = Some(self.rules.expansion.0);
        Patch { ops, arenas: self.arenas, opened: self.document.into_opened(), limit }
    }
}
