//! The main job: directives, a patch, variables and templates, in this order.

use super::variables::Variables;
use crate::patch::Patch;

/// What the program does to a document without a command: it applies merge directives and a
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
}
