//! `file` and `tempfile`: a path comes in, and maybe contents to write; a file goes out.

use std::path::{Path, PathBuf};

use super::{Call, folder, text_of};
use crate::eval::python::{self, Class, Dict, Exception, Result, Value, json, yaml};
use crate::eval::sensitive;
use crate::eval::unfurl::external::File;

/// `file`: the file of a path; one that is there is read by `select`, `contents` beside it
/// are written first.
pub(super) fn file(call: &Call<'_>) -> Result<Value> {
    let base = folder::named(call.scope, None)?;
    let base = match call.keyword("dir")? {
        Some(folder) => base.join(text_of(&folder, "dir")?),
        None => base,
    };
    let file = File {
        given: text_of(&call.data()?, "a path")?,
        folder: base,
        encoding: encoding(call)?,
        scope: call.scope.clone(),
    };
    if let Some(contents) = call.keyword("contents")? {
        write(call, &file, &contents)?;
    }
    Ok(Value::object(file))
}

/// `tempfile`: a new file that holds something.
pub(super) fn tempfile(call: &Call<'_>) -> Result<Value> {
    let context = &call.scope.context;
    let moment = context.moment()?;
    let unique: String = moment.seed.iter().take(8).map(|b| format!("{b:02x}")).collect();
    let suffix = match call.keyword("suffix")? {
        Some(Value::Str(suffix)) => suffix.to_string(),
        _ => String::new(),
    };
    let names = ["UNFURL_TMPDIR", "TMPDIR"];
    let names = names.iter().filter(|_| context.allow.env);
    let folder = names.into_iter().find_map(|name| context.world.env(name));
    let file = File {
        given: Path::new(&folder.unwrap_or_else(|| "/tmp".to_owned()))
            .join(format!("tmp{unique}{suffix}"))
            .to_string_lossy()
            .into_owned(),
        folder: PathBuf::new(),
        encoding: encoding(call)?,
        scope: call.scope.clone(),
    };
    write(call, &file, &call.data()?)?;
    Ok(Value::object(file))
}

fn encoding(call: &Call<'_>) -> Result<Option<String>> {
    match call.keyword("encoding")? {
        None | Some(Value::None) => Ok(None),
        Some(encoding) => text_of(&encoding, "encoding").map(Some),
    }
}

fn write(call: &Call<'_>, file: &File, contents: &Value) -> Result<()> {
    call.scope.context.permit("write", "what writes a file")?;
    let path = file.path();
    let bytes = encode(&sensitive::bare(contents), &path, file.encoding.as_deref())?;
    call.scope.context.world.write(&path, &bytes, false);
    Ok(())
}

/// Contents as the bytes of a file: texts as they are, else as the encoding or the name of
/// the file says.
fn encode(contents: &Value, path: &Path, encoding: Option<&str>) -> Result<Vec<u8>> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let encoding = encoding.filter(|encoding| *encoding != "binary");
    let form = match (encoding, extension) {
        (Some("yaml"), _) | (None, Some("yaml" | "yml")) => "yaml",
        (Some("json"), _) | (None, Some("json")) => "json",
        (Some("env"), _) | (_, Some("env")) => "env",
        (Some("vault"), _) | (_, Some("vault")) => {
            let message = "vaults need Unfurl itself";
            return Err(Exception::new(Class::Unsupported, message));
        }
        _ => "",
    };
    Ok(match (form, contents) {
        ("yaml", contents) => to_yaml(contents)?.into_bytes(),
        ("json", contents) => to_json(contents, json::KeyOrder::Never)?.into_bytes(),
        (_, Value::Str(text)) => text.as_bytes().to_vec(),
        (_, Value::Bytes(bytes)) => bytes.to_vec(),
        ("env", Value::Dict(entries)) => to_dotenv(entries)?.into_bytes(),
        (_, Value::None) => Vec::new(),
        (_, contents) => to_json(contents, json::KeyOrder::Keys)?.into_bytes(),
    })
}

fn to_json(contents: &Value, sort: json::KeyOrder) -> Result<String> {
    let indent = Some("  ".to_owned());
    json::dump(
        contents,
        &json::JsonStyle { indent, sort, default: plain, ..Default::default() },
    )
}

/// A value as Unfurl writes it: in lines, in its own order.
pub(in crate::eval::unfurl) fn to_yaml(contents: &Value) -> Result<String> {
    let (sort_keys, unicode, default) = (false, true, plain);
    yaml::dump(
        contents,
        &yaml::YamlStyle { sort_keys, unicode, default, ..Default::default() },
    )
}

/// What stands for a file, a number with a unit or a resource.
fn plain(value: &Value) -> Result<Option<Value>> {
    Ok(match value {
        Value::Object(object) => object.plain(),
        _ => None,
    })
}

/// `NAME='value'`, a line each.
fn to_dotenv(entries: &Dict) -> Result<String> {
    let mut lines = Vec::new();
    for (name, value) in entries.entries()? {
        let value = python::str(&value)?;
        let is_plain = !value.is_empty() && value.chars().all(char::is_alphanumeric);
        let quoted = if is_plain {
            format!("'{value}'")
        } else {
            python::repr(&Value::text(value))?
        };
        lines.push(format!("{}={quoted}", python::str(name.value())?));
    }
    Ok(lines.join("\n"))
}
