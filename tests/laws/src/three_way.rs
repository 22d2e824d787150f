//! Merges three versions, and tests that no change is lost.

use std::collections::{BTreeMap, BTreeSet};

use interpolate::unstable::node::{Kind, NodeId, Tree};
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::three_way::{Conflict, Markers, Merged, merge};
use interpolate::unstable::yaml::{self, Options};

/// A value, its tags and aliases resolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Data {
    /// The value, and the text of a string.
    Scalar(String, Option<String>),
    List(Vec<Data>),
    /// Sorted by key.
    Mapping(Vec<(Data, Data)>),
    Tagged(String, Box<Data>),
}

/// The kind, the name and the namespace of an object of Kubernetes.
type ObjectName<'d> = [Option<&'d Data>; 3];

/// The beginning of what stands for the tag of a key.
const KEY: &str = "key ";

/// Maximum number of nodes of a document. Aliases can expand it without limit.
const MAX_NODES: usize = 5_000;

impl Data {
    fn of(tree: &Tree) -> Option<Vec<Data>> {
        let mut left = MAX_NODES;
        tree.roots().iter().map(|&root| Data::of_node(tree, root, &mut left)).collect()
    }

    fn of_node(tree: &Tree, node: NodeId, left: &mut usize) -> Option<Data> {
        *left = left.checked_sub(1)?;
        let data = match tree.kind(node) {
            Kind::Scalar => {
                let text = tree.string(node).map(|text| text.into_owned());
                Data::Scalar(format!("{:?}", tree.scalar(node).identity()), text)
            }
            Kind::Sequence => {
                let items = tree.items(node).into_iter();
                Data::List(
                    items
                        .map(|it| Data::of_node(tree, it, left))
                        .collect::<Option<_>>()?,
                )
            }
            Kind::Mapping => {
                let pairs = tree.pairs(node).into_iter().map(|(key, value)| {
                    Some(Data::entry(
                        Data::of_node(tree, key, left)?,
                        Data::of_node(tree, value, left)?,
                    ))
                });
                let mut pairs: Vec<_> = pairs.collect::<Option<_>>()?;
                pairs.sort();
                Data::Mapping(pairs)
            }
        };
        let tag = tree.tag(node).filter(|tag| !is_shown(tag));
        Some(match tag {
            Some(tag) => Data::Tagged(tag.into_owned(), Box::new(data)),
            None => data,
        })
    }

    /// Returns an entry. Tags in a key do not tell it from others: they are taken for one of
    /// the value.
    fn entry(key: Data, value: Data) -> (Data, Data) {
        let bare = key.without_tags();
        if bare == key {
            return (key, value);
        }
        (bare, Data::Tagged(format!("{KEY}{key:?}"), Box::new(value)))
    }

    fn without_tags(&self) -> Data {
        match self {
            Data::Scalar(..) => self.clone(),
            Data::List(items) => {
                Data::List(items.iter().map(Data::without_tags).collect())
            }
            Data::Mapping(pairs) => {
                let pair = |(k, v): &(Data, Data)| (k.without_tags(), v.without_tags());
                Data::Mapping(pairs.iter().map(pair).collect())
            }
            Data::Tagged(_, data) => data.without_tags(),
        }
    }

    /// Takes the tag of the key away. Returns the value of the entry, and that tag.
    fn split_key_tag(self) -> (Data, Option<String>) {
        match self {
            Data::Tagged(tag, value) if tag.starts_with(KEY) => (*value, Some(tag)),
            value => (value, None),
        }
    }

    fn with_key_tag(self, tag: Option<String>) -> Data {
        match tag {
            Some(tag) => Data::Tagged(tag, Box::new(self)),
            None => self,
        }
    }

    /// Returns the same data in a list order of its own.
    fn unordered(&self) -> Data {
        match self {
            Data::Scalar(..) => self.clone(),
            Data::List(items) => {
                let mut items: Vec<Data> = items.iter().map(Data::unordered).collect();
                items.sort();
                Data::List(items)
            }
            Data::Mapping(pairs) => {
                let pair = |(k, v): &(Data, Data)| (k.unordered(), v.unordered());
                Data::Mapping(pairs.iter().map(pair).collect())
            }
            Data::Tagged(tag, data) => {
                Data::Tagged(tag.clone(), Box::new(data.unordered()))
            }
        }
    }

