//! `from_xml` and `to_xml` as `xmltodict`: elements are mappings, attributes keys with `@`.

use crate::eval::jinja::filter::parameter::{
    count, flag, given, text, type_error, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{
    self, Bound, Dict, Exception, Key, Result, Value, limit_bytes,
};
use crate::eval::visit::VisitCounter;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("ansible.utils.from_xml", "from_xml", &["data"], &["engine"], from_xml),
    Plugin::new("ansible.utils.to_xml", "to_xml", &["data"],
        &["engine", "indent", "indent_width", "full_document"], to_xml),
];

fn wrong(plugin: &str, what: &str) -> Box<Exception> {
    Exception::of_value(format!("Error when using plugin '{plugin}': {what}"))
}

fn check(plugin: &str, engine: Option<Value>) -> Result<()> {
    match &*text(given(engine), "xmltodict")? {
        "xmltodict" => Ok(()),
        other => Err(wrong(plugin, &format!("engine: {other} is not supported "))),
    }
}

fn from_xml(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [engine]) = arguments.split();
    check("from_xml", engine)?;
    parse(&python::str(&data)?)
        .map_err(|what| wrong("from_xml", &format!("Input Xml is not valid ({what})")))
}

fn to_xml(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [engine, indent, width, whole]) = arguments.split();
    check("to_xml", engine)?;
    let indent = match &*text(given(indent), "tabs")? {
        "spaces" => " ".repeat(count(given(width), 4)?),
        _ => "\t".to_owned(),
    };
    let whole = flag(given(whole), true)?;
    let walk = VisitCounter::new(&call.scope.context);
    write(&data, &indent, whole, &walk).map(Value::from).map_err(|mut error| {
        error.message =
            wrong("to_xml", &format!("Input json is not valid ({})", error.message))
                .message;
        error
    })
}

type XmlResult<T> = std::result::Result<T, String>;

// Not `roxmltree`: it resolves namespaces and refuses a prefix without declaration, where
// expat as `xmltodict` uses it keeps `a:b` as a name.
fn parse(text: &str) -> XmlResult<Value> {
    let mut parser =
        XmlParser { rest: text.trim_start_matches('\u{feff}'), open: Vec::new() };
    let mut root = None;
    while !parser.rest.is_empty() {
        if let Some((name, value)) = parser.token()? {
            if root.is_some() {
                return Err("junk after document element".into());
            }
            root = Some(Value::Dict(Dict::from_iter([(Key::text(&name), value)])));
        } else if root.is_some() && !parser.open.is_empty() {
            return Err("junk after document element".into());
        }
    }
    match (root, parser.open.pop()) {
        (Some(root), None) => Ok(root),
        (_, Some(open)) => Err(format!("no closing tag of '{}'", open.name)),
        (None, None) => Err("no element found".into()),
    }
}

struct OpenElement {
    name: String,
    entries: Dict,
    text: String,
}

struct XmlParser<'a> {
    rest: &'a str,
    open: Vec<OpenElement>,
}

impl<'a> XmlParser<'a> {
    /// Parses the next token. Returns the outermost element when it ends.
    fn token(&mut self) -> XmlResult<Option<(String, Value)>> {
        let skipped = [("<?", "?>"), ("<!--", "-->")];
        if let Some((start, end)) = skipped.iter().find(|(s, _)| self.rest.starts_with(s))
        {
            self.skip(start.len())?;
            self.until(end)?;
        } else if self.rest.starts_with("<![CDATA[") {
            self.skip("<![CDATA[".len())?;
            let text = self.until("]]>")?;
            self.characters(text.to_owned())?;
        } else if self.rest.starts_with("<!") {
            if self.until(">")?.contains('[') {
                // xmltodict disables entities, too: nested ones take exponential memory.
                return Err("entities are disabled".into());
            }
        } else if self.rest.starts_with("</") {
            self.skip(2)?;
            let name = self.until(">")?.trim_end().to_owned();
            return self.end(&name);
        } else if self.rest.starts_with('<') {
            self.skip(1)?;
            return self.start();
        } else {
            let end = self.rest.find('<').unwrap_or(self.rest.len());
            let text = unescape(self.take(end)?)?;
            self.characters(text)?;
        }
        Ok(None)
    }

