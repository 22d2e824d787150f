//! The errors of the system in few words.

use std::io;

/// Returns the system's reason in few words, e.g. `no such file or directory`.
pub fn reason(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.source());
    let error = inner.and_then(|inner| inner.downcast_ref()).unwrap_or(error);
    let text = error.to_string();
    let mut rest = text.split(" (os error").next().unwrap_or_default().chars();
    rest.next().map_or(String::new(), |c| c.to_lowercase().chain(rest).collect())
}
