//! Filters of regular expressions.

use super::parameter::{flag, number, string, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Exception, Result, Signature, Value, regex};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("regex_escape", "regex_escape", &["string"], &["re_type"], regex_escape),
    Plugin::new("regex_findall", "regex_findall", &["value", "regex"], &["multiline", "ignorecase"],
        regex_findall),
    Plugin::new("regex_replace", "regex_replace", &[],
        &["value", "pattern", "replacement", "ignorecase", "multiline", "count", "mandatory_count"], regex_replace),
    Plugin::signed("regex_search",
        Signature::new("regex_search", &["value", "regex"], &[]).rest().keyword_only(&["ignorecase", "multiline"]).keywords(), regex_search),
];

/// Reads the parameters `ignorecase` and `multiline`.
pub(crate) fn flags(
    ignorecase: Option<Value>,
    multiline: Option<Value>,
) -> Result<regex::Flags> {
    let ignorecase = flag(ignorecase, false)?;
    let multiline = flag(multiline, false)?;
    Ok(regex::Flags { ignorecase, multiline, ..regex::Flags::default() })
}

fn pattern(value: &Value) -> Result<&str> {
    string(value, "first argument must be string or compiled pattern,")
}

fn regex_replace(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [value, wanted, replacement, ignorecase, multiline, most, mandatory]) =
        arguments.split();
    let value = text(value, "")?;
    let wanted = wanted.unwrap_or_else(|| Value::text(""));
    let compiled = regex::compile(pattern(&wanted)?, flags(ignorecase, multiline)?)?;
    let replacement = replacement.unwrap_or_else(|| Value::text(""));
    let replacement = string(&replacement, "decoding to str: need a bytes-like object,")?;
    let most = number(most, 0)?;
    let mandatory = number(mandatory, 0)?;
    // A negative count replaces nothing, while 0 replaces all.
    let (replaced, count) = match usize::try_from(most) {
        Ok(most) => compiled.replace(replacement, &value, most)?,
        Err(_) => (value.clone(), 0),
    };
    if mandatory != 0 && mandatory != count as i64 {
        let wanted = pattern(&wanted)?;
        return value_error(format!(
            "'{wanted}' should match {mandatory} times, but matches {count} times in '{value}'"
        ));
    }
    Ok(Value::from(replaced))
}

fn regex_findall(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, wanted], [multiline, ignorecase]) = arguments.split();
    let compiled = regex::compile(pattern(&wanted)?, flags(ignorecase, multiline)?)?;
    compiled.find_all(&python::str(&value)?).map(Value::list)
}

enum GroupReference {
    Number(usize),
    Name(String),
}

/// Parses `\1` or `\g<name>`.
fn group(argument: &Value) -> Result<GroupReference> {
    let unknown = || {
        let hint =
            "`regex_search` takes groups behind its pattern: '\\\\1' or '\\\\g<name>'";
        Exception::of_value("Unknown argument").hint(hint)
    };
    let text = argument.as_str().ok_or_else(unknown)?;
    let name = text.strip_prefix("\\g<").and_then(|name| name.split_once('>'));
    if let Some((name, _)) = name.filter(|(name, _)| !name.is_empty()) {
        return Ok(GroupReference::Name(name.to_owned()));
    }
    let digits = text.strip_prefix('\\').ok_or_else(unknown)?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number = digits.get(..end).and_then(|digits| digits.parse().ok());
    number.map(GroupReference::Number).ok_or_else(unknown)
}

fn regex_search(_: &CallSite<'_>, mut arguments: Bound) -> Result<Value> {
    let groups = std::mem::take(&mut arguments.rest);
    let ([value, wanted], [ignorecase, multiline]) = arguments.split();
    let groups: Vec<GroupReference> = groups.iter().map(group).collect::<Result<_>>()?;
    let compiled = regex::compile(pattern(&wanted)?, flags(ignorecase, multiline)?)?;
    let value = python::str(&value)?;
    let Some(found) = compiled.search(&value)? else { return Ok(Value::None) };
    if groups.is_empty() {
        return Ok(found.group(0, &value).map_or(Value::None, Value::text));
    }
    let mut asked = Vec::new();
    for group in groups {
        let number = match group {
            GroupReference::Number(number) => Some(number),
            GroupReference::Name(name) => {
                name.parse().ok().or_else(|| compiled.number(&name))
            }
        };
        let Some(number) = number.filter(|number| *number <= compiled.groups()) else {
            return Err(Exception::new(python::Class::Index, "no such group"));
        };
        asked.push(found.group(number, &value).map_or(Value::None, Value::text));
    }
    Ok(Value::list(asked))
}

fn regex_escape(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [kind]) = arguments.split();
    let value = python::str(&value)?;
    match &*text(kind, "python")? {
        "python" => Ok(Value::from(regex::escape(&value))),
        "posix_basic" => {
            let mut out = String::new();
            for c in value.chars() {
                if matches!(c, ']' | '[' | '.' | '^' | '$' | '*' | '\\') {
                    out.push('\\');
                }
                out.push(c);
            }
            Ok(Value::from(out))
        }
        kind @ "posix_extended" => {
            value_error(format!("Regex type ({kind}) not yet implemented"))
        }
        kind => value_error(format!("Invalid regex type ({kind})")),
    }
}
