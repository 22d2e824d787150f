//! What a template says before anything in it is parsed: its version, and whether its
//! sections are ones and hold what they have to.

use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::node::Node;

use super::exception::{at, invalid, meant};
use super::resource::KEYS;
use super::template::Template;
use super::version::Version;

/// The sections, those of the first version first. Nothing is called `__undefined__`, but
/// Heat does not mind.
const SECTIONS: [&str; 8] = [
    "heat_template_version",
    "description",
    "parameter_groups",
    "parameters",
    "resources",
    "outputs",
    "__undefined__",
    "conditions",
];

/// The keys by which a template tells what it is.
const VERSIONS: [&str; 3] =
    ["heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion"];

/// The version a template is written for.
pub(super) fn version(template: &Template) -> Result<Version> {
    let root = template.root;
    if template.entries(root).is_none() && !template.is_null(root) {
        let message = "The template is not a JSON object or YAML mapping.";
        return Err(at(Exception::of_value(message), template.span(root)));
    }
    let known = VERSIONS.map(|key| template.get(root, key));
    if known.iter().all(Option::is_none) {
        let hint = "it begins with a line like `heat_template_version: 2018-08-31`";
        let message = "Template format version not found.";
        return Err(Exception::of_value(message).hint(hint));
    }
    let texts = known.iter().zip(VERSIONS).filter_map(|(node, key)| {
        let value = template.data((*node)?);
        matches!(value, Ok(Value::Str(_))).then_some(key)
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

/// Checks the sections and the keys of resources.
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
            let raised = meant(raised, known.iter().copied(), &name);
            return Err(at(raised, template.span(key)));
        }
    }
    let mut resources = template.section("resources")?.unwrap_or_default();
    let mut names = Vec::with_capacity(resources.len());
    for (key, _) in &resources {
        names.push(python::str(template.key(*key)?.value())?);
    }
    let mut order: Vec<usize> = (0..resources.len()).collect();
    order.sort_by(|&a, &b| names[a].cmp(&names[b]));
    resources = order.into_iter().map(|at| resources[at]).collect();
    resources.iter().try_for_each(|(key, value)| {
        resource(template, *value).map_err(|raised| at(raised, template.span(*key)))
    })?;
    resources.iter().try_for_each(|(key, value)| {
        typed(template, *value).map_err(|raised| at(raised, template.span(*key)))
    })
}

fn resource(template: &Template, node: Node) -> Result<()> {
    let no_type = || invalid("", "Each resource must contain a type key.");
    let Some(entries) = template.entries(node) else {
        let data = template.data(node)?;
        return Err(if python::truth(&data)? {
            invalid(
                "",
                &format!(
                    "\"resources\" must contain a map of resource maps. Found a [<class \
                     '{}'>] instead",
                    data.type_name()
                ),
            )
        } else {
            no_type()
        });
    };
    for (key, _) in &entries {
        let name = python::str(template.key(*key)?.value())?;
        // Which version knows which is seen later; nothing is called `value`, but Heat does
        // not mind.
        let mut known = KEYS.iter().map(|(known, _)| *known);
        if name != "value" && !known.any(|known| known == name) {
            let message =
                format!("\"{name}\" is not a valid keyword inside a resource definition");
            let known = KEYS.iter().map(|(known, _)| *known);
            let raised = meant(invalid("", &message), known, &name);
            return Err(at(raised, template.span(*key)));
        }
    }
    match template.get(node, "type") {
        Some(_) => Ok(()),
        None => Err(no_type()),
    }
}

fn typed(template: &Template, node: Node) -> Result<()> {
    let kind = template.get(node, "type");
    let kind = kind.map_or(Ok(Value::None), |kind| template.data(kind))?;
    if python::truth(&kind)? {
        Ok(())
    } else {
        Err(invalid("", "Each Resource must contain a Type key."))
    }
}
