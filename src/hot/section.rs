//! The sections of a template: version, allowed keys, parameter groups, conditions and
//! outputs.

use hashbrown::HashSet;
use indexmap::IndexMap;

use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::source::Span;

use super::exception::{Placed, invalid, joined};
use super::function;
use super::parameter::Parameters;
use super::parse;
use super::resource::KEYS;
use super::stack::{Conditions, IntrinsicCall, Stack, boolean};
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
#[rustfmt::skip]
const ENVIRONMENT: [&str; 4] =
    ["parameters", "parameter_defaults", "resource_registry", "parameter_merge_strategies"];

/// Keys that hold the version of a template, of which CloudFormation uses two.
const VERSIONS: [&str; 3] =
    ["heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion"];

/// Reads the version of the template format. Raises unless one known version is given.
pub(super) fn version(template: &Template) -> Result<Version> {
    let root = template.root();
    if root.entries().is_none() && !root.is_null() {
        let message = "The template is not a JSON object or YAML mapping.";
        return Err(Exception::of_value(message).placed(root.span()));
    }
    let known = VERSIONS.map(|key| root.get(key));
    if known.iter().all(Option::is_none) {
        let is_environment = ENVIRONMENT.iter().any(|key| root.get(key).is_some())
            && root.get("resources").is_none();
        let hint = if is_environment {
            "an environment is given with `-e`, after the template"
        } else {
            "a template begins with a line like `heat_template_version: 2018-08-31`"
        };
        let raised = Exception::of_value("Template format version not found.").hint(hint);
        return Err(raised.placed(root.span()));
    }
    let texts = known.iter().zip(VERSIONS).filter_map(|(node, key)| {
        matches!((*node)?.data(), Ok(Value::Str(_))).then_some(key)
    });
    let texts: Vec<&str> = texts.collect();
    if texts.len() > 1 {
        let message = format!(
            "The template version is invalid: Ambiguous versions ({})",
            texts.join(", ")
        );
        return Err(Exception::of_value(message).placed(root.span()));
    }
    let [version, other, amazon] = known;
    if let Some(other) = other.or(amazon).filter(|_| version.is_none()) {
        let message = "only HOT, with a `heat_template_version`, is evaluated here";
        return Err(Exception::new(Class::Unsupported, message).placed(other.span()));
    }
    let data = version.map_or(Ok(Value::None), |node| node.data())?;
    Version::read(&data).placed(version.and_then(|node| node.span()))
}

/// Checks the names of the sections and the keys of resources.
pub(super) fn validate(template: &Template, version: Version) -> Result<()> {
    let known = if version >= Version::Newton {
        &SECTIONS[..]
    } else {
        &SECTIONS[..SECTIONS.len() - 1]
    };
    for [key, _] in template.root().entries().unwrap_or_default() {
        let name = python::str(key.key()?.value())?;
        if !known.contains(&&*name) {
            let raised = key.wrong(format!("The template section is invalid: {name}"));
            return Err(raised.did_you_mean(known.iter().copied(), &name));
        }
    }
    let mut resources = Vec::new();
    for [key, value] in template.section("resources")? {
        resources.push((python::str(key.key()?.value())?, key, value));
    }
    // Heat sorts the resources for this check, so the first error is that of the first
    // name.
    resources.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    for check in [validate_resource, validate_type] {
        for (_, key, value) in &resources {
            check(*value).placed(key.span())?;
        }
    }
    Ok(())
}

const NO_TYPE: &str = "Each resource must contain a type key.";

fn validate_resource(node: TemplateNode) -> Result<()> {
    let Some(entries) = node.entries() else {
        let data = node.data()?;
        return Err(if python::truth(&data)? {
            invalid(format!(
                "\"resources\" must contain a map of resource maps. Found a [<class \
                     '{}'>] instead",
                data.type_name()
            ))
        } else {
            invalid(NO_TYPE)
        });
    };
    for [key, _] in &entries {
        let name = python::str(key.key()?.value())?;
        // Heat shares one list of keys between all versions and between resources and
        // outputs here, so `value` and newer keys pass. The reader of definitions refuses
        // newer keys later.
        let known = KEYS.map(|(known, _)| known);
        if name != "value" && !known.contains(&&*name) {
            let message =
                format!("\"{name}\" is not a valid keyword inside a resource definition");
            return Err(key.wrong(message).did_you_mean(known, &name));
        }
    }
    node.get("type").map(drop).ok_or_else(|| invalid(NO_TYPE))
}

