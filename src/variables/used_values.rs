//! The values of the variables that a document uses, as texts that stand in other texts, and
//! `((names))` put back where these still stand in an edited text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hashbrown::HashSet;

use super::bindings::Bindings;
use super::definition::FillOptions;
use super::store::Store;
use super::syntax::{is_whole, may_have_uses, uses, variable};
use super::value_search::{ValueSearch, named_texts};
use crate::compare::{Numbering, align};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;
use crate::source::{World, replace_ranges};
use crate::yaml::Expansion;

/// The values of the variables that a document uses, by full name, and those of the
/// vars-store.
// There is no `Debug`: a secret must not get into a log.
#[derive(Default)]
pub struct UsedValues {
    values: BTreeMap<String, UsedValue>,
    /// The texts of the vars-store, by the names that lead to them.
    stored: Vec<(String, String)>,
    /// Its other texts, with the paths to them.
    nameless: Vec<(String, String)>,
    /// The variables that were generated in this run: no edited copy has their values.
    generated: BTreeSet<String>,
}

/// A value as the text that stands for a variable within another text.
struct UsedValue {
    text: String,
    is_string: bool,
}

impl UsedValues {
    /// Returns the values that a document was filled in with.
    ///
    /// # Example
    /// ```
    /// use interpolate::unstable::source::{Memory, Sources};
    /// use interpolate::unstable::variables::{Bindings, UsedValues};
    /// use interpolate::unstable::yaml::{self, Options};
    ///
    /// let mut sources = Sources::default();
    /// let file = sources.add("base.yml", "url: http://((host))/");
    /// let written = yaml::read(&sources, file, &Options::default())?;
    /// let mut given = Bindings::default();
    /// given.add_text("host", "db.example");
    /// let values = UsedValues::find(&written, &given, None, &Memory::default());
    /// assert_eq!(values.text("host"), Some("db.example"));
    /// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
    /// ```
    pub fn find(
        written: &Tree,
        given: &Bindings,
        mut store: Option<&mut Store>,
        world: &dyn World,
    ) -> UsedValues {
        let used = used_names(written);
        let stored = store.as_deref().map_or_else(Vec::new, Store::texts);
        let names = used.iter().chain(stored.iter().map(|(name, _)| name));
        let names: BTreeSet<&str> = names.map(String::as_str).collect();
        let mut values = UsedValues::default();
        let filled = filled_list(written, &names, given, store.as_deref_mut(), world);
        values.add_all(&names, &filled);
        // The members of a used variable have names of their own.
        let below = names.iter().copied().zip(filled.items(filled.root()));
        let below = below.filter(|(name, _)| used.contains(*name));
        let below = below.map(|(name, value)| (name.to_owned(), value));
        let members = named_texts(&filled, below);
        let members = members.iter().map(|member| &*member.name).collect();
        let filled = filled_list(written, &members, given, store.as_deref_mut(), world);
        values.add_all(&members, &filled);
        // A name that was given leads to another value, and one with odd signs to none.
        (values.stored, values.nameless) =
            stored.into_iter().partition(|(name, text)| values.text(name) == Some(text));
        // Of equal texts, the name that the document uses comes first.
        values.stored.sort_by_key(|(name, _)| !used.contains(name));
        let made = used.iter().map(|name| variable(name));
        let all = store.as_deref().map_or(&[][..], |store| &store.made);
        let made = made.filter(|name| all.iter().any(|(made, _)| made == name));
        values.generated = made.map(str::to_owned).collect();
        values
    }

    /// Adds the values of a filled-in list of `names`, as far as they have a text.
    fn add_all(&mut self, names: &BTreeSet<&str>, filled: &Tree) {
        for (name, value) in names.iter().zip(filled.items(filled.root())) {
            let text = text(filled, value).filter(|text| *text != placeholder(name));
            if let Some(text) = text {
                let is_string = filled.string(value).is_some();
                self.values.insert((*name).to_owned(), UsedValue { text, is_string });
            }
        }
    }

