//! Recording: a document that keeps who set its values.

use super::document::Document;
use super::error::{Result, add_arguments, texts};
use super::history::History;
use super::job::{Documents, Job, pipeline_of};
use super::variables::Variables;
use crate::apply::Reach;
use crate::diagnostic::Diagnostics;
use crate::history::Recorder;
use crate::node::Tree;
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
        self.apply_within(patch, &self.document.first())
    }

    /// Applies a patch to every document of the stream.
    ///
    /// # Errors
    /// As [`Document::apply_to_all`].
    pub fn apply_to_all(&mut self, patch: &Patch) -> Result<()> {
        self.apply_within(patch, &self.document.all())
    }

    /// Applies a patch to the documents of the stream that a selector chooses.
    ///
    /// # Errors
    /// As [`Document::apply_where`].
    pub fn apply_where(&mut self, patch: &Patch, selector: &str) -> Result<()> {
        self.apply_within(patch, &self.document.selected(selector)?)
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
        self.expand_each(self.document.first())
    }

    /// Applies the merge directives of every document of the stream.
    ///
    /// # Errors
    /// As [`expand`](Recording::expand).
    pub fn expand_all(&mut self) -> Result<()> {
        self.expand_each(self.document.all())
    }

    /// Applies the merge directives of the documents of the stream that a selector chooses.
    ///
    /// # Errors
    /// As [`expand`](Recording::expand) and [`Document::apply_where`].
    pub fn expand_where(&mut self, selector: &str) -> Result<()> {
        self.expand_each(self.document.selected(selector)?)
    }

    fn expand_each(&mut self, reach: Reach) -> Result<()> {
        let reader = self.document.reader();
        let tree = self.document.tree();
        let patches = Job::new().patches(reader, tree, reach)?;
        self.edit(Patch::NONE, |tree, recorder| patches.apply(tree, Some(recorder)))?;
        Ok(())
    }

    fn apply_within(&mut self, patch: &Patch, reach: &Reach) -> Result<()> {
        self.edit(patch, |tree, recorder| recorder.apply(patch, tree, reach).map(drop))
    }

    /// Runs an edit on a copy of the document and the recorder, which replace them if it
    /// succeeds.
    fn edit<T>(
        &mut self,
        patch: &Patch,
        edit: impl FnOnce(&mut Tree, &mut Recorder) -> std::result::Result<T, Diagnostics>,
    ) -> Result<T> {
        let mut recorder = self.recorder.clone();
        let done = self.document.edit_with(patch, |tree| edit(tree, &mut recorder))?;
        self.recorder = recorder;
        add_arguments(&mut self.arguments, patch);
        Ok(done)
    }

    /// Does a whole job. Returns the documents of the stream that the result is about, from 0:
    /// those of the job, or those that the ops chose, if each op has a selector.
    ///
    /// # Errors
    /// As [`expand`](Recording::expand), [`apply_where`](Recording::apply_where),
    /// [`fill`](Recording::fill) and `evaluate_all`.
    pub fn run(&mut self, job: &Job) -> Result<Vec<usize>> {
        let reach = self.document.reach(&job.documents)?;
        let reader = self.document.reader();
        let tree = self.document.tree();
        let pipeline = job.pipeline(reader, tree);
        let patches = job.patches(reader, tree, reach)?;
        let applied = self.edit(&job.patch, |tree, recorder| {
            let applied = patches.apply(tree, Some(recorder))?;
            let roots = applied.touched(&patches.reach);
            let texts = texts(tree.arenas().chain(job.variables.bindings().arenas()));
            pipeline.finish(tree, &roots, None, Some(recorder), &texts)?;
            Ok(applied)
        })?;
        Ok(applied.shown(&patches.reach, job.documents != Documents::First))
    }

    /// Replaces the `((names))` of the first document, as [`Document::fill`] does.
    ///
    /// # Errors
    /// As [`Document::fill`].
    pub fn fill(&mut self, variables: &Variables) -> Result<()> {
        self.fill_in(&[0], variables)
    }

    fn fill_in(&mut self, roots: &[usize], variables: &Variables) -> Result<()> {
        let document = &self.document;
        let pipeline = pipeline_of(variables, document.reader(), document.tree());
        self.edit(Patch::NONE, |tree, recorder| {
            pipeline.fill(tree, roots, None, Some(recorder)).map(drop)
        })
    }

    /// Replaces the templates and expressions of the first document, as
    /// [`Document::evaluate_all`] does. Give it the variables of
    /// [`fill`](Recording::fill), too: the history hides results that contain a value by
    /// comparing them with the values given here.
    ///
    /// # Errors
    /// As [`Document::evaluate_all`].
    #[cfg(feature = "eval")]
    pub fn evaluate_all(&mut self, variables: &Variables) -> Result<()> {
        self.evaluate_in(&[0], variables)
    }

    #[cfg(feature = "eval")]
    fn evaluate_in(&mut self, roots: &[usize], variables: &Variables) -> Result<()> {
        let document = &self.document;
        let pipeline = pipeline_of(variables, document.reader(), document.tree());
        let texts = self.document.texts_with(variables);
        self.edit(Patch::NONE, |tree, recorder| {
            pipeline.evaluate(tree, roots, None, Some(recorder), &texts).map(drop)
        })
    }

    /// Ends the recording.
    pub fn finish(self) -> History {
        History::new(self.recorder.finish(self.document.into_tree()), self.arguments)
    }
}
