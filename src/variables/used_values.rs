//! The values of the variables that a document uses, as texts that stand in other texts.

use std::collections::{BTreeMap, BTreeSet};

use super::bindings::Bindings;
use super::check::FillOptions;
use super::store::Store;
use super::syntax::{may_have_uses, uses, variable};
use super::value_search::{ValueSearch, named_texts};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;
use crate::source::World;
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
        let mut fill = |names: &BTreeSet<&str>| {
            filled_list(written, names, given, store.as_deref_mut(), world)
        };
        let mut values = UsedValues::default();
        let filled = fill(&names);
        values.add_all(&names, &filled);
        // The members of a used variable have names of their own.
        let below = names.iter().copied().zip(filled.items(filled.root()));
        let below = below.filter(|(name, _)| used.contains(*name));
        let below = below.map(|(name, value)| (name.to_owned(), value));
        let members = named_texts(&filled, below);
        let members = members.iter().map(|member| &*member.name).collect();
        values.add_all(&members, &fill(&members));
        // A name that was given leads to another value, and one with odd signs to none.
        let leads = |(name, text): &(String, String)| values.text(name) == Some(text);
        (values.stored, values.nameless) = stored.into_iter().partition(leads);
        // Of equal texts, the name that the document uses comes first.
        values.stored.sort_by_key(|(name, _)| !used.contains(name));
        let made = used.iter().map(|name| variable(name));
        let is_made = |name: &&str| store.as_deref().is_some_and(|it| it.has_made(name));
        values.generated = made.filter(is_made).map(str::to_owned).collect();
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
        let names = |text: &str| -> BTreeSet<&str> {
            search.find(text, 0..text.len()).map(|(_, name)| name).collect()
        };
        let known = names(before);
        names(text).into_iter().filter(|name| !known.contains(name)).collect()
    }

    /// Prepares the search for the values of the vars-store.
    pub(super) fn search_stored(&self) -> ValueSearch<'_> {
        ValueSearch::new(self.stored.iter().map(|(name, text)| (&**name, &**text)))
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