    /// Returns true if a mapping has two equal keys.
    fn has_equal_keys(&self) -> bool {
        match self {
            Data::Scalar(..) => false,
            Data::List(items) => items.iter().any(Data::has_equal_keys),
            Data::Mapping(pairs) => {
                let keys: BTreeSet<&Data> = pairs.iter().map(|(key, _)| key).collect();
                keys.len() < pairs.len()
                    || pairs.iter().any(|(k, v)| k.has_equal_keys() || v.has_equal_keys())
            }
            Data::Tagged(_, data) => data.has_equal_keys(),
        }
    }

    fn get(&self, key: &Data) -> Option<&Data> {
        let Data::Mapping(pairs) = self else { return None };
        pairs.iter().find(|(k, _)| k == key).map(|(_, value)| value)
    }

    fn several_lines(&self) -> Option<&str> {
        let Data::Scalar(_, Some(text)) = self else { return None };
        text.trim_end_matches('\n').contains('\n').then_some(text)
    }

    /// Returns a mapping without an entry, and without the tags of its keys.
    fn without(&self, key: &str) -> Data {
        let Data::Mapping(pairs) = self else { return self.clone() };
        let is_other =
            |name: &Data| !matches!(name, Data::Scalar(_, Some(text)) if text == key);
        let others = pairs.iter().filter(|(name, _)| is_other(name));
        let untagged =
            others.cloned().map(|(name, value)| (name, value.split_key_tag().0));
        Data::Mapping(untagged.collect())
    }

    fn name(&self, key: &str) -> Option<&Data> {
        self.entry_named(key).filter(|name| matches!(name, Data::Scalar(..)))
    }

    fn entry_named(&self, key: &str) -> Option<&Data> {
        self.get(&Data::Scalar(format!("String({key:?})"), Some(key.to_owned())))
    }

    /// Returns the name of the object that a document of Kubernetes describes.
    fn object_name(&self) -> Option<ObjectName<'_>> {
        let metadata = self.entry_named("metadata")?;
        let name = metadata.name("name")?;
        Some([Some(self.name("kind")?), Some(name), metadata.name("namespace")])
    }
}

/// Returns true if a value shows that it has a tag.
fn is_shown(tag: &str) -> bool {
    let name = tag.strip_prefix("tag:yaml.org,2002:").unwrap_or(tag);
    ["!", "str", "int", "float", "bool", "null", "binary", "map", "seq"].contains(&name)
}

fn read(text: &str, dialect: Dialect) -> Option<Tree> {
    let mut sources = Sources::default();
    let file = sources.add("version.yml", text);
    yaml::read(&sources, file, &Options { dialect, ..Options::default() }).ok()
}

