//! A rewritten template and a scope → what it emits. minijinja's machine runs the
//! statements and calls back here for every expression.

use std::path::{Component, Path};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use minijinja::value::{Object as MachineObject, ObjectRepr, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State};

use crate::eval::Scope;
use crate::python::{self, Arguments, Class, Exception, Object, Result, Value};

use super::ast::{Body, Expr, Target};
use super::evaluate::{Evaluator, Frame};
use super::native::concat;
use super::parse::parse;
use super::plugin::Engine;
use super::rewrite::{Code, Compiled, Signature, mangle, rewrite};
use super::syntax::Syntax;
use super::undefined::Undefined;
use super::{dialect, lexer};

type Machine = minijinja::Value;

/// Marks the name of a template that sees no names of the one that asks for it.
const ISOLATED: char = '\u{1}';

/// A template that is being run, with those it includes.
#[derive(Debug)]
struct Run {
    scope: Scope,
    engine: Arc<Engine>,
    code: Mutex<Code>,
    /// What was emitted.
    nodes: Mutex<Vec<Value>>,
    failure: Mutex<Option<Box<Exception>>>,
}

/// Runs a template.
pub(super) fn run(scope: &Scope, engine: &Arc<Engine>, body: Body) -> Result<Value> {
    let run = Arc::new(Run {
        scope: scope.clone(),
        engine: engine.clone(),
        code: Mutex::default(),
        nodes: Mutex::default(),
        failure: Mutex::default(),
    });
    let source = rewrite(body, false, false, &mut lock(&run.code));
    let environment = environment(&run);
    let template = environment.template_from_str(&source).map_err(|e| run.raised(&e))?;
    let done = template.render_captured(()).map_err(|e| run.raised(&e))?;
    if let Some((spent, _)) = done.state().fuel_levels() {
        scope.context.spend(spent)?;
    }
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

/// What a template may ask for.
#[derive(Clone, Copy, Debug)]
enum Task {
    Evaluate,
    Truth,
    Items,
    Unpack,
    Macro,
    Parameter,
    Block,
    Assign,
    Member,
    File,
    IsolatedFile,
}

const TASKS: [(&str, Task); 11] = [
    ("_je", Task::Evaluate),
    ("_jt", Task::Truth),
    ("_jr", Task::Items),
    ("_ju", Task::Unpack),
    ("_jm", Task::Macro),
    ("_ja", Task::Parameter),
    ("_jb", Task::Block),
    ("_js", Task::Assign),
    ("_jg", Task::Member),
    ("_jx", Task::File),
    ("_jy", Task::IsolatedFile),
];

#[derive(Debug)]
struct Builtin {
    task: Task,
    run: Arc<Run>,
}

impl MachineObject for Builtin {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(
        self: &Arc<Self>,
        state: &mut State<'_, '_>,
        args: &[Machine],
    ) -> std::result::Result<Machine, Error> {
        let done = self.run.act(self.task, state, args);
        done.map_err(|exception| self.run.fail(exception))
    }
}

impl Run {
    fn act(
        self: &Arc<Self>,
        task: Task,
        state: &mut State<'_, '_>,
        args: &[Machine],
    ) -> Result<Machine> {
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
                let target = lock(&self.code).targets.get(id).cloned();
                let target = target.ok_or_else(broken)?;
                shape(&target, unwrap(&first))
            }
            Task::Macro => {
                let signature = lock(&self.code).macros.get(id).cloned();
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
                let name = lock(&self.code).texts.get(id).cloned().ok_or_else(broken)?;
                match first.get_attr(&name) {
                    Ok(found) if !found.is_undefined() => Ok(found),
                    _ => Ok(wrap(Undefined::because(format!(
                        "the template does not export the requested name '{name}'"
                    )))),
                }
            }
            Task::File => file(&self.evaluate(id, state, rest, None)?, ""),
            Task::IsolatedFile => {
                file(&self.evaluate(id, state, rest, None)?, &ISOLATED.to_string())
            }
        }
    }

    fn compiled(&self, id: usize) -> Result<Arc<Compiled>> {
        lock(&self.code).expressions.get(id).cloned().ok_or_else(broken)
    }

    fn evaluator<'e>(
        &'e self,
        compiled: &Compiled,
        frame: &'e mut dyn Frame,
    ) -> Evaluator<'e> {
        let isolated = compiled.isolated;
        Evaluator {
            scope: &self.scope,
            engine: &self.engine,
            frame: Some(frame),
            isolated,
        }
    }

    fn evaluate(
        self: &Arc<Self>,
        id: usize,
        state: &mut State<'_, '_>,
        args: &[Machine],
        block: Option<Value>,
    ) -> Result<Value> {
        let compiled = self.compiled(id)?;
        let mut frame = Local { block, ..Local::new(self, state, &compiled, args) };
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
        let each = lock(&self.code).loops.get(id).cloned().ok_or_else(broken)?;
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
        Ok(Machine::from(items))
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
            Some(Value::Tuple(given)) => given.iter().nth(at).cloned(),
            _ => None,
        };
        match given {
            Some(value) if value.downcast::<Missing>().is_none() => Ok(wrap(value)),
            _ if default > 0 => {
                let names = args.get(3..).unwrap_or_default();
                self.evaluate(default - 1, state, names, None).map(wrap)
            }
            _ => {
                let signature = lock(&self.code).macros.get(number(1)).cloned();
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
        let name = lock(&self.code).texts.get(name).cloned().ok_or_else(broken)?;
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
            let mut nodes = lock(&self.nodes);
            nodes.push(value.clone());
            write!(out, "v{};", nodes.len() - 1)?;
        } else if is_module(value) {
            write!(out, "{value}")?;
        } else if value.as_object().is_some() {
            let mut nodes = lock(&self.nodes);
            nodes.push(Value::text(python::str(&unwrap(value)).unwrap_or_default()));
            write!(out, "v{};", nodes.len() - 1)?;
        }
        Ok(())
    }

    /// What emitted texts and nodes stand for.
    fn resolve(&self, output: &str) -> Result<Value> {
        let (nodes, code) = (lock(&self.nodes), lock(&self.code));
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
        concat(found, self.scope.context.limits.output)
    }

    /// The text of a template that is included, rewritten.
    fn load(&self, name: &str) -> std::result::Result<Option<String>, Error> {
        self.file(name).map_err(|exception| self.fail(exception))
    }

    fn file(&self, name: &str) -> Result<Option<String>> {
        let isolated = name.starts_with(ISOLATED);
        let path = Path::new(name.trim_start_matches(ISOLATED));
        if path
            .components()
            .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
        {
            return Ok(None);
        }
        let context = &self.scope.context;
        if !context.allow.file {
            let message = format!("the template '{}' may not be read", path.display());
            let denied = Exception::new(Class::Denied, message);
            return Err(denied.hint("`--allow file` lets files be read"));
        }
        let Ok(bytes) = context.world.read(&context.folder.join(path)) else {
            return Ok(None);
        };
        let text = String::from_utf8(bytes).map_err(|_| {
            Exception::of_value(format!("the template '{}' is not UTF-8", path.display()))
        })?;
        let tokens = lexer::lex(&text, &Syntax::default(), false)?;
        let body = parse(tokens, &dialect::known(&self.scope, &self.engine))?;
        Ok(Some(rewrite(body, true, isolated, &mut lock(&self.code))))
    }

    /// Keeps an exception until the machine has come back.
    fn fail(&self, exception: Box<Exception>) -> Error {
        let error = Error::new(ErrorKind::InvalidOperation, exception.message.clone());
        *lock(&self.failure) = Some(exception);
        error
    }

    /// The exception that stopped the machine.
    fn raised(&self, error: &Error) -> Box<Exception> {
        if let Some(exception) = lock(&self.failure).take() {
            return exception;
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
            _ => message.replace(ISOLATED, ""),
        };
        Exception::new(class, message)
    }
}

