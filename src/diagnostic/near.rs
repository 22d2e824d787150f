//! Suggestions: a name or a path that does not exist comes in, a similar one that exists
//! goes out.

use std::io;
use std::path::Path;

use crate::source::World;

/// Maximum number of compared names: a document may fail in many places.
const MAX_NAMES: usize = 1_000;

/// Maximum length of compared names in bytes: the time grows with the product of both.
const MAX_LENGTH: usize = 100;

/// Returns the one of `names` that `wanted` is a likely misspelling of.
pub fn near<'n>(
    names: impl IntoIterator<Item = &'n str>,
    wanted: &str,
) -> Option<&'n str> {
    let short = |name: &&str| name.len() <= MAX_LENGTH && wanted.len() <= MAX_LENGTH;
    let names = names.into_iter().take(MAX_NAMES).filter(short);
    let (far, name) =
        names.map(|name| (strsim::osa_distance(name, wanted), name)).min()?;
    // One edit turns a name of one letter into any other of one letter.
    (far <= 1 + wanted.len() / 6 && far < wanted.len().max(name.len())).then_some(name)
}

/// Returns a hint at a file with a similar name in the folder of a missing `path`.
pub fn near_file(world: &dyn World, path: &Path, error: &io::Error) -> Option<String> {
    let wanted = path.file_name().filter(|_| error.kind() == io::ErrorKind::NotFound)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = world.list(folder.unwrap_or(Path::new("."))).ok()?;
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    let name = near(names, wanted.to_str()?)?;
    Some(format!("did you mean '{}'?", path.with_file_name(name).display()))
}
