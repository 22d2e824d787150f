//! Jinja as one of the languages. The text of a template and a scope in, its value out.

use std::sync::{Arc, LazyLock, Weak};

use crate::diagnostic::near;
use crate::eval::finalize::{finalize, with_objects};
use crate::eval::python::{
    Arguments, Class, Exception, Lock, Result, Secrecy, Stamp, Str, Value,
};
use crate::eval::secret::keep;
use crate::eval::{Context, Dialect, LookupKind, Scope, Strict, TemplateOptions};

use super::ast::Statement;
use super::evaluate::Evaluator;
use super::native::concat;
use super::parser::parse;
use super::plugin::{PluginKind, Registry};
use super::render::{Included, compile_error, render};
use super::syntax::{HEADER, Syntax, TemplateRules, is_marked};
use super::templates::{CompiledTemplate, ParsedTemplate, TemplateSteps, Templates};
use super::undefined::{Undefined, caught, defined};
use super::{filter, function, lookup, test};

/// The plugins of every run. Sorting their names takes longer than a short template.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let filters = [filter::FILTERS, filter::collection::FILTERS].concat();
    let tables = [&filters, test::TESTS, lookup::LOOKUPS, function::FUNCTIONS];
    Registry::new(tables, filter::collection::moved)
});

/// Jinja as Ansible speaks it.
#[derive(Debug)]
pub struct Jinja {
    rules: TemplateRules,
    /// True if a text in data may be a template.
    templates_in_data: bool,
    /// The templates of the last run. A weak pointer tells runs apart: a strong one would
    /// keep the run, which holds this language, alive.
    templates: Lock<Option<(Weak<Context>, Arc<Templates>)>>,
}

impl Jinja {
    /// Creates the language. With `python_literals` it follows Unfurl's rules, else
    /// Ansible's. A text in data is a template if `templates_in_data` says so.
    pub fn new(python_literals: bool, templates_in_data: bool) -> Jinja {
        Jinja {
            rules: TemplateRules { older: python_literals },
            templates_in_data,
            templates: Lock::default(),
        }
    }

    /// Renders a text. With lenient rules an exception becomes a text, as in Unfurl. With
    /// `raw`, backslashes in the strings of the template are no escapes.
    fn template(
        &self,
        source: &Str,
        scope: &Scope,
        options: &TemplateOptions,
        raw: bool,
    ) -> Result<Value> {
        match self.rendered(source, scope, options, raw) {
            Err(exception) if scope.strict == Strict::Lenient && shows(&exception) => {
                let what = match exception.message.strip_suffix(" is undefined") {
                    Some(name) => {
                        format!("missing variable: \"{}\"", name.trim_matches('\''))
                    }
                    None => exception.message,
                };
                Ok(Value::text(format!("<<Error rendering template: {what}>>")))
            }
            // A text that a template writes between quotes may be a part of a secret.
            Ok(value) if source.secrecy() == Secrecy::Private => {
                keep(Ok(value), &[&Value::Str(source.clone())], &scope.context)
            }
            rendered => rendered.map_err(|exception| {
                scope.context.hide_of(meant(exception, scope), source)
            }),
        }
    }

    fn rendered(
        &self,
        source: &Str,
        scope: &Scope,
        options: &TemplateOptions,
        raw: bool,
    ) -> Result<Value> {
        let rules = self.rules;
        let mut syntax = Syntax { trim: !rules.older, ..Syntax::default() };
        if let Some(overrides) = &options.overrides {
            for (name, value) in overrides.entries()? {
                syntax.set(name.as_str().unwrap_or_default(), &value)?;
            }
        }
        // Ansible leaves the line breaks of a text that is no template as they are.
        if !rules.older && !syntax.opens(source) {
            return Ok(Value::Str(ending(source, 0, rules)));
        }
        let templates = self.templates(&scope.context);
        let program = match templates.find(source, &syntax, raw) {
            Some(program) => program,
            None => self.compile(&templates, source, syntax, raw, scope)?,
        };
        let value = match &program.steps {
            TemplateSteps::Plain(body) => self.plain(body, scope)?,
            TemplateSteps::Machine(name, syntax) => {
                let folder = options.folder.clone();
                let included = Included { syntax: syntax.clone(), folder };
                render(scope, &REGISTRY, rules, &templates, name, included)?
            }
        };
        // A container may hold what is undefined as long as nothing needs it. The older rules
        // check each result.
        let value = if rules.older || scope.strict == Strict::Lenient {
            finalize(&value)?
        } else {
            settled(defined(value)?, source, scope)?
        };
        Ok(match value {
            Value::Str(result) => Value::Str(ending(&result, program.line_breaks, rules)),
            other => other,
        })
    }

    fn templates(&self, context: &Arc<Context>) -> Arc<Templates> {
        if let Some((run, templates)) = &*self.templates.read()
            && std::ptr::eq(run.as_ptr(), Arc::as_ptr(context))
            && !templates.is_full()
        {
            return templates.clone();
        }
        let templates = Arc::new(Templates::new(context));
        *self.templates.write() = Some((Arc::downgrade(context), templates.clone()));
        templates
    }

