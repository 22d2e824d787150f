//! The interface between languages. Each language recognizes its sources and evaluates
//! them, renders templates for others, and offers names to them.

use std::any::Any;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Context, Scope};
use crate::eval::python::{Arguments, Dict, Result, Str, Value};

/// A language in which texts or mappings of a document may be written.
pub trait Dialect: Any + Debug + Send + Sync {
    /// Returns the name for messages and for the command line.
    fn name(&self) -> &'static str;

    /// Returns true if a source is written in this language: a text, or a mapping whose
    /// members are not evaluated.
    fn speaks(&self, source: &Value, context: &Context) -> bool;

    /// Returns texts of which every source contains at least one; nothing if there are
    /// none. A document without them is not searched for sources.
    fn marks(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Returns true if its templates follow the rules before Ansible 2.19, as Unfurl's do.
    fn is_older(&self) -> bool {
        false
    }

    /// Evaluates a source. Containers in the result may hold lazy members.
    fn evaluate(&self, source: &Value, scope: &Scope) -> Result<Value>;

    /// Evaluates a source of this language. With `all`, returns the list of all results.
    fn ask(&self, source: &Value, scope: &Scope, _all: bool) -> Result<Value> {
        self.evaluate(source, scope)
    }

    /// Evaluates a source about a document and variables that are plain data. Returns
    /// nothing if the language evaluates templates in them.
    fn ask_about(
        &self,
        _source: &Value,
        _document: &Value,
        _variables: &Dict,
        _context: &Arc<Context>,
    ) -> Option<Result<Value>> {
        None
    }

    /// Prepares a document for expressions; nothing if another language does that.
    fn view(
        &self,
        _document: &Value,
        _start: &Start,
        _scope: &Scope,
    ) -> Option<Result<DocumentView>> {
        None
    }

    /// Renders a text as a template. Returns nothing if the language has no templates.
    fn render(
        &self,
        _source: &Str,
        _scope: &Scope,
        _options: &TemplateOptions,
    ) -> Option<Result<Value>> {
        None
    }

    /// Returns the value of a name, or the result of a filter or lookup; nothing if the
    /// language does not know the name.
    fn look_up(
        &self,
        _kind: LookupKind,
        _name: &str,
        _scope: &Scope,
        _arguments: &Arguments,
    ) -> Option<Result<Value>> {
        None
    }

    /// Returns the names that it knows, sorted.
    fn known_names(&self, _kind: LookupKind) -> &'static [&'static str] {
        &[]
    }
}

/// The options of how an expression sees a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// True if the result is the list of all matches.
    pub all: bool,
    /// True if the document is a tree of `{name, attributes, instances}`.
    pub instances: bool,
    /// The name of the instance that expressions start from.
    pub at: Option<String>,
}

/// A document as the expressions of a language see it.
#[derive(Debug)]
pub struct DocumentView {
    /// The value that expressions start from, and `SELF`.
    pub here: Value,
    /// The content of the document. Its members are lazy.
    pub content: Value,
    /// State that is dropped at the end of the run.
    pub state: Option<Box<dyn Any + Send>>,
}

/// The options of a template.
#[derive(Clone, Debug, Default)]
pub struct TemplateOptions {
    /// Settings of the template engine, such as `variable_start_string`.
    pub overrides: Option<Dict>,
    /// The folder that included templates are read from, if it is not that of the run.
    pub folder: Option<PathBuf>,
}

/// The kinds of names that one language may ask another for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupKind {
    /// A variable. There are no arguments.
    Variable,
    /// `x | name`: the first argument is the piped value.
    Filter,
    /// `lookup('name')`: the result is the list of the values found.
    Lookup,
}

impl Scope {
    /// Renders a text as a template. Returns the text itself if no language has
    /// templates.
    pub fn render(&self, source: &Str, options: &TemplateOptions) -> Result<Value> {
        let mut dialects = self.context.dialects.iter();
        let rendered = dialects.find_map(|dialect| dialect.render(source, self, options));
        rendered.unwrap_or_else(|| Ok(Value::Str(source.clone())))
    }

    /// Asks the languages for a name; the first that knows it answers.
    pub fn look_up(
        &self,
        kind: LookupKind,
        name: &str,
        arguments: &Arguments,
    ) -> Option<Result<Value>> {
        let mut dialects = self.context.dialects.iter();
        dialects.find_map(|dialect| dialect.look_up(kind, name, self, arguments))
    }

    /// Returns the names that the languages know.
    pub fn known_names(&self, kind: LookupKind) -> Vec<&'static str> {
        let dialects = self.context.dialects.iter();
        dialects.flat_map(|dialect| dialect.known_names(kind)).copied().collect()
    }
}
