//! Applies one op of any language, and tests that every byte outside the entries that it
//! touched is the same. The touched entries are those whose data differ between both texts,
//! and those whose value the op replaces; no journal is asked.

use std::collections::HashSet;
use std::ops::Range;

use interpolate::unstable::arena::{Index, Style};
use interpolate::unstable::language::Verb;
use interpolate::unstable::node::{Kind, NodeId, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::scalar::Scalar;
use interpolate::unstable::select::{Query, QueryBudget};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, language};

use crate::edit::{VALUES, escape, place};
use crate::extent::{Entry, Written};
use crate::language::Language;
use crate::patched::Tally;
use crate::text::{self, Choices};

const QUERIES: &[&str] = &[
    "$.*",
    "$[0]",
    "$..a",
    "$[*][*]",
    "$[?@.a0]",
    "$..[?@ == 1]",
    "$[1:]",
    "$.*.*",
    "$..[0]",
];

/// Values on one line.
const SHORT: &[&str] = &[
    "1",
    "text",
    "~",
    "[]",
    "{}",
    "[1, {a: b}]",
    "{k: v, l: [m], n: ~}",
    "{a0: {b1: 1}, c: ~}",
    "'q'",
    "1.0",
];

/// A patch as text, and the nodes of the document whose whole value it replaces.
struct Given {
    text: String,
    patch: Patch,
    replaced: HashSet<Index>,
    /// The nodes whose comments it changes.
    commented: HashSet<Index>,
    /// The node that it moves.
    moved: Option<Index>,
}

/// Tests one op on one document. A patch that fails is no case.
pub fn check(
    shape: &[u32],
    edit: [u32; 6],
    language: Language,
    tally: &Tally,
) -> Result<(), String> {
    let base = base(shape);
    let (mut sources, options) = (Sources::default(), Options::default());
    let id = sources.add("base.yml", base.clone());
    let Ok(document) = yaml::read(&sources, id, &options) else { return Ok(()) };
    let Some(mut given) = given(&document, edit, language, &mut sources) else {
        return Ok(());
    };
    if given.text.contains("anchors: follow") {
        // An edit of an alias then edits the node with the anchor.
        let node = |&i: &Index| clean(document.follow(NodeId::Clean(id, i)));
        let anchored: Vec<Index> = given.replaced.iter().filter_map(node).collect();
        given.replaced.extend(anchored);
        if given.text.contains('&') {
            // The anchor of the new value gives all aliases another name.
            let is_renamed = |&i: &Index| {
                let node = NodeId::Clean(id, i);
                let target = clean(document.follow(node)).filter(|&target| target != i);
                target.is_some_and(|target| given.replaced.contains(&target))
            };
            let aliases: Vec<Index> =
                document.base().indices().filter(is_renamed).collect();
            given.replaced.extend(aliases);
        }
    }
    tally.count_case();
    if !base.ends_with('\n') && ends_in_block_scalar(&document) {
        return Ok(());
    }
    let mut patched = document.clone();
    if apply::apply(&given.patch, &mut patched, 0..1).is_err() {
        return Ok(());
    }
    tally.count_applied();
    let printed = patched.to_string();
    let story = |why: &str| {
        format!(
            "--- base\n{base}\n--- patch\n{}\n--- printed\n{printed}\n---\n{why}",
            given.text
        )
    };
    let id = sources.add("printed.yml", printed.clone());
    let read =
        yaml::read(&sources, id, &options).map_err(|error| story(&error.to_string()))?;
    let mut why = None;
    let is_moved = given.text.contains("move") || given.text.contains("--mv");
    if is_moved && same((Written(document.base()), 0), (Written(read.base()), 0)) {
        return Ok(());
    }
    for ways in 0..12 {
        let (ways, moved) = (ways % 6, given.moved.filter(|_| ways < 6));
        let ways = (ways / 2, ways % 2 == 0);
        let mut comparison = Comparison::new(&document, &read, &given, ways);
        // Of two neighbours that change places, one has moved past what is between them.
        comparison.moved = moved;
        comparison.run();
        if comparison.is_unsettled {
            return Ok(());
        }
        match comparison.judge() {
            Ok(()) => return Ok(()),
            Err(error) => why = why.or(Some(error)),
        }
    }
    // Of equal items, any may have moved, or is gone.
    let is_removed = given.text.contains("remove") || given.text.starts_with("--rm");
    if is_moved && has_twins(&read) || is_removed && has_twins(&document) {
        return Ok(());
    }
    // Known fault: the anchor of a moved or copied node is kept although another node has
    // the name, so that an alias behind it is written out.
    let is_brought =
        is_moved || given.text.contains("copy") || given.text.contains("--cp");
    if is_brought && names_twice(&document) {
        return Ok(());
    }
    if has_bare_pair(&document) {
        return Ok(());
    }
    Err(story(&why.unwrap_or_default()))
}

