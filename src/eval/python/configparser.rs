//! `configparser`: reads INI files, and interpolates `%(name)s` in their values.

use indexmap::IndexMap;

use super::{Class, Exception, Result, limit_bytes, repr};

/// Settings of the parser, as the arguments of `ConfigParser`.
#[derive(Clone, Debug)]
pub struct ConfigRules {
    pub allow_no_value: bool,
    /// True if `%(name)s` is replaced by the value of that option.
    pub interpolation: bool,
    pub case_sensitive: bool,
}

impl Default for ConfigRules {
    fn default() -> ConfigRules {
        ConfigRules { allow_no_value: false, interpolation: true, case_sensitive: false }
    }
}

/// Options with their values, in the order written.
pub type ConfigSection = IndexMap<String, Option<String>>;

#[derive(Clone, Debug, Default)]
pub struct Config {
    rules: ConfigRules,
    sections: IndexMap<String, ConfigSection>,
    defaults: ConfigSection,
}

/// Name of the section whose options every section inherits.
const DEFAULT: &str = "DEFAULT";

const MAX_INTERPOLATION_DEPTH: usize = 10;

/// Reads a file; messages call it `name`. Raises a `configparser.Error` if malformed.
pub fn read(text: &str, name: &str, rules: ConfigRules) -> Result<Config> {
    let config = Config { rules, ..Config::default() };
    let mut parser = ConfigParser { name, config, ..ConfigParser::default() };
    for (at, line) in text.split_inclusive('\n').enumerate() {
        parser.line(at + 1, line)?;
    }
    parser.finish()
}

#[derive(Default)]
struct ConfigParser<'a> {
    name: &'a str,
    config: Config,
    section: Option<String>,
    option: Option<String>,
    /// The lines of the option's value, if it has one.
    value: Option<Vec<String>>,
    indent: usize,
    /// Lines that are no options. They are collected, because Python reports them all.
    faults: Vec<(usize, String)>,
}

impl ConfigParser<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<()> {
        let value = line.trim();
        if value.is_empty() || value.starts_with(['#', ';']) {
            if value.is_empty() {
                self.value.iter_mut().for_each(|lines| lines.push(String::new()));
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
                    repr(&line.into())?
                ))),
            };
        }
        self.indent = indent;
        match value.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
            Some((header, _)) if !header.is_empty() => self.begin(number, header),
            _ if self.section.is_none() => Err(Exception::of_value(format!(
                "File contains no section headers.\nfile: '{}', line: {number}\n{}",
                self.name,
                repr(&line.into())?
            ))),
            _ => self.entry(number, line, value),
        }
    }

    fn begin(&mut self, number: usize, header: &str) -> Result<()> {
        self.store();
        if self.config.sections.contains_key(header) {
            return Err(Exception::of_value(format!(
                "While reading from '{}' [line {number:2}]: section '{header}' already \
                 exists",
                self.name
            )));
        }
        if header != DEFAULT {
            self.config.sections.insert(header.to_owned(), ConfigSection::new());
        }
        self.section = Some(header.to_owned());
        Ok(())
    }

    fn entry(&mut self, number: usize, line: &str, text: &str) -> Result<()> {
        let (option, value) = match text.split_once(['=', ':']) {
            Some((option, value)) => (option.trim_end(), Some(value.trim())),
            None if self.config.rules.allow_no_value => (text, None),
            None => {
                self.faults.push((number, line.to_owned()));
                return Ok(());
            }
        };
        if option.is_empty() {
            self.faults.push((number, line.to_owned()));
        }
        self.store();
        let option = self.config.option(option);
        let section = self.section.as_deref().unwrap_or_default();
        if self.config.own(section)?.contains_key(&option) {
            return Err(Exception::of_value(format!(
                "While reading from '{}' [line {number:2}]: option '{option}' in section \
                 '{section}' already exists",
                self.name
            )));
        }
        self.option = Some(option);
        self.value = value.map(|value| vec![value.to_owned()]);
        Ok(())
    }

    /// Stores the option that was read last.
    fn store(&mut self) {
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
        self.store();
        if self.faults.is_empty() {
            return Ok(self.config);
        }
        let mut message = format!("Source contains parsing errors: '{}'", self.name);
        for (number, line) in &self.faults {
            let line = repr(&line.as_str().into())?;
            message.push_str(&format!("\n\t[line {number:2}]: {line}"));
        }
        Err(Exception::of_value(message))
    }
}

