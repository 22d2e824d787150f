//! The variables of the command line → their values, from the weakest source to the
//! strongest: the environment, vars files, files of one variable, variables.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use interpolate::diagnostic::Diagnostic;
use interpolate::node::Kind;
use interpolate::scalar::Scalar;
use interpolate::source::World;
use interpolate::variables::{Given, Rules};
use interpolate::yaml::Target;

use super::failure::Failure;
use super::option::{Format, Interpolate};
use super::read::{Reader, nonempty, unreadable};

impl Interpolate {
    /// What counts as an error.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            missing: self.input.variables.var_errs,
            unused: self.input.variables.var_errs_unused,
            section: self.format() == Format::Bosh
                || self.input.variables.vars_store.is_some(),
            expansion: self.input.expansion(),
        }
    }
}

/// Adds what a value of an option gives.
type Add<'a> = fn(&mut Reader<'a>, &OsStr, &mut Given) -> Result<(), Failure>;

impl<'a> Reader<'a> {
    /// The variables, or all that is wrong with any of them.
    pub(crate) fn given(&mut self) -> Result<Given, Failure> {
        let (mut given, mut failures) = (Given::default(), Vec::new());
        let options = &self.input.variables;
        let kinds: [(&str, &[OsString], Add<'a>); 4] = [
            ("vars_env", &options.vars_env, Self::environment),
            ("vars_file", &options.vars_file, Self::vars_file),
            ("var_file", &options.var_file, Self::var_file),
            ("var", &options.var, Self::var),
        ];
        for (id, values, add) in kinds {
            for (i, value) in values.iter().enumerate() {
                let wrong = |failure| self.input.argument(id, i, failure);
                failures.extend(add(self, value, &mut given).err().map(wrong));
            }
        }
        let limit = self.input.depth() as usize;
        if given.depth() > limit {
            let message =
                format!("a variable's name has more than {limit} parts between dots");
            let diagnostic =
                Diagnostic::error(message).hint("`--limit depth=N` raises the limit");
            failures.push(Failure::input(vec![*diagnostic]));
        }
        failures.into_iter().reduce(Failure::and).map_or(Ok(given), Err)
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
                let document = self
                    .secret(&key, value.into_bytes(), Target::Value)
                    .map_err(|error| {
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
        let path = Path::new(nonempty(path)?);
        let place = if name == "-" { Path::new("./-") } else { path };
        let reading = format!("Reading variables file '{name}'");
        let bytes =
            self.world.read(place).map_err(|e| unreadable(path, &e).within(&reading))?;
        let within = |failure: Failure| {
            failure.within(&format!("Deserializing variables file '{name}'"))
        };
        let document = self
            .secret(&name, bytes, Target::Entries)
            .map_err(|error| within(error.into()))?;
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
        let document = self
            .secret(&label, value.clone().into_bytes(), Target::Value)
            .map_err(|error| {
                let hint = format!("a text goes in quotes: -v '{name}=\"…\"'");
                Failure::from(error)
                    .within(&format!("Deserializing variables '{name}=…'"))
                    .hint(Some(hint))
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

/// The two sides of the first `=`. `what` stands on the right; a value is not shown.
fn split(pair: &OsStr, what: &str) -> Result<(String, String), Failure> {
    let expected = |shown: &str, how: &str| {
        Failure::file(format!("Expected var '{shown}' to {how}"))
    };
    let Some(pair) = pair.to_str() else { return Err(expected("…", "be UTF-8")) };
    let Some((name, value)) = pair.split_once('=') else {
        let shown = if what == "value" { shown(pair) } else { pair };
        let help = format!("the name comes first: NAME={}", what.to_uppercase());
        let failure = expected(shown, &format!("be in format 'name={what}'"));
        return Err(failure.hint(Some(help)));
    };
    if name.is_empty() {
        let shown = if what == "value" { "=…" } else { pair };
        return Err(expected(shown, "specify non-empty name"));
    }
    if value.is_empty() {
        return Err(expected(pair, &format!("specify non-empty {what}")));
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// A word of the command line that may be the value of a variable, unless it is too short
/// for anybody's secret.
pub(super) fn shown(word: &str) -> &str {
    if word.len() > 4 { "…" } else { word }
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}
