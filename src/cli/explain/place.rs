//! The places at which the causes of events are written, as people and scripts read them.

use std::fmt;

use interpolate::unstable::history::{By, DocumentHistory, HistoryEvent};
use interpolate::unstable::source::{Sources, Span};
use interpolate::unstable::variables::Bindings;

use super::super::main_options::MainOptions;

/// A history, and what is needed to name the places of its events.
pub struct ExplainContext<'a> {
    pub options: &'a MainOptions,
    pub history: &'a DocumentHistory,
    pub given: &'a Bindings,
    pub sources: &'a Sources,
}

/// A file or an argument of the command line, and the place in it.
pub struct NamedPlace {
    pub file: String,
    /// The line and the column; both begin at 1.
    position: Option<(usize, usize)>,
    /// The text of an argument that is an op.
    argument: Option<String>,
}

impl NamedPlace {
    /// Returns the file, or the whole argument.
    pub fn name(&self) -> String {
        match &self.argument {
            Some(text) => format!("{} {text}", self.file),
            None => self.file.clone(),
        }
    }

    /// Returns the line and the column in a file: an argument has none.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.position.filter(|_| self.argument.is_none())
    }

    /// Returns the file and the line.
    pub fn short(&self) -> String {
        match (&self.argument, self.position) {
            (None, Some((line, _))) => format!("{}:{line}", self.file),
            (Some(_), _) | (None, None) => self.to_string(),
        }
    }
}

/// Maximum length of an argument in a line, in characters.
const MAX_ARGUMENT_LENGTH: usize = 40;

/// Prints the place for people.
impl fmt::Display for NamedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.argument, self.position) {
            (Some(text), _) => {
                let shown: String = text.chars().take(MAX_ARGUMENT_LENGTH).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                write!(f, "{} {shown}{more}", self.file)
            }
            (None, Some((line, column))) => write!(f, "{}:{line}:{column}", self.file),
            (None, None) => f.write_str(&self.file),
        }
    }
}

impl ExplainContext<'_> {
    /// Returns the place of an event.
    pub fn of(&self, event: &HistoryEvent) -> Option<NamedPlace> {
        match event.place {
            Some(span) => Some(self.at(span)),
            None if event.by == By::Variable => self.variable(event),
            None => None,
        }
    }

    fn at(&self, span: Span) -> NamedPlace {
        let source = self.sources.get(span.file);
        let file = source.name.clone();
        // The value of a variable has no lines that anybody could look at.
        let position = (!file.starts_with("-v ")).then(|| source.position(span.start));
        let argument = file.starts_with("--").then(|| source.text.to_string());
        NamedPlace { file, position, argument }
    }

    /// Returns the place of the value of a variable, or the vars-store.
    fn variable(&self, event: &HistoryEvent) -> Option<NamedPlace> {
        let name = event.names.first()?;
        let is_it = |given: &str| {
            let rest = name.strip_prefix(given);
            rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
        };
        // A later value overrides an earlier one.
        let given = self.given.places().filter(|(given, _)| is_it(given)).last();
        let file = match given {
            Some((_, Some(span))) => return Some(self.at(span)),
            Some((given, None)) => format!("{} {name}", self.option(given)?),
            None => {
                let store = self.options.input.variables.vars_store.as_ref()?;
                store.to_string_lossy().into_owned()
            }
        };
        Some(NamedPlace { file, position: None, argument: None })
    }

    /// Returns the option that gives a variable a text as its value.
    fn option(&self, name: &str) -> Option<&'static str> {
        let options = &self.options.input.variables;
        let kinds = [
            ("--var-string", &options.var_string),
            ("-v", &options.var),
            ("--var-file", &options.var_file),
        ];
        let is_it = |value: &std::ffi::OsString| {
            let text = value.to_string_lossy();
            text.split_once('=').is_some_and(|(given, _)| given == name)
        };
        kinds.into_iter().find(|(_, all)| all.iter().any(is_it)).map(|(option, _)| option)
    }
}
