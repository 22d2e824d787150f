//! The options that give variables, which are read in two ways: as bosh reads them, and in the
//! dialect of templates.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use interpolate::unstable::diagnostic::{self, Diagnostic};
use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::scalar::{Context, Dialect, Scalar, spell, to_base64};
use interpolate::unstable::source::World;
use interpolate::unstable::variables::Bindings;
use interpolate::unstable::yaml::{self, DecodeTarget};

use super::input_reader::{InputReader, nonempty};
use crate::cli::bosh;
use crate::cli::failure::{Failure, Result, opening, unreadable_in, warn};
use crate::cli::options::Format;

/// Reads the variables. Fails with all errors of any of them.
pub fn read_variables(reader: &mut InputReader<'_>) -> Result<Bindings> {
    let input = reader.input;
    let mut failures = Vec::new();
    let options = &input.variables;
    let mut variables = VariableReader { reader, given: Default::default() };
    let kinds: [(&str, &[OsString], AddVariables<'_, '_>); 5] = [
        ("vars_env", &options.vars_env, VariableReader::environment),
        ("vars_file", &options.vars_file, VariableReader::vars_file),
        ("var_file", &options.var_file, VariableReader::var_file),
        ("var", &options.var, VariableReader::var),
        ("var_string", &options.var_string, VariableReader::var_string),
    ];
    for (id, values, add) in kinds {
        for (i, value) in values.iter().enumerate() {
            if let Err(failure) = add(&mut variables, value) {
                failures.push(bosh::argument(input, id, i, failure));
            }
        }
    }
    let [mut given, seen] = variables.given;
    given.set_for_templates(seen);
    let limit = input.depth() as usize;
    if given.depth() > limit {
        let message =
            format!("a variable's name has more than {limit} parts between dots");
        let diagnostic =
            Diagnostic::error(message).hint("`--limit depth=N` raises the limit");
        failures.push(Failure::input(vec![*diagnostic]));
    }
    failures.into_iter().reduce(Failure::and).map_or(Ok(given), Err)
}

/// Adds the variables of one value of an option.
type AddVariables<'r, 'a> = fn(&mut VariableReader<'r, 'a>, &OsStr) -> Result<()>;

/// A reader of variables, and those that it has read.
struct VariableReader<'r, 'a> {
    reader: &'r mut InputReader<'a>,
    /// The variables as `((name))` inserts them, and as templates see them.
    given: [Bindings; 2],
}

impl VariableReader<'_, '_> {
    /// Reads the value of a variable as bosh reads it, and in the dialect of templates. What
    /// that refuses is seen as bosh reads it.
    fn variable(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        target: DecodeTarget,
    ) -> diagnostic::Result<[Tree; 2]> {
        let inserted = self.reader.secret(name, bytes, target)?;
        let source = self.reader.sources.get(inserted.file()).clone();
        let asked = self.reader.dialect.or_else(|| yaml::version(&source.text));
        let dialect = asked.unwrap_or_default();
        if !self.reader.evaluates || dialect == Dialect::Go {
            return Ok([inserted.clone(), inserted]);
        }
        let options =
            yaml::Options { strict: false, ..self.reader.input.reading(dialect) };
        let file = self.reader.sources.push(source);
        let seen = yaml::read(self.reader.sources, file, &options);
        Ok([inserted.clone(), seen.unwrap_or(inserted)])
    }

    fn add_documents(&mut self, name: &str, documents: &[Tree; 2]) {
        for (given, document) in self.given.iter_mut().zip(documents) {
            given.add_document(name, document);
        }
    }

    fn add_text(&mut self, name: &str, text: &str) {
        self.given.iter_mut().for_each(|given| given.add_text(name, text));
    }

    fn environment(&mut self, prefix: &OsStr) -> Result<()> {
        let prefix = prefix.to_string_lossy();
        if prefix.is_empty() {
            return Err(Failure::file(
                "Expected environment variable prefix to be non-empty",
            ));
        }
        for (key, value) in self.reader.world.environment() {
            if let Some(name) = key.strip_prefix(&format!("{prefix}_")) {
                let documents = self
                    .variable(&key, value.into_bytes(), DecodeTarget::Value)
                    .map_err(|error| {
                        Failure::from(error).within(&format!(
                            "Deserializing YAML from environment variable '{key}'"
                        ))
                    })?;
                self.add_documents(name, &documents);
            }
        }
        Ok(())
    }

