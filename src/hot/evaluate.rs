//! Evaluates a template in the order in which Heat checks it. Input: a document and what
//! is given beside it. Output: parameters, conditions, resources and outputs with all
//! functions resolved. The first check that fails ends the evaluation; afterwards all
//! resources that fail are reported, and a condition or output that fails is only missing
//! in the result.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::eval::Context;
use crate::eval::python::{Class, Dict, Exception, Key, Result, Value};
use crate::node::Tree;

use super::exception::Placed;
use super::function;
use super::input::Input;
use super::parameter::{HIDDEN_PLACEHOLDER, Parameters};
use super::resource::Definitions;
use super::secret::hide_variable_texts;
use super::section::{self, OutputDefinition};
use super::stack::Stack;
use super::template::Template;

/// The result of evaluating a template.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    /// Values of the parameters, by name.
    pub parameters: Dict,
    /// Names of the parameters whose values must not be shown.
    pub hidden: Vec<String>,
    /// Values of the conditions, by name.
    pub conditions: Dict,
    /// Enabled resources, resolved, by name.
    pub resources: Dict,
    /// Names of the disabled resources.
    pub disabled: Vec<String>,
    /// Values of the outputs, by name.
    pub outputs: Dict,
    /// Errors of the conditions and outputs that are missing above.
    pub failed: Vec<SectionError>,
    /// Possible mistakes that are no errors.
    pub warnings: Vec<Exception>,
}

/// An error of one condition or output.
#[derive(Clone, Debug)]
pub struct SectionError {
    /// The section that the entry belongs to.
    pub section: Section,
    /// Name of the condition or output.
    pub name: String,
    /// The exception that it raised.
    pub exception: Exception,
}

/// A section whose entries may fail one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The `conditions` section.
    Condition,
    /// The `outputs` section.
    Output,
}

impl Evaluated {
    fn fail(&mut self, section: Section, name: &str, exception: Exception) {
        self.failed.push(SectionError { section, name: name.to_owned(), exception });
    }

    /// Returns the parameters with hidden values replaced by `******`.
    pub fn shown_parameters(&self) -> Dict {
        let shown: Dict = self.parameters.read().clone().into_iter().collect();
        for name in &self.hidden {
            shown.set(Key::text(name), Value::text(HIDDEN_PLACEHOLDER));
        }
        shown
    }
}

/// Evaluates the template in a document. With `validate_only`, the template is checked
/// and only its parameters are resolved.
///
/// # Errors
/// Exceptions in Heat's words: one if a check fails, one for each resource that cannot be
/// resolved.
pub fn evaluate(
    document: Arc<Tree>,
    input: Input,
    context: Context,
    validate_only: bool,
) -> std::result::Result<Evaluated, Vec<Exception>> {
    let mut wrong = Vec::new();
    let context = Arc::new(context);
    // Values nest as deep as Python allows, which the default stack of a thread does not
    // hold.
    let done = context.clone().run(|| {
        let template = Template::new(document, context.limits.expansion);
        let given = template.variable_texts.clone();
        let evaluated = read(template, input, context).and_then(|stack| {
            stack.parameters.secrets.conceal(|| run(&stack, validate_only, &mut wrong))
        });
        let mut evaluated = evaluated.unwrap_or_else(|raised| {
            wrong.push(*raised);
            Evaluated::default()
        });
        // Masked last: texts of variables are collected while the template is read, also
        // by the step that fails.
        let failed = evaluated.failed.iter_mut().map(|failed| &mut failed.exception);
        wrong
            .iter_mut()
            .chain(failed)
            .for_each(|raised| hide_variable_texts(raised, &given));
        Ok(evaluated)
    });
    let evaluated = done.map_err(|raised| vec![*raised])?;
    if wrong.is_empty() { Ok(evaluated) } else { Err(wrong) }
}

