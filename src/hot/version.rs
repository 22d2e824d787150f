//! Versions of the template format.

use crate::eval::python::{Exception, Result, Value};

use super::exception;

/// A version of the template format. Later versions have the features of earlier ones,
/// except for functions: see the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    Icehouse,
    Juno,
    Kilo,
    Liberty,
    Mitaka,
    Newton,
    Ocata,
    Pike,
    Queens,
    Rocky,
    Wallaby,
}

/// Names of the versions in templates, in the order of Heat's error message.
#[rustfmt::skip]
const NAMES: [(&str, Version); 17] = [
    ("2013-05-23", Version::Icehouse), ("2014-10-16", Version::Juno), ("2015-04-30", Version::Kilo),
    ("2015-10-15", Version::Liberty), ("2016-04-08", Version::Mitaka),
    ("2016-10-14", Version::Newton), ("2017-02-24", Version::Ocata), ("2017-09-01", Version::Pike),
    ("2018-03-02", Version::Queens), ("2018-08-31", Version::Rocky),
    ("2021-04-16", Version::Wallaby), ("newton", Version::Newton), ("ocata", Version::Ocata),
    ("pike", Version::Pike), ("queens", Version::Queens), ("rocky", Version::Rocky),
    ("wallaby", Version::Wallaby),
];

impl Version {
    pub(super) const LAST: Version = Version::Wallaby;

    /// Returns a hint that `what` needs this version.
    pub(super) fn hint(self, what: &str) -> String {
        let date = NAMES.iter().find(|(_, version)| *version == self);
        format!("`{what}` is known from {} on", date.map_or("", |(date, _)| *date))
    }

    /// Returns the version of a name. Fails if the value is no name of a version.
    pub(super) fn read(name: &Value) -> Result<Version> {
        let Some(name) = name.as_str() else {
            return Err(invalid("Template version was not provided"));
        };
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, version)| *version).ok_or_else(|| {
            let known = NAMES.map(|(known, _)| known).join(", ");
            invalid(&format!(
                "\"heat_template_version: {name}\". \"heat_template_version\" should be one \
                 of: {known}"
            )).did_you_mean(NAMES.map(|(known, _)| known), name)
        })
    }
}

/// Returns an exception about the version, or about a feature that it lacks.
pub(super) fn invalid(explanation: &str) -> Box<Exception> {
    exception::invalid(format!("The template version is invalid: {explanation}"))
}
