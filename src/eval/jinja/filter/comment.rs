//! Texts → comments of a language.

use super::parameter::{count, text};
use crate::eval::jinja::CallSite;
use crate::eval::python::{self, Bound, Class, Exception, Result, Value, width};

/// How a comment is written: what comes before it, before each line, and after it.
const STYLES: [(&str, &str, &str, &str); 5] = [
    ("plain", "", "# ", ""),
    ("erlang", "", "% ", ""),
    ("c", "", "// ", ""),
    ("cblock", "/*", " * ", " */"),
    ("xml", "<!--", " - ", "-->"),
];

/// What a comment is made with.
struct Comment {
    newline: String,
    beginning: String,
    prefix: String,
    decoration: String,
    postfix: String,
    end: String,
    prefixes: usize,
    postfixes: usize,
}

pub(super) fn comment(_: &CallSite<'_>, mut arguments: Bound) -> Result<Value> {
    let style = text(arguments.get(1).cloned(), "plain")?;
    let (beginning, decoration, end) = known(&style)?;
    let mut option = |name: &str| arguments.take_keyword(name);
    let around = text(option("decoration"), decoration)?;
    let times = option("prefix_count").map(|times| python::int(&times)).transpose()?;
    let comment = Comment {
        newline: text(option("newline"), "\n")?,
        beginning: text(option("beginning"), beginning)?,
        prefix: text(option("prefix"), around.trim_end())?,
        postfix: text(option("postfix"), around.trim_end())?,
        end: text(option("end"), end)?,
        prefixes: count(times, 1)?,
        postfixes: count(option("postfix_count"), 1)?,
        decoration: around,
    };
    match &arguments.value(0) {
        Value::Str(body) => comment.of(body).map(Value::from),
        other => Err(Exception::new(
            Class::Attribute,
            format!("'{}' object has no attribute 'replace'", other.type_name()),
        )),
    }
}

fn known(style: &str) -> Result<(&'static str, &'static str, &'static str)> {
    match STYLES.iter().find(|(name, ..)| *name == style) {
        Some((_, beginning, decoration, end)) => Ok((beginning, decoration, end)),
        None => {
            let names: Vec<&str> = STYLES.iter().map(|(name, ..)| *name).collect();
            let hint = format!("Available styles: {}", names.join(", "));
            Err(Exception::of_value(format!("Invalid style '{style}'.")).hint(hint))
        }
    }
}

impl Comment {
    fn of(&self, body: &str) -> Result<String> {
        let Comment { newline, decoration, prefix, postfix, .. } = self;
        let line = format!("{newline}{decoration}");
        width(body.len().saturating_mul(line.len().max(1)))?;
        width((prefix.len() + newline.len()).saturating_mul(self.prefixes))?;
        width((postfix.len() + newline.len()).saturating_mul(self.postfixes))?;
        let mut out = String::new();
        if !self.beginning.is_empty() {
            out.extend([&*self.beginning, newline]);
        }
        if !prefix.is_empty() {
            let prefix = if prefix == newline { "" } else { prefix };
            out.push_str(&format!("{prefix}{newline}").repeat(self.prefixes));
        }
        let text = format!("{decoration}{}", body.replace(&**newline, &line));
        let bare = format!("{}{newline}", decoration.trim_end());
        out.push_str(&text.replace(&format!("{decoration}{newline}"), &bare));
        out.push_str(&format!("{newline}{postfix}").repeat(self.postfixes));
        if !self.end.is_empty() {
            out.extend([newline, &*self.end]);
        }
        Ok(out)
    }
}
