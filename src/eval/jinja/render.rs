//! A rendering: a template whose statements minijinja runs, and a scope in, a value out.
//! minijinja calls back here for every expression, item and assignment.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use minijinja::value::{Enumerator, Object as MachineObject, ObjectRepr};
use minijinja::{Error, ErrorKind, State};

use crate::eval::jinja::filter::parameter::type_error;
use crate::eval::python::{self, Arguments, Class, Exception, Lock, Result, Value};
use crate::eval::{Scope, secret};
use crate::source::reason;

use super::ast::Expr;
use super::evaluate::{Evaluator, Frame};
use super::filter::html::as_markup;
use super::loop_context::{Filter, LoopContext};
use super::native::{concat, too_long};
use super::parser::parse;
use super::plugin::Registry;
use super::rewrite::{Compiled, LoopCode, TemplateOrigin};
use super::syntax::{Syntax, TemplateRules};
use super::templates::{ISOLATED, Templates, file_of, is_inside, without_marks};
use super::undefined::Undefined;
use super::value::{
    ImportedModule, MachineValue, MacroValue, MissingArgument, blank, shape, spread,
    unwrap, wrap,
};

/// A template that is being rendered, with those it includes.
#[derive(Debug)]
pub(super) struct Render {
    scope: Scope,
    registry: &'static Registry,
    rules: TemplateRules,
    templates: Arc<Templates>,
    included: Included,
    /// The values that were printed.
    nodes: Lock<Vec<Value>>,
    /// Their size, as the output limit counts it.
    size: AtomicUsize,
    /// The exception that stops the machine, while it returns from its calls.
    failure: Lock<Option<Box<Exception>>>,
    /// The names of files that were asked for.
    files: Lock<Vec<Value>>,
    /// The last of them that leads out of the folder.
    outside: Lock<Option<String>>,
    /// The expression that was evaluated last.
    last: Lock<Option<Arc<Compiled>>>,
    /// The steps of the machine that were counted.
    spent: AtomicU64,
}

/// The manner in which a template reads those that it includes.
#[derive(Debug)]
pub(super) struct Included {
    pub(super) syntax: Arc<Syntax>,
    /// Their folder, if it is not that of the run.
    pub(super) folder: Option<PathBuf>,
}

pub(super) fn render(
    scope: &Scope,
    registry: &'static Registry,
    rules: TemplateRules,
    templates: &Arc<Templates>,
    name: &str,
    included: Included,
) -> Result<Value> {
    let render = Arc::new(Render {
        scope: scope.clone(),
        registry,
        rules,
        templates: templates.clone(),
        included,
        nodes: Lock::default(),
        size: AtomicUsize::default(),
        failure: Lock::default(),
        files: Lock::default(),
        outside: Lock::default(),
        last: Lock::default(),
        spent: AtomicU64::default(),
    });
    let template = templates.template(name).map_err(|e| render.raised(&e))?;
    let root = MachineValue::from_dyn_object(render.clone());
    let done = template.render_captured(root).map_err(|e| render.raised(&e))?;
    render.charge(done.state())?;
    render.resolve(done.output())
}

/// Returns the innermost error of minijinja as an exception.
pub(super) fn compile_error(mut error: &Error) -> Box<Exception> {
    while let Some(source) = std::error::Error::source(error)
        && let Some(source) = source.downcast_ref::<Error>()
    {
        error = source;
    }
    let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    let message = without_marks(&detail);
    let class = match error.kind() {
        ErrorKind::OutOfFuel => {
            return Exception::new(Class::Limit, "a template takes too many steps");
        }
        ErrorKind::TemplateNotFound => Class::Missing,
        ErrorKind::UndefinedError => Class::Undefined,
        ErrorKind::SyntaxError => Class::Syntax,
        _ if message.contains("recursion") => Class::Recursion,
        _ => Class::Type,
    };
    Exception::new(class, message)
}

/// The variables of a template of minijinja: `_j`, whose methods are the callbacks.
impl MachineObject for Render {
    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<MachineValue> {
        (key == "_j").then(|| MachineValue::from_dyn_object(self.clone()))
    }

    fn call_method(
        self: &Arc<Self>,
        state: &mut State<'_, '_>,
        method: &str,
        arguments: &[MachineValue],
    ) -> std::result::Result<MachineValue, Error> {
        self.call(method, state, arguments).map_err(|exception| self.fail(exception))
    }
}

