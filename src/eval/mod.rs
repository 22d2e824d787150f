//! Evaluation: a patched tree and the languages its texts and mappings may be written in
//! come in, values go out. A place is evaluated when somebody needs it, once; one that
//! needs itself is reported with the chain of places that led back to it.
//!
//! The languages do not know each other: what one meets that is another's goes through
//! [`Scope::evaluate`].

mod complete;
mod context;
mod dialect;
mod fill;
mod given;
pub mod jinja;
pub(crate) mod known;
mod outside;
mod place;
#[allow(
    unreachable_pub,
    reason = "laid out as a library of its own: `pub` marks what other modules use"
)]
pub(crate) mod python;
mod read;
mod report;
mod secret;
mod sensitive;
mod session;
pub(crate) mod stack;
pub mod unfurl;
mod walk;
mod write;
pub mod yaml;
pub mod yaql;

pub use complete::complete;
pub use context::{Context, Limits, Quota};
pub use dialect::{Dialect, Kept, Loan, Stage, Style};
pub use fill::{fill, is_source};
pub use given::given;
pub use outside::Outside;
pub use place::Place;
pub use python::{Dict, Exception, Key, Stamp, Str, Value};
pub(crate) use read::scalar as read_scalar;
pub use read::{read, read_text};
pub use report::report;
pub use session::{Session, Start};
pub use write::{to_json, to_yaml, write};

use std::sync::Arc;

use python::Result;

/// Every language, in the order they are asked.
pub fn languages() -> Vec<Arc<dyn Dialect>> {
    vec![
        Arc::new(unfurl::Unfurl),
        Arc::new(jinja::Jinja::default()),
        Arc::new(yaql::Yaql),
    ]
}

/// What names and relative expressions mean where something is evaluated.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The run.
    pub context: Arc<Context>,
    /// What names stand for; an inner one hides an outer one.
    pub names: Names,
    /// What a relative expression starts from, and `SELF`.
    pub here: Value,
    /// What to do about what is not there.
    pub strict: Strict,
}

/// Names and what they stand for, those of outer scopes behind them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    own: Dict,
    outer: Option<Arc<Names>>,
}

/// What to do about what is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strict {
    /// An undefined name in a template is shown as it was written; a cycle is null.
    Lenient,
    /// An undefined name in a template is an error.
    #[default]
    Undefined,
    /// So is a cycle.
    Cycles,
    /// So is an expression without a result.
    Required,
    /// So is an expression whose result is null.
    NotNull,
}

impl Names {
    /// Names that hide these.
    #[must_use]
    pub fn within(&self, own: Dict) -> Names {
        Names { own, outer: Some(Arc::new(self.clone())) }
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Result<Option<Value>> {
        let mut level = Some(self);
        while let Some(names) = level {
            if names.own.has_text(name) {
                return names.own.get_text(name);
            }
            level = names.outer.as_deref();
        }
        Ok(None)
    }

    /// Every name, each once, inner ones first.
    pub fn all(&self) -> Vec<String> {
        let (mut all, mut level) = (indexmap::IndexSet::new(), Some(self));
        while let Some(names) = level {
            let own = names.own.read();
            all.extend(own.keys().filter_map(|key| key.as_str().map(str::to_owned)));
            level = names.outer.as_deref();
        }
        all.into_iter().collect()
    }
}

impl From<Dict> for Names {
    fn from(own: Dict) -> Names {
        Names { own, outer: None }
    }
}

impl Scope {
    /// The same with more names.
    #[must_use]
    pub fn within(&self, names: Dict) -> Scope {
        Scope { names: self.names.within(names), ..self.clone() }
    }

    /// What a source evaluates to in the language it is written in; a container that is
    /// written in none holds its members, to be evaluated when somebody asks.
    pub fn evaluate(&self, source: &Value) -> Result<Value> {
        let source = source.force()?;
        let mut dialects = self.context.dialects.iter();
        if let Some(dialect) =
            dialects.find(|dialect| dialect.speaks(&source, &self.context))
        {
            return dialect.evaluate(&source, self);
        }
        Ok(match &source {
            Value::List(items) => {
                Value::list(items.read().iter().map(|item| Place::of(item, self)))
            }
            Value::Tuple(items) => {
                Value::tuple(items.iter().map(|item| Place::of(item, self)))
            }
            Value::Dict(entries) => {
                let entries = entries.read();
                let entry = |(key, value): (&crate::eval::python::Key, &Value)| {
                    (key.clone(), Place::of(value, self))
                };
                Value::Dict(entries.iter().map(entry).collect())
            }
            _ => source,
        })
    }
}