    /// Returns the text that stands for a variable within another text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|value| &*value.text)
    }

    /// Returns true if the value is a string.
    pub(super) fn is_string(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|value| value.is_string)
    }

    /// Returns true if the value was generated in this run.
    pub fn is_generated(&self, name: &str) -> bool {
        self.generated.contains(variable(name))
    }

    /// Returns the names of the values that stand in a text, and not in the one before it; of
    /// a value without a name, the path to it. Short values are not searched for.
    ///
    /// # Example
    /// ```
    /// # use interpolate::unstable::variables::UsedValues;
    /// assert!(UsedValues::default().revealed("a: 1", "a: 2").is_empty());
    /// ```
    pub fn revealed(&self, before: &str, text: &str) -> Vec<&str> {
        let all = self.stored.iter().chain(&self.nameless);
        let all = all.map(|(name, text)| (&**name, &**text));
        let used = self.values.iter().filter(|(_, value)| value.is_string);
        let used = used.map(|(name, value)| (&**name, &*value.text));
        let search = ValueSearch::new(all.chain(used));
        let known: BTreeSet<&str> =
            search.find(before, 0..before.len()).map(|(_, name)| name).collect();
        let names = search.find(text, 0..text.len()).map(|(_, name)| name);
        names.filter(|name| !known.contains(name)).collect()
    }
}

/// Returns a document that is the list of the values of `names`; one without a usable value
/// keeps its placeholder.
fn filled_list(
    written: &Tree,
    names: &BTreeSet<&str>,
    given: &Bindings,
    store: Option<&mut Store>,
    world: &dyn World,
) -> Tree {
    let mut list = written.clone();
    let items: Vec<NodeId> =
        names.iter().map(|name| list.new_text(&placeholder(name))).collect();
    let root = list.new_list(items);
    list.set_roots(vec![root]);
    // Each value stands here once, whatever its size.
    let expansion = Expansion(usize::MAX);
    let rules = FillOptions { expansion, ..FillOptions::default() };
    // The document was filled in before: its problems are told already.
    let _ = super::fill(&mut list, 0..1, given, store, world, &rules);
    list
}

fn placeholder(name: &str) -> String {
    format!("(({name}))")
}

/// Returns the names of the variables in the texts of a document.
fn used_names(document: &Tree) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for arena in document.arenas().filter(|arena| may_have_uses(arena.text())) {
        for node in arena.indices().map(|i| NodeId::Clean(arena.file(), i)) {
            let text = document.string(node);
            names
                .extend(text.iter().flat_map(|it| uses(it)).map(|it| it.name.to_owned()));
        }
    }
    names
}