/// Returns true if two items of a list are alike.
fn has_twins(document: &Tree) -> bool {
    let written = Written(document.base());
    let mut lists = written.0.indices().filter(|&i| written.0.style(i).is_sequence());
    lists.any(|list| {
        let items = written.entries(list);
        let twins = |a: usize| {
            let is_twin = |b: &Entry| same((written, items[a].value), (written, b.value));
            items[a + 1..].iter().any(is_twin)
        };
        (0..items.len()).any(twins)
    })
}

/// Returns true if an item in brackets is a pair without braces, as in `[a: 1]`: an edit of
/// it writes the braces.
fn has_bare_pair(document: &Tree) -> bool {
    let arena = document.base();
    arena.indices().any(|i| arena.style(i) == Style::FlowPair)
}

/// Returns true if two nodes have anchors of one name.
fn names_twice(document: &Tree) -> bool {
    let arena = document.base();
    let mut names = HashSet::new();
    arena.indices().filter_map(|i| arena.anchor(i)).any(|name| !names.insert(name))
}

/// Returns true if the last line break is missing in a block scalar: its header changes when
/// something follows.
fn ends_in_block_scalar(document: &Tree) -> bool {
    let arena = document.base();
    let last = arena.indices().next_back();
    last.is_some_and(|last| matches!(arena.style(last), Style::Literal | Style::Folded))
}

/// A document, now and then a stream of two.
fn base(shape: &[u32]) -> String {
    let mut choices = Choices::new(shape);
    let mut base = text::document(&mut choices);
    if choices.chance(8)
        && base.ends_with('\n')
        && !base.contains("---")
        && !base.contains("...")
    {
        base += "---\n# of the second\nsecond: 1 # one\n";
    }
    base
}

