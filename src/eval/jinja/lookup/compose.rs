//! Lookups that compose values: of variables whose names match, and of lists that depend on
//! what was chosen from the lists before them.

use std::vec::IntoIter;

use indexmap::IndexMap;

use super::option::LookupOptions;
use crate::eval::jinja::filter::parameter::{given, members, type_error, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined};
use crate::eval::python::{
    self, Arguments, Class, Dict, Exception, Key, Result, Value, limit_members, regex,
};
use crate::eval::scope::Names;
use crate::eval::visit::VisitCounter;

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("community.general.dependent", dependent),
    Plugin::variadic("community.general.merge_variables", merge_variables),
];

/// `dependent`: all choices of one member of each term, where an expression gives the members
/// and sees as `item` what was chosen before.
fn dependent(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let levels = levels(&arguments.positional)?;
    let Some(first) = levels.first() else { return Ok(Value::list([])) };
    let walk = VisitCounter::new(&call.scope.context);
    // The reference never removes a choice: an expression sees the last ones of deeper levels.
    let item = Dict::default();
    let mut open = vec![first.choices(call, &item)?];
    let mut found = Vec::new();
    while let Some(choices) = open.last_mut() {
        let choice = choices.next();
        walk.visit(open.len())?;
        match (choice, levels.get(open.len() - 1)) {
            (Some(choice), Some(level)) => item.set(level.name.clone(), choice),
            _ => {
                open.pop();
                continue;
            }
        }
        match levels.get(open.len()) {
            Some(level) => open.push(level.choices(call, &item)?),
            None => found.push(Value::Dict(item.copied())),
        }
        limit_members(found.len())?;
    }
    Ok(Value::list(found))
}

/// A term of `dependent`.
struct ChoiceLevel {
    name: Key,
    /// A list, a mapping or an expression.
    source: Value,
}

/// Reads the terms, mappings of one entry each.
fn levels(terms: &[Value]) -> Result<Vec<ChoiceLevel>> {
    let mut levels = IndexMap::new();
    for (at, term) in terms.iter().enumerate() {
        let Value::Dict(term) = term else {
            return value_error(format!(
                "Parameter {at} must be a dictionary, got <class '{}'>",
                term.type_name()
            ));
        };
        let Ok([(name, source)]) = <[_; 1]>::try_from(term.entries()?) else {
            return value_error(format!(
                "Parameter {at} must be a one-element dictionary, got {} elements",
                term.len()
            ));
        };
        let shown = python::repr(name.value())?;
        if !is_sequence(&source) && !matches!(source, Value::Dict(_)) {
            return value_error(format!(
                "Parameter {shown} (index {at}) must have a value of type string, dictionary or \
                 list, got type <class '{}'>",
                source.type_name()
            ));
        }
        if levels.insert(name, source).is_some() {
            return value_error(format!("The variable {shown} appears more than once"));
        }
    }
    Ok(levels.into_iter().map(|(name, source)| ChoiceLevel { name, source }).collect())
}

/// Returns true for what Python calls a sequence: a string is one, too.
fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::Bytes(_) | Value::List(_) | Value::Tuple(_))
}

impl ChoiceLevel {
    fn choices(&self, call: &CallSite<'_>, item: &Dict) -> Result<IntoIter<Value>> {
        let values = match self.source.as_str() {
            Some(expression) => self.evaluated(call, expression, item)?,
            None => self.source.clone(),
        };
        let choices = match &values {
            Value::Dict(dict) => pairs(dict)?,
            values if is_sequence(values) => python::iterate(values)?,
            other => {
                return value_error(format!(
                    "Did not obtain dictionary or list while evaluating {} with item == {}, but \
                     <class '{}'>",
                    python::repr(self.name.value())?,
                    python::repr(&Value::Dict(item.clone()))?,
                    other.type_name()
                ));
            }
        };
        Ok(choices.into_iter())
    }

    /// Evaluates the expression of a term.
    fn evaluated(
        &self,
        call: &CallSite<'_>,
        expression: &str,
        item: &Dict,
    ) -> Result<Value> {
        let names = Dict::named([("item", Value::Dict(item.copied()))]);
        let scope = call.scope.within(names);
        let source = Value::from(format!("{{{{ {expression} }}}}"));
        let found = match scope.evaluate(&source).and_then(defined) {
            Ok(Value::Range(_)) => type_error(
                "Error rendering expression: Type 'range' is unsupported for variable storage.",
            ),
            found => found,
        };
        match found {
            Err(error)
                if !matches!(
                    error.class,
                    Class::Limit | Class::Recursion | Class::Denied
                ) =>
            {
                value_error(format!(
                    "Caught \"{}\" while evaluating {} with item == {}",
                    error.message,
                    python::repr(self.name.value())?,
                    python::repr(&Value::Dict(item.clone()))?
                ))
            }
            found => found,
        }
    }
}