/// Returns the text of a scalar within another text, if it has one.
fn text(document: &Tree, node: NodeId) -> Option<String> {
    if document.kind(node) != Kind::Scalar {
        return None;
    }
    match document.scalar_as_written(node) {
        Scalar::String(text) => Some(text.into_owned()),
        Scalar::Int(number) => Some(number.to_string()),
        Scalar::Big(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Puts uses back into the edited texts of a document.
pub(super) struct TextUses<'a> {
    values: &'a UsedValues,
    stored: ValueSearch<'a>,
    /// The names of the values of the vars-store that stand in the written document.
    // Whoever wrote them there keeps them from nobody, and a text that was not edited must
    // stay as it is.
    known: HashSet<&'a str>,
}

impl<'a> TextUses<'a> {
    /// Begins with the values that a document was filled in with.
    pub(super) fn new(values: &'a UsedValues, written: &Tree) -> TextUses<'a> {
        let stored =
            ValueSearch::new(values.stored.iter().map(|(name, text)| (&**name, &**text)));
        let mut known = HashSet::new();
        for arena in written.arenas().filter(|_| !stored.is_empty()) {
            for node in arena.indices().map(|i| NodeId::Clean(arena.file(), i)) {
                if let Some(text) = written.string(node) {
                    known.extend(stored.find(&text, 0..text.len()).map(|(_, name)| name));
                }
            }
        }
        TextUses { values, stored, known }
    }

    /// Returns true if values are searched for in every text.
    pub(super) fn searches(&self) -> bool {
        !self.stored.is_empty()
    }

    /// Returns an edited text with the uses of the written one whose values stand in it as
    /// they did in the filled-in one; `None` if there are none.
    ///
    /// A value of the vars-store is found wherever it stands.
    pub(super) fn put_back(
        &self,
        written: &str,
        filled: &str,
        edited: &str,
    ) -> Option<String> {
        let mut found = Vec::new();
        let mut from = 0;
        for (place, used) in self.unchanged(written, filled, edited) {
            found.extend(self.stored_uses(edited, from..place.start));
            from = place.end;
            // Within a text, a use with spaces is filled in by nothing.
            found.push((place, used.replace(' ', "")));
        }
        found.extend(self.stored_uses(edited, from..edited.len()));
        if found.is_empty() {
            return None;
        }
        let text = replace_ranges(edited, found);
        self.is_filled_in_as(&text, edited).then_some(text)
    }

    /// Returns the places of values of the vars-store in a part of a text, with their uses.
    fn stored_uses(
        &self,
        text: &str,
        part: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, String)> {
        let found = self.stored.find(text, part);
        let found = found.filter(|(_, name)| !self.known.contains(name));
        found.map(|(place, name)| (place, format!("(({name}))")))
    }

    /// Returns true if a text with uses is filled in as `edited` is, and as a string.
    // EDITED may have uses of its own.
    fn is_filled_in_as(&self, text: &str, edited: &str) -> bool {
        (!is_whole(text) || uses(text).all(|found| self.values.is_string(found.name)))
            && self.fill(text).0 == self.fill(edited).0
    }

    /// Returns the places of the values whose words were not edited, with their uses, in order.
    // Whole words: `8080` is not the port 80 with something beside it.
    fn unchanged<'t>(
        &self,
        written: &'t str,
        filled: &'t str,
        edited: &'t str,
    ) -> Vec<(Range<usize>, &'t str)> {
        let (text, places) = self.fill(written);
        if text != filled {
            return Vec::new();
        }
        let old = words(filled);
        let new = words(edited);
        let mut numbers = Numbering::default();
        let a = numbers.all(old.iter().map(|word| &filled[word.clone()]));
        let b = numbers.all(new.iter().map(|word| &edited[word.clone()]));
        let pairs = align(&a, &b);
        let to = |word: usize| {
            let found = pairs.binary_search_by_key(&word, |&(old, _)| old).ok()?;
            Some(pairs[found].1)
        };
        let moved = |place: Range<usize>| {
            let first = old.partition_point(|word| word.end <= place.start);
            let last = old.partition_point(|word| word.start < place.end);
            if first >= last {
                // An empty value between two words.
                let before =
                    first.checked_sub(1).map_or(Some(0), |it| Some(to(it)? + 1))?;
                let behind = if first < old.len() { to(first)? } else { new.len() };
                let start = new.get(behind).map_or(edited.len(), |word| word.start);
                return (before == behind).then_some(start..start);
            }
            let start = to(first)?;
            let is_same = (first..last).zip(start..).all(|(a, b)| to(a) == Some(b));
            let start = new[start].start + place.start - old[first].start;
            is_same.then_some(start..start + place.len())
        };
        let places = places.into_iter();
        places.filter_map(|(place, written)| Some((moved(place)?, written))).collect()
    }

    /// Returns a text filled in, with the places of the values and their uses.
    // A value that forms another use with what is around it is not filled in here.
    fn fill<'t>(&self, written: &'t str) -> (String, Vec<(Range<usize>, &'t str)>) {
        let mut text = String::new();
        let mut places = Vec::new();
        let mut from = 0;
        for found in uses(written) {
            let value = self.values.text(found.name);
            let is_filled = is_whole(written) || !found.has_spaces(written);
            let Some(value) = value.filter(|_| is_filled) else { continue };
            text.push_str(&written[from..found.range.start]);
            from = found.range.end;
            places.push((text.len()..text.len() + value.len(), &written[found.range]));
            text.push_str(value);
        }
        text.push_str(&written[from..]);
        (text, places)
    }
}

/// Splits a text into words and single other characters.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if in_word && c.is_alphanumeric() => word.end = end,
            _ => words.push(at..end),
        }
        in_word = c.is_alphanumeric();
    }
    words
}
