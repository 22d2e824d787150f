//! The machine the program runs on: files, folders, the environment, programs, the
//! network. A build without the Cargo feature `network` refuses URLs.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};

use super::root::RootFolder;
use super::world::{Moment, World};
use super::write::{Replacement, link_target};

/// Maximum number of bytes read from a stream, which may never end, like `/dev/zero`.
const MAX_STREAM_BYTES: u64 = 1 << 30;

/// The machine the program runs on.
///
/// By default it is that of the user, who may name pipes and terminals. What a document
/// names is read through [`Os::for_documents`] or [`Os::jailed`].
#[derive(Clone, Debug, Default)]
pub struct Os {
    /// The folder outside of which nothing is read or written.
    root: Option<RootFolder>,
    /// True if only regular files are read. Others may have no end, or keep the reader waiting.
    is_regular: bool,
    /// True if there are no variables of the environment.
    pub hides_environment: bool,
    /// True if a file is replaced although its owner, group, access control list or another
    /// attribute cannot be kept.
    pub forces: bool,
    /// True if the content for a path such as `/dev/stdout` follows what is written to that open
    /// file, whatever it is. Otherwise a file is replaced.
    pub writes_open_files: bool,
    /// Function that is called with the name of a pipe or terminal, or `-`, from which nothing
    /// arrives for a while.
    pub tell_waiting: Option<fn(&Path)>,
}

impl Os {
    /// Returns a world for what documents name, in which only regular files are read.
    pub fn for_documents() -> Os {
        Os { is_regular: true, ..Os::default() }
    }

    /// Returns a world for what documents name, in which nothing outside of `root` is read or
    /// written, and no variable of the environment.
    ///
    /// # Errors
    /// The system's error if there is no such folder.
    pub fn jailed(root: &Path) -> io::Result<Os> {
        let root = Some(RootFolder::new(root)?);
        Ok(Os { root, hides_environment: true, ..Os::for_documents() })
    }

    /// Returns the path, resolved if there is a root, which it must be inside of.
    fn resolve<'p>(&self, path: &'p Path) -> io::Result<Cow<'p, Path>> {
        match &self.root {
            Some(root) => root.resolve(path).map(Cow::from),
            None => Ok(path.into()),
        }
    }

    /// Starts to wait for the stream at `path`, unless it is a regular file.
    fn waiting(&self, name: &Path, path: &Path) -> Waiting {
        let tell = self
            .tell_waiting
            .filter(|_| fs::metadata(path).is_ok_and(|found| !found.is_file()));
        Waiting::start(name, tell)
    }

    /// Opens a file that may be read.
    fn open(&self, path: &Path) -> io::Result<File> {
        let file = match &self.root {
            Some(root) => root.open(path)?,
            None if self.is_regular => open_at_once(path)?,
            None => File::open(path)?,
        };
        let found = file.metadata()?;
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !found.is_file() && self.is_regular {
            return Err(io::Error::other("this is no regular file"));
        }
        Ok(file)
    }
}

/// Opens a file without waiting for a writer, if it is a pipe.
#[cfg(all(unix, feature = "system"))]
fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let at_once = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    fs::OpenOptions::new().read(true).custom_flags(at_once).open(path)
}

#[cfg(not(all(unix, feature = "system")))]
fn open_at_once(path: &Path) -> io::Result<File> {
    // A pipe without a writer would keep the reader waiting.
    let found = fs::metadata(path)?;
    if found.is_file() || found.is_dir() {
        return File::open(path);
    }
    Err(io::Error::other("this is no regular file"))
}

