//! Merges two versions of a commented document that change different entries, and add lines
//! above the first one and at the end. Each comment and each blank line is in the result as
//! often as the changes of both sides say, and the comments of an entry stand beside it.

use std::collections::{BTreeMap, BTreeSet};

use interpolate::unstable::source::Sources;
use interpolate::unstable::three_way::merge;
use interpolate::unstable::yaml::{self, Options};

use crate::text::Choices;

/// Maximum depth of a collection.
const DEPTH: u32 = 3;

/// An entry with what stands around it.
#[derive(Clone)]
struct Entry {
    /// A key or an item that no other entry has.
    name: String,
    /// Blank lines, and comments that stand apart from the entry.
    gap: Vec<Option<usize>>,
    leading: Vec<usize>,
    trailing: Option<usize>,
    value: Value,
    /// The number of the side that may change it; 2 for none.
    side: u32,
    /// True if it is not as in the base, or if its value may not be.
    is_changed: bool,
    /// True if the lines above it are as in the base wherever it stands.
    is_moved: bool,
}

impl Entry {
    /// Keeps the entries of the value from changes.
    // Recursive: the depth is bounded by a constant.
    fn close(&mut self) {
        if let Value::Mapping(inner) | Value::List(inner) = &mut self.value {
            for entry in inner {
                entry.side = 2;
                entry.close();
            }
        }
    }
}

#[derive(Clone)]
enum Value {
    Scalar(u32),
    /// An item of a list without a value of its own.
    Item,
    Mapping(Vec<Entry>),
    List(Vec<Entry>),
}

/// A document, which has lines below its entries.
#[derive(Clone)]
struct WholeDocument {
    entries: Vec<Entry>,
    end: Vec<Option<usize>>,
}

impl WholeDocument {
    fn last(&self) -> Option<&String> {
        self.entries.last().map(|entry| &entry.name)
    }
}

/// Makes names and comments that differ from each other.
struct Maker<'c, 'n> {
    choices: &'c mut Choices<'n>,
    next: usize,
}

impl Maker<'_, '_> {
    fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn entry(&mut self, is_item: bool, depth: u32) -> Entry {
        let number = self.number();
        let value = match self.choices.next(4) {
            0 if depth > 0 && !is_item => {
                Value::Mapping(self.collection(false, depth - 1))
            }
            1 if depth > 0 && !is_item => Value::List(self.collection(true, depth - 1)),
            _ if is_item => Value::Item,
            _ => Value::Scalar(self.choices.next(100)),
        };
        let name = format!("{}{number}", if is_item { "v" } else { "k" });
        let leading = (0..self.choices.next(3)).map(|_| self.number()).collect();
        let trailing = self.choices.chance(30).then(|| self.number());
        let gap = if self.choices.chance(40) { self.gap() } else { Vec::new() };
        Entry {
            name,
            gap,
            leading,
            trailing,
            value,
            side: self.choices.next(2),
            is_changed: false,
            is_moved: false,
        }
    }

    fn gap(&mut self) -> Vec<Option<usize>> {
        match self.choices.next(3) {
            0 => vec![None, Some(self.number()), None],
            1 => vec![None, None],
            _ => vec![None],
        }
    }

    /// Returns entries. The first one is changed by no side.
    // Recursive: the depth is bounded by a constant.
    fn collection(&mut self, is_list: bool, depth: u32) -> Vec<Entry> {
        let value = if is_list { Value::Item } else { Value::Scalar(0) };
        let name = format!("{}{}", if is_list { "v" } else { "k" }, self.number());
        let first = Entry {
            name,
            gap: Vec::new(),
            leading: Vec::new(),
            trailing: None,
            value,
            side: 2,
            is_changed: false,
            is_moved: false,
        };
        let count = self.choices.next(5);
        let rest = (0..count).map(|_| self.entry(is_list, depth)).collect::<Vec<_>>();
        [vec![first], rest].concat()
    }

    fn document(&mut self) -> WholeDocument {
        let mut entries = self.collection(false, DEPTH);
        entries[0].leading = (0..self.choices.next(3)).map(|_| self.number()).collect();
        let end = if self.choices.chance(50) { self.gap() } else { Vec::new() };
        WholeDocument { entries, end }
    }

    /// Adds lines where the other side may add some, too. Returns the number of blank lines.
    fn add(&mut self, document: &mut WholeDocument) -> usize {
        let first = &mut document.entries[0];
        let mut blank = 0;
        if self.choices.chance(30) {
            first.leading.push(self.number());
        }
        if self.choices.chance(30) {
            first.gap.extend(first.leading.drain(..).map(Some));
            first.gap.push(None);
            blank += 1;
        }
        if self.choices.chance(50) {
            let new = self.gap();
            blank += new.iter().filter(|line| line.is_none()).count();
            document.end.extend(new);
        }
        if self.choices.chance(30) {
            document.end.push(Some(self.number()));
        }
        blank
    }

