//! Files as values: the value is the path as it was given; `select` reads the contents.

use std::path::{Component, Path, PathBuf};

use crate::eval::Scope;
use crate::eval::python::{Class, Dict, Exception, Object, Result, Value};
use crate::eval::sensitive;
use crate::source::reason;

#[derive(Clone, Debug)]
pub(super) struct FileValue {
    pub(super) given: String,
    /// The folder that a relative path starts from.
    pub(super) folder: PathBuf,
    pub(super) encoding: Option<String>,
    /// Scope with the permission to read.
    pub(super) scope: Scope,
}

impl FileValue {
    pub(super) fn path(&self) -> PathBuf {
        normal(&self.folder.join(&self.given))
    }

    /// Returns the text, or bytes if they do not fit the encoding; null without a file.
    fn contents(&self) -> Result<Value> {
        let bytes = match read(&self.scope, &self.path())? {
            Some(bytes) => bytes,
            None => return Ok(Value::None),
        };
        let encoding = self.encoding.as_deref().unwrap_or("utf-8").to_ascii_lowercase();
        let text = match &*encoding.replace('_', "-") {
            "binary" => None,
            "utf-8" | "utf8" | "json" | "yaml" | "env" => {
                String::from_utf8(bytes.clone()).ok()
            }
            "ascii" | "us-ascii" => {
                String::from_utf8(bytes.clone()).ok().filter(|text| text.is_ascii())
            }
            "latin-1" | "latin1" | "iso-8859-1" => {
                Some(bytes.iter().map(|byte| char::from(*byte)).collect())
            }
            other => {
                let message = format!("cannot read a file in the encoding '{other}'");
                return Err(Exception::new(Class::Unsupported, message));
            }
        };
        Ok(text.map_or_else(|| Value::Bytes(bytes.into()), Value::text))
    }
}

/// Removes `.` and `..` from a path without looking at the file system.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if whole.file_name().is_some() => {
                whole.pop();
            }
            // The parent of the root is the root.
            Component::ParentDir if whole.has_root() => {}
            part => whole.push(part),
        }
    }
    whole
}

/// Returns the bytes of a file; nothing if there is none. Raises if it must not be read.
pub(super) fn read(scope: &Scope, path: &Path) -> Result<Option<Vec<u8>>> {
    scope.context.permit("file", "what reads a file")?;
    match scope.context.read(path)? {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("cannot read {}: {}", path.display(), reason(&error));
            Err(Exception::new(Class::Missing, message))
        }
    }
}

/// Replaces a file by its path. Other values are returned unchanged.
pub(super) fn file_to_path(value: Value) -> Value {
    match value.downcast::<FileValue>() {
        Some(file) => Value::text(&*file.given),
        None => value,
    }
}

impl Object for FileValue {
    fn type_name(&self) -> &str {
        "str"
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        Ok(match key.as_str() {
            Some("path") => Some(Value::text(self.path().to_string_lossy().into_owned())),
            Some("contents") => Some(self.contents()?),
            Some("encoding") => Some(Value::text(
                self.encoding.clone().unwrap_or_else(|| "utf-8".to_owned()),
            )),
            Some("artifact_keys") => {
                let keys = [("file", &*self.given), ("repository", "self")];
                let keys = keys.map(|(key, value)| (key, Value::text(value)));
                Some(Value::Dict(Dict::named(keys)))
            }
            _ => None,
        })
    }

    fn truth(&self) -> Result<bool> {
        Ok(!self.given.is_empty())
    }

    fn display(&self) -> Result<String> {
        Ok(self.given.clone())
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        // A file compares as its path does, also with a marked text.
        let other = sensitive::bare(other);
        Some(match other.downcast::<FileValue>() {
            Some(other) => self.given == other.given,
            None => other.as_str() == Some(&*self.given),
        })
    }

    fn plain(&self) -> Option<Value> {
        Some(Value::text(&*self.given))
    }
}
