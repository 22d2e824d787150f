//! The folder of `--root`, and the files in it.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::write::MAX_LINKS;

/// Flags to open a file with: a pipe is not waited for.
#[cfg(all(unix, feature = "system"))]
const READ: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY
    .union(rustix::fs::OFlags::CLOEXEC)
    .union(rustix::fs::OFlags::NONBLOCK);

/// A folder outside of which nothing is read or written.
#[derive(Clone, Debug)]
pub(super) struct RootFolder {
    /// Its canonical path.
    path: PathBuf,
    #[cfg(all(unix, feature = "system"))]
    folder: std::sync::Arc<File>,
}

impl RootFolder {
    /// Opens a folder.
    ///
    /// # Errors
    /// The system's error if there is no such folder.
    pub(super) fn new(path: &Path) -> io::Result<RootFolder> {
        let path = fs::canonicalize(path)?;
        if !path.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(RootFolder {
            #[cfg(all(unix, feature = "system"))]
            folder: File::open(&path)?.into(),
            path,
        })
    }

    /// Returns the canonical path of a file, which must be inside.
    pub(super) fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        // A missing file inside of the root is reported as missing, one outside as
        // forbidden, so that nothing can be learned about the files outside.
        let path = self.without_detours(&std::path::absolute(path)?)?;
        if self.is_inside(&path) { fs::canonicalize(path) } else { Err(self.outside()) }
    }

    /// Returns true if a file is inside, or would be.
    fn is_inside(&self, path: &Path) -> bool {
        let mut path = path.to_owned();
        for _ in 0..=MAX_LINKS {
            let nearest = path.ancestors().find_map(|above| {
                let real = fs::canonicalize(above).ok()?;
                let rest = path.strip_prefix(above).ok()?.to_owned();
                Some((real, rest))
            });
            let Some((real, rest)) = nearest.filter(|it| it.0.starts_with(&self.path))
            else {
                return false;
            };
            let mut names = rest.components();
            let Some(first) = names.next() else { return true };
            // A link that leads nowhere: if it leads out, that nothing is there is a secret.
            match fs::read_link(real.join(first)) {
                Ok(link) => path = real.join(link).join(names.as_path()),
                Err(_) => return true,
            }
        }
        // The system refuses as many links.
        true
    }

    /// Returns a path that enters no folder outside only to leave it by `..`: that would tell
    /// whether the folder is there. Folders on the way to the root are no secret.
    fn without_detours(&self, path: &Path) -> io::Result<PathBuf> {
        let here = std::env::current_dir().ok();
        let is_known = |real: &Path| {
            let ways = here.iter().chain([&self.path]);
            real.starts_with(&self.path)
                || ways.into_iter().any(|way| way.starts_with(real))
        };
        let mut walked = PathBuf::new();
        for component in path.components() {
            if component != Component::ParentDir {
                walked.push(component);
                continue;
            }
            match fs::canonicalize(&walked) {
                Ok(real) if is_known(&real) => walked = real,
                Err(error) if self.is_inside(&walked) => return Err(error),
                _ => {}
            }
            walked.pop();
        }
        Ok(walked)
    }

    /// Opens a file inside.
    pub(super) fn open(&self, path: &Path) -> io::Result<File> {
        self.open_real(&self.resolve(path)?)
    }

    /// Opens a file by its canonical path. The system checks that it is inside: a folder on
    /// the way may have become a link since the path was resolved.
    #[cfg(all(unix, feature = "system"))]
    fn open_real(&self, real: &Path) -> io::Result<File> {
        use rustix::io::Errno;

        let inside = real.strip_prefix(&self.path).map_err(|_| self.outside())?;
        match self.open_beneath(inside) {
            Ok(file) => Ok(file),
            // A link stands where a folder or a file was. Without `openat2` the system says
            // of the first one that it is no folder.
            Err(Errno::XDEV | Errno::LOOP | Errno::NOTDIR) => Err(self.outside()),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a path that has no links, in one call of the system if it has that.
    #[cfg(all(target_os = "linux", feature = "system"))]
    fn open_beneath(&self, inside: &Path) -> rustix::io::Result<File> {
        use rustix::fs::{Mode, ResolveFlags, openat2};
        use rustix::io::Errno;

        let name = if inside.as_os_str().is_empty() { Path::new(".") } else { inside };
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match openat2(&*self.folder, name, READ, Mode::empty(), beneath) {
            // An old kernel, or a sandbox without this call.
            Err(Errno::NOSYS | Errno::PERM) => self.open_step_by_step(inside),
            opened => opened.map(File::from),
        }
    }

    #[cfg(all(unix, not(target_os = "linux"), feature = "system"))]
    fn open_beneath(&self, inside: &Path) -> rustix::io::Result<File> {
        self.open_step_by_step(inside)
    }

    /// Opens one folder after another, each in the one before, and then the file.
    #[cfg(all(unix, feature = "system"))]
    fn open_step_by_step(&self, inside: &Path) -> rustix::io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};

        let mut folder = self.folder.clone();
        let mut names = inside.iter().peekable();
        while let Some(name) = names.next() {
            let kind =
                if names.peek().is_some() { OFlags::DIRECTORY } else { OFlags::empty() };
            let flags = READ | OFlags::NOFOLLOW | kind;
            folder = File::from(openat(&*folder, name, flags, Mode::empty())?).into();
        }
        match std::sync::Arc::try_unwrap(folder) {
            Ok(file) => Ok(file),
            Err(root) => openat(&*root, ".", READ, Mode::empty()).map(File::from),
        }
    }

    #[cfg(not(all(unix, feature = "system")))]
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

