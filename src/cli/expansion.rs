//! The expansion of SOURCE by the options: its directives, variables, templates and
//! expressions; and these put back into an edited copy.

use hashbrown::HashSet;

use interpolate::unstable::apply;
use interpolate::unstable::compile;
use interpolate::unstable::diagnostic::{Diagnostic, Diagnostics};
use interpolate::unstable::eval::Exception;
use interpolate::unstable::eval::{self, Session};
use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::restore::{self, Expander};
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{
    self, Bindings, FillOptions, RestoredTemplates, RestoredUses, Store,
    TemplateRestorer, UsedValues,
};
use interpolate::unstable::yaml;

use super::eval::all_raised;
use super::failure::Failure;
use super::main_options::MainOptions;

/// The expansion of SOURCE by the options.
pub struct Expansion<'a> {
    pub options: &'a MainOptions,
    pub world: Os,
    pub given: Bindings,
    pub store: Option<Store>,
    pub rules: FillOptions,
}

impl Expansion<'_> {
    fn fills(&self) -> bool {
        !self.given.is_empty() || self.store.is_some() || self.rules.asks()
    }

    fn evaluates(&self) -> bool {
        self.options.input.evaluation.is_on()
    }

    pub fn written(
        &mut self,
        sources: &mut Sources,
        source: &Tree,
    ) -> Result<Tree, Failure> {
        let mut written = source.clone();
        for root in 0..self.document_count(source) {
            let patch = self.compile(sources, source, root).map_err(Failure::input)?;
            apply::apply(&patch, &mut written, root..root + 1).map_err(Failure::input)?;
        }
        Ok(written)
    }

    /// Returns `edited` with its documents in the order of `written`, and those that it lacks
    /// as they are expanded, with the numbers of these, and warnings.
    pub fn arranged(
        &mut self,
        sources: &mut Sources,
        written: &Tree,
        edited: Tree,
    ) -> Result<(Tree, Vec<usize>, Vec<Diagnostic>), Failure> {
        if written.roots().len() == 1 && edited.roots().len() == 1 {
            return Ok((edited, Vec::new(), Vec::new()));
        }
        let mut filled = written.clone();
        self.fill(&mut filled).map_err(Failure::input)?;
        if self.evaluates() {
            let done = self.evaluate(&mut self.session()?, &mut filled);
            done.map_err(|failed| all_raised(&failed, sources))?;
        }
        let arranged = restore::arrange(&filled, &edited).map_err(Failure::input)?;
        let mut notes = Vec::new();
        if !arranged.missing.is_empty() {
            let note = missing_note(&arranged.missing);
            let hint = "to remove a document, remove it from SOURCE";
            notes.push(*Diagnostic::warning(note).hint(hint));
        }
        if arranged.are_reordered {
            let note = "EDITED has the documents in another order: SOURCE keeps its own";
            notes.push(*Diagnostic::warning(note));
        }
        let filled_in = arranged.filled_in;
        let Some(text) = arranged.text else { return Ok((edited, filled_in, notes)) };
        let file = sources.add_draft(text, edited.file(), "");
        let rules = self.options.input.reading(edited.dialect());
        Ok((yaml::read(sources, file, &rules)?, filled_in, notes))
    }

    /// Returns `edited` with variables and templates put back, and warnings.
    // Otherwise their values, secrets among them, would be written into the source.
    pub fn unfilled(
        &mut self,
        sources: &mut Sources,
        written: &Tree,
        edited: &Tree,
    ) -> Result<(Tree, Vec<Diagnostic>), Failure> {
        let mut filled = written.clone();
        self.fill(&mut filled).map_err(Failure::input)?;
        if !self.evaluates() {
            let (edited, uses) = if self.fills() {
                let values = self.values(written);
                let restored =
                    variables::restore_placeholders(written, &filled, edited, &values);
                let note = replaced_variable(written, &restored.uses, &values);
                (restored.document, note)
            } else {
                (edited.clone(), None)
            };
            // Most documents have no templates, and a session takes time.
            let text = &sources.get(written.file()).text;
            let mut notes: Vec<_> =
                overwritten_variable(&filled, &edited).or(uses).into_iter().collect();
            if TEMPLATE_MARKS.iter().any(|mark| text.contains(mark)) {
                notes.extend(overwritten(written, &edited, &self.session()?));
            }
            return Ok((edited, notes));
        }
        let mut session = self.session()?;
        let volatile = self.evaluate(&mut session, &mut filled);
        let volatile = volatile.map_err(|failed| all_raised(&failed, sources))?;
        let is_template =
            |document: &Tree, node: NodeId| eval::is_source(document, node, &session);
        let values = &self.values(written);
        let restorer = TemplateRestorer {
            written,
            filled: &filled,
            edited,
            is_template: &is_template,
            volatile: &volatile,
            values,
        };
        let restored = self.restore(&restorer, sources)?;
        let uses = replaced_variable(written, &restored.uses, values);
        let renamed = self.renamed(&restorer, &restored, sources)?;
        let (document, mut notes) = renamed.unwrap_or_else(|| {
            let notes = notes(&restored, written);
            (restored.document, notes)
        });
        notes.extend(uses);
        Ok((document, notes))
    }

    fn restore(
        &mut self,
        restorer: &TemplateRestorer<'_>,
        sources: &Sources,
    ) -> Result<RestoredTemplates, Failure> {
        restorer.restore(&mut |document| {
            let before = |failure| (failure, Vec::new());
            self.fill(document).map_err(Failure::input).map_err(before)?;
            let mut session = self.session().map_err(before)?;
            self.evaluate(&mut session, document).map_err(|failed| {
                let places = failed.iter().flat_map(|exception| &exception.places);
                let places = places.map(|&(place, _)| place).collect();
                (all_raised(&failed, sources), places)
            })
        })
    }

    /// Returns the edited copy with templates that have the new names of renamed keys, and
    /// warnings; `None` if no template is kept that way.
    fn renamed(
        &mut self,
        restorer: &TemplateRestorer<'_>,
        restored: &RestoredTemplates,
        sources: &mut Sources,
    ) -> Result<Option<(Tree, Vec<Diagnostic>)>, Failure> {
        let TemplateRestorer { written, filled, edited, .. } = *restorer;
        let text = variables::respelled(written, (filled, edited), &restored.lost);
        let Some(text) = text else { return Ok(None) };
        let file = sources.add_draft(text, written.file(), "");
        let options = self.options.input.reading(written.dialect());
        let source = yaml::read(sources, file, &options);
        let source = source.map_err(|error| Failure::input([*error]))?;
        let written = &self.written(sources, &source)?;
        let again = self.restore(&TemplateRestorer { written, ..*restorer }, sources)?;
        let kept = restored.lost.len().saturating_sub(again.lost.len());
        if kept == 0 {
            return Ok(None);
        }
        let mut notes = notes(&again, written);
        let templates = if kept == 1 { "1 template has" } else { "templates have" };
        let count = if kept == 1 { String::new() } else { format!("{kept} ") };
        let note = format!("{count}{templates} the new names of renamed keys");
        notes.push(*Diagnostic::warning(note));
        Ok(Some((again.document, notes)))
    }

    /// Returns the values that a document was filled in with.
    fn values(&mut self, written: &Tree) -> UsedValues {
        let store = self.store.as_mut();
        UsedValues::find(written, &self.given, store, &self.world)
    }

    /// Returns the warning about values of variables that are in the text to be written, and
    /// not in that of SOURCE: in comments, for example.
    pub fn revealed(&mut self, source: &Tree, text: &str) -> Option<Diagnostic> {
        if !self.fills() {
            return None;
        }
        let values = self.values(source);
        let revealed = values.revealed(source.base().text(), text);
        let named = revealed[..revealed.len().min(MAX_NAMED)].join(", ");
        if named.is_empty() {
            return None;
        }
        let words = format!("values of variables are in the result: {named}");
        let hint = "write ((name)) in EDITED in place of a value";
        Some(*Diagnostic::warning(words).hint(hint))
    }

    fn session(&self) -> Result<Session, Failure> {
        let (input, world) = (&self.options.input, self.world.clone());
        super::eval::session(input, world, &self.given)
    }

    fn evaluate(
        &self,
        session: &mut Session,
        document: &mut Tree,
    ) -> Result<HashSet<NodeId>, Vec<Exception>> {
        let roots = self.options.input.roots(document);
        eval::fill(document, roots, session)
    }
}

