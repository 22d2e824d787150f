//! The lossless printer: a document comes in, its text goes out. What no edit touched is
//! copied; what was edited is written in the style of its neighbours.
//!
//! The text that is printed is walked once, from the front, along the opened nodes. A
//! cursor lags behind and copies what lies between two edits in one piece. What comes
//! from elsewhere is copied in the same way, from a cursor of its own, with its lines
//! moved. One stack of tasks stands for all recursion.

mod anchor;
mod anew;
mod block;
mod comment;
mod content;
mod flow;
mod found;
mod hint;
mod key;
mod layout;
mod line;
mod output;
mod printed;
mod replace;
mod scalar;

use std::fmt;

use crate::arena::{Index, Style};
use crate::node::{Document, Kind, Node, Slot};
use crate::scalar::Quote;
use anchor::{Anchors, Scope};
use block::Block;
use flow::Flow;
use hint::Hints;
use layout::Layout;
use output::Output;

pub use found::print_found;
pub use printed::Printed;

/// The text of `document`: byte for byte the text it was read from, but for the edits.
pub fn print(document: &Document) -> Printed<'_> {
    if document.is_clean() {
        return Printed::whole(document.base().text());
    }
    Printer::new(document).run()
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self).fmt(f)
    }
}

struct Printer<'a> {
    document: &'a Document,
    out: Output<'a>,
    anchors: Anchors<'a>,
    tasks: Vec<Task<'a>>,
    majority: Option<(Hints, Quote)>,
}