fn given(
    document: &Tree,
    edit: [u32; 6],
    language: Language,
    sources: &mut Sources,
) -> Option<Given> {
    let [way, other, kind, value, query, more] = edit;
    let (path, node) = place(document, way, 1 + value % 4);
    let (from, source) = place(document, other, 1 + query % 4);
    let long = VALUES[value as usize % VALUES.len()];
    let short = SHORT[value as usize % SHORT.len()];
    let query = QUERIES[query as usize % QUERIES.len()];
    let end = if document.kind(node) == Kind::Sequence { "/-" } else { "/new" };
    let mut given = Given {
        text: String::new(),
        patch: Patch::default(),
        replaced: HashSet::new(),
        commented: HashSet::new(),
        moved: None,
    };
    let matched = |query: &str| -> Vec<NodeId> {
        let query = Query::parse(query).unwrap();
        let found =
            apply::find_all(document, &query, 0, &mut QueryBudget::of_steps(100_000))
                .unwrap_or_default();
        found.into_iter().map(|(node, _)| node).collect()
    };
    let item = |fields: &str| format!("- note: &v0 [shared, &v1 x, *v1]\n  {fields}\n");
    let with_value = |fields: String| {
        let line_break = if long.ends_with('\n') { "" } else { "\n" };
        format!(
            "- note: &v0 [shared, &v1 x, *v1]\n  {fields}\n  value:{long}{line_break}"
        )
    };
    let mut extras = String::new();
    if matches!(language, Language::Ops) {
        if more % 5 == 0 {
            extras += "\n  optional: true";
        }
        match more / 5 % 12 {
            0 => extras += "\n  anchors: follow",
            1 => extras += "\n  anchors: refuse",
            _ => {}
        }
    }
    let mut comments = false;
    let new_comments = match more / 60 % 8 {
        0 => "\n  comment: new one",
        1 => "\n  comment_above: new above",
        2 => "\n  comment: ~",
        3 => "\n  comment_above: ~\n  comment: other",
        _ => "",
    };
    given.text = match language {
        Language::Ops => match kind % 14 {
            0 | 1 => {
                given.replaced.extend(clean(node));
                comments = true;
                with_value(format!(
                    "type: replace\n  path: \"{path}\"{extras}{new_comments}"
                ))
            }
            2 => with_value(
                format!("type: replace\n  path: \"{path}{end}?\"{extras}{new_comments}")
                    .replace("/-?", "/-"),
            ),
            3 => item(&format!("type: remove\n  path: \"{path}\"{extras}")),
            4 => item(&format!("type: remove\n  path: \"{path}/missing?\"{extras}")),
            5 => {
                comments = true;
                let fields = "\n  comment: here\n  comment_above: ~";
                item(&format!("type: replace\n  path: \"{path}\"{extras}{fields}"))
            }
            6 => {
                given.replaced.extend(clean(node));
                if ends_in_key(&path) {
                    given.commented.extend(clean(node));
                }
                item(&format!(
                    "type: copy\n  from: \"{from}\"\n  path: \"{path}\"{extras}"
                ))
            }
            7 => item(&format!(
                "type: move\n  from: \"{from}\"\n  path: \"{path}{end}\"{extras}"
            )),
            8 => {
                return combine(
                    document,
                    node,
                    "type: merge",
                    Some(&path),
                    given,
                    (value, &extras),
                    sources,
                );
            }
            9 => with_value(format!(
                "type: insert\n  unless: exists\n  path: \"{path}\"{extras}"
            )),
            10 => with_value(format!("type: insert\n  path: \"{path}:before\"{extras}")),
            11 => {
                given.replaced.extend(matched(query).into_iter().filter_map(clean));
                with_value(format!("type: replace\n  path: \"{query}\"{extras}"))
            }
            12 => item(&format!("type: remove\n  path: \"{query}\"{extras}")),
            _ => item(&format!(
                "type: copy\n  from: \"{query}\"\n  path: \"{path}{end}\"{extras}"
            )),
        },
        Language::JsonPatch => match kind % 7 {
            0 => {
                if ends_in_key(&path) {
                    given.replaced.extend(clean(node));
                }
                with_value(format!("op: add\n  path: \"{path}\""))
            }
            1 => with_value(format!("op: add\n  path: \"{path}{end}\"")),
            2 => item(&format!("op: remove\n  path: \"{path}\"")),
            3 => {
                given.replaced.extend(clean(node));
                with_value(format!("op: replace\n  path: \"{path}\""))
            }
            4 => {
                if ends_in_key(&path) {
                    given.replaced.extend(clean(node));
                }
                if ends_in_key(&path) {
                    given.commented.extend(clean(node));
                }
                item(&format!("op: move\n  from: \"{from}\"\n  path: \"{path}\""))
            }
            5 => item(&format!("op: move\n  from: \"{from}\"\n  path: \"{path}{end}\"")),
            _ => item(&format!("op: copy\n  from: \"{from}\"\n  path: \"{path}{end}\"")),
        },
        Language::MergePatch => {
            return combine(
                document,
                document.root(),
                "",
                None,
                given,
                (way, &path),
                sources,
            );
        }
        Language::Overlay => {
            let action = match kind % 4 {
                0 => "remove: true".to_owned(),
                1 => format!("copy: \"{}\"", QUERIES[way as usize % QUERIES.len()]),
                _ => format!("update: {short}"),
            };
            if kind % 4 != 0 {
                for node in matched(query) {
                    if document.kind(node) == Kind::Scalar {
                        given.replaced.extend(clean(node));
                    } else {
                        values(document, node, false, &mut given.replaced);
                    }
                }
            }
            format!(
                "overlay: 1.1.0\ninfo: {{title: t, version: v}}\nactions:\n- target: \"{query}\"\n  {action}\n"
            )
        }
        Language::Argument => {
            let (verb, text) = match kind % 6 {
                0 => (Verb::Set, format!("{path}={short}")),
                1 => (Verb::SetString, format!("{path}={short}")),
                2 => (Verb::Set, format!("{path}{end}?={short}").replace("/-?", "/-")),
                3 => (Verb::Remove, path.clone()),
                4 => (Verb::Append, format!("{path}={short}")),
                _ => (
                    if way % 2 == 0 { Verb::Move } else { Verb::Copy },
                    format!("{from}={path}{end}"),
                ),
            };
            if kind % 6 < 2 {
                given.replaced.extend(clean(node));
            }
            given.patch =
                language::argument(sources, verb, &text, &Options::default()).ok()?;
            given.text = format!("{} {text}", verb.option());
            given.moved = clean(source).filter(|_| matches!(verb, Verb::Move));
            return Some(given);
        }
    };
    if given.text.contains(": move") {
        given.moved = clean(source);
    }
    if comments && (given.text.contains("\n  comment")) {
        given.commented.extend(clean(node));
    }
    compiled(given, sources)
}

