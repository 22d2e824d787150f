//! The texts of a run, numbered, and spans in them.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

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

/// The encoding of a stored text, in which it is written back.
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

/// An immutable text that is cheap to share. Its `Debug` form does not show it, since it
/// may hold secrets.
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
    /// The encoding it was stored in.
    pub encoding: Encoding,
    /// True if it holds secrets, which are never shown.
    pub secret: bool,
    /// The source that it will be written over, from whose folder paths in it start.
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

    pub(crate) fn count(&self) -> usize {
        self.files.len()
    }

    /// Frees the texts of the sources `files` except for `kept`. They keep their numbers.
    pub(crate) fn release(&mut self, files: Range<usize>, kept: &[FileId]) {
        for (i, source) in self.files.iter_mut().enumerate().take(files.end) {
            if files.contains(&i) && !kept.contains(&FileId(i as u32)) {
                source.text = Text::default();
            }
        }
    }

    /// Returns the source with that number.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file.0 as usize]
    }
}
