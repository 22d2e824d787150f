//! The place of an expression in a template that minijinja runs: what its names stand for
//! there, and calls that need the machine.

use std::sync::Arc;

use minijinja::State;

use crate::eval::python::{Arguments, Exception, Result, Value};

use super::code::Compiled;
use super::evaluate::Frame;
use super::loop_context::Loop;
use super::macro_object::Macro;
use super::render::Render;
use super::value::{MachineValue, unwrap, wrap};

/// The machine at the place of one expression.
pub(super) struct MachineFrame<'f, 't, 'e> {
    render: &'f Arc<Render>,
    /// Nothing where the machine is between two statements.
    state: Option<&'f mut State<'t, 'e>>,
    names: &'f [Arc<str>],
    /// The values of the names, then the operands that the machine evaluated.
    arguments: &'f [MachineValue],
    /// Names that hide those of the template.
    hidden: Vec<(String, Value)>,
    block: Option<Value>,
}

impl<'f, 't, 'e> MachineFrame<'f, 't, 'e> {
    pub(super) fn new(
        render: &'f Arc<Render>,
        state: Option<&'f mut State<'t, 'e>>,
        compiled: &'f Compiled,
        arguments: &'f [MachineValue],
    ) -> Self {
        let names = &compiled.names;
        MachineFrame { render, state, names, arguments, hidden: Vec::new(), block: None }
    }

    /// Sets names that hide those of the template.
    pub(super) fn hiding(self, hidden: Vec<(String, Value)>) -> Self {
        MachineFrame { hidden, ..self }
    }

    /// Sets the text of the block that is filtered.
    pub(super) fn filtering(self, block: Option<Value>) -> Self {
        MachineFrame { block, ..self }
    }
}

impl Frame for MachineFrame<'_, '_, '_> {
    fn local(&self, name: &str) -> Option<Value> {
        if let Some((_, value)) = self.hidden.iter().find(|(hidden, _)| hidden == name) {
            return Some(value.clone());
        }
        let at = self.names.iter().position(|known| &**known == name)?;
        let value = self.arguments.get(at).filter(|value| !value.is_undefined())?;
        Some(unwrap(value))
    }

    fn operand(&self, at: usize) -> Value {
        self.arguments.get(self.names.len() + at).map_or(Value::None, unwrap)
    }

    fn block(&self) -> Option<Value> {
        self.block.clone()
    }

    fn call_macro(&mut self, callee: &Macro, arguments: Arguments) -> Result<Value> {
        let Some(state) = &mut self.state else {
            return Err(Exception::of_type("a macro cannot be called here"));
        };
        let arguments = callee.bind(arguments)?.positional;
        let arguments: Vec<MachineValue> = arguments.into_iter().map(wrap).collect();
        let called = callee.machine.call(state, &arguments);
        let output = called.map_err(|error| self.render.raised(&error))?;
        self.render.resolve(output.as_str().unwrap_or_default())
    }

    fn look_ahead(&mut self, of: &Loop, attribute: &str) -> Result<()> {
        of.look_ahead(attribute, self.state.as_deref_mut())
    }
}