fn compiled(mut given: Given, sources: &mut Sources) -> Option<Given> {
    let id = sources.add("ops.yml", given.text.clone());
    let ops = yaml::read(sources, id, &Options::default()).ok()?;
    given.patch = language::patch(&ops, "ops.yml").ok()?;
    Some(given)
}

/// A patch that combines what is at a path with a mapping of one or two keys that are there.
fn combine(
    document: &Tree,
    node: NodeId,
    kind: &str,
    path: Option<&str>,
    mut given: Given,
    (value, rest): (u32, &str),
    sources: &mut Sources,
) -> Option<Given> {
    let long = VALUES[value as usize % VALUES.len()];
    let mut text = String::new();
    let (mut at, mut indent) = (node, if path.is_some() { 4 } else { 0 });
    let mut way = value;
    let keys = loop {
        let pairs = document.pairs(at);
        let pairs: Vec<_> = pairs
            .into_iter()
            .filter(|(key, _)| matches!(document.scalar(*key), Scalar::String(_)))
            .collect();
        if pairs.is_empty() {
            break None;
        }
        let (key, inner) = pairs[way as usize % pairs.len()];
        way = way / 3 + 5;
        let Scalar::String(name) = document.scalar(key) else { break None };
        let name = escape(&name).replace("~1", "/").replace("~7", ":").replace("~0", "~");
        if document.kind(inner) == Kind::Mapping && way % 3 != 0 {
            text += &format!("{}\"{name}\":\n", " ".repeat(indent));
            (at, indent) = (inner, indent + 2);
            continue;
        }
        break Some((name, inner));
    };
    // A value that is written again may be spelled anew.
    let pad = " ".repeat(indent);
    let line_break = if long.ends_with('\n') { "" } else { "\n" };
    let long: Vec<String> = long.lines().map(|line| line.to_owned()).collect();
    let long = long.join(&format!("\n{}", " ".repeat(indent)))
        + line_break
        + if long.len() > 1 { "\n" } else { "" };
    if let Some((name, inner)) = keys {
        text += &format!("{pad}\"{name}\":{long}");
        given.replaced.extend(clean(inner));
        // Mappings that meet are combined.
        if document.kind(inner) == Kind::Mapping && (long.contains(": ")) {
            given.replaced.clear();
            values(document, inner, true, &mut given.replaced);
        }
    } else {
        given.replaced.extend(clean(at));
    }
    if way % 2 == 0 {
        text += &format!("{pad}brandnew:{long}");
    } else if way % 5 == 0 && path.is_none() {
        text += &format!("{pad}gone: ~\n");
    }
    if document.kind(node) != Kind::Mapping {
        given.replaced.extend(clean(node));
    }
    given.text = match path {
        Some(path) => format!(
            "- {kind}\n  note: &v0 [a, &v1 x]\n  path: \"{path}\"{rest}\n  value:\n{text}"
        ),
        None => format!("{text}{pad}x: 1\n"),
    };
    if path.is_some() {
        return compiled(given, sources);
    }
    given.text = text;
    let id = sources.add("merge.yml", given.text.clone());
    let patch = yaml::read(sources, id, &Options::default()).ok()?;
    given.patch = language::merge_patch(&patch).ok()?;
    Some(given)
}

/// Notes the values in nested mappings that may be replaced: scalars, and `lists` too unless
/// lists are joined.
fn values(document: &Tree, node: NodeId, lists: bool, noted: &mut HashSet<Index>) {
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        for (_, value) in document.pairs(node) {
            let kind = document.kind(value);
            if kind == Kind::Scalar || lists && kind == Kind::Sequence {
                noted.extend(clean(value));
            }
            todo.push(value);
        }
    }
}