/// Returns the entries of a mapping in the order of its keys, as `dict2items` writes them.
fn pairs(dict: &Dict) -> Result<Vec<Value>> {
    let entries = dict.entries()?.into_iter();
    let tuples = entries.map(|(key, value)| Value::tuple([key.into_value(), value]));
    let sorted = python::sort(tuples.collect(), false)?;
    let pair = |tuple: Value| {
        let both = members(&tuple)?.into_iter();
        let entry = ["key", "value"].into_iter().zip(both);
        Ok(Value::Dict(Dict::named(entry)))
    };
    sorted.into_iter().map(pair).collect()
}

/// `merge_variables`: one list or mapping of all variables whose names match a pattern.
fn merge_variables(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut options = LookupOptions::new(arguments.keywords);
    let initial = given(options.take("initial_value"));
    let groups = options.texts("groups", &[','])?;
    let merge = VariableMerge {
        call,
        walk: VisitCounter::new(&call.scope.context),
        pattern_type: choice(
            &mut options,
            "pattern_type",
            &["regex", "prefix", "suffix"],
        )?,
        overriding: choice(&mut options, "override", &["error", "warn", "ignore"])?,
    };
    let is_shared = initial.is_some();
    let mut result = match &initial {
        Some(initial) => Some(merge.start(MergedVariable::of(initial)?, "")?),
        None => None,
    };
    let mut results = Vec::new();
    for term in &arguments.positional {
        let Some(pattern) = term.as_str() else {
            return value_error(format!(
                "Non-string type '<class '{}'>' passed, only 'str' types are allowed!",
                term.type_name()
            ));
        };
        if groups.is_empty() {
            result = merge.add(result, pattern, &call.scope.names)?;
        } else {
            for names in hosts(call, &groups)? {
                result = merge.add(result, pattern, &names)?;
            }
        }
        // Each term adds to the initial value itself, so that its results are one value.
        if !is_shared {
            results.push(result.take().map_or(Value::None, MergedVariable::into_value));
        }
    }
    if let Some(shared) = result {
        let shared = shared.into_value();
        results.extend(arguments.positional.iter().map(|_| shared.clone()));
    }
    Ok(Value::list(results))
}

/// Takes an option that is one of some words; the first is the default.
fn choice(
    options: &mut LookupOptions,
    name: &str,
    words: &[&'static str],
) -> Result<&'static str> {
    let wanted = options.text(name, words.first().copied().unwrap_or_default())?;
    words.iter().copied().find(|word| *word == wanted).ok_or_else(|| {
        Exception::of_value(format!(
            "Invalid value {wanted:?} for configuration option '{name}', valid values are: {}",
            words.join(", ")
        ))
    })
}

/// Returns the variables of each host in one of some groups.
fn hosts(call: &CallSite<'_>, groups: &[String]) -> Result<Vec<Names>> {
    let Some(Value::Dict(hosts)) = call.scope.names.get("hostvars")? else {
        let message = "'hostvars' is undefined";
        return Err(Exception::new(Class::Undefined, message));
    };
    let mut found = Vec::new();
    for (_, host) in hosts.entries()? {
        let own = python::item(&host, &Value::from("group_names"))?;
        let own = python::iterate(&own)?;
        let own = own.iter().map(python::str).collect::<Result<Vec<_>>>()?;
        let is_wanted = groups.iter().any(|group| group == "all" || own.contains(group));
        if let (true, Value::Dict(names)) = (is_wanted, host) {
            found.push(Names::from(names));
        }
    }
    Ok(found)
}

/// The values merged so far.
enum MergedVariable {
    List(Vec<Value>),
    Dict(Dict),
}

impl MergedVariable {
    fn of(value: &Value) -> Result<MergedVariable> {
        match value {
            Value::List(_) => Ok(MergedVariable::List(members(value)?)),
            Value::Dict(dict) => {
                Ok(MergedVariable::Dict(dict.entries()?.into_iter().collect()))
            }
            _ => value_error(
                "Not supported type detected, variable must be a list or a dict",
            ),
        }
    }

    fn into_value(self) -> Value {
        match self {
            MergedVariable::List(items) => Value::list(items),
            MergedVariable::Dict(dict) => Value::Dict(dict),
        }
    }
}