/// Maximum number of documents, or of variables, that a note names.
// Their names fit a line or two.
const MAX_NAMED: usize = 5;

fn missing_note(missing: &[String]) -> String {
    let named = missing[..missing.len().min(MAX_NAMED)].join(", ");
    let more = match missing.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (are, stay) = match missing.len() {
        1 => ("is", "it stays as it is"),
        _ => ("are", "they stay as they are"),
    };
    format!("{named}{more} {are} not in EDITED: {stay}")
}

/// Returns the warning about `((names))` that are replaced by values, if these are probably
/// values that the names had when EDITED was printed.
fn replaced_variable(
    written: &Tree,
    uses: &RestoredUses,
    values: &UsedValues,
) -> Option<Diagnostic> {
    let name = |&place: &NodeId| Some((variables::first_use(written, place)?, place));
    let mut replaced = uses.replaced.iter().filter_map(name);
    let (name, place) =
        replaced.find(|(name, _)| !uses.is_any_kept || values.is_generated(name))?;
    let words = format!("a value of EDITED replaces (({name}))");
    let hint = if values.is_generated(&name) {
        format!(
            "the value of {name} is new: was EDITED printed with another --vars-store?"
        )
    } else {
        "was EDITED printed with other values of variables?".to_owned()
    };
    Some(*Diagnostic::warning(words).at(written.span(place)).hint(hint))
}