/// Merges three versions. Texts that cannot be read are no case.
pub fn check(texts: [&str; 3], dialect: Dialect) -> Result<(), String> {
    let [Some(base), Some(ours), Some(theirs)] = texts.map(|text| read(text, dialect))
    else {
        return Ok(());
    };
    let [b, o, t] = [&base, &ours, &theirs].map(Data::of);
    let (Some(b), Some(o), Some(t)) = (b, o, t) else { return Ok(()) };
    let same = |name: &str, merged: Merged, text: &str| {
        let clean = !merged.has_conflicts() && merged.marked(&Markers::default()) == text;
        if clean {
            Ok(())
        } else {
            Err(format!("{name}: {}", merged.marked(&Markers::default())))
        }
    };
    let [_, here, there] = texts;
    same("both sides equal", merge(&base, &ours, &ours), here)?;
    same("theirs unchanged", merge(&base, &ours, &base), here)?;
    same("ours unchanged", merge(&base, &base, &theirs), there)?;
    let merged = merge(&base, &ours, &theirs);
    let story = |why: &str| {
        let [base, ours, theirs] = texts;
        let (text, conflicts) = (merged.marked(&Markers::default()), &merged.conflicts);
        format!(
            "{why}\n--- base\n{base}--- ours\n{ours}--- theirs\n{theirs}--- merged\n{text}\
             --- conflicts {conflicts:?}"
        )
    };
    let data = |merged: &Merged| {
        let [ours, theirs] =
            [merged.ours(), merged.theirs()].map(|it| read(&it, dialect));
        Some([Data::of(&ours?)?, Data::of(&theirs?)?])
    };
    let Some([kept, other]) = data(&merged) else { return Err(story("unreadable")) };
    // Of two equal keys that are collections, each one stays: a person has to say which one
    // a change is for. The first of two other ones may have an anchor that the text needs.
    let is_mapping = |all: &Vec<Data>| matches!(&all[..], [data @ Data::Mapping(_)] if !data.has_equal_keys());
    let whole = matches!(&merged.conflicts[..], [conflict] if conflict.path.is_empty());
    let repeats = [&base, &ours, &theirs].into_iter().any(repeats_keys);
    let is_plain = [&b, &o, &t].into_iter().all(is_mapping) && !repeats;
    if whole && is_plain {
        return Err(story("the result cannot be written"));
    }
    if !merged.has_conflicts() && kept != other {
        return Err(story("no conflict, but two results"));
    }
    let streams = [&b, &o, &t, &kept, &other].iter().any(|all| all.len() != 1);
    if !streams {
        let both = Both { kept: Some(&kept[0]), other: Some(&other[0]) };
        let is_absent = |tree: &Tree| tree.is_absent(tree.root());
        // An empty document has no value yet: both sides may add to it. Where there was not
        // even a document, `---` adds one.
        let (is_new, adds_nothing): (bool, fn(&Tree) -> bool) = if is_absent(&base) {
            (true, is_absent)
        } else {
            // A null, with an anchor for example, is what the document was.
            (base.base().is_bare(0), |tree| tree.is_null(tree.root()))
        };
        let [no_ours, no_theirs] = [&ours, &theirs].map(adds_nothing);
        // A side may have removed a document of null: that is no null.
        let is_null = base.is_null(base.root()) && !is_absent(&base);
        let is_removed = is_null && (is_absent(&ours) || is_absent(&theirs));
        let is_open = is_removed || is_new && !(no_ours || no_theirs);
        let before = b.first().filter(|_| !is_open);
        let wrong = sound([before, Some(&o[0]), Some(&t[0])], both);
        wrong.map_err(|why| story(&why))?;
    }
    if streams && !merged.has_conflicts() {
        let [b, o, t] = [(&base, &b), (&ours, &o), (&theirs, &t)].map(|(tree, all)| {
            // A text with comments at most has no document.
            let is_absent = tree.roots().len() == 1 && tree.is_absent(tree.root());
            if is_absent { &[][..] } else { &all[..] }
        });
        sound_stream(b, [o, t], &kept)
            .and_then(|()| sound_stream(b, [t, o], &kept))
            .map_err(|why| story(&why))?;
    }
    let swapped = merge(&base, &theirs, &ours);
    let Some([swapped_kept, swapped_other]) = data(&swapped) else {
        return Err(story(&format!(
            "swapped, unreadable: {}",
            swapped.marked(&Markers::default())
        )));
    };
    // A stream that cannot be written is a conflict of the whole text: with the sides swapped
    // it may be one that can.
    let is_whole = |merged: &Merged| {
        let of_all = |it: &Conflict| it.document.is_none() && it.path.is_empty();
        merged.conflicts.iter().any(of_all)
    };
    if streams && is_whole(&merged) != is_whole(&swapped) {
        return Ok(());
    }
    // An item has another index in the other version, and a complex key other blanks
    // and line breaks.
    let paths = |merged: &Merged| {
        let varies = |c: char| c.is_ascii_digit() || c.is_whitespace();
        // A document is named as in ours, and the sides may name it differently.
        let path = |it: &Conflict| {
            // A key is named as in ours: null may be `~`, which is `~0` in a path, and a
            // complex key may have tags, and line breaks, which are escaped.
            let path = it.path.replace("\\n", " ").replace("~0", "");
            without_tags(&path).replace(varies, "")
        };
        merged.conflicts.iter().map(path).collect::<BTreeSet<String>>()
    };
    // Of equal keys, the one that a change is for depends on the side that has them.
    if repeats || [&b, &o, &t].into_iter().flatten().any(Data::has_equal_keys) {
        return Ok(());
    }
    let unordered =
        |all: &[Data]| all.iter().map(Data::unordered).collect::<BTreeSet<_>>();
    if paths(&merged) != paths(&swapped)
        || unordered(&kept) != unordered(&swapped_other)
        || unordered(&other) != unordered(&swapped_kept)
    {
        return Err(story(&format!(
            "swapped: {:?}\n{}",
            swapped.conflicts,
            swapped.marked(&Markers::default())
        )));
    }
    if !merged.has_conflicts() && !streams {
        let order = same_order(Some(&b[0]), &kept[0], &swapped_kept[0]);
        return order.map_err(|why| {
            story(&format!("swapped: {why}\n{}", swapped.marked(&Markers::default())))
        });
    }
    Ok(())
}