#[cfg(all(test, unix, feature = "system"))]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_folder_outside_is_not_told_from_a_missing_one() {
        let home = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(home.path().join("file"), "inside").unwrap();
        let root = RootFolder::new(home.path()).unwrap();
        let name = home.path().file_name().unwrap();
        let missing = outside.path().join("missing");
        for (folder, up) in [(outside.path(), ".."), (&*missing, "../..")] {
            let found = root.resolve(&folder.join(up).join(name).join("file")).unwrap();
            assert_eq!(found, fs::canonicalize(home.path().join("file")).unwrap());
            let is_outside = root.resolve(&folder.join("file")).unwrap_err();
            assert_eq!(is_outside.kind(), io::ErrorKind::PermissionDenied);
        }
        let missing = root.resolve(&home.path().join("missing/../file")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_link_out_is_refused_if_nothing_is_there_too() {
        let home = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let root = RootFolder::new(home.path()).unwrap();
        let links = [
            ("direct", outside.path().join("file")),
            ("chained", "direct".into()),
            ("folder", outside.path().join("new")),
            ("detour", "folder/../new/file".into()),
            ("loop", "loop".into()),
            ("missing", "nothing".into()),
        ];
        for (name, target) in links {
            symlink(target, home.path().join(name)).unwrap();
        }
        let paths = ["direct", "chained", "folder", "folder/file", "detour"];
        let refusals = || {
            paths.map(|path| {
                let refused = root.resolve(&home.path().join(path)).unwrap_err();
                assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{path}");
                refused.to_string()
            })
        };
        let before = refusals();
        fs::write(outside.path().join("file"), "outside").unwrap();
        fs::create_dir(outside.path().join("new")).unwrap();
        fs::write(outside.path().join("new/file"), "outside").unwrap();
        assert_eq!(before, refusals());
        let error = |name| root.resolve(&home.path().join(name)).unwrap_err().kind();
        assert_eq!(error("missing"), io::ErrorKind::NotFound);
        assert_ne!(error("loop"), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn a_folder_that_becomes_a_link_leads_nowhere() {
        let home = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let folder = home.path().join("folder");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("file"), "inside").unwrap();
        fs::write(outside.path().join("file"), "outside").unwrap();
        let root = RootFolder::new(home.path()).unwrap();
        let real = folder.join("file");
        let inside = Path::new("folder/file");
        let real = root.resolve(&real).unwrap();
        for opened in [root.open_real(&real).ok(), root.open_step_by_step(inside).ok()] {
            let mut text = String::new();
            opened.unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "inside");
        }
        fs::rename(&folder, home.path().join("other")).unwrap();
        symlink(outside.path(), &folder).unwrap();
        let error = root.open_real(&real).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert!(root.open_step_by_step(inside).is_err());
    }

    #[test]
    fn a_file_that_becomes_a_link_leads_nowhere() {
        let home = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        let root = RootFolder::new(home.path()).unwrap();
        symlink(outside.path(), home.path().join("file")).unwrap();
        assert!(root.open_beneath(Path::new("file")).is_err());
        assert!(root.open_step_by_step(Path::new("file")).is_err());
        assert!(
            root.open_step_by_step(Path::new("")).unwrap().metadata().unwrap().is_dir()
        );
    }
}
