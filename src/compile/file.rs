//! Included files: the value of an `include` directive comes in, the root of the file it
//! names goes out. Each file is read once, whatever its spelling.

use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hashbrown::HashMap;

use super::directive::{Include, Rules};
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Result, near_file};
use crate::node::NodeId;
use crate::source::{FileId, Sources, Span, World, reason};
use crate::yaml;

/// A file and its root; `None` if it is optional and missing, or its condition is not met.
pub(super) type Loaded = Option<(FileId, NodeId)>;

/// The error of a file that is not loaded; `None` if it is optional and missing.
type IncludeRefusal = Option<Box<Diagnostic>>;

pub(super) struct IncludedFiles<'a> {
    sources: &'a mut Sources,
    world: &'a dyn World,
    rules: &'a Rules,
    /// The root of each file, by its canonical path or its URL.
    known: HashMap<PathBuf, (FileId, NodeId)>,
    /// The texts of the files, in the order they were read.
    pub(super) arenas: Vec<Arc<Arena>>,
    /// Length of the chain of includes that leads to a file.
    depth: HashMap<FileId, u32>,
    bytes: u64,
}

enum Location {
    Path(PathBuf),
    Url(String),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Path(path) => path.display().fmt(f),
            Location::Url(url) => f.write_str(url),
        }
    }
}

