//! What may have been meant: a name or a path that leads to nothing comes in, one like it
//! that is there goes out.

use std::io;
use std::path::Path;

use crate::source::World;

/// So many names are looked at.
const MOST: usize = 1_000;

/// The longest names that are compared, in bytes.
const LONGEST: usize = 100;

/// The one of `names` that `wanted` may have been meant for.
pub fn near<'n>(
    names: impl IntoIterator<Item = &'n str>,
    wanted: &str,
) -> Option<&'n str> {
    let short = |name: &&str| name.len() <= LONGEST && wanted.len() <= LONGEST;
    let names = names.into_iter().take(MOST).filter(short);
    let (far, name) =
        names.map(|name| (strsim::osa_distance(name, wanted), name)).min()?;
    // Of a name of one letter all others of one letter are as near.
    (far <= 1 + wanted.len() / 6 && far < wanted.len().max(name.len())).then_some(name)
}

/// A hint at the file in the same folder that may have been meant, if there is none at
/// `path`.
pub fn near_file(world: &dyn World, path: &Path, error: &io::Error) -> Option<String> {
    let wanted = path.file_name().filter(|_| error.kind() == io::ErrorKind::NotFound)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = world.list(folder.unwrap_or(Path::new("."))).ok()?;
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    let name = near(names, wanted.to_str()?)?;
    Some(format!("did you mean '{}'?", path.with_file_name(name).display()))
}
