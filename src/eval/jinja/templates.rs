//! The templates of a run. The text of a template in, a program out: each text is
//! compiled once, and one minijinja environment runs the statements of all of them.

use std::fmt;
use std::path::{Component, Path};
use std::sync::Arc;

use hashbrown::HashMap;
use minijinja::{AutoEscape, Environment, Error, Template};

use crate::eval::Context;
use crate::eval::python::{Class, Exception, Lock, Result};

use super::ast::{Statement, Statements};
use super::rewrite::{CodeTables, TemplateOrigin, rewrite};
use super::syntax::Syntax;

type MachineResult<T> = std::result::Result<T, Error>;

/// Marks the name of a template that sees no names of the one that loads it.
pub(super) const ISOLATED: &str = "\u{1}";

/// Marks the name of a template with the number of its syntax: it stands as many times.
const NUMBERED: &str = "\u{3}";

/// The marks before the name of a file.
const MARKS: [char; 2] = ['\u{1}', '\u{3}'];

/// Marks the name of a template that is a text of the document.
const DOCUMENT: &str = "\u{2}";

/// Maximum number of programs that are kept. minijinja never forgets a template, so a run
/// that makes texts of templates, each used once, would grow without this limit.
// Each program takes about 10 KiB. 512 of them cost more in page faults than compiling
// does; a loop over templates seldom renders more than a few different ones.
const MAX_PROGRAMS: usize = 64;

/// Everything that is compiled in a run.
pub(super) struct Templates {
    environment: Environment<'static>,
    code: Lock<CodeTables>,
    /// Sources that minijinja has not compiled yet, by the names of their templates.
    sources: Arc<Lock<HashMap<String, String>>>,
    programs: Lock<HashMap<Arc<str>, Vec<CachedTemplate>>>,
    /// The number of templates of the document that minijinja has compiled.
    compiled: Lock<usize>,
    /// The syntaxes of templates that may include others. Each program adds one at most.
    syntaxes: Lock<Vec<Arc<Syntax>>>,
}

/// A program and how its text was read.
struct CachedTemplate {
    syntax: Syntax,
    is_raw: bool,
    program: Arc<CompiledTemplate>,
}

#[derive(Debug)]
pub(super) struct CompiledTemplate {
    pub(super) steps: TemplateSteps,
    pub(super) line_breaks: usize,
}

#[derive(Debug)]
pub(super) enum TemplateSteps {
    /// Texts, expressions and conditions. They set no names, so they need no machine,
    /// which would take twice the time.
    Plain(Statements),
    /// The name of a template of minijinja, and the syntax of the files that it includes.
    Machine(String, Arc<Syntax>),
}

/// The statements of a text, and what its program needs beside them.
pub(super) struct ParsedTemplate {
    pub(super) body: Statements,
    /// The syntax with the settings of the header, in which included files are read.
    pub(super) inner: Syntax,
    /// The number of line breaks at the end of the text.
    pub(super) line_breaks: usize,
}

