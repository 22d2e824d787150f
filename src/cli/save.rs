//! `save`: a document and its edited expansion are read, the document with the edit in it
//! is printed.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use interpolate::apply;
use interpolate::compile;
use interpolate::diagnostic::{Diagnostic, Diagnostics};
use interpolate::eval::Session;
use interpolate::node::Document;
use interpolate::patch::Patch;
use interpolate::restore::{self, Get};
use interpolate::source::{Os, Sources};
use interpolate::variables::{self, Given, Rules, Store};
use interpolate::yaml;

use super::diff;
use super::failure::{Failure, both, tell, warn};
use super::input::Input;
use super::option::{Format, Globals, Interpolate, Output};
use super::output;
use super::read::Reader;

/// Saving an edited expansion.
#[derive(Debug, Args)]
pub(crate) struct Save {
    /// The document with directives, as it was written
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) source: OsString,
    /// What it expands to, edited: YAML or JSON; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) edited: OsString,
    /// Say on standard error what became of each changed place
    #[arg(long)]
    pub(crate) explain_save: bool,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    globals: Globals,
}

const EXAMPLE: &str = "\
Example:
  interpolate services.yml > edited.yml     then edit edited.yml
  interpolate save services.yml edited.yml -i

With -o, the ops-file to append to those is printed; SOURCE stays as it is.";

/// Its help: SOURCE is saved as a whole and in its form.
pub(crate) fn command(command: clap::Command) -> clap::Command {
    command
        .mut_arg("in_place", |arg| arg.help("Write the result back to SOURCE"))
        .mut_arg("format", |arg| arg.hide(true))
        .mut_arg("path", |arg| arg.hide(true))
        .after_help(EXAMPLE)
}

impl Save {
    /// The options of the main job of expanding SOURCE, the path of EDITED, and whether to
    /// explain.
    pub(crate) fn split(self) -> (Interpolate, OsString, bool) {
        let Save { source, edited, explain_save, .. } = self;
        let main = Interpolate {
            base: Some(source),
            extra: Vec::new(),
            input: self.input,
            output: self.output,
            globals: self.globals,
        };
        (main, edited, explain_save)
    }
}

/// Does it.
pub(crate) fn run(
    options: &Interpolate,
    edited: &OsStr,
    explain: bool,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    if !options.input.patching.ops_file.is_empty() {
        return diff::append(options, edited, sources);
    }
    options.check()?;
    check(options)?;
    if options.base() == "-" && edited == "-" {
        let wrong = "only one of SOURCE and EDITED can be standard input";
        return Err(Failure::usage(wrong));
    }
    let (input, output) = (&options.input, &options.output);
    let mut reader = Reader::new(input, output, options.dialect(), sources)?;
    let (source, given) = both(reader.base(&options.base()), reader.given())?;
    let dialect = source.dialect();
    let (edited, store) = both(reader.read_as(edited, dialect), reader.store(None))?;
    diff::check_given(&source, &edited, "EDITED")?;
    let (there, given_now) = (source.roots().len(), edited.roots().len());
    if input.reading.all_documents && there != given_now {
        let message =
            format!("{given_now} documents cannot be saved where {there} are written");
        return Err(Failure::input([*Diagnostic::error(message)]));
    }
    let rules = input.reading(dialect);
    let mut get = Expansion {
        options,
        world: reader.world.clone(),
        given,
        store: store.map(|kept| kept.store),
        rules: options.rules(),
    };
    let unfilled = get.unfilled(sources, &source, edited.clone())?;
    let saved = restore::save(sources, &source, &unfilled, &rules, &mut get)
        .map_err(Failure::input)?;
    if input.evaluation.eval {
        get.check(sources, &source, &saved.text, &edited)?;
    }
    warn(&saved.notes, sources, &options.output);
    if explain {
        tell(&saved.explain());
    }
    output::deliver_text(options, sources.get(source.file()), &saved.text)
}

