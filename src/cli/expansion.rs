//! What the options make of SOURCE: its directives, variables, templates and expressions;
//! and what of those an edited copy still says.

use interpolate::apply;
use interpolate::compile;
use interpolate::diagnostic::{Diagnostic, Diagnostics};
use interpolate::diff;
use interpolate::eval::{self, Session};
use interpolate::node::{Document, Node};
use interpolate::patch::Patch;
use interpolate::restore::Get;
use interpolate::source::{Os, Sources};
use interpolate::variables::{self, Given, Rules, Store, Unfill};
use interpolate::yaml;

use super::failure::Failure;
use super::option::Interpolate;

/// What the options make of SOURCE.
pub(super) struct Expansion<'a> {
    pub(super) options: &'a Interpolate,
    pub(super) world: Os,
    pub(super) given: Given,
    pub(super) store: Option<Store>,
    pub(super) rules: Rules,
}

impl Expansion<'_> {
    fn fills(&self) -> bool {
        !self.given.is_empty() || self.store.is_some() || self.rules.asks()
    }

    fn evaluates(&self) -> bool {
        self.options.input.evaluation.eval
    }

    /// A document with its directives expanded.
    pub(super) fn written(
        &mut self,
        sources: &mut Sources,
        source: &Document,
    ) -> Result<Document, Failure> {
        let mut written = source.clone();
        for root in 0..self.count(source) {
            let patch = self.compile(sources, source, root).map_err(Failure::input)?;
            apply::apply(&patch, &mut written, root..root + 1).map_err(Failure::input)?;
        }
        Ok(written)
    }

    /// `edited` with what its values come from, so that no value of a variable or result of
    /// a template is written elsewhere. There may be several ways to read it, the best one
    /// first: a template that is kept must still give what was edited.
    pub(super) fn unfilled(
        &mut self,
        sources: &mut Sources,
        written: &Document,
        edited: &Document,
    ) -> Result<Vec<Document>, Failure> {
        if !self.fills() && !self.evaluates() {
            return Ok(vec![edited.clone()]);
        }
        let mut filled = written.clone();
        let Some(session) = self.fill_all(sources, &mut filled)? else {
            return Ok(vec![variables::unfill(written, &filled, edited)]);
        };
        let is_source =
            |document: &Document, node: Node| eval::is_source(document, node, &session);
        let filled = &filled;
        let unfill = Unfill { written, filled, edited, is_source: &is_source };
        let agreeing =
            unfill.agreeing(&mut |document| self.fill_all(sources, document).is_ok());
        Ok(agreeing.into_iter().chain([unfill.unchanged()]).collect())
    }

    /// Fills in variables, and evaluates what is written as expressions and templates.
    fn fill_all(
        &mut self,
        sources: &mut Sources,
        document: &mut Document,
    ) -> Result<Option<Session>, Failure> {
        self.fill(document).map_err(Failure::input)?;
        if !self.evaluates() {
            return Ok(None);
        }
        let (input, world) = (&self.options.input, self.world.clone());
        let mut session = super::eval::session(input, world, &self.given, sources)?;
        let roots = 0..input.count(document);
        super::eval::fill(document, roots, &mut session, sources)?;
        Ok(Some(session))
    }

    /// Evaluates the text that would be saved and compares it with what was given: a
    /// template that is kept may use what was edited.
    pub(super) fn check_text(
        &mut self,
        sources: &mut Sources,
        source: &Document,
        text: &str,
        edited: &Document,
    ) -> Result<(), Failure> {
        if !self.evaluates() {
            return Ok(());
        }
        let name = sources.get(source.file()).name.clone();
        let file = sources.add(name, text);
        let rules = self.options.input.reading(source.dialect());
        let saved = yaml::read(sources, file, &rules).map_err(Failure::from)?;
        let written = self.written(sources, &saved)?;
        self.check(sources, written, edited)
    }

    /// The same, of what it expands to.
    pub(super) fn check(
        &mut self,
        sources: &mut Sources,
        mut written: Document,
        edited: &Document,
    ) -> Result<(), Failure> {
        if !self.evaluates() {
            return Ok(());
        }
        self.fill_all(sources, &mut written)?;
        let documents = 0..edited.roots().len();
        let mut differs =
            documents.flat_map(|root| diff::diff_at(&written, edited, root).ops);
        let Some(op) = differs.next() else { return Ok(()) };
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
