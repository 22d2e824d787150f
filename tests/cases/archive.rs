//! The files of a case, which are a folder or one file: an archive of short texts in the
//! format `txtar` of Go and CUE.
//!
//! ```text
//! A comment, up to the first line that names a file.
//! -- base.yml --
//! a: 1
//! -- value.yml (escaped) --
//! no final line break\
//! -- link.yml -> base.yml --
//! ```
//!
//! A file begins below its name and ends at the next name. Two notes after a name state
//! what plain lines cannot hold:
//!
//! - `(escaped)`: `\xHH` is a byte, `\r` a carriage return, `\\` a backslash, and a `\`
//!   at the end of a line joins it with the next. Files are written in this way if they
//!   have no final line break, a carriage return or another control character, a byte
//!   order mark, bytes that are not UTF-8, or a line that looks like a name.
//! - `-> TARGET`: a symbolic link.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a case in their order. Those of a folder are kept as they are.
pub(crate) struct Archive {
    path: PathBuf,
    comment: String,
    files: Vec<(String, Content)>,
}

enum Content {
    Bytes(Vec<u8>),
    Link(String),
}

impl Archive {
    /// Reads the archives of a folder of `fixtures/`, in the order of their names.
    pub(crate) fn all(folder: &str) -> Vec<Archive> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let is_archive = |path: &PathBuf| path.extension().is_some_and(|e| e == "txtar");
        let mut paths: Vec<PathBuf> = entries.filter(is_archive).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} has no archives", folder.display());
        paths.into_iter().map(Archive::open).collect()
    }

    /// Reads the folders of a folder of the project, a case each, in the order of their
    /// names.
    pub(crate) fn folders(folder: &str) -> Vec<Archive> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} has no folders", folder.display());
        paths.into_iter().map(Archive::of_folder).collect()
    }

    fn of_folder(path: PathBuf) -> Archive {
        let files = files_in(&path).into_iter();
        let files = files.map(|(name, bytes)| (name, Content::Bytes(bytes))).collect();
        Archive { path, comment: String::new(), files }
    }

    fn open(path: PathBuf) -> Archive {
        let text = fs::read_to_string(&path).unwrap();
        Archive::read(path, &text)
    }

    /// Reads the text of an archive.
    pub(crate) fn read(path: PathBuf, text: &str) -> Archive {
        let (mut comment, mut parts) = (String::new(), Vec::<(&str, String)>::new());
        for line in text.split_inclusive('\n') {
            match (heading(line), parts.last_mut()) {
                (Some(heading), _) => parts.push((heading, String::new())),
                (None, Some((_, part))) => part.push_str(line),
                (None, None) => comment.push_str(line),
            }
        }
        let files = parts.into_iter().map(|(heading, part)| file(heading, part));
        Archive { path, comment, files: files.collect() }
    }

    /// Returns the text of the archive.
    pub(crate) fn print(&self) -> String {
        let mut text = self.comment.clone();
        for (name, content) in &self.files {
            text += &match content {
                Content::Link(target) => format!("-- {name} -> {target} --\n"),
                Content::Bytes(bytes) => match plain(bytes) {
                    Some(plain) => format!("-- {name} --\n{plain}"),
                    None => format!("-- {name} (escaped) --\n{}", escape(bytes)),
                },
            };
        }
        text
    }

    /// Returns the name of the case.
    pub(crate) fn name(&self) -> String {
        self.path.file_stem().unwrap().to_string_lossy().into_owned()
    }

    /// Returns the text before the first file.
    pub(crate) fn comment(&self) -> &str {
        &self.comment
    }

    /// Returns the names of the files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(name, _)| &**name)
    }

    /// Returns a file; nothing if it is missing or a link.
    pub(crate) fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.files.iter().find_map(|(found, content)| match content {
            Content::Bytes(bytes) if found == name => Some(&**bytes),
            Content::Bytes(_) | Content::Link(_) => None,
        })
    }

    /// Returns a file as text; an empty text if it is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        str::from_utf8(self.bytes(name).unwrap_or_default()).unwrap()
    }

    /// Writes the files with certain names into a folder.
    pub(crate) fn extract(&self, folder: &Path, is_wanted: impl Fn(&str) -> bool) {
        for (name, content) in self.files.iter().filter(|(name, _)| is_wanted(name)) {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match content {
                Content::Bytes(bytes) => fs::write(path, bytes).unwrap(),
                Content::Link(target) => link(target, &path),
            }
        }
    }

    /// Compares an expected file with the result, of which `None` is no file. `BLESS=1`
    /// writes the result into the archive or the folder.
    pub(crate) fn expect(
        &mut self,
        name: &str,
        found: Option<&[u8]>,
    ) -> Result<(), String> {
        let wanted = self.bytes(name);
        if wanted == found {
            return Ok(());
        }
        if std::env::var_os("BLESS").is_none() {
            let show = |bytes: Option<&[u8]>| match bytes {
                Some(bytes) => format!("\n{}", String::from_utf8_lossy(bytes)),
                None => " no file\n".into(),
            };
            let (case, wanted, found) = (self.path.display(), show(wanted), show(found));
            return Err(format!("== {case}: {name}\nwanted{wanted}found{found}"));
        }
        self.put(name, found);
        self.save(name);
        Ok(())
    }

    /// Writes a changed file: into its folder, or with the whole archive.
    fn save(&self, name: &str) {
        let path = self.path.join(name);
        if !self.path.is_dir() {
            fs::write(&self.path, self.print()).unwrap();
        } else if let Some(bytes) = self.bytes(name) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }

    /// Replaces a file, adds it at the end, or removes it.
    pub(crate) fn put(&mut self, name: &str, content: Option<&[u8]>) {
        let at = self.files.iter().position(|(file, _)| file == name);
        let at = at.unwrap_or(self.files.len());
        let end = self.files.len().min(at + 1);
        let content = content.map(|bytes| Content::Bytes(bytes.to_owned()));
        self.files.splice(at..end, content.map(|content| (name.to_owned(), content)));
    }
}

