//! The value of an `include` directive → the file it names, read once, whatever its
//! spelling.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::directive;
use super::link::Linker;
use crate::diagnostic::{Diagnostic, Result, near_file};
use crate::node::{Document, Kind, Node};
use crate::scalar::Scalar;
use crate::source::{FileId, Span, reason};
use crate::yaml;

/// What is to be included.
#[derive(Clone, Debug, Default)]
pub(super) struct Include {
    /// A path or a URL.
    file: String,
    /// After `#`: what of the file.
    pub(super) fragment: Vec<String>,
    /// The name of the folder that the path starts from.
    repository: Option<String>,
    /// A variable of the environment without which nothing is included.
    when: Option<String>,
    /// `merge: raw`
    pub(super) raw: bool,
}

impl Include {
    /// Reads the value of the directive `key`.
    pub(super) fn read(
        document: &Document,
        value: Node,
        key: &str,
        at: Span,
    ) -> Result<Include> {
        let wrong = |why: String| Diagnostic::error(why).at(at);
        let text = |node| string(document, node);
        let file = match document.kind(value) {
            Kind::Mapping => document.get(value, "file").ok_or_else(|| {
                wrong(format!("`file` key missing from document include: {key}"))
            })?,
            Kind::Scalar | Kind::Sequence => value,
        };
        let file = text(file).ok_or_else(|| {
            wrong(format!("Invalid include: {key} names no file"))
                .hint(format!("write `{key}: FILE` or `{key}: {{file: FILE}}`"))
        })?;
        let (file, fragment) = match file.split_once('#') {
            Some((file, fragment)) => {
                (file, fragment.strip_prefix('/').unwrap_or(fragment))
            }
            None => (&*file, ""),
        };
        let fragment = match fragment {
            "" => Vec::new(),
            _ => directive::pointer(fragment).map_err(wrong)?,
        };
        let entry = |name: &str| document.get(value, name);
        let repository = entry("repository").and_then(|node| {
            text(node).or_else(|| document.get(node, "name").and_then(text))
        });
        Ok(Include {
            file: file.to_owned(),
            fragment,
            repository,
            when: entry("when").and_then(text),
            raw: entry("merge").is_some_and(|node| document.is_text(node, "raw")),
        })
    }
}

impl fmt::Display for Include {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        let mut separator = "#/";
        for token in &self.fragment {
            write!(f, "{separator}{token}")?;
            separator = "/";
        }
        Ok(())
    }
}

fn string(document: &Document, node: Node) -> Option<String> {
    match document.scalar(node) {
        Scalar::String(text) if document.kind(node) == Kind::Scalar => {
            Some(text.into_owned())
        }
        _ => None,
    }
}

/// What an include turned out to be.
#[derive(Clone, Debug)]
pub(super) enum Loaded {
    /// The root of a file.
    File(FileId, Node),
    /// It may be missing and is, or is not wanted.
    Skipped,
}

/// The files that were included.
#[derive(Debug, Default)]
pub(super) struct Files {
    known: HashMap<PathBuf, (FileId, Node)>,
    /// In the order they were read in.
    pub(super) order: Vec<FileId>,
    /// How many includes lead to a file.
    depth: HashMap<FileId, u32>,
    bytes: u64,
}

/// Where an include leads.
enum Target {
    Path(PathBuf),
    Url(String),
}

