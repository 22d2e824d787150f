//! The vars-store: a file of generated values. It is read when it is first needed; new
//! values are added without a change of its comments and its order.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Result};
use crate::language::{check_static_variables, variable_name};
use crate::node::{Kind, NodeId, Seat, Tree};
#[cfg(feature = "eval")]
use crate::variables::secret::Secret;
use crate::variables::secret::{ErrorChain, Made};
use crate::variables::value_search::{NamedText, named_texts};

/// A vars-store, or the error of reading it.
// The values read never change: their nodes are shared with any document.
pub struct Store {
    read: std::result::Result<ReadStore, StoreError>,
    /// The values that were generated in this run.
    pub(super) made: Vec<(String, Made)>,
    /// Values that were made for an earlier reading of the file.
    pub(super) spare: BTreeMap<String, Made>,
    pub(super) tell: Option<Tell>,
}

/// A listener to the progress of making keys: how many of all are made.
pub type Tell = Box<dyn FnMut(usize, usize)>;

/// The error of reading a store.
#[derive(Clone)]
pub(super) struct StoreError {
    /// The step that failed, in the words of bosh; `None` if the file could not be read.
    pub(super) reading: Option<String>,
    pub(super) cause: Box<Diagnostic>,
}

impl StoreError {
    /// Returns the messages, from the outermost one.
    pub(super) fn chain(self) -> ErrorChain {
        let cause = self.cause.message.into();
        self.reading.map(Into::into).into_iter().chain([cause]).collect()
    }

    /// Returns the message in the form of bosh.
    pub(super) fn message(&self) -> String {
        let cause = &self.cause.message;
        match &self.reading {
            Some(reading) => format!("{reading}:\n  {cause}"),
            None => cause.clone(),
        }
    }
}

struct ReadStore {
    document: Tree,
    values: BTreeMap<String, NodeId>,
}

impl Store {
    /// Returns the store of a document; `name` is the absolute path of its file. A
    /// missing file is an empty text.
    pub fn new(name: impl Into<String>, document: Result<Tree>) -> Store {
        let read = document.and_then(ReadStore::new).map_err(|cause| {
            let name = name.into();
            let reading = format!("Deserializing variables file store '{name}'");
            StoreError { reading: Some(reading), cause }
        });
        Store::of(read)
    }

    /// Returns a store whose file cannot be read: an error only if a value is looked for.
    pub fn unreadable(cause: Box<Diagnostic>) -> Store {
        Store::of(Err(StoreError { reading: None, cause }))
    }

    fn of(read: std::result::Result<ReadStore, StoreError>) -> Store {
        Store { read, made: Vec::new(), spare: BTreeMap::new(), tell: None }
    }

    /// Returns the error of reading it.
    pub(super) fn error(&self) -> Option<&StoreError> {
        self.read.as_ref().err()
    }

    /// Returns the text to be written, if a value was generated.
    pub fn changed(&self) -> Option<String> {
        if self.made.is_empty() {
            return None;
        }
        let mut document = self.read.as_ref().ok()?.document.clone();
        if document.kind(document.root()) != Kind::Mapping {
            let root = document.new_mapping(&[], None);
            document.set_at(Seat::Root(0), root, None);
        }
        let id = document.open(Seat::Root(0), true)?;
        for (name, made) in &self.made {
            let value = made.secret.node(&mut document);
            document.insert_entry(id, name, value, None);
        }
        Some(document.to_string())
    }

    /// Returns the names of the variables whose values were generated.
    pub fn generated(&self) -> impl Iterator<Item = &str> {
        self.made.iter().map(|(name, _)| &**name)
    }

    /// Returns true if it holds a password or a private key.
    pub fn has_secrets(&self) -> bool {
        self.read.iter().any(|ReadStore { document, values }| {
            values.values().any(|&value| match document.kind(value) {
                Kind::Scalar => !document.is_null(value),
                Kind::Mapping => document.get(value, "private_key").is_some(),
                Kind::Sequence => false,
            })
        })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.read.iter().flat_map(|read| read.values.keys())
    }

    /// Returns a value of the store as a node of `document`.
    pub(super) fn get(
        &self,
        document: &mut Tree,
        name: &str,
    ) -> std::result::Result<Option<NodeId>, StoreError> {
        let read = self.read.as_ref().map_err(StoreError::clone)?;
        let added = document.try_add_arena(read.document.shared_base());
        added.map_err(|cause| StoreError { reading: None, cause })?;
        Ok(read.values.get(name).copied())
    }

    /// Returns the texts in the values of the file, each with the name that may lead to it.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        let Ok(ReadStore { document, values }) = &self.read else { return Vec::new() };
        let values = values.iter().map(|(name, &value)| (name.clone(), value));
        let texts = named_texts(document, values).into_iter();
        texts.map(|NamedText { name, text, .. }| (name, text)).collect()
    }

    /// Returns the texts in all values: those of the file, then those that were generated.
    #[cfg(feature = "eval")]
    pub fn secret_texts(&self) -> Vec<String> {
        let mut texts: Vec<_> = self.texts().into_iter().map(|(_, text)| text).collect();
        for (_, made) in &self.made {
            match &made.secret {
                Secret::Text(text) => texts.push(text.clone()),
                Secret::Entries(entries) => {
                    texts.extend(entries.iter().map(|(_, text)| text.clone()));
                }
            }
        }
        texts
    }

    /// Keeps what was generated for an earlier reading of the file. It counts if the same is
    /// to be generated again.
    pub fn reuse(&mut self, earlier: Store) {
        self.spare = earlier.spare;
        self.spare.extend(earlier.made);
    }

    /// Tells how many keys are made, while many are.
    pub fn tell(&mut self, tell: Option<Tell>) {
        self.tell = tell;
    }

    /// Returns true if a variable has a value, or may have one of an earlier reading.
    pub(super) fn has(&self, name: &str) -> bool {
        // A store that cannot be read gets no values.
        self.read.as_ref().map_or(true, |read| read.values.contains_key(name))
            || self.spare.contains_key(name)
    }
}

impl ReadStore {
    fn new(document: Tree) -> Result<ReadStore> {
        if let Some(misfit) = check_static_variables(&document, document.root()) {
            return Err(misfit);
        }
        let pairs = document.pairs(document.root()).into_iter();
        let values =
            pairs.map(|(key, value)| (variable_name(&document, key), value)).collect();
        Ok(ReadStore { document, values })
    }
}
