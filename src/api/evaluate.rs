//! Templates and expressions about a document.

use std::sync::Arc;

use super::document::Document;
use super::error::{Error, Result, texts};
use super::job::pipeline_of;
use super::reader::Reader;
use super::variables::Variables;
use crate::diagnostic::Diagnostics;
use crate::eval::{self, Exception, Language, Session, Start};
use crate::scalar::Dialect;
use crate::source::Sources;
use crate::yaml::{self, Options};

// Evaluation.
impl Document {
    /// Evaluates a template or an expression about this document, and returns its value
    /// as a document: [`Node::text`](crate::Node::text) of its root is the text of a
    /// template.
    ///
    /// A text with `{{`, `{%` or `{#` is a Jinja template as Ansible speaks it. Any other
    /// text is an expression of Unfurl: a path such as `jobs::name`, or a mapping such as
    /// `{eval: …}`. The keys at the top of the document are names, which variables hide.
    ///
    /// # Errors
    /// The exception, with the places that needed the value.
    ///
    /// ```
    /// use interpolate::{Document, Variables};
    ///
    /// let document = Document::parse("jobs: [{name: web, n: 2}, {name: db, n: 3}]\n")?;
    /// let mut variables = Variables::new();
    /// variables.set("factor", 10)?;
    /// let sum = "{{ (jobs | map(attribute='n') | sum) * factor }}";
    /// let sum = document.evaluate(sum, &variables)?;
    /// assert_eq!(sum.deserialize::<u32>()?, 50);
    /// assert_eq!(document.evaluate("jobs::name", &variables)?.to_string(), "- web\n- db\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn evaluate(&self, expression: &str, variables: &Variables) -> Result<Document> {
        let mut texts = self.texts_with(variables);
        let file = texts.add("expression", expression);
        let language = Language::of(expression);
        let source = language
            .read(&texts, file, &Options::default())
            .map_err(|error| Error::new(error, texts.clone()))?;
        let mut session = self.session(variables)?;
        session.strict = language.strict();
        let written = Arc::new(self.tree().clone());
        let root = written.root();
        let session = session.document(eval::read(&written, root), Start::default());
        let failed = |exception: Box<Exception>| {
            Error::new(diagnostics(&[*exception], &texts), texts.clone())
        };
        let value = session.evaluate(language.name(), &source).map_err(failed)?;
        let mut blank =
            yaml::blank().map_err(|error| Error::new(error, texts.clone()))?;
        let text = eval::to_yaml(&mut blank, &value).map_err(failed)?;
        let tree = Reader::new().dialect(Dialect::Core).tree("", text)?;
        Ok(Document::new(tree, self.reader().clone()))
    }

    /// Replaces every template and expression in the first document by its value.
    /// Everything else keeps its bytes.
    ///
    /// # Errors
    /// All exceptions, with their places.
    ///
    /// ```
    /// use interpolate::{Document, Variables};
    ///
    /// let text = "name: shop\nhost: '{{ name }}.example'   # public\n";
    /// let mut document = Document::parse(text)?;
    /// document.evaluate_all(&Variables::new())?;
    /// assert_eq!(document.to_string(), "name: shop\nhost: shop.example   # public\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn evaluate_all(&mut self, variables: &Variables) -> Result<()> {
        self.evaluate_in(&[0], variables)
    }

    /// Evaluates some documents of the stream.
    pub(super) fn evaluate_in(
        &mut self,
        roots: &[usize],
        variables: &Variables,
    ) -> Result<()> {
        let pipeline = pipeline_of(variables, self.reader(), self.tree());
        let texts = self.texts_with(variables);
        self.edit(|tree| pipeline.evaluate(tree, roots, None, None, &texts).map(drop))
    }

    /// Returns the texts that exceptions may point into.
    pub(super) fn texts_with(&self, variables: &Variables) -> Sources {
        texts(self.tree().arenas().chain(variables.bindings().arenas()))
    }

    /// Starts a run of the evaluator with variables, and without a document.
    fn session(&self, variables: &Variables) -> Result<Session> {
        let pipeline = pipeline_of(variables, self.reader(), self.tree());
        pipeline.session().map_err(|error| Error::new(error, self.texts_with(variables)))
    }
}

fn diagnostics(exceptions: &[Exception], texts: &Sources) -> Diagnostics {
    Diagnostics(exceptions.iter().map(|it| *eval::report(it, texts)).collect())
}