    /// Changes one entry that a side may change.
    fn change(&mut self, entries: &mut Vec<Entry>, side: u32) {
        let at = self.choices.next(entries.len() as u32) as usize;
        let entry = &mut entries[at];
        if let Value::Mapping(inner) | Value::List(inner) = &mut entry.value
            && self.choices.chance(70)
        {
            entry.is_changed = true;
            return self.change(inner, side);
        }
        if entries[at].side != side {
            return;
        }
        let kind = self.choices.next(10);
        let has_loose = entries.iter().flat_map(|it| &it.gap).any(Option::is_some);
        let entry = &mut entries[at];
        // The gap of a removed entry stays, which the other side must not have changed.
        let was_changed = std::mem::replace(&mut entry.is_changed, true);
        match kind {
            0 => {
                if let Value::Scalar(value) = &mut entry.value {
                    *value = 1000 + self.choices.next(1000);
                }
            }
            1 if was_changed
                || matches!(entry.value, Value::Mapping(_) | Value::List(_)) => {}
            1 => {
                let gap = entries.remove(at).gap;
                // A comment that stands apart stays.
                if let Some(next) = entries.get_mut(at) {
                    next.gap = [gap, std::mem::take(&mut next.gap)].concat();
                }
            }
            2 | 3 => {
                let is_item = matches!(entry.value, Value::Item);
                let side = entry.side;
                let new = Entry { side, is_changed: true, ..self.entry(is_item, 0) };
                entries.insert(at + 1, new);
            }
            // The first entry stays the first, which no side changes. A comment that stands apart
            // may stay or go with an entry that moves.
            8 if was_changed || has_loose => {}
            8 => {
                let moved = Entry { is_moved: true, ..entries.remove(at) };
                let to = 1 + self.choices.next(entries.len() as u32) as usize;
                entries.insert(to, moved);
            }
            // An entry with another name and another value is a new one.
            9 if was_changed => {}
            9 => {
                entry.name = format!("{}{}", &entry.name[..1], self.number());
                entry.close();
            }
            4 => entry.leading.push(self.number()),
            5 => drop(entry.leading.pop()),
            6 => entry.trailing = entry.trailing.is_none().then(|| self.number()),
            _ if entry.is_moved => {}
            _ if entry.gap.is_empty() => entry.gap = self.gap(),
            _ => entry.gap.clear(),
        }
    }
}

/// The text of a version, and where its comments belong.
#[derive(Default)]
struct Version {
    text: String,
    /// The entry that owns each comment; empty for one that stands apart.
    owners: BTreeMap<usize, String>,
    names: BTreeSet<String>,
    /// True if an entry stands at another place than in the base.
    has_moves: bool,
    /// Number of blank lines that were added where the other side may add some, too.
    shared_blank_lines: usize,
}

impl Version {
    fn of(document: &WholeDocument, step: usize) -> Version {
        let mut version = Version::default();
        version.write(&document.entries, 0, step);
        version.write_loose(&document.end, "");
        version
    }

    fn write_loose(&mut self, lines: &[Option<usize>], indent: &str) {
        for line in lines {
            if let Some(number) = line {
                self.owners.insert(*number, String::new());
                self.text += &format!("{indent}# c{number}.");
            }
            self.text.push('\n');
        }
    }

    // Recursive: the depth is bounded by a constant.
    fn write(&mut self, entries: &[Entry], column: usize, step: usize) {
        let indent = " ".repeat(column);
        for entry in entries {
            self.has_moves |= entry.is_moved;
            self.names.insert(entry.name.clone());
            self.write_loose(&entry.gap, &indent);
            for number in &entry.leading {
                self.owners.insert(*number, entry.name.clone());
                self.text += &format!("{indent}# c{number}.\n");
            }
            self.text += &match &entry.value {
                Value::Item => format!("{indent}- {}", entry.name),
                Value::Scalar(value) => format!("{indent}{}: {value}", entry.name),
                Value::Mapping(_) | Value::List(_) => format!("{indent}{}:", entry.name),
            };
            if let Some(number) = entry.trailing {
                self.owners.insert(number, entry.name.clone());
                self.text += &format!(" # c{number}.");
            }
            self.text.push('\n');
            if let Value::Mapping(inner) | Value::List(inner) = &entry.value {
                self.write(inner, column + step, step);
            }
        }
    }

    /// Returns the number of blank lines, and the comments that stand apart.
    fn loose_lines(&self) -> (usize, Vec<usize>) {
        let owners = self.owners.iter().filter(|(_, owner)| owner.is_empty());
        (self.blank_lines(), owners.map(|(&number, _)| number).collect())
    }

    fn blank_lines(&self) -> usize {
        self.text.lines().filter(|line| line.trim().is_empty()).count()
    }
}

