//! The sections of a template: version, allowed keys, parameter groups, conditions and
//! outputs.

use hashbrown::HashSet;
use indexmap::IndexMap;

use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::node::NodeId;
use crate::source::Span;

use super::exception::{at, invalid};
use super::function;
use super::parameter::Parameters;
use super::parse;
use super::path::joined;
use super::resource::KEYS;
use super::stack::{Conditions, FunctionCall, Stack, boolean};
use super::template::{Template, TemplateNode};
use super::version::Version;

/// Allowed sections. The last one needs Newton. `__undefined__` is accepted by accident:
/// Heat uses it as the name of a section that does not exist.
#[rustfmt::skip]
const SECTIONS: [&str; 8] = [
    "heat_template_version", "description", "parameter_groups", "parameters", "resources",
    "outputs", "__undefined__", "conditions",
];

/// Sections that an environment has.
const ENVIRONMENT: [&str; 4] = [
    "parameters",
    "parameter_defaults",
    "resource_registry",
    "parameter_merge_strategies",
];

/// Keys that hold the version of a template, of which CloudFormation uses two.
const VERSIONS: [&str; 3] =
    ["heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion"];

/// Reads the version of the template format. Raises unless one known version is given.
pub(super) fn version(template: &Template) -> Result<Version> {
    let root = template.root;
    if template.entries(root).is_none() && !template.is_null(root) {
        let message = "The template is not a JSON object or YAML mapping.";
        return Err(at(Exception::of_value(message), template.span(root)));
    }
    let known = VERSIONS.map(|key| template.get(root, key));
    if known.iter().all(Option::is_none) {
        let is_environment =
            ENVIRONMENT.iter().any(|key| template.get(root, key).is_some())
                && template.get(root, "resources").is_none();
        let hint = if is_environment {
            "an environment is given with `-e`, after the template"
        } else {
            "a template begins with a line like `heat_template_version: 2018-08-31`"
        };
        let raised = Exception::of_value("Template format version not found.").hint(hint);
        return Err(at(raised, template.span(root)));
    }
    let texts = known.iter().zip(VERSIONS).filter_map(|(node, key)| {
        matches!(template.data((*node)?), Ok(Value::Str(_))).then_some(key)
    });
    let texts: Vec<&str> = texts.collect();
    if texts.len() > 1 {
        let message = format!(
            "The template version is invalid: Ambiguous versions ({})",
            texts.join(", ")
        );
        return Err(at(Exception::of_value(message), template.span(root)));
    }
    let [version, other, amazon] = known;
    if let Some(other) = other.or(amazon).filter(|_| version.is_none()) {
        let message = "only HOT, with a `heat_template_version`, is evaluated here";
        let raised = Exception::new(Class::Unsupported, message);
        return Err(at(raised, template.span(other)));
    }
    let data = version.map_or(Ok(Value::None), |node| template.data(node))?;
    let read = Version::read(&data);
    read.map_err(|raised| at(raised, version.and_then(|node| template.span(node))))
}

/// Checks the names of the sections and the keys of resources.
pub(super) fn validate(template: &Template, version: Version) -> Result<()> {
    let known = if version >= Version::Newton {
        &SECTIONS[..]
    } else {
        &SECTIONS[..SECTIONS.len() - 1]
    };
    for (key, _) in template.entries(template.root).unwrap_or_default() {
        let name = python::str(template.key(key)?.value())?;
        if !known.contains(&&*name) {
            let message = format!("The template section is invalid: {name}");
            let raised = Exception::new(Class::Syntax, message);
            let raised = raised.did_you_mean(known.iter().copied(), &name);
            return Err(at(raised, template.span(key)));
        }
    }
    let mut resources = Vec::new();
    for (key, value) in template.section("resources")?.unwrap_or_default() {
        resources.push((python::str(template.key(key)?.value())?, key, value));
    }
    // Heat sorts the resources for this check, so the first error is that of the first
    // name.
    resources.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    for check in [validate_resource, validate_type] {
        for (_, key, value) in &resources {
            let checked = check(template, *value);
            checked.map_err(|raised| at(raised, template.span(*key)))?;
        }
    }
    Ok(())
}