    fn vars_file(&mut self, path: &OsStr) -> Result<()> {
        let name = path.to_string_lossy();
        let path = Path::new(nonempty(path)?);
        let place = if name == "-" { Path::new("./-") } else { path };
        let reading = format!("Reading variables file '{name}'");
        let bytes = self
            .reader
            .world
            .read(place)
            .map_err(|e| unreadable_in(&self.reader.world, &reading, path, &e))?;
        let within = format!("Deserializing variables file '{name}'");
        let documents = self
            .variable(&name, bytes, DecodeTarget::Entries)
            .map_err(|error| Failure::from(error).within(&within))?;
        let mut all = self.given.iter_mut().zip(&documents);
        all.try_for_each(|(given, one)| given.add_entries(one))
            .map_err(|error| Failure::from(error).within(&within))
    }

    fn var_file(&mut self, pair: &OsStr) -> Result<()> {
        let (name, path) = split(pair, "path")?;
        let path = self.reader.home(Path::new(&path));
        let world = &self.reader.world;
        let bytes = world.read(&path).map_err(|error| {
            let reading =
                |path: &Path| format!("Reading variable from file '{}'", path.display());
            let place = std::path::absolute(&path).unwrap_or(path.clone());
            let verbatim = format!("{}: {}", reading(&place), opening(&place, &error));
            unreadable_in(world, &reading(&path), &path, &error).verbatim(&verbatim)
        })?;
        match String::from_utf8(bytes) {
            Ok(text) => self.add_text(&name, &text),
            // As Go has it, any bytes are a string.
            Err(error) => {
                let document = self.reader.secret(
                    &format!("--var-file {name}"),
                    format!("!!binary {}", to_base64(error.as_bytes())).into_bytes(),
                    DecodeTarget::Value,
                )?;
                self.add_documents(&name, &[document.clone(), document]);
            }
        }
        Ok(())
    }

    /// Adds `NAME=VALUE`.
    // A string keeps its text, without a pair of quotes: YAML would take the end of
    // `a #b` for a comment.
    fn var(&mut self, pair: &OsStr) -> Result<()> {
        let (name, value) = split(pair, "value")?;
        let label = format!("-v {name}");
        let documents = self
            .variable(&label, value.clone().into_bytes(), DecodeTarget::Value)
            .map_err(|error| {
                Failure::from(error)
                    .within(&format!("Deserializing variables '{name}=…'"))
                    .hint(Some(format!("a text goes in quotes: -v '{name}=\"…\"'")))
            })?;
        self.note_respelled(&name, &value, &documents[0]);
        for (given, document) in self.given.iter_mut().zip(&documents) {
            add_value(given, &name, &value, document);
        }
        Ok(())
    }

    /// Notes a value that is read as a number and printed in another spelling, as that of
    /// `-v tag=1.10` is. The value may be a secret.
    fn note_respelled(&self, name: &str, value: &str, document: &Tree) {
        let scalar = document.scalar(document.root());
        let is_number =
            matches!(scalar, Scalar::Int(_) | Scalar::Big(_) | Scalar::Float(_));
        let is_same = spell(&scalar, Context::Block) == value.trim();
        if !is_number || is_same || self.reader.output.format() == Format::Bosh {
            return;
        }
        let what = format!("the value of '{name}' is a number, and is printed as one");
        let hint = format!("`--var-string {name}=…` keeps its text");
        let note = Diagnostic::note(what).hint(hint);
        warn(&[*note], self.reader.sources, self.reader.output);
    }

    /// Adds `NAME=TEXT`.
    fn var_string(&mut self, pair: &OsStr) -> Result<()> {
        let (name, text) = split(pair, "text")?;
        self.add_text(&name, &text);
        Ok(())
    }
}

fn expected(shown: &str, how: &str) -> Failure {
    Failure::file(format!("Expected var '{shown}' to {how}"))
}

/// Splits at the first `=`. `what` names the right side; a value is not shown.
fn split(pair: &OsStr, what: &str) -> Result<(String, String)> {
    let Some(pair) = pair.to_str() else { return Err(expected("…", "be UTF-8")) };
    let Some((name, value)) = pair.split_once('=') else {
        let shown = if what != "path" { bosh::shown(pair) } else { pair };
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

/// Adds the value of `-v`, which reads as a document.
fn add_value(given: &mut Bindings, name: &str, value: &str, document: &Tree) {
    let root = document.root();
    match document.scalar(root) {
        Scalar::String(_) | Scalar::Binary(_) if document.kind(root) == Kind::Scalar => {
            given.add_text(name, unquoted(value));
        }
        _ => given.add_document(name, document),
    }
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}
