//! Texts and places: file names and bytes come in through [`World`]; [`Sources`]
//! numbers them, so that every later value can say where it was written.

mod allow;
mod memory;
mod os;
mod write;

use std::fmt;
use std::io;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub use allow::Allow;
pub use memory::Memory;
pub use os::Os;
pub use write::Replacement;

/// The number of a text in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub(crate) u32);

/// A range of bytes of one text: `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

/// How a text was stored; it is written back the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark (which stays part of the text).
    #[default]
    Utf8,
    /// UTF-16, most significant byte first.
    Utf16Be,
    /// UTF-16, least significant byte first.
    Utf16Le,
}

/// A text that is never changed and cheap to share. It may hold secrets, and is not
/// printed for debugging.
#[derive(Clone, Default)]
pub struct Text(Arc<String>);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.len())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(Arc::new(text))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        text.to_owned().into()
    }
}

/// One text and the name people know it by.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name as it was given: a path, or `-` for standard input.
    pub name: String,
    /// The text, decoded.
    pub text: Text,
    /// How it was stored.
    pub encoding: Encoding,
    /// Whether it holds secrets, which are never shown.
    pub secret: bool,
    /// What it is to be written over: paths in it start from there.
    pub stands_for: Option<FileId>,
}

/// Every text of a run, numbered in the order it was added.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a text under a name.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Text>) -> FileId {
        self.push(Source {
            name: name.into(),
            text: text.into(),
            encoding: Encoding::Utf8,
            secret: false,
            stands_for: None,
        })
    }

    /// Adds a source that has been read.
    pub fn push(&mut self, source: Source) -> FileId {
        self.files.push(source);
        FileId(self.files.len() as u32 - 1)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.files.len()
    }

    /// Lets go of the texts of some sources: nobody will ask for them. They keep their
    /// numbers.
    pub(crate) fn release(&mut self, files: Range<usize>, asked: &[FileId]) {
        for (i, source) in self.files.iter_mut().enumerate().take(files.end) {
            if files.contains(&i) && !asked.contains(&FileId(i as u32)) {
                source.text = Text::default();
            }
        }
    }

    /// The source of that number.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file.0 as usize]
    }
}

/// What is asked for once and never comes again.
pub struct Moment {
    /// The time.
    pub now: SystemTime,
    /// Bytes nobody can guess; whoever knows them knows what is made of them.
    pub seed: [u8; 32],
}

/// Everything outside the program. No other code reads a file, the environment or a clock.
pub trait World {
    /// The bytes of the file at `path`; `-` is standard input.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The first bytes of the file at `path`, at most `most`.
    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// The first bytes of what a URL names, at most `most`.
    fn fetch(&self, url: &str, most: u64) -> io::Result<Vec<u8>>;
    /// What a shell command prints, at most `most` bytes of it, run in `folder`; and whether
    /// it ended well, or the code it ended with.
    fn run(
        &self,
        command: &str,
        folder: &Path,
        most: u64,
    ) -> io::Result<(Vec<u8>, Option<i32>)>;
    /// The one path of a file that has many spellings.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;
    /// The entries of a folder, in no particular order.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;
    /// Whether `path` is a folder.
    fn is_folder(&self, path: &Path) -> bool;
    /// Gets ready to replace the file at `path` as a whole or not at all. A new one that is
    /// `private` can be read by nobody else, and gets the folders that are missing.
    fn prepare(
        &self,
        path: &Path,
        bytes: &[u8],
        private: bool,
    ) -> io::Result<Replacement>;
    /// Whether two paths lead to one file, or would.
    fn is_same(&self, one: &Path, other: &Path) -> bool;
    /// A variable of the environment.
    fn env(&self, name: &str) -> Option<String>;
    /// Every variable of the environment that is text, by name.
    fn environment(&self) -> Vec<(String, String)>;
    /// The time, and bytes that nobody can guess.
    fn moment(&self) -> io::Result<Moment>;
}

/// The system's reason in few words, e.g. `no such file or directory`.
pub fn reason(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.source());
    let error = inner.and_then(|inner| inner.downcast_ref()).unwrap_or(error);
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |c| c.to_lowercase().chain(rest).collect())
}