fn check(options: &Interpolate) -> Result<(), Failure> {
    let wrong = if options.format() != Format::Yaml {
        "save keeps the form of SOURCE: it goes with no --format"
    } else if options.output.path.is_some() {
        "save saves SOURCE as a whole: it goes with no --path"
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}

/// What the options make of SOURCE.
struct Expansion<'a> {
    options: &'a Interpolate,
    world: Os,
    given: Given,
    store: Option<Store>,
    rules: Rules,
}

impl Expansion<'_> {
    fn fills(&self) -> bool {
        !self.given.is_empty() || self.store.is_some() || self.rules.asks()
    }

    /// `edited` with the variables that its values come from, where they still are what
    /// SOURCE expands to: so no value of one is written elsewhere.
    fn unfilled(
        &mut self,
        sources: &mut Sources,
        source: &Document,
        edited: Document,
    ) -> Result<Document, Failure> {
        let evaluates = self.options.input.evaluation.eval;
        if !self.fills() && !evaluates {
            return Ok(edited);
        }
        let (written, mut filled) = self.filled(sources, source)?;
        if evaluates {
            let session = self.evaluate(sources, &mut filled)?;
            let is_source = |document: &Document, node| {
                interpolate::eval::is_source(document, node, &session)
            };
            let edited =
                variables::unfill_sources(&written, &filled, &edited, &is_source);
            return diff::reread(self.options, edited, sources);
        }
        let edited = variables::unfill(&written, &filled, &edited);
        diff::reread(self.options, edited, sources)
    }

    /// A document with its directives expanded, and the same with its variables filled in.
    fn filled(
        &mut self,
        sources: &mut Sources,
        source: &Document,
    ) -> Result<(Document, Document), Failure> {
        let mut written = source.clone();
        for root in 0..self.count(source) {
            let patch = self.compile(sources, source, root).map_err(Failure::input)?;
            apply::apply(&patch, &mut written, root..root + 1).map_err(Failure::input)?;
        }
        let mut filled = written.clone();
        self.fill(&mut filled).map_err(Failure::input)?;
        Ok((written, filled))
    }

    /// Evaluates what is written in a document as expressions and templates.
    fn evaluate(
        &self,
        sources: &mut Sources,
        document: &mut Document,
    ) -> Result<Session, Failure> {
        let (input, world) = (&self.options.input, self.world.clone());
        let mut session = super::eval::session(input, world, &self.given, sources)?;
        let roots = 0..input.count(document);
        super::eval::fill(document, roots, &mut session, sources)?;
        Ok(session)
    }

    /// Evaluates what would be saved and compares it with what was given: a template that is
    /// kept may use what was edited.
    fn check(
        &mut self,
        sources: &mut Sources,
        source: &Document,
        text: &str,
        edited: &Document,
    ) -> Result<(), Failure> {
        let name = sources.get(source.file()).name.clone();
        let file = sources.add(name, text);
        let rules = self.options.input.reading(source.dialect());
        let saved = yaml::read(sources, file, &rules).map_err(Failure::from)?;
        let (_, mut filled) = self.filled(sources, &saved)?;
        self.evaluate(sources, &mut filled)?;
        let differs = ::interpolate::diff::diff(&filled, edited);
        let Some(op) = differs.ops.first() else { return Ok(()) };
        let message = format!(
            "with its templates kept, SOURCE would not evaluate to EDITED: {} would be \
             something else",
            op.at
        );
        let hint = "what was edited is used by a template: change both in SOURCE";
        Err(Failure::input([*Diagnostic::error(message).hint(hint)]))
    }
}

impl Get for Expansion<'_> {
    fn count(&self, document: &Document) -> usize {
        match self.options.input.reading.no_directives {
            true => 0,
            false => self.options.input.count(document),
        }
    }

    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Document,
        root: usize,
    ) -> Result<Patch, Diagnostics> {
        let rules = self.options.input.rules(document.dialect());
        compile::directives(document, root, sources, &self.world, &rules)
    }

    fn fill(&mut self, document: &mut Document) -> Result<(), Diagnostics> {
        if !self.fills() {
            return Ok(());
        }
        let (roots, store) = (0..document.roots().len(), self.store.as_mut());
        variables::fill(document, roots, &self.given, store, &self.world, &self.rules)
    }
}
