//! New contents of files, before they are in their places.

use std::path::Path;

use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::source::{Os, Replacement, Sources, World};

use super::failure::{Failure, unwritable, warn};
use super::interrupt;
use super::options::Output;

/// Prepares the content of a file, and tells what the file loses. A new file that is
/// `private` is for its owner only.
pub fn prepare(
    world: &Os,
    (path, bytes): (&Path, &[u8]),
    private: bool,
    output: &Output,
) -> Result<Replacement, Failure> {
    interrupt::watch();
    let ready = world.prepare(path, bytes, private);
    let ready = ready.map_err(|error| unwritable(path, &error))?;
    if let Some(unkept) = ready.unkept() {
        warn_of_loss(path, &unkept.to_string(), output);
    }
    Ok(ready)
}

/// Warns about what a file loses that is replaced all the same.
pub fn warn_of_loss(path: &Path, unkept: &str, output: &Output) {
    let warning = Diagnostic::warning(format!("'{}': {unkept}", path.display()));
    warn(&[*warning], &Sources::default(), output);
}
