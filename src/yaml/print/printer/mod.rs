//! The printer: walks the opened nodes of a document and writes its text.
//!
//! A stack of tasks takes the place of recursion. `enter` prints values and keys in the places
//! of written ones, `value` those that are written anew; `block` and `flow` go through written
//! collections whose children were edited.

mod block;
mod enter;
mod flow;
mod reuse;
mod value;

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashMap;

use super::anchor::{AnchorNames, Provenance};
use super::comment::BroughtComments;
use super::output::{PrintOutput, Printed};
use super::unplaced::UnplacedNotes;
use crate::arena::Index;
use crate::layout::{CommonQuotes, IndentHints};
use crate::node::{NodeId, Slot, Tree};
use crate::scalar::Quote;
use crate::source::FileId;

/// Maximum number of spaces after the `-` of a new item.
// More spaces align one item with another text and are no habit.
const MAX_DASH_SPACES: usize = 8;

/// Writes the text of a document that has edits.
pub(super) fn write(document: &Tree) -> Printed<'_> {
    let mut printer = TreePrinter {
        document,
        out: PrintOutput::new(document.base()),
        anchors: AnchorNames::new(document),
        comments: BroughtComments::new(document),
        unplaced: UnplacedNotes::default(),
        tasks: (0..document.roots().len()).rev().map(PrintTask::Root).collect(),
        majority: None,
        other_lists: HashMap::new(),
    };
    while let Some(task) = printer.tasks.pop() {
        task.run(&mut printer);
    }
    let mut printed = printer.out.finish();
    printed.unplaced = printer.unplaced.all();
    printed
}

struct TreePrinter<'a> {
    document: &'a Tree,
    out: PrintOutput<'a>,
    anchors: AnchorNames<'a>,
    comments: BroughtComments<'a>,
    unplaced: UnplacedNotes,
    tasks: Vec<PrintTask<'a>>,
    majority: Option<(IndentHints, Quote)>,
    /// The lists of texts of patches that stand deeper or less deep below their keys than
    /// those of the document do.
    other_lists: HashMap<FileId, Vec<Index>>,
}

