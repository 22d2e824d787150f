//! The place of an expression in a template that minijinja runs: what its names stand for
//! there, and calls that only the machine can make.

use std::sync::Arc;

use minijinja::State;

use crate::eval::python::{Arguments, Exception, Result, Value};

use super::ast::Expr;
use super::callable::Method;
use super::code::Compiled;
use super::evaluate::Frame;
use super::machine::Run;
use super::value::{Foreign, Machine, unwrap, wrap};

/// The machine at the place of one expression.
pub(super) struct Local<'f, 't, 'e> {
    run: &'f Arc<Run>,
    state: &'f mut State<'t, 'e>,
    compiled: &'f Compiled,
    args: &'f [Machine],
    /// What hides the names of the template.
    pub(super) hidden: Vec<(String, Value)>,
    pub(super) block: Option<Value>,
}

impl<'f, 't, 'e> Local<'f, 't, 'e> {
    pub(super) fn new(
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

    fn captured(&self, call: &Expr) -> Option<Result<Value>> {
        let captured = &self.compiled.captured;
        let at = captured.iter().position(|at| *at == call.at)?;
        let output = self.args.get(self.compiled.names.len() + at)?;
        Some(self.run.resolve(output.as_str().unwrap_or_default()))
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
        // minijinja divides by their number.
        if let (Method::Loop(_, name), []) = (method, &arguments.positional[..])
            && name == "cycle"
        {
            return Err(Exception::of_type("no items for cycling given"));
        }
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
