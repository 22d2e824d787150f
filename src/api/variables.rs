//! Values for the `((names))` of documents, and for templates.

use serde_core::Serialize;

use super::error::{Error, Result, sources};
use super::reader::Reader;
use crate::convert;
use crate::node::Seat;
use crate::variables::Bindings;
use crate::yaml;

/// Values by variable name. Later ones override earlier ones.
///
/// ```
/// use interpolate::{Document, Variables};
///
/// let mut variables = Variables::new();
/// variables.set("db.host", "db.example")?;
/// variables.parse("vars.yml", "port: 5432\n")?;
/// let mut document = Document::parse("url: ((db.host)):((port))\n")?;
/// document.fill(&variables)?;
/// assert_eq!(document.to_string(), "url: db.example:5432\n");
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Variables {
    bindings: Bindings,
}

impl Variables {
    /// Returns an empty set of variables.
    pub fn new() -> Variables {
        Variables::default()
    }

    /// Sets a variable. A dot in the name selects a part of a value.
    ///
    /// # Errors
    /// YAML cannot hold the value.
    pub fn set(&mut self, name: &str, value: impl Serialize) -> Result<()> {
        let serialized = yaml::blank().and_then(|mut tree| {
            let node = convert::serialize(&mut tree, &value)?;
            tree.set_at(Seat::Root(0), node, None);
            yaml::reread(&tree)
        });
        let tree = serialized.map_err(|error| Error::new(error, sources([])))?;
        self.bindings.add_document(name, &tree);
        Ok(())
    }

    /// Adds every entry of a vars file, a mapping.
    ///
    /// # Errors
    /// A syntax error, or the text is no mapping with scalar keys.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<()> {
        let tree = Reader::new().tree(name, text.to_owned())?;
        self.bindings
            .add_entries(&tree)
            .map_err(|error| Error::new(error, sources([&tree])))
    }

    pub(super) fn bindings(&self) -> &Bindings {
        &self.bindings
    }
}
