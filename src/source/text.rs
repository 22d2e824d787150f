//! The texts of a run, numbered, spans in them, and replacements of their parts.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// The number of a text. No two texts of a process have the same one, so that nodes of
/// different documents cannot be taken for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub(crate) u32);

impl FileId {
    /// The number of the empty text of nodes that were made, not read.
    pub(crate) const BLANK: FileId = FileId(u32::MAX);

    /// Returns a number that no other text has.
    pub(crate) fn unused() -> FileId {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // After 4 billion texts numbers repeat. A patch or a variable whose text has the
        // number of another text in the document is then refused.
        match FileId(NEXT.fetch_add(1, Ordering::Relaxed)) {
            FileId::BLANK => FileId::unused(),
            id => id,
        }
    }
}

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

/// The parts of a text that messages may show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The whole text.
    #[default]
    All,
    /// Keys and punctuation: values and comments are secret.
    Keys,
    /// Nothing: the text is a secret itself.
    Nothing,
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
    /// The parts of it that messages may show.
    pub shown: Shown,
    /// The source that it will be written over, from whose folder paths in it start.
    pub stands_for: Option<FileId>,
    /// The offsets at which the lines begin, found when they are first asked for.
    pub(crate) lines: OnceLock<Vec<u32>>,
}

impl Source {
    /// A text that belongs to no file.
    pub fn unnamed(text: impl Into<Text>) -> Source {
        Source {
            name: String::new(),
            text: text.into(),
            encoding: Encoding::Utf8,
            shown: Shown::All,
            stands_for: None,
            lines: OnceLock::new(),
        }
    }

    /// Returns true if some of it must not be shown.
    pub fn is_secret(&self) -> bool {
        self.shown != Shown::All
    }

    fn without_text(&self) -> Source {
        Source { text: Text::default(), lines: OnceLock::new(), ..self.clone() }
    }

    /// Returns the offsets at which lines begin.
    pub(crate) fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(breaks.map(|at| at as u32 + 1)).collect()
        })
    }

    /// Returns the line and the column, in characters, of a byte; both begin at 1. The
    /// end of the text counts as the end of its last line.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let is_end = offset as usize >= self.text.len();
        let offset = if is_end { self.text.trim_end().len() as u32 } else { offset };
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset);
        let start = starts[line.saturating_sub(1)] as usize;
        let before = self.text.get(start..offset as usize).unwrap_or_default();
        (line, before.trim_start_matches('\u{feff}').chars().count() + 1)
    }
}

/// Every text of a run, by number.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Sorted by number, which is the order in which they were added.
    files: Vec<(FileId, Arc<Source>)>,
}

impl Sources {
    /// Adds a text under a name.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Text>) -> FileId {
        self.push(Source { name: name.into(), ..Source::unnamed(text) })
    }

    /// Adds a source that has been read.
    pub fn push(&mut self, source: Source) -> FileId {
        let file = FileId::unused();
        self.insert(file, Arc::new(source));
        file
    }

    /// Adds a text that will be written over another source. Messages show it as that source,
    /// its name with an addition.
    ///
    /// # Example
    /// ```
    /// let mut sources = interpolate::unstable::source::Sources::default();
    /// let base = sources.add("base.yml", "a: 1");
    /// let draft = sources.add_draft("a: 2", base, " (saved)");
    /// assert_eq!(sources.get(draft).name, "base.yml (saved)");
    /// ```
    pub fn add_draft(
        &mut self,
        text: impl Into<Text>,
        stands_for: FileId,
        addition: &str,
    ) -> FileId {
        let Source { name, shown, .. } = self.get(stands_for);
        self.push(Source {
            name: format!("{name}{addition}"),
            shown: *shown,
            stands_for: Some(stands_for),
            ..Source::unnamed(text)
        })
    }

    /// Lets messages show no more than the keys of a text, which has secrets filled in.
    ///
    /// # Example
    /// ```
    /// use interpolate::unstable::source::{Shown, Sources};
    ///
    /// let mut sources = Sources::default();
    /// let filled = sources.add("filled.yml", "password: hunter2");
    /// sources.show_keys_only(filled);
    /// assert_eq!(sources.get(filled).shown, Shown::Keys);
    /// ```
    pub fn show_keys_only(&mut self, file: FileId) {
        if let Ok(at) = self.position(file) {
            Arc::make_mut(&mut self.files[at].1).shown = Shown::Keys;
        }
    }

    /// Adds a source that has a number, unless it is there.
    pub(crate) fn insert(&mut self, file: FileId, source: Arc<Source>) {
        if let Err(at) = self.position(file) {
            self.files.insert(at, (file, source));
        }
    }

    fn position(&self, file: FileId) -> Result<usize, usize> {
        self.files.binary_search_by_key(&file, |(file, _)| *file)
    }

    /// Returns the number of sources, released ones included.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// Returns the numbers of the sources, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.files.iter().map(|(file, _)| *file)
    }

    /// Frees the texts of the sources `files` except for `kept`. They keep their numbers.
    pub fn release(&mut self, files: Range<usize>, kept: &[FileId]) {
        for (file, source) in self.files.get_mut(files).into_iter().flatten() {
            if !kept.contains(file) {
                *source = Arc::new(source.without_text());
            }
        }
    }

    pub(crate) fn has(&self, file: FileId) -> bool {
        self.position(file).is_ok()
    }

    /// Returns the source with that number.
    ///
    /// # Panics
    /// There is none: the number is that of a text in other `Sources`.
    pub fn get(&self, file: FileId) -> &Source {
        self.shared(file)
    }

    pub(crate) fn shared(&self, file: FileId) -> &Arc<Source> {
        match self.position(file) {
            Ok(at) => &self.files[at].1,
            Err(_) => panic!("no text has the number {}", file.0),
        }
    }
}

/// Returns a text with the given ranges of bytes replaced. They are sorted by their starts;
/// a range that begins inside an earlier one is left as it is.
pub(crate) fn replace_ranges<T: AsRef<str>>(
    text: &str,
    edits: impl IntoIterator<Item = (Range<usize>, T)>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        if range.start >= at {
            out.push_str(&text[at..range.start]);
            out.push_str(new.as_ref());
            at = range.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_ranges_are_left() {
        let edits = [(0..3, "x"), (1..2, "y"), (3..3, "z"), (4..5, "")];
        assert_eq!(replace_ranges("abcdef", edits), "xzdf");
    }
}