/// Texts of which one is in nearly every template and expression.
const TEMPLATE_MARKS: [&str; 3] = ["{{", "{%", "eval"];

/// Returns the warning about `((names))` without a value that are replaced by values.
fn overwritten_variable(filled: &Tree, edited: &Tree) -> Option<Diagnostic> {
    let replaced = variables::overwritten_placeholders(filled, edited);
    let first = replaced.iter().find_map(|&place| filled.span(place))?;
    let words = "a value of EDITED replaces a ((variable)) that has no value here";
    let hint = "was EDITED printed with -v or -l? Then give them to save, too";
    Some(*Diagnostic::warning(words).at(first).hint(hint))
}

/// Returns the warning about templates replaced by values without `--eval`.
fn overwritten(written: &Tree, edited: &Tree, session: &Session) -> Vec<Diagnostic> {
    let is_template =
        |document: &Tree, node: NodeId| eval::is_source(document, node, session);
    let replaced = variables::overwritten_templates(written, edited, &is_template);
    let first = replaced.iter().find_map(|&place| written.span(place));
    let words = "a value of EDITED replaces a template or an expression";
    let note = |first| {
        let hint = "was EDITED printed with --eval? Then give it to save, too";
        *Diagnostic::warning(words).at(first).hint(hint)
    };
    first.map(note).into_iter().collect()
}

/// Returns the warnings about templates, kept or lost.
fn notes(restored: &RestoredTemplates, written: &Tree) -> Vec<Diagnostic> {
    let note =
        |words: &str, place: NodeId| *Diagnostic::warning(words).at(written.span(place));
    let lost = "this is written out as EDITED has it: kept, it would give something else";
    let volatile = "this gives something else each time: it is kept, whatever EDITED has";
    // One place is enough: most of these edits are meant.
    let replaced = restored.replaced.iter().take(1).map(|&place| {
        note("a value of EDITED replaces a template or an expression", place)
    });
    let lost = restored.lost.iter().map(|&place| note(lost, place)).chain(replaced);
    let volatile = restored.volatile.iter().map(|&place| note(volatile, place));
    lost.chain(volatile).collect()
}

impl Expander for Expansion<'_> {
    fn document_count(&self, document: &Tree) -> usize {
        if self.options.input.reading.no_directives {
            0
        } else {
            self.options.input.roots(document).len()
        }
    }

    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Tree,
        root: usize,
    ) -> Result<Patch, Diagnostics> {
        let rules = self.options.input.rules(document.dialect());
        compile::directives(document, root, sources, &self.world, &rules)
    }

    fn fill(&mut self, document: &mut Tree) -> Result<(), Diagnostics> {
        if !self.fills() {
            return Ok(());
        }
        // A variable without a `((name))` may be used in a template.
        let unused = self.rules.unused && !self.evaluates();
        let (roots, store) = (0..document.roots().len(), self.store.as_mut());
        let rules = FillOptions { unused, ..self.rules };
        variables::fill(document, roots, &self.given, store, &self.world, &rules)?;
        Ok(())
    }
}