/// Returns true if a key is written twice in a mapping.
fn repeats_keys(tree: &Tree) -> bool {
    let arena = tree.base();
    arena.indices().filter(|&i| arena.style(i).is_mapping()).any(|i| {
        let mut seen = BTreeSet::new();
        let mut keys = arena.entries(i).map(|(key, _)| key);
        keys.any(|key| {
            if arena.raw(key) == "<<" {
                return false;
            }
            let key = NodeId::Clean(arena.file(), key);
            let key = Data::of_node(tree, key, &mut { MAX_NODES });
            !seen.insert(key.map(|key| key.without_tags()))
        })
    })
}

/// Returns a path without the tags in its keys.
fn without_tags(path: &str) -> String {
    let (mut kept, mut rest) = (String::new(), path);
    while let Some(at) = rest.find('!') {
        let (before, tag) = rest.split_at(at);
        kept += before;
        let begins = kept.is_empty() || kept.ends_with([' ', '[', '{', ',', '/', ':']);
        let end = if tag.starts_with("!<") {
            tag.find('>').map(|end| end + 1)
        } else {
            tag.find([' ', ',', ']', '}', '/'])
        };
        // A `!` inside of a word begins no tag.
        let end = if begins { end.unwrap_or(tag.len()) } else { 1 };
        kept += if begins { "" } else { "!" };
        rest = &tag[end..];
    }
    kept + rest
}

/// Returns an error if one side did no more than add documents, none of them twice, and the
/// merged stream does not have these and those of the other side.
fn sound_stream(
    base: &[Data],
    [side, other]: [&[Data]; 2],
    merged: &[Data],
) -> Result<(), String> {
    let [b, s] = [base, side].map(|all| all.iter().collect::<BTreeSet<_>>());
    let is_unique = b.len() == base.len() && s.len() == side.len();
    if !is_unique || !s.is_superset(&b) || side.is_empty() || other.is_empty() {
        return Ok(());
    }
    let [other, merged] = [other, merged].map(|all| all.iter().collect::<BTreeSet<_>>());
    let (mut wanted, mut found) = (&(&s - &b) | &other, merged.clone());
    if wanted == found {
        return Ok(());
    }
    // Two new documents that describe one object are merged.
    let [ours, theirs, both] = [&s, &other, &merged].map(|all| new_objects(all, &b));
    for (name, here) in ours {
        let Some(there) = theirs.get(&name) else { continue };
        let both = both.get(&name).copied();
        sound([None, Some(here), Some(there)], Both { kept: both, other: both })?;
        wanted.retain(|it| it != &here && it != there);
        found.retain(|it| Some(*it) != both);
    }
    if wanted == found { Ok(()) } else { Err("a change is lost in the stream".into()) }
}

/// Returns the documents that a side adds, by the objects that they describe.
fn new_objects<'d>(
    side: &BTreeSet<&'d Data>,
    base: &BTreeSet<&Data>,
) -> BTreeMap<ObjectName<'d>, &'d Data> {
    let new = side.iter().filter(|it| !base.contains(*it));
    new.filter_map(|it| Some((it.object_name()?, *it))).collect()
}

/// Returns an error if two merged values with the same data have items of the base in
/// different orders. Those that both sides added at one place may be in any order.
fn same_order(b: Option<&Data>, one: &Data, other: &Data) -> Result<(), String> {
    match (untagged(one), untagged(other)) {
        (Data::Mapping(pairs), other @ Data::Mapping(_)) => {
            let b = b.map(untagged);
            pairs.iter().try_for_each(|(key, value)| {
                let Some(there) = other.get(key) else { return Ok(()) };
                same_order(b.and_then(|b| b.get(key)), value, there)
            })
        }
        (Data::List(x), Data::List(y)) => {
            let Some(Data::List(base)) = b.map(untagged) else { return Ok(()) };
            let count =
                |items: &[Data], of: &Data| items.iter().filter(|it| *it == of).count();
            // An item that is there more often than in the base was added.
            let known = |items: &[Data]| {
                let is_known = |it: &&Data| {
                    count(base, it) > 0 && count(items, it) <= count(base, it)
                };
                items.iter().filter(is_known).cloned().collect::<Vec<Data>>()
            };
            let (x, y) = (known(x), known(y));
            if x == y { Ok(()) } else { Err(format!("order: {x:?} | {y:?}")) }
        }
        _ => Ok(()),
    }
}

