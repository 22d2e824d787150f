//! The registry: a name comes in, the filter, test, lookup or function of that name goes
//! out, or is called.

use crate::diagnostic::near;
use crate::eval::python::{Arguments, Class, Exception, Result, Value};
use crate::eval::{Scope, secret};

use super::undefined::{self, Undefined};
use super::{filter, function, lookup, test};

/// What a filter, a test, a lookup or a function does. A filter and a test find what is
/// piped to them as the first positional argument.
pub type Plugin = fn(&Call<'_>, Arguments) -> Result<Value>;

/// Where a plugin is called.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// What names stand for there.
    pub scope: &'a Scope,
    /// To call other plugins by their names.
    pub engine: &'a Engine,
    /// Its name, without the collection it was asked for in.
    pub name: &'a str,
}

/// A plugin and its name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// As templates write it; plugins of a collection with their full name.
    pub name: &'static str,
    /// What it does.
    pub plugin: Plugin,
    /// Whether it is called even where an argument is undefined; others are not, and the
    /// result is undefined as well.
    pub accepts_undefined: bool,
}

/// A table of plugins, in the order of their names.
pub type Table = &'static [Entry];

/// All plugins that templates may name.
#[derive(Clone, Debug)]
pub struct Engine {
    filters: Vec<Table>,
    tests: Vec<Table>,
    lookups: Vec<Table>,
    functions: Vec<Table>,
}

/// A kind of plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `x | name`
    Filter,
    /// `x is name`
    Test,
    /// `lookup('name')`
    Lookup,
    /// `name()`
    Function,
}

impl Entry {
    /// A plugin that is not called with undefined arguments.
    pub const fn new(name: &'static str, plugin: Plugin) -> Entry {
        Entry { name, plugin, accepts_undefined: false }
    }

    /// A plugin that is called with undefined arguments.
    pub const fn lenient(name: &'static str, plugin: Plugin) -> Entry {
        Entry { name, plugin, accepts_undefined: true }
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine {
            filters: vec![filter::FILTERS, filter::collection::FILTERS],
            tests: vec![test::TESTS, test::collection::TESTS],
            lookups: vec![lookup::LOOKUPS, lookup::collection::LOOKUPS],
            functions: vec![function::FUNCTIONS],
        }
    }
}

impl Engine {
    /// Adds plugins; those that were there before hide them.
    #[must_use]
    pub fn with(mut self, kind: Kind, table: Table) -> Engine {
        match kind {
            Kind::Filter => self.filters.push(table),
            Kind::Test => self.tests.push(table),
            Kind::Lookup => self.lookups.push(table),
            Kind::Function => self.functions.push(table),
        }
        self
    }

    /// The plugin of a name, which may be written with the collection it comes from.
    pub fn find(&self, kind: Kind, name: &str) -> Option<&'static Entry> {
        let name = bare(name);
        let entry = |table: &Table| {
            let at = table.binary_search_by(|entry| entry.name.cmp(name)).ok()?;
            table.get(at)
        };
        self.tables(kind).iter().find_map(entry).or_else(|| match kind {
            Kind::Filter => self.find(kind, &filter::collection::moved(name)?),
            Kind::Test | Kind::Lookup | Kind::Function => None,
        })
    }

    /// The plugin of a name.
    ///
    /// # Errors
    /// There is none.
    pub fn get(&self, kind: Kind, name: &str) -> Result<&'static Entry> {
        self.find(kind, name).ok_or_else(|| self.unknown(kind, name))
    }

    /// What a filter makes of its arguments. What goes wrong is a value, too, until somebody
    /// wants to see it.
    ///
    /// # Errors
    /// There is no such filter; a limit is passed.
    pub fn filter(
        &self,
        scope: &Scope,
        name: &str,
        arguments: Arguments,
    ) -> Result<Value> {
        let entry = self.get(Kind::Filter, name)?;
        undefined::caught(self.call(entry, scope, arguments))
    }

    /// Whether a test holds.
    ///
    /// # Errors
    /// There is no such test; an argument is undefined; what the test raises.
    pub fn test(&self, scope: &Scope, name: &str, arguments: Arguments) -> Result<bool> {
        let entry = self.get(Kind::Test, name)?;
        match self.call(entry, scope, arguments)? {
            Value::Bool(holds) => Ok(holds),
            other => Err(Exception::of_type(format!(
                "the test '{name}' gave {} where a bool belongs",
                other.type_name()
            ))),
        }
    }

    /// Calls a plugin, unless an argument is undefined that it does not accept: that is
    /// raised.
    pub fn call(
        &self,
        entry: &Entry,
        scope: &Scope,
        arguments: Arguments,
    ) -> Result<Value> {
        if !entry.accepts_undefined {
            undefined::refuse(&arguments)?;
        }
        scope.context.spend(1 + weight(&arguments))?;
        let from = scope.context.is_guarded().then(|| arguments.clone());
        let made =
            (entry.plugin)(&Call { scope, engine: self, name: entry.name }, arguments);
        match from {
            Some(from) => {
                let made = secret::keep_call(made, &from, &scope.context)?;
                Ok(undefined::told(made, &from.values(), &scope.context))
            }
            None => made,
        }
    }

    fn tables(&self, kind: Kind) -> &[Table] {
        match kind {
            Kind::Filter => &self.filters,
            Kind::Test => &self.tests,
            Kind::Lookup => &self.lookups,
            Kind::Function => &self.functions,
        }
    }

    fn unknown(&self, kind: Kind, name: &str) -> Box<Exception> {
        let known = self.tables(kind).iter().flat_map(|table| table.iter());
        let near = near(known.map(|entry| entry.name), bare(name));
        let exception = match kind {
            Kind::Filter | Kind::Test | Kind::Lookup if name.matches('.').count() > 1 => {
                let message = format!("unsupported collection plugin: '{name}'");
                Exception::new(Class::Unsupported, message)
            }
            Kind::Filter => Exception::new(
                Class::Syntax,
                format!("Could not load \"{name}\": no filter named '{name}'"),
            ),
            Kind::Test => Exception::new(
                Class::Syntax,
                format!("Could not load \"{name}\": no test named '{name}'"),
            ),
            Kind::Lookup => Exception::new(
                Class::Missing,
                format!("The lookup plugin '{name}' was not found."),
            ),
            Kind::Function => Undefined::missing_name(name),
        };
        match near {
            Some(near) => exception.hint(format!("did you mean '{near}'?")),
            None => exception,
        }
    }
}

/// A name without the collection that templates need not say.
fn bare(name: &str) -> &str {
    let own = ["ansible.builtin.", "ansible.legacy."];
    own.iter().find_map(|own| name.strip_prefix(own)).unwrap_or(name)
}

/// The steps that it takes to read the texts among some arguments.
fn weight(arguments: &Arguments) -> u64 {
    let texts = arguments.values().into_iter().filter_map(Value::as_str);
    texts.map(|text| text.len() as u64 / 64).sum()
}

impl Call<'_> {
    /// What another filter makes of its arguments.
    pub fn filter(&self, name: &str, arguments: Arguments) -> Result<Value> {
        self.engine.filter(self.scope, name, arguments)
    }

    /// Whether another test holds.
    pub fn test(&self, name: &str, arguments: Arguments) -> Result<bool> {
        self.engine.test(self.scope, name, arguments)
    }
}