/// What is still to be done, the next thing last.
enum Task<'a> {
    /// A document of the stream.
    Root(usize),
    /// The rest of a written block collection.
    Block(Box<Block<'a>>),
    /// The rest of a written flow collection.
    Flow(Box<Flow<'a>>),
    /// The rest of a new block collection.
    NewBlock(Box<anew::Rest<'a>>),
    /// The rest of a new flow collection.
    NewFlow(Box<anew::Rest<'a>>),
    /// An entry of a flow collection.
    FlowEntry(Slot, Place),
    /// What stands after the `-` or `:` of a new entry.
    Value(Node, Place),
    /// The same, and a comment beside it.
    Commented(Node, Place, &'a str),
    /// A key or value in flow style.
    Inline(Node, Place),
    /// What was neither copied nor skipped, up to an offset.
    Copy(usize),
    /// The same, up to the end of a collection.
    CopyEnd(usize),
    /// Leaves out the same.
    Skip(usize),
    /// The end of a document, behind which something stands that is never read.
    End(usize),
    /// New text.
    Text(String),
    /// A new line and that many spaces.
    Line(usize),
    /// The end of a line, unless it has ended.
    EndLine,
    /// The end of what is copied from elsewhere, and its last node.
    Leave(Option<Index>),
}

/// What a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seat {
    /// A document.
    Root,
    /// An item of a sequence.
    Item,
    /// An entry of a mapping.
    Value,
}

/// Where a value comes to stand.
#[derive(Clone, Copy, Debug)]
struct Place {
    seat: Seat,
    /// The column of the entry.
    column: usize,
    flow: bool,
    /// What surrounds it is JSON.
    json: bool,
    /// The spaces after a `-`.
    gap: usize,
    hints: Hints,
    scope: Scope,
}

/// A value in its place in a written text.
#[derive(Clone, Copy)]
struct Site {
    /// The value that was written there.
    old: Index,
    /// Offset after the `-`, `:` or `---` before it.
    from: Option<usize>,
    place: Place,
}

impl<'a> Printer<'a> {
    fn new(document: &'a Document) -> Printer<'a> {
        Printer {
            document,
            out: Output::new(document.base()),
            anchors: Anchors::new(document),
            tasks: (0..document.roots().len()).rev().map(Task::Root).collect(),
            majority: None,
        }
    }

    fn run(mut self) -> Printed<'a> {
        while let Some(task) = self.tasks.pop() {
            self.step(task);
        }
        self.out.finish()
    }

    fn step(&mut self, task: Task<'a>) {
        match task {
            Task::Root(at) => self.root(at),
            Task::Block(walk) => self.walk_block(walk),
            Task::Flow(walk) => self.walk_flow(walk),
            Task::NewBlock(rest) => self.new_block(rest),
            Task::NewFlow(rest) => self.new_flow(rest),
            Task::FlowEntry(slot, place) => self.flow_entry(slot, place),
            Task::Value(node, place) => self.value(node, place),
            Task::Commented(node, place, comment) => {
                self.commented(node, place, comment);
            }
            Task::Inline(node, place) => self.inline_node(node, place),
            Task::Copy(to) => self.out.copy(to),
            Task::CopyEnd(to) => {
                self.seal(to);
                self.out.copy(to);
            }
            Task::Skip(to) => self.out.skip(to),
            Task::End(end) => self.end(end),
            Task::Text(text) => self.out.push(&text),
            Task::Line(column) => {
                self.out.newline();
                self.out.spaces(column);
            }
            Task::EndLine => self.out.end_line(),
            Task::Leave(last) => self.leave(last),
        }
    }

    /// Tasks to be done in that order, before all others.
    fn schedule(&mut self, tasks: Vec<Task<'a>>) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    fn root(&mut self, at: usize) {
        self.anchors.forget();
        let document = self.document;
        let base = document.base();
        let (node, section) = (document.roots()[at], base.sections()[at]);
        let old = section.root;
        if node == Node::Clean(base.file(), old) {
            return;
        }
        let layout = Layout { arena: base };
        let place = Place {
            seat: Seat::Root,
            column: 0,
            flow: false,
            json: false,
            gap: 1,
            hints: Hints::default(),
            scope: self.out.source().scope,
        };
        let marker =
            (section.marker != crate::arena::NONE).then_some(section.marker as usize);
        if base.style(old) == Style::Empty && layout.after_props(old).is_none() {
            let end = section.end as usize;
            return self.fill(node, marker, section.start as usize..end, place);
        }
        let same_line =
            |&marker: &usize| layout.line(marker) == layout.line(layout.start(old));
        if at + 1 == base.sections().len() && section.suffix == crate::arena::NONE {
            self.tasks.push(Task::End(section.end as usize));
        }
        self.enter(Site { old, from: marker.filter(same_line), place }, node);
    }

    /// Leaves out what stands behind a document and is no part of it, to a reader that
    /// reads the first one only: it might become one.
    fn end(&mut self, end: usize) {
        let layout = self.out.layout();
        let is_nothing =
            |line: &str| line.is_empty() || line.starts_with(['#', '\u{feff}']);
        let mut rest = layout.slice(end, layout.text().len()).lines().map(str::trim);
        let beside = rest.next().is_none_or(is_nothing);
        if !beside || !rest.all(is_nothing) {
            self.out.copy(if beside { layout.next_line(end) } else { end });
            self.out.end_line();
            self.out.skip(layout.text().len());
        }
    }

    /// Deals with the value of a written entry.
    fn enter(&mut self, site: Site, node: Node) {
        let arena = self.out.source().arena;
        let here = Node::Clean(arena.file(), site.old);
        match node {
            Node::Clean(..) if node == here => self.enter_clean(site),
            Node::Opened(id)
                if self.document.kind(node) != Kind::Scalar
                    && self.document.origin(id) == Some((arena.file(), site.old)) =>
            {
                self.enter_opened(site, id);
            }
            Node::Clean(..) | Node::Opened(_) => self.replace(site, node),
        }
    }

    fn enter_clean(&mut self, site: Site) {
        let (arena, scope, old) = (self.out.source().arena, site.place.scope, site.old);
        if !arena.has(old, crate::arena::flag::HAS_ALIAS | crate::arena::flag::HAS_ANCHOR)
        {
            return;
        }
        let nodes = old..arena.next(old);
        if self.anchors.passes(arena.file(), nodes.clone(), scope) {
            return self.anchors.pass(arena.file(), nodes, scope);
        }
        let node = Node::Clean(arena.file(), old);
        // Without its anchor nothing would be left of an item.
        let item = site.place.flow && site.place.seat == Seat::Item;
        let bare = item && arena.style(old) == Style::Empty;
        if arena.style(old) == Style::Alias || bare {
            return self.replace(site, node);
        }
        self.settle_anchor(site, node);
        self.walk(site, self.document.slots(node));
    }

    fn enter_opened(&mut self, site: Site, id: u32) {
        let (layout, node) = (self.out.layout(), Node::Opened(id));
        let slots = self.document.slots(node);
        let flow = is_flow(layout.style(site.old));
        let was_empty = layout.arena.nodes()[site.old as usize].len == 1;
        if slots.is_empty() && !flow {
            return self.empty(site, node);
        }
        if !slots.is_empty() && flow && was_empty && !site.place.flow {
            let content = self.own_content(node, site.place);
            return self.place_content(site, content);
        }
        self.settle_anchor(site, node);
        self.walk(site, slots);
    }

    /// Walks the written collection of a site, whose children are now `slots`.
    fn walk(&mut self, mut site: Site, slots: std::borrow::Cow<'a, [Slot]>) {
        if slots.is_empty() && !is_flow(self.out.layout().style(site.old)) {
            return;
        }
        self.tasks.push(if is_flow(self.out.layout().style(site.old)) {
            site.place.json |= !site.place.flow && self.out.layout().is_json(site.old);
            Task::Flow(Box::new(Flow::new(site, slots)))
        } else {
            let column =
                self.out.source().shift.column(self.out.layout().column(site.old));
            Task::Block(Box::new(Block::new(site, slots, (column, false))))
        });
    }

    /// Ends what was copied from elsewhere with node `last`.
    fn leave(&mut self, last: Option<Index>) {
        let scalar = last.filter(|&last| self.out.layout().is_block_scalar(last));
        let chomping = scalar.map(|last| self.out.layout().chomping(last));
        self.out.leave();
        if let Some(chomping) = chomping {
            self.out.end_line();
            self.out.ends_scalar(chomping);
        }
    }

    /// How the text that is printed is indented and quoted where the neighbours do not
    /// tell.
    fn majority(&mut self) -> (Hints, Quote) {
        let base = Layout { arena: self.document.base() };
        *self.majority.get_or_insert_with(|| (base.majority(), base.quote()))
    }
}

fn is_flow(style: Style) -> bool {
    matches!(style, Style::FlowSequence | Style::FlowMapping | Style::FlowPair)
}