/// The merged value with ours and with theirs at conflicts.
#[derive(Clone, Copy)]
struct Both<'d> {
    kept: Option<&'d Data>,
    other: Option<&'d Data>,
}

/// Returns an error if a change of one side is not in the merged value, and this is no
/// conflict.
fn sound([b, o, t]: [Option<&Data>; 3], both: Both<'_>) -> Result<(), String> {
    let Both { kept, other } = both;
    let wrong =
        |what: &str| Err(format!("{what}: {b:?} | {o:?} | {t:?} => {kept:?} {other:?}"));
    if o == t || b == t {
        return if kept == o && other == o { Ok(()) } else { wrong("not ours") };
    }
    if b == o {
        return if kept == t && other == t { Ok(()) } else { wrong("not theirs") };
    }
    if kept != other && kept == o && other == t {
        return Ok(());
    }
    let (Some(ours), Some(theirs), Some(kept), Some(other)) = (o, t, kept, other) else {
        return wrong("a change is lost");
    };
    match (ours, theirs, kept, other) {
        (
            Data::Tagged(x, o),
            Data::Tagged(y, t),
            Data::Tagged(z, kept),
            Data::Tagged(_, other),
        ) if x == y && x == z => {
            let b = match b {
                Some(Data::Tagged(_, b)) => Some(&**b),
                other => other,
            };
            let both = Both { kept: Some(kept), other: Some(other) };
            // The tag of the base may be another one.
            if b.is_some_and(|b| *b == **o || *b == **t) {
                return Ok(());
            }
            sound([b, Some(o), Some(t)], both)
        }
        (Data::Mapping(x), Data::Mapping(y), Data::Mapping(z), Data::Mapping(_)) => {
            if !b.is_none_or(|b| matches!(untagged(b), Data::Mapping(_))) {
                return wrong("two new mappings are merged");
            }
            let keys = x.iter().chain(y).chain(z).map(|(key, _)| key);
            let at = |of: Option<&Data>, key: &Data| -> Option<Data> {
                of.and_then(|of| untagged(of).get(key).cloned())
            };
            let without_tag = |value: &Data| value.clone().split_key_tag().0;
            let gone: Vec<Data> = match b.map(untagged) {
                Some(Data::Mapping(base)) => {
                    let is_gone =
                        |key: &Data| at(o, key).is_none() && at(t, key).is_none();
                    let gone = base.iter().filter(|(key, _)| is_gone(key));
                    gone.map(|(_, value)| without_tag(value)).collect()
                }
                _ => Vec::new(),
            };
            let whole = b;
            let has_new = |side: &[(Data, Data)], other, value: &Data| {
                side.iter().any(|(key, it)| {
                    let is_new = at(whole, key).is_none() && at(other, key).is_none();
                    is_new && without_tag(it) == *value
                })
            };
            let (ours_of, theirs_of) = (o, t);
            keys.collect::<BTreeSet<_>>().into_iter().try_for_each(|key| {
                let [mut b, o, t] = [b, o, t].map(|of| at(of, key));
                // What both sides renamed is one entry, with a conflict.
                match (&b, &o, &t) {
                    (None, Some(new), None) | (None, None, Some(new))
                        if gone.contains(&without_tag(new)) =>
                    {
                        let value = without_tag(new);
                        let of_both =
                            has_new(x, theirs_of, &value) && has_new(y, ours_of, &value);
                        if of_both {
                            let there = if o.is_some() { kept } else { other };
                            let is_there = there.get(key) == Some(new);
                            return if is_there {
                                Ok(())
                            } else {
                                wrong("a name is lost")
                            };
                        }
                    }
                    _ => {}
                }
                // Sides that gave the key one tag may differ in the value.
                let tags = [&o, &t].map(|side| Some(side.clone()?.split_key_tag().1));
                if let [Some(ours), Some(theirs)] = tags
                    && ours == theirs
                {
                    b = b.map(|b| b.split_key_tag().0.with_key_tag(ours));
                }
                let both = Both { kept: kept.get(key), other: other.get(key) };
                sound([b.as_ref(), o.as_ref(), t.as_ref()], both)
            })
        }
        (Data::List(x), Data::List(y), Data::List(z), Data::List(w)) => {
            let empty = Vec::new();
            let base = match b.map(untagged) {
                Some(Data::List(base)) => base,
                Some(_) => return wrong("two new lists are merged"),
                None => &empty,
            };
            sound_lists([base, x, y], [z, w]).or_else(|why| wrong(&why))
        }
        (Data::Scalar(..), Data::Scalar(..), Data::Scalar(..), Data::Scalar(..)) => {
            let lines = |data: Option<&Data>| {
                data.and_then(|it| it.several_lines().map(str::to_owned))
            };
            // One line of them may be left.
            let Data::Scalar(_, Some(m)) = kept else {
                return wrong("a change is lost");
            };
            let (Some(b), Some(o), Some(t)) = (lines(b), lines(o), lines(t)) else {
                return wrong("a change is lost");
            };
            let known: BTreeSet<&str> = b.lines().collect();
            let merged: BTreeSet<&str> = m.lines().collect();
            let new = o.lines().chain(t.lines()).filter(|line| !known.contains(line));
            match new.into_iter().find(|line| !merged.contains(line)) {
                Some(_) => wrong("a line is lost"),
                None => Ok(()),
            }
        }
        _ => wrong("a change is lost"),
    }
}