impl Templates {
    pub(super) fn new(context: &Context) -> Templates {
        let sources: Arc<Lock<HashMap<String, String>>> = Arc::default();
        let waiting = sources.clone();
        let mut environment = Environment::empty();
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        // The rendering counts the steps of the machine wherever it calls back. This
        // stops statements that never call back.
        environment.set_fuel(Some(context.limits.fuel));
        environment.set_loader(move |name| Ok(waiting.write().remove(name)));
        Templates {
            environment,
            code: Lock::default(),
            sources,
            programs: Lock::default(),
            compiled: Lock::default(),
            syntaxes: Lock::default(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        *self.compiled.read() >= MAX_PROGRAMS
            || self.programs.read().len() >= MAX_PROGRAMS
    }

    pub(super) fn find(
        &self,
        text: &str,
        syntax: &Syntax,
        is_raw: bool,
    ) -> Option<Arc<CompiledTemplate>> {
        let programs = self.programs.read();
        let mut known = programs.get(text)?.iter();
        let known = known.find(|it| it.is_raw == is_raw && it.syntax == *syntax)?;
        Some(known.program.clone())
    }

    pub(super) fn add(
        &self,
        text: Arc<str>,
        syntax: Syntax,
        is_raw: bool,
        parsed: ParsedTemplate,
    ) -> MachineResult<Arc<CompiledTemplate>> {
        let ParsedTemplate { body, inner, line_breaks } = parsed;
        if is_plain(&body) {
            // Most templates are plain and rendered once: to keep their programs costs
            // more than to parse a text again.
            return Ok(Arc::new(CompiledTemplate {
                steps: TemplateSteps::Plain(body),
                line_breaks,
            }));
        }
        let count = {
            let mut compiled = self.compiled.write();
            *compiled += 1;
            *compiled
        };
        // The text itself would be a long key, and it would be compared for each rendering.
        let name = format!("{DOCUMENT}{count}");
        self.compile(&name, body, &TemplateOrigin::Document)?;
        let program = Arc::new(CompiledTemplate {
            steps: TemplateSteps::Machine(name, self.shared(inner)),
            line_breaks,
        });
        let known = CachedTemplate { syntax, is_raw, program: program.clone() };
        self.programs.write().entry(text).or_default().push(known);
        Ok(program)
    }

    /// Returns a syntax that is kept once.
    fn shared(&self, syntax: Syntax) -> Arc<Syntax> {
        let mut syntaxes = self.syntaxes.write();
        if let Some(known) = syntaxes.iter().find(|known| ***known == syntax) {
            return known.clone();
        }
        syntaxes.push(Arc::new(syntax));
        syntaxes.last().cloned().unwrap_or_default()
    }

    /// Returns the name of the template of a file that is read with a syntax.
    pub(super) fn file_name(
        &self,
        file: &str,
        mark: &str,
        syntax: &Arc<Syntax>,
    ) -> String {
        let syntaxes = self.syntaxes.read();
        let number = syntaxes.iter().position(|known| Arc::ptr_eq(known, syntax));
        format!("{mark}{}{file}", NUMBERED.repeat(number.unwrap_or_default()))
    }

    pub(super) fn compile(
        &self,
        name: &str,
        body: Statements,
        origin: &TemplateOrigin,
    ) -> MachineResult<()> {
        let source = rewrite(body, origin, &mut self.code.write());
        // The environment is shared, so a template can only be added through its loader.
        self.sources.write().insert(name.to_owned(), source);
        self.template(name).map(drop)
    }

    pub(super) fn template(&self, name: &str) -> MachineResult<Template<'_, '_>> {
        self.environment.get_template(name)
    }

    /// Returns an element of a table of the code. Its number is wrong only if we rewrote the
    /// source wrong.
    pub(super) fn get<T: ?Sized>(
        &self,
        table: fn(&CodeTables) -> &Vec<Arc<T>>,
        id: usize,
    ) -> Result<Arc<T>> {
        let found = table(&self.code.read()).get(id).cloned();
        found.ok_or_else(|| Exception::new(Class::Syntax, "the template is broken"))
    }
}

/// Returns the file of the name of a template.
pub(super) fn file_of(name: &str) -> &str {
    name.trim_start_matches(MARKS)
}

/// Returns a message without the marks of names, also without escaped ones.
pub(super) fn without_marks(message: &str) -> String {
    message.replace(MARKS, "").replace(r"\x01", "").replace(r"\x03", "")
}

/// Returns true if a path leads nowhere out of the folder that it is in.
pub(super) fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

impl fmt::Debug for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Templates")
    }
}

/// Returns true if statements set no names and repeat nothing.
fn is_plain(body: &[Statement]) -> bool {
    body.iter().all(|statement| match statement {
        Statement::Text(_) | Statement::Print(_) => true,
        Statement::If(branches, otherwise) => {
            branches.iter().all(|(_, body)| is_plain(body)) && is_plain(otherwise)
        }
        _ => false,
    })
}
