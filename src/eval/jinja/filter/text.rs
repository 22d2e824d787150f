//! Filters of strings: case, padding, cutting, wrapping, comments.

use super::html::{is_markup, joined};
use super::parameter::{
    count, flag, given, method, number, soft, text, type_error, type_error_of,
    value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{
    self, Arguments, Bound, Exception, Operator, Result, Signature, Str, Value,
    limit_bytes, textwrap,
};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::of_value("capitalize", "do_capitalize", case),
    Plugin::new("center", "do_center", &["value"], &["width"], center),
    Plugin::signed("comment", Signature::new("comment", &["text"], &["style"]).keywords(), comment),
    Plugin::variadic("format", format),
    Plugin::new("indent", "do_indent", &["s"], &["width", "first", "blank"], indent),
    Plugin::of_value("lower", "do_lower", case),
    Plugin::new("replace", "do_replace", &["s", "old", "new"], &["count"], replace),
    Plugin::variadic("split", split),
    Plugin::of_value("string", "soft_str", string),
    Plugin::of_value("title", "do_title", title),
    Plugin::new("trim", "do_trim", &["value"], &["chars"], trim),
    Plugin::new("truncate", "do_truncate", &["s"], &["length", "killwords", "end", "leeway"], truncate),
    Plugin::of_value("upper", "do_upper", case),
    Plugin::of_value("wordcount", "do_wordcount", wordcount),
    Plugin::new("wordwrap", "do_wordwrap", &["s"],
        &["width", "break_long_words", "wrapstring", "break_on_hyphens"], wordwrap),
];

/// `capitalize`, `lower`, `upper`: calls the method of that name.
fn case(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    method(&soft(arguments.only())?, call.name, [])
}

fn title(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = python::str(&arguments.only())?;
    let mut out = String::new();
    // The separators of Jinja's regular expression `[-\s({\[<]+`.
    for part in value.split_inclusive(|c: char| {
        c.is_whitespace() || matches!(c, '-' | '(' | '{' | '[' | '<')
    }) {
        let mut rest = part.chars();
        if let Some(first) = rest.next() {
            out.extend(first.to_uppercase());
            out.push_str(&rest.as_str().to_lowercase());
        }
    }
    Ok(Value::from(out))
}

fn center(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [wide]) = arguments.split();
    // Checks the limit on the size of a result before the method fills the string.
    count(wide.clone(), 80)?;
    method(&soft(value)?, "center", [wide.unwrap_or(Value::Int(80))])
}

fn replace(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, old, new], [times]) = arguments.split();
    let times = given(times).unwrap_or(Value::Int(-1));
    if call.escapes {
        let parts = [soft(value)?, soft(old)?, soft(new)?];
        let [value, old, new] = if parts.iter().any(is_markup) {
            let [value, old, new] = parts;
            [joined(&[value], "")?, old, joined(&[new], "")?]
        } else {
            parts
        };
        return method(&value, "replace", [old, new, times]);
    }
    let value = Value::from(python::str(&value)?);
    let old = python::str(&old)?.into();
    let new = python::str(&new)?.into();
    method(&value, "replace", [old, new, times])
}

fn trim(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [characters]) = arguments.split();
    method(&soft(value)?, "strip", [characters.unwrap_or(Value::None)])
}

fn wordcount(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = python::str(&arguments.only())?;
    let words = value.split(|c: char| !c.is_alphanumeric() && c != '_');
    Ok(Value::Int(words.filter(|word| !word.is_empty()).count() as i64))
}

fn string(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    soft(arguments.only())
}

/// `'%s' | format(1)`
fn format(_: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        Signature::of_value("do_format").bind(arguments)?;
        return Ok(Value::None);
    }
    let value = soft(arguments.positional.remove(0))?;
    if !arguments.keywords.is_empty() && !arguments.positional.is_empty() {
        let message = "can't handle positional and keyword arguments at the same time";
        return value_error(message);
    }
    let filling = if arguments.keywords.is_empty() {
        Value::tuple(arguments.positional)
    } else {
        Value::Dict(python::Dict::named(arguments.keywords))
    };
    python::binary(Operator::Mod, &value, &filling)
}

fn indent(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [by, first, blank]) = arguments.split();
    let first = flag(first, false)?;
    let blank = flag(blank, false)?;
    let indent = match &by {
        Some(Value::Str(text)) => text.to_string(),
        _ => " ".repeat(count(by, 4)?),
    };
    let Value::Str(text) = &value else {
        // Jinja adds a newline to the value, which fails for any other type.
        return python::add(&value, &Value::text("\n"));
    };
    // Jinja appends a newline first: otherwise `splitlines` would drop an empty last line.
    let whole = python::add(&value, &Value::text("\n"))?;
    let lines = python::iterate(&method(&whole, "splitlines", [])?)?;
    limit_bytes(text.len().saturating_add(lines.len().saturating_mul(indent.len())))?;
    let mut out = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        let line = line.as_str().unwrap_or_default();
        out.push_str(if at == 0 { "" } else { "\n" });
        let indented = if at == 0 { first } else { blank || !line.is_empty() };
        out.push_str(if indented { &indent } else { "" });
        out.push_str(line);
    }
    Ok(Value::Str(Str::made(out, text.stamp())))
}