    fn take(&mut self, length: usize) -> XmlResult<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or("unclosed token")?;
        self.rest = rest;
        Ok(taken)
    }

    fn skip(&mut self, length: usize) -> XmlResult<()> {
        self.take(length).map(drop)
    }

    /// Consumes text up to and including a mark. Returns the text before it.
    fn until(&mut self, mark: &str) -> XmlResult<&'a str> {
        let at = self.rest.find(mark).ok_or_else(|| format!("'{mark}' is missing"))?;
        let before = self.take(at)?;
        self.skip(mark.len())?;
        Ok(before)
    }

    fn characters(&mut self, text: String) -> XmlResult<()> {
        match self.open.last_mut() {
            Some(open) => open.text += &text.replace("\r\n", "\n").replace('\r', "\n"),
            // Whitespace around the outermost element means nothing.
            None if text.trim().is_empty() => {}
            None => return Err("text outside of the element".into()),
        }
        Ok(())
    }

    fn name(&mut self) -> XmlResult<String> {
        let end = self.rest.find(|c: char| {
            !c.is_alphanumeric() && !matches!(c, '_' | ':' | '-' | '.' | '\u{b7}')
        });
        let name = self.take(end.unwrap_or(self.rest.len()))?;
        match name.chars().next() {
            Some(first) if first.is_alphabetic() || matches!(first, '_' | ':') => {
                Ok(name.to_owned())
            }
            _ => Err("not well-formed (invalid token)".into()),
        }
    }

    /// Parses a start tag. Returns the element if it is outermost and empty.
    fn start(&mut self) -> XmlResult<Option<(String, Value)>> {
        let name = self.name()?;
        let entries = Dict::default();
        self.open.push(OpenElement {
            name: name.clone(),
            entries: entries.clone(),
            text: String::new(),
        });
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                return self.end(&name);
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                return Ok(None);
            }
            if self.rest.len() == before {
                return Err("not well-formed (invalid token)".into());
            }
            let (attribute, value) = self.attribute()?;
            let key = Key::text(&format!("@{attribute}"));
            if entries.read().contains_key(&key) {
                return Err("duplicate attribute".into());
            }
            entries.set(key, Value::from(value));
        }
    }

    fn attribute(&mut self) -> XmlResult<(String, String)> {
        let name = self.name()?;
        self.rest = self.rest.trim_start();
        if !self.until("=")?.is_empty() {
            return Err("not well-formed (invalid token)".into());
        }
        self.rest = self.rest.trim_start();
        let quote = self.take(1).unwrap_or_default();
        if !matches!(quote, "\"" | "'") {
            return Err("not well-formed (invalid token)".into());
        }
        let value = self.until(quote)?;
        if value.contains('<') {
            return Err("not well-formed (invalid token)".into());
        }
        Ok((name, unescape(&value.replace(['\n', '\t', '\r'], " "))?))
    }

    /// Ends an element. Returns the outermost one.
    fn end(&mut self, name: &str) -> XmlResult<Option<(String, Value)>> {
        let open = self.open.pop().filter(|open| open.name == name);
        let open = open.ok_or("mismatched tag")?;
        let text = open.text.trim();
        let value = match (open.entries.is_empty(), text.is_empty()) {
            (true, true) => Value::None,
            (true, false) => Value::from(text),
            (false, true) => Value::Dict(open.entries),
            (false, false) => {
                open.entries.set(Key::text("#text"), Value::from(text));
                Value::Dict(open.entries)
            }
        };
        let Some(parent) = self.open.last() else { return Ok(Some((open.name, value))) };
        add_element(&parent.entries, &open.name, value);
        Ok(None)
    }
}

/// Adds an element to its parent. Several of one name become a list.
fn add_element(entries: &Dict, name: &str, value: Value) {
    let key = Key::text(name);
    let known = entries.read().get(&key).cloned();
    match known {
        None => entries.set(key, value),
        Some(Value::List(list)) => list.write().push(value),
        Some(one) => entries.set(key, Value::list([one, value])),
    }
}

