//! The registry of plugins: the filters, tests, lookups and functions that templates may name.
//!
//! A plugin is one row of a table and one function. To add a filter:
//!
//! 1. Write the function in the file of `filter/` that holds its kind:
//!    `fn batch(_: &CallSite<'_>, arguments: Bound) -> Result<Value>`. The piped value is
//!    the first argument; `arguments.split()` gives all of them, in the order of the row.
//! 2. Add a row to the table `FILTERS` at the top of that file:
//!    `Plugin::new("batch", "do_batch", &["value", "linecount"], &["fill_with"], batch)`: the
//!    name in templates, then the name of the Python function, as messages show it, its
//!    required and its optional parameters.
//!
//! [`Registry::call`] refuses undefined arguments (unless the row is `lenient`), counts the
//! work, binds the arguments to the signature and calls the function. Tests (which return a
//! bool), lookups and functions have tables of the same type.

use crate::eval::python::{
    Arguments, Bound, Class, Exception, Object, Result, Signature, Value,
    with_members_raised,
};
use crate::eval::{LookupKind, Scope, secret};

use super::undefined;

/// A plugin: its name, its parameters and the function that runs it.
#[derive(Clone, Copy, Debug)]
pub struct Plugin {
    /// The name in templates. Plugins of a collection have their full name.
    pub name: &'static str,
    /// True if the plugin is called with undefined arguments, too. For others, an undefined
    /// argument is raised.
    pub accepts_undefined: bool,
    body: PluginBody,
}

/// The function of a plugin whose arguments are bound.
type BoundFn = fn(&CallSite<'_>, Bound<'_>) -> Result<Value>;

#[derive(Clone, Copy, Debug)]
enum PluginBody {
    Bound(Signature<'static>, BoundFn),
    Variadic(fn(&CallSite<'_>, Arguments) -> Result<Value>),
    Look(Signature<'static>, fn(&Value) -> bool),
}

/// The plugins of one file.
pub type PluginTable = &'static [Plugin];

/// The place of a call in a template.
#[derive(Clone, Copy, Debug)]
pub struct CallSite<'a> {
    /// The variables that are visible there.
    pub scope: &'a Scope,
    /// The registry, to call other plugins by name.
    pub registry: &'a Registry,
    /// The name in the plugin's row. Several rows may share a function.
    pub name: &'a str,
    /// True within `{% autoescape true %}`.
    pub escapes: bool,
}

/// All plugins that templates may name.
#[derive(Debug)]
pub struct Registry {
    /// Those of each kind, sorted by name.
    plugins: [Vec<&'static Plugin>; 4],
    moved: fn(PluginKind, &str) -> Option<String>,
}

/// The four kinds of plugins, each with its own names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginKind {
    /// `x | name`
    Filter,
    /// `x is name`
    Test,
    /// `lookup('name')`
    Lookup,
    /// `name()`
    Function,
}

impl Plugin {
    /// A plugin whose arguments are bound to the parameters of a Python function before it
    /// runs: its name, as messages show it, its required and its optional parameters.
    pub const fn new(
        name: &'static str,
        function: &'static str,
        required: &'static [&'static str],
        optional: &'static [&'static str],
        run: BoundFn,
    ) -> Plugin {
        Plugin::signed(name, Signature::new(function, required, optional), run)
    }

    /// A plugin with the single parameter `value`.
    pub const fn of_value(
        name: &'static str,
        function: &'static str,
        run: BoundFn,
    ) -> Plugin {
        Plugin::signed(name, Signature::of_value(function), run)
    }

    /// A test of the parameter `value` alone.
    pub const fn look(
        name: &'static str,
        function: &'static str,
        is: fn(&Value) -> bool,
    ) -> Plugin {
        let body = PluginBody::Look(Signature::of_value(function), is);
        Plugin { name, accepts_undefined: false, body }
    }

    /// A plugin with other kinds of parameters.
    pub const fn signed(
        name: &'static str,
        signature: Signature<'static>,
        run: BoundFn,
    ) -> Plugin {
        Plugin { name, accepts_undefined: false, body: PluginBody::Bound(signature, run) }
    }

    /// A plugin that accepts any arguments and reads them itself: `*args, **kwargs`.
    pub const fn variadic(
        name: &'static str,
        run: fn(&CallSite<'_>, Arguments) -> Result<Value>,
    ) -> Plugin {
        Plugin { name, accepts_undefined: false, body: PluginBody::Variadic(run) }
    }

    /// Makes the plugin accept undefined arguments.
    pub const fn lenient(self) -> Plugin {
        Plugin { accepts_undefined: true, ..self }
    }

    fn run(&self, site: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
        match self.body {
            PluginBody::Bound(signature, run) => run(site, signature.bind(arguments)?),
            PluginBody::Variadic(run) => run(site, arguments),
            PluginBody::Look(signature, is) => {
                Ok(Value::Bool(is(&signature.bind(arguments)?.only())))
            }
        }
    }
}

impl Registry {
    /// A registry of the plugins of each kind, in the order of [`PluginKind`]. `moved` returns
    /// the present name of a plugin that was moved to a collection.
    pub fn new(
        tables: [&[PluginTable]; 4],
        moved: fn(PluginKind, &str) -> Option<String>,
    ) -> Registry {
        let plugins = tables.map(|tables| {
            let mut all: Vec<&Plugin> = tables.iter().copied().flatten().collect();
            // Sorted once for a binary search: a name is looked up at each call.
            all.sort_unstable_by_key(|plugin| plugin.name);
            debug_assert!(
                all.is_sorted_by(|one, next| one.name < next.name),
                "two plugins have one name"
            );
            all
        });
        Registry { plugins, moved }
    }

    /// Returns the plugin of a name. The name may have the prefix of Ansible's own collections.
    pub fn find(&self, kind: PluginKind, name: &str) -> Option<&'static Plugin> {
        let name = without_own_collection(name);
        self.named(kind, name).or_else(|| self.named(kind, &(self.moved)(kind, name)?))
    }

    fn named(&self, kind: PluginKind, name: &str) -> Option<&'static Plugin> {
        let plugins = &self.plugins[kind as usize];
        let at = plugins.binary_search_by_key(&name, |plugin| plugin.name).ok()?;
        plugins.get(at).copied()
    }

