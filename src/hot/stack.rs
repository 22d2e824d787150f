//! The stack: a template that is being evaluated, with its input. Functions ask it for
//! parameters, resources, files and conditions; it resolves values with calls in them.
//! The types that depend on it stand here, too: a function, a call of one, and the
//! conditions.

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::RangeBounds;
use std::path::PathBuf;
use std::sync::Arc;

use hashbrown::HashMap;
use indexmap::IndexMap;

use crate::eval::Context;
use crate::eval::python::{
    self, Class, Dict, Exception, Key, Object, Result, Value, limit_depth,
};
use crate::source::{Span, reason};

use super::exception::{
    PathSegment, Placed, TemplatePath, invalid, invalid_at, joined, replacing,
    unknown_resource,
};
use super::input::{Input, Unresolved};
use super::parameter::Parameters;
use super::template::{Template, TemplateNode};
use super::version::Version;

/// A template that is being evaluated, with its input.
#[derive(Debug)]
pub(super) struct Stack {
    pub(super) context: Arc<Context>,
    pub(super) version: Version,
    pub(super) input: Input,
    pub(super) template: Template,
    pub(super) parameters: Parameters,
    conditions: OnceCell<Conditions>,
    /// Results of conditions; `None` while one is evaluated. Each is evaluated once.
    holding: RefCell<HashMap<String, Option<Result<bool>>>>,
    /// Enabled resources, by name; set after the conditions.
    resources: OnceCell<IndexMap<String, Resource>>,
    depth: Cell<usize>,
    /// Number of calls that were kept as they are.
    kept: Cell<usize>,
    warnings: RefCell<Vec<Exception>>,
}

/// The conditions of a template by name, parsed, with the spans of their definitions.
pub(super) type Conditions = IndexMap<String, (Value, Option<Span>)>;

/// A resource as references see it.
#[derive(Clone, Debug, Default)]
pub(super) struct Resource {
    pub(super) name: String,
    pub(super) id: Option<Value>,
    pub(super) attributes: Option<Dict>,
}

impl Resource {
    /// Returns true if the resource exists: its attributes have values.
    pub(super) fn is_live(&self) -> bool {
        self.id.is_some() || self.attributes.is_some()
    }
}

impl Stack {
    pub(super) fn new(
        context: Arc<Context>,
        version: Version,
        template: Template,
        parameters: Parameters,
        input: Input,
    ) -> Stack {
        Stack {
            context,
            version,
            input,
            template,
            parameters,
            conditions: OnceCell::new(),
            holding: RefCell::default(),
            resources: OnceCell::new(),
            depth: Cell::default(),
            kept: Cell::default(),
            warnings: RefCell::default(),
        }
    }

    /// Records a possible mistake that is no error.
    pub(super) fn warn(&self, warning: Exception) {
        self.warnings.borrow_mut().push(warning);
    }

    pub(super) fn warnings(&self) -> Vec<Exception> {
        self.warnings.take()
    }

    pub(super) fn define_conditions(&self, conditions: Conditions) -> &Conditions {
        self.conditions.get_or_init(|| conditions)
    }

    pub(super) fn define_resources(&self, resources: IndexMap<String, Resource>) {
        self.resources.get_or_init(|| resources);
    }

    /// Returns the resource of a name. Fails if there is none, or it is disabled.
    pub(super) fn resource(&self, name: &Value) -> Result<&Resource> {
        self.find_for(name, || "unknown".into())
    }

    /// Returns the resource of a name; `path` is where the reference stands.
    pub(super) fn find_for(
        &self,
        name: &Value,
        path: impl FnOnce() -> String,
    ) -> Result<&Resource> {
        Key::new(name.clone())?;
        self.find(name).ok_or_else(|| {
            let name = python::str(name).unwrap_or_default();
            let raised = unknown_resource(&name, &path());
            // Disabled resources look missing to Heat; the hint tells them apart.
            if self.template.defines("resources", &name) {
                return raised.hint(format!("the condition of '{name}' does not hold"));
            }
            let known = self.resources.get().into_iter().flat_map(IndexMap::keys);
            raised.did_you_mean(known.map(|known| &**known), &name)
        })
    }

