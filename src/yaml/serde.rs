//! Documents as serde types, for users of the library. Values go through JSON or
//! serde_yaml here; a document is never printed that way.

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::expanded::Expansion;
use super::options::Options;
use super::{json, read};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;
use crate::source::Sources;

/// ```
/// use interpolate::unstable::node::Tree;
/// use interpolate::unstable::source::Sources;
///
/// let mut sources = Sources::default();
/// let document = Tree::serialize(&vec![("a", 1), ("b", 2)], "pairs.yml", &mut sources)?;
/// assert_eq!(document.to_string(), "- - a\n  - 1\n- - b\n  - 2\n");
/// let pairs: Vec<(String, u32)> = document.deserialize()?;
/// assert_eq!(pairs[1], ("b".to_owned(), 2));
/// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
/// ```
impl Tree {
    /// Deserializes the first document.
    ///
    /// # Errors
    /// The value does not fit `T`.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T> {
        let text = json::print(self, self.root(), Expansion::default())?;
        serde_yaml::from_str(&text).map_err(|error| Diagnostic::error(error.to_string()))
    }

    /// Serializes a value. Its text joins `sources` under `name`.
    ///
    /// # Errors
    /// The value cannot be written in YAML.
    pub fn serialize<T: Serialize>(
        value: &T,
        name: &str,
        sources: &mut Sources,
    ) -> Result<Tree> {
        let text = serde_yaml::to_string(value)
            .map_err(|error| Diagnostic::error(error.to_string()))?;
        let file = sources.add(name, text);
        read::read(sources, file, &Options::default())
    }
}