fn untagged(data: &Data) -> &Data {
    match data {
        Data::Tagged(_, data) => data,
        data => data,
    }
}

fn sound_lists(
    [b, o, t]: [&[Data]; 3],
    [kept, other]: [&[Data]; 2],
) -> Result<(), String> {
    let key = ["name", "id", "key"].into_iter().find(|key| {
        [b, o, t].iter().all(|items| {
            let names: Option<BTreeSet<&Data>> =
                items.iter().map(|it| it.name(key)).collect();
            names.is_some_and(|names| names.len() == items.len())
        })
    });
    if let Some(key) = key {
        let names = [b, o, t, kept, other].into_iter().flatten();
        let names: BTreeSet<&Data> = names.filter_map(|item| item.name(key)).collect();
        for items in [kept, other] {
            let there: BTreeSet<&Data> =
                items.iter().filter_map(|it| it.name(key)).collect();
            if there.len() != items.len() {
                return Err("a name is there twice".into());
            }
        }
        let at = |items: &'_ [Data], name: &Data| -> Option<Data> {
            items.iter().find(|item| item.name(key) == Some(name)).cloned()
        };
        // What both sides renamed is one item, with a conflict in its name.
        let is_gone = |item: &&Data| {
            let name = item.name(key);
            name.is_some_and(|name| at(o, name).is_none() && at(t, name).is_none())
        };
        let gone: Vec<Data> =
            b.iter().filter(is_gone).map(|item| item.without(key)).collect();
        let has_new = |side: &[Data], others: [&[Data]; 2], content: &Data| {
            side.iter().any(|item| {
                let is_new = item.name(key).is_some_and(|name| {
                    others.iter().all(|other| at(other, name).is_none())
                });
                is_new && item.without(key) == *content
            })
        };
        let [of_base, of_ours, of_theirs] = [b, o, t];
        return names.into_iter().try_for_each(|name| {
            let [b, o, t, kept, other] =
                [b, o, t, kept, other].map(|items| at(items, name));
            match (&b, &o, &t) {
                (None, Some(new), None) | (None, None, Some(new))
                    if gone.contains(&new.without(key)) =>
                {
                    let content = new.without(key);
                    let of_both = has_new(of_ours, [of_base, of_theirs], &content)
                        && has_new(of_theirs, [of_base, of_ours], &content);
                    if of_both {
                        let there = if o.is_some() { &kept } else { &other };
                        let is_there = there.as_ref() == Some(new);
                        return if is_there {
                            Ok(())
                        } else {
                            Err("a name is lost".into())
                        };
                    }
                }
                _ => {}
            }
            let both = Both { kept: kept.as_ref(), other: other.as_ref() };
            sound([b.as_ref(), o.as_ref(), t.as_ref()], both)
        });
    }
    let count =
        |items: &[Data], of: &Data| items.iter().filter(|item| *item == of).count();
    let scalars =
        [b, o, t].into_iter().flatten().filter(|it| matches!(it, Data::Scalar(..)));
    for item in scalars.collect::<BTreeSet<_>>() {
        let [b, o, t, kept] = [b, o, t, kept].map(|items| count(items, item));
        let added = o > b || t > b;
        let removed = o < b || t < b;
        if added && kept == 0 || removed && !added && kept >= b.max(1) {
            return Err(format!("item {item:?}"));
        }
    }
    Ok(())
}