    /// Returns the enabled resource of a name, if there is one.
    pub(super) fn find(&self, name: &Value) -> Option<&Resource> {
        self.resources.get()?.get(name.as_str()?)
    }

    /// Returns true if a condition holds: a boolean, a name, or null, which always holds.
    pub(super) fn condition(&self, condition: &Value) -> Result<bool> {
        self.nested(|| match condition {
            // Heat's `is_enabled(None)` is true.
            Value::None => Ok(true),
            Value::Bool(holds) => Ok(*holds),
            name => self.named_condition(name),
        })
    }

    fn named_condition(&self, wanted: &Value) -> Result<bool> {
        let conditions = self.conditions.get();
        let found = conditions.and_then(|all| all.get_key_value(wanted.as_str()?));
        let Some((name, (definition, span))) = found else {
            let name = python::str(wanted)?;
            let raised = Exception::of_value(format!("Invalid condition \"{name}\""));
            let known = conditions.into_iter().flat_map(IndexMap::keys);
            return Err(raised.did_you_mean(known.map(|known| &**known), &name));
        };
        let found = self.holding.borrow().get(name).cloned();
        match found {
            // A failure is remembered, too: a definition runs once, however often it is
            // named.
            Some(Some(found)) => found,
            Some(None) => Err(invalid_condition(&format!(
                "Circular definition for condition \"{name}\""
            ))),
            None => {
                // A condition that is reached while it runs names itself.
                self.holding.borrow_mut().insert(name.clone(), None);
                let secrets = &self.parameters.secrets;
                let holds = secrets
                    .conceal(|| boolean(name, &self.resolve(definition)?))
                    .placed(*span);
                self.holding.borrow_mut().insert(name.clone(), Some(holds.clone()));
                holds
            }
        }
    }

    /// Returns true if a condition holds that was parsed from a node at a path.
    pub(super) fn condition_at(
        &self,
        parsed: &Value,
        path: &str,
        node: TemplateNode,
    ) -> Result<bool> {
        self.condition(&self.resolve(parsed)?)
            .map_err(replacing(&[Class::Value], |raised| invalid_at(path, raised)))
            .placed(node.span())
    }

    /// Returns the text of a file. Fails if it is neither given nor readable.
    pub(super) fn file(&self, call: &IntrinsicCall, name: &str) -> Result<Value> {
        if let Some(text) = self.input.files.get(name) {
            return Ok(Value::text(&**text));
        }
        let none = |hint: String| {
            let function = call.name();
            let message = format!(
                "No content found in the \"files\" section for {function} path: {name}"
            );
            Exception::of_value(message).hint(hint)
        };
        let context = &self.context;
        let allow = self.context.allow;
        let most = context.limits.output as u64;
        // One byte more than allowed tells a file that is too large.
        let enough = most.saturating_add(1);
        let is_url = name.contains("://") && !name.starts_with("file://");
        let (option, is_allowed) =
            if is_url { ("url", allow.url) } else { ("file", allow.file) };
        if !is_allowed {
            return Err(none(format!("{} lets it be read", allow.option(option))));
        }
        let bytes = if is_url {
            context.fetch(name, enough)?
        } else {
            let path = self.folder(call).join(name.trim_start_matches("file://"));
            context.read(&path)?
        };
        let bytes = bytes.map_err(|error| none(reason(&error)))?;
        if bytes.len() as u64 > most {
            let message = format!("{name} has more than {most} bytes");
            let hint = "`--limit output=N` lets larger files be read";
            return Err(Exception::new(Class::Limit, message).hint(hint));
        }
        String::from_utf8(bytes)
            .map(Value::text)
            .map_err(|_| none("it is not UTF-8".into()))
    }

    /// Returns the folder of the file that a call is written in.
    fn folder(&self, call: &IntrinsicCall) -> PathBuf {
        let name = call.span.map(|span| &*self.input.sources.get(span.file).name);
        let folder = name.and_then(|name| std::path::Path::new(name).parent());
        self.context.folder.join(folder.unwrap_or(std::path::Path::new("")))
    }

