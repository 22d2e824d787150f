//! Tells people at a terminal which pipe or terminal the program waits for.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Once;

use interpolate::unstable::diagnostic::visible;

/// Tells on standard error, once in a run, that nothing arrives from a stream.
pub fn tell(name: &Path) {
    static TOLD: Once = Once::new();
    let mut stderr = io::stderr();
    if !stderr.is_terminal() {
        return;
    }
    let what = match name.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => visible(format!("'{}'", name.display())).into_owned(),
    };
    // There is no other place to report an error of standard error.
    TOLD.call_once(|| writeln!(stderr, "waiting for {what}…").unwrap_or_default());
}