impl Linker<'_> {
    /// Reads the file of an include that stands in `file`.
    pub(super) fn load(
        &mut self,
        include: &Include,
        file: FileId,
        optional: bool,
    ) -> Result<Loaded> {
        if let Some(name) = &include.when {
            self.allowed(self.rules.allow.env, "env", "reads the environment")?;
            if self.world.env(name).is_none_or(|value| value.is_empty()) {
                return Ok(Loaded::Skipped);
            }
        }
        let target = self.target(include, file);
        match self.open(include, &target, file) {
            Ok((file, root)) => Ok(Loaded::File(file, root)),
            Err(Closed::Wrong(diagnostic)) => Err(diagnostic),
            Err(Closed::Io(error)) => match error.kind() {
                io::ErrorKind::NotFound if optional => Ok(Loaded::Skipped),
                _ => Err(self.unreadable(include, &target, &error)),
            },
        }
    }

    fn allowed(&self, given: bool, word: &str, what: &str) -> Result<()> {
        if given {
            return Ok(());
        }
        let message = format!("this {what}, which is not allowed");
        let option = self.rules.allow.option(word);
        Err(Diagnostic::error(message).hint(format!("{option} allows it")))
    }

    fn target(&self, include: &Include, file: FileId) -> Target {
        let file = self.sources.get(file).stands_for.unwrap_or(file);
        let name = &self.sources.get(file).name;
        if is_url(&include.file) {
            return Target::Url(include.file.clone());
        }
        let path = Path::new(&include.file);
        if let Some(folder) = self.repository(include) {
            return Target::Path(folder.join(path));
        }
        if is_url(name) {
            return Target::Url(join_url(name, &include.file));
        }
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let path = match folder.join(path) {
            // To the world that is standard input, and nothing is a folder.
            path if path.as_os_str() == "-" => PathBuf::from("./-"),
            path if path.as_os_str().is_empty() => PathBuf::from("."),
            path => path,
        };
        Target::Path(path)
    }

    /// The folder that an include's `repository` stands for.
    fn repository(&self, include: &Include) -> Option<&Path> {
        let wanted = include.repository.as_ref()?;
        let mut known = self.rules.repositories.iter().rev();
        known.find(|(name, _)| name == wanted).map(|(_, folder)| &**folder)
    }

    fn open(
        &mut self,
        include: &Include,
        target: &Target,
        from: FileId,
    ) -> std::result::Result<(FileId, Node), Closed> {
        let real = match target {
            Target::Path(path) => {
                self.allowed(self.rules.allow.file, "file", "reads a file")?;
                let real = self.world.real(path)?;
                if let Some(folder) = self.repository(include)
                    && !real.starts_with(self.world.real(folder)?)
                {
                    let name = include.repository.as_deref().unwrap_or_default();
                    let why = format!("outside of the repository '{name}'");
                    return Err(
                        io::Error::new(io::ErrorKind::PermissionDenied, why).into()
                    );
                }
                real
            }
            Target::Url(url) => {
                self.allowed(self.rules.allow.url, "url", "reads from the network")?;
                PathBuf::from(url)
            }
        };
        if let Some(&known) = self.files.known.get(&real) {
            return Ok(known);
        }
        let depth = 1 + self.files.depth.get(&from).copied().unwrap_or(0);
        if depth > self.rules.include_depth {
            let message = format!(
                "more than {} files include each other",
                self.rules.include_depth
            );
            let hint = "`--limit include-depth=N` raises the limit";
            return Err(Diagnostic::error(message).hint(hint).into());
        }
        let bytes = self.bytes(target)?;
        let name = match target {
            Target::Path(path) => path.display().to_string(),
            Target::Url(url) => url.clone(),
        };
        let (file, root) = self.parse(name, bytes)?;
        self.files.known.insert(real, (file, root));
        self.files.depth.insert(file, depth);
        self.files.order.push(file);
        Ok((file, root))
    }

    fn bytes(&mut self, target: &Target) -> std::result::Result<Vec<u8>, Closed> {
        let left = self.rules.include_bytes.saturating_sub(self.files.bytes);
        let most = left.saturating_add(1);
        let bytes = match target {
            Target::Path(path) => self.world.head(path, most)?,
            Target::Url(url) => self.world.fetch(url, most)?,
        };
        if bytes.len() as u64 > left {
            let limit = self.rules.include_bytes;
            let message = format!("the included files exceed {limit} bytes");
            let hint = "`--limit include-bytes=N` raises the limit";
            return Err(Diagnostic::error(message).hint(hint).into());
        }
        self.files.bytes += bytes.len() as u64;
        Ok(bytes)
    }

    fn parse(&mut self, name: String, bytes: Vec<u8>) -> Result<(FileId, Node)> {
        let options = self.rules.yaml;
        let source = yaml::decode(name, bytes, options.dialect)?;
        let file = self.sources.push(source);
        let document = yaml::read(self.sources, file, &options)?;
        if let Some(&second) = document.roots().get(1) {
            let message = "expected a single document in the stream";
            let place = document.span(second).map(|at| Span { end: at.start, ..at });
            return Err(place.into_iter().fold(Diagnostic::error(message), |d, at| {
                d.label(at, "the second one")
            }));
        }
        let arena = Arc::clone(document.shared_base());
        self.document.add_arena(&arena);
        self.add_marks(&arena);
        self.arenas.push(arena);
        Ok((file, document.root()))
    }

    fn unreadable(
        &self,
        include: &Include,
        target: &Target,
        error: &io::Error,
    ) -> Box<Diagnostic> {
        let name = match target {
            Target::Path(path) => path.display().to_string(),
            Target::Url(url) => url.clone(),
        };
        let diagnostic = Diagnostic::error(format!(
            "unable to load document include: {name}: {}",
            reason(error)
        ));
        let diagnostic = match &include.repository {
            Some(repository) if self.repository(include).is_none() => diagnostic.hint(
                format!("`--repository {repository}=DIR` says where '{repository}' lies"),
            ),
            Some(_) | None => diagnostic,
        };
        let near = match target {
            Target::Path(path) => near_file(self.world, path, error),
            Target::Url(_) => None,
        };
        near.into_iter().fold(diagnostic, Diagnostic::hint)
    }
}

/// Why a file is not there.
enum Closed {
    Io(io::Error),
    Wrong(Box<Diagnostic>),
}

impl From<io::Error> for Closed {
    fn from(error: io::Error) -> Closed {
        Closed::Io(error)
    }
}

impl From<Box<Diagnostic>> for Closed {
    fn from(diagnostic: Box<Diagnostic>) -> Closed {
        Closed::Wrong(diagnostic)
    }
}

fn is_url(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://")
}

/// What a path means in the document that a URL names.
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
