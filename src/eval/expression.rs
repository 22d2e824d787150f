//! An expression that is given as a text of its own, not within a document.

use std::sync::Arc;

use super::{Strict, read};
use crate::diagnostic;
use crate::eval::python::{Stamp, Str, Value};
use crate::source::{FileId, Sources, Span};
use crate::yaml::{self, Options};

/// The language of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Unfurl's: a path or, if it begins with `{`, a function in YAML.
    Unfurl,
    /// Jinja as Ansible speaks it: a template.
    Jinja,
    /// yaql as Heat runs it.
    Yaql,
    /// A YAML value with templates and expressions anywhere in it.
    Any,
}

impl Language {
    /// Returns the likely language of a text: Jinja if it has `{{`, `{%` or `{#`, else
    /// Unfurl's. A mapping with `eval` or a quoted key is Unfurl's, too.
    pub fn of(text: &str) -> Language {
        let is_mapping = |rest: &str| {
            let rest = rest.trim_start();
            rest.starts_with('"') || rest.starts_with("eval:")
        };
        if text.trim_start().strip_prefix('{').is_some_and(is_mapping) {
            return Language::Unfurl;
        }
        let is_template = ["{{", "{%", "{#"].iter().any(|mark| text.contains(mark));
        if is_template { Language::Jinja } else { Language::Unfurl }
    }

    /// The name for [`Session::evaluate`](super::Session::evaluate); `None` for any.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Language::Unfurl => Some("unfurl"),
            Language::Jinja => Some("jinja"),
            Language::Yaql => Some("yaql"),
            Language::Any => None,
        }
    }

    /// The conditions that are errors by default. A value that needs itself is null in
    /// Unfurl, and an error in Ansible.
    pub fn strict(self) -> Strict {
        match self {
            Language::Jinja => Strict::Cycles,
            Language::Unfurl | Language::Yaql | Language::Any => Strict::default(),
        }
    }

    /// Reads an expression, which is one of the sources.
    ///
    /// # Errors
    /// A syntax error of YAML, with its span.
    pub fn read(
        self,
        sources: &Sources,
        file: FileId,
        options: &Options,
    ) -> diagnostic::Result<Value> {
        let text: &str = &sources.get(file).text;
        let is_yaml = match self {
            Language::Any => true,
            Language::Unfurl => text.trim_start().starts_with('{'),
            Language::Jinja | Language::Yaql => false,
        };
        if is_yaml {
            let tree = yaml::read(sources, file, options)?;
            let root = tree.root();
            return Ok(read::read(&Arc::new(tree), root));
        }
        let origin = Some(Span { file, start: 0, end: text.len() as u32 });
        Ok(Value::Str(Str::stamped(text, Stamp { origin, ..Stamp::default() })))
    }
}
