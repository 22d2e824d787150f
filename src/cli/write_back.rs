//! Mended texts on their way back to the files that they were read from.

use std::collections::BTreeMap;
use std::path::Path;

use interpolate::unstable::source::{FileId, Os, Sources};
use interpolate::unstable::yaml;

use super::failure::{Failure, unwritable};
use super::main_options::MainOptions;
use super::replacement::prepare;

/// Writes new texts of files: all of them, or none.
///
/// # Errors
/// A text came from standard input, its file has a name that is no UTF-8, or it cannot be
/// written.
pub fn write_back(
    texts: impl IntoIterator<Item = (FileId, String)>,
    options: &MainOptions,
    sources: &Sources,
) -> Result<(), Failure> {
    // A file that was given twice is written once.
    let world = Os::default().forcing(options.input.safety.force);
    let mut ready = BTreeMap::new();
    for (file, text) in texts {
        let source = sources.get(file);
        if source.name == "-" {
            let wrong = "--fix needs files to write to, not standard input";
            return Err(Failure::usage(wrong));
        }
        // The name of the source stands for bytes that are lost: another file has that name.
        if source.name.contains(char::REPLACEMENT_CHARACTER) {
            let name = &source.name;
            let message = format!("'{name}' is not written: its name is no UTF-8");
            return Err(Failure::file(message));
        }
        let path = Path::new(&source.name);
        let bytes = yaml::bytes::bytes(&text, source.encoding);
        ready.insert(path, prepare(&world, (path, &bytes), false, &options.output)?);
    }
    for (path, new) in ready {
        new.commit().map_err(|error| unwritable(path, &error))?;
    }
    Ok(())
}
