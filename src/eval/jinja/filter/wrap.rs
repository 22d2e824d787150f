//! Texts → the same in lines that are not too long.

use super::parameter::{flag, given, index, method, text};
use crate::eval::jinja::CallSite;
use crate::eval::python::{self, Bound, Result, Value, textwrap, width};

pub(super) fn wordwrap(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [wide, long, between, hyphens]) = arguments.split();
    let how = textwrap::Wrap {
        width: wide.map_or(Ok(79), |wide| index(&wide))?,
        break_words: flag(long, true)?,
        break_hyphens: flag(hyphens, true)?,
        expand_tabs: false,
        replace_blanks: false,
        ..textwrap::Wrap::default()
    };
    let between = text(given(between), "\n")?;
    let mut out = String::new();
    for (at, line) in
        python::iterate(&method(&value, "splitlines", [])?)?.iter().enumerate()
    {
        let lines = textwrap::wrap(line.as_str().unwrap_or_default(), &how)?;
        width(out.len().saturating_add(between.len().saturating_mul(lines.len())))?;
        out.push_str(if at == 0 { "" } else { &between });
        out.push_str(&lines.join(&between));
    }
    Ok(Value::from(out))
}
