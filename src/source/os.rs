//! The machine the program runs on: files, folders, the environment, programs, the
//! network.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use super::write::{Replacement, target};
use super::{Moment, World};

/// So long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A stream, which may never end, is read up to so many bytes.
const ENDLESS: u64 = 1 << 30;

/// The machine the program runs on.
#[derive(Clone, Debug, Default)]
pub struct Os {
    root: Option<PathBuf>,
}

impl Os {
    /// A world in which nothing outside `root` is read.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn jailed(root: &Path) -> io::Result<Os> {
        Ok(Os { root: Some(fs::canonicalize(root)?) })
    }

    /// Where `path` leads, which must be inside the root.
    fn resolve<'p>(&self, path: &'p Path) -> io::Result<Cow<'p, Path>> {
        let Some(root) = &self.root else { return Ok(path.into()) };
        let found = fs::canonicalize(path);
        let nearest = match &found {
            Ok(real) => Some(real.clone()),
            Err(_) => std::path::absolute(path)?
                .ancestors()
                .skip(1)
                .find_map(|above| fs::canonicalize(above).ok()),
        };
        if nearest.is_some_and(|real| real.starts_with(root)) {
            return found.map(Cow::from);
        }
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("outside of the folder '{}' given as --root", root.display()),
        ))
    }
}

/// What a server that says there is nothing has in common with a folder.
fn unanswered(error: ureq::Error) -> io::Error {
    match error {
        ureq::Error::StatusCode(404 | 410) => {
            io::Error::new(io::ErrorKind::NotFound, error)
        }
        error => error.into_io(),
    }
}

impl World for Os {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            read_some(io::stdin().lock(), &mut bytes)?;
            return Ok(bytes);
        }
        let mut file = File::open(self.resolve(path)?)?;
        let found = file.metadata()?;
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if found.is_file() {
            file.read_to_end(&mut bytes)?
        } else {
            read_some(file, &mut bytes)?
        };
        Ok(bytes)
    }

    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.resolve(path)?)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn fetch(&self, url: &str, most: u64) -> io::Result<Vec<u8>> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .max_redirects(5)
            .build()
            .into();
        let mut response = agent.get(url).call().map_err(unanswered)?;
        let mut bytes = Vec::new();
        response.body_mut().as_reader().take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn run(
        &self,
        command: &str,
        folder: &Path,
        most: u64,
    ) -> io::Result<(Vec<u8>, Option<i32>)> {
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
        let target = target(path)?;
        let climbs = || target.components().any(|part| part == Component::ParentDir);
        match self.resolve(&target) {
            Ok(path) => Replacement::prepare(&path, bytes, private),
            // There is no such file yet, but what of its folders there is lies inside.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !climbs() => {
                Replacement::prepare(&target, bytes, private)
            }
            Err(error) => Err(error),
        }
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        let real = |path: &Path| {
            let path = std::path::absolute(target(path).ok()?).ok()?;
            let folder = fs::canonicalize(path.parent()?).ok()?;
            Some(folder.join(path.file_name()?))
        };
        real(one).is_some_and(|one| real(other) == Some(one))
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn environment(&self) -> Vec<(String, String)> {
        let text = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let mut all: Vec<_> = std::env::vars_os().filter_map(text).collect();
        all.sort_unstable();
        all
    }

    fn moment(&self) -> io::Result<Moment> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(io::Error::other)?;
        Ok(Moment { now: SystemTime::now(), seed })
    }
}

fn read_some(stream: impl Read, bytes: &mut Vec<u8>) -> io::Result<usize> {
    match stream.take(ENDLESS + 1).read_to_end(bytes)? {
        read if read as u64 > ENDLESS => {
            Err(io::Error::other(format!("it goes on beyond {ENDLESS} bytes")))
        }
        read => Ok(read),
    }
}
