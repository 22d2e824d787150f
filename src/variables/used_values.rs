//! The values of the variables that a document uses, as texts that stand in other texts.

use std::collections::{BTreeMap, BTreeSet};

use super::bindings::Bindings;
use super::check::FillOptions;
use super::store::Store;
use super::syntax::{is_whole, uses};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;
use crate::source::World;

/// The values of the variables that a document uses, by full name.
// There is no `Debug`: a secret must not get into a log.
#[derive(Default)]
pub struct UsedValues {
    values: BTreeMap<String, UsedValue>,
    /// The names of the values that were generated in this run: no edited copy has these.
    generated: BTreeSet<String>,
}

/// A value as the text that stands for a variable within another text.
struct UsedValue {
    text: String,
    is_string: bool,
    /// True if it is in the vars-store.
    is_stored: bool,
}

impl UsedValues {
    /// Returns the values that a document was filled in with.
    ///
    /// # Example
    /// ```
    /// use interpolate::unstable::source::{Memory, Sources};
    /// use interpolate::unstable::variables::{Bindings, FillOptions, UsedValues};
    /// use interpolate::unstable::yaml::{self, Options};
    ///
    /// let mut sources = Sources::default();
    /// let file = sources.add("base.yml", "url: http://((host))/");
    /// let written = yaml::read(&sources, file, &Options::default())?;
    /// let mut given = Bindings::default();
    /// given.add_text("host", "db.example");
    /// let (world, rules) = (Memory::default(), FillOptions::default());
    /// let values = UsedValues::find(&written, &given, None, &world, &rules);
    /// assert_eq!(values.text("host"), Some("db.example"));
    /// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
    /// ```
    pub fn find(
        written: &Tree,
        given: &Bindings,
        mut store: Option<&mut Store>,
        world: &dyn World,
        rules: &FillOptions,
    ) -> UsedValues {
        let texts = written.arenas().map(|arena| arena.text());
        let names: BTreeSet<&str> =
            texts.flat_map(uses).map(|found| found.name).collect();
        let mut values = UsedValues::default();
        if names.is_empty() {
            return values;
        }
        let mut filled = written.clone();
        let entries: Vec<(&str, String)> =
            names.into_iter().map(|name| (name, format!("(({name}))"))).collect();
        let uses: Vec<NodeId> =
            entries.iter().map(|(_, written)| filled.new_text(written)).collect();
        let root = filled.new_list(uses);
        filled.set_roots(vec![root]);
        let rules = FillOptions { expansion: rules.expansion, ..FillOptions::default() };
        // A variable without a usable value keeps its use.
        let _ =
            super::fill(&mut filled, 0..1, given, store.as_deref_mut(), world, &rules);
        for ((name, written), value) in entries.iter().zip(filled.items(root)) {
            values.add(&filled, (name, written), value, store.as_deref());
        }
        values
    }

    /// Adds a value; of a mapping, those in it.
    fn add(
        &mut self,
        filled: &Tree,
        (name, written): (&str, &str),
        value: NodeId,
        store: Option<&Store>,
    ) {
        let variable = variable(name);
        if store.is_some_and(|store| store.has_made(variable)) {
            self.generated.insert(name.to_owned());
        }
        let entries = filled.pairs(value).into_iter().map(|(key, value)| {
            let name = format!("{name}.{}", filled.text_of(key));
            let is_usable = is_whole(&format!("(({name}))"));
            (is_usable.then_some(name), value)
        });
        let values = entries.chain([(Some(name.to_owned()), value)]);
        for (name, value) in values {
            let (Some(name), Some(text)) = (name, text(filled, value)) else { continue };
            let used = UsedValue {
                is_string: matches!(filled.scalar(value), Scalar::String(_)),
                is_stored: store.is_some_and(|store| store.has_read(variable)),
                text,
            };
            if used.text != written {
                self.values.insert(name, used);
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
        self.generated.contains(name)
    }

    /// Returns the names and texts of the values of the vars-store.
    pub(super) fn stored(&self) -> impl Iterator<Item = (&str, &str)> {
        let stored = self.values.iter().filter(|(_, value)| value.is_stored);
        stored.map(|(name, value)| (&**name, &*value.text))
    }
}

/// Returns the first part of a dotted name.
fn variable(name: &str) -> &str {
    name.split_once('.').map_or(name, |(variable, _)| variable)
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