fn unescape(text: &str) -> XmlResult<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (name, after) =
            after.split_once(';').ok_or("not well-formed (invalid token)")?;
        out += before;
        let code = name.strip_prefix('#').and_then(|code| match code.strip_prefix('x') {
            Some(code) => u32::from_str_radix(code, 16).ok(),
            None => code.parse().ok(),
        });
        out.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => code.and_then(char::from_u32).ok_or("undefined entity")?,
        });
        rest = after;
    }
    Ok(out + rest)
}

/// Writes a document or, without `whole`, a fragment.
fn write(
    value: &Value,
    indent: &str,
    whole: bool,
    walk: &VisitCounter<'_>,
) -> Result<String> {
    let Value::Dict(roots) = value else { return type_error("it is no mapping") };
    let mut out = String::new();
    if whole {
        out += "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
        if roots.len() != 1 {
            return value_error("Document must have exactly one root.");
        }
    }
    let mut todo = Vec::new();
    for (name, value) in roots.entries()?.into_iter().rev() {
        let elements = elements(&python::str(name.value())?, value)?;
        if whole && elements.len() > 1 {
            return value_error("document with multiple roots");
        }
        todo.extend(elements.into_iter().rev().map(|one| WriteTask::Open(0, one)));
    }
    while let Some(task) = todo.pop() {
        match task {
            WriteTask::Open(depth, element) => {
                open_element(&mut out, &mut todo, indent, depth, walk, element)?;
            }
            WriteTask::Close(depth, name) => {
                out += &indent.repeat(depth);
                out += &format!("</{name}>\n");
            }
        }
        limit_bytes(out.len())?;
    }
    // Elements are separated by line breaks, so there is none after the last.
    out.pop();
    Ok(out)
}

struct Element {
    name: String,
    value: Value,
}

enum WriteTask {
    Open(usize, Element),
    Close(usize, String),
}

/// Returns the elements of a key: one for each member of a list.
fn elements(name: &str, value: Value) -> Result<Vec<Element>> {
    let values = match &value {
        Value::List(_) | Value::Tuple(_) => python::iterate(&value)?,
        _ => vec![value],
    };
    Ok(values.into_iter().map(|value| Element { name: name.to_owned(), value }).collect())
}

fn open_element(
    out: &mut String,
    todo: &mut Vec<WriteTask>,
    indent: &str,
    depth: usize,
    walk: &VisitCounter<'_>,
    Element { name, value }: Element,
) -> Result<()> {
    walk.visit(depth)?;
    if name.is_empty() || name.contains(['<', '>', '&', '"', '\'', ' ', '/', '=']) {
        return value_error(format!("'{name}' cannot be the name of an element"));
    }
    limit_bytes(indent.len().saturating_mul(depth))?;
    *out += &indent.repeat(depth);
    *out += &format!("<{name}");
    let mut text = String::new();
    let mut children = Vec::new();
    match &value {
        Value::Dict(entries) => {
            for (key, value) in entries.entries()? {
                let key = python::str(key.value())?;
                if key == "#text" {
                    text = plain(&value)?;
                } else if let Some(attribute) = key.strip_prefix('@') {
                    *out += &format!(" {attribute}={}", quote(&plain(&value)?));
                } else {
                    children.extend(elements(&key, value)?);
                }
            }
        }
        other => text = plain(other)?,
    }
    *out += &format!(">{}", escape(&text));
    if children.is_empty() {
        *out += &format!("</{name}>\n");
        return Ok(());
    }
    out.push('\n');
    // A stack of tasks, not recursion: templates build values of any depth.
    todo.push(WriteTask::Close(depth, name));
    let children = children.into_iter().rev();
    todo.extend(children.map(|child| WriteTask::Open(depth + 1, child)));
    Ok(())
}

/// Returns a value as text, with booleans in lower case.
fn plain(value: &Value) -> Result<String> {
    match value {
        Value::None => Ok(String::new()),
        Value::Bool(holds) => Ok(holds.to_string()),
        other => python::str(other),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn quote(text: &str) -> String {
    let text = escape(text).replace('\n', "&#10;").replace('\r', "&#13;");
    let text = text.replace('\t', "&#9;");
    match (text.contains('"'), text.contains('\'')) {
        (true, false) => format!("'{text}'"),
        _ => format!("\"{}\"", text.replace('"', "&quot;")),
    }
}
