//! The variables of the command line → their values, from the weakest source to the
//! strongest: the environment, vars files, files of one variable, variables.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use interpolate::diagnostic::Diagnostic;
use interpolate::node::Kind;
use interpolate::scalar::Scalar;
use interpolate::source::World;
use interpolate::variables::{Given, Rules, Store};

use super::failure::Failure;
use super::option::{Format, Interpolate};
use super::read::{Reader, nonempty, unreadable};

impl Interpolate {
    /// What counts as an error.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            missing: self.variables.var_errs,
            unused: self.variables.var_errs_unused,
            section: self.format() == Format::Bosh,
            expansion: self.expansion(),
        }
    }
}

impl Reader<'_> {
    /// The variables, or all that is wrong with any of them.
    pub(crate) fn given(&mut self) -> Result<Given, Failure> {
        let (mut given, mut failures) = (Given::default(), Vec::new());
        let options = &self.options.variables;
        for prefix in &options.vars_env {
            failures.extend(self.environment(prefix, &mut given).err());
        }
        for path in &options.vars_file {
            failures.extend(self.vars_file(path, &mut given).err());
        }
        for pair in &options.var_file {
            failures.extend(self.var_file(pair, &mut given).err());
        }
        for pair in &options.var {
            failures.extend(self.var(pair, &mut given).err());
        }
        failures.into_iter().reduce(Failure::and).map_or(Ok(given), Err)
    }

    /// The vars-store and where it lies.
    pub(crate) fn store(&mut self) -> Result<Option<(PathBuf, Store)>, Failure> {
        let Some(path) = &self.options.variables.vars_store else { return Ok(None) };
        let path = self.home(Path::new(nonempty(path)?));
        let path = std::path::absolute(&path).unwrap_or(path);
        let bytes = match self.world.read(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(unreadable(&path, &error));
            }
            read => read.unwrap_or_default(),
        };
        let name = path.display().to_string();
        let document = self.secret(&name, bytes);
        Ok(Some((path, Store::new(name, document))))
    }

    fn environment(&mut self, prefix: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let prefix = prefix.to_string_lossy();
        if prefix.is_empty() {
            return Err(Failure::file(
                "Expected environment variable prefix to be non-empty",
            ));
        }
        for (key, value) in self.world.environment() {
            if let Some(name) = key.strip_prefix(&format!("{prefix}_")) {
                let document =
                    self.secret(&key, value.into_bytes()).map_err(|error| {
                        Failure::from(error).within(&format!(
                            "Deserializing YAML from environment variable '{key}'"
                        ))
                    })?;
                given.add_document(name, &document);
            }
        }
        Ok(())
    }

    fn vars_file(&mut self, path: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let name = path.to_string_lossy();
        let path = match &*name {
            "-" => PathBuf::from("./-"),
            _ => PathBuf::from(nonempty(path)?),
        };
        let reading = format!("Reading variables file '{name}'");
        let bytes =
            self.world.read(&path).map_err(|e| unreadable(&path, &e).within(&reading))?;
        let within = |failure: Failure| {
            failure.within(&format!("Deserializing variables file '{name}'"))
        };
        let document = self.secret(&name, bytes).map_err(|error| within(error.into()))?;
        given.add_entries(&document).map_err(|error| within(error.into()))
    }

    fn var_file(&mut self, pair: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let (name, path) = split(pair, "path")?;
        let path =
            std::path::absolute(self.home(Path::new(&path))).unwrap_or(path.into());
        let reading = format!("Reading variable from file '{}'", path.display());
        let bytes =
            self.world.read(&path).map_err(|e| unreadable(&path, &e).within(&reading))?;
        let text = String::from_utf8(bytes).map_err(|_| {
            Failure::input(vec![*Diagnostic::error("invalid UTF-8")]).within(&reading)
        })?;
        given.add_text(name, text);
        Ok(())
    }

    /// A value that reads as a string is the text as it stands, without a pair of quotes
    /// around it.
    fn var(&mut self, pair: &OsStr, given: &mut Given) -> Result<(), Failure> {
        let (name, value) = split(pair, "value")?;
        let label = format!("-v {name}");
        let document =
            self.secret(&label, value.clone().into_bytes()).map_err(|error| {
                Failure::from(error)
                    .within(&format!("Deserializing variables '{name}=…'"))
            })?;
        let root = document.root();
        match document.scalar(root) {
            Scalar::String(_) | Scalar::Binary(_)
                if document.kind(root) == Kind::Scalar =>
            {
                given.add_text(name, unquoted(&value));
            }
            _ => given.add_document(name, &document),
        }
        Ok(())
    }
}

/// The two sides of the first `=`.
fn split(pair: &OsStr, what: &str) -> Result<(String, String), Failure> {
    let pair = pair.to_string_lossy();
    let expected = |how: &str| {
        let name = pair.split('=').next().unwrap_or_default();
        Failure::file(format!("Expected var '{name}' to {how}"))
    };
    let Some((name, value)) = pair.split_once('=') else {
        return Err(expected(&format!("be in format 'name={what}'")));
    };
    if name.is_empty() {
        return Err(expected("specify non-empty name"));
    }
    if value.is_empty() {
        return Err(expected(&format!("specify non-empty {what}")));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}
