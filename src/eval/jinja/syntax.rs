//! The delimiters and the whitespace control of a template: Ansible's, or those of its
//! `#jinja2:` header. And the differences to the rules before Ansible 2.19.

use std::borrow::Cow;

use crate::eval::python::{Class, Exception, Result, Str, Value, literal, regex};

/// Delimiters and whitespace control.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Syntax {
    pub(super) block: Delimiters,
    pub(super) variable: Delimiters,
    pub(super) comment: Delimiters,
    pub(super) line_statement: Option<Cow<'static, str>>,
    pub(super) line_comment: Option<Cow<'static, str>>,
    pub(super) trim: bool,
    pub(super) lstrip: bool,
    pub(super) newline: Cow<'static, str>,
    pub(super) keep_newline: bool,
}

/// The opening and the closing delimiter.
type Delimiters = (Cow<'static, str>, Cow<'static, str>);

/// The beginning of a template with settings of its own.
pub(super) const HEADER: &str = "#jinja2:";

impl Default for Syntax {
    fn default() -> Syntax {
        Syntax {
            block: ("{%".into(), "%}".into()),
            variable: ("{{".into(), "}}".into()),
            comment: ("{#".into(), "#}".into()),
            line_statement: None,
            line_comment: None,
            trim: true,
            lstrip: false,
            newline: "\n".into(),
            keep_newline: false,
        }
    }
}

pub(super) fn is_marked(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut braces = memchr::memchr_iter(b'{', bytes);
    text.starts_with(HEADER)
        || braces.any(|at| matches!(bytes.get(at + 1), Some(b'{' | b'%' | b'#')))
}

/// The rules of a language. The older ones are those before Ansible 2.19, which Unfurl's
/// templates follow (`--python-literals`).
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateRules {
    pub(super) older: bool,
}

/// Filters whose results stay texts although they look like Python literals.
const TEXTS: [&str; 7] =
    ["json", "ppretty", "string", "to_json", "to_nice_json", "to_nice_yaml", "to_yaml"];

impl TemplateRules {
    /// Returns true if a text of a document is a template; in older rules Unfurl says so.
    pub(super) fn speaks(self, text: &Str) -> bool {
        !self.older && !text.is_quoted() && is_marked(text)
    }

    /// Returns true if the result of a filter stays a text.
    pub(super) fn keeps_text_of(self, filter: &str) -> bool {
        self.older && TEXTS.contains(&filter)
    }

    /// Checks delimiters. Ansible before 2.19 makes a regular expression of them, without
    /// escapes: with `<?` every template is an error.
    pub(super) fn check_delimiters(self, syntax: &Syntax) -> Result<()> {
        if !self.older || *syntax == (Syntax { trim: syntax.trim, ..Syntax::default() }) {
            return Ok(());
        }
        let Syntax { variable, block, .. } = syntax;
        let marks = format!("(?:{}|{}|{}|{})", variable.0, block.0, block.1, variable.1);
        regex::compile(&marks, regex::Flags::default()).map(drop)
    }
}

impl Syntax {
    /// Returns true if a text has a delimiter or a header, so that it is a template.
    pub(super) fn opens(&self, text: &str) -> bool {
        let starts = [&self.block.0, &self.variable.0, &self.comment.0];
        text.starts_with(HEADER) || starts.iter().any(|start| text.contains(&***start))
    }

    /// Reads the header, if there is one. Returns the template after it.
    pub(super) fn header<'t>(&mut self, source: &'t str) -> Result<&'t str> {
        let Some(rest) = source.strip_prefix(HEADER) else { return Ok(source) };
        let Some((line, template)) = rest.split_once('\n') else {
            return Err(wrong("the header line must be followed by a line break"));
        };
        let mut column = HEADER.len() + 1;
        for pair in split(line, ',') {
            self.pair(pair, column)?;
            column += pair.chars().count() + 1;
        }
        Ok(template)
    }

    /// Reads a setting of the header, which begins at a column.
    fn pair(&mut self, pair: &str, column: usize) -> Result<()> {
        let start = (column + spaces(pair)) as u32;
        let Some((key, value)) = pair.split_once(':') else {
            let wrong = wrong(&format!("'{}' is no 'name: value'", pair.trim()));
            return Err(wrong.at(1, start));
        };
        let literal = setting(value.trim()).map_err(|exception| {
            let exception = match value.trim() {
                "true" | "yes" | "on" => exception.hint("write True"),
                "false" | "no" | "off" => exception.hint("write False"),
                _ => exception,
            };
            let at = column + key.chars().count() + 1 + spaces(value);
            exception.at(1, at as u32)
        })?;
        self.set(key.trim(), &literal).map_err(|exception| exception.at(1, start))
    }

    pub(super) fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        let slot = match key {
            "block_start_string" => &mut self.block.0,
            "block_end_string" => &mut self.block.1,
            "variable_start_string" => &mut self.variable.0,
            "variable_end_string" => &mut self.variable.1,
            "comment_start_string" => &mut self.comment.0,
            "comment_end_string" => &mut self.comment.1,
            "newline_sequence" => &mut self.newline,
            "line_statement_prefix" => self.line_statement.insert("".into()),
            "line_comment_prefix" => self.line_comment.insert("".into()),
            "trim_blocks" => return flag(&mut self.trim, key, value),
            "lstrip_blocks" => return flag(&mut self.lstrip, key, value),
            "keep_trailing_newline" => return flag(&mut self.keep_newline, key, value),
            _ => return Err(wrong(&format!("there is no setting '{key}'"))),
        };
        match value {
            Value::Str(text) if !text.is_empty() => *slot = text.to_string().into(),
            _ => return Err(wrong(&format!("'{key}' must be a text"))),
        }
        if !["\n", "\r\n", "\r"].contains(&&*self.newline) {
            return Err(wrong(r"'newline_sequence' must be '\n', '\r\n' or '\r'"));
        }
        match [&self.block.0, &self.variable.0, &self.comment.0] {
            [a, b, c] if a == b || b == c || a == c => {
                Err(wrong("block, variable and comment start strings must differ"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the number of characters before the first that is no white space.
fn spaces(text: &str) -> usize {
    text.chars().take_while(|c| c.is_whitespace()).count()
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

/// Splits a text at separators outside of quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if open == c => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == separator => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Parses the value of a setting: a string, a bool or None.
fn setting(text: &str) -> Result<Value> {
    let mut quotes = ['\'', '"'].into_iter();
    match (text, quotes.find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))) {
        (_, Some(inner)) => Ok(Value::text(literal::unescape(inner)?)),
        ("True", _) => Ok(Value::Bool(true)),
        ("False", _) => Ok(Value::Bool(false)),
        ("None", _) => Ok(Value::None),
        _ => Err(Exception::new(Class::Syntax, format!("'{text}' is no Python literal"))),
    }
}
