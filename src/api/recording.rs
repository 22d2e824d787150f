//! Recording: a document that keeps who set its values.

use super::document::Document;
use super::error::{Result, add_arguments};
use super::history::History;
use super::job::{Documents, Job};
use super::variables::Variables;
use crate::apply::{Applied, Reach};
use crate::history::Recorder;
use crate::patch::Patch;
use crate::source::Sources;

/// A document that keeps what patches, variables and templates do to it, for its
/// [`History`].
///
/// ```
/// use interpolate::{Action, By, Document, Patch, Recording};
///
/// let mut recording = Recording::of(Document::parse("web: {instances: 2}\n")?);
/// let ops = "- type: replace\n  path: /web/instances\n  value: 5\n";
/// recording.apply(&Patch::parse("scale.yml", ops)?)?;
/// let history = recording.finish();
///
/// let place = &history.find("/web/instances")?[0];
/// assert_eq!(place.value.as_deref(), Some("5"));
/// let [read, changed] = &place.events[..] else { panic!() };
/// assert_eq!((read.by, read.after.as_deref()), (By::Text, Some("2")));
/// assert_eq!((changed.by, changed.action), (By::Op, Action::Changed));
/// assert_eq!(changed.place.as_ref().unwrap().to_string(), "scale.yml:3:10");
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    document: Document,
    recorder: Recorder,
    /// The texts of patches that stand in no arena.
    arguments: Sources,
}

impl Recording {
    /// Begins a recording. Earlier edits of the document are not part of it.
    pub fn of(mut document: Document) -> Recording {
        let mut recorder = Recorder::default();
        recorder.start(document.tree_mut());
        Recording { document, recorder, arguments: Sources::default() }
    }

    /// The document as it is now.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Applies a patch to the first document, or the [directives](Patch::directives) of it.
    ///
    /// # Errors
    /// As [`Document::apply`].
    pub fn apply(&mut self, patch: &Patch) -> Result<()> {
        self.apply_within(patch, &self.document.first()).map(drop)
    }

    /// Applies a patch to every document of the stream.
    ///
    /// # Errors
    /// As [`Document::apply_to_all`].
    pub fn apply_to_all(&mut self, patch: &Patch) -> Result<()> {
        self.apply_within(patch, &self.document.all()).map(drop)
    }

    /// Applies a patch to the documents of the stream that a selector chooses.
    ///
    /// # Errors
    /// As [`Document::apply_where`].
    pub fn apply_where(&mut self, patch: &Patch, selector: &str) -> Result<()> {
        self.apply_within(patch, &self.document.selected(selector)?).map(drop)
    }

    /// Applies the merge directives of the first document.
    ///
    /// # Errors
    /// As [`Patch::directives`], and a directive cannot be merged.
    ///
    /// ```
    /// use interpolate::{By, Document, Recording};
    ///
    /// let text = "base: {a: 1}\nweb: {+/base: , b: 2}\n";
    /// let mut recording = Recording::of(Document::parse(text)?);
    /// recording.expand()?;
    /// let place = &recording.finish().find("/web/a")?[0];
    /// assert!(place.events.iter().any(|event| event.by == By::Directive));
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn expand(&mut self) -> Result<()> {
        self.expand_each(&[0])
    }

    /// Applies the merge directives of every document of the stream.
    ///
    /// # Errors
    /// As [`expand`](Recording::expand).
    pub fn expand_all(&mut self) -> Result<()> {
        self.expand_each(&self.document.all().default)
    }

    /// Applies the merge directives of the documents of the stream that a selector chooses.
    ///
    /// # Errors
    /// As [`expand`](Recording::expand) and [`Document::apply_where`].
    pub fn expand_where(&mut self, selector: &str) -> Result<()> {
        self.expand_each(&self.document.selected(selector)?.default)
    }

    fn expand_each(&mut self, roots: &[usize]) -> Result<()> {
        let directives = |&root| Ok((root, Patch::directives_of(&self.document, root)?));
        let patches = roots.iter().map(directives);
        // All of them are of the text as it was read.
        let patches: Vec<(usize, Patch)> = patches.collect::<Result<_>>()?;
        for (root, patch) in patches.iter().filter(|(_, patch)| !patch.is_empty()) {
            self.apply_within(patch, &Reach::only(vec![*root]))?;
        }
        Ok(())
    }

    fn apply_within(&mut self, patch: &Patch, reach: &Reach) -> Result<Applied> {
        let mut recorder = self.recorder.clone();
        let mut applied = Applied::default();
        self.document.edit_with(patch, |tree| {
            applied = recorder.apply(patch, tree, reach)?;
            Ok(())
        })?;
        self.recorder = recorder;
        add_arguments(&mut self.arguments, patch);
        Ok(applied)
    }

    /// Does a whole job. Returns the documents of the stream that the result is about, from 0:
    /// those of the job, or those that the ops chose, if each op has a selector.
    ///
    /// # Errors
    /// As [`expand`](Recording::expand), [`apply_where`](Recording::apply_where),
    /// [`fill`](Recording::fill) and `evaluate_all`.
    pub fn run(&mut self, job: &Job) -> Result<Vec<usize>> {
        let mut done = self.clone();
        let reach = done.document.reach(&job.documents)?;
        if job.directives {
            done.expand_each(&reach.default)?;
        }
        let applied = done.apply_within(&job.patch, &reach)?;
        let roots = applied.touched(&reach);
        done.fill_in(&roots, &job.variables)?;
        #[cfg(feature = "eval")]
        if job.templates {
            done.evaluate_in(&roots, &job.variables)?;
        }
        *self = done;
        Ok(applied.shown(&reach, job.documents != Documents::First))
    }

    /// Replaces the `((names))` of the first document, as [`Document::fill`] does.
    ///
    /// # Errors
    /// As [`Document::fill`].
    pub fn fill(&mut self, variables: &Variables) -> Result<()> {
        self.fill_in(&[0], variables)
    }

    fn fill_in(&mut self, roots: &[usize], variables: &Variables) -> Result<()> {
        self.document.fill_in(roots, variables)?;
        self.recorder.record_variables(self.document.tree_mut());
        Ok(())
    }

    /// Replaces the templates and expressions of the first document, as
    /// [`Document::evaluate_all`] does.
    ///
    /// # Errors
    /// As [`Document::evaluate_all`].
    #[cfg(feature = "eval")]
    pub fn evaluate_all(&mut self, variables: &Variables) -> Result<()> {
        self.evaluate_in(&[0], variables)
    }

    #[cfg(feature = "eval")]
    fn evaluate_in(&mut self, roots: &[usize], variables: &Variables) -> Result<()> {
        self.document.evaluate_in(roots, variables)?;
        self.recorder.record_templates(self.document.tree_mut());
        Ok(())
    }

    /// Ends the recording.
    pub fn finish(self) -> History {
        History::new(self.recorder.finish(self.document.into_tree()), self.arguments)
    }
}
