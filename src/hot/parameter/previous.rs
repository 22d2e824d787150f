//! The parameters of the last run: what is said of them comes in; which immutable ones
//! have another value now goes out as an exception.

use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::hot::exception::{at, meant};
use crate::hot::file::{Entry, File};

use super::{HIDDEN, Parameter, Parameters};

/// What a run resolves to, which holds its parameters.
const SECTIONS: [&str; 5] =
    [PARAMETERS, "conditions", "resources", "disabled_resources", "outputs"];

const PARAMETERS: &str = "parameters";

impl Parameters {
    /// Refuses other values for what may not change. What is not a parameter any more may
    /// be a mistake: it is returned.
    pub(in crate::hot) fn validate_previous(
        &self,
        file: &File,
    ) -> Result<Vec<Exception>> {
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
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
                    let raised = meant(raised, self.own_names(), &name);
                    gone.push(*at(raised, entry.place.key));
                }
            }
        }
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

    /// The values that a file says: alone, or as a section of what a run resolved to.
    fn previous(&self, file: &File) -> Result<Vec<Entry>> {
        let entries = file.entries()?;
        let is_section = |entry: &&Entry| entry.key.as_str() == Some(PARAMETERS);
        let section = entries.iter().find(is_section);
        let section = section.filter(|_| !self.all.contains_key(PARAMETERS));
        let Some(section) = section else { return Ok(entries) };
        for entry in &entries {
            let name = python::str(entry.key.value())?;
            if !SECTIONS.contains(&&*name) {
                let message = format!("no run prints a section '{name}'");
                let raised = meant(Exception::of_value(message), SECTIONS, &name);
                return Err(at(raised, entry.place.key));
            }
        }
        match &section.value {
            Value::None => Ok(Vec::new()),
            Value::Dict(values) => file.entries_at(&[PARAMETERS], values),
            other => {
                let kind = other.type_name();
                let message = format!("`{PARAMETERS}` is to be a mapping, not a {kind}");
                Err(at(Exception::of_type(message), section.place.value))
            }
        }
    }
}

impl Parameter {
    /// Whether it may not change and was something else.
    fn changed(&self, name: &str, entry: &Entry) -> Result<bool> {
        if !self.schema.is_immutable {
            return Ok(false);
        }
        if self.schema.is_hidden && entry.value.as_str() == Some(HIDDEN) {
            let message = format!("the last value of '{name}' is hidden");
            let hint = "`--format json` prints what hidden parameters are";
            let raised = Exception::new(Class::Missing, message).hint(hint);
            return Err(at(raised, entry.place.value));
        }
        let was = self.converted(&entry.value);
        let was = was.map_err(|raised| at(raised, entry.place.value))?;
        Ok(!python::equal(&was, &self.value()?)?)
    }
}