/// Returns true if a path ends in a key.
fn ends_in_key(path: &str) -> bool {
    // A generated key of digits is a number, to which no path leads.
    path.rsplit('/').next().is_some_and(|token| token.parse::<u32>().is_err())
}

fn clean(node: NodeId) -> Option<Index> {
    match node {
        NodeId::Clean(_, i) => Some(i),
        NodeId::Opened(_) => None,
    }
}

/// A node of each text, and the entries whose values they are.
type Pair = (Index, Index, Option<(Entry, Entry)>);

/// The way of both texts in parallel.
struct Comparison<'a> {
    old: Written<'a>,
    new: Written<'a>,
    trees: (&'a Tree, &'a Tree),
    given: &'a Given,
    /// Equal items are aligned from the first (0) or the last (1), or items by number (2).
    alignment: u8,
    /// The item that is aligned with none.
    moved: Option<Index>,
    /// True if a new entry at the top of a document does not own the comment above it.
    keeps_head: bool,
    /// True if a comment has to move since the new value would contain it.
    is_unsettled: bool,
    cuts: (Vec<Range<usize>>, Vec<Range<usize>>),
    /// Aliases that were written out although their values are the same.
    written_out: Vec<Index>,
    /// The nodes whose data differ.
    changed: HashSet<Index>,
    /// The nodes that have an alias less.
    lost_aliases: HashSet<Index>,
    /// The nodes that have no anchor any more.
    lost_anchors: Vec<Index>,
    todo: Vec<Pair>,
}

impl<'a> Comparison<'a> {
    fn new(
        old: &'a Tree,
        new: &'a Tree,
        given: &'a Given,
        (alignment, keeps_head): (u8, bool),
    ) -> Self {
        Comparison {
            old: Written(old.base()),
            new: Written(new.base()),
            trees: (old, new),
            given,
            alignment,
            moved: None,
            keeps_head,
            is_unsettled: false,
            cuts: Default::default(),
            written_out: Vec::new(),
            changed: HashSet::new(),
            lost_aliases: HashSet::new(),
            lost_anchors: Vec::new(),
            todo: Vec::new(),
        }
    }

    fn run(&mut self) {
        let roots =
            |tree: &Tree| tree.roots().iter().filter_map(|&root| clean(root)).collect();
        let (old, new): (Vec<Index>, Vec<Index>) =
            (roots(self.trees.0), roots(self.trees.1));
        self.todo.extend(old.into_iter().zip(new).map(|(old, new)| (old, new, None)));
        while let Some((old, new, entries)) = self.todo.pop() {
            self.pair(old, new, entries);
        }
    }

