//! A regular expression as a value.

use std::sync::Arc;

use crate::eval::python::regex::{Flags, Pattern, compile};
use crate::eval::python::{Object, Result, Str, Value, repr};

/// A compiled pattern with its source.
#[derive(Clone, Debug)]
pub struct RegexValue {
    pub pattern: Arc<Pattern>,
    text: Str,
    flags: Flags,
}

impl RegexValue {
    /// Compiles a pattern. Fails with a `ValueError` if the pattern is invalid.
    pub fn new(text: &Str, flags: Flags) -> Result<RegexValue> {
        Ok(RegexValue { pattern: compile(text, flags)?, text: text.clone(), flags })
    }
}

impl Object for RegexValue {
    fn type_name(&self) -> &str {
        "re.Pattern"
    }

    fn display(&self) -> Result<String> {
        let flags = [
            (self.flags.ignorecase, "re.IGNORECASE"),
            (self.flags.multiline, "re.MULTILINE"),
            (self.flags.dotall, "re.DOTALL"),
        ];
        let flags: Vec<&str> =
            flags.into_iter().filter_map(|(set, name)| set.then_some(name)).collect();
        let separator = if flags.is_empty() { "" } else { ", " };
        let text = repr(&Value::Str(self.text.clone()))?;
        Ok(format!("re.compile({text}{separator}{})", flags.join("|")))
    }

    fn is_compared_by_value(&self) -> bool {
        true
    }

    fn equals(&self, other: &Value) -> bool {
        let other = other.downcast::<RegexValue>();
        other.is_some_and(|other| (&self.text, self.flags) == (&other.text, other.flags))
    }
}