impl Render {
    /// Answers a call of the rewritten template. The first argument is an index.
    fn call(
        self: &Arc<Self>,
        method: &str,
        state: &mut State<'_, '_>,
        arguments: &[MachineValue],
    ) -> Result<MachineValue> {
        self.charge(state)?;
        let id = number_at(arguments, 0);
        let rest = arguments.get(1..).unwrap_or_default();
        let first = rest.first().cloned().unwrap_or_default();
        match method {
            "value" => self.evaluate(id, state, rest, None).map(wrap),
            "truth" => {
                let compiled = self.compiled(id)?;
                let mut frame = MachineFrame::new(self, Some(state), &compiled, rest);
                let mut evaluator = self.evaluator(&compiled, &mut frame);
                evaluator.truth(&compiled.expr).map(MachineValue::from)
            }
            // The machine asks for the truth of a value without a way to raise.
            "branch" => {
                python::truth(&unwrap(&first))?;
                Ok(first)
            }
            "print" => self.evaluate(id, state, rest, None).and_then(|v| self.emit(v)),
            "emit" => self.emit(unwrap_at(arguments, 0)),
            "items" => self.items(id, state, rest),
            "pull" => {
                if let Some(of) = unwrap(&first).downcast::<LoopContext>() {
                    of.peek(Some(state))?;
                }
                Ok(MachineValue::from(""))
            }
            "unpack" => {
                shape(&*self.templates.get(|code| &code.targets, id)?, unwrap(&first))
            }
            "macro" => {
                let signature = self.templates.get(|code| &code.macros, id)?;
                Ok(wrap(Value::object(MacroValue { machine: first, signature })))
            }
            "parameter" => self.parameter(id, state, rest),
            "captured" => {
                let block = self.resolve(first.as_str().unwrap_or_default())?;
                let names = rest.get(1..).unwrap_or_default();
                if id == 0 {
                    let escapes = names.first().is_some_and(MachineValue::is_true);
                    return Ok(wrap(if escapes { as_markup(block) } else { block }));
                }
                self.evaluate(id - 1, state, names, Some(block)).map(wrap)
            }
            "set_attribute" => {
                let Value::Object(namespace) = unwrap(&first) else {
                    return type_error("cannot assign attribute on non-namespace object");
                };
                let name = self.templates.get(|code| &code.texts, id)?;
                namespace.set_attribute(&name, unwrap_at(rest, 1))?;
                Ok(MachineValue::from(""))
            }
            "member" => {
                let name = self.templates.get(|code| &code.texts, id)?;
                match first.get_attr(&name) {
                    Ok(found) if !found.is_undefined() => Ok(found),
                    _ => Ok(wrap(Undefined::naming_source(format!(
                        "the template does not export the requested name '{name}'"
                    )))),
                }
            }
            mode => {
                let name = self.evaluate(id, state, rest, None)?;
                self.files.write().push(name.clone());
                self.file(&name, if mode == "isolated_file" { ISOLATED } else { "" })
            }
        }
    }

    /// Counts the steps that the machine has taken since the last call.
    fn charge(&self, state: &State<'_, '_>) -> Result<()> {
        let (spent, _) = state.fuel_levels().unwrap_or_default();
        let before = self.spent.fetch_max(spent, Ordering::Relaxed);
        self.scope.context.spend(spent.saturating_sub(before))?;
        self.scope.context.step()
    }

    fn compiled(&self, id: usize) -> Result<Arc<Compiled>> {
        let compiled = self.templates.get(|code| &code.expressions, id)?;
        *self.last.write() = Some(compiled.clone());
        Ok(compiled)
    }

