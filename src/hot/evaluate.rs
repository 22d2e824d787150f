//! Evaluating a template, in the order in which Heat checks it: the first check that fails
//! ends it. Then resources are resolved, and all that fail are told; conditions and outputs
//! that fail are left out of what the others say.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::eval::Context;
use crate::eval::python::{Class, Dict, Exception, Key, Result, Value};
use crate::eval::stack;
use crate::node::Document;

use super::exception::at;
use super::function;
use super::input::Input;
use super::parameter::{HIDDEN, Parameters};
use super::resource::Definitions;
use super::secret::hide_given;
use super::section::{self, Output};
use super::stack::Stack;
use super::template::Template;

/// What a template says.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    /// The values of its parameters, by name.
    pub parameters: Dict,
    /// The names of those that are not to be shown.
    pub hidden: Vec<String>,
    /// Its conditions, by name.
    pub conditions: Dict,
    /// Its resources that are enabled, by name.
    pub resources: Dict,
    /// The names of the others.
    pub disabled: Vec<String>,
    /// The values of its outputs, by name.
    pub outputs: Dict,
    /// The conditions and outputs that are missing.
    pub failed: Vec<SectionError>,
    /// What is no error but may be a mistake.
    pub warnings: Vec<Exception>,
}

/// Why something is missing in what a template says.
#[derive(Clone, Debug)]
pub struct SectionError {
    /// What it is.
    pub section: Section,
    /// Its name.
    pub name: String,
    /// What it raised.
    pub exception: Exception,
}

/// What may fail on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// A condition.
    Condition,
    /// An output.
    Output,
}

impl Evaluated {
    fn fail(&mut self, section: Section, name: &str, exception: Exception) {
        self.failed.push(SectionError { section, name: name.to_owned(), exception });
    }

    fn has_reported(&self, exception: &Exception) -> bool {
        self.failed.iter().any(|failed| failed.exception == *exception)
    }

    /// The parameters, as they may be shown.
    pub fn shown_parameters(&self) -> Dict {
        let shown: Dict = self.parameters.read().clone().into_iter().collect();
        for name in &self.hidden {
            shown.set(Key::text(name), Value::text(HIDDEN));
        }
        shown
    }
}

/// Evaluates the template that a document is. With `validate_only`, nothing is resolved that
/// does not have to be.
///
/// # Errors
/// All that is wrong with it, in Heat's words.
pub fn evaluate(
    document: Arc<Document>,
    input: Input,
    context: Context,
    validate_only: bool,
) -> std::result::Result<Evaluated, Vec<Exception>> {
    let (mut wrong, context) = (Vec::new(), Arc::new(context));
    let done = stack::run(|| {
        let template = Template::new(document, context.limits.expansion);
        let given = template.variable_texts().clone();
        let evaluated = read(template, input, context).and_then(|stack| {
            stack.parameters.secrets().conceal(|| run(&stack, validate_only, &mut wrong))
        });
        let mask = |exception: &mut Exception| hide_given(exception, &given);
        wrong.iter_mut().for_each(mask);
        match evaluated {
            Ok(mut evaluated) => {
                let failed = evaluated.failed.iter_mut();
                failed.map(|failed| &mut failed.exception).for_each(mask);
                Ok(evaluated)
            }
            Err(mut raised) => {
                mask(&mut raised);
                Err(raised)
            }
        }
    });
    match done {
        Ok(evaluated) if wrong.is_empty() => Ok(evaluated),
        Ok(_) => Err(wrong),
        Err(raised) => Err(vec![*raised]),
    }
}

fn read(template: Template, input: Input, context: Arc<Context>) -> Result<Stack> {
    template.validate_single().map_err(unread)?;
    template.validate_tags().map_err(unread)?;
    let version = section::version(&template)?;
    let parameters = Parameters::read(&template, version, &input)?;
    Ok(Stack::new(context, version, template, parameters, input))
}

/// What is said of a text that is no template.
fn unread(mut raised: Box<Exception>) -> Box<Exception> {
    raised.message = format!("Error parsing template [root stack] {}", raised.message);
    raised
}

