//! The main job: directives, a patch, variables and templates, in this order.

use super::error::{Error, Result, texts};
use super::reader::Reader;
use super::variables::Variables;
use crate::apply::Reach;
#[cfg(feature = "eval")]
use crate::eval::{LanguageSettings, Limits};
#[cfg(feature = "eval")]
use crate::job::EvaluationRules;
use crate::job::{Patches, Pipeline};
use crate::node::Tree;
use crate::patch::Patch;
use crate::variables::FillOptions;
use crate::yaml;

/// The work of the program on a document without a command: it applies merge directives and a
/// patch, fills in variables and evaluates templates, in this order.
///
/// By default the directives of the first document are applied.
///
/// ```
/// use interpolate::{Document, Documents, Job, Patch, Recording, Variables};
///
/// let text = "kind: A\nn: 1\n---\nkind: B\nbase: {n: 1}\nweb: {+/base: , host: ((host))}\n";
/// let mut variables = Variables::new();
/// variables.set("host", "b.example")?;
/// let job = Job::new()
///     .documents(Documents::Where("kind=B".into()))
///     .patch(Patch::new().replace("/base/n", 2)?)
///     .variables(variables);
/// let mut recording = Recording::of(Document::parse(text)?);
/// recording.run(&job)?;
/// let expected = "kind: A\nn: 1\n---\nkind: B\nbase: {n: 2}\nweb: {host: b.example, n: 1}\n";
/// assert_eq!(recording.document().to_string(), expected);
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    pub(super) documents: Documents,
    pub(super) directives: bool,
    pub(super) patch: Patch,
    pub(super) variables: Variables,
    #[cfg(feature = "eval")]
    pub(super) templates: bool,
}

/// Documents of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Documents {
    /// The first one.
    #[default]
    First,
    /// Every one.
    All,
    /// Those that a selector chooses; see [`Document::apply_where`](crate::Document).
    Where(String),
}

impl Default for Job {
    fn default() -> Job {
        Job {
            documents: Documents::First,
            directives: true,
            patch: Patch::new(),
            variables: Variables::new(),
            #[cfg(feature = "eval")]
            templates: false,
        }
    }
}

/// Returns the pipeline that fills in variables, or evaluates templates that use them.
pub(super) fn pipeline_of(
    variables: &Variables,
    reader: &Reader,
    document: &Tree,
) -> Pipeline {
    Job::new().variables(variables.clone()).pipeline(reader, document)
}

impl Job {
    /// Returns the job that applies the directives of the first document.
    pub fn new() -> Job {
        Job::default()
    }

    /// Sets the documents of the stream that the job is for.
    #[must_use]
    pub fn documents(self, documents: Documents) -> Job {
        Job { documents, ..self }
    }

    /// With false, merge directives are plain keys.
    #[must_use]
    pub fn directives(self, directives: bool) -> Job {
        Job { directives, ..self }
    }

    /// Sets the patch. An op with a selector of its own (`where`) chooses among all
    /// documents of the stream, or among those that the job selects.
    #[must_use]
    pub fn patch(self, patch: Patch) -> Job {
        Job { patch, ..self }
    }

    /// Sets the variables. They are filled in, and templates see them, in all documents that
    /// the patch was applied to.
    #[must_use]
    pub fn variables(self, variables: Variables) -> Job {
        Job { variables, ..self }
    }

    /// With true, templates and expressions are evaluated.
    #[cfg(feature = "eval")]
    #[must_use]
    pub fn templates(self, templates: bool) -> Job {
        Job { templates, ..self }
    }

    /// Compiles the directives of the documents in `reach`, for the patch of the job.
    pub(super) fn patches(
        &self,
        reader: &Reader,
        document: &Tree,
        reach: Reach,
    ) -> Result<Patches> {
        let clean = yaml::clean(document);
        let document = clean.map_err(|error| Error::about(error, document))?;
        let mut texts = texts(document.arenas());
        let rules = self.directives.then(|| reader.rules(&document));
        let ops = self.patch.clone();
        let world = &**reader.outside();
        Patches::compile(&document, ops, reach, rules.as_ref(), &mut texts, world)
            .map_err(|errors| Error::new(errors, texts))
    }

    /// Returns the pipeline of the job for a document.
    pub(super) fn pipeline(&self, reader: &Reader, document: &Tree) -> Pipeline {
        Pipeline {
            world: reader.outside().clone(),
            rules: reader.rules(document),
            expands: self.directives,
            all_documents: self.documents == Documents::All,
            given: self.variables.bindings().clone(),
            filling: FillOptions::default(),
            #[cfg(feature = "eval")]
            evaluation: EvaluationRules {
                is_on: self.templates,
                settings: LanguageSettings::default(),
                limits: Limits::default(),
                folder: ".".into(),
            },
        }
    }
}