    fn evaluator<'e>(
        &'e self,
        compiled: &Compiled,
        frame: &'e mut dyn Frame,
    ) -> Evaluator<'e> {
        Evaluator {
            scope: &self.scope,
            registry: self.registry,
            rules: self.rules,
            frame: Some(frame),
            isolated: compiled.origin.is_isolated(),
            file: compiled.origin.file().cloned(),
        }
    }

    fn evaluate(
        self: &Arc<Self>,
        id: usize,
        state: &mut State<'_, '_>,
        arguments: &[MachineValue],
        block: Option<Value>,
    ) -> Result<Value> {
        let compiled = self.compiled(id)?;
        let frame = MachineFrame::new(self, Some(state), &compiled, arguments);
        let mut frame = MachineFrame { block, ..frame };
        self.evaluator(&compiled, &mut frame).eval(&compiled.expr)
    }

    /// Returns the items of a loop as the machine pulls them. The arguments are the value
    /// that the loop goes over, the `loop` that calls it recursively, and the values of
    /// the names that the filter needs.
    fn items(
        self: &Arc<Self>,
        id: usize,
        state: &mut State<'_, '_>,
        arguments: &[MachineValue],
    ) -> Result<MachineValue> {
        let code = self.templates.get(|code| &code.loops, id)?;
        let iterable = unwrap_at(arguments, 0);
        let parent = unwrap_at(arguments, 1);
        let depth = parent.downcast::<LoopContext>().map_or(0, |it| it.depth() + 1);
        let filter: Option<Filter> = code.filter.clone().map(|filter| {
            let render = self.clone();
            let code = code.clone();
            let names = arguments.get(2..).unwrap_or_default().to_vec();
            let keeps = move |state: Option<&mut State<'_, '_>>, item: &Value| {
                let mut hidden = Vec::new();
                spread(&code.target, item, &mut hidden)?;
                let frame = MachineFrame::new(&render, state, &filter, &names);
                let mut frame = MachineFrame { hidden, ..frame };
                render.evaluator(&filter, &mut frame).truth(&filter.expr)
            };
            Arc::new(keeps) as Filter
        });
        // The first item is pulled here, where the state is at hand: a filter may call macros.
        let is_filtered = filter.is_some();
        let of = LoopContext::over(iterable, filter, depth, self.scope.context.clone())?;
        if is_filtered {
            of.peek(Some(state))?;
        }
        Ok(MachineValue::from_object(Pump { of, code, render: self.clone() }))
    }

    /// Returns an argument of a macro: what was given, else the default. The arguments are the
    /// number of the parameter, the macro, all that was given, and what the default needs.
    fn parameter(
        self: &Arc<Self>,
        default: usize,
        state: &mut State<'_, '_>,
        arguments: &[MachineValue],
    ) -> Result<MachineValue> {
        let at = number_at(arguments, 0);
        let given = match unwrap_at(arguments, 2) {
            Value::Tuple(given) => given.get(at).cloned(),
            _ => None,
        };
        match given {
            Some(it) if it.downcast::<MissingArgument>().is_none() => Ok(wrap(it)),
            _ if default > 0 => {
                let names = arguments.get(3..).unwrap_or_default();
                self.evaluate(default - 1, state, names, None).map(wrap)
            }
            _ => {
                let id = number_at(arguments, 1);
                let signature = self.templates.get(|code| &code.macros, id)?;
                Ok(wrap(Undefined::naming_source(match signature.parameters.get(at) {
                    Some(name) => format!("parameter '{name}' was not provided"),
                    None => "No caller defined".to_owned(),
                })))
            }
        }
    }

    /// Loads the first of some files that is there. Returns the name of its template,
    /// else the names as they are, which the machine reports as missing.
    fn file(&self, value: &Value, mark: &str) -> Result<MachineValue> {
        if let Value::Str(name) = value {
            let name = self.placed(name, mark);
            self.load(&name)?;
            return Ok(MachineValue::from(name));
        }
        let mut names = Vec::new();
        for name in python::iterate(value)? {
            let name = self.placed(&python::str(&name)?, mark);
            if self.load(&name)? {
                return Ok(MachineValue::from(name));
            }
            names.push(MachineValue::from(name));
        }
        Ok(MachineValue::from(names))
    }

    /// Returns the name of a file, with its folder if that is not the one of the run.
    fn placed(&self, name: &str, mark: &str) -> String {
        let file = match &self.included.folder {
            // A name that leads out of the folder is refused as it is.
            Some(folder) if is_inside(name) => folder.join(name).display().to_string(),
            _ => name.to_owned(),
        };
        self.templates.file_name(&file, mark, &self.included.syntax)
    }

    /// Compiles a template that is a file, unless it is compiled. Returns false if there is no
    /// such file.
    fn load(&self, name: &str) -> Result<bool> {
        if self.templates.template(name).is_ok() {
            return Ok(true);
        }
        let file = file_of(name);
        if self.included.folder.is_none() && !is_inside(file) {
            *self.outside.write() = Some(file.to_owned());
            return Ok(false);
        }
        let Some(text) = self.read(file)? else { return Ok(false) };
        let known = self.registry.known_in(&self.scope);
        let body = parse(&text, &self.included.syntax, false, &known);
        let body = body.map_err(|mut exception| {
            exception.file = exception.position.map(|_| file.into());
            exception
        })?;
        let isolated = name.starts_with(ISOLATED);
        let origin = TemplateOrigin::File { name: file.into(), isolated };
        let compiled = self.templates.compile(name, body, &origin);
        compiled.map(|()| true).map_err(|error| self.raised(&error))
    }

    /// Reads the text of a file in the folder of the run, if there is such a file.
    fn read(&self, file: &str) -> Result<Option<String>> {
        let context = &self.scope.context;
        context.permit("file", &format!("the template '{file}'"))?;
        let bytes = match context.read(&context.folder.join(file))? {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let why = reason(&error);
                let message = format!("cannot read the template '{file}': {why}");
                return Err(Exception::new(Class::Missing, message));
            }
        };
        String::from_utf8(bytes).map(Some).map_err(|_| {
            Exception::of_value(format!("the template '{file}' is not UTF-8"))
        })
    }

    /// Prints a value. Returns the text that stands for it in the output of the machine. Raises
    /// beyond the output limit.
    fn emit(&self, value: Value) -> Result<MachineValue> {
        if let Some(ImportedModule(module)) = value.downcast::<ImportedModule>() {
            return Ok(MachineValue::from(module.to_string()));
        }
        let size = match &value {
            Value::Str(text) => text.len(),
            Value::List(items) => items.len(),
            Value::Dict(entries) => entries.len(),
            _ => 1,
        };
        let longest = self.scope.context.limits.output;
        if self.size.fetch_add(size, Ordering::Relaxed) + size > longest {
            return Err(too_long(longest));
        }
        let mut nodes = self.nodes.write();
        nodes.push(value);
        Ok(MachineValue::from(format!("v{};", nodes.len() - 1)))
    }

    /// Returns the value of an output of the machine: texts and values, such as `t3;v0;`.
    fn resolve(&self, output: &str) -> Result<Value> {
        let mut found = Vec::new();
        for word in output.split_terminator(';') {
            let (kind, at) = word.split_at_checked(1).unwrap_or_default();
            let at: usize = at.parse().unwrap_or(usize::MAX);
            // A text may not be copied into the output itself: it could contain `;`.
            if kind == "t" {
                found.extend(self.templates.get(|code| &code.texts, at).map(Value::text));
            } else {
                found.extend(self.nodes.read().get(at).cloned());
            }
        }
        concat(found, self.rules, &self.scope.context)
    }

    /// Keeps an exception until the machine has returned.
    fn fail(&self, exception: Box<Exception>) -> Error {
        // minijinja errors carry no places, secrets or hints, so the exception waits here.
        let error = Error::new(ErrorKind::InvalidOperation, exception.message.clone());
        *self.failure.write() = Some(exception);
        error
    }

    /// Returns the exception that stopped the machine, else one for an error of its own.
    fn raised(&self, error: &Error) -> Box<Exception> {
        if let Some(exception) = self.failure.write().take() {
            return self.concealed(exception);
        }
        let exception = compile_error(error);
        let is_missing = exception.class == Class::Missing;
        let exception = match self.files.read().last() {
            Some(file) if is_missing => exception.naming_value(file),
            _ => exception,
        };
        self.concealed(match self.outside.write().take() {
            Some(name) if is_missing => exception.hint(format!(
                "'{name}' is outside of the folder that templates are included from"
            )),
            _ => exception,
        })
    }

    /// Hides secret file names in an exception and gives it a position, if it has none.
    fn concealed(&self, exception: Box<Exception>) -> Box<Exception> {
        let exception = match &*self.last.read() {
            Some(last) => exception.at_in(last.expr.at, last.origin.file()),
            None => exception,
        };
        let files = self.files.read();
        secret::conceal(exception, &files.iter().collect::<Vec<_>>(), &self.scope.context)
    }
}

