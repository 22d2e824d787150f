//! The parameters of a template. Input: their schemas and the values given to them.
//! Output: the values that `get_param` returns, validated, converted, and compared with the
//! previous run.

mod custom;
mod environment;
mod schema;

use std::cell::OnceCell;

use indexmap::IndexMap;

use crate::eval::Context;
use crate::eval::python::{self, Class, Exception, Key, Result, Value};
use crate::hot::exception::Placed;
use crate::hot::input::{EntrySpans, File, FileEntry, Input};
use crate::hot::secret::{Secrets, contains_variable_text, hide_words};
use crate::hot::template::Template;
use crate::hot::version::Version;
use crate::source::Span;

use environment::ParameterValues;
use schema::{Schema, Schemas};

/// Text that is shown instead of a hidden value.
pub(super) const HIDDEN_PLACEHOLDER: &str = "******";

/// Sections of a printed result, which a previous run may be given as.
const SECTIONS: [&str; 5] =
    [PARAMETERS, "conditions", "resources", "disabled_resources", "outputs"];

const PARAMETERS: &str = "parameters";

/// The parameters of a template, by name. Pseudo parameters come first.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    all: IndexMap<String, Parameter>,
    /// All given values, including those that no parameter takes.
    given: ParameterValues,
    /// Values that must not be shown, as far as they were used.
    pub(super) secrets: Secrets,
}

#[derive(Debug)]
struct Parameter {
    schema: Schema,
    /// Given value; null if there is none.
    given: Value,
    /// Value if none is given; null if there is none.
    default: Value,
    /// True if no message may contain the value.
    is_secret: bool,
    /// True for a pseudo parameter, which every template has.
    is_pseudo: bool,
    span: Option<Span>,
    place: EntrySpans,
    value: OnceCell<Value>,
}

impl Parameters {
    /// Reads the schemas of a template and the values given to them.
    pub(super) fn read(
        template: &Template,
        version: Version,
        input: &Input,
    ) -> Result<Parameters> {
        let environments = input.environments.iter();
        let environments = environments
            .map(|file| Ok((file, environment::sections(file)?)))
            .collect::<Result<_>>()?;
        let mut schemas = Schemas::new();
        for [key, definition] in template.section("parameters")? {
            let name = key.name()?;
            let schema = Schema::read(&name, definition, version);
            let schema = schema.map_err(|raised| {
                // A message with the source line would show the hidden default.
                if schema::is_hidden(definition) {
                    without_places(raised)
                } else {
                    raised.placed(key.span())
                }
            });
            schemas.insert(name, (schema?, key.span()));
        }
        let (mut given, mut defaults) = environment::merge(environments, &schemas)?;
        for file in &input.parameters {
            extend(&mut given, file.entries()?);
        }
        if let Some(file) = &input.defaults {
            extend(&mut defaults, file.entries()?);
        }
        let mut all = pseudo(input);
        for (name, (schema, span)) in schemas {
            let is_secret = schema.is_hidden
                || contains_variable_text(&schema.default, &template.variable_texts);
            let value = given.get(&Key::text(&name)).map(|entry| entry.value.clone());
            let parameter = Parameter::new(schema, value.unwrap_or(Value::None), span);
            all.insert(name, Parameter { is_secret, ..parameter });
        }
        for (name, parameter) in &mut all {
            let key = Key::text(name);
            // Null counts as absent, so the default of the schema stays.
            let entry = |values: &ParameterValues| {
                let found = values.get(&key).cloned();
                found.filter(|entry| !matches!(entry.value, Value::None))
            };
            if let Some(FileEntry { value, place, .. }) = entry(&defaults) {
                (parameter.default, parameter.place) = (value, place);
            }
            if let Some(FileEntry { place, .. }) = entry(&given) {
                parameter.place = place;
            }
        }
        Ok(Parameters { all, given, secrets: Secrets::default() })
    }

    /// Validates all schemas and values, and that each value has a parameter.
    pub(super) fn validate(&self, context: &Context) -> Result<()> {
        for FileEntry { key, place, .. } in self.given.values() {
            let name = python::str(key.value())?;
            let defined = self.all.get(&name).is_some_and(|known| !known.is_pseudo);
            if !defined || key.as_str().is_none() {
                let message =
                    format!("The Parameter ({name}) was not defined in template.");
                let mut raised = Exception::new(Class::Missing, message);
                if environment::SECTIONS.contains(&&*name) {
                    raised = raised.hint("an environment is given with `-e`");
                }
                let raised = raised.did_you_mean(self.own_names(), &name);
                return Err(raised.placed(place.key));
            }
        }
        let mut all = self.all.iter();
        all.try_for_each(|(name, parameter)| {
            let checked = parameter.validate(name, context);
            checked.map_err(|raised| self.add_missing(raised, name))
        })
    }