impl World for Os {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.as_os_str() == "-" {
            let waiting = self.waiting(path, Path::new("/dev/stdin"));
            return read_stream(io::stdin().lock(), waiting);
        }
        // A pipe makes the reader wait for its writer already when it is opened.
        let waiting = self.waiting(path, path);
        let mut file = self.open(path)?;
        if !file.metadata()?.is_file() {
            return read_stream(file, waiting);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn fetch(&self, url: &str, most: u64) -> io::Result<Vec<u8>> {
        fetch(url, most)
    }

    fn run(
        &self,
        command: &str,
        folder: &Path,
        most: u64,
    ) -> io::Result<(Vec<u8>, Option<i32>)> {
        // A program reads and writes where it likes.
        if self.root.is_some() {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "a program cannot be held to --root",
            ));
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut child = Command::new("sh")
            .args(["-c", command])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut bytes = Vec::new();
        if let Some(output) = child.stdout.take() {
            output.take(most).read_to_end(&mut bytes)?;
        }
        Ok((bytes, child.wait()?.code()))
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(self.resolve(path)?)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(self.resolve(folder)?)?;
        entries.map(|entry| Ok(folder.join(entry?.file_name()))).collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.resolve(path).is_ok_and(|path| path.is_dir())
    }

    fn prepare(
        &self,
        path: &Path,
        bytes: &[u8],
        private: bool,
    ) -> io::Result<Replacement> {
        if self.writes_open_files
            && self.root.is_none()
            && let Some(open) = Replacement::of_open_file(path, bytes)?
        {
            return Ok(open);
        }
        let target = link_target(path)?;
        let climbs = target.components().any(|part| part == Component::ParentDir);
        match self.resolve(&target) {
            Ok(path) => Replacement::prepare(&path, bytes, private, self.forces),
            // There is no such file yet, but its nearest existing folder is inside. `..`
            // behind a missing folder could still lead out.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !climbs => {
                Replacement::prepare(&target, bytes, private, self.forces)
            }
            Err(error) => Err(error),
        }
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        let real = |path: &Path| {
            let path = std::path::absolute(link_target(path).ok()?).ok()?;
            Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
        };
        real(one).is_some_and(|one| real(other) == Some(one))
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|_| !self.hides_environment)
    }

    fn environment(&self) -> Vec<(String, String)> {
        let seen = std::env::vars_os().filter(|_| !self.hides_environment);
        let mut all: Vec<_> = seen
            .filter_map(|(name, value)| {
                Some((name.into_string().ok()?, value.into_string().ok()?))
            })
            .collect();
        all.sort_unstable();
        all
    }

    fn moment(&self) -> io::Result<Moment> {
        // A platform without a seed may have no clock either, and asking for the time
        // would panic.
        let seed = seed()?;
        Ok(Moment { now: SystemTime::now(), seed })
    }
}

/// Reads a stream that need not end. The wait is over with its first byte.
fn read_stream(mut stream: impl Read, waiting: Waiting) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0];
    let first = match stream.read(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
        Ok(0) => return Ok(Vec::new()),
        first => first?,
    };
    drop(waiting);
    bytes.truncate(first);
    match stream.take(MAX_STREAM_BYTES).read_to_end(&mut bytes)? {
        read if read as u64 == MAX_STREAM_BYTES => {
            Err(io::Error::other(format!("it goes on beyond {MAX_STREAM_BYTES} bytes")))
        }
        _ => Ok(bytes),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn modes_and_links() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("file");
        let link = home.path().join("link");
        symlink("file", &link).unwrap();
        write(&link, b"new", true).unwrap();
        assert_eq!(mode(&file), 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        write(&link, b"newer", false).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        assert_eq!(mode(&file), 0o640);
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
        assert!(write(home.path(), b"", false).is_err());
        write(Path::new("/dev/null"), b"x", false).unwrap();
    }

    #[test]
    fn nothing_before_commit() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("a/b/file");
        let ready = Os::default().prepare(&file, b"mine", true).unwrap();
        assert!(!file.exists());
        assert_eq!(mode(file.parent().unwrap()), 0o700);
        fs::write(&file, "another's").unwrap();
        assert!(!ready.commit_over(None).unwrap());
        drop(Os::default().prepare(&file, b"mine", true).unwrap());
        assert_eq!(fs::read(&file).unwrap(), b"another's");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn links_out_of_the_root() {
        let home = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let link = home.path().join("link");
        symlink(outside.path().join("new"), &link).unwrap();
        let jailed = Os::jailed(home.path()).unwrap();
        assert!(jailed.prepare(&link, b"x", true).is_err());
        symlink("b", home.path().join("a")).unwrap();
        symlink("a", home.path().join("b")).unwrap();
        assert!(jailed.prepare(&home.path().join("a"), b"x", true).is_err());
    }

    #[test]
    fn new_files_inside_the_root() {
        let home = tempfile::tempdir().unwrap();
        let jailed = Os::jailed(home.path()).unwrap();
        let new = |path: &str| jailed.prepare(&home.path().join(path), b"x", true);
        new("a/b").unwrap().commit().unwrap();
        assert_eq!(fs::read(home.path().join("a/b")).unwrap(), b"x");
        assert!(new("c/../../d").is_err());
        assert!(new("../d").is_err());
    }

    fn write(path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        Os::default().prepare(path, bytes, private)?.commit()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).map_or(0, |found| found.permissions().mode() & 0o777)
    }
}