    /// Returns the plugin of a name.
    ///
    /// # Errors
    /// There is no such plugin.
    pub fn get(&self, kind: PluginKind, name: &str) -> Result<&'static Plugin> {
        self.find(kind, name).ok_or_else(|| self.unknown(kind, name))
    }

    /// Returns the parser's check of names, which knows filters of other languages, too.
    pub(super) fn known_in(
        &self,
        scope: &Scope,
    ) -> impl Fn(PluginKind, &str) -> Result<()> {
        move |kind, name| match self.get(kind, name) {
            Err(_)
                if kind == PluginKind::Filter
                    && scope.known_names(LookupKind::Filter).contains(&name) =>
            {
                Ok(())
            }
            found => found.map(drop).map_err(Exception::naming_source),
        }
    }

    /// Applies a filter. An exception becomes an undefined value that raises it when it is
    /// used, as in Ansible.
    ///
    /// # Errors
    /// There is no such filter, or a limit is exceeded.
    pub fn filter(
        &self,
        scope: &Scope,
        name: &str,
        arguments: Arguments,
        escapes: bool,
    ) -> Result<Value> {
        let plugin = self.get(PluginKind::Filter, name)?;
        undefined::caught(self.call(plugin, scope, arguments, escapes))
    }

    /// Returns true if a test holds.
    ///
    /// # Errors
    /// There is no such test, an argument is undefined, or the test raises an exception.
    pub fn test(&self, scope: &Scope, name: &str, arguments: Arguments) -> Result<bool> {
        let plugin = self.get(PluginKind::Test, name)?;
        Ok(matches!(self.call(plugin, scope, arguments, false)?, Value::Bool(true)))
    }

    /// Calls a plugin. `escapes` is true within `{% autoescape true %}`.
    ///
    /// # Errors
    /// An argument is undefined and the plugin is not lenient, the arguments do not fit the
    /// signature, a limit is exceeded, or the plugin raises an exception.
    pub fn call(
        &self,
        plugin: &Plugin,
        scope: &Scope,
        arguments: Arguments,
        escapes: bool,
    ) -> Result<Value> {
        // An undefined argument is raised even if the arguments do not fit the signature.
        if !plugin.accepts_undefined {
            undefined::refuse(&arguments)?;
        }
        scope.context.spend(1 + weight(&arguments))?;
        // The arguments are kept only if one of them can be a secret: copying them for
        // each call would take time.
        let from = scope.context.has_secrets().then(|| arguments.clone());
        let site = CallSite { scope, registry: self, name: plugin.name, escapes };
        // A plugin that accepts undefined arguments accepts undefined members, too.
        let raises = !plugin.accepts_undefined;
        let made = with_members_raised(raises, || plugin.run(&site, arguments));
        match from {
            Some(from) => {
                let made = secret::keep_call(made, &from, &scope.context)?;
                Ok(undefined::conceal(made, &from.values(), &scope.context))
            }
            None => made,
        }
    }

    fn unknown(&self, kind: PluginKind, name: &str) -> Box<Exception> {
        let (class, message) = match kind {
            PluginKind::Function => (Class::Undefined, format!("'{name}' is undefined")),
            _ if name.matches('.').count() > 1 => {
                (Class::Unsupported, format!("unsupported collection plugin: '{name}'"))
            }
            PluginKind::Lookup => {
                (Class::Missing, format!("The lookup plugin '{name}' was not found."))
            }
            PluginKind::Filter | PluginKind::Test => {
                let kind = if kind == PluginKind::Filter { "filter" } else { "test" };
                let message =
                    format!("Could not load \"{name}\": no {kind} named '{name}'");
                (Class::Syntax, message)
            }
        };
        let known = self.plugins[kind as usize].iter().map(|plugin| plugin.name);
        Exception::new(class, message).did_you_mean(known, without_own_collection(name))
    }
}