fn unwrap_at(arguments: &[MachineValue], at: usize) -> Value {
    arguments.get(at).map_or(Value::None, unwrap)
}

fn number_at(arguments: &[MachineValue], at: usize) -> usize {
    arguments.get(at).and_then(MachineValue::as_usize).unwrap_or_default()
}

/// The items of a loop as the machine pulls them, each with the variable `loop`.
#[derive(Debug)]
struct Pump {
    of: LoopContext,
    code: Arc<LoopCode>,
    render: Arc<Render>,
}

impl MachineObject for Pump {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Iterable
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let pump = self.clone();
        let handle = wrap(Value::object(self.of.clone()));
        let mut marks_empty = self.code.marks_empty;
        Enumerator::Iter(Box::new(std::iter::from_fn(move || {
            let item = pump.next(&handle, marks_empty);
            marks_empty = false;
            item.map_err(|exception| pump.render.fail(exception))
                .unwrap_or_else(|error| Some(MachineValue::from(error)))
        })))
    }
}

impl Pump {
    fn next(
        &self,
        handle: &MachineValue,
        marks_empty: bool,
    ) -> Result<Option<MachineValue>> {
        let LoopCode { target, marks_empty: marks, .. } = &*self.code;
        let (is_item, item) = match self.of.advance()? {
            Some(item) => (true, shape(target, item)?),
            None if marks_empty => (false, blank(target)),
            None => return Ok(None),
        };
        let mark = marks.then(|| MachineValue::from(is_item));
        let parts = mark.into_iter().chain([handle.clone(), item]);
        Ok(Some(MachineValue::from(parts.collect::<Vec<_>>())))
    }
}

