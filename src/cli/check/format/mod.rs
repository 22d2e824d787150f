//! The formats of findings.

mod github;
mod human;
mod json;
mod position;
mod sarif;

use clap::ValueEnum;
use interpolate::unstable::check::Finding;
use interpolate::unstable::source::Sources;

/// A format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// Excerpts for people
    Human,
    /// A list of objects
    Json,
    /// SARIF 2.1.0, which code scanning reads
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

impl CheckFormat {
    /// Returns findings as text.
    pub fn print(self, findings: &[Finding], sources: &Sources, colour: bool) -> String {
        match self {
            CheckFormat::Human => human::print(findings, sources, colour),
            CheckFormat::Json => json::print(findings, sources),
            CheckFormat::Sarif => sarif::print(findings, sources),
            CheckFormat::Github => github::print(findings, sources),
        }
    }

    /// Returns true if a summary follows.
    pub fn is_for_people(self) -> bool {
        self == CheckFormat::Human
    }
}
