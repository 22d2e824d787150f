//! The rules by which documents are read.

use std::fmt;
use std::sync::Arc;

use super::error::{Error, Result};
use crate::compile::Rules;
use crate::node::Tree;
use crate::scalar::Dialect;
use crate::source::{Allow, Memory, Source, Sources, World};
use crate::yaml::{self, Options};

/// Reads documents: the dialect of YAML, and the files that they may include.
///
/// By default a document is read as YAML 1.2, and nothing outside of it can be reached.
///
/// ```
/// use interpolate::{Dialect, Memory, Patch, Reader};
///
/// let mut files = Memory::default();
/// files.files.insert("common.yml".into(), "replicas: 2\n".into());
/// let reader = Reader::new().dialect(Dialect::Go).world(files);
/// let mut document = reader.parse("app.yml", "web: {+include: common.yml, debug: y}\n")?;
/// document.apply(&Patch::directives(&document)?)?;
/// assert_eq!(document.to_string(), "web: {debug: y, replicas: 2}\n");
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone)]
pub struct Reader {
    /// `None`: what the `%YAML` line of the text says, else YAML 1.2.
    dialect: Option<Dialect>,
    strict: bool,
    allow: Allow,
    world: Arc<dyn World + Send + Sync>,
}

impl Default for Reader {
    fn default() -> Reader {
        let world = Arc::new(Memory::default());
        Reader { dialect: None, strict: false, allow: Allow::default(), world }
    }
}

impl Reader {
    /// Returns a reader of YAML 1.2 that reaches no files.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Sets the dialect: the meaning of plain scalars, and the grammar. By default a text
    /// is YAML 1.2, unless it begins with `%YAML 1.1`.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Reader {
        self.dialect = Some(dialect);
        self
    }

    /// With true, the reader refuses what YAML 1.2 forbids although common readers accept
    /// it.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Reader {
        self.strict = strict;
        self
    }

    /// Sets what is outside: [`Os`](crate::Os) for the files of this machine,
    /// [`Memory`] for files in memory, or any
    /// [`World`]. Relative paths in templates start from
    /// the current folder, those of includes from the folder of the text.
    #[must_use]
    pub fn world(mut self, world: impl World + Send + Sync + 'static) -> Reader {
        self.world = Arc::new(world);
        self
    }

    /// Sets the parts of the world that documents may reach. By default they may read
    /// files and the environment. Templates never write files.
    #[must_use]
    pub fn allow(mut self, allow: Allow) -> Reader {
        self.allow = allow;
        self
    }

    pub(super) fn tree(&self, name: &str, text: String) -> Result<Tree> {
        self.source(Source { name: name.to_owned(), ..Source::unnamed(text) })
    }

    pub(super) fn source(&self, source: Source) -> Result<Tree> {
        let mut sources = Sources::default();
        let file = sources.push(source);
        let options = self.options(&sources.get(file).text);
        yaml::read(&sources, file, &options).map_err(|error| Error::new(error, sources))
    }

    pub(super) fn outside(&self) -> &Arc<dyn World + Send + Sync> {
        &self.world
    }

    /// Returns the options for reading a text.
    pub(super) fn options(&self, text: &str) -> Options {
        let dialect = self.dialect.or_else(|| yaml::version(text)).unwrap_or_default();
        Options { dialect, strict: self.strict, ..Options::default() }
    }

    /// Returns the rules of the directives and templates of a document.
    pub(super) fn rules(&self, document: &Tree) -> Rules {
        let yaml = self.options(document.base().text());
        // Nobody would write the files that templates prepare.
        let allow = Allow { write: false, ..self.allow };
        Rules { allow, yaml, ..Rules::default() }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("dialect", &self.dialect)
            .field("strict", &self.strict)
            .field("allow", &self.allow)
            .finish_non_exhaustive()
    }
}