/// The machine at the place of one expression.
struct MachineFrame<'f, 't, 'e> {
    render: &'f Arc<Render>,
    /// Nothing where the machine is between two statements.
    state: Option<&'f mut State<'t, 'e>>,
    compiled: &'f Compiled,
    /// The values of the names, then the operands that the machine evaluated.
    arguments: &'f [MachineValue],
    /// Names that hide those of the template.
    hidden: Vec<(String, Value)>,
    block: Option<Value>,
}

impl<'f, 't, 'e> MachineFrame<'f, 't, 'e> {
    fn new(
        render: &'f Arc<Render>,
        state: Option<&'f mut State<'t, 'e>>,
        compiled: &'f Compiled,
        arguments: &'f [MachineValue],
    ) -> Self {
        let hidden = Vec::new();
        MachineFrame { render, state, compiled, arguments, hidden, block: None }
    }
}

impl Frame for MachineFrame<'_, '_, '_> {
    fn local(&self, name: &str) -> Option<Value> {
        if let Some((_, value)) = self.hidden.iter().find(|(hidden, _)| hidden == name) {
            return Some(value.clone());
        }
        let at = self.compiled.names.iter().position(|known| &**known == name)?;
        Some(unwrap(self.arguments.get(at).filter(|value| !value.is_undefined())?))
    }

    fn hides(&self, name: &str) -> bool {
        self.compiled.hidden.iter().any(|hidden| **hidden == *name)
    }

    fn handed(&self, operand: &Expr) -> Option<Value> {
        let Compiled { names, handed, .. } = self.compiled;
        let at = handed.iter().position(|number| *number == operand.number)?;
        Some(self.arguments.get(names.len() + at).map_or(Value::None, unwrap))
    }

    fn block(&self) -> Option<Value> {
        self.block.clone()
    }

    fn call_macro(&mut self, callee: &MacroValue, arguments: Arguments) -> Result<Value> {
        let Some(state) = &mut self.state else {
            return type_error("a macro cannot be called here");
        };
        let arguments = callee.bind(arguments)?.positional;
        let arguments: Vec<MachineValue> = arguments.into_iter().map(wrap).collect();
        let called = callee.machine.call(state, &arguments);
        let output = called.map_err(|error| self.render.raised(&error))?;
        self.render.resolve(output.as_str().unwrap_or_default())
    }

    fn look_ahead(&mut self, of: &LoopContext, attribute: &str) -> Result<()> {
        of.look_ahead(attribute, self.state.as_deref_mut())
    }
}