impl<'a> IncludedFiles<'a> {
    pub(super) fn new(
        sources: &'a mut Sources,
        world: &'a dyn World,
        rules: &'a Rules,
    ) -> IncludedFiles<'a> {
        let known = HashMap::new();
        let depth = HashMap::new();
        IncludedFiles {
            sources,
            world,
            rules,
            known,
            arenas: Vec::new(),
            depth,
            bytes: 0,
        }
    }

    /// Reads the file of an include that stands in `file`. An error has no place yet.
    pub(super) fn load(&mut self, include: &Include, file: FileId) -> Result<Loaded> {
        if let Some(name) = &include.when {
            self.check_allowed("env", "reads the environment")?;
            if self.world.env(name).is_none_or(|value| value.is_empty()) {
                return Ok(None);
            }
        }
        let location = self.location(include, file);
        match self.open(include, &location, file) {
            Ok(loaded) => Ok(Some(loaded)),
            Err(refusal) => refusal.map_or(Ok(None), Err),
        }
    }

    fn check_allowed(&self, word: &str, what: &str) -> Result<()> {
        if self.rules.allow.has(word) {
            return Ok(());
        }
        let message = format!("this {what}, which is not allowed");
        let option = self.rules.allow.option(word);
        Err(Diagnostic::error(message).hint(format!("{option} allows it")))
    }

    fn location(&self, include: &Include, file: FileId) -> Location {
        let file = self.sources.get(file).stands_for.unwrap_or(file);
        let name = &self.sources.get(file).name;
        if is_url(&include.file) {
            return Location::Url(include.file.clone());
        }
        let path = Path::new(&include.file);
        if let Some(folder) = self.repository(include) {
            return Location::Path(folder.join(path));
        }
        if is_url(name) {
            return Location::Url(join_url(name, &include.file));
        }
        let path = match Path::new(name).parent().unwrap_or(Path::new("")).join(path) {
            // The world reads `-` as standard input, and an empty path as an error.
            path if path.as_os_str() == "-" => PathBuf::from("./-"),
            path if path.as_os_str().is_empty() => PathBuf::from("."),
            path => path,
        };
        Location::Path(path)
    }

    fn repository(&self, include: &Include) -> Option<&Path> {
        let wanted = include.repository.as_ref()?;
        let mut known = self.rules.repositories.iter().rev();
        known.find(|(name, _)| name == wanted).map(|(_, folder)| &**folder)
    }

    fn open(
        &mut self,
        include: &Include,
        location: &Location,
        from: FileId,
    ) -> std::result::Result<(FileId, NodeId), IncludeRefusal> {
        let unreadable = |error| self.unreadable(include, location, &error);
        let real = match location {
            Location::Path(path) => {
                self.check_allowed("file", "reads a file")?;
                let real = self.world.real(path).map_err(unreadable)?;
                if let Some(folder) = self.repository(include)
                    && !real.starts_with(self.world.real(folder).map_err(unreadable)?)
                {
                    let name = include.repository.as_deref().unwrap_or_default();
                    let why = format!("outside of the repository '{name}'");
                    return Err(unreadable(io::Error::other(why)));
                }
                real
            }
            Location::Url(url) => {
                self.check_allowed("url", "reads from the network")?;
                PathBuf::from(url)
            }
        };
        // By the canonical path, so that `a.yml` and `x/../a.yml` are one file.
        if let Some(&known) = self.known.get(&real) {
            return Ok(known);
        }
        let depth = 1 + self.depth.get(&from).copied().unwrap_or(0);
        if depth > self.rules.include_depth {
            let message = format!(
                "more than {} files include each other",
                self.rules.include_depth
            );
            let hint = "`--limit include-depth=N` raises the limit";
            return Err(Diagnostic::error(message).hint(hint).into());
        }
        let bytes = self.bytes(include, location)?;
        let (file, root) = self.parse(location.to_string(), bytes)?;
        self.known.insert(real, (file, root));
        self.depth.insert(file, depth);
        Ok((file, root))
    }

    fn bytes(
        &mut self,
        include: &Include,
        location: &Location,
    ) -> std::result::Result<Vec<u8>, IncludeRefusal> {
        let left = self.rules.include_bytes.saturating_sub(self.bytes);
        // One more byte than allowed tells a file that is too large.
        let most = left.saturating_add(1);
        let bytes = match location {
            Location::Path(path) => self.world.head(path, most),
            Location::Url(url) => self.world.fetch(url, most),
        };
        let bytes = bytes.map_err(|error| self.unreadable(include, location, &error))?;
        if bytes.len() as u64 > left {
            let limit = self.rules.include_bytes;
            let message = format!("the included files exceed {limit} bytes");
            let hint = "`--limit include-bytes=N` raises the limit";
            return Err(Diagnostic::error(message).hint(hint).into());
        }
        self.bytes += bytes.len() as u64;
        Ok(bytes)
    }

    fn parse(&mut self, name: String, bytes: Vec<u8>) -> Result<(FileId, NodeId)> {
        let options = self.rules.yaml;
        let file = self.sources.push(yaml::decode(name, bytes, options.dialect)?);
        let document = yaml::read(self.sources, file, &options)?;
        if let Some(&second) = document.roots().get(1) {
            let message = "expected a single document in the stream";
            let place = document.span(second).map(|at| Span { end: at.start, ..at });
            return Err(Diagnostic::error(message).label(place, "the second one"));
        }
        self.arenas.push(Arc::clone(document.shared_base()));
        Ok((file, document.root()))
    }

    fn unreadable(
        &self,
        include: &Include,
        location: &Location,
        error: &io::Error,
    ) -> IncludeRefusal {
        if error.kind() == io::ErrorKind::NotFound && include.optional {
            return None;
        }
        let diagnostic = Diagnostic::error(format!(
            "unable to load document include: {location}: {}",
            reason(error)
        ));
        let unknown = include.repository.as_ref();
        let unknown = unknown.filter(|_| self.repository(include).is_none());
        let near = match location {
            Location::Path(path) => near_file(self.world, path, error),
            Location::Url(_) => None,
        };
        let repository =
            unknown.map(|it| format!("`--repository {it}=DIR` says where '{it}' lies"));
        Some(diagnostic.hints(repository.into_iter().chain(near)))
    }
}

fn is_url(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://")
}

/// Resolves a path in the document that a URL names.
fn join_url(base: &str, path: &str) -> String {
    let start = base.find("://").map_or(0, |at| at + 3);
    let host = base[start..].find('/').map_or(base.len(), |at| start + at);
    let (host, folder) = base.split_at(host);
    let folder = folder.split(['?', '#']).next().unwrap_or_default();
    let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
    let joined = Path::new(if path.starts_with('/') { "/" } else { folder }).join(path);
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(part) => parts.extend(part.to_str()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    format!("{host}/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        let base = "https://host/a/b.yaml?x=1/2";
        assert_eq!(join_url(base, "c.yaml"), "https://host/a/c.yaml");
        assert_eq!(join_url(base, "../../c.yaml"), "https://host/c.yaml");
        assert_eq!(join_url(base, "/etc/c.yaml"), "https://host/etc/c.yaml");
        assert_eq!(join_url("http://host", "c.yaml"), "http://host/c.yaml");
    }
}
