//! The put of the lens: a document, what it expands to and what that was edited to → the
//! document with the edit in it. What did not change keeps its bytes; a change belongs to
//! the deepest site above it and becomes an override there.

use std::collections::{HashMap, HashSet};

use super::compare::Compare;
use super::entry::Inherited;
use super::holder::Fate;
use super::layer::Beneath;
use super::site::{Both, Frame, Site, Sites};
use super::writing::Writing;
use crate::arena::{Index, Style, flag};
use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node, Seat};

/// A place of the source and what is to be said there.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) seat: Seat,
    /// What is written there.
    pub(super) source: Node,
    /// What it expands to.
    pub(super) view: Option<Node>,
    /// What it is to expand to.
    pub(super) edited: Node,
    /// The number of the collection around it.
    pub(super) frame: Option<usize>,
    /// What would stand there if nothing was written.
    pub(super) inherited: Beneath,
    /// Whether what is inherited will be something else.
    pub(super) stirred: bool,
}

/// What is still to be done.
pub(super) enum Task {
    /// Say what a place is to be.
    Place(Box<Place>),
    /// Say in a new mapping what differs from what is inherited.
    Differ(u32, Beneath, Node),
}

/// So many nodes are made for an edit, at most about.
const OPENED: usize = 1 << 22;

/// Puts an edit into a document.
pub(super) struct Put<'a, 'p> {
    pub(super) source: &'a Document,
    pub(super) root: Node,
    pub(super) roots: Both,
    pub(super) sites: Sites<'a>,
    pub(super) compare: &'p mut Compare<'a>,
    pub(super) out: &'p mut Document,
    pub(super) writing: Writing,
    /// Whether keys such as `+/a` mean something.
    pub(super) expands: bool,
    /// Whether what takes something raw is left until the edit is in its source.
    pub(super) patient: bool,
    /// Whether SOURCE has directives, were they given up since or not.
    pub(super) sited: bool,
    pub(super) frames: Vec<Frame>,
    /// What the anchored nodes that changed are to be; none if they are gone.
    pub(super) became: HashMap<Index, Option<Node>>,
    pub(super) tasks: Vec<Task>,
    /// What cannot be said.
    pub(super) problems: Vec<Diagnostic>,
    /// What became of directives.
    pub(super) notes: Vec<(Node, Fate)>,
}

impl<'a, 'p> Put<'a, 'p> {
    pub(super) fn new(
        (source, root): (&'a Document, Node),
        roots: Both,
        sites: Sites<'a>,
        (compare, out): (&'p mut Compare<'a>, &'p mut Document),
        writing: Writing,
        expands: bool,
    ) -> Self {
        Put {
            source,
            root,
            roots,
            sites,
            compare,
            out,
            writing,
            expands,
            patient: false,
            sited: false,
            frames: Vec::new(),
            became: HashMap::new(),
            tasks: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, root: usize, edited: Node) {
        let place = Place {
            seat: Seat::Root(root),
            source: self.root,
            view: self.roots.view,
            edited,
            frame: None,
            inherited: Beneath::new(),
            stirred: false,
        };
        self.tasks.push(Task::Place(Box::new(place)));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Place(place) => self.place(*place),
                Task::Differ(..) if self.is_full() => return,
                Task::Differ(id, layers, edited) => {
                    let own = HashSet::new();
                    self.differ(
                        id,
                        &Inherited { layers, merged: Vec::new() },
                        edited,
                        &own,
                    );
                }
            }
        }
    }

    /// Whether overrides of what aliases repeat grow beyond all bounds.
    fn is_full(&mut self) -> bool {
        let full = self.out.opened_count() > OPENED;
        if full && self.problems.is_empty() {
            self.problems.push(*Diagnostic::error("the edit needs too many overrides"));
        }
        full
    }

    fn place(&mut self, mut place: Place) {
        let Node::Clean(_, i) = place.source else { return self.replace(&place) };
        let arena = self.source.base();
        let same = place.view.is_some_and(|view| self.compare.same(view, place.edited));
        let moved = !self.became.is_empty() && arena.has(i, flag::HAS_ALIAS);
        if same && !moved && !place.stirred && !self.sites.is_stirred(i) {
            return;
        }
        if arena.anchor(i).is_some() {
            self.became.insert(i, Some(place.edited));
        }
        if arena.style(i) == Style::Alias {
            return self.alias(&place, same);
        }
        if !place.inherited.is_empty() && !same {
            let needless = self.compare.same_as_inherited(&place.inherited, place.edited);
            if let (true, Seat::Slot(id, at)) = (needless, place.seat) {
                self.lose(place.source);
                return self.out.remove_slot(id, at);
            }
        }
        if self.replaces(place.source) {
            place.inherited.clear();
        }
        match (self.source.kind(place.source), self.kind(place.edited)) {
            _ if self.is_out(place.source) && same => {}
            // Whatever it would inherit: its text may be a variable.
            (Kind::Scalar, _) if same && !self.source.is_null(place.source) => {}
            _ if self.is_out(place.source) => self.replace(&place),
            (Kind::Mapping, Kind::Mapping)
                if self.patient && self.sites.get(i).is_some_and(Site::is_raw) => {}
            (Kind::Mapping, _) if self.sites.get(i).is_some() => self.site(place, i),
            (Kind::Mapping, Kind::Mapping) => self.mapping(place),
            (Kind::Sequence, Kind::Sequence) => self.sequence(place),
            (Kind::Scalar, Kind::Scalar) if self.says(&place) => {}
            _ if self.source.is_null(place.source) && self.inherits(&place) => {}
            _ => self.replace(&place),
        }
    }

    pub(super) fn kind(&self, node: Node) -> Kind {
        self.compare.document.kind(node)
    }

    /// Whether the scalar that is written is the one that is wanted.
    fn says(&mut self, place: &Place) -> bool {
        let null = self.source.is_null(place.source) && !place.inherited.is_empty();
        !null && self.compare.same(place.source, place.edited)
    }

    /// Whether what is inherited is what is wanted.
    fn inherits(&mut self, place: &Place) -> bool {
        self.compare.same_as_inherited(&place.inherited, place.edited)
    }

    /// Keeps an alias while what it names has the value that is wanted.
    fn alias(&mut self, place: &Place, same: bool) {
        let Node::Clean(_, i) = place.source else { return };
        let kept = match self.became.get(&self.source.base().target(i)) {
            Some(&Some(target)) => self.compare.same(target, place.edited),
            Some(None) | None => same,
        };
        if !kept {
            self.replace(place);
        }
    }

    fn mapping(&mut self, place: Place) {
        let frame = self.push_frame(&place);
        if let Some(id) = self.open(&place) {
            self.entries(id, place, frame);
        }
    }

    pub(super) fn push_frame(&mut self, place: &Place) -> usize {
        let both = Both { view: place.view, edited: Some(place.edited) };
        self.frames.push(Frame { around: place.frame, both });
        self.frames.len() - 1
    }

    /// Opens the collection of a place; its aliases will name what becomes of it.
    pub(super) fn open(&mut self, place: &Place) -> Option<u32> {
        let id = self.out.open(place.seat, true)?;
        if let Node::Clean(file, i) = place.source
            && self.source.base().anchor(i).is_some()
        {
            self.out.set_alias_value(file, i, Node::Opened(id));
        }
        Some(id)
    }
}