/// Returns an error unless the merged texts have the comments of both sides. `steps`: the
/// indentation of each version.
pub fn check(shape: &[u32], sides: [&[u32]; 2], steps: [usize; 3]) -> Result<(), String> {
    let mut choices = Choices::new(shape);
    let mut maker = Maker { choices: &mut choices, next: 0 };
    let base = maker.document();
    let mut next = maker.next;
    let [mut ours, mut theirs] = [0, 1].map(|side: u32| {
        let mut document = base.clone();
        let mut choices = Choices::new(sides[side as usize]);
        let mut maker =
            Maker { choices: &mut choices, next: next + 1000 * (1 + side as usize) };
        for _ in 0..1 + maker.choices.next(4) {
            maker.change(&mut document.entries, side);
        }
        document
    });
    // What stands below an entry that is new at the end may be its own.
    let is_one_end = base.last() == ours.last() && base.last() == theirs.last();
    let [here, there] = [&mut ours, &mut theirs].map(|document| {
        next += 5000;
        let mut maker = Maker { choices: &mut choices, next };
        if is_one_end { maker.add(document) } else { 0 }
    });
    let ours = Version { shared_blank_lines: here, ..Version::of(&ours, steps[1]) };
    let theirs = Version { shared_blank_lines: there, ..Version::of(&theirs, steps[2]) };
    let base = Version::of(&base, steps[0]);
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        // Items that both sides changed at one place are a conflict.
        let Some(merged) = merged(&base, ours, theirs)? else { continue };
        let story = |why: String| {
            let texts = [&base.text, &ours.text, &theirs.text].map(String::as_str);
            format!("{why}\n{}---\n{merged}", texts.join("---\n"))
        };
        sound([&base, ours, theirs], &merged).map_err(story)?;
    }
    Ok(())
}

fn merged(
    base: &Version,
    ours: &Version,
    theirs: &Version,
) -> Result<Option<String>, String> {
    let mut sources = Sources::default();
    let read = |sources: &mut Sources, version: &Version| {
        let file = sources.add("version.yml", &version.text[..]);
        yaml::read(sources, file, &Options::default()).map_err(|_| version.text.clone())
    };
    let base = read(&mut sources, base)?;
    let ours = read(&mut sources, ours)?;
    let theirs = read(&mut sources, theirs)?;
    let merged = merge(&base, &ours, &theirs);
    Ok((!merged.has_conflicts()).then(|| merged.ours()))
}

/// Returns the entry that owns a comment of the merged text. It is unknown if the versions do
/// not agree: a comment that stood apart may be an entry's own in another version.
fn owner(number: usize, versions: [&Version; 3]) -> Option<&String> {
    let [base, ours, theirs] = versions.map(|version| version.owners.get(&number));
    match (base, ours, theirs) {
        (None, added, None) | (None, None, added) => added,
        (Some(base), Some(ours), Some(theirs)) => match (ours == base, theirs == base) {
            (true, _) => Some(theirs),
            (_, true) => Some(ours),
            _ => None,
        },
        _ => None,
    }
}

fn sound(versions: [&Version; 3], merged: &str) -> Result<(), String> {
    let [base, ours, theirs] = versions;
    let all: BTreeSet<usize> = [base, ours, theirs]
        .iter()
        .flat_map(|version| version.owners.keys().copied())
        .collect();
    // Lines that no entry owns stay if the entry below them moves, or go with it. Their changes
    // beside such an entry are not known.
    let has_moves = ours.has_moves || theirs.has_moves;
    let lines = versions.map(Version::loose_lines);
    let is_known = !has_moves || lines.iter().all(|it| *it == lines[0]);
    let is_loose = |number: &usize| {
        let owners = versions.map(|version| version.owners.get(number));
        owners.into_iter().flatten().any(String::is_empty)
    };
    for number in all.into_iter().filter(|number| is_known || !is_loose(number)) {
        let has = |version: &Version| version.owners.contains_key(&number);
        let wanted = if has(base) { has(ours) && has(theirs) } else { true };
        let comment = format!("# c{number}.");
        let found = merged.matches(&comment).count();
        if found != usize::from(wanted) {
            return Err(format!("{found} times {comment}"));
        }
        if let Some(owner) = owner(number, versions).filter(|owner| !owner.is_empty()) {
            let mut lines = merged.lines().skip_while(|line| !line.contains(&comment));
            let entry = lines.find(|line| !line.trim_start().starts_with('#'));
            if !entry.is_some_and(|line| line.contains(&owner[..])) {
                return Err(format!("{comment} is not at {owner}"));
            }
        }
    }
    let blank = merged.lines().filter(|line| line.trim().is_empty()).count();
    // The blank lines above a removed entry and those above one that moves there may be one.
    let has_removed =
        !base.names.is_subset(&ours.names) || !base.names.is_subset(&theirs.names);
    let is_known = is_known && !(has_moves && has_removed);
    let [before, here, there] = versions.map(Version::blank_lines);
    let most = here + there - before;
    // Those that both sides added at one place may be the same.
    let least = most - ours.shared_blank_lines.min(theirs.shared_blank_lines);
    if is_known && !(least..=most).contains(&blank) {
        return Err(format!("{blank} blank lines, not {least} to {most}"));
    }
    Ok(())
}