    fn compile(
        &self,
        templates: &Templates,
        source: &Str,
        syntax: Syntax,
        raw: bool,
        scope: &Scope,
    ) -> Result<Arc<CompiledTemplate>> {
        // Programs are found by the settings without those of the header, which is in the text.
        let mut with_header = syntax.clone();
        let trimmed = if self.rules.older { source.trim() } else { source };
        let text = with_header.header(trimmed)?;
        self.rules.check_delimiters(&with_header)?;
        let body = parse(text, &with_header, raw, &REGISTRY.known_in(scope))?;
        let line_breaks = line_breaks(text);
        let parsed = ParsedTemplate { body, inner: with_header, line_breaks };
        let added = templates.add(source.shared(), syntax, raw, parsed);
        added.map_err(|error| compile_error(&error).naming_source())
    }

    /// Evaluates a template of texts, expressions and conditions.
    fn plain(&self, body: &[Statement], scope: &Scope) -> Result<Value> {
        let mut evaluator = Evaluator {
            scope,
            registry: &REGISTRY,
            rules: self.rules,
            frame: None,
            isolated: false,
            file: None,
        };
        let mut nodes = Vec::with_capacity(body.len());
        evaluator.print(body, &mut nodes)?;
        concat(nodes, self.rules, &scope.context)
    }
}

/// Returns a value in which each undefined member tells its place in the source.
fn settled(value: Value, source: &Str, scope: &Scope) -> Result<Value> {
    let origin = Value::Str(source.clone());
    with_objects(&value, &|member| {
        let Some(undefined) = member.downcast::<Undefined>() else { return Ok(None) };
        let placed = undefined.placed(|exception| {
            let located = meant(exception, scope).located(&origin);
            scope.context.hide_of(located, source)
        });
        Ok(placed)
    })
}

/// Adds a hint with the most similar name to an undefined name. It compares all names, so
/// it is done for the exception that leaves the template only.
fn meant(exception: Box<Exception>, scope: &Scope) -> Box<Exception> {
    let name = exception.message.strip_suffix(" is undefined");
    let name = name.and_then(|name| name.strip_prefix('\'')?.strip_suffix('\''));
    let Some(name) = name.filter(|_| exception.hint.is_none()) else { return exception };
    match near(scope.names.all().iter().map(String::as_str), name) {
        Some(near) => {
            let hint = format!("did you mean '{near}'?");
            exception.hint(&*hint).naming(hint)
        }
        None => exception,
    }
}

/// Returns true if an exception may be shown instead of the result.
fn shows(exception: &Exception) -> bool {
    !matches!(
        exception.class,
        Class::Limit | Class::Recursion | Class::Denied | Class::Omitted
    )
}

/// Returns the number of line breaks at the end of a text.
fn line_breaks(text: &str) -> usize {
    text.len() - text.trim_end_matches('\n').len()
}

/// Adds the line breaks at the end that Jinja removes from a template, as Ansible does.
fn ending(result: &Str, source_breaks: usize, rules: TemplateRules) -> Str {
    let lacking = source_breaks.saturating_sub(line_breaks(result));
    let more = if rules.older { 0 } else { lacking };
    let quoted = Stamp { quoted: true, ..result.stamp() };
    match more {
        0 if !is_marked(result) => result.clone(),
        _ => Str::stamped(format!("{}{}", &**result, "\n".repeat(more)), quoted),
    }
}

impl Dialect for Jinja {
    fn name(&self) -> &'static str {
        "jinja"
    }

    fn speaks(&self, source: &Value, _context: &Context) -> bool {
        self.templates_in_data
            && matches!(source, Value::Str(text) if self.rules.speaks(text))
    }

    fn marks(&self) -> Option<&'static [&'static str]> {
        Some(&["{{", "{%", "{#", HEADER])
    }

    fn is_older(&self) -> bool {
        self.rules.older
    }

    fn evaluate(&self, source: &Value, scope: &Scope) -> Result<Value> {
        let rules = self.rules;
        match source {
            // A text that older rules render, Unfurl has found to be a template.
            Value::Str(text) if rules.older || rules.speaks(text) => {
                let options = TemplateOptions::default();
                let made = self.template(text, scope, &options, !rules.older);
                if rules.older || scope.strict == Strict::Lenient {
                    return made;
                }
                // A member that is undefined does not matter until something needs it.
                caught(made.map_err(|exception| exception.located(source)))
            }
            other => Ok(other.clone()),
        }
    }

    fn render(
        &self,
        source: &Str,
        scope: &Scope,
        options: &TemplateOptions,
    ) -> Option<Result<Value>> {
        let context = &scope.context;
        Some(context.nested(|| self.template(source, scope, options, false)))
    }

    fn look_up(
        &self,
        kind: LookupKind,
        name: &str,
        scope: &Scope,
        arguments: &Arguments,
    ) -> Option<Result<Value>> {
        let entry = REGISTRY.find(PluginKind::Lookup, name);
        let entry = entry.filter(|_| kind == LookupKind::Lookup)?;
        Some(REGISTRY.call(entry, scope, arguments.clone(), false))
    }
}
