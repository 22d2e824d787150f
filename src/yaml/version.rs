//! The first lines of a text → the dialect that a `%YAML` line among them asks for.

use crate::scalar::Dialect;

/// The dialect of a text that says which YAML it is.
pub fn version(text: &str) -> Option<Dialect> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let mut head =
        lines.take_while(|line| line.trim().is_empty() || line.starts_with(['%', '#']));
    let version = head.find_map(|line| line.strip_prefix("%YAML"))?;
    match version.split_whitespace().next() {
        Some("1.1") => Some(Dialect::Yaml11),
        Some(_) | None => Some(Dialect::Core),
    }
}
