//! The printer of ops-files and of the other languages of patches. Values are written as
//! they are in the text they come from. Merges are left out, for which bosh has no op.

use std::sync::Arc;

use crate::arena::{Arena, Index, Style, flag};
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, Seat, Slot, Slots, Tree};
use crate::patch::{NewComments, Op, Patch};
use crate::scalar::{Context, Dialect, Scalar, is_plain, spell};
use crate::source::FileId;
use crate::yaml::{Options, parse_text};

/// The fields of an op, in the order they are printed.
pub(super) struct OpFields {
    /// Names and texts.
    pub texts: Vec<(&'static str, String)>,
    /// `value` or `absent`
    pub value: Option<(&'static str, OpValue)>,
    /// The other fields that are no texts.
    pub words: Vec<(&'static str, OpValue)>,
}

/// The value of a field that is no text.
#[derive(Clone, Copy)]
pub(super) enum OpValue {
    Node(NodeId),
    Bool(bool),
    Null,
}

/// Returns true for an op with fields that only an ops-file has.
pub(super) fn has_own_fields(op: &Op) -> bool {
    !op.only.is_empty()
        || op.aliases.is_some()
        || op.unless_exists
        || op.comments != NewComments::default()
}

/// Scalars that ops may need, and their indices as nodes.
// Not `null` or `~`, which bosh takes for a missing value.
const WORDS: &str = "[NULL, true, false]";
const NULL: u32 = 1;
const TRUE: u32 = 2;
const FALSE: u32 = 3;

/// The texts that the values of a patch come from.
#[derive(Default)]
pub(super) struct ValueTexts {
    given: Vec<Arc<Arena>>,
    /// Equal texts that all dialects read alike.
    respelled: Vec<Arc<Arena>>,
    /// The keys `<<`, sorted.
    merge_keys: Vec<(FileId, Index)>,
}

impl ValueTexts {
    pub(super) fn of(patch: &Patch) -> ValueTexts {
        let given = patch.arenas.clone();
        let respelled = given.iter().map(respell_ambiguous).collect();
        let merge_keys = match dialect(patch) {
            Dialect::Go => Vec::new(),
            Dialect::Core | Dialect::Yaml11 => merge_keys(&given),
        };
        ValueTexts { given, respelled, merge_keys }
    }

    /// Returns true if the values of a patch come from the same texts.
    pub(super) fn serves(&self, patch: &Patch) -> bool {
        let wanted = &patch.arenas;
        self.given.len() == wanted.len()
            && self.given.iter().zip(wanted).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// Returns a value of a patch as a document.
///
/// # Errors
/// None that a patch can cause.
pub(super) fn value(patch: &Patch, node: NodeId) -> Result<Tree> {
    let (mut document, by) = assembled(patch, &ValueTexts::of(patch))?;
    document.set_roots(vec![node.shifted(by)]);
    Ok(document)
}

/// Returns the fields of an op; `None` if it is left out.
pub(super) type FieldsOf = fn(&Op) -> Result<Option<OpFields>>;

/// Writes the ops with values as they were written, or `rewritten` without style.
pub(super) fn document(
    patch: &Patch,
    texts: &ValueTexts,
    fields: FieldsOf,
    rewritten: bool,
) -> Result<Tree> {
    let words_file = FileId::unused();
    let words = text(patch, words_file, WORDS)?;
    let (mut document, by) = assembled(patch, texts)?;
    document.add_arena(&words.into());
    let NodeId::Opened(list) = document.new_sequence() else { return Ok(document) };
    let written = texts.respelled.iter().map(|arena| arena.nodes().len());
    let mut rewritten_left = written.sum::<usize>() + SPARE_REWRITTEN_NODES;
    for op in &patch.ops {
        let Some(OpFields { texts: named, value, words }) = fields(op)? else { continue };
        let named: Vec<(&str, &str)> =
            named.iter().map(|(name, text)| (*name, &**text)).collect();
        let item = document.new_mapping(&named, None);
        let NodeId::Opened(id) = item else { continue };
        for (name, field) in value.into_iter().chain(words) {
            let node = match field {
                OpValue::Node(node) if document.is_null(node.shifted(by)) => {
                    NodeId::Clean(words_file, NULL)
                }
                OpValue::Node(node) => node.shifted(by),
                OpValue::Bool(true) => NodeId::Clean(words_file, TRUE),
                OpValue::Bool(false) => NodeId::Clean(words_file, FALSE),
                OpValue::Null => NodeId::Clean(words_file, NULL),
            };
            let seat = Seat::Slot(id, document.insert_entry(id, name, node, None));
            if !rewritten {
                merge_first(&mut document, seat, &texts.merge_keys);
            } else if !document.is_null(node) {
                rewrite(&mut document, seat, &mut rewritten_left);
            }
        }
        document.insert_item(list, document.children(list).len(), item, None);
    }
    document.set_roots(vec![NodeId::Opened(list)]);
    Ok(document)
}

/// Returns an empty document with the texts and the opened nodes of a patch, and the number
/// by which those are shifted.
fn assembled(patch: &Patch, texts: &ValueTexts) -> Result<(Tree, u32)> {
    let mut document = Tree::new(text(patch, FileId::BLANK, "")?);
    for arena in &texts.respelled {
        document.add_arena(arena);
    }
    let by = document.append_opened(&patch.opened);
    Ok((document, by))
}

/// Parses a text in the dialect of the patch.
fn text(patch: &Patch, file: FileId, text: &str) -> Result<Arena> {
    parse_text(file, text, &Options { dialect: dialect(patch), ..Options::default() })
}

fn dialect(patch: &Patch) -> Dialect {
    patch.arenas.first().map_or_else(Default::default, |arena| arena.dialect())
}

/// Returns an equal text that all dialects read alike. Each node keeps its index.
fn respell_ambiguous(arena: &Arc<Arena>) -> Arc<Arena> {
    let mut text = String::new();
    let mut at = 0;
    for i in arena.indices() {
        let Some(other) = spelling(arena, i) else { continue };
        let node = &arena.nodes()[i as usize];
        text.push_str(&arena.text()[at..node.start as usize]);
        text.push_str(&other);
        at = node.end as usize;
    }
    if at == 0 {
        return arena.clone();
    }
    text.push_str(&arena.text()[at..]);
    let options =
        Options { dialect: arena.dialect(), depth: u32::MAX, ..Options::default() };
    let again = parse_text(arena.file(), text, &options).ok();
    let again = again.filter(|again| again.nodes().len() == arena.nodes().len());
    again.map_or_else(|| arena.clone(), Arc::new)
}

/// Returns another spelling of a scalar that dialects read differently.
fn spelling(arena: &Arena, i: Index) -> Option<String> {
    let plain = arena.style(i) == Style::Plain
        && arena.tag(i).is_none()
        && !arena.has(i, flag::MERGE_KEY | flag::MULTILINE);
    if !plain {
        return None;
    }
    let text = arena.raw(i);
    let scalar = arena.scalar(i);
    let all = [Dialect::Core, Dialect::Go, Dialect::Yaml11];
    let same = match &scalar {
        // Flow style would need quotes for more texts, but this one is written without.
        Scalar::String(_) => is_plain(text, Context::Block),
        _ => all.into_iter().all(|dialect| Scalar::plain(text, dialect) == scalar),
    };
    let not_a_number = matches!(scalar, Scalar::Float(x) if x.is_nan());
    (!same && !not_a_number).then(|| spell(&scalar, Context::Flow))
}

/// Returns the keys `<<` of the texts, sorted.
fn merge_keys(arenas: &[Arc<Arena>]) -> Vec<(FileId, Index)> {
    let keys = |arena: &Arena| -> Vec<_> {
        let all = arena.indices();
        all.filter(|&i| arena.has(i, flag::MERGE_KEY))
            .map(|i| (arena.file(), i))
            .collect()
    };
    let mut keys: Vec<_> = arenas.iter().flat_map(|arena| keys(arena)).collect();
    keys.sort_unstable();
    keys
}

/// Puts `<<` first in every mapping of the value in `seat`.
fn merge_first(document: &mut Tree, seat: Seat, keys: &[(FileId, Index)]) {
    // For yaml.v2 the position of `<<` counts, for other readers it is always the
    // weakest. Merges that yaml.v2 refuses are written out.
    let mut todo = if keys.is_empty() { Vec::new() } else { vec![seat] };
    while let Some(seat) = todo.pop() {
        let NodeId::Clean(file, i) = document.node_at(seat) else { continue };
        let arena = document.arena(file);
        let first = keys.partition_point(|&key| key < (file, i));
        let holds = keys.get(first).is_some_and(|&key| key < (file, arena.next(i)));
        if !(holds || arena.has(i, flag::HAS_ALIAS)) {
            continue;
        }
        if arena.style(i) == Style::Alias {
            let target = NodeId::Clean(file, arena.target(i));
            if document.follow(NodeId::Clean(file, i)) == target {
                todo.push(document.scratch_seat(target));
            }
            continue;
        }
        let Some(id) = document.open(seat, true) else { continue };
        if document.kind(NodeId::Opened(id)) == Kind::Mapping {
            reorder(document, id);
        }
        if document.arena(file).anchor(i).is_some() {
            document.set_alias_value(file, i, NodeId::Opened(id));
        }
        let from = todo.len();
        todo.extend(document.children(id).ids().map(|at| Seat::Slot(id, at)));
        todo[from..].reverse();
    }
}

fn reorder(document: &mut Tree, id: u32) {
    let slots = document.slots(NodeId::Opened(id)).into_owned();
    let (merges, own): (Vec<Slot>, Vec<Slot>) =
        slots.into_iter().partition(|slot| document.is_merge(slot));
    let good = |slot: &Slot| match document.kind(slot.value) {
        Kind::Mapping => true,
        Kind::Sequence => {
            let mut items = document.items(slot.value).into_iter();
            items.all(|item| document.kind(item) == Kind::Mapping)
        }
        Kind::Scalar => false,
    };
    let slots = if merges.iter().all(good) {
        [merges, own].concat()
    } else {
        let pairs = document.pairs(NodeId::Opened(id)).into_iter();
        pairs.map(|(key, value)| Slot::new(Some(key), value, None)).collect()
    };
    document.set_children(id, Slots::new(slots));
}

/// Maximum number of nodes that are rewritten for all values together, beside as many as
/// their texts have.
// Aliases can make a value exponentially large; a larger one stays as it is.
const SPARE_REWRITTEN_NODES: usize = 1 << 17;

/// Replaces the value in `seat` by an equal one without style, aliases and `<<`, if no more
/// than `left` nodes are rewritten for that. Tags such as `!Ref` stay.
fn rewrite(document: &mut Tree, seat: Seat, left: &mut usize) {
    let top = seat;
    let value = document.node_at(top);
    let mut todo = vec![top];
    while let Some(seat) = todo.pop() {
        let node = document.node_at(seat);
        let Some(next) = left.checked_sub(1) else {
            return document.set_at(top, value, None);
        };
        *left = next;
        let kind = document.kind(node);
        if kind == Kind::Scalar {
            let copy = copied_scalar(document, node);
            document.set_at(seat, copy, None);
            continue;
        }
        let children: Vec<_> = match kind {
            Kind::Mapping => document.pairs(node),
            _ => document.items(node).into_iter().map(|item| (item, item)).collect(),
        };
        let slots = children.into_iter().map(|(key, value)| {
            let key = (kind == Kind::Mapping).then(|| own_key(document, key));
            Slot::new(key, value, None)
        });
        let slots = Slots::new(slots.collect());
        let copy = match kind {
            Kind::Mapping => document.new_mapping(&[], None),
            _ => document.new_sequence(),
        };
        keep_tag(document, node, copy);
        document.set_at(seat, copy, None);
        if let NodeId::Opened(id) = copy {
            document.set_children(id, slots);
            todo.extend(document.children(id).ids().map(|at| Seat::Slot(id, at)));
        }
    }
}

fn own_key(document: &mut Tree, key: NodeId) -> NodeId {
    if document.kind(key) != Kind::Scalar {
        return key;
    }
    copied_scalar(document, key)
}

fn copied_scalar(document: &mut Tree, node: NodeId) -> NodeId {
    let copy = document.new_scalar(document.scalar(node).into_owned());
    keep_tag(document, node, copy);
    copy
}

/// Gives a copy the tag of a node, unless the value shows it.
fn keep_tag(document: &mut Tree, node: NodeId, copy: NodeId) {
    let tag =
        document.own_tag(node).and_then(|_| document.tagged_as(document.follow(node)));
    if let (NodeId::Opened(id), Some((file, i))) = (copy, tag) {
        document.retag(id, file, i);
    }
}
