//! A run of the evaluator: variables, a document and a source come in, the value that the
//! source stands for goes out, with all of its members.

use std::sync::Arc;
use std::thread;

use super::unfurl::{self, Instances};
use super::{Context, Dialect, Names, Place, Scope, Strict, complete, yaql};
use crate::diagnostic::near;
use crate::python::{Class, Dict, Exception, Result, Value};

/// What a stack may take: evaluation goes as deep as templates and values nest.
const STACK: usize = 1 << 29;

/// What an evaluation starts from.
#[derive(Debug)]
pub struct Session {
    /// The run.
    pub context: Arc<Context>,
    /// What is done about what is not there.
    pub strict: Strict,
    variables: Dict,
    document: Value,
    start: Start,
}

/// How an expression looks at a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Its result is the list of all matches.
    pub all: bool,
    /// The document is a tree of `{name, attributes, instances}`.
    pub instances: bool,
    /// The name of the instance it starts at.
    pub at: Option<String>,
}

impl Session {
    /// A run without variables and document.
    pub fn new(context: Context) -> Session {
        let (context, strict) = (Arc::new(context), Strict::default());
        let (variables, document) = (Dict::default(), Value::None);
        Session { context, strict, variables, document, start: Start::default() }
    }

    /// The same with variables, which may be templates themselves.
    #[must_use]
    pub fn variables(self, variables: Dict) -> Session {
        Session { variables, ..self }
    }

    /// The same with a document: its top-level keys are names, unless variables hide them,
    /// and `SELF` is all of it.
    #[must_use]
    pub fn document(self, document: Value, start: Start) -> Session {
        Session { document, start, ..self }
    }

    /// Takes another document.
    pub fn set_document(&mut self, document: Value) {
        self.document = document;
    }

    /// How expressions look at the document.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// What a source stands for, in the language of that name or in the one it is written
    /// in.
    ///
    /// # Errors
    /// What evaluating raises.
    pub fn evaluate(&self, language: Option<&str>, source: &Value) -> Result<Value> {
        self.run(|scope| {
            let value = match language {
                None => scope.evaluate(source),
                Some("unfurl") if self.start.all => {
                    unfurl::query(source, scope).map(Value::list)
                }
                Some("unfurl") => unfurl::one(source, scope),
                Some("yaql") => self.evaluate_yaql(source),
                Some(name) => self.dialect(name)?.evaluate(source, scope),
            };
            complete(&value.map_err(|exception| exception.located(source))?)
        })
    }

    /// What yaql makes of an expression: `$.data` is the document, `$name` a variable.
    fn evaluate_yaql(&self, source: &Value) -> Result<Value> {
        let expression = source.as_str().unwrap_or_default();
        let (context, limits) = (&self.context, self.context.limits.yaql);
        yaql::evaluate_with(expression, &self.document, &self.variables, limits, context)
    }

    /// Does something with names, on a stack that is deep enough.
    ///
    /// # Errors
    /// What that raises.
    pub fn run<T: Send>(
        &self,
        action: impl FnOnce(&Scope) -> Result<T> + Send,
    ) -> Result<T> {
        let run = || {
            let (keys, variables) = (Dict::default(), Dict::default());
            let done = self
                .instances(&keys, &variables)
                .and_then(|(scope, _instances)| action(&scope));
            // What nobody has asked for holds the scope that holds it.
            for names in [&keys, &variables] {
                names.write().retain(|_, value| !matches!(value, Value::Lazy(_)));
            }
            done
        };
        deep(run)
    }

    /// The resources that expressions start from, and what names stand for there.
    fn instances(&self, keys: &Dict, variables: &Dict) -> Result<(Scope, Instances)> {
        let (context, strict) = (self.context.clone(), self.strict);
        let names = Names::from(keys.clone()).within(variables.clone());
        let mut scope = Scope { context, names, here: Value::None, strict };
        let instances = match (self.start.instances, self.document.force()?) {
            (true, document) => Instances::read(&document, &scope)?,
            (false, Value::None) => {
                Instances::document(Value::Dict(Dict::default()), &scope)
            }
            (false, document) => Instances::document(document, &scope),
        };
        scope.here = match &self.start.at {
            Some(name) => instances.named(name)?,
            None => instances.root(),
        };
        if let Value::Dict(attributes) = instances.attributes()? {
            keys.write().clone_from(&attributes.read());
        }
        for (key, value) in self.variables.read().iter() {
            variables.set(key.clone(), Place::of(value, &scope));
        }
        Ok((scope, instances))
    }

    fn dialect(&self, name: &str) -> Result<&Arc<dyn Dialect>> {
        let dialects = &self.context.dialects;
        dialects.iter().find(|dialect| dialect.name() == name).ok_or_else(|| {
            let message = format!("there is no language '{name}'");
            let exception = Exception::new(Class::Missing, message);
            match near(dialects.iter().map(|dialect| dialect.name()), name) {
                Some(near) => exception.hint(format!("did you mean '{near}'?")),
                None => exception,
            }
        })
    }
}

/// Does something on a stack that is deep enough for it.
///
/// # Errors
/// What that raises.
pub(super) fn deep<T: Send>(run: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    thread::scope(|threads| {
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(threads, run);
        match thread.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(done)) => done,
            Ok(Err(_)) | Err(_) => {
                Err(Exception::new(Class::Limit, "evaluation broke down"))
            }
        }
    })
}