fn truncate(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [most, cut, end, leeway]) = arguments.split();
    // 255 and 5 are the defaults of Jinja.
    let most = number(most, 255)?;
    let leeway = number(given(leeway), 5)?;
    let end = end.unwrap_or_else(|| Value::text("..."));
    let tail = python::length(&end)? as i64;
    if most < tail {
        return value_error(format!("expected length >= {tail}, got {most}"));
    }
    if leeway < 0 {
        return value_error(format!("expected leeway >= 0, got {leeway}"));
    }
    if python::length(&value)? as i64 <= most.saturating_add(leeway) {
        return Ok(value);
    }
    let whole = super::parameter::string(&value, "expected str,")?;
    let kept: String = whole.chars().take((most - tail) as usize).collect();
    let kept = if flag(cut, false)? {
        &*kept
    } else {
        kept.rsplit_once(' ').map_or(&*kept, |(words, _)| words)
    };
    python::add(&Value::text(kept), &end)
}

/// `str.split(value, ...)`
fn split(_: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    // The filter is the unbound method `str.split`, with its messages.
    let missing = "unbound method str.split() needs an argument";
    if arguments.positional.is_empty() {
        return type_error(missing);
    }
    let value = arguments.positional.remove(0);
    if value.as_str().is_none() {
        let wrong = "descriptor 'split' for 'str' objects doesn't apply to a '{}' object";
        return type_error_of(&value, wrong);
    }
    python::call_method(&value, "split", arguments)
}

fn wordwrap(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [wide, long, between, hyphens]) = arguments.split();
    let how = textwrap::WrapOptions {
        width: number(wide, 79)?,
        break_words: flag(long, true)?,
        break_hyphens: flag(hyphens, true)?,
    };
    let between = text(given(between), "\n")?;
    let mut out = String::new();
    for (at, line) in
        python::iterate(&method(&value, "splitlines", [])?)?.iter().enumerate()
    {
        let lines = textwrap::wrap(line.as_str().unwrap_or_default(), how)?;
        limit_bytes(out.len().saturating_add(between.len().saturating_mul(lines.len())))?;
        out.push_str(if at == 0 { "" } else { &between });
        out.push_str(&lines.join(&between));
    }
    Ok(Value::from(out))
}

/// The styles of comments: the name, the beginning, the decoration of a line, the end.
const COMMENT_STYLES: [(&str, &str, &str, &str); 5] = [
    ("plain", "", "# ", ""),
    ("erlang", "", "% ", ""),
    ("c", "", "// ", ""),
    ("cblock", "/*", " * ", " */"),
    ("xml", "<!--", " - ", "-->"),
];

fn comment(_: &CallSite<'_>, mut arguments: Bound) -> Result<Value> {
    let style = text(arguments.get(1).cloned(), "plain")?;
    let (beginning, decoration, end) = comment_style(&style)?;
    // Ansible ignores unknown options.
    let keywords = std::mem::take(&mut arguments.keywords);
    let mut options = Arguments { positional: Vec::new(), keywords };
    let decoration = text(options.take("decoration"), decoration)?;
    // Ansible converts this count with `int()`, but not `postfix_count`.
    let times = options.take("prefix_count").as_ref().map(python::int).transpose()?;
    let newline = text(options.take("newline"), "\n")?;
    let beginning = text(options.take("beginning"), beginning)?;
    let prefix = text(options.take("prefix"), decoration.trim_end())?;
    let postfix = text(options.take("postfix"), decoration.trim_end())?;
    let end = text(options.take("end"), end)?;
    let prefixes = count(times, 1)?;
    let postfixes = count(options.take("postfix_count"), 1)?;
    let value = arguments.value(0);
    let Value::Str(body) = &value else {
        return Err(python::no_attribute(&value, "replace"));
    };
    let line = format!("{newline}{decoration}");
    limit_bytes(body.len().saturating_mul(line.len().max(1)))?;
    limit_bytes((prefix.len() + newline.len()).saturating_mul(prefixes))?;
    limit_bytes((postfix.len() + newline.len()).saturating_mul(postfixes))?;
    let mut out = String::new();
    if !beginning.is_empty() {
        out.extend([&*beginning, &newline]);
    }
    if !prefix.is_empty() {
        // A prefix that is the newline itself is written once, not doubled.
        let prefix = if prefix == newline { "" } else { &prefix };
        out.push_str(&format!("{prefix}{newline}").repeat(prefixes));
    }
    let text = format!("{decoration}{}", body.replace(&*newline, &line));
    let bare = format!("{}{newline}", decoration.trim_end());
    out.push_str(&text.replace(&format!("{decoration}{newline}"), &bare));
    out.push_str(&format!("{newline}{postfix}").repeat(postfixes));
    if !end.is_empty() {
        out.extend([&*newline, &end]);
    }
    Ok(Value::from(out))
}

fn comment_style(style: &str) -> Result<(&'static str, &'static str, &'static str)> {
    match COMMENT_STYLES.iter().find(|(name, ..)| *name == style) {
        Some((_, beginning, decoration, end)) => Ok((beginning, decoration, end)),
        None => {
            let all: Vec<&str> = COMMENT_STYLES.iter().map(|(name, ..)| *name).collect();
            let hint = format!("Available styles: {}", all.join(", "));
            Err(Exception::of_value(format!("Invalid style '{style}'.")).hint(hint))
        }
    }
}
