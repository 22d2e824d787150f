//! `configparser`: the text of an INI file comes in, its sections and options go out, with
//! `%(name)s` in values replaced.

use indexmap::IndexMap;

use super::{Class, Exception, Result, limit_bytes};

/// How a file is read.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Whether an option may have no value.
    pub allow_no_value: bool,
    /// Whether `%(name)s` stands for another option.
    pub interpolation: bool,
    /// Whether the names of options keep their case.
    pub case_sensitive: bool,
    /// Whether sections and options are there once at most.
    pub strict: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            allow_no_value: false,
            interpolation: true,
            case_sensitive: false,
            strict: true,
        }
    }
}

/// Options and their values, if they have one.
pub type Section = IndexMap<String, Option<String>>;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Config {
    rules: Rules,
    sections: IndexMap<String, Section>,
    defaults: Section,
}

/// The section whose options all sections have.
const DEFAULT: &str = "DEFAULT";

/// How deep `%(name)s` may lead.
const DEPTH: usize = 10;

/// Reads a file; `name` stands for it in messages.
///
/// # Errors
/// What is wrong with it, in Python's words.
pub fn read(text: &str, name: &str, rules: Rules) -> Result<Config> {
    let (sections, defaults) = (IndexMap::new(), Section::new());
    let mut reader = Reader {
        name,
        config: Config { rules, sections, defaults },
        section: None,
        option: None,
        value: None,
        indent: 0,
        seen: Vec::new(),
        wrong: Vec::new(),
    };
    for (at, line) in text.split_inclusive('\n').enumerate() {
        reader.line(at + 1, line)?;
    }
    reader.finish()
}

struct Reader<'a> {
    name: &'a str,
    config: Config,
    section: Option<String>,
    option: Option<String>,
    /// The lines of the value of the option.
    value: Option<Vec<String>>,
    indent: usize,
    /// The options of the file itself that were there, by section.
    seen: Vec<(String, String)>,
    wrong: Vec<(usize, String)>,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<()> {
        let value = line.trim();
        if value.is_empty() || value.starts_with(['#', ';']) {
            if value.is_empty()
                && let Some(lines) = &mut self.value
            {
                lines.push(String::new());
            }
            return Ok(());
        }
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        if self.option.is_some() && indent > self.indent {
            return match &mut self.value {
                Some(lines) => {
                    lines.push(value.to_owned());
                    Ok(())
                }
                None => Err(Exception::of_value(format!(
                    "Key without value continued with an indented line.\n\
                     file: '{}', line: {number}\n{}",
                    self.name,
                    crate::eval::python::repr(&line.into())?
                ))),
            };
        }
        self.indent = indent;
        match value.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
            Some((header, _)) if !header.is_empty() => self.begin(number, header),
            _ if self.section.is_none() => Err(Exception::of_value(format!(
                "File contains no section headers.\nfile: '{}', line: {number}\n{}",
                self.name,
                crate::eval::python::repr(&line.into())?
            ))),
            _ => self.entry(number, line, value),
        }
    }

    fn begin(&mut self, number: usize, header: &str) -> Result<()> {
        self.keep();
        let known = self.config.sections.contains_key(header);
        if known && self.config.rules.strict {
            return Err(Exception::of_value(format!(
                "While reading from '{}' [line {number:2}]: section '{header}' already \
                 exists",
                self.name
            )));
        }
        if !known && header != DEFAULT {
            self.config.sections.insert(header.to_owned(), Section::new());
        }
        self.section = Some(header.to_owned());
        Ok(())
    }

    fn entry(&mut self, number: usize, line: &str, text: &str) -> Result<()> {
        let (option, value) = match text.split_once(['=', ':']) {
            Some((option, value)) => (option.trim_end(), Some(value.trim())),
            None if self.config.rules.allow_no_value => (text, None),
            None => {
                self.wrong.push((number, line.to_owned()));
                return Ok(());
            }
        };
        if option.is_empty() {
            self.wrong.push((number, line.to_owned()));
        }
        self.keep();
        let option = self.config.option(option);
        let section = self.section.clone().unwrap_or_default();
        if self.config.rules.strict {
            let place = (section, option.clone());
            if let Err(at) = self.seen.binary_search(&place) {
                self.seen.insert(at, place);
            } else {
                return Err(Exception::of_value(format!(
                    "While reading from '{}' [line {number:2}]: option '{option}' in \
                     section '{}' already exists",
                    self.name, place.0
                )));
            }
        }
        self.option = Some(option);
        self.value = value.map(|value| vec![value.to_owned()]);
        Ok(())
    }

    /// Keeps the option that was read last.
    fn keep(&mut self) {
        let (Some(section), Some(option)) = (&self.section, self.option.take()) else {
            return;
        };
        let value = self.value.take();
        let value = value.map(|lines| lines.join("\n").trim_end().to_owned());
        match self.config.sections.get_mut(section) {
            Some(section) => section.insert(option, value),
            None => self.config.defaults.insert(option, value),
        };
    }

    fn finish(mut self) -> Result<Config> {
        self.keep();
        if self.wrong.is_empty() {
            return Ok(self.config);
        }
        let mut message = format!("Source contains parsing errors: '{}'", self.name);
        for (number, line) in &self.wrong {
            let line = crate::eval::python::repr(&line.as_str().into())?;
            message.push_str(&format!("\n\t[line {number:2}]: {line}"));
        }
        Err(Exception::of_value(message))
    }
}