    /// Returns the result for a resource that does not exist yet; `otherwise` by default.
    pub(super) fn unresolved(
        &self,
        call: &IntrinsicCall,
        otherwise: Value,
    ) -> Result<Value> {
        match self.input.unresolved {
            Unresolved::Null => Ok(otherwise),
            Unresolved::Error => {
                let message = "\"{}\" needs a resource that is not there yet";
                let hint = "`--attrs` and `--ids` say what is there";
                Err(call.exception(Class::Missing, message).hint(hint))
            }
            Unresolved::Keep => {
                self.kept.set(self.kept.get() + 1);
                Ok(as_written(call, self.resolve(&call.arguments)?))
            }
        }
    }

    /// Runs a function one level deeper. Raises a `RecursionError` for too many levels.
    fn nested<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        limit_depth(self.depth.get(), "")?;
        self.depth.set(self.depth.get() + 1);
        let done = run();
        self.depth.set(self.depth.get() - 1);
        done
    }

    /// Resolves all calls in a value, arguments before functions.
    pub(super) fn resolve(&self, value: &Value) -> Result<Value> {
        match self.change(value, 0)? {
            None => Ok(value.clone()),
            Some(nothing) if nothing.downcast::<Nothing>().is_some() => Ok(Value::None),
            Some(changed) => Ok(changed),
        }
    }

    /// Returns the resolved value if it differs. Values without calls stay shared.
    fn change(&self, value: &Value, depth: usize) -> Result<Option<Value>> {
        match value {
            Value::Object(_) => match IntrinsicCall::of(value) {
                Some(call) => self.call(call).map(Some),
                None => Ok(None),
            },
            Value::List(items) => {
                let items = items.read();
                let members = items.iter().map(|item| ((), item));
                let changed = self.change_members(members, depth, |(), raised| raised)?;
                Ok(changed
                    .map(|items| Value::list(items.into_iter().map(|((), item)| item))))
            }
            Value::Dict(entries) => {
                self.change_entries(entries, depth, |_, raised| raised)
            }
            _ => Ok(None),
        }
    }

    /// Resolves all calls in a mapping. `fail` changes the exception of an entry.
    pub(super) fn resolve_entries(
        &self,
        entries: &Dict,
        fail: impl Fn(&Key, Box<Exception>) -> Box<Exception>,
    ) -> Result<Value> {
        let changed = self.change_entries(entries, 0, fail)?;
        Ok(changed.unwrap_or_else(|| Value::Dict(entries.clone())))
    }

    fn change_entries(
        &self,
        entries: &Dict,
        depth: usize,
        fail: impl Fn(&Key, Box<Exception>) -> Box<Exception>,
    ) -> Result<Option<Value>> {
        let entries = entries.read();
        let changed = self.change_members(entries.iter(), depth, fail)?;
        Ok(changed.map(|entries| {
            let entries = entries.into_iter().map(|(key, value)| (key.clone(), value));
            Value::Dict(entries.collect())
        }))
    }

    /// Returns the members, with their keys, if the resolved value of one differs.
    fn change_members<'v, K: Copy>(
        &self,
        members: impl ExactSizeIterator<Item = (K, &'v Value)> + Clone,
        depth: usize,
        fail: impl Fn(K, Box<Exception>) -> Box<Exception>,
    ) -> Result<Option<Vec<(K, Value)>>> {
        limit_depth(depth, "")?;
        self.context.spend(members.len() as u64)?;
        let mut changed: Option<Vec<(K, Value)>> = None;
        for (at, (key, value)) in members.clone().enumerate() {
            let new =
                self.change(value, depth + 1).map_err(|raised| fail(key, raised))?;
            if new.is_none() && changed.is_none() {
                continue;
            }
            let before =
                || members.clone().take(at).map(|(key, value)| (key, value.clone()));
            let changed = changed.get_or_insert_with(|| before().collect());
            // An `if` without a branch removes the member.
            let new = new.unwrap_or_else(|| value.clone());
            changed.extend(new.downcast::<Nothing>().is_none().then_some((key, new)));
        }
        Ok(changed)
    }

    fn call(&self, call: &IntrinsicCall) -> Result<Value> {
        self.context.spend(1)?;
        let secrets = &self.parameters.secrets;
        let before = secrets.count();
        secrets.record_variable_texts(&call.arguments, &self.template.variable_texts);
        let value = self.nested(|| {
            if call.function.branches.is_some() {
                Ok(self.change(&call.arguments, 0)?.unwrap_or(call.arguments.clone()))
            } else {
                self.resolve_or_keep(call)
            }
        });
        let value = value.placed(call.span)?;
        // A result such as a digest or a joined text reveals the secret it was made from.
        secrets.record_derived(before, &value, &call.arguments);
        Ok(value)
    }

    /// Returns the result of a call, or the call as written if an argument must be kept.
    fn resolve_or_keep(&self, call: &IntrinsicCall) -> Result<Value> {
        // Resolving the arguments first costs an extra pass, which only this mode needs.
        if self.input.unresolved != Unresolved::Keep {
            return (call.function.resolve)(call, self);
        }
        let before = self.kept.get();
        let arguments = self.resolve(&call.arguments)?;
        if self.kept.get() > before {
            return Ok(as_written(call, arguments));
        }
        let call = IntrinsicCall { function: call.function, arguments, span: call.span };
        (call.function.resolve)(&call, self)
    }

    pub(super) fn validate_arguments(&self, call: &IntrinsicCall) -> Result<()> {
        self.validate(&call.arguments, &[])
    }

    /// Validates all calls in a value; `names` lead to it from the top of the template.
    pub(super) fn validate(&self, value: &Value, names: &[&str]) -> Result<()> {
        if matches!(value, Value::None) {
            return Ok(());
        }
        each_call(value, &mut TemplatePath::from(joined(names)), &mut |call, path| {
            self.nested(|| (call.function.validate)(call, self)).map_err(|raised| {
                path.push_name(call.name());
                invalid_at(&path.validated(), raised).placed(call.span)
            })
        })
    }
}