/// Lists the files below a folder by their relative names, sorted. Links are left out.
pub(crate) fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
            files.push((name.to_owned(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

/// Returns the name and the note of a line that begins a file.
fn heading(line: &str) -> Option<&str> {
    let heading = line.trim_end_matches('\n').strip_prefix("-- ")?.strip_suffix(" --")?;
    Some(heading.trim()).filter(|heading| !heading.is_empty())
}

fn file(heading: &str, text: String) -> (String, Content) {
    if let Some((name, target)) = heading.split_once(" -> ") {
        (name.to_owned(), Content::Link(target.to_owned()))
    } else if let Some(name) = heading.strip_suffix(" (escaped)") {
        (name.to_owned(), Content::Bytes(unescape(&text)))
    } else {
        (heading.to_owned(), Content::Bytes(text.into_bytes()))
    }
}

/// Returns the bytes as a text if plain lines can hold them.
fn plain(bytes: &[u8]) -> Option<&str> {
    let text = str::from_utf8(bytes).ok()?;
    let is_plain = (text.is_empty() || text.ends_with('\n'))
        && text.chars().all(is_visible)
        && text.lines().all(|line| heading(line).is_none());
    is_plain.then_some(text)
}

/// Returns false for control characters other than tabs and line feeds, and for byte
/// order marks.
fn is_visible(c: char) -> bool {
    matches!(c, '\n' | '\t') || !(c.is_ascii_control() || c == '\u{feff}')
}

fn escape(bytes: &[u8]) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("\\x{b:02x}")).collect();
    let character = |c: char| match c {
        '\\' => "\\\\".to_owned(),
        '\r' => "\\r".to_owned(),
        c if is_visible(c) => c.to_string(),
        c => hex(c.encode_utf8(&mut [0; 4]).as_bytes()),
    };
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.extend(chunk.valid().chars().map(character));
        text += &hex(chunk.invalid());
    }
    let line = |line: &str| match heading(line) {
        Some(_) => format!("\\x2d{}", &line[1..]),
        None => line.to_owned(),
    };
    let mut lines: String = text.split_inclusive('\n').map(line).collect();
    if !lines.ends_with('\n') {
        lines += "\\\n";
    }
    lines
}

fn unescape(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let length = if after.starts_with('x') { 3 } else { 1 };
        let (escape, after) = after.split_at(length);
        bytes.extend(match escape {
            "\n" => None,
            "\\" => Some(b'\\'),
            "r" => Some(b'\r'),
            hex => Some(u8::from_str_radix(&hex[1..], 16).expect("an escape")),
        });
        rest = after;
    }
    bytes.extend(rest.as_bytes());
    bytes
}

fn link(target: &str, path: &Path) {
    #[cfg(unix)]
    std::os::unix::fs::symlink(target, path).unwrap();
    #[cfg(not(unix))]
    fs::copy(path.with_file_name(target), path).unwrap();
}
