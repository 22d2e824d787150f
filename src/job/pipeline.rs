//! The values of a run, and their way into documents: variables, then templates.

use std::ops::Range;
#[cfg(feature = "eval")]
use std::path::PathBuf;
use std::sync::Arc;

use crate::compile::Rules;
use crate::diagnostic::Diagnostics;
#[cfg(feature = "eval")]
use crate::eval::{self, Context, Exception, LanguageSettings, Limits, Session};
use crate::history::Recorder;
use crate::node::Tree;
use crate::source::{Sources, Span, World};
use crate::variables::{self, Bindings, FillOptions, Filled, Store};
#[cfg(feature = "eval")]
use crate::yaml;

/// The rules and the values of a run. Its texts and patches come in with each call.
#[derive(Clone)]
pub struct Pipeline {
    /// The reach of documents: files, variables, time, random numbers.
    pub world: Arc<dyn World + Send + Sync>,
    /// The rules of directives, and of reading a text.
    pub rules: Rules,
    /// False if merge directives are plain keys.
    pub expands: bool,
    /// True if every document of a stream is expanded, filled in and evaluated, and not only
    /// the first one.
    pub all_documents: bool,
    /// The values of variables.
    pub given: Arc<Bindings>,
    /// The rules of filling in.
    pub filling: FillOptions,
    /// The rules of templates and expressions.
    #[cfg(feature = "eval")]
    pub evaluation: EvaluationRules,
}

/// The rules by which templates and expressions are evaluated.
#[cfg(feature = "eval")]
#[derive(Clone, Debug)]
pub struct EvaluationRules {
    /// False if templates stay as they are.
    pub is_on: bool,
    /// The languages.
    pub settings: LanguageSettings,
    /// The limits of a run.
    pub limits: Limits,
    /// The folder that relative paths in templates start from.
    pub folder: PathBuf,
}

/// The outcome of a run, beside the document.
pub struct Finished {
    /// True if variables were filled in where the document has them in its own file.
    pub is_document_filled: bool,
    /// The names of variables that have neither a value nor a definition, with a place each.
    pub undefined: Vec<(String, Option<Span>)>,
    /// The run of the evaluator, with its warnings and the files that templates write; `None`
    /// if nothing was evaluated.
    #[cfg(feature = "eval")]
    pub session: Option<Session>,
}

impl Pipeline {
    /// Returns the documents of a stream that it works on, by position.
    pub fn roots(&self, document: &Tree) -> Range<usize> {
        0..if self.all_documents { document.roots().len() } else { 1 }
    }

    /// Returns true if variables are filled in. Without values there is nothing to fill in,
    /// unless the rules make that an error.
    pub fn fills(&self, store: Option<&Store>) -> bool {
        !self.given.is_empty() || store.is_some() || self.filling.asks()
    }

    /// Returns true if templates and expressions are evaluated.
    pub fn evaluates(&self) -> bool {
        #[cfg(feature = "eval")]
        return self.evaluation.is_on;
        #[cfg(not(feature = "eval"))]
        false
    }

    /// Fills in the variables of some documents of the stream, then evaluates their templates.
    /// Both come behind [`Patches::apply`](super::Patches::apply). A recorder keeps the
    /// changes; errors point into `texts`.
    ///
    /// # Errors
    /// As [`fill`](Pipeline::fill) and `evaluate`.
    pub fn finish(
        &self,
        document: &mut Tree,
        roots: &[usize],
        mut store: Option<&mut Store>,
        mut recorder: Option<&mut Recorder>,
        texts: &Sources,
    ) -> Result<Finished, Diagnostics> {
        let filled =
            self.fill(document, roots, store.as_deref_mut(), recorder.as_deref_mut())?;
        // Only templates need these.
        #[cfg(not(feature = "eval"))]
        let _ = (store, recorder, texts);
        #[cfg(feature = "eval")]
        let session = if self.evaluates() {
            let store = store.as_deref();
            let session = self.evaluate(document, roots, store, recorder, texts)?;
            let mut unused = filled.unused;
            unused.retain(|name| self.filling.unused && !session.context.is_used(name));
            variables::unused(&unused).map_or(Ok(()), Err)?;
            Some(session)
        } else {
            None
        };
        Ok(Finished {
            is_document_filled: filled.is_document_changed,
            undefined: filled.undefined,
            #[cfg(feature = "eval")]
            session,
        })
    }

    /// Fills in the variables of some documents of the stream. A recorder keeps the changes.
    ///
    /// # Errors
    /// Each value that is missing, unused or not usable, as the rules say.
    pub fn fill(
        &self,
        document: &mut Tree,
        roots: &[usize],
        store: Option<&mut Store>,
        recorder: Option<&mut Recorder>,
    ) -> Result<Filled, Diagnostics> {
        if !self.fills(store.as_deref()) {
            return Ok(Filled::default());
        }
        // A variable without a `((name))` may be used in a template.
        let unused = self.filling.unused && !self.evaluates();
        let rules = FillOptions { unused, ..self.filling.clone() };
        let (roots, given) = (roots.iter().copied(), &self.given);
        let filled =
            variables::fill(document, roots, given, store, &*self.world, &rules)?;
        if let Some(recorder) = recorder {
            recorder.record_variables(document);
        }
        Ok(filled)
    }
}

#[cfg(feature = "eval")]
impl Pipeline {
    /// Evaluates the templates and expressions of some documents of the stream. Returns the
    /// session, with its warnings and the files that templates write. No message shows the
    /// values of a store. A recorder keeps the changes.
    ///
    /// # Errors
    /// Each exception, with its places in `texts`.
    pub fn evaluate(
        &self,
        document: &mut Tree,
        roots: &[usize],
        store: Option<&Store>,
        recorder: Option<&mut Recorder>,
        texts: &Sources,
    ) -> Result<Session, Diagnostics> {
        let secrets = store.map(Store::secret_texts).unwrap_or_default();
        let mut session = self.session()?.hiding(secrets);
        eval::fill(document, roots.iter().copied(), &mut session)
            .map_err(|exceptions| raised(&exceptions, texts))?;
        if let Some(recorder) = recorder {
            recorder.record_templates(document);
        }
        Ok(session)
    }

    /// Starts a run of the evaluator with the values of variables.
    ///
    /// # Errors
    /// A value is too large with its aliases written out.
    pub fn session(&self) -> Result<Session, Diagnostics> {
        let EvaluationRules { settings, limits, folder, .. } = &self.evaluation;
        let world = self.world.clone();
        let languages = eval::languages(settings);
        let mut context = Context::new(world, self.rules.allow, folder, languages);
        context.limits = *limits;
        let values = eval::given(&self.given, yaml::blank()?)?;
        Ok(Session::new(context).variables(values))
    }
}

/// Returns exceptions as errors, with their places in `texts`.
#[cfg(feature = "eval")]
pub(super) fn raised(exceptions: &[Exception], texts: &Sources) -> Diagnostics {
    Diagnostics(exceptions.iter().map(|it| *eval::report(it, texts)).collect())
}
