//! What functions ask while they are checked and resolved: parameters, resources, files,
//! conditions, and how much may be done.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::eval::Context;
use crate::eval::python::{Class, DEPTH, Dict, Exception, Key, Result, Value};
use crate::source::reason;

use super::condition::Conditions;
use super::exception::{meant, unknown};
use super::function::Call;
use super::parameter::Parameters;
use super::resolve::written;
use super::template::Template;
use super::version::Version;
use super::{Input, Unresolved};

/// A template that is being evaluated, and what it was given.
#[derive(Debug)]
pub(super) struct Stack {
    /// The run.
    pub(super) context: Arc<Context>,
    /// The version of the template.
    pub(super) version: Version,
    /// What was given beside the template.
    pub(super) input: Input,
    pub(super) template: Template,
    pub(super) parameters: Parameters,
    pub(super) conditions: OnceCell<Conditions>,
    /// The resources that are enabled, by name.
    pub(super) resources: OnceCell<IndexMap<String, Resource>>,
    depth: Cell<usize>,
    kept: Cell<usize>,
    warnings: RefCell<Vec<Exception>>,
}

/// A resource, as references see it.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    /// Its name.
    pub(super) name: String,
    /// Its physical name; one that is not there yet has none.
    pub(super) id: Option<Value>,
    /// What is known of it by name.
    pub(super) attributes: Option<Dict>,
}

impl Resource {
    /// Whether it is there already: its attributes have values.
    pub(super) fn is_live(&self) -> bool {
        self.id.is_some() || self.attributes.is_some()
    }
}

impl Stack {
    pub(super) fn new(
        context: Arc<Context>,
        version: Version,
        template: Template,
        parameters: Parameters,
        input: Input,
    ) -> Stack {
        Stack {
            context,
            version,
            input,
            template,
            parameters,
            conditions: OnceCell::new(),
            resources: OnceCell::new(),
            depth: Cell::default(),
            kept: Cell::default(),
            warnings: RefCell::default(),
        }
    }

    /// Takes note of what is no error but may be a mistake.
    pub(super) fn warn(&self, warning: Exception) {
        self.warnings.borrow_mut().push(warning);
    }

    /// All that was taken note of.
    pub(super) fn warnings(&self) -> Vec<Exception> {
        self.warnings.take()
    }

    /// The value of a parameter.
    ///
    /// # Errors
    /// There is no such parameter.
    pub(super) fn parameter(&self, name: &str) -> Result<Value> {
        self.parameters.value(name)
    }

    /// Whether there is such a resource, and it is enabled.
    pub(super) fn has_resource(&self, name: &Value) -> bool {
        self.find(name).is_some()
    }

    /// The resource of that name.
    ///
    /// # Errors
    /// There is none, or it is disabled.
    pub(super) fn resource(&self, name: &Value) -> Result<&Resource> {
        self.find_for(name, || "unknown".into())
    }

    /// The same, asked for at a path.
    pub(super) fn find_for(
        &self,
        name: &Value,
        path: impl FnOnce() -> String,
    ) -> Result<&Resource> {
        Key::new(name.clone())?;
        self.find(name).ok_or_else(|| {
            let name = crate::eval::python::str(name).unwrap_or_default();
            let raised = unknown(&name, &path());
            if self.template.defines("resources", &name) {
                return raised.hint(format!("the condition of '{name}' does not hold"));
            }
            let known = self.resources.get().into_iter().flat_map(IndexMap::keys);
            meant(raised, known.map(|known| &**known), &name)
        })
    }

    fn find(&self, name: &Value) -> Option<&Resource> {
        self.resources.get()?.get(name.as_str()?)
    }

    /// Whether a condition holds: a boolean, a name, or null, which always does.
    ///
    /// # Errors
    /// There is no condition of that name, or it cannot be worked out.
    pub(super) fn condition(&self, condition: &Value) -> Result<bool> {
        match self.conditions.get() {
            Some(conditions) => self.nested(|| conditions.holds(self, condition)),
            None => Conditions::default().holds(self, condition),
        }
    }

    /// The text of a file that a call asks for.
    ///
    /// # Errors
    /// It was not given and cannot be read.
    pub(super) fn file(&self, call: &Call, name: &str) -> Result<Value> {
        if let Some(text) = self.input.files.get(name) {
            return Ok(Value::text(&**text));
        }
        let none = |hint: String| {
            let function = call.name();
            let message = format!(
                "No content found in the \"files\" section for {function} path: {name}"
            );
            Exception::of_value(message).hint(hint)
        };
        let (context, allow) = (&self.context, self.context.allow);
        let most = context.limits.output as u64;
        let enough = most.saturating_add(1);
        let bytes = match name.contains("://") && !name.starts_with("file://") {
            true if !allow.url => {
                return Err(none(format!("{} lets it be read", allow.option("url"))));
            }
            true => context.world.fetch(name, enough),
            false if !allow.file => {
                return Err(none(format!("{} lets it be read", allow.option("file"))));
            }
            false => {
                let path = Path::new(name.trim_start_matches("file://"));
                context.world.head(&self.folder(call).join(path), enough)
            }
        };
        let bytes = bytes.map_err(|error| none(reason(&error)))?;
        if bytes.len() as u64 > most {
            let message = format!("{name} has more than {most} bytes");
            let hint = "`--limit output=N` lets larger files be read";
            return Err(Exception::new(Class::Limit, message).hint(hint));
        }
        String::from_utf8(bytes)
            .map(Value::text)
            .map_err(|_| none("it is not UTF-8".into()))
    }

    /// The folder of the file that a call was written in.
    fn folder(&self, call: &Call) -> std::path::PathBuf {
        let name = call.span.map(|span| &*self.input.sources.get(span.file).name);
        let folder = name.and_then(|name| Path::new(name).parent());
        self.context.folder.join(folder.unwrap_or(Path::new("")))
    }

    /// What a call stands for that needs what is not there yet.
    ///
    /// # Errors
    /// That is to be an error.
    pub(super) fn unresolved(&self, call: &Call, otherwise: Value) -> Result<Value> {
        match self.input.unresolved {
            Unresolved::Null => Ok(otherwise),
            Unresolved::Error => {
                let message =
                    format!("\"{}\" needs a resource that is not there yet", call.name());
                let hint = "`--attrs` and `--ids` say what is there";
                Err(Exception::new(Class::Missing, message).hint(hint))
            }
            Unresolved::Keep => {
                self.kept.set(self.kept.get() + 1);
                Ok(written(call, self.resolve(&call.arguments)?))
            }
        }
    }

    pub(super) fn keeps(&self) -> bool {
        self.input.unresolved == Unresolved::Keep
    }

    /// How many calls were kept so far.
    pub(super) fn kept_calls(&self) -> usize {
        self.kept.get()
    }

    /// Runs something within what is running.
    pub(super) fn nested<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        deep(self.depth.get())?;
        self.depth.set(self.depth.get() + 1);
        let done = run();
        self.depth.set(self.depth.get() - 1);
        done
    }
}

/// Lets a value nest so deep.
///
/// # Errors
/// That is deeper than Python goes.
pub(super) fn deep(depth: usize) -> Result<()> {
    if depth <= DEPTH {
        Ok(())
    } else {
        Err(Exception::new(Class::Recursion, "maximum recursion depth exceeded"))
    }
}
