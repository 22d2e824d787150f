//! A rewritten template and a scope → what it emits. minijinja's machine runs the
//! statements and calls back here for every expression.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State};

use crate::eval::python::{self, Class, Exception, Lock, Result, Value};
use crate::eval::{Scope, secret};

use super::ast::Body;
use super::callable::{Macro, Missing};
use super::code::{Code, Compiled};
use super::evaluate::{Evaluator, Frame};
use super::frame::Local;
use super::include::ISOLATED;
use super::native::concat;
use super::plugin::Registry;
use super::rewrite::{From, rewrite};
use super::task::{Builtin, TASKS, Task};
use super::undefined::Undefined;
use super::unpack::{blank, file, shape, spread};
use super::value::{Machine, Wrap, is_module, unwrap, wrap};

/// A template that is being run, with those it includes.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) scope: Scope,
    pub(super) engine: Arc<Registry>,
    pub(super) code: Lock<Code>,
    /// What was emitted.
    nodes: Lock<Vec<Value>>,
    /// How large that is.
    size: AtomicUsize,
    failure: Lock<Option<Box<Exception>>>,
    /// The names of files that were asked for.
    files: Lock<Vec<Value>>,
    /// The one of them asked for last that leads out of the folder.
    pub(super) outside: Lock<Option<String>>,
    /// What was evaluated last.
    last: Lock<Option<Arc<Compiled>>>,
    /// How many steps of the machine were taken note of.
    spent: AtomicU64,
}

/// Runs a template.
pub(super) fn run(scope: &Scope, engine: &Arc<Registry>, body: Body) -> Result<Value> {
    let run = Arc::new(Run {
        scope: scope.clone(),
        engine: engine.clone(),
        code: Lock::default(),
        nodes: Lock::default(),
        size: AtomicUsize::default(),
        failure: Lock::default(),
        files: Lock::default(),
        outside: Lock::default(),
        last: Lock::default(),
        spent: AtomicU64::default(),
    });
    let source = rewrite(body, From::Document, &mut run.code.write());
    let environment = environment(&run);
    let template = environment.template_from_str(&source).map_err(|e| run.raised(&e))?;
    let done = template.render_captured(()).map_err(|e| run.raised(&e))?;
    run.charge(done.state())?;
    run.resolve(done.output())
}

fn environment<'s>(run: &Arc<Run>) -> Environment<'s> {
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(run.scope.context.left()));
    let emitting = run.clone();
    environment.set_formatter(move |out, _, value| emitting.emit(out, value));
    let loading = run.clone();
    environment.set_loader(move |name| loading.load(name));
    for (name, task) in TASKS {
        let builtin = Builtin { task, run: run.clone() };
        environment.add_global(name, Machine::from_object(builtin));
    }
    environment
}

impl Run {
    pub(super) fn act(
        self: &Arc<Self>,
        task: Task,
        state: &mut State<'_, '_>,
        args: &[Machine],
    ) -> Result<Machine> {
        self.charge(state)?;
        let id = args.first().and_then(Machine::as_usize).unwrap_or_default();
        let rest = args.get(1..).unwrap_or_default();
        let first = rest.first().cloned().unwrap_or_default();
        match task {
            Task::Evaluate => self.evaluate(id, state, rest, None).map(wrap),
            Task::Truth => {
                let compiled = self.compiled(id)?;
                let mut frame = Local::new(self, state, &compiled, rest);
                let mut evaluator = self.evaluator(&compiled, &mut frame);
                evaluator.truth(&compiled.expr).map(Machine::from)
            }
            Task::Items => {
                let names = rest.get(1..).unwrap_or_default();
                self.items(id, &unwrap(&first), state, names)
            }
            Task::Unpack => {
                let target = self.code.read().targets.get(id).cloned();
                let target = target.ok_or_else(broken)?;
                shape(&target, unwrap(&first))
            }
            Task::Macro => {
                let signature = self.code.read().macros.get(id).cloned();
                let signature = signature.ok_or_else(broken)?;
                Ok(wrap(Value::object(Macro { machine: first, signature })))
            }
            Task::Parameter => self.parameter(id, state, rest),
            Task::Block => {
                let block = self.resolve(first.as_str().unwrap_or_default())?;
                match id {
                    0 => Ok(wrap(block)),
                    _ => {
                        let names = rest.get(1..).unwrap_or_default();
                        self.evaluate(id - 1, state, names, Some(block)).map(wrap)
                    }
                }
            }
            Task::Assign => self.assign(id, &unwrap(&first), rest.get(1)),
            Task::Member => {
                let name = self.code.read().texts.get(id).cloned().ok_or_else(broken)?;
                match first.get_attr(&name) {
                    Ok(found) if !found.is_undefined() => Ok(found),
                    _ => Ok(wrap(Undefined::because(format!(
                        "the template does not export the requested name '{name}'"
                    )))),
                }
            }
            Task::File | Task::IsolatedFile => {
                let name = self.evaluate(id, state, rest, None)?;
                self.files.write().push(name.clone());
                file(&name, if matches!(task, Task::File) { "" } else { ISOLATED })
            }
        }
    }

