//! The settings of Unfurl's expressions.

use crate::eval::Context;

/// Unfurl's expressions.
#[derive(Clone, Copy, Debug)]
pub struct Unfurl {
    /// True if templates follow Unfurl's own rules (`--python-literals`), not Ansible's.
    pub python_literals: bool,
    /// Receives the lines of `trace: 1`.
    pub trace: fn(&str),
}

impl Default for Unfurl {
    /// Ansible's rules; traces are dropped.
    fn default() -> Unfurl {
        Unfurl { python_literals: false, trace: |_| {} }
    }
}

/// Traces a line, without the secrets in it.
pub(super) fn trace(line: String, context: &Context) {
    if let Some(unfurl) = context.language::<Unfurl>() {
        (unfurl.trace)(&context.redact(line));
    }
}