fn read(template: Template, input: Input, context: Arc<Context>) -> Result<Stack> {
    template.validate_single().map_err(unread)?;
    template.validate_tags().map_err(unread)?;
    let version = section::version(&template)?;
    let parameters = Parameters::read(&template, version, &input)?;
    Ok(Stack::new(context, version, template, parameters, input))
}

/// Adds Heat's prefix for a text that is no template.
fn unread(mut raised: Box<Exception>) -> Box<Exception> {
    raised.message = format!("Error parsing template [root stack] {}", raised.message);
    raised
}

fn run(
    stack: &Stack,
    validate_only: bool,
    wrong: &mut Vec<Exception>,
) -> Result<Evaluated> {
    // The order of these checks is that of Heat's `Stack.validate()`: of several
    // mistakes, the first in this order is reported.
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
    stack.define_resources(definitions.visible_resources(stack)?);
    let needs = definitions.needs(stack)?;
    definitions.validate(stack)?;
    let outputs = section::read_outputs(stack)?;
    section::validate_outputs(stack, &outputs)?;
    let mut evaluated =
        Evaluated { disabled: definitions.disabled.to_vec(), ..<_>::default() };
    for (name, value, is_hidden) in stack.parameters.values()? {
        evaluated.parameters.set(Key::text(name), value);
        evaluated.hidden.extend(is_hidden.then(|| name.to_owned()));
    }
    evaluated.warnings = stack.warnings();
    if validate_only {
        return Ok(evaluated);
    }
    evaluated.resources = resources(stack, &definitions, &needs, wrong);
    for name in conditions.keys() {
        match stack.condition(&Value::text(&**name)) {
            Ok(holds) => evaluated.conditions.set(Key::text(name), Value::Bool(holds)),
            // A condition that fails also fails every condition that names it, with the
            // same exception. It is reported once.
            Err(raised) if evaluated.failed.iter().any(|f| f.exception == *raised) => {}
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
    let resources = Dict::default();
    let nothing = IndexSet::new();
    let mut budget = OutputBudget::of(stack);
    for (name, definition) in &definitions.enabled {
        // Dependencies are printed with the resource, so they are computed before.
        let needed = needs.get(&**name).unwrap_or(&nothing);
        let secrets = &stack.parameters.secrets;
        let resource = secrets.conceal(|| {
            budget.take(definition.resolve(stack, name, needed).placed(definition.span)?)
        });
        match resource {
            Ok(resource) => resources.set(Key::text(name), resource),
            Err(raised) => {
                let is_last = raised.class == Class::Limit;
                wrong.push(*raised);
                // Without budget every further resource would fail, too.
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
    outputs: &IndexMap<String, OutputDefinition>,
    evaluated: &mut Evaluated,
) {
    let mut budget = OutputBudget::of(stack);
    for (name, output) in outputs {
        let secrets = &stack.parameters.secrets;
        match secrets.conceal(|| budget.take(stack.resolve(&output.value)?)) {
            Ok(value) => evaluated.outputs.set(Key::text(name), value),
            Err(raised) => {
                evaluated.fail(Section::Output, name, *raised.placed(output.span));
            }
        }
    }
}

/// Number of characters that may still be printed. Values are shared in memory but
/// written out in full, so a small template can print without end.
struct OutputBudget {
    left: usize,
    limit: usize,
}

impl OutputBudget {
    fn of(stack: &Stack) -> OutputBudget {
        let limit = stack.context.limits.output;
        OutputBudget { left: limit, limit }
    }

    /// Subtracts the printed size of a value. Raises a limit exception if less is left.
    fn take(&mut self, value: Value) -> Result<Value> {
        let mut todo = vec![value.clone()];
        while let Some(value) = todo.pop() {
            // An explicit stack, because values nest deeper than this function could
            // recurse.
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
                Exception::new(Class::Limit, format!(
                    "what is to be printed has more than {limit} characters; `--limit \
                     output=N` allows more"
                ))
            })?;
        }
        Ok(value)
    }
}