/// A task; the last one of the stack is done next.
enum PrintTask<'a> {
    Root(usize),
    /// Continues a new collection.
    New(Box<NewCollection<'a>>),
    /// Continues a written collection, or copies an entry of one to another place.
    Walk(Box<dyn EntryWalk<'a> + 'a>),
    /// Writes a value after the `-` or `:` of a new entry, with a comment beside it.
    Value(NodeId, Placement, Option<&'a str>),
    /// Writes a new entry in flow style.
    FlowEntry(Slot, Placement),
    /// Writes a key or value in flow style.
    Inline(NodeId, Placement),
    /// Copies up to an offset what was neither copied nor skipped.
    Copy(usize),
    /// Copies up to the end of an entry or a collection.
    CopyEnd(usize),
    /// Skips up to an offset what was neither copied nor skipped.
    Skip(usize),
    /// Writes lines in the place of those below an entry or a document.
    Dangling(LinesBelow<'a>),
    /// Writes comments below a new entry: its column, and how much deeper they stand.
    Below {
        lines: &'a str,
        column: usize,
        step: usize,
    },
    /// Ends the last document, behind which text may stand that is never read.
    End(usize),
    Text(Cow<'a, str>),
    /// Begins a line with that many spaces.
    Line(usize),
    /// Ends the line, unless it has ended.
    EndLine,
    /// Copies the comments behind and below a value that a block collection replaces, whose
    /// entries stand in a column.
    CopyBelow(Range<usize>, usize),
    /// Copies the comments below a value that a block scalar replaces, whose entry stands in
    /// a column.
    CopyOutside(Range<usize>, usize),
    /// Ends what is copied from elsewhere; the node behind it.
    Leave(Option<Index>),
}

impl<'a> PrintTask<'a> {
    fn run(self, printer: &mut TreePrinter<'a>) {
        match self {
            PrintTask::Root(at) => printer.root(at),
            PrintTask::New(rest) => printer.continue_new(rest),
            PrintTask::Walk(walk) => walk.proceed(printer),
            PrintTask::Value(node, place, beside) => {
                printer.new_value(node, place, beside);
            }
            PrintTask::FlowEntry(slot, place) => printer.flow_entry(slot, place),
            PrintTask::Inline(node, place) => printer.inline_node(node, place),
            PrintTask::Copy(to) => printer.out.copy(to),
            PrintTask::CopyEnd(to) => printer.out.copy_end(to),
            PrintTask::Skip(to) => printer.out.skip(to),
            PrintTask::Dangling(LinesBelow { written, lines, next, column }) => {
                printer.out.change_gap(written, lines, next, column);
            }
            PrintTask::Below { lines, column, step } => {
                printer.out.lines_below(lines, column, step);
            }
            PrintTask::End(end) => printer.out.end_document(end),
            PrintTask::Text(text) => printer.out.push(&text),
            PrintTask::Line(column) => {
                printer.out.newline();
                printer.out.spaces(column);
            }
            PrintTask::EndLine => printer.out.end_line(),
            PrintTask::CopyBelow(text, column) => printer.out.copy_below(text, column),
            PrintTask::CopyOutside(text, column) => {
                printer.out.write_outside(text, column);
            }
            PrintTask::Leave(next) => printer.out.leave_before(next),
        }
    }
}

/// A new collection.
struct NewCollection<'a> {
    slots: Cow<'a, [Slot]>,
    at: usize,
    mapping: bool,
    /// The place of its entries in block style, its own place in flow style.
    place: Placement,
}

/// A part of the work on the entries of a written collection.
trait EntryWalk<'a> {
    /// Prints until other tasks have to be done first, and schedules what is left.
    fn proceed(self: Box<Self>, printer: &mut TreePrinter<'a>);
}

#[derive(Clone, Copy, Debug)]
struct Placement {
    role: PlaceRole,
    /// Column of the entry.
    column: usize,
    flow: bool,
    /// True if the document is JSON.
    json: bool,
    /// True for a key of one line.
    is_key: bool,
    /// Number of spaces after a `-`.
    gap: usize,
    hints: IndentHints,
    /// The quotes that all keys and texts around it have.
    quotes: CommonQuotes,
    provenance: Provenance,
}

impl Placement {
    /// Returns the place of the key of an entry.
    fn of_key(self) -> Placement {
        let quotes = CommonQuotes { texts: self.quotes.keys, ..self.quotes };
        Placement { is_key: true, quotes, ..self }
    }

    /// Returns the place as an item of a flow collection.
    fn in_brackets(self) -> Placement {
        Placement { flow: true, role: PlaceRole::Item, ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceRole {
    Root,
    Item,
    Value,
}

/// A value in its place in a written text.
#[derive(Clone, Copy)]
struct WrittenValue {
    /// The value that was written there.
    old: Index,
    /// Offset after the `-`, `:` or `---` before it.
    from: Option<usize>,
    place: Placement,
    /// True if an edit has the lines below it written.
    closes: bool,
}

impl WrittenValue {
    fn new(old: Index, from: Option<usize>, place: Placement) -> WrittenValue {
        WrittenValue { old, from, place, closes: false }
    }
}

/// Lines that an edit put below an entry or a document.
struct LinesBelow<'a> {
    /// The written lines in their place.
    written: Range<usize>,
    lines: &'a str,
    /// The node behind the entry.
    next: Index,
    /// Column of the entry.
    column: usize,
}

/// A value on its way to a place.
struct ValueContent {
    node: NodeId,
    /// Anchor and tag: `&a !t`.
    props: String,
    form: ValueForm,
    provenance: Provenance,
    /// The quotes of the text that it replaces, else those of all others beside it. A text
    /// without a spelling of its own takes them.
    quote: Option<Quote>,
}

/// The form that a value takes in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ValueForm {
    /// `*name`
    Alias(String),
    Inline,
    Scalar,
    Sequence,
    Mapping,
}

impl ValueForm {
    /// Returns true if the form begins and ends within a line of its place.
    fn is_inline(&self) -> bool {
        matches!(self, ValueForm::Alias(_) | ValueForm::Inline)
    }

    fn is_collection(&self) -> bool {
        matches!(self, ValueForm::Sequence | ValueForm::Mapping)
    }

    /// Returns the column of the entries of a block collection of this form.
    fn column(&self, place: Placement) -> usize {
        match (place.role, self) {
            (PlaceRole::Root, _) => 0,
            (PlaceRole::Item, _) => place.column + 1 + place.gap,
            (PlaceRole::Value, ValueForm::Sequence) => {
                place.column + place.hints.sequence()
            }
            (PlaceRole::Value, _) => place.column + place.hints.step(),
        }
    }
}