/// Visits the calls in a value, with the path to each. The arguments of a call are left to
/// the visitor.
pub(super) fn each_call(
    value: &Value,
    path: &mut TemplatePath,
    visit: &mut dyn FnMut(&IntrinsicCall, &mut TemplatePath) -> Result<()>,
) -> Result<()> {
    limit_depth(path.depth(), "")?;
    match value {
        Value::Object(_) => {
            IntrinsicCall::of(value).map_or(Ok(()), |call| visit(call, path))
        }
        Value::Dict(entries) => entries.read().iter().try_for_each(|(key, value)| {
            path.push(PathSegment::Key(key.clone()));
            each_call(value, path, visit)?;
            path.pop();
            Ok(())
        }),
        Value::List(items) => {
            items.read().iter().enumerate().try_for_each(|(at, item)| {
                path.push(PathSegment::Index(at));
                each_call(item, path, visit)?;
                path.pop();
                Ok(())
            })
        }
        _ => Ok(()),
    }
}

/// Returns a call as it was written, with these arguments.
pub(super) fn as_written(call: &IntrinsicCall, arguments: Value) -> Value {
    Value::Dict(Dict::named([(call.name(), arguments)]))
}

pub(super) fn boolean(name: &str, definition: &Value) -> Result<bool> {
    match definition {
        Value::Bool(holds) => Ok(*holds),
        other => {
            let shown = python::str(other)?;
            let message =
                format!("The definition of condition \"{name}\" is invalid: {shown}");
            Err(invalid_condition(&message))
        }
    }
}

fn invalid_condition(message: &str) -> Box<Exception> {
    invalid(format!("Condition validation error: {message}"))
}

/// A step of the evaluation of a call.
type CallStep<T> = fn(&IntrinsicCall, &Stack) -> Result<T>;

/// An intrinsic function in a range of versions: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub(super) struct IntrinsicFunction {
    pub(super) name: &'static str,
    /// First and last version that has it in values.
    values: Option<(Version, Version)>,
    /// First version that has it in conditions.
    pub(super) conditions: Option<Version>,
    check: fn(&IntrinsicCall) -> Result<()>,
    validate: CallStep<()>,
    resolve: CallStep<Value>,
    resource: CallStep<Option<Value>>,
    /// Least number of arguments of a macro, which the parser replaces by one of them; with
    /// two arguments it may be replaced by nothing.
    pub(super) branches: Option<usize>,
    /// Entries that its argument, a mapping, must have.
    required: &'static [&'static str],
    /// Entries that the mapping may have.
    optional: &'static [&'static str],
}

