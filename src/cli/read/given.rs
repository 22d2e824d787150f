//! Variables in two readings.

use interpolate::unstable::diagnostic;
use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::scalar::Scalar;
use interpolate::unstable::variables::Bindings;

/// The variables, as `((name))` inserts them and as templates see them.
#[derive(Default)]
pub struct Given {
    inserted: Bindings,
    seen: Bindings,
}

/// A value that is read as bosh reads it, and in the dialect of templates.
pub struct GivenDocument {
    pub inserted: Tree,
    pub seen: Tree,
}

impl Given {
    pub fn add_text(&mut self, name: &str, text: &str) {
        self.inserted.add_text(name, text);
        self.seen.add_text(name, text);
    }

    pub fn add_document(&mut self, name: &str, document: &GivenDocument) {
        self.inserted.add_document(name, &document.inserted);
        self.seen.add_document(name, &document.seen);
    }

    /// Adds each entry of a mapping as a variable.
    pub fn add_entries(&mut self, document: &GivenDocument) -> diagnostic::Result<()> {
        self.inserted.add_entries(&document.inserted)?;
        self.seen.add_entries(&document.seen)
    }

    /// Adds the value of `-v`, which reads as a document.
    pub fn add_value(&mut self, name: &str, value: &str, document: &GivenDocument) {
        add_value(&mut self.inserted, name, value, &document.inserted);
        add_value(&mut self.seen, name, value, &document.seen);
    }

    /// Returns the maximum number of parts of a name.
    pub fn depth(&self) -> usize {
        self.inserted.depth()
    }

    pub fn into_bindings(self) -> Bindings {
        let Given { mut inserted, seen } = self;
        inserted.set_for_templates(seen);
        inserted
    }
}

fn add_value(given: &mut Bindings, name: &str, value: &str, document: &Tree) {
    let root = document.root();
    match document.scalar(root) {
        Scalar::String(_) | Scalar::Binary(_) if document.kind(root) == Kind::Scalar => {
            given.add_text(name, unquoted(value));
        }
        _ => given.add_document(name, document),
    }
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}