fn validate_type(node: TemplateNode) -> Result<()> {
    if python::truth(&node.get_data("type")?)? {
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
    let Some(section) = template.root().get("parameter_groups") else { return Ok(()) };
    if !python::truth(&section.data()?)? {
        return Ok(());
    }
    let Some(groups) = section.sequence() else {
        let raised = invalid_group(None, "The parameter_groups should be a list.");
        return Err(raised.placed(section.span()));
    };
    let mut grouped = HashSet::new();
    groups.into_iter().try_for_each(|group| {
        validate_group(group, &mut grouped, parameters).placed(group.span())
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
    let Some(named) = members.sequence() else {
        let message = "The parameters of parameter group should be a list.";
        return Err(wrong(message).placed(members.span()));
    };
    for part in named {
        let member = part.data()?;
        let name = python::str(&member)?;
        if member.as_str().is_some_and(|name| !grouped.insert(name.to_owned())) {
            let message = format!(
                "The {name} parameter must be assigned to one parameter group only."
            );
            return Err(wrong(&message).placed(part.span()));
        }
        // Heat checks groups before the stack has its name.
        let given = member.as_str().filter(|name| *name != "OS::stack_name");
        if !given.is_some_and(|name| known.has(name)) {
            let message = format!(
                "The grouped parameter {name} does not reference a valid parameter."
            );
            let names = known.names().filter(|name| *name != "OS::stack_name");
            return Err(wrong(&message).did_you_mean(names, &name).placed(part.span()));
        }
    }
    Ok(())
}

fn invalid_group(label: Option<&str>, message: &str) -> Box<Exception> {
    let path: Vec<&str> = std::iter::once("parameter_groups").chain(label).collect();
    invalid(format!("Parameter Groups error: {}: {message}", joined(&path)))
}

pub(super) fn read_conditions(stack: &Stack) -> Result<Conditions> {
    let section = stack.template.root().get("conditions");
    let Some(section) = section.filter(|_| stack.version >= Version::Newton) else {
        return Ok(Conditions::default());
    };
    let Some(entries) = section.entries() else {
        return Err(section.wrong(format!(
            "Conditions validation error: Condition definitions must be a map. Found a \
             {} instead",
            section.data()?.type_name()
        )));
    };
    let mut conditions = Conditions::new();
    for [key, value] in entries {
        let name = key.name()?;
        let parsed = parse::condition(stack, value, &format!("conditions.{name}"))?;
        conditions.insert(name, (parsed, value.span()));
    }
    Ok(conditions)
}

/// Checks that every condition is a boolean or a call, and validates calls.
pub(super) fn validate_conditions(stack: &Stack, conditions: &Conditions) -> Result<()> {
    for (name, (definition, span)) in conditions {
        if IntrinsicCall::of(definition).is_none() {
            boolean(name, definition)
                .map_err(|raised| hint_function(raised, definition, stack))
                .placed(*span)?;
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
pub(super) struct OutputDefinition {
    pub(super) value: Value,
    pub(super) span: Option<Span>,
}

/// Parses the outputs of a template. The values of disabled outputs are not parsed.
pub(super) fn read_outputs(stack: &Stack) -> Result<IndexMap<String, OutputDefinition>> {
    let mut outputs = IndexMap::new();
    for [key, node] in stack.template.section("outputs")? {
        let name = key.name()?;
        let value = read_output(stack, &name, node).placed(key.span())?;
        outputs.insert(name, OutputDefinition { value, span: key.span() });
    }
    Ok(outputs)
}

fn read_output(stack: &Stack, name: &str, node: TemplateNode) -> Result<Value> {
    if node.entries().is_none() {
        let data = node.data()?;
        let kind = data.type_name();
        let message = format!("Output definitions must be a map. Found a {kind} instead");
        return Err(invalid_output(name, &message));
    }
    let Some(value) = node.get("value") else {
        let message = "Each output definition must contain a value key.";
        return Err(invalid_output(name, message));
    };
    let condition = node.get("condition");
    if let Some(condition) = condition.filter(|_| stack.version >= Version::Newton) {
        let path = format!("outputs.{name}.condition");
        let parsed = parse::condition(stack, condition, &path)?;
        if !stack.condition_at(&parsed, &path, condition)? {
            return Ok(Value::None);
        }
    }
    parse::value(stack, value, &format!("outputs.{name}.value"))
}

fn invalid_output(name: &str, message: &str) -> Box<Exception> {
    invalid(format!("Output validation error: outputs.{name}: {message}"))
}

pub(super) fn validate_outputs(
    stack: &Stack,
    outputs: &IndexMap<String, OutputDefinition>,
) -> Result<()> {
    outputs.iter().try_for_each(|(name, output)| {
        // A quirk of Heat: where the value is a list, the path has CloudFormation's name
        // of the key.
        let value = if let Value::List(_) = output.value { "Value" } else { "value" };
        stack.validate(&output.value, &["outputs", name, value]).placed(output.span)
    })
}