/// Removes the prefix of a collection whose plugins have short names, too.
pub(super) fn without_own_collection(name: &str) -> &str {
    let own = ["ansible.builtin.", "ansible.legacy."];
    own.iter().find_map(|own| name.strip_prefix(own)).unwrap_or(name)
}

/// Returns the steps that reading some arguments costs: one for 8 bytes of a text, and one
/// for each member. Most plugins look at all of them.
fn weight(arguments: &Arguments) -> u64 {
    let weight = |value: &Value| match value {
        Value::Str(text) => text.len() / 8,
        Value::List(members) => members.read().len(),
        Value::Tuple(members) => members.len(),
        Value::Dict(entries) => entries.read().len(),
        _ => 0,
    };
    arguments.values().into_iter().map(weight).sum::<usize>() as u64
}

impl<'a> CallSite<'a> {
    /// Returns the name without its collection.
    pub fn short_name(&self) -> &'a str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    /// Returns true if the rules before Ansible 2.19 hold.
    pub(super) fn is_older(&self) -> bool {
        self.scope.context.dialects.iter().any(|dialect| dialect.is_older())
    }

    /// Applies another filter.
    pub fn filter(&self, name: &str, arguments: Arguments) -> Result<Value> {
        self.registry.filter(self.scope, name, arguments, self.escapes)
    }

    /// Returns true if another test holds.
    pub fn test(&self, name: &str, arguments: Arguments) -> Result<bool> {
        self.registry.test(self.scope, name, arguments)
    }
}

#[derive(Debug)]
pub(super) struct FunctionValue {
    pub(super) plugin: &'static Plugin,
    pub(super) scope: Scope,
    pub(super) registry: &'static Registry,
}

impl Object for FunctionValue {
    fn type_name(&self) -> &str {
        "function"
    }

    fn stored(&self) -> Result<Option<Value>> {
        Err(Exception::unstorable(self.type_name()))
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, arguments: Arguments) -> Result<Value> {
        self.registry.call(self.plugin, &self.scope, arguments, false)
    }
}
