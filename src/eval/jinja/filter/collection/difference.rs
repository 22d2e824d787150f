//! Filters that compare or consolidate several values.

use crate::diff::unified;
use crate::eval::jinja::filter::order::{has, retain};
use crate::eval::jinja::filter::parameter::{
    documented_flag, given, members, string, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::json::{self, JsonStyle, KeyOrder};
use crate::eval::python::regex::{self, Flags, Pattern};
use crate::eval::python::{self, Bound, Class, Dict, Exception, Key, Result, Value};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("ansible.utils.consolidate", "consolidate", &["data_sources"],
        &["fail_missing_match_key", "fail_missing_match_value", "fail_duplicate"], consolidate),
    Plugin::new("ansible.utils.fact_diff", "fact_diff", &["before", "after"], &["plugin", "common"],
        fact_diff),
    Plugin::new("ansible.utils.param_list_compare", "param_list_compare", &["base", "target"], &[],
        param_list_compare),
];

fn fact_diff(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([before, after], [plugin, common]) = arguments.split();
    let skipped = skip_patterns(given(plugin))?;
    let before = lines(before, &skipped)?;
    let after = lines(after, &skipped)?;
    // The context is the whole text: the filter shows what stayed, too.
    let radius = before.lines().count().max(after.lines().count());
    // The filter has no hint. Each line of the texts stands behind a sign.
    let mut text = unified(["before", "after"], &before, &after, radius)
        .replace("\n\\ No newline at end of file\n", "\n");
    if documented_flag(common, "common", false)? {
        let same = text.split_inclusive('\n').filter(|row| !row.starts_with(['+', '-']));
        text = same.collect();
    }
    let lines = text.lines().map(Value::from);
    let end = (before != after).then(|| Value::from(""));
    python::str(&Value::list(lines.chain(end))).map(Value::from)
}

fn skip_patterns(plugin: Option<Value>) -> Result<Vec<std::sync::Arc<Pattern>>> {
    let Some(Value::Dict(plugin)) = plugin else { return Ok(Vec::new()) };
    match plugin.get_text("name")? {
        Some(name) if name.as_str() != Some("ansible.utils.native") => {
            let name = python::str(&name)?;
            let message = format!("unsupported plugin of fact_diff: {name}");
            return Err(Exception::new(Class::Unsupported, message));
        }
        _ => {}
    }
    let Some(Value::Dict(vars)) = plugin.get_text("vars")? else { return Ok(Vec::new()) };
    let Some(skip @ Value::List(_)) = vars.get_text("skip_lines")? else {
        return Ok(Vec::new());
    };
    let patterns = members(&skip)?.into_iter().map(|line| {
        regex::compile(string(&line, "a pattern is a string,")?, Flags::default())
    });
    patterns.collect()
}

fn lines(value: Value, skipped: &[std::sync::Arc<Pattern>]) -> Result<String> {
    let lines = match &value {
        Value::None => return Ok(String::new()),
        Value::Str(text) if skipped.is_empty() => return Ok(with_final_newline(text)),
        Value::Str(text) => text.lines().map(str::to_owned).collect(),
        Value::List(_) | Value::Tuple(_) => {
            members(&value)?.iter().map(python::str).collect::<Result<Vec<_>>>()?
        }
        other => {
            let style = JsonStyle {
                indent: Some("    ".into()),
                sort: KeyOrder::Keys,
                separators: Some((",".into(), ": ".into())),
                ..JsonStyle::default()
            };
            return Ok(json::dump(other, &style)? + "\n");
        }
    };
    let mut kept = String::new();
    for line in lines {
        let mut left_out = false;
        for pattern in skipped {
            left_out |= pattern.match_start(&line)?.is_some();
        }
        if !left_out {
            kept += &line;
            kept.push('\n');
        }
    }
    Ok(kept)
}

/// Ends the last line of a text, with the note that `diff` writes for one without end.
fn with_final_newline(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') {
        return text.to_owned();
    }
    format!("{text}\n\\ No newline at end of file\n")
}

fn param_list_compare(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([base, target], []) = arguments.split();
    let base = members(&base)?;
    let mut all = false;
    let mut less = Vec::new();
    let mut more = Vec::new();
    let mut unknown = Vec::new();
    for target in members(&target)? {
        let name =
            target.as_str().ok_or_else(|| python::no_attribute(&target, "startswith"))?;
        match name.strip_prefix('!') {
            Some(name) => less.push(Value::from(name)),
            None if name == "all" => all = true,
            None if has(call, &base, &target)? => more.push(target),
            None => unknown.push(target),
        }
    }
    let mut wanted = if all { retain(call, base, &less, false)? } else { Vec::new() };
    for name in more {
        if !has(call, &wanted, &name)? {
            wanted.push(name);
        }
    }
    Ok(Value::Dict(Dict::named([
        ("actionable", Value::list(python::sort(wanted, false)?)),
        ("unsupported", Value::list(unknown)),
    ])))
}

/// Joins the members of several sources by the values of their match keys.
fn consolidate(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([sources], [key, value, duplicate]) = arguments.split();
    let fail_key = documented_flag(key, "fail_missing_match_key", true)?;
    let fail_value = documented_flag(value, "fail_missing_match_value", true)?;
    let fail_duplicate = documented_flag(duplicate, "fail_duplicate", true)?;
    let sources = members(&sources)?.iter().map(source).collect::<Result<Vec<_>>>()?;
    let mut all = Dict::default();
    let mut wrong = Vec::new();
    for (at, source) in (1..).zip(&sources) {
        if fail_key && let Some(entry) = source.without {
            wrong.push(format!(
                "missing match key in data source {at} in list entry {entry}"
            ));
        }
        if fail_duplicate && source.twice {
            wrong.push(format!("duplicate values in data source {at}"));
        }
        for key in source.data.keys() {
            all.set(Key::new(key)?, Value::None);
        }
    }
    // The keys of all sources in order, whichever source they came from.
    let keys = python::sort(all.keys(), false)?;
    all = Dict::default();
    for key in keys {
        let key = Key::new(key)?;
        let row = Dict::default();
        for (at, source) in (1..).zip(&sources) {
            let found = source.data.get(&key)?;
            if fail_value && found.is_none() {
                let key = python::str(key.value())?;
                wrong.push(format!("missing match value {key} in data source {at}"));
            }
            let found = found.unwrap_or_else(|| Value::Dict(Dict::default()));
            row.set(source.name.clone(), found);
        }
        all.set(key, Value::Dict(row));
    }
    if wrong.is_empty() {
        return Ok(Value::Dict(all));
    }
    value_error(format!("Error when using plugin 'consolidate': {}", wrong.join(", ")))
}

struct DataSource {
    name: Key,
    data: Dict,
    /// The first member without the match key, from 1.
    without: Option<usize>,
    /// True if two members have the same value of the match key.
    twice: bool,
}

fn source(source: &Value) -> Result<DataSource> {
    let key = Key::new(python::item(source, &Value::from("match_key"))?)?;
    let name = Key::new(python::item(source, &Value::from("name"))?)?;
    let mut found =
        DataSource { name, data: Dict::default(), without: None, twice: false };
    let data = python::item(source, &Value::from("data"))?;
    for (at, member) in (1..).zip(members(&data)?) {
        let value = if let Value::Dict(dict) = &member { dict.get(&key)? } else { None };
        match value.map(Key::new).transpose()? {
            None => found.without = found.without.or(Some(at)),
            Some(value) => {
                found.twice |= found.data.get(&value)?.is_some();
                found.data.set(value, member);
            }
        }
    }
    Ok(found)
}