    fn pair(&mut self, i: Index, j: Index, entries: Option<(Entry, Entry)>) {
        let [old, new] = [self.old.0.style(i), self.new.0.style(j)];
        if let Some((old, new)) = entries
            && (self.given.commented.contains(&i))
        {
            // The comment of an entry that comes to the top joins the head.
            self.is_unsettled |= self.new.has_head(new) && !self.old.has_head(old);
            let has_above = self.given.text.contains("comment_above: n");
            self.cuts.0.extend(self.old.comments(old, true));
            self.cuts.1.extend(self.new.comments(new, !has_above && self.keeps_head));
        }
        let is_same = same((self.old, i), (self.new, j));
        if old == Style::Alias && new == Style::Alias {
            let is_meant = is_same || self.given.replaced.contains(&i);
            if self.old.0.raw(i) != self.new.0.raw(j) && is_meant {
                // The name has come to stand for something else.
                self.cuts.0.extend(self.old.node(i, None));
                self.cuts.1.extend(self.new.node(j, None));
            }
            return;
        }
        if !is_same {
            self.changed.insert(i);
        }
        if old == Style::Alias {
            self.lost_aliases.insert(self.old.0.target(i));
        } else if self.old.0.anchor(i).is_some() && self.new.0.anchor(j).is_none() {
            self.lost_anchors.push(i);
        }
        if old == Style::Alias && is_same && !self.given.replaced.contains(&i) {
            self.written_out.push(i);
        }
        let kind = |written: Written<'_>, i: Index| match written.0.style(i) {
            _ if written.entries(i).is_empty() => 0,
            Style::BlockMapping => 1,
            Style::BlockSequence => 2,
            Style::FlowMapping => 3,
            Style::FlowSequence => 4,
            Style::FlowPair => 5,
            _ => 0,
        };
        let kinds = [kind(self.old, i), kind(self.new, j)];
        let is_scalar = kinds == [0, 0];
        if self.given.replaced.contains(&i)
            || kinds[0] != kinds[1]
            || is_scalar && !is_same
            || old == Style::Alias
        {
            let is_alike = old.is_mapping() && new.is_mapping()
                || old.is_sequence() && new.is_sequence();
            let is_emptied =
                is_alike && kinds.contains(&0) && !self.given.replaced.contains(&i);
            let entries = entries.unzip();
            let cut = |written: Written<'_>, i: Index, entry: Option<Entry>| {
                let inside = written.entries(i);
                if !is_emptied {
                    let below = entry.map(|entry| written.below(entry));
                    return written.node(i, entry).into_iter().chain(below).collect();
                }
                let style = written.0.style(i);
                let mut cuts: Vec<_> = inside
                    .into_iter()
                    .flat_map(|entry| written.entry(i, entry, true))
                    .collect();
                if style.is_flow() {
                    let node = &written.0.nodes()[i as usize];
                    let (start, end) = (node.start, node.end);
                    cuts.extend([
                        start as usize..start as usize + 1,
                        end as usize - 1..end as usize,
                    ]);
                }
                cuts
            };
            if let Some(entry) = entries.0
                && (is_emptied || matches!(new, Style::Literal | Style::Folded))
                && !self.old.below(entry).is_empty()
            {
                self.is_unsettled = true;
            }
            if old == Style::Alias
                && entries.0.is_some_and(|entry| {
                    self.old
                        .comments(entry, true)
                        .iter()
                        .all(|at| !self.old.text()[at.clone()].contains('#'))
                })
                && let Some(indicator) = self.new.indicator(j)
            {
                // The comment above its first entry may stand on the line of a `-`.
                let start = self.new.0.nodes()[j as usize].start as usize;
                self.cuts.1.push(indicator + 1..start.max(indicator + 1));
            }
            let indicators = [self.old.indicator(i), self.new.indicator(j)];
            if let [None, Some(colon)] = indicators {
                self.cuts.1.push(colon..colon + 1);
            }
            self.cuts.0.extend(cut(self.old, i, entries.0));
            self.cuts.1.extend(cut(self.new, j, entries.1));
        } else if !is_scalar {
            self.children(i, j);
        }
    }

    fn children(&mut self, i: Index, j: Index) {
        let (old, new) = (self.old.entries(i), self.new.entries(j));
        let is_mapping = self.old.0.style(i).is_mapping();
        let by_number = |of: &[Entry], one: &Entry| {
            of.iter().position(|entry| entry.first == one.first)
        };
        let score = |a: &Entry, b: &Entry| {
            if is_mapping {
                u64::from(same((self.old, a.first), (self.new, b.first)))
            } else if self.moved == Some(a.value) {
                0
            } else if self.alignment == 2 {
                u64::from(by_number(&old, a) == by_number(&new, b))
            } else if self.given.replaced.contains(&a.value)
                && self.given.text.contains("replace")
            {
                2
            } else {
                likeness((self.old, a.value), (self.new, b.value), self.moved)
            }
        };
        // The best alignment of both lists.
        let mut best = vec![vec![0_u64; new.len() + 1]; old.len() + 1];
        for a in (0..old.len()).rev() {
            for b in (0..new.len()).rev() {
                let pair = score(&old[a], &new[b]);
                let with = if pair > 0 { pair + best[a + 1][b + 1] } else { 0 };
                best[a][b] = with.max(best[a + 1][b]).max(best[a][b + 1]);
            }
        }
        let (mut a, mut b) = (0, 0);
        while a < old.len() || b < new.len() {
            let pairs = a < old.len() && b < new.len() && {
                let pair = score(&old[a], &new[b]);
                let skips = best[a + 1][b].max(best[a][b + 1]);
                let with = if pair > 0 { pair + best[a + 1][b + 1] } else { 0 };
                pair > 0 && with == best[a][b] && (self.alignment != 1 || with > skips)
            };
            if pairs {
                self.todo.push((old[a].value, new[b].value, Some((old[a], new[b]))));
                (a, b) = (a + 1, b + 1);
            } else if b == new.len()
                || a < old.len()
                    && best[a + 1][b] == best[a][b]
                    && (self.alignment != 1 || best[a][b + 1] != best[a][b])
            {
                self.cuts.0.extend(self.old.entry(i, old[a], true));
                a += 1;
            } else {
                // A comment that comes along to the top becomes a part of the head.
                let is_top =
                    b == 0 && old.first().is_some_and(|first| self.old.has_head(*first));
                let is_top = is_top && self.new.has_head(new[b]);
                self.is_unsettled |= is_top && self.given.text.contains("from");
                self.cuts.1.extend(self.new.entry(j, new[b], self.keeps_head));
                b += 1;
            }
        }
    }

    /// Compares what is outside of the cuts.
    fn judge(&mut self) -> Result<(), String> {
        let cuts = self.cuts.0.clone();
        let touched = |range: Range<usize>| {
            cuts.iter().any(|cut| cut.start < range.end && range.start < cut.end)
        };
        for &alias in &self.written_out {
            let anchor = self.old.0.target(alias);
            let (start, end) = self.old.0.extent(anchor);
            let is_touched = touched(start as usize..end as usize);
            let inside = anchor..self.old.0.next(anchor);
            let is_meant =
                |i: Index| self.changed.contains(&i) || self.given.replaced.contains(&i);
            if !is_touched && !inside.into_iter().any(is_meant) {
                return Err(format!(
                    "the alias '{}' is written out for nothing",
                    self.old.0.raw(alias)
                ));
            }
        }
        let copies =
            self.given.text.contains("copy") || self.given.text.starts_with("--cp");
        // The first alias that is written out takes over the anchor.
        for &i in &self.lost_anchors {
            let is_gone = |&&(alias, target): &&(Index, Index)| {
                let (start, end) = self.old.0.extent(alias);
                target == i && touched(start as usize..end as usize)
            };
            let is_lost = self.lost_aliases.contains(&i)
                || self.changed.contains(&i) && copies
                || self.old.0.aliases().iter().any(|pair| is_gone(&pair));
            if !is_lost {
                continue;
            }
            let anchor = self.old.0.props(i).map(|props| props.anchor);
            self.cuts
                .0
                .extend(anchor.map(|(start, end)| start as usize - 1..end as usize));
        }
        let old = Kept::new(self.old.text(), &mut self.cuts.0);
        let new = Kept::new(self.new.text(), &mut self.cuts.1);
        old.compare(&new)
    }
}