fn run(
    stack: &Stack,
    validate_only: bool,
    wrong: &mut Vec<Exception>,
) -> Result<Evaluated> {
    section::validate(&stack.template, stack.version)?;
    stack.parameters.validate(&stack.context)?;
    if let Some(previous) = &stack.input.previous {
        let gone = stack.parameters.validate_previous(previous)?;
        gone.into_iter().for_each(|warning| stack.warn(warning));
    }
    section::validate_groups(&stack.template, &stack.parameters)?;
    function::validate_facade(stack)?;
    let conditions = section::read_conditions(stack)?;
    section::validate_conditions(stack, &conditions)?;
    let conditions = stack.define_conditions(conditions);
    let definitions = Definitions::read(stack)?;
    definitions.validate_names(stack)?;
    let seen = definitions.seen(stack)?;
    stack.define_resources(seen);
    let needs = definitions.needs(stack)?;
    definitions.validate(stack)?;
    let outputs = section::read_outputs(stack)?;
    section::validate_outputs(stack, &outputs)?;
    let mut evaluated =
        Evaluated { disabled: definitions.disabled().to_vec(), ..<_>::default() };
    for (name, value, is_hidden) in stack.parameters.values()? {
        evaluated.parameters.set(Key::text(name), value);
        evaluated.hidden.extend(is_hidden.then(|| name.to_owned()));
    }
    evaluated.warnings = stack.warnings();
    if validate_only {
        return Ok(evaluated);
    }
    evaluated.resources = resources(stack, &definitions, &needs, wrong);
    for name in conditions.names() {
        match stack.condition(&Value::text(&**name)) {
            Ok(holds) => evaluated.conditions.set(Key::text(name), Value::Bool(holds)),
            // What several conditions need is told once.
            Err(raised) if evaluated.has_reported(&raised) => {}
            Err(raised) => evaluated.fail(Section::Condition, name, *raised),
        }
    }
    resolve_outputs(stack, &outputs, &mut evaluated);
    Ok(evaluated)
}

fn resources(
    stack: &Stack,
    definitions: &Definitions,
    needs: &IndexMap<&str, IndexSet<String>>,
    wrong: &mut Vec<Exception>,
) -> Dict {
    let (resources, nothing) = (Dict::default(), IndexSet::new());
    let mut budget = OutputBudget::of(stack);
    for (name, definition) in definitions.enabled() {
        let needed = needs.get(&**name).unwrap_or(&nothing);
        let resolved = stack
            .parameters
            .secrets()
            .conceal(|| budget.take(definition.resolve(stack, name, needed)?));
        match resolved {
            Ok(resource) => resources.set(Key::text(name), resource),
            Err(raised) => {
                let is_last = raised.class == Class::Limit;
                wrong.push(*raised);
                if is_last {
                    break;
                }
            }
        }
    }
    resources
}

fn resolve_outputs(
    stack: &Stack,
    outputs: &IndexMap<String, Output>,
    evaluated: &mut Evaluated,
) {
    let mut budget = OutputBudget::of(stack);
    for (name, output) in outputs {
        let secrets = stack.parameters.secrets();
        match secrets.conceal(|| budget.take(stack.resolve(&output.value)?)) {
            Ok(value) => evaluated.outputs.set(Key::text(name), value),
            Err(raised) => {
                evaluated.fail(Section::Output, name, *at(raised, output.span));
            }
        }
    }
}

/// How much may still be printed: values share what they hold, and are written out.
struct OutputBudget {
    left: usize,
    limit: usize,
}

impl OutputBudget {
    fn of(stack: &Stack) -> OutputBudget {
        let limit = stack.context.limits.output;
        OutputBudget { left: limit, limit }
    }

    /// Takes the room of a value.
    fn take(&mut self, value: Value) -> Result<Value> {
        let mut todo = vec![value.clone()];
        while let Some(value) = todo.pop() {
            let size = match &value {
                Value::Str(text) => text.len(),
                Value::List(items) => {
                    todo.extend(items.read().iter().cloned());
                    0
                }
                Value::Dict(entries) => {
                    let entries = entries.read();
                    todo.extend(entries.values().cloned());
                    entries.keys().filter_map(|key| key.as_str()).map(str::len).sum()
                }
                _ => 0,
            };
            self.left = self.left.checked_sub(size + 1).ok_or_else(|| {
                let limit = self.limit;
                let message = format!(
                    "what is to be printed has more than {limit} characters; `--limit \
                     output=N` allows more"
                );
                Exception::new(Class::Limit, message)
            })?;
        }
        Ok(value)
    }
}