/// Returns a function of every version that accepts any arguments.
pub(super) const fn function(
    name: &'static str,
    resolve: CallStep<Value>,
) -> IntrinsicFunction {
    IntrinsicFunction {
        name,
        values: Some((Version::Icehouse, Version::LAST)),
        conditions: None,
        check: |_| Ok(()),
        validate: |call, stack| stack.validate_arguments(call),
        resolve,
        resource: |_, _| Ok(None),
        branches: None,
        required: &[],
        optional: &[],
    }
}

impl IntrinsicFunction {
    /// Returns the macro `if` with at least so many arguments.
    pub(super) const fn choice(branches: usize) -> Self {
        let function = function("if", |call, stack| stack.resolve(&call.arguments));
        IntrinsicFunction { branches: Some(branches), ..function }
    }

    /// Returns a function that only conditions have.
    pub(super) const fn condition(name: &'static str, resolve: CallStep<Value>) -> Self {
        let function = function(name, resolve).in_conditions(Version::Newton);
        IntrinsicFunction { values: None, ..function }
    }

    pub(super) const fn since(self, first: Version) -> Self {
        self.between(first, Version::LAST)
    }

    pub(super) const fn until(self, last: Version) -> Self {
        self.between(Version::Icehouse, last)
    }

    pub(super) const fn between(self, first: Version, last: Version) -> Self {
        IntrinsicFunction { values: Some((first, last)), ..self }
    }

    /// Adds the function to conditions, from a version on.
    pub(super) const fn in_conditions(self, first: Version) -> Self {
        IntrinsicFunction { conditions: Some(first), ..self }
    }

    pub(super) const fn takes(
        self,
        required: &'static [&'static str],
        optional: &'static [&'static str],
    ) -> Self {
        IntrinsicFunction { required, optional, ..self }
    }

    pub(super) const fn check(self, check: fn(&IntrinsicCall) -> Result<()>) -> Self {
        IntrinsicFunction { check, ..self }
    }

    pub(super) const fn validate(self, validate: CallStep<()>) -> Self {
        IntrinsicFunction { validate, ..self }
    }

    pub(super) const fn resource(self, resource: CallStep<Option<Value>>) -> Self {
        IntrinsicFunction { resource, ..self }
    }

    /// Returns true if values of a version have the function.
    pub(super) fn is_value_in(&self, version: Version) -> bool {
        self.values.is_some_and(|(first, last)| (first..=last).contains(&version))
    }
}

/// A call of a function: a value that is not resolved yet.
#[derive(Debug)]
pub(super) struct IntrinsicCall {
    function: &'static IntrinsicFunction,
    /// Arguments, parsed but not resolved. Of a macro, the chosen branch.
    pub(super) arguments: Value,
    pub(super) span: Option<Span>,
}

impl IntrinsicCall {
    /// Returns a call whose arguments have the right shape.
    pub(super) fn new(
        function: &'static IntrinsicFunction,
        arguments: Value,
        span: Option<Span>,
    ) -> Result<IntrinsicCall> {
        let call = IntrinsicCall { function, arguments, span };
        (function.check)(&call)?;
        Ok(call)
    }

    pub(super) fn of(value: &Value) -> Option<&IntrinsicCall> {
        value.downcast()
    }

    /// Returns an exception. `{}` in its message stands for the name of the function.
    pub(super) fn exception(&self, class: Class, message: &str) -> Box<Exception> {
        Exception::new(class, message.replace("{}", self.name()))
    }

    pub(super) fn type_error(&self, message: &str) -> Box<Exception> {
        self.exception(Class::Type, message)
    }

    pub(super) fn value_error(&self, message: &str) -> Box<Exception> {
        self.exception(Class::Value, message)
    }

    /// Returns an exception with an example of the right arguments.
    pub(super) fn incorrect(&self, class: Class, example: &str) -> Box<Exception> {
        let message = format!("Incorrect arguments to \"{{}}\" should be: {example}");
        self.exception(class, &message)
    }