    /// Adds the other parameters without a value to an error about the first of them.
    fn add_missing(&self, raised: Box<Exception>, first: &str) -> Box<Exception> {
        let is_missing =
            |it: &Parameter| !it.is_pseudo && matches!(it.raw(), Value::None);
        if !self.all.get(first).is_some_and(is_missing) || raised.class != Class::Missing
        {
            return raised;
        }
        let others =
            self.all.iter().filter(|(name, it)| *name != first && is_missing(it));
        let names: Vec<String> = others.map(|(name, _)| format!("'{name}'")).collect();
        if names.is_empty() || raised.hint.is_some() {
            return raised;
        }
        raised.hint(format!("not provided either: {}", names.join(", ")))
    }

    /// Returns the names of the parameters that are not pseudo parameters.
    fn own_names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter(|(_, known)| !known.is_pseudo).map(|(name, _)| &**name)
    }

    /// Returns the value of a parameter and records it if it is secret.
    pub(super) fn value(&self, name: &str) -> Result<Value> {
        let parameter = self.all.get(name);
        let parameter =
            parameter.ok_or_else(|| missing(name).did_you_mean(self.names(), name))?;
        let value = parameter.value()?;
        if parameter.is_secret {
            self.secrets.record(parameter.raw());
            self.secrets.record(&value);
        }
        Ok(value)
    }

    /// Returns name and value of every parameter; true for a value that is hidden.
    pub(super) fn values(&self) -> Result<Vec<(&str, Value, bool)>> {
        let value = |(name, parameter): (_, &Parameter)| {
            let name: &String = name;
            Ok((&**name, parameter.value()?, parameter.schema.is_hidden))
        };
        self.all.iter().map(value).collect()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.all.contains_key(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(|name| &**name)
    }

    /// Checks that immutable parameters have the values of the previous run. Returns
    /// warnings for parameters that no longer exist. Fails if a value differs.
    pub(super) fn validate_previous(&self, file: &File) -> Result<Vec<Exception>> {
        let mut changed = Vec::new();
        let mut gone = Vec::new();
        for entry in self.previous(file)? {
            let name = python::str(entry.key.value())?;
            match self.all.get(&name) {
                Some(parameter) if parameter.changed(&name, &entry)? => {
                    changed.push((name, entry.place));
                }
                Some(_) => {}
                None => {
                    let message = format!("the template has no parameter '{name}'");
                    let raised = Exception::new(Class::Missing, message);
                    let raised = raised.did_you_mean(self.own_names(), &name);
                    gone.push(*raised.placed(entry.place.key));
                }
            }
        }
        // Heat lists them in alphabetical order.
        changed.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let Some((_, place)) = changed.first() else { return Ok(gone) };
        let names: Vec<&str> = changed.iter().map(|(name, _)| &**name).collect();
        let message = format!(
            "The following parameters are immutable and may not be updated: {}",
            names.join(", ")
        );
        let mut raised = Exception::new(Class::Syntax, message);
        let now = names.iter().filter_map(|name| self.all.get(*name)?.place.value);
        raised.places.extend(now.chain(place.value).map(|span| (span, String::new())));
        Err(raised)
    }

    /// Returns the values of the previous run: the file or its section `parameters`.
    fn previous(&self, file: &File) -> Result<Vec<FileEntry>> {
        let entries = file.entries()?;
        let section = entries.iter().find(|entry| entry.key.as_str() == Some(PARAMETERS));
        // A template may have a parameter called `parameters`.
        let section = section.filter(|_| !self.all.contains_key(PARAMETERS));
        let Some(section) = section else { return Ok(entries) };
        for entry in &entries {
            let name = python::str(entry.key.value())?;
            if !SECTIONS.contains(&&*name) {
                let message = format!("no run prints a section '{name}'");
                let raised = Exception::of_value(message).did_you_mean(SECTIONS, &name);
                return Err(raised.placed(entry.place.key));
            }
        }
        match &section.value {
            Value::None => Ok(Vec::new()),
            Value::Dict(values) => file.entries_at(&[PARAMETERS], values),
            _ => Err(section.wrong_type(&format!("`{PARAMETERS}` is to be a mapping"))),
        }
    }
}

