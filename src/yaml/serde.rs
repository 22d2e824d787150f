//! Documents ⇄ serde types: a bridge for library users. Text goes through the second
//! reader here, never on the way from a document to its own print.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::diagnostic::{Diagnostic, Result};
use crate::node::Document;
use crate::source::Sources;

impl Document {
    /// What the first document means, as a Rust value.
    ///
    /// # Errors
    /// If `T` cannot be made of it.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T> {
        let text = super::json(self, self.root())?;
        serde_yaml::from_str(&text).map_err(|error| Diagnostic::error(error.to_string()))
    }

    /// A document that says a Rust value; its text joins `sources` under `name`.
    ///
    /// # Errors
    /// If the value cannot be said in YAML.
    pub fn serialize<T: Serialize>(
        value: &T,
        name: &str,
        sources: &mut Sources,
    ) -> Result<Document> {
        let text = serde_yaml::to_string(value)
            .map_err(|error| Diagnostic::error(error.to_string()))?;
        let file = sources.add(name, text);
        super::read(sources, file, &super::Options::default())
    }
}
