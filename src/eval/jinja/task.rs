//! The functions that a rewritten template calls.

use std::sync::Arc;

use minijinja::value::{Object as MachineObject, ObjectRepr};
use minijinja::{Error, State};

use super::machine::Run;
use super::value::Machine;

/// What a template may ask for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
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

pub(super) const TASKS: [(&str, Task); 11] = [
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
pub(super) struct Builtin {
    pub(super) task: Task,
    pub(super) run: Arc<Run>,
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