/// A mapping that is merged into another one, as far as it is.
struct OpenMerge {
    entries: IntoIter<(Key, Value)>,
    target: Dict,
    path: String,
}

/// The options of `merge_variables`.
struct VariableMerge<'a> {
    call: &'a CallSite<'a>,
    walk: VisitCounter<'a>,
    pattern_type: &'static str,
    overriding: &'static str,
}

impl VariableMerge<'_> {
    /// Adds all variables whose names match, in the order of the names.
    fn add(
        &self,
        mut result: Option<MergedVariable>,
        pattern: &str,
        names: &Names,
    ) -> Result<Option<MergedVariable>> {
        let mut matching = self.matching(pattern, names.all())?;
        matching.sort_unstable();
        for name in matching {
            let Some(value) = names.get(&name)? else { continue };
            let value = MergedVariable::of(&defined(value)?)?;
            result = Some(match (result, value) {
                (None, value) => self.start(value, &name)?,
                (Some(MergedVariable::List(mut all)), MergedVariable::List(more)) => {
                    all.extend(more);
                    limit_members(all.len())?;
                    MergedVariable::List(all)
                }
                (Some(MergedVariable::Dict(merged)), MergedVariable::Dict(dict)) => {
                    self.merge(&dict, &merged, &name)?;
                    MergedVariable::Dict(merged)
                }
                _ => {
                    return value_error(
                        "Unable to merge, not all variables are of the same type",
                    );
                }
            });
        }
        Ok(result)
    }

    /// Returns the first value, with mappings that are not those of a variable.
    fn start(&self, value: MergedVariable, name: &str) -> Result<MergedVariable> {
        let MergedVariable::Dict(dict) = value else { return Ok(value) };
        let merged = Dict::default();
        self.merge(&dict, &merged, name)?;
        Ok(MergedVariable::Dict(merged))
    }

    fn matching(&self, pattern: &str, names: Vec<String>) -> Result<Vec<String>> {
        let mut names = names;
        match self.pattern_type {
            "prefix" => names.retain(|name| name.starts_with(pattern)),
            "suffix" => names.retain(|name| name.ends_with(pattern)),
            _ => {
                let pattern = regex::compile(pattern, regex::Flags::default())?;
                let mut found = Vec::new();
                for name in names {
                    if pattern.search(&name)?.is_some() {
                        found.push(name);
                    }
                }
                return Ok(found);
            }
        }
        Ok(names)
    }

    /// Merges the mapping of a variable into another one, which may have been empty.
    fn merge(&self, source: &Dict, target: &Dict, name: &str) -> Result<()> {
        let mut open = vec![OpenMerge {
            entries: source.entries()?.into_iter(),
            target: target.clone(),
            path: name.to_owned(),
        }];
        while let Some(level) = open.last_mut() {
            let entry = level.entries.next();
            let target = level.target.clone();
            let path = level.path.clone();
            self.walk.visit(open.len())?;
            let Some((key, value)) = entry else {
                open.pop();
                continue;
            };
            let old = target.get(&key)?;
            match (value, old) {
                (Value::Dict(inner), old) => {
                    let node = match old {
                        Some(Value::Dict(node)) => node,
                        Some(_) if inner.is_empty() => continue,
                        Some(other) => {
                            return Err(python::no_attribute(&other, "setdefault"));
                        }
                        None => Dict::default(),
                    };
                    target.set(key.clone(), Value::Dict(node.clone()));
                    open.push(OpenMerge {
                        entries: inner.entries()?.into_iter(),
                        target: node,
                        path: format!("{path}.{}", python::str(key.value())?),
                    });
                }
                (value @ Value::List(_), Some(old)) => {
                    target.set(key, python::add(&old, &value)?);
                }
                (value, old) => {
                    if let Some(old) = old
                        && !python::equal(&old, &value)?
                    {
                        self.overridden(&key, [&old, &value], &path)?;
                    }
                    target.set(key, value);
                }
            }
        }
        Ok(())
    }

    /// Tells that a value replaces another one, as an error or as a warning.
    fn overridden(&self, key: &Key, change: [&Value; 2], path: &str) -> Result<()> {
        if self.overriding == "ignore" {
            return Ok(());
        }
        let key = python::str(key.value())?;
        let [old, new] = change;
        let raised = Exception::of_value(format!(
            "The key '{key}' with value '{}' will be overwritten with value '{}' from \
             '{path}.{key}'",
            python::str(old)?,
            python::str(new)?
        ));
        if self.overriding == "error" {
            return Err(raised);
        }
        self.call.scope.context.warn(raised);
        Ok(())
    }
}
