//! How a template is marked up: the settings of its header, or Ansible's own.

use crate::python::{Class, Exception, Result, Value};

use super::text;

/// The marks of a template and what is trimmed around them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Syntax {
    pub(super) block: (String, String),
    pub(super) variable: (String, String),
    pub(super) comment: (String, String),
    pub(super) line_statement: Option<String>,
    pub(super) line_comment: Option<String>,
    pub(super) trim: bool,
    pub(super) lstrip: bool,
    pub(super) newline: String,
    pub(super) keep_newline: bool,
}

/// What a template with settings of its own begins with.
pub(super) const HEADER: &str = "#jinja2:";

impl Default for Syntax {
    fn default() -> Syntax {
        let pair = |open: &str, close: &str| (open.to_owned(), close.to_owned());
        Syntax {
            block: pair("{%", "%}"),
            variable: pair("{{", "}}"),
            comment: pair("{#", "#}"),
            line_statement: None,
            line_comment: None,
            trim: true,
            lstrip: false,
            newline: "\n".into(),
            keep_newline: false,
        }
    }
}

impl Syntax {
    /// Whether a text may be a template.
    pub(super) fn marks(&self, text: &str) -> bool {
        text.starts_with(HEADER)
            || [&self.block.0, &self.variable.0, &self.comment.0]
                .into_iter()
                .any(|mark| text.contains(mark.as_str()))
    }

    /// Sets what the header asks for; what follows it is the template.
    pub(super) fn header<'t>(&mut self, source: &'t str) -> Result<&'t str> {
        let Some(rest) = source.strip_prefix(HEADER) else { return Ok(source) };
        let Some((line, template)) = rest.split_once('\n') else {
            return Err(wrong("the header line must be followed by a line break"));
        };
        for pair in text::split(line, ',') {
            let Some((key, value)) = pair.split_once(':') else {
                return Err(wrong(&format!("'{}' is no 'name: value'", pair.trim())));
            };
            self.set(key.trim(), &text::literal(value.trim())?)?;
        }
        Ok(template)
    }

    /// Sets one of the settings by its name.
    pub(super) fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        let slot = match key {
            "block_start_string" => &mut self.block.0,
            "block_end_string" => &mut self.block.1,
            "variable_start_string" => &mut self.variable.0,
            "variable_end_string" => &mut self.variable.1,
            "comment_start_string" => &mut self.comment.0,
            "comment_end_string" => &mut self.comment.1,
            "newline_sequence" => &mut self.newline,
            "line_statement_prefix" => self.line_statement.insert(String::new()),
            "line_comment_prefix" => self.line_comment.insert(String::new()),
            "trim_blocks" => return flag(&mut self.trim, key, value),
            "lstrip_blocks" => return flag(&mut self.lstrip, key, value),
            "keep_trailing_newline" => return flag(&mut self.keep_newline, key, value),
            _ => return Err(wrong(&format!("there is no setting '{key}'"))),
        };
        match value {
            Value::Str(text) if !text.is_empty() => *slot = text.to_string(),
            _ => return Err(wrong(&format!("'{key}' must be a text"))),
        }
        match [&self.block.0, &self.variable.0, &self.comment.0] {
            [a, b, c] if a == b || b == c || a == c => {
                Err(wrong("block, variable and comment start strings must differ"))
            }
            _ => Ok(()),
        }
    }
}

fn flag(slot: &mut bool, key: &str, value: &Value) -> Result<()> {
    match value {
        Value::Bool(on) => *slot = *on,
        _ => return Err(wrong(&format!("'{key}' must be True or False"))),
    }
    Ok(())
}

fn wrong(what: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, format!("Invalid Jinja override header: {what}."))
}
