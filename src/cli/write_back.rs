//! Mended texts on their way back to the files that they were read from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use interpolate::unstable::source::{FileId, Os, Sources, World};
use interpolate::unstable::yaml;

use super::failure::{Failure, unwritable};

/// Writes new texts of files: all of them, or none.
///
/// # Errors
/// A text came from standard input, its file has a name that is no UTF-8, or it cannot be
/// written.
pub fn write_back(
    texts: impl IntoIterator<Item = (FileId, String)>,
    sources: &Sources,
) -> Result<(), Failure> {
    // A file that was given twice is written once.
    let (world, mut ready) = (Os::default(), BTreeMap::new());
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
        let path = PathBuf::from(&source.name);
        let bytes = yaml::bytes::bytes(&text, source.encoding);
        let new = world.prepare(&path, &bytes, false);
        ready.insert(path.clone(), new.map_err(|error| unwritable(&path, &error))?);
    }
    for (path, new) in ready {
        new.commit().map_err(|error| unwritable(&path, &error))?;
    }
    Ok(())
}
