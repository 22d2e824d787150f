//! The state that a document and its nodes share.

use interpolate::{
    Document, Job, JsonPointer, Patch, PlaceHistory, Problem, Recording, Result,
    Variables,
};

use crate::data::Value;

/// A document with the patches that made it what it is.
pub(crate) struct State {
    pub(crate) document: Document,
    /// The document before all patches.
    read: Document,
    /// Every edit is a patch, for `explain`.
    patches: Vec<Patch>,
    /// True if the last one is of edits by code.
    code: bool,
}

impl State {
    pub(crate) fn new(document: Document) -> State {
        State { read: document.clone(), document, patches: Vec::new(), code: false }
    }

    /// Applies a patch.
    pub(crate) fn apply(&mut self, patch: Patch) -> Result<()> {
        self.document.apply(&patch)?;
        self.patches.push(patch);
        self.code = false;
        Ok(())
    }

    /// Applies edits of code: all of them, or none.
    pub(crate) fn edit(&mut self, edits: Patch) -> Result<()> {
        if edits.is_empty() {
            return Ok(());
        }
        self.document.apply(&edits)?;
        self.note(edits);
        Ok(())
    }

    /// Replaces what stands at a pointer.
    pub(crate) fn replace(&mut self, at: JsonPointer, value: &Value) -> Result<()> {
        self.document.replace_at(&at, value)?;
        self.note(Patch::new().replace_at(at, value)?);
        Ok(())
    }

    /// Adds an entry or an item.
    pub(crate) fn add(&mut self, at: JsonPointer, value: &Value) -> Result<()> {
        self.document.add_at(&at, value)?;
        self.note(Patch::new().add_at(at, value)?);
        Ok(())
    }

    /// Removes what stands at a pointer.
    pub(crate) fn remove(&mut self, at: JsonPointer) -> Result<()> {
        self.document.remove_at(&at)?;
        self.note(Patch::new().remove_at(at));
        Ok(())
    }

    /// Notes an edit of code. Many edits are one patch: a document with many is slow to explain.
    fn note(&mut self, edit: Patch) {
        match self.patches.last_mut().filter(|_| self.code) {
            Some(last) => last.extend(edit),
            None => self.patches.push(edit),
        }
        self.code = true;
    }

    /// Puts edited data back into the text, which is then a new one.
    pub(crate) fn put(&mut self, edited: &Document, job: &Job) -> Result<Vec<Problem>> {
        let notes = self.document.put_with(edited, job)?;
        self.read = self.document.clone();
        self.patches.clear();
        Ok(notes)
    }

    /// Fills in variables; the text is then a new one.
    pub(crate) fn fill(&mut self, variables: &Variables) -> Result<()> {
        self.document.fill(variables)?;
        self.read = self.document.clone();
        self.patches.clear();
        Ok(())
    }

    /// Returns the histories of the places that a path leads to.
    pub(crate) fn explain(&self, path: &str) -> Result<Vec<PlaceHistory>> {
        let mut recording = Recording::of(self.read.clone());
        for patch in &self.patches {
            recording.apply(patch)?;
        }
        recording.finish().find(path)
    }

    /// Returns the pointers of the nodes that a query selects.
    pub(crate) fn select(&self, query: &str) -> Result<Vec<JsonPointer>> {
        let found = self.document.select(query)?;
        Ok(found.iter().map(interpolate::Node::pointer).collect())
    }
}
