//! `template`: the names of files come in, what they are as templates goes out.

use super::option::term;
use super::{Options, each, file};
use crate::eval::Style;
use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{
    Arguments, Class, Dict, Exception, Key, Result, Str, Value, path,
};

/// How templates may be read differently.
const SETTINGS: &[&str] = &[
    "variable_start_string",
    "variable_end_string",
    "comment_start_string",
    "comment_end_string",
    "trim_blocks",
];

/// What files are as templates; each may have more variables.
pub(super) fn template(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, name, mut options| {
        let name = term(name)?;
        let text = file::read(call, "templates", name).map_err(|error| {
            if error.class != Class::Missing || file::outside(call, name).is_some() {
                return error;
            }
            let message =
                format!("the template file {name} could not be found for the lookup");
            Exception::new(Class::Missing, message)
        })?;
        if text.is_empty() {
            return Ok(Value::text(""));
        }
        let names = names(call, name, options.take("template_vars"))?;
        let scope = call.scope.within(names);
        let rendered = scope.render(&Str::from(text), &style(&mut options));
        rendered.map_err(|exception| exception.in_file(name))
    })
}

fn style(options: &mut Options) -> Style {
    let set = |name: &&str| Some((Key::text(name), options.take(name)?));
    let overrides: Dict = SETTINGS.iter().filter_map(set).collect();
    Style { overrides: (!overrides.is_empty()).then_some(overrides) }
}

/// What a template knows of itself, and what it is given.
fn names(call: &CallSite<'_>, name: &str, given: Option<Value>) -> Result<Dict> {
    let found = file::search(call, "templates", name);
    let whole = found.map_or_else(|| name.to_owned(), |path| path.display().to_string());
    let names: Dict = [
        ("template_path", name),
        ("template_fullpath", &whole),
        ("template_destpath", ""),
        ("ansible_managed", "Ansible managed"),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(key, value)| (Key::text(key), Value::text(path::normpath(value))))
    .collect();
    names.set(Key::text("ansible_managed"), Value::text("Ansible managed"));
    if let Some(Value::Dict(given)) = given {
        for (key, value) in given.entries()? {
            names.set(key, value);
        }
    }
    Ok(names)
}