/// Returns how much of one value is in another; 0 if it is another value. What moved out of
/// the old one is not looked for.
fn likeness(
    old: (Written<'_>, Index),
    new: (Written<'_>, Index),
    moved: Option<Index>,
) -> u64 {
    let moved = moved.map_or(0..0, |moved| moved..old.0.0.next(moved));
    let leaves =
        |(written, i): (Written<'_>, Index), gone: Range<Index>| -> Vec<String> {
            let i = written.0.target(i);
            let inside = i..written.0.next(i);
            inside
                .filter(|i| !gone.contains(i))
                .filter(|&i| {
                    !written.0.style(i).is_mapping() && !written.0.style(i).is_sequence()
                })
                .map(|i| written.0.raw(i).to_owned())
                .collect()
        };
    let (a, mut b) = (leaves(old, moved), leaves(new, 0..0));
    let common = a.iter().filter(|leaf| {
        b.iter().position(|other| other == *leaf).map(|at| b.swap_remove(at)).is_some()
    });
    let (x, mut y) =
        (old.0.entries(old.0.0.target(old.1)), new.0.entries(new.0.0.target(new.1)));
    let direct = x.iter().filter(|x| {
        let found = y.iter().position(|y| same((old.0, x.first), (new.0, y.first)));
        found.map(|at| y.swap_remove(at)).is_some()
    });
    let direct = direct.count() as u64;
    // An alias that is written out is as good as its node.
    let kind = |(written, i): (Written<'_>, Index)| {
        let style = written.0.style(written.0.target(i));
        (style.is_mapping(), style.is_sequence())
    };
    let is_alike = kind(old) == kind(new);
    let is_same = !a.is_empty() && same(old, new);
    1_000_000 * u64::from(is_same)
        + 1
        + 10 * common.count() as u64
        + 1000 * u64::from(is_alike)
        + 5000 * direct
}

/// Returns true if two values have the same data in the same order. Recursive: generated
/// documents are shallow.
fn same((a, i): (Written<'_>, Index), (b, j): (Written<'_>, Index)) -> bool {
    let (i, j) = (a.0.target(i), b.0.target(j));
    let kind = |written: Written<'_>, i| {
        let style = written.0.style(i);
        (style.is_mapping(), style.is_sequence())
    };
    if kind(a, i) != kind(b, j) || a.0.resolved_tag(i) != b.0.resolved_tag(j) {
        return false;
    }
    if kind(a, i) == (false, false) {
        return a.0.scalar(i).identity() == b.0.scalar(j).identity();
    }
    let (x, y) = (a.entries(i), b.entries(j));
    x.len() == y.len()
        && x.iter().zip(&y).all(|(x, y)| {
            (x.first == x.value || same((a, x.first), (b, y.first)))
                && same((a, x.value), (b, y.value))
        })
}

/// The bytes of a text outside of its cuts, but blanks, commas and line breaks.
struct Kept<'a> {
    text: &'a str,
    at: Vec<usize>,
    cuts: &'a [Range<usize>],
}