    /// Takes note of what the machine has done since the last time.
    fn charge(&self, state: &State<'_, '_>) -> Result<()> {
        let (spent, _) = state.fuel_levels().unwrap_or_default();
        let before = self.spent.fetch_max(spent, Ordering::Relaxed);
        self.scope.context.spend(spent.saturating_sub(before))?;
        self.scope.context.step()
    }

    fn compiled(&self, id: usize) -> Result<Arc<Compiled>> {
        let compiled = self.code.read().expressions.get(id).cloned();
        self.last.write().clone_from(&compiled);
        compiled.ok_or_else(broken)
    }

    fn evaluator<'e>(
        &'e self,
        compiled: &Compiled,
        frame: &'e mut dyn Frame,
    ) -> Evaluator<'e> {
        let (isolated, file) = (compiled.isolated, compiled.file.clone());
        let (scope, engine) = (&self.scope, &self.engine);
        Evaluator { scope, engine, frame: Some(frame), isolated, file }
    }

    fn evaluate(
        self: &Arc<Self>,
        id: usize,
        state: &mut State<'_, '_>,
        args: &[Machine],
        block: Option<Value>,
    ) -> Result<Value> {
        let compiled = self.compiled(id)?;
        let mut frame = Local::new(self, state, &compiled, args);
        frame.block = block;
        self.evaluator(&compiled, &mut frame).eval(&compiled.expr)
    }

    /// The items that a loop goes over, each in the shape of its target.
    fn items(
        self: &Arc<Self>,
        id: usize,
        over: &Value,
        state: &mut State<'_, '_>,
        names: &[Machine],
    ) -> Result<Machine> {
        let each = self.code.read().loops.get(id).cloned().ok_or_else(broken)?;
        let mut items = Vec::new();
        for item in python::iterate(over)? {
            self.scope.context.spend(1)?;
            let shaped = shape(&each.target, item.clone())?;
            if let Some(filter) = &each.filter {
                let mut frame = Local::new(self, state, filter, names);
                spread(&each.target, &item, &mut frame.hidden)?;
                if !self.evaluator(filter, &mut frame).truth(&filter.expr)? {
                    continue;
                }
            }
            items.push(shaped);
        }
        if !each.or_else {
            return Ok(Machine::from(items));
        }
        let mut pairs: Vec<Machine> = items
            .into_iter()
            .map(|item| Machine::from(vec![true.into(), item]))
            .collect();
        if pairs.is_empty() {
            pairs.push(Machine::from(vec![false.into(), blank(&each.target)]));
        }
        Ok(Machine::from(pairs))
    }

    /// One argument of a macro: what was given, else its default.
    fn parameter(
        self: &Arc<Self>,
        default: usize,
        state: &mut State<'_, '_>,
        args: &[Machine],
    ) -> Result<Machine> {
        let number =
            |at: usize| args.get(at).and_then(Machine::as_usize).unwrap_or_default();
        let given = args.get(2).map(unwrap);
        let at = number(0);
        let given = match &given {
            Some(Value::Tuple(given)) => given.get(at).cloned(),
            _ => None,
        };
        match given {
            Some(value) if value.downcast::<Missing>().is_none() => Ok(wrap(value)),
            _ if default > 0 => {
                let names = args.get(3..).unwrap_or_default();
                self.evaluate(default - 1, state, names, None).map(wrap)
            }
            _ => {
                let signature = self.code.read().macros.get(number(1)).cloned();
                let signature = signature.ok_or_else(broken)?;
                Ok(wrap(Undefined::because(match signature.parameters.get(at) {
                    Some(name) => format!("parameter '{name}' was not provided"),
                    None => "No caller defined".to_owned(),
                })))
            }
        }
    }

    fn assign(
        &self,
        name: usize,
        namespace: &Value,
        value: Option<&Machine>,
    ) -> Result<Machine> {
        let name = self.code.read().texts.get(name).cloned().ok_or_else(broken)?;
        let value = value.map_or(Value::None, unwrap);
        match namespace {
            Value::Object(object) => object.set_attribute(&name, value)?,
            _ => {
                return Err(Exception::of_type(
                    "cannot assign attribute on non-namespace object",
                ));
            }
        }
        Ok(Machine::from(()))
    }

    /// Takes note of what is emitted.
    fn emit(
        &self,
        out: &mut Output<'_>,
        value: &Machine,
    ) -> std::result::Result<(), Error> {
        if let Some(captured) = value.as_str() {
            out.write_str(captured)?;
        } else if let Some(Wrap(value)) = value.downcast_object_ref::<Wrap>() {
            let number = self.keep(value.clone()).map_err(|e| self.fail(e))?;
            write!(out, "v{number};")?;
        } else if is_module(value) {
            write!(out, "{value}")?;
        } else if value.as_object().is_some() {
            let text = python::str(&unwrap(value)).map_err(|e| self.fail(e))?;
            let number = self.keep(Value::text(text)).map_err(|e| self.fail(e))?;
            write!(out, "v{number};")?;
        }
        Ok(())
    }

    /// Keeps an emitted value; its number. All of them together are no larger than a result
    /// may be.
    fn keep(&self, value: Value) -> Result<usize> {
        let size = match &value {
            Value::Str(text) => text.len(),
            Value::List(items) => items.len(),
            Value::Dict(entries) => entries.len(),
            _ => 1,
        };
        let longest = self.scope.context.limits.output;
        if self.size.fetch_add(size, Ordering::Relaxed) + size > longest {
            let message = format!("a template gives more than {longest} characters");
            let hint = "`--limit output=N` allows more";
            return Err(Exception::new(Class::Limit, message).hint(hint));
        }
        let mut nodes = self.nodes.write();
        nodes.push(value);
        Ok(nodes.len() - 1)
    }

    /// What emitted texts and nodes stand for.
    pub(super) fn resolve(&self, output: &str) -> Result<Value> {
        let (nodes, code) = (self.nodes.read(), self.code.read());
        let mut found = Vec::new();
        for word in output.split_terminator(';') {
            let (kind, number) = word.split_at_checked(1).unwrap_or_default();
            let number: usize = number.parse().unwrap_or(usize::MAX);
            match kind {
                "t" => found
                    .extend(code.texts.get(number).map(|text| Value::text(text.clone()))),
                _ => found.extend(nodes.get(number).cloned()),
            }
        }
        drop((nodes, code));
        concat(found, &self.scope.context)
    }

    /// Keeps an exception until the machine has come back.
    pub(super) fn fail(&self, exception: Box<Exception>) -> Error {
        let error = Error::new(ErrorKind::InvalidOperation, exception.message.clone());
        *self.failure.write() = Some(exception);
        error
    }

    /// The exception that stopped the machine.
    pub(super) fn raised(&self, error: &Error) -> Box<Exception> {
        if let Some(exception) = self.failure.write().take() {
            return self.told(exception);
        }
        let mut error = error;
        while let Some(source) = std::error::Error::source(error)
            && let Some(source) = source.downcast_ref::<Error>()
        {
            error = source;
        }
        let message =
            error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        let class = match error.kind() {
            ErrorKind::OutOfFuel => Class::Limit,
            ErrorKind::TemplateNotFound => Class::Missing,
            ErrorKind::UndefinedError => Class::Undefined,
            ErrorKind::SyntaxError => Class::Syntax,
            _ if message.contains("recursion") => Class::Recursion,
            _ => Class::Type,
        };
        let message = match class {
            Class::Limit => "a template takes too many steps".to_owned(),
            _ => message.replace(ISOLATED, "").replace(r"\x01", ""),
        };
        let exception = Exception::new(class, message);
        self.told(match self.outside.write().take() {
            Some(name) if class == Class::Missing => exception.hint(format!(
                "'{name}' is outside of the folder that templates are included from"
            )),
            _ => exception,
        })
    }

    /// A failure that does not say names of files that are secret. If nobody knows where it
    /// happened, it came of what was evaluated last.
    fn told(&self, exception: Box<Exception>) -> Box<Exception> {
        let exception = match &*self.last.read() {
            Some(last) => exception.at_in(last.expr.at, last.file.as_ref()),
            None => exception,
        };
        let files = self.files.read();
        let context = &self.scope.context;
        secret::conceal(exception, &files.iter().collect::<Vec<_>>(), context)
    }
}

fn broken() -> Box<Exception> {
    Exception::new(Class::Syntax, "the template is broken")
}