    /// Returns a string. Raises a `TypeError` with the message for another value.
    pub(super) fn text<'v>(&self, value: &'v Value, message: &str) -> Result<&'v str> {
        value.as_str().ok_or_else(|| self.type_error(message))
    }

    /// Returns the items of a list. Raises as [`text`](IntrinsicCall::text) does.
    pub(super) fn items(&self, value: &Value, message: &str) -> Result<Vec<Value>> {
        match value {
            Value::List(items) => items.items(),
            _ => Err(self.type_error(message)),
        }
    }

    /// Returns a mapping. Raises as [`text`](IntrinsicCall::text) does.
    pub(super) fn map<'v>(&self, value: &'v Value, message: &str) -> Result<&'v Dict> {
        match value {
            Value::Dict(entries) => Ok(entries),
            _ => Err(self.type_error(message)),
        }
    }

    /// Checks that the argument is a list with so many items. Raises a `ValueError` with
    /// `wrong_count` if it has another length, an exception of a class with `no_list` if it
    /// is no list.
    pub(super) fn check_list(
        &self,
        counts: impl RangeBounds<usize>,
        wrong_count: &str,
        no_list: &str,
        class: Class,
    ) -> Result<()> {
        match &self.arguments {
            Value::List(items) if counts.contains(&items.len()) => Ok(()),
            Value::List(_) => Err(self.value_error(wrong_count)),
            _ => Err(self.exception(class, no_list)),
        }
    }

    /// Returns the name of the resource that the call refers to, if it does.
    pub(super) fn resource(&self, stack: &Stack) -> Result<Option<Value>> {
        (self.function.resource)(self, stack)
    }

    /// Binds the entries of the arguments to the names in the registry: required ones,
    /// then optional ones. Values are not resolved. Raises a `TypeError` if the argument
    /// is no mapping, a `KeyError` with `syntax` if a required entry is missing.
    pub(super) fn bind<const R: usize, const O: usize>(
        &self,
        syntax: &str,
    ) -> Result<([Value; R], [Option<Value>; O])> {
        let arguments = self.map(&self.arguments, "Arguments to \"{}\" must be a map")?;
        let values = self.parameters().map(|name| arguments.get_text(name));
        let values = values.collect::<Result<Vec<_>>>()?;
        if values.iter().take(self.function.required.len()).any(Option::is_none) {
            return Err(self.with_name_hint(Exception::new(Class::Key, syntax)));
        }
        let mut values = values.into_iter();
        let required =
            std::array::from_fn(|_| values.next().flatten().unwrap_or(Value::None));
        Ok((required, std::array::from_fn(|_| values.next().flatten())))
    }

    /// Returns the keys of the arguments that are not in the registry.
    pub(super) fn unknown_names(&self) -> Vec<Value> {
        let Value::Dict(arguments) = &self.arguments else { return Vec::new() };
        let is_known =
            |name: &Value| self.parameters().any(|known| name.as_str() == Some(known));
        arguments.keys().into_iter().filter(|name| !is_known(name)).collect()
    }

    /// Adds a hint at the entry that may have been meant.
    pub(super) fn with_name_hint(&self, raised: Box<Exception>) -> Box<Exception> {
        let unknown = self.unknown_names();
        let unknown = unknown.iter().filter_map(Value::as_str);
        unknown.fold(raised, |raised, name| raised.did_you_mean(self.parameters(), name))
    }

    fn parameters(&self) -> impl Iterator<Item = &'static str> {
        self.function.required.iter().chain(self.function.optional).copied()
    }

    pub(super) fn name(&self) -> &'static str {
        self.function.name
    }
}

impl Object for IntrinsicCall {
    fn type_name(&self) -> &str {
        self.name()
    }

    /// Returns the call in Python's notation, as Heat shows it.
    fn display(&self) -> Result<String> {
        Ok(format!("{{'{}': {}}}", self.name(), python::repr(&self.arguments)?))
    }
}

/// The value of an `if` without a branch. The list or mapping around it leaves it out.
#[derive(Debug)]
pub(super) struct Nothing;

impl Object for Nothing {
    fn type_name(&self) -> &'static str {
        "ellipsis"
    }

    fn display(&self) -> Result<String> {
        Ok("Ellipsis".into())
    }
}
