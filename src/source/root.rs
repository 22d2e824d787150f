//! The folder of `--root`, and the files in it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A folder outside of which nothing is read or written.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// Its canonical path.
    path: PathBuf,
    #[cfg(all(target_os = "linux", feature = "system"))]
    folder: std::sync::Arc<File>,
}

impl Root {
    /// Opens a folder.
    ///
    /// # Errors
    /// The system's error if there is no such folder.
    pub(super) fn new(path: &Path) -> io::Result<Root> {
        let path = fs::canonicalize(path)?;
        Ok(Root {
            #[cfg(all(target_os = "linux", feature = "system"))]
            folder: File::open(&path)?.into(),
            path,
        })
    }

    /// Returns the canonical path of a file, which must be inside.
    pub(super) fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        // A missing file inside of the root is reported as missing, one outside as
        // forbidden, so that nothing can be learned about the files outside.
        let found = fs::canonicalize(path);
        let nearest = match &found {
            Ok(real) => Some(real.clone()),
            Err(_) => std::path::absolute(path)?
                .ancestors()
                .skip(1)
                .find_map(|above| fs::canonicalize(above).ok()),
        };
        if nearest.is_some_and(|real| real.starts_with(&self.path)) {
            return found;
        }
        Err(self.outside())
    }

    /// Opens a file inside.
    pub(super) fn open(&self, path: &Path) -> io::Result<File> {
        self.open_real(&self.resolve(path)?)
    }

    /// Opens a file by its canonical path. The system checks that it is inside: a folder on
    /// the way may have become a link since the path was resolved.
    #[cfg(all(target_os = "linux", feature = "system"))]
    fn open_real(&self, real: &Path) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;

        let inside = real.strip_prefix(&self.path).map_err(|_| self.outside())?;
        let inside = if inside.as_os_str().is_empty() { Path::new(".") } else { inside };
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match openat2(&*self.folder, inside, flags, Mode::empty(), beneath) {
            Ok(file) => Ok(file.into()),
            Err(Errno::XDEV | Errno::LOOP) => Err(self.outside()),
            // An old kernel, or a sandbox without this call.
            Err(Errno::NOSYS | Errno::PERM) => File::open(real),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(all(target_os = "linux", feature = "system")))]
    fn open_real(&self, real: &Path) -> io::Result<File> {
        File::open(real)
    }

    fn outside(&self) -> io::Error {
        io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("outside of the folder '{}' given as --root", self.path.display()),
        )
    }
}

#[cfg(all(test, target_os = "linux", feature = "system"))]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_folder_that_becomes_a_link_leads_nowhere() {
        let (home, outside) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = home.path().join("folder");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("file"), "inside").unwrap();
        fs::write(outside.path().join("file"), "outside").unwrap();
        let root = Root::new(home.path()).unwrap();
        let real = root.resolve(&folder.join("file")).unwrap();
        let mut text = String::new();
        root.open_real(&real).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "inside");
        fs::rename(&folder, home.path().join("other")).unwrap();
        symlink(outside.path(), &folder).unwrap();
        let error = root.open_real(&real).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }
}