impl<'a> Kept<'a> {
    fn new(text: &'a str, cuts: &'a mut Vec<Range<usize>>) -> Kept<'a> {
        cuts.retain(|cut| cut.start < cut.end);
        cuts.sort_unstable_by_key(|cut| cut.start);
        let mut is_cut = vec![false; text.len()];
        for cut in &*cuts {
            is_cut[cut.clone()].fill(true);
        }
        let blank =
            |char: char| matches!(char, ' ' | '\t' | '\n' | '\r' | ',' | '\u{feff}');
        let at = text.char_indices();
        let at = at.filter(|&(at, char)| !is_cut[at] && !blank(char)).map(|(at, _)| at);
        Kept { text, at: at.collect(), cuts }
    }

    fn compare(&self, new: &Kept<'_>) -> Result<(), String> {
        let byte = |kept: &Kept<'_>, k: usize| kept.text[kept.at[k]..].chars().next();
        let count = self.at.len().min(new.at.len());
        let differs = (0..count).find(|&k| byte(self, k) != byte(new, k));
        if let Some(k) = differs.or((self.at.len() != new.at.len()).then_some(count)) {
            return Err(format!(
                "outside of the touched entries:\n{}\nbecame\n{}",
                self.around(k),
                new.around(k)
            ));
        }
        for k in 0..=count {
            let (a, b) = (self.gap(k), new.gap(k));
            let (old, new_gap) = (&self.text[a.clone()], &new.text[b.clone()]);
            if self.is_cut(&a) || new.is_cut(&b) {
                // A text that begins a line keeps its indentation.
                let indent = |gap: &str| {
                    gap.rsplit_once('\n').map(|(_, indent)| indent.to_owned())
                };
                if let (Some(x), Some(y)) =
                    (indent(&self.text[..a.end]), indent(&new.text[..b.end]))
                    && k < count
                    && x.bytes().all(|byte| byte == b' ')
                    && y.bytes().all(|byte| byte == b' ')
                    && x != y
                {
                    return Err(format!("another indentation of\n{}", self.around(k)));
                }
            } else if old.replace(',', "") != new_gap.replace(',', "") {
                return Err(format!(
                    "blanks {old:?} became {new_gap:?} at\n{}",
                    self.around(k)
                ));
            }
        }
        Ok(())
    }

    /// Returns the bytes between two that are kept.
    fn gap(&self, k: usize) -> Range<usize> {
        let from = match k {
            0 => 0,
            _ => {
                let before = self.at[k - 1];
                before + self.text[before..].chars().next().map_or(0, char::len_utf8)
            }
        };
        from..self.at.get(k).copied().unwrap_or(self.text.len())
    }

    fn is_cut(&self, gap: &Range<usize>) -> bool {
        self.cuts
            .iter()
            .any(|cut| cut.start < gap.end.max(gap.start + 1) && gap.start < cut.end)
    }

    fn around(&self, k: usize) -> String {
        let at = self.at.get(k).copied().unwrap_or(self.text.len());
        let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..].lines().take(2).collect::<Vec<_>>().join("\n")
    }
}
