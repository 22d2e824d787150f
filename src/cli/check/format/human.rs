//! Findings for people: excerpts, as compilers show them.

use std::io;

use interpolate::unstable::check::Finding;
use interpolate::unstable::diagnostic::{Diagnostic, Printer};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;

use crate::cli::failure::printed_first;

/// Returns a paragraph for each finding. A terminal gets the first ones.
pub fn print(findings: &[Finding], sources: &Sources, colour: bool) -> String {
    let mut printer = Printer::new(sources, colour).masking(yaml::secret_parts);
    let paragraphs = printed_first(findings, &io::stdout(), |finding| {
        let message = format!("{} [{}]", finding.diagnostic.message, finding.rule.name());
        let diagnostic = Diagnostic { message, ..finding.diagnostic.clone() };
        printer.print(&diagnostic)
    });
    paragraphs.into_iter().map(|paragraph| paragraph + "\n\n").collect()
}
