//! Puts an edited result back into the document that it was made of: variables and templates
//! first, then directives.

#[cfg(feature = "eval")]
use hashbrown::HashSet;

use super::json_keys::with_keys_of;
use super::pipeline::Pipeline;
#[cfg(feature = "eval")]
use super::pipeline::raised;
use crate::apply;
use crate::compile::{self, Rules};
use crate::diagnostic::{Diagnostic, Diagnostics};
#[cfg(feature = "eval")]
use crate::eval::{self, Exception, Session};
use crate::node::{NodeId, Tree};
use crate::patch::Patch;
use crate::restore::{self, Comments, Expander, RestoreOptions, Saved};
use crate::source::Sources;
use crate::variables::{self, AddedCode, RestoredUses, Store, UsedValues};
#[cfg(feature = "eval")]
use crate::variables::{RestoredTemplates, TemplateRestorer};
use crate::yaml;

/// Puts edited results back into their documents: the way back through a [`Pipeline`].
pub struct Lens<'a> {
    /// The rules and values of both directions.
    pub pipeline: &'a Pipeline,
    /// The values that were generated before.
    pub store: Option<Store>,
    /// True to save templates, expressions and `((names))` that an edited result adds as code.
    /// Otherwise they are refused: they would give other values than it has.
    pub accepts_code: bool,
}

/// An edited result with variables and templates put back.
pub struct Restored {
    /// The document, as a text that was read.
    pub document: Tree,
    /// Warnings about what cannot be put back.
    pub notes: Vec<Diagnostic>,
    /// The positions of the documents that the edited stream lacks. They were filled in.
    missing: Vec<usize>,
    /// The edited text, if lines in it may be those of the result.
    text: Option<String>,
}

/// An edited stream with its documents in the order of the written one.
struct EditedStream {
    document: Tree,
    missing: Vec<usize>,
    notes: Vec<Diagnostic>,
}