fn broken() -> Box<Exception> {
    Exception::new(Class::Syntax, "the template is broken")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The names of templates as minijinja takes them.
fn file(value: &Value, mark: &str) -> Result<Machine> {
    match value {
        Value::Str(name) => Ok(Machine::from(format!("{mark}{}", &**name))),
        other => {
            let names = python::iterate(other)?;
            let name =
                |name: Value| Ok(Machine::from(format!("{mark}{}", python::str(&name)?)));
            Ok(Machine::from(names.into_iter().map(name).collect::<Result<Vec<_>>>()?))
        }
    }
}

/// A value in the shape of what it is assigned to.
fn shape(target: &Target, value: Value) -> Result<Machine> {
    match target {
        Target::Tuple(targets) => {
            let items = unpack(&value, targets.len())?;
            let items =
                targets.iter().zip(items).map(|(target, item)| shape(target, item));
            Ok(Machine::from(items.collect::<Result<Vec<_>>>()?))
        }
        Target::Name(_) | Target::Attribute(..) => Ok(wrap(value)),
    }
}

/// The values of the names of a target.
fn spread(
    target: &Target,
    value: &Value,
    names: &mut Vec<(String, Value)>,
) -> Result<()> {
    match target {
        Target::Name(name) => names.push((name.clone(), value.clone())),
        Target::Tuple(targets) => {
            for (target, item) in targets.iter().zip(unpack(value, targets.len())?) {
                spread(target, &item, names)?;
            }
        }
        Target::Attribute(..) => {}
    }
    Ok(())
}

fn unpack(value: &Value, expected: usize) -> Result<Vec<Value>> {
    let items = python::iterate(value).map_err(|exception| match exception.class {
        Class::Type => Exception::of_type(format!(
            "cannot unpack non-iterable {} object",
            value.type_name()
        )),
        _ => exception,
    })?;
    match items.len() {
        got if got < expected => Err(Exception::of_value(format!(
            "not enough values to unpack (expected {expected}, got {got})"
        ))),
        got if got > expected => Err(Exception::of_value(format!(
            "too many values to unpack (expected {expected})"
        ))),
        _ => Ok(items),
    }
}

/// A value in minijinja's hands.
#[derive(Debug)]
struct Wrap(Value);

impl MachineObject for Wrap {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn custom_cmp(
        self: &Arc<Self>,
        other: &minijinja::value::DynObject,
    ) -> Option<std::cmp::Ordering> {
        let other = other.downcast_ref::<Wrap>()?;
        let same = python::equal(&self.0, &other.0).unwrap_or(false);
        Some(if same { std::cmp::Ordering::Equal } else { std::cmp::Ordering::Less })
    }
}

/// A value of minijinja's own: `loop`, a module.
#[derive(Debug)]
pub(super) struct Foreign(Machine);

/// What stands for an argument that was not given.
#[derive(Debug)]
struct Missing;

impl Object for Missing {
    fn type_name(&self) -> &str {
        "missing"
    }
}

fn wrap(value: Value) -> Machine {
    match value.downcast::<Foreign>() {
        Some(Foreign(machine)) => machine.clone(),
        None => Machine::from_object(Wrap(value)),
    }
}

fn unwrap(machine: &Machine) -> Value {
    if let Some(Wrap(value)) = machine.downcast_object_ref::<Wrap>() {
        return value.clone();
    }
    match machine.kind() {
        ValueKind::Undefined => Undefined::because("there is nothing"),
        ValueKind::None => Value::None,
        ValueKind::Bool => Value::Bool(machine.is_true()),
        ValueKind::Number => match i64::try_from(machine.clone()) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Float(f64::try_from(machine.clone()).unwrap_or_default()),
        },
        ValueKind::String => Value::text(machine.as_str().unwrap_or_default()),
        ValueKind::Seq => {
            let items = machine.try_iter().into_iter().flatten();
            Value::tuple(items.map(|item| unwrap(&item)))
        }
        _ => Value::object(Foreign(machine.clone())),
    }
}

