//! What a language is to the others: it says what it speaks, evaluates it, renders
//! templates for them and lends them what it knows by name.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::{Context, Scope, Start};
use crate::eval::python::{Arguments, Dict, Result, Str, Value};

/// A language that texts or mappings of a document may be written in.
pub trait Dialect: Any + Debug + Send + Sync {
    /// Its name in messages and on the command line.
    fn name(&self) -> &'static str;

    /// Whether this source is written in it: a text, or a mapping with its members as they
    /// were written.
    fn speaks(&self, source: &Value, context: &Context) -> bool;

    /// Texts of which one is in all that is written in it; nothing if there are no such.
    fn marks(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// What a source written in it evaluates to. Containers in the result may hold lazy
    /// members.
    fn evaluate(&self, source: &Value, scope: &Scope) -> Result<Value>;

    /// What a source is in it, whatever it looks like; the list of `all` results where there
    /// may be many.
    fn ask(&self, source: &Value, scope: &Scope, _all: bool) -> Result<Value> {
        self.evaluate(source, scope)
    }

    /// What a source is about a document and variables that are data, whatever is written in
    /// them; nothing if the language evaluates what it meets.
    fn ask_about(
        &self,
        _source: &Value,
        _document: &Value,
        _variables: &Dict,
        _context: &Arc<Context>,
    ) -> Option<Result<Value>> {
        None
    }

    /// How it looks at a document; nothing if it leaves that to others.
    fn stage(
        &self,
        _document: &Value,
        _start: &Start,
        _scope: &Scope,
    ) -> Option<Result<Stage>> {
        None
    }

    /// What a text is as a template, whatever it looks like; nothing if the language has no
    /// templates.
    fn render(
        &self,
        _source: &Str,
        _scope: &Scope,
        _style: &Style,
    ) -> Option<Result<Value>> {
        None
    }

    /// What it knows by a name; nothing if it knows no such name.
    fn look_up(
        &self,
        _loan: LookupKind,
        _name: &str,
        _scope: &Scope,
        _arguments: &Arguments,
    ) -> Option<Result<Value>> {
        None
    }

    /// The names it knows, in order.
    fn known_names(&self, _loan: LookupKind) -> &'static [&'static str] {
        &[]
    }
}

/// A document as a language looks at it.
#[derive(Debug)]
pub struct Stage {
    /// What expressions start from, and `SELF`.
    pub here: Value,
    /// What the document holds, evaluated when somebody asks.
    pub held: Value,
    /// What is forgotten when the run is over.
    pub kept: Option<Box<dyn Kept>>,
}

/// What a language keeps as long as a run takes.
pub trait Kept: Debug + Send {}

/// How a template is read.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Settings of the template engine, such as `variable_start_string`.
    pub overrides: Option<Dict>,
}

/// What one language may ask another for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupKind {
    /// What a variable stands for; there are no arguments.
    Variable,
    /// `x | name`: the first argument is what is piped to it.
    Filter,
    /// `lookup('name')`: the result is the list of what was found.
    Lookup,
}

impl Scope {
    /// What a text is as a template; the text itself if no language has templates.
    pub fn render(&self, source: &Str, style: &Style) -> Result<Value> {
        let mut dialects = self.context.dialects.iter();
        let rendered = dialects.find_map(|dialect| dialect.render(source, self, style));
        rendered.unwrap_or_else(|| Ok(Value::Str(source.clone())))
    }

    /// What one of the languages knows by a name.
    pub fn look_up(
        &self,
        kind: LookupKind,
        name: &str,
        arguments: &Arguments,
    ) -> Option<Result<Value>> {
        let mut dialects = self.context.dialects.iter();
        dialects.find_map(|dialect| dialect.look_up(kind, name, self, arguments))
    }

    /// The names that one of the languages knows.
    pub fn known_names(&self, kind: LookupKind) -> Vec<&'static str> {
        let dialects = self.context.dialects.iter();
        dialects.flat_map(|dialect| dialect.known_names(kind)).copied().collect()
    }
}
