//! Values for the `((names))` of documents, and for templates.

use std::fmt;
use std::sync::Arc;

use serde_core::Serialize;

use super::error::{Error, Result};
use super::reader::Reader;
use crate::convert;
use crate::scalar::Dialect;
use crate::source::{Shown, Source};
use crate::variables::Bindings;

/// Values by variable name. Later ones override earlier ones. No message shows them.
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
#[derive(Clone, Default)]
pub struct Variables {
    bindings: Arc<Bindings>,
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
        let text = convert::tree_of(&value).map_err(Error::about_value)?.to_string();
        let source = Source { shown: Shown::Nothing, ..Source::unnamed(text) };
        let tree = Reader::new().source(source)?;
        Arc::make_mut(&mut self.bindings).add_document(name, &tree);
        Ok(())
    }

    /// Adds every entry of a vars file, a mapping. As in bosh it is read by the rules of
    /// Go's yaml.v2, where `yes` is true.
    ///
    /// # Errors
    /// A syntax error, or the text is no mapping with scalar keys.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<()> {
        let text = Source::unnamed(text);
        let source = Source { name: name.to_owned(), shown: Shown::Keys, ..text };
        let tree = Reader::new().dialect(Dialect::Go).source(source)?;
        let bindings = Arc::make_mut(&mut self.bindings);
        bindings.add_entries(&tree).map_err(|error| Error::about(error, &tree))
    }

    pub(super) fn bindings(&self) -> &Arc<Bindings> {
        &self.bindings
    }
}

/// Prints no value: it may be a secret.
impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variables").finish_non_exhaustive()
    }
}