/// Whether it is what `import` gives, whose text is what was emitted there.
fn is_module(machine: &Machine) -> bool {
    machine.as_object().is_some()
        && machine.get_attr("index0").is_ok_and(|index| index.is_undefined())
}

impl Object for Foreign {
    fn type_name(&self) -> &str {
        if is_module(&self.0) { "TemplateModule" } else { "LoopContext" }
    }

    fn display(&self) -> Result<String> {
        let number = |name| self.0.get_attr(name).unwrap_or_default();
        Ok(format!("<LoopContext {}/{}>", number("index"), number("length")))
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let found = self.0.get_attr(&mangle(name)).ok();
        Ok(found.filter(|found| !found.is_undefined()).map(|found| unwrap(&found)))
    }
}

/// A macro, and what it takes.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    machine: Machine,
    signature: Arc<Signature>,
}

impl Macro {
    /// The arguments of a call as the one that minijinja's macro takes.
    pub(super) fn bind(&self, arguments: Arguments) -> Result<Arguments> {
        let Signature { name, parameters, varargs, kwargs, caller } = &*self.signature;
        let mut keywords = arguments.keywords;
        let mut positional = arguments.positional.into_iter();
        let mut take = |name: &str| {
            let at = keywords.iter().position(|(known, _)| &**known == name)?;
            Some(keywords.remove(at).1)
        };
        let missing = || Value::object(Missing);
        let mut bound: Vec<Value> = Vec::new();
        for parameter in parameters {
            let value = positional.next().or_else(|| take(parameter));
            bound.push(value.unwrap_or_else(missing));
        }
        let called =
            if *caller { take("caller").unwrap_or_else(missing) } else { missing() };
        let rest: Vec<Value> = positional.collect();
        if !varargs && !rest.is_empty() {
            return Err(Exception::of_type(format!(
                "macro '{name}' takes not more than {} argument(s)",
                parameters.len()
            )));
        }
        if !kwargs && let Some((keyword, _)) = keywords.first() {
            let keyword = &**keyword;
            return Err(Exception::of_type(format!(
                "macro '{name}' takes no keyword argument '{keyword}'"
            )));
        }
        if *varargs {
            bound.push(Value::tuple(rest));
        }
        if *kwargs {
            let entries = keywords.into_iter();
            let entry =
                |(name, value): (python::Str, Value)| (python::Key::text(&name), value);
            bound.push(Value::Dict(entries.map(entry).collect()));
        }
        if *caller {
            bound.push(called);
        }
        Ok(Arguments::of([Value::tuple(bound)]))
    }
}