impl Lens<'_> {
    /// Puts an edited result back into the document that it was made of. `comments` tells
    /// whose comments are saved; with `follow_sources`, values that inherit an edited value
    /// change, too.
    ///
    /// # Errors
    /// The document cannot be expanded, filled in or evaluated; the documents of a stream
    /// cannot be told apart; or the edit cannot be written.
    pub fn put(
        &mut self,
        sources: &mut Sources,
        source: &Tree,
        edited: &Tree,
        comments: Comments,
        follow_sources: bool,
    ) -> Result<Saved, Diagnostics> {
        let written = self.written(sources, source)?;
        let restored = self.restored(sources, &written, edited)?;
        let there = source.roots().len();
        let given = restored.document.roots().len();
        if self.pipeline.all_documents && there != given {
            return Err(restore::wrong_document_count(there, given).into());
        }
        let options = RestoreOptions {
            reading: self.reading(source),
            comments,
            follow_sources,
            has_tags: Some(restore::has_tags(edited)),
            edited_text: restored.text,
            missing: restored.missing,
        };
        let saved = restore::save(sources, source, &restored.document, &options, self);
        let mut saved = saved?;
        saved.notes.splice(0..0, restored.notes);
        saved.notes.extend(self.revealed(source, &saved.text));
        Ok(saved)
    }

    /// Puts variables and templates back into an edited result of `written`, a document whose
    /// directives are expanded.
    ///
    /// # Errors
    /// As for [`put`](Lens::put).
    pub fn restored(
        &mut self,
        sources: &mut Sources,
        written: &Tree,
        edited: &Tree,
    ) -> Result<Restored, Diagnostics> {
        let options = self.reading(edited);
        let edited = &with_keys_of(sources, written, edited.clone(), &options)?;
        let arranged = self.arranged(sources, written, edited)?;
        // Templates are put back before the expansion is printed, variables are not.
        let is_filled_only = arranged.missing.is_empty() && !self.pipeline.evaluates();
        let text = is_filled_only.then(|| arranged.document.base().text().to_owned());
        #[cfg(feature = "eval")]
        let (document, notes) = self.unfilled(sources, written, &arranged.document)?;
        #[cfg(not(feature = "eval"))]
        let (document, notes) = self.with_variables(written, &arranged.document)?;
        let document = reread(sources, document, &self.pipeline.rules.yaml)?;
        let notes = arranged.notes.into_iter().chain(notes).collect();
        Ok(Restored { document, missing: arranged.missing, notes, text })
    }

    /// Returns the options for reading a text again that was made of a document.
    fn reading(&self, document: &Tree) -> yaml::Options {
        yaml::Options { dialect: document.dialect(), ..self.pipeline.rules.yaml }
    }

    fn fills(&self) -> bool {
        self.pipeline.fills(self.store.as_ref())
    }

    /// Expands the directives of a document.
    fn written(
        &mut self,
        sources: &mut Sources,
        source: &Tree,
    ) -> Result<Tree, Diagnostics> {
        let mut written = source.clone();
        for root in 0..self.document_count(source) {
            let patch = self.compile(sources, source, root)?;
            apply::apply(&patch, &mut written, [root])?;
        }
        Ok(written)
    }

    /// Returns `edited` with its documents in the order of `written`, and those that it lacks
    /// as they are expanded.
    fn arranged(
        &mut self,
        sources: &mut Sources,
        written: &Tree,
        edited: &Tree,
    ) -> Result<EditedStream, Diagnostics> {
        if written.roots().len() == 1 && edited.roots().len() == 1 {
            let document = edited.clone();
            return Ok(EditedStream { document, missing: Vec::new(), notes: Vec::new() });
        }
        let mut filled = written.clone();
        self.fill(&mut filled)?;
        #[cfg(feature = "eval")]
        if self.pipeline.evaluates() {
            let roots: Vec<usize> = self.pipeline.roots(&filled).collect();
            self.pipeline.evaluate(&mut filled, &roots, None, None, sources)?;
        }
        let arranged = restore::arrange(&filled, edited)?;
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
        let document = match arranged.text {
            None => edited.clone(),
            Some(text) => {
                let file = sources.add_draft(text, edited.file(), "");
                yaml::read(sources, file, &self.reading(edited))?
            }
        };
        Ok(EditedStream { document, missing: arranged.filled_in, notes })
    }

    /// Returns `edited` with variables put back, and warnings.
    // Otherwise their values, secrets among them, would be written into the source.
    fn with_variables(
        &mut self,
        written: &Tree,
        edited: &Tree,
    ) -> Result<(Tree, Vec<Diagnostic>), Diagnostics> {
        let mut filled = written.clone();
        self.fill(&mut filled)?;
        let (edited, uses) = if self.fills() {
            let values = self.values(written);
            let restored =
                variables::restore_placeholders(written, &filled, edited, &values);
            let note = replaced_variable(written, &restored.uses, &values);
            let added = AddedCode::find(written, &filled, edited, &|_, _| false);
            if !(self.accepts_code || added.is_empty()) {
                let mut again = restored.document.clone();
                self.fill(&mut again)?;
                refuse(&added.refused(&again), edited, &|_| false)?;
            }
            (restored.document, note)
        } else {
            (edited.clone(), None)
        };
        let notes = overwritten_variable(&filled, &edited).or(uses);
        Ok((edited, notes.into_iter().collect()))
    }

    /// Returns the values that a document was filled in with.
    fn values(&mut self, written: &Tree) -> UsedValues {
        let Pipeline { given, world, .. } = self.pipeline;
        UsedValues::find(written, given, self.store.as_mut(), &**world)
    }

    /// Returns the warning about values of variables that are in the text to be written, and
    /// not in that of SOURCE: in comments, for example.
    fn revealed(&mut self, source: &Tree, text: &str) -> Option<Diagnostic> {
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
}

