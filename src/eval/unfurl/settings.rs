//! The settings of Unfurl's expressions.

use crate::eval::Context;

/// Unfurl's expressions.
#[derive(Clone, Copy, Debug)]
pub struct Unfurl {
    /// True if templates follow Unfurl's own rules (`--python-literals`), not Ansible's.
    pub python_literals: bool,
    /// True if a mapping in data may be an expression.
    pub expressions: bool,
    /// True if a text in data may be a template.
    pub templates: bool,
    /// Receives the lines of `trace: 1`.
    pub trace: fn(&str),
}

impl Default for Unfurl {
    /// Ansible's rules; traces are dropped.
    fn default() -> Unfurl {
        Unfurl {
            python_literals: false,
            expressions: true,
            templates: true,
            trace: |_| {},
        }
    }
}

/// Traces a line, without the secrets in it.
pub(super) fn trace(line: String, names: &[String], context: &Context) {
    if let Some(unfurl) = context.language::<Unfurl>() {
        (unfurl.trace)(&context.redact(line, names));
    }
}