impl Object for Macro {
    fn type_name(&self) -> &str {
        "Macro"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let Signature { parameters, varargs, kwargs, caller, .. } = &*self.signature;
        let names = parameters.iter().map(|name| Value::text(name.as_str()));
        Ok(Some(match name {
            "name" => Value::text(self.signature.name.as_str()),
            "arguments" => Value::tuple(names),
            "caller" => Value::Bool(*caller),
            "catch_varargs" => Value::Bool(*varargs),
            "catch_kwargs" => Value::Bool(*kwargs),
            _ => return Ok(None),
        }))
    }

    fn is_callable(&self) -> bool {
        true
    }
}

/// What only the machine can call.
#[derive(Debug)]
pub(super) enum Method {
    /// A macro.
    Macro(Macro),
    /// A method of `loop`.
    Loop(Machine, String),
}

/// The machine at the place of one expression.
struct Local<'f, 't, 'e> {
    run: &'f Arc<Run>,
    state: &'f mut State<'t, 'e>,
    compiled: &'f Compiled,
    args: &'f [Machine],
    /// What hides the names of the template.
    hidden: Vec<(String, Value)>,
    block: Option<Value>,
}

impl<'f, 't, 'e> Local<'f, 't, 'e> {
    fn new(
        run: &'f Arc<Run>,
        state: &'f mut State<'t, 'e>,
        compiled: &'f Compiled,
        args: &'f [Machine],
    ) -> Self {
        Local { run, state, compiled, args, hidden: Vec::new(), block: None }
    }
}

impl Frame for Local<'_, '_, '_> {
    fn local(&self, name: &str) -> Option<Value> {
        if let Some((_, value)) = self.hidden.iter().find(|(hidden, _)| hidden == name) {
            return Some(value.clone());
        }
        let at = self.compiled.names.iter().position(|known| &**known == name)?;
        let value = self.args.get(at).filter(|value| !value.is_undefined())?;
        Some(unwrap(value))
    }

    fn captured(&self, call: &Expr) -> Option<Value> {
        let captured = &self.compiled.captured;
        let at = captured.iter().position(|at| *at == call.at)?;
        let output = self.args.get(self.compiled.names.len() + at)?;
        self.run.resolve(output.as_str().unwrap_or_default()).ok()
    }

    fn method(&self, value: &Value, name: &str) -> Option<Method> {
        let Foreign(machine) = value.downcast::<Foreign>()?;
        matches!(name, "cycle" | "changed")
            .then(|| Method::Loop(machine.clone(), name.to_owned()))
    }

    fn block(&self) -> Option<Value> {
        self.block.clone()
    }

    fn call(&mut self, method: &Method, arguments: Arguments) -> Result<Value> {
        let args: Vec<Machine> = arguments.positional.into_iter().map(wrap).collect();
        let called = match method {
            Method::Macro(called) => called.machine.call(self.state, &args),
            Method::Loop(machine, name) => machine.call_method(self.state, name, &args),
        };
        let called = called.map_err(|error| self.run.raised(&error))?;
        match method {
            Method::Macro(_) => self.run.resolve(called.as_str().unwrap_or_default()),
            Method::Loop(..) => Ok(unwrap(&called)),
        }
    }
}