fn validate_resource(template: &Template, node: NodeId) -> Result<()> {
    let no_type = || invalid("Each resource must contain a type key.");
    let Some(entries) = template.entries(node) else {
        let data = template.data(node)?;
        return Err(if python::truth(&data)? {
            invalid(&format!(
                "\"resources\" must contain a map of resource maps. Found a [<class \
                     '{}'>] instead",
                data.type_name()
            ))
        } else {
            no_type()
        });
    };
    for (key, _) in &entries {
        let name = python::str(template.key(*key)?.value())?;
        // Heat shares one list of keys between all versions and between resources and
        // outputs here, so `value` and newer keys pass. The reader of definitions refuses
        // newer keys later.
        let mut known = KEYS.iter().map(|(known, _)| *known);
        if name != "value" && !known.any(|known| known == name) {
            let message =
                format!("\"{name}\" is not a valid keyword inside a resource definition");
            let known = KEYS.iter().map(|(known, _)| *known);
            let raised = invalid(&message).did_you_mean(known, &name);
            return Err(at(raised, template.span(*key)));
        }
    }
    match template.get(node, "type") {
        Some(_) => Ok(()),
        None => Err(no_type()),
    }
}

fn validate_type(template: &Template, node: NodeId) -> Result<()> {
    let kind = template.get(node, "type");
    let kind = kind.map_or(Ok(Value::None), |kind| template.data(kind))?;
    if python::truth(&kind)? {
        Ok(())
    } else {
        Err(invalid("Each Resource must contain a Type key."))
    }
}

/// Checks that every grouped parameter exists and is grouped once.
pub(super) fn validate_groups(
    template: &Template,
    parameters: &Parameters,
) -> Result<()> {
    let Some(section) = template.get(template.root, "parameter_groups") else {
        return Ok(());
    };
    let section = TemplateNode::new(template, section);
    if !python::truth(&section.data()?)? {
        return Ok(());
    }
    let Some(groups) = section.items() else {
        let raised = invalid_group(None, "The parameter_groups should be a list.");
        return Err(at(raised, section.span()));
    };
    let mut grouped = HashSet::new();
    groups.into_iter().try_for_each(|group| {
        validate_group(group, &mut grouped, parameters)
            .map_err(|raised| at(raised, group.span()))
    })
}

fn validate_group(
    group: TemplateNode,
    grouped: &mut HashSet<String>,
    known: &Parameters,
) -> Result<()> {
    let data = group.data()?;
    if !matches!(data, Value::Dict(_)) {
        return Err(python::no_attribute(&data, "get"));
    }
    let label = group.get("label").map_or(Ok(String::new()), |label| {
        label.data().and_then(|label| python::str(&label))
    })?;
    let wrong = |message: &str| invalid_group(Some(&label), message);
    let members = group.get("parameters").filter(|members| !members.is_null());
    let Some(members) = members else {
        return Err(wrong("The parameters must be provided for each parameter group."));
    };
    let Some(named) = members.items() else {
        let message = "The parameters of parameter group should be a list.";
        return Err(at(wrong(message), members.span()));
    };
    for part in named {
        let member = part.data()?;
        let name = python::str(&member)?;
        if member.as_str().is_some_and(|name| !grouped.insert(name.to_owned())) {
            let message = format!(
                "The {name} parameter must be assigned to one parameter group only."
            );
            return Err(at(wrong(&message), part.span()));
        }
        // Heat checks groups before the stack has its name.
        let is_known = |name: &str| name != "OS::stack_name" && known.has(name);
        if !member.as_str().is_some_and(is_known) {
            let message = format!(
                "The grouped parameter {name} does not reference a valid parameter."
            );
            let names = known.names().filter(|name| *name != "OS::stack_name");
            return Err(at(wrong(&message).did_you_mean(names, &name), part.span()));
        }
    }
    Ok(())
}

fn invalid_group(label: Option<&str>, message: &str) -> Box<Exception> {
    let path: Vec<&str> = std::iter::once("parameter_groups").chain(label).collect();
    let message = format!("Parameter Groups error: {}: {message}", joined(&path));
    Exception::new(Class::Syntax, message)
}