impl Config {
    /// The names of the sections.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.keys().map(|name| &**name)
    }

    /// The value of an option; nothing within if it has none.
    ///
    /// # Errors
    /// There is no such section or option, or its value asks for one that is not there.
    pub fn get(&self, section: &str, option: &str) -> Result<Option<String>> {
        let option = self.option(option);
        match self.raw(section, &option)? {
            Some(Some(value)) if self.rules.interpolation => {
                self.interpolate(section, &option, value).map(Some)
            }
            Some(value) => Ok(value.clone()),
            None => Err(Exception::new(
                Class::Key,
                format!("No option '{option}' in section: '{section}'"),
            )),
        }
    }

    /// The options of a section, those of all sections among them.
    ///
    /// # Errors
    /// There is no such section, or a value asks for an option that is not there.
    pub fn items(&self, section: &str) -> Result<Vec<(String, Option<String>)>> {
        let own = self.own(section)?;
        let mut names: Vec<&String> = self.defaults.keys().collect();
        names.extend(own.keys().filter(|name| !self.defaults.contains_key(*name)));
        let item = |name: &String| Ok((name.clone(), self.get(section, name)?));
        names.into_iter().map(item).collect()
    }

    fn option(&self, name: &str) -> String {
        if self.rules.case_sensitive { name.to_owned() } else { name.to_lowercase() }
    }

    fn own(&self, section: &str) -> Result<&Section> {
        if section == DEFAULT {
            return Ok(&self.defaults);
        }
        self.sections
            .get(section)
            .ok_or_else(|| Exception::new(Class::Key, format!("No section: '{section}'")))
    }

    fn raw(&self, section: &str, option: &str) -> Result<Option<&Option<String>>> {
        let own = self.own(section)?;
        Ok(own.get(option).or_else(|| self.defaults.get(option)))
    }

    fn interpolate(&self, section: &str, option: &str, value: &str) -> Result<String> {
        let wrong = |what: String| Err(Exception::of_value(what));
        let (mut out, mut steps) = (String::new(), 0);
        let mut open = vec![value];
        while let Some(rest) = open.pop() {
            steps += 1;
            limit_bytes(out.len() + steps)?;
            let Some((before, after)) = rest.split_once('%') else {
                out.push_str(rest);
                continue;
            };
            out.push_str(before);
            if let Some(rest) = after.strip_prefix('%') {
                out.push('%');
                open.push(rest);
                continue;
            }
            let Some(inner) = after.strip_prefix('(') else {
                let found = crate::eval::python::repr(&rest[before.len()..].into())?;
                return wrong(format!(
                    "'%' must be followed by '%' or '(', found: {found}"
                ));
            };
            let Some((name, rest)) =
                inner.split_once(")s").filter(|(n, _)| !n.contains(')'))
            else {
                let found = crate::eval::python::repr(&rest[before.len()..].into())?;
                return wrong(format!("bad interpolation variable reference {found}"));
            };
            let name = self.option(name);
            let Some(Some(found)) = self.raw(section, &name)? else {
                return wrong(format!(
                    "Bad value substitution: option '{option}' in section '{section}' \
                     contains an interpolation key '{name}' which is not a valid option \
                     name. Raw value: {}",
                    crate::eval::python::repr(&value.into())?
                ));
            };
            open.push(rest);
            if open.len() > DEPTH {
                return wrong(format!(
                    "Recursion limit exceeded in value substitution: option '{option}' in \
                     section '{section}' contains an interpolation key which cannot be \
                     substituted in {DEPTH} steps. Raw value: {}",
                    crate::eval::python::repr(&value.into())?
                ));
            }
            open.push(found);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rules, read};
    use crate::eval::python::Result;

    #[test]
    fn reads() -> Result<()> {
        let text = "[DEFAULT]\nHome = /h\n[a]\n; c\nx: %(home)s/%%\n  more\n\n[b]\ny=\n";
        let config = read(text, "x", Rules::default())?;
        assert_eq!(config.sections().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(config.get("a", "X")?.as_deref(), Some("/h/%\nmore"));
        assert_eq!(config.items("b")?.len(), 2);
        assert!(config.get("c", "x").is_err() && config.get("a", "z").is_err());
        for text in ["a=1", "[a]\nx", "[a]\nx=1\nX=2", "[a]\n[a]"] {
            assert!(read(text, "x", Rules::default()).is_err(), "{text}");
        }
        let cycle = read("[a]\nx=%(x)s", "x", Rules::default())?;
        assert!(cycle.get("a", "x").is_err());
        Ok(())
    }
}
