//! The languages of expressions with their settings, and an expression that is given as a
//! text of its own, not within a document.

use std::sync::Arc;

use super::{Strict, read};
use crate::diagnostic;
use crate::eval::python::{Stamp, Str, Value};
use crate::source::{FileId, Sources, Span};
use crate::yaml::{self, Options};

/// Settings of the languages.
#[derive(Clone, Copy, Debug)]
pub struct LanguageSettings {
    /// True if templates follow Unfurl's rules, not Ansible's: a result that looks like a
    /// Python literal is read as one.
    pub python_literals: bool,
    /// True if a mapping in data may be one of Unfurl's expressions.
    pub expressions: bool,
    /// True if a text in data may be a template.
    pub templates: bool,
    /// Receives the lines that Unfurl's `trace: 1` writes.
    pub trace: fn(&str),
    /// The limits of each value of a yaql expression.
    pub quota: Quota,
}

impl Default for LanguageSettings {
    fn default() -> LanguageSettings {
        LanguageSettings {
            python_literals: false,
            expressions: true,
            templates: true,
            trace: |_| {},
            quota: Quota::default(),
        }
    }
}

/// The limits of a value of a yaql expression. A negative limit is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Members of a collection that is iterated over or returned.
    pub iterators: i64,
    /// Bytes that Python would need for an argument or a result.
    pub memory: i64,
}

impl Default for Quota {
    /// Heat's limits.
    fn default() -> Quota {
        Quota { iterators: 200, memory: 10_000 }
    }
}

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