pub(super) fn read_conditions(stack: &Stack) -> Result<Conditions> {
    let section = stack.template.get(stack.template.root, "conditions");
    let Some(section) = section.filter(|_| stack.version >= Version::Newton) else {
        return Ok(Conditions::default());
    };
    let Some(entries) = stack.template.entries(section) else {
        let kind = stack.template.data(section)?.type_name().to_owned();
        let message = format!(
            "Conditions validation error: Condition definitions must be a map. Found a \
             {kind} instead"
        );
        let raised = Exception::new(Class::Syntax, message);
        return Err(at(raised, stack.template.span(section)));
    };
    let mut definitions = IndexMap::new();
    for (key, value) in entries {
        let name = stack.template.name(key)?;
        let parsed = parse::condition(stack, value, &format!("conditions.{name}"))?;
        definitions.insert(name, (parsed, stack.template.span(value)));
    }
    Ok(Conditions::new(definitions))
}

/// Checks that every condition is a boolean or a call, and validates calls.
pub(super) fn validate_conditions(stack: &Stack, conditions: &Conditions) -> Result<()> {
    for (name, (definition, span)) in &conditions.definitions {
        if FunctionCall::of(definition).is_none() {
            boolean(name, definition)
                .map_err(|raised| at(hint_function(raised, definition, stack), *span))?;
        }
        stack.validate(definition, &[])?;
    }
    Ok(())
}

/// Adds a hint at the function that may have been meant, or at the version that has it.
fn hint_function(
    raised: Box<Exception>,
    definition: &Value,
    stack: &Stack,
) -> Box<Exception> {
    let Value::Dict(entries) = definition else { return raised };
    match entries.keys().first().and_then(Value::as_str).filter(|_| entries.len() == 1) {
        Some(name) => function::hint(raised, name, stack.version),
        None => raised,
    }
}

/// An output, parsed. The value of a disabled one is null.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) value: Value,
    pub(super) span: Option<Span>,
}

/// Parses the outputs of a template. The values of disabled outputs are not parsed.
pub(super) fn read_outputs(stack: &Stack) -> Result<IndexMap<String, Output>> {
    let mut outputs = IndexMap::new();
    for (key, node) in stack.template.section("outputs")?.unwrap_or_default() {
        let (name, span) = (stack.template.name(key)?, stack.template.span(key));
        let value = read_output(stack, &name, node).map_err(|raised| at(raised, span))?;
        outputs.insert(name, Output { value, span });
    }
    Ok(outputs)
}

fn read_output(stack: &Stack, name: &str, node: NodeId) -> Result<Value> {
    let template = &stack.template;
    let wrong = |message: &str| {
        invalid(&format!("Output validation error: outputs.{name}: {message}"))
    };
    if template.entries(node).is_none() {
        let data = template.data(node)?;
        let kind = data.type_name();
        let message = format!("Output definitions must be a map. Found a {kind} instead");
        return Err(wrong(&message));
    }
    let Some(value) = template.get(node, "value") else {
        return Err(wrong("Each output definition must contain a value key."));
    };
    let condition = template.get(node, "condition");
    if let Some(condition) = condition.filter(|_| stack.version >= Version::Newton) {
        let path = format!("outputs.{name}.condition");
        let parsed = parse::condition(stack, condition, &path)?;
        if !stack.condition_at(&parsed, &path, condition)? {
            return Ok(Value::None);
        }
    }
    parse::value(stack, value, &format!("outputs.{name}.value"))
}

pub(super) fn validate_outputs(
    stack: &Stack,
    outputs: &IndexMap<String, Output>,
) -> Result<()> {
    outputs.iter().try_for_each(|(name, output)| {
        // A quirk of Heat: where the value is a list, the path has CloudFormation's name
        // of the key.
        let value = if let Value::List(_) = output.value { "Value" } else { "value" };
        let valid = stack.validate(&output.value, &["outputs", name, value]);
        valid.map_err(|raised| at(raised, output.span))
    })
}