/// Returns unpredictable bytes of the system.
#[cfg(all(feature = "random", not(target_os = "unknown")))]
pub(super) fn seed() -> io::Result<[u8; 32]> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(io::Error::other)?;
    Ok(seed)
}

/// Fails: there is no source of such bytes.
#[cfg(not(all(feature = "random", not(target_os = "unknown"))))]
pub(super) fn seed() -> io::Result<[u8; 32]> {
    let why = "this build has neither a clock nor random numbers";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}

/// The time without a byte after which it is reported. Programs at the other end of a pipe
/// mostly answer sooner; people wonder later.
const SILENCE: Duration = Duration::from_secs(1);

/// A wait for the first byte of a stream; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Waiting {
    _arrived: Option<Sender<()>>,
}

impl Waiting {
    /// Starts to wait for a stream. `tell` is called with its name after a while.
    pub(super) fn start(name: &Path, tell: Option<fn(&Path)>) -> Waiting {
        let Some(tell) = tell else { return Waiting { _arrived: None } };
        let (arrived, news) = channel::<()>();
        let name = name.to_owned();
        let wait = move || {
            if news.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout) {
                tell(&name);
            }
        };
        // Without a thread nothing is reported, and the stream is read all the same.
        let thread = thread::Builder::new().spawn(wait);
        Waiting { _arrived: thread.is_ok().then_some(arrived) }
    }
}

/// Returns the first bytes of the resource at a URL, at most `most`.
#[cfg(feature = "network")]
fn fetch(url: &str, most: u64) -> io::Result<Vec<u8>> {
    use std::io::Read;
    use std::time::Duration;

    let agent: ureq::Agent = ureq::Agent::config_builder()
        // Redirects and body included. Half a minute is longer than a person waits for a
        // server that does not answer.
        .timeout_global(Some(Duration::from_secs(30)))
        // More than a mirror behind a shortened URL needs.
        .max_redirects(5)
        .build()
        .into();
    let mut response = agent.get(url).call().map_err(unanswered)?;
    let mut bytes = Vec::new();
    response.body_mut().as_reader().take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Converts the answers "not found" and "gone" to the error of a missing file.
#[cfg(feature = "network")]
fn unanswered(error: ureq::Error) -> io::Error {
    match error {
        ureq::Error::StatusCode(404 | 410) => {
            io::Error::new(io::ErrorKind::NotFound, error)
        }
        error => error.into_io(),
    }
}

/// Fails: there is no client.
#[cfg(not(feature = "network"))]
fn fetch(_: &str, _: u64) -> io::Result<Vec<u8>> {
    let why = "this build cannot read URLs: it lacks the Cargo feature 'network'";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}