impl Config {
    /// Returns the names of the sections, without `DEFAULT`.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.keys().map(|name| &**name)
    }

    /// Returns the value of an option. Raises a `KeyError` if there is no such option.
    pub fn get(&self, section: &str, option: &str) -> Result<Option<String>> {
        let option = self.option(option);
        match self.raw(section, &option)? {
            Some(Some(value)) if self.rules.interpolation => {
                self.interpolate(section, &option, value).map(Some)
            }
            Some(value) => Ok(value.clone()),
            None => {
                let message = format!("No option '{option}' in section: '{section}'");
                Err(Exception::new(Class::Key, message))
            }
        }
    }

    /// Returns the options of a section; the inherited ones come first.
    pub fn items(&self, section: &str) -> Result<Vec<(String, Option<String>)>> {
        let own = self.own(section)?;
        let mut names: Vec<&String> = self.defaults.keys().collect();
        names.extend(own.keys().filter(|name| !self.defaults.contains_key(*name)));
        names
            .into_iter()
            .map(|name| Ok((name.clone(), self.get(section, name)?)))
            .collect()
    }

    fn option(&self, name: &str) -> String {
        if self.rules.case_sensitive { name.to_owned() } else { name.to_lowercase() }
    }

    fn own(&self, section: &str) -> Result<&ConfigSection> {
        if section == DEFAULT {
            return Ok(&self.defaults);
        }
        self.sections
            .get(section)
            .ok_or_else(|| Exception::new(Class::Key, format!("No section: '{section}'")))
    }

    fn raw(&self, section: &str, option: &str) -> Result<Option<&Option<String>>> {
        Ok(self.own(section)?.get(option).or_else(|| self.defaults.get(option)))
    }

    fn interpolate(&self, section: &str, option: &str, value: &str) -> Result<String> {
        let mut out = String::new();
        let mut steps = 0;
        // The rest of each value whose interpolation led to the next.
        let mut open = vec![value];
        while let Some(rest) = open.pop() {
            steps += 1;
            // Options that refer to two others each double the work at every level: steps
            // count even if the result stays empty.
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
                let found = repr(&rest[before.len()..].into())?;
                return Err(Exception::of_value(format!(
                    "'%' must be followed by '%' or '(', found: {found}"
                )));
            };
            let Some((name, rest)) =
                inner.split_once(")s").filter(|(n, _)| !n.contains(')'))
            else {
                let found = repr(&rest[before.len()..].into())?;
                let what = format!("bad interpolation variable reference {found}");
                return Err(Exception::of_value(what));
            };
            let name = self.option(name);
            let Some(Some(found)) = self.raw(section, &name)? else {
                return Err(Exception::of_value(format!(
                    "Bad value substitution: option '{option}' in section '{section}' \
                     contains an interpolation key '{name}' which is not a valid option \
                     name. Raw value: {}",
                    repr(&value.into())?
                )));
            };
            open.push(rest);
            if open.len() > MAX_INTERPOLATION_DEPTH {
                return Err(Exception::of_value(format!(
                    "Recursion limit exceeded in value substitution: option '{option}' in \
                     section '{section}' contains an interpolation key which cannot be \
                     substituted in {MAX_INTERPOLATION_DEPTH} steps. Raw value: {}",
                    repr(&value.into())?
                )));
            }
            open.push(found);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{ConfigRules, read};
    use crate::eval::python::Result;

    #[test]
    fn reads() -> Result<()> {
        let text = "[DEFAULT]\nHome = /h\n[a]\n; c\nx: %(home)s/%%\n  more\n\n[b]\ny=\n";
        let config = read(text, "x", ConfigRules::default())?;
        assert_eq!(config.sections().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(config.get("a", "X")?.as_deref(), Some("/h/%\nmore"));
        assert_eq!(config.items("b")?.len(), 2);
        assert!(config.get("c", "x").is_err() && config.get("a", "z").is_err());
        for text in ["a=1", "[a]\nx", "[a]\nx=1\nX=2", "[a]\n[a]"] {
            assert!(read(text, "x", ConfigRules::default()).is_err(), "{text}");
        }
        let cycle = read("[a]\nx=%(x)s", "x", ConfigRules::default())?;
        assert!(cycle.get("a", "x").is_err());
        Ok(())
    }
}
