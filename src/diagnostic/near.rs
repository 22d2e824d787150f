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
    let names = names.into_iter().take(MAX_NAMES);
    let names = names.filter(|name| has_similar_length(name, wanted));
    let (far, name) =
        names.map(|name| (strsim::osa_distance(name, wanted), name)).min()?;
    // One edit turns a name of one letter into any other of one letter.
    (far <= max_distance(wanted) && far < wanted.len().max(name.len())).then_some(name)
}

/// Returns about how many pairs of letters [`near`] compares.
#[cfg(feature = "eval")]
pub(crate) fn work_of_near<'n>(
    names: impl IntoIterator<Item = &'n str>,
    wanted: &str,
) -> usize {
    let names = names.into_iter().take(MAX_NAMES);
    let work = |name: &str| {
        let is_compared = has_similar_length(name, wanted);
        if is_compared { (name.len() + 1) * (wanted.len() + 1) } else { 1 }
    };
    names.map(work).sum()
}

/// Maximum number of edits between a name and its misspelling.
fn max_distance(wanted: &str) -> usize {
    1 + wanted.len() / 6
}

/// Returns true if a name is not too long or short for another one, and both can be compared.
fn has_similar_length(name: &str, wanted: &str) -> bool {
    let is_short = name.len() <= MAX_LENGTH && wanted.len() <= MAX_LENGTH;
    let [a, b] = [name, wanted].map(|text| text.chars().count());
    is_short && a.abs_diff(b) <= max_distance(wanted)
}

/// Returns a hint at a file with a similar name in the folder of a missing `path`, or that
/// `path` is a link.
pub fn near_file(world: &dyn World, path: &Path, error: &io::Error) -> Option<String> {
    let wanted = path.file_name().filter(|_| error.kind() == io::ErrorKind::NotFound)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = world.list(folder.unwrap_or(Path::new("."))).ok()?;
    if files.iter().any(|file| file.file_name() == Some(wanted)) {
        return Some(format!("'{}' is a link that leads nowhere", path.display()));
    }
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    let name = near(names, wanted.to_str()?)?;
    Some(format!("did you mean '{}'?", path.with_file_name(name).display()))
}