impl Parameter {
    fn new(schema: Schema, given: Value, span: Option<Span>) -> Parameter {
        let default = schema.default.clone();
        let value = OnceCell::new();
        let is_secret = false;
        let is_pseudo = false;
        let place = EntrySpans::default();
        Parameter { schema, given, default, is_secret, is_pseudo, span, place, value }
    }

    /// Returns the given value, or else the default; null if there is neither.
    fn raw(&self) -> &Value {
        match &self.given {
            Value::None => &self.default,
            given => given,
        }
    }

    fn value(&self) -> Result<Value> {
        if let Some(value) = self.value.get() {
            return Ok(value.clone());
        }
        let value = self.schema.kind.convert(self.raw())?;
        Ok(self.value.get_or_init(|| value).clone())
    }

    /// Converts another value to the type of the parameter.
    fn converted(&self, other: &Value) -> Result<Value> {
        self.schema.kind.convert(other).map_err(|mut raised| {
            if self.is_secret {
                hide_words(&mut raised, &[other]);
            }
            raised
        })
    }

    fn validate(&self, name: &str, context: &Context) -> Result<()> {
        let checked = self.schema.validate(context).and_then(|()| match self.raw() {
            Value::None => Err(missing(name)),
            value => {
                let valid = self.schema.validate_value(value, context);
                valid.map_err(|raised| self.with_places(raised))
            }
        });
        checked.map_err(|mut raised| {
            if self.is_secret {
                let value = self.value().unwrap_or(Value::None);
                hide_words(&mut raised, &[self.raw(), &self.schema.default, &value]);
            }
            if raised.class == Class::Syntax {
                raised.message =
                    format!("Parameter '{name}' is invalid: {}", raised.message);
            }
            if self.schema.is_hidden {
                without_places(raised).placed(self.place.value)
            } else {
                raised.placed(self.span)
            }
        })
    }

    /// Adds the place where the value was given, and the one of the parameter.
    fn with_places(&self, raised: Box<Exception>) -> Box<Exception> {
        let mut raised = raised.placed(self.span);
        let is_own = self.place.key.is_none() && matches!(self.given, Value::None);
        let default = self.schema.default_span.filter(|_| is_own);
        if let Some(span) = self.place.value.or(default) {
            raised.places.insert(0, (span, String::new()));
        }
        raised
    }

    /// Returns true if the parameter is immutable and had another value.
    fn changed(&self, name: &str, entry: &FileEntry) -> Result<bool> {
        if !self.schema.is_immutable {
            return Ok(false);
        }
        if self.schema.is_hidden && entry.value.as_str() == Some(HIDDEN_PLACEHOLDER) {
            let message = format!("the last value of '{name}' is hidden");
            let hint = "`--format json` prints what hidden parameters are";
            let raised = Exception::new(Class::Missing, message).hint(hint);
            return Err(raised.placed(entry.place.value));
        }
        let was = self.converted(&entry.value).placed(entry.place.value)?;
        Ok(!python::equal(&was, &self.value()?)?)
    }
}

fn extend(values: &mut environment::ParameterValues, entries: Vec<FileEntry>) {
    values.extend(entries.into_iter().map(|entry| (entry.key.clone(), entry)));
}

fn pseudo(input: &Input) -> IndexMap<String, Parameter> {
    let all = [
        ("OS::stack_id", &input.stack_id),
        ("OS::project_id", &input.project_id),
        ("OS::stack_name", &input.stack_name),
    ];
    let named =
        // An empty name means that none is given.
        all.iter().filter(|(name, text)| *name != "OS::stack_name" || !text.is_empty());
    let parameter = |(name, text): &(&str, &String)| {
        let parameter = Parameter::new(Schema::text(text), Value::None, None);
        ((*name).to_owned(), Parameter { is_pseudo: true, ..parameter })
    };
    named.map(parameter).collect()
}

/// Removes the places: the definition of a hidden parameter shows its default.
fn without_places(mut raised: Box<Exception>) -> Box<Exception> {
    raised.places.clear();
    raised
}

fn missing(name: &str) -> Box<Exception> {
    Exception::new(Class::Missing, format!("The Parameter ({name}) was not provided."))
}
