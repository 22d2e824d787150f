//! `abspath` and `get_dir`: a path and the name of a folder come in, a whole path goes out.

use std::path::{Path, PathBuf};

use super::{Call, text_of};
use crate::eval::Scope;
use crate::eval::python::{Class, Exception, Result, Value};
use crate::eval::unfurl::expression::FOLDER;
use crate::eval::unfurl::external::File;

/// `abspath`: a path, from a folder if it is relative.
pub(super) fn abspath(call: &Call<'_>) -> Result<Value> {
    let given = call.list()?;
    let path = match given.first() {
        Some(path) => text_of(path, "a path")?,
        None => String::new(),
    };
    absolute(call, &path, given.get(1))
}

/// `get_dir`: a folder.
pub(super) fn get_dir(call: &Call<'_>) -> Result<Value> {
    absolute(call, "", call.list()?.first())
}

fn absolute(call: &Call<'_>, path: &str, folder: Option<&Value>) -> Result<Value> {
    let folder = match folder {
        None | Some(Value::None) => None,
        Some(folder) => Some(text_of(folder, "a folder")?),
    };
    let folder = if Path::new(path).is_absolute() {
        PathBuf::new()
    } else {
        named(call.scope, folder.as_deref())?
    };
    let whole = super::super::external::normal(&folder.join(path));
    Ok(Value::object(File {
        given: whole.to_string_lossy().into_owned(),
        folder: PathBuf::new(),
        encoding: None,
        scope: call.scope.clone(),
    }))
}

/// The folder of a name.
pub(super) fn named(scope: &Scope, name: Option<&str>) -> Result<PathBuf> {
    let folder = &scope.context.folder;
    let folder = if folder.is_absolute() {
        folder.clone()
    } else {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        scope.context.world.real(here).unwrap_or_else(|_| here.to_owned())
    };
    match name {
        None | Some("" | "." | "ensemble" | "project" | "unfurl.home") => Ok(folder),
        Some("src") => Ok(match scope.names.get(FOLDER)? {
            Some(Value::Str(own)) => folder.join(&*own),
            _ => folder,
        }),
        Some("ensemble.secrets" | "project.secrets") => Ok(folder.join("secrets")),
        Some(name @ ("artifacts" | "secrets" | "local")) => {
            Ok(folder.join(name).join("_default"))
        }
        Some(name) => Err(Exception::new(
            Class::Missing,
            format!("Named directory or repository \"{name}\" not found"),
        )
        .hint("the folders are ., src, ensemble, project, artifacts, secrets and local")),
    }
}
