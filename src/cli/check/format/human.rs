//! Findings for people: excerpts, as compilers show them.

use interpolate::unstable::check::Finding;
use interpolate::unstable::diagnostic::{Diagnostic, Printer};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;

/// Returns a paragraph for each finding.
pub fn print(findings: &[Finding], sources: &Sources, colour: bool) -> String {
    let mut printer = Printer::new(sources, colour).masking(yaml::secret_parts);
    let paragraphs = findings.iter().map(|finding| {
        let message = format!("{} [{}]", finding.diagnostic.message, finding.rule.name());
        let diagnostic = Diagnostic { message, ..finding.diagnostic.clone() };
        format!("{}\n\n", printer.print(&diagnostic))
    });
    paragraphs.collect()
}