/// Templates.
#[cfg(feature = "eval")]
impl Lens<'_> {
    /// Returns `edited` with variables and templates put back, and warnings.
    fn unfilled(
        &mut self,
        sources: &mut Sources,
        written: &Tree,
        edited: &Tree,
    ) -> Result<(Tree, Vec<Diagnostic>), Diagnostics> {
        if !self.pipeline.evaluates() {
            let (document, mut notes) = self.with_variables(written, edited)?;
            notes.extend(self.overwritten_template(written, &document)?);
            return Ok((document, notes));
        }
        let mut filled = written.clone();
        self.fill(&mut filled)?;
        let mut session = self.pipeline.session()?;
        let volatile = self.evaluate(&mut session, &mut filled);
        let volatile = volatile.map_err(|failed| raised(&failed, sources))?;
        let is_template =
            |document: &Tree, node: NodeId| eval::is_source(document, node, &session);
        let has_tags = restore::has_tags(edited);
        let is_data =
            |document: &Tree, node: NodeId| !has_tags && eval::is_data(document, node);
        let values = &self.values(written);
        let restorer = TemplateRestorer {
            written,
            filled: &filled,
            edited,
            is_template: &is_template,
            is_data: &is_data,
            accepts_code: self.accepts_code,
            volatile: &volatile,
            values,
        };
        let restored = self.restore(&restorer, sources)?;
        refuse(&restored.refused, edited, &|node| is_template(edited, node))?;
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
    ) -> Result<RestoredTemplates, Diagnostics> {
        restorer.restore(&mut |document| {
            let before = |failure| (failure, Vec::new());
            self.fill(document).map_err(before)?;
            let mut session = self.pipeline.session().map_err(before)?;
            self.evaluate(&mut session, document).map_err(|failed| {
                let places = failed.iter().flat_map(|exception| &exception.places);
                let places = places.map(|&(place, _)| place).collect();
                (raised(&failed, sources), places)
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
    ) -> Result<Option<(Tree, Vec<Diagnostic>)>, Diagnostics> {
        let TemplateRestorer { written, filled, edited, .. } = *restorer;
        let text = variables::respelled(written, filled, edited, &restored.lost);
        let Some(text) = text else { return Ok(None) };
        let file = sources.add_draft(text, written.file(), "");
        let source = yaml::read(sources, file, &self.reading(written))?;
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

    fn evaluate(
        &self,
        session: &mut Session,
        document: &mut Tree,
    ) -> Result<HashSet<NodeId>, Vec<Exception>> {
        eval::fill(document, self.pipeline.roots(document), session)
    }

    /// Returns the warning about templates replaced by values although none is evaluated.
    fn overwritten_template(
        &self,
        written: &Tree,
        edited: &Tree,
    ) -> Result<Option<Diagnostic>, Diagnostics> {
        // Most documents have no templates, and a session takes time.
        let text = written.base().text();
        if !TEMPLATE_MARKS.iter().any(|mark| text.contains(mark)) {
            return Ok(None);
        }
        let session = self.pipeline.session()?;
        let is_template =
            |document: &Tree, node: NodeId| eval::is_source(document, node, &session);
        let replaced = variables::overwritten_templates(written, edited, &is_template);
        let first = replaced.iter().find_map(|&place| written.span(place));
        let words = "a value of EDITED replaces a template or an expression";
        let hint = "was EDITED printed with --eval? Then give it to save, too";
        Ok(first.map(|first| *Diagnostic::warning(words).at(first).hint(hint)))
    }
}

impl Expander for Lens<'_> {
    fn document_count(&self, document: &Tree) -> usize {
        if self.pipeline.expands { self.pipeline.roots(document).len() } else { 0 }
    }

    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Tree,
        root: usize,
    ) -> Result<Patch, Diagnostics> {
        let Pipeline { rules, world, .. } = self.pipeline;
        let rules = Rules { yaml: self.reading(document), ..rules.clone() };
        compile::directives(document, root, sources, &**world, &rules)
    }

    fn fill(&mut self, document: &mut Tree) -> Result<(), Diagnostics> {
        // All of them: the view of a save holds the edited documents, too.
        let roots: Vec<usize> = (0..document.roots().len()).collect();
        self.pipeline.fill(document, &roots, self.store.as_mut(), None).map(drop)
    }
}

/// Prints a document and reads it again, in its own dialect.
///
/// # Errors
/// The text cannot be read with these options.
// Ops name places of a text, so that every node needs one.
pub fn reread(
    sources: &mut Sources,
    document: Tree,
    options: &yaml::Options,
) -> Result<Tree, Diagnostics> {
    // A document without a change has its own text already.
    if document.is_clean() {
        return Ok(document);
    }
    // A draft shows no more of itself than the text it stands for.
    let file = sources.add_draft(document.to_string(), document.file(), "");
    let options = yaml::Options { dialect: document.dialect(), ..*options };
    Ok(yaml::read(sources, file, &options)?)
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

/// Refuses data that would be read as code.
///
/// # Errors
/// There is some: an error for each.
fn refuse(
    code: &[NodeId],
    edited: &Tree,
    is_template: &dyn Fn(NodeId) -> bool,
) -> Result<(), Diagnostics> {
    let refusal = |&node: &NodeId| {
        let is_template = is_template(node);
        let kind =
            if is_template { "a template or an expression" } else { "a ((variable))" };
        let words =
            format!("this would be read as {kind}, which SOURCE does not have here");
        let error = Diagnostic::error(words).at(edited.span(node));
        let error = error.hint("if that is meant, `--accept-code` saves it");
        let hint = "if it is data, give it the tag `!unsafe`";
        if is_template { *error.hint(hint) } else { *error }
    };
    let refused: Vec<Diagnostic> = code.iter().map(refusal).collect();
    if refused.is_empty() { Ok(()) } else { Err(Diagnostics(refused)) }
}

/// Texts of which one is in nearly every template and expression.
#[cfg(feature = "eval")]
const TEMPLATE_MARKS: [&str; 3] = ["{{", "{%", "eval"];

/// Returns the warning about `((names))` without a value that are replaced by values.
fn overwritten_variable(filled: &Tree, edited: &Tree) -> Option<Diagnostic> {
    let replaced = variables::overwritten_placeholders(filled, edited);
    let first = replaced.iter().find_map(|&place| filled.span(place))?;
    let words = "a value of EDITED replaces a ((variable)) that has no value here";
    let hint = "was EDITED printed with -v or -l? Then give them to save, too";
    Some(*Diagnostic::warning(words).at(first).hint(hint))
}

/// Returns the warnings about templates, kept or lost.
#[cfg(feature = "eval")]
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
