//! Evaluates sources about a document. Variables, a document and a source in, the value
//! of the source out, with all of its members evaluated.

use std::sync::Arc;

use super::{
    Context, Dialect, DocumentView, Names, Scope, Start, Strict, Thunk, complete, secret,
};
use crate::eval::python::{Class, Dict, Exception, Lazy, Result, Secrecy, Value};

/// A run with its variables and its document.
#[derive(Debug)]
pub struct Session {
    /// The run.
    pub context: Arc<Context>,
    /// The handling of undefined names and cycles.
    pub strict: Strict,
    variables: Dict,
    document: Value,
    start: Start,
}

impl Session {
    /// Creates a session without variables and document.
    pub fn new(context: Context) -> Session {
        let context = Arc::new(context);
        let strict = Strict::default();
        let variables = Dict::default();
        let document = Value::None;
        Session { context, strict, variables, document, start: Start::default() }
    }

    /// Sets the variables. They may be templates themselves.
    #[must_use]
    pub fn variables(self, variables: Dict) -> Session {
        if !variables.is_empty() {
            self.context.raise_secrecy(Secrecy::Private);
            secret::learn(Value::Dict(variables.clone()), &self.context);
        }
        Session { variables, ..self }
    }

    /// Hides texts that are filled in from elsewhere as if they were values of variables.
    #[must_use]
    pub fn hiding(self, texts: impl IntoIterator<Item = String>) -> Session {
        let texts = Value::list(texts.into_iter().map(Value::text));
        secret::learn(texts, &self.context);
        self
    }

    /// Sets the document. Its top-level keys are names, which variables hide; `SELF` is
    /// all of it.
    #[must_use]
    pub fn document(self, document: Value, start: Start) -> Session {
        Session { document, start, ..self }
    }

    /// Replaces the document.
    pub fn set_document(&mut self, document: Value) {
        self.document = document;
    }

    /// Returns the options of the document.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Evaluates a source in the language of a name, else in the one it is written in.
    ///
    /// # Errors
    /// The exception of the evaluation.
    pub fn evaluate(&self, language: Option<&str>, source: &Value) -> Result<Value> {
        self.run(|scope, _| {
            let value = match language {
                None => scope.evaluate(source),
                Some(name) => self.ask(name, source, scope),
            };
            let value = value.and_then(|value| complete(&value, &scope.context));
            value.map_err(|exception| exception.located(source))
        })
    }

    fn ask(&self, language: &str, source: &Value, scope: &Scope) -> Result<Value> {
        let dialect = self.dialect(language)?;
        dialect
            .ask_about(source, &self.document, &self.variables, &self.context)
            .unwrap_or_else(|| dialect.ask(source, scope, self.start.all))
    }

    /// Runs an action with the scope and the content of the document, on a large stack.
    ///
    /// # Errors
    /// The exception of the action.
    pub fn run<T: Send>(
        &self,
        action: impl FnOnce(&Scope, &Value) -> Result<T> + Send,
    ) -> Result<T> {
        self.context.run(|| {
            let keys = Dict::default();
            let variables = Dict::default();
            let done = self
                .view(&keys, &variables)
                .and_then(|(scope, view)| action(&scope, &view.content));
            // A value that was not evaluated holds the scope, which holds the value:
            // break the cycle, or neither is freed.
            for names in [&keys, &variables] {
                names.write().retain(|_, value| !matches!(value, Value::Lazy(_)));
            }
            done.map_err(|exception| self.context.hide(exception))
        })
    }

    /// Returns the scope and the document as its language sees it.
    fn view(&self, keys: &Dict, variables: &Dict) -> Result<(Scope, DocumentView)> {
        let context = self.context.clone();
        // Keys and variables refer to the scope, so it is made before they are filled in.
        let names = Names::from(keys.clone()).within(variables.clone());
        let mut scope = Scope { context, names, here: Value::None, strict: self.strict };
        let mut dialects = self.context.dialects.iter();
        let view = dialects.find_map(|d| d.view(&self.document, &self.start, &scope));
        let view = view.unwrap_or_else(|| {
            let content = scope.evaluate(&self.document)?;
            Ok(DocumentView { here: content.clone(), content, state: None })
        })?;
        scope.here = view.here.clone();
        if let Value::Dict(attributes) = &view.content {
            keys.write().clone_from(&attributes.read());
        }
        for (key, value) in self.variables.read().iter() {
            let value = Thunk::of(value, &scope);
            let context = self.context.clone();
            let name = key.as_str().unwrap_or_default().to_owned();
            let variable = Variable { name, value, context };
            variables.set(key.clone(), Value::Lazy(Arc::new(variable)));
        }
        Ok((scope, view))
    }

    fn dialect(&self, name: &str) -> Result<&Arc<dyn Dialect>> {
        let dialects = &self.context.dialects;
        dialects.iter().find(|dialect| dialect.name() == name).ok_or_else(|| {
            let message = format!("there is no language '{name}'");
            let names = dialects.iter().map(|dialect| dialect.name());
            Exception::new(Class::Missing, message).did_you_mean(names, name)
        })
    }
}

/// The value of a variable. Its use is noted in the context, for `--unused` checks.
#[derive(Debug)]
struct Variable {
    name: String,
    value: Value,
    context: Arc<Context>,
}

impl Lazy for Variable {
    fn force(&self) -> Result<Value> {
        self.context.mark_used(&self.name);
        self.value.force()
    }

    fn known(&self) -> Option<Value> {
        match &self.value {
            Value::Lazy(lazy) => lazy.known(),
            value => Some(value.clone()),
        }
    }
}
