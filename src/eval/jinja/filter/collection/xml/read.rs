//! The text of an XML document → the value that stands for it.

use crate::eval::python::{Dict, Key, Value};

type Result<T> = std::result::Result<T, String>;

/// Reads a document.
pub(super) fn read(text: &str) -> Result<Value> {
    let mut reader =
        Reader { rest: text.trim_start_matches('\u{feff}'), open: Vec::new() };
    let mut root = None;
    while !reader.rest.is_empty() {
        if let Some((name, value)) = reader.step()? {
            if root.is_some() {
                return Err("junk after document element".into());
            }
            root = Some(Value::Dict(Dict::from_iter([(Key::text(&name), value)])));
        } else if root.is_some() && !reader.open.is_empty() {
            return Err("junk after document element".into());
        }
    }
    match (root, reader.open.pop()) {
        (Some(root), None) => Ok(root),
        (_, Some(open)) => Err(format!("no closing tag of '{}'", open.name)),
        (None, None) => Err("no element found".into()),
    }
}

/// An element whose end is yet to come.
struct Open {
    name: String,
    entries: Dict,
    text: String,
}

struct Reader<'a> {
    rest: &'a str,
    open: Vec<Open>,
}

impl<'a> Reader<'a> {
    /// Reads the next piece; if it ends the outermost element, gives that.
    fn step(&mut self) -> Result<Option<(String, Value)>> {
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
            let declaration = self.until(">")?;
            if declaration.contains('[') {
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

    fn take(&mut self, length: usize) -> Result<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or("unclosed token")?;
        self.rest = rest;
        Ok(taken)
    }

    fn skip(&mut self, length: usize) -> Result<()> {
        self.take(length).map(drop)
    }

    /// What comes before a mark; both are passed.
    fn until(&mut self, mark: &str) -> Result<&'a str> {
        let at = self.rest.find(mark).ok_or_else(|| format!("'{mark}' is missing"))?;
        let before = self.take(at)?;
        self.skip(mark.len())?;
        Ok(before)
    }

    fn characters(&mut self, text: String) -> Result<()> {
        match self.open.last_mut() {
            Some(open) => open.text += &text.replace("\r\n", "\n").replace('\r', "\n"),
            None if text.trim().is_empty() => {}
            None => return Err("text outside of the element".into()),
        }
        Ok(())
    }

    fn name(&mut self) -> Result<String> {
        let inside = |c: char| {
            c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | '\u{b7}')
        };
        let end = self.rest.find(|c| !inside(c)).unwrap_or(self.rest.len());
        let name = self.take(end)?;
        match name.chars().next() {
            Some(first) if first.is_alphabetic() || matches!(first, '_' | ':') => {
                Ok(name.to_owned())
            }
            _ => Err("not well-formed (invalid token)".into()),
        }
    }

    /// A tag up to its end; one that ends itself is an element.
    fn start(&mut self) -> Result<Option<(String, Value)>> {
        let (name, entries) = (self.name()?, Dict::default());
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                self.open.push(Open { name: name.clone(), entries, text: String::new() });
                return self.end(&name);
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                self.open.push(Open { name, entries, text: String::new() });
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

    fn attribute(&mut self) -> Result<(String, String)> {
        let name = self.name()?;
        self.rest = self.rest.trim_start();
        self.until("=").and_then(|before| {
            if before.is_empty() {
                Ok(())
            } else {
                Err("not well-formed (invalid token)".into())
            }
        })?;
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

    /// Closes an element; the outermost one is given.
    fn end(&mut self, name: &str) -> Result<Option<(String, Value)>> {
        let open = self.open.pop().filter(|open| open.name == name);
        let open = open.ok_or("mismatched tag")?;
        // The outermost element is no different, but nothing holds it.
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
        push(&parent.entries, &open.name, value);
        Ok(None)
    }
}

/// Adds an element; several of one name become a list.
fn push(entries: &Dict, name: &str, value: Value) {
    let key = Key::text(name);
    let known = entries.read().get(&key).cloned();
    match known {
        None => entries.set(key, value),
        Some(Value::List(list)) => list.write().push(value),
        Some(one) => entries.set(key, Value::list([one, value])),
    }
}

fn unescape(text: &str) -> Result<String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('&') {
        let (name, after) =
            after.split_once(';').ok_or("not well-formed (invalid token)")?;
        out += before;
        let code = match name.strip_prefix('#') {
            Some(code) => match code.strip_prefix('x') {
                Some(code) => u32::from_str_radix(code, 16).ok(),
                None => code.parse().ok(),
            },
            None => None,
        };
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
