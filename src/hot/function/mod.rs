//! The functions: a name and a version come in, the [`Function`] that it is there goes out;
//! a [`Call`] of one is a value until it is resolved.
//!
//! A function is a row of [`FUNCTIONS`] and up to four Rust functions in a file of its own
//! or of its family. All of them get the [`Call`], whose `arguments` are parsed: data, with
//! other calls anywhere in it.
//!
//! * `check` looks at the shape of the arguments when the template is parsed. A call among
//!   them may become anything: it is a [`Call`] here (see [`Call::of`]), neither list nor map.
//! * `validate` says what is wrong that can be known without resolving; it has to validate
//!   the arguments too ([`Stack::validate_arguments`] is what all others do).
//! * `resolve` makes the value: arguments first, by [`Stack::resolve`].
//! * `resource` is the name of the resource that the call needs, if it needs one.
//!
//! What goes wrong is an [`Exception`](crate::eval::python::Exception) in Heat's words; its class
//! matters: a `TypeError`, `ValueError` or `KeyError` of `check` is reported with its path
//! in the template, other classes as they are. The place of the call is added by who called.
//!
//! `get_param`, `get_resource` and `list_join` show how it is done.

mod argument;
mod cfn;
mod condition;
mod digest;
mod get_attr;
mod get_file;
mod list;
mod list_join;
mod make_url;
mod map;
mod reference;
mod removed;
mod repeat;
pub(super) mod resource_facade;
mod str_replace;
mod str_split;
mod yaql;

use crate::eval::python::{self, Exception, Object, Result, Value};
use crate::source::Span;

use super::Stack;
use super::exception::meant;
use super::version::Version;

/// A function, as versions of the format know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    /// Its name in templates.
    pub(super) name: &'static str,
    /// The first version that knows it in values, and the last.
    values: Option<(Version, Version)>,
    /// The first version that knows it in conditions.
    conditions: Option<Version>,
    pub(super) check: fn(&Call) -> Result<()>,
    pub(super) validate: fn(&Call, &Stack) -> Result<()>,
    pub(super) resolve: fn(&Call, &Stack) -> Result<Value>,
    pub(super) resource: fn(&Call, &Stack) -> Result<Option<Value>>,
    /// It is not resolved but chooses, when the template is parsed, what stands in its place;
    /// with two arguments it may choose nothing.
    pub(super) is_macro: bool,
    pub(super) may_choose_nothing: bool,
}

impl Function {
    /// A function of every version that has nothing to check.
    const fn new(
        name: &'static str,
        resolve: fn(&Call, &Stack) -> Result<Value>,
    ) -> Function {
        Function {
            name,
            values: Some((Version::Icehouse, Version::LAST)),
            conditions: None,
            check: |_| Ok(()),
            validate: |call, stack| stack.validate_arguments(call),
            resolve,
            resource: |_, _| Ok(None),
            is_macro: false,
            may_choose_nothing: false,
        }
    }

    /// `if`, which the parser expands.
    const fn choice(may_choose_nothing: bool) -> Function {
        let function = Function::new("if", |call, stack| stack.resolve(&call.arguments));
        Function { is_macro: true, may_choose_nothing, ..function }
    }

    /// A function of conditions only.
    const fn condition(
        name: &'static str,
        resolve: fn(&Call, &Stack) -> Result<Value>,
    ) -> Function {
        let function = Function::new(name, resolve).in_conditions(Version::Newton);
        Function { values: None, ..function }
    }

    const fn since(self, first: Version) -> Function {
        self.between(first, Version::LAST)
    }

    const fn until(self, last: Version) -> Function {
        self.between(Version::Icehouse, last)
    }

    const fn between(self, first: Version, last: Version) -> Function {
        Function { values: Some((first, last)), ..self }
    }

    /// The same in conditions, too.
    const fn in_conditions(self, first: Version) -> Function {
        Function { conditions: Some(first), ..self }
    }

    const fn check(self, check: fn(&Call) -> Result<()>) -> Function {
        Function { check, ..self }
    }

    const fn validate(self, validate: fn(&Call, &Stack) -> Result<()>) -> Function {
        Function { validate, ..self }
    }

    const fn resource(
        self,
        resource: fn(&Call, &Stack) -> Result<Option<Value>>,
    ) -> Function {
        Function { resource, ..self }
    }
}

/// Every function, by name and then by version.
pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("Fn::Base64", cfn::base64).until(Version::Icehouse),
    removed::since("Fn::Base64", Version::Juno),
    Function::new("Fn::GetAZs", cfn::zones).until(Version::Icehouse),
    removed::since("Fn::GetAZs", Version::Juno),
    Function::new("Fn::Join", list_join::join)
        .until(Version::Icehouse)
        .check(list_join::check_join),
    removed::since("Fn::Join", Version::Juno),
    Function::new("Fn::MemberListToMap", cfn::members)
        .until(Version::Icehouse)
        .check(cfn::check_members),
    removed::since("Fn::MemberListToMap", Version::Juno),
    Function::new("Fn::Replace", str_replace::placed_scalars)
        .until(Version::Icehouse)
        .check(str_replace::check_placed),
    removed::since("Fn::Replace", Version::Juno),
    Function::new("Fn::ResourceFacade", resource_facade::old_facade)
        .until(Version::Icehouse)
        .check(resource_facade::check_old),
    removed::since("Fn::ResourceFacade", Version::Juno),
    Function::new("Fn::Select", cfn::select)
        .until(Version::Kilo)
        .check(cfn::check_select),
    removed::since("Fn::Select", Version::Liberty),
    Function::new("Fn::Split", str_split::plain_split)
        .until(Version::Icehouse)
        .check(str_split::check_plain),
    removed::since("Fn::Split", Version::Juno),
    Function::new("Ref", cfn::reference)
        .until(Version::Icehouse)
        .check(cfn::check_reference)
        .resource(cfn::referred),
    removed::since("Ref", Version::Juno),
    Function::condition("and", condition::and).check(condition::check_all),
    Function::new("contains", list::contains)
        .since(Version::Pike)
        .in_conditions(Version::Pike)
        .check(list::check_contains),
    Function::new("digest", digest::digest).since(Version::Kilo),
    Function::condition("equals", condition::equals).check(condition::check_equals),
    Function::new("filter", list::filter).since(Version::Ocata).check(list::check_filter),
    Function::new("get_attr", get_attr::one)
        .until(Version::Kilo)
        .check(get_attr::check)
        .validate(get_attr::validate)
        .resource(get_attr::resource),
    Function::new("get_attr", get_attr::any)
        .since(Version::Liberty)
        .check(get_attr::check_all)
        .validate(get_attr::validate_all)
        .resource(get_attr::resource),
    Function::new("get_file", get_file::get_file),
    Function::new("get_param", reference::get_param).in_conditions(Version::Newton),
    Function::new("get_resource", reference::get_resource)
        .resource(reference::named_resource),
    Function::choice(false).between(Version::Newton, Version::Rocky),
    Function::choice(true).since(Version::Wallaby),
    Function::new("list_concat", list::concat).since(Version::Pike),
    Function::new("list_concat_unique", list::concat_unique).since(Version::Pike),
    Function::new("list_join", list_join::join)
        .until(Version::Kilo)
        .check(list_join::check_join),
    Function::new("list_join", list_join::join_many)
        .since(Version::Liberty)
        .check(list_join::check_join_many),
    Function::new("make_url", make_url::make_url)
        .since(Version::Pike)
        .validate(make_url::validate),
    Function::new("map_merge", map::merge).since(Version::Mitaka),
    Function::new("map_replace", map::replace).since(Version::Newton),
    Function::condition("not", condition::not).check(condition::check_not),
    Function::condition("or", condition::or).check(condition::check_all),
    Function::new("repeat", repeat::lists)
        .between(Version::Kilo, Version::Mitaka)
        .check(repeat::check)
        .validate(repeat::validate),
    Function::new("repeat", repeat::maps)
        .between(Version::Newton, Version::Ocata)
        .check(repeat::check)
        .validate(repeat::validate),
    Function::new("repeat", repeat::ordered)
        .since(Version::Pike)
        .check(repeat::check_order)
        .validate(repeat::validate),
    Function::new("resource_facade", resource_facade::facade)
        .check(resource_facade::check),
    Function::new("str_replace", str_replace::scalars)
        .until(Version::Kilo)
        .check(str_replace::check_named),
    Function::new("str_replace", str_replace::any)
        .since(Version::Liberty)
        .check(str_replace::check_named),
    Function::new("str_replace_strict", str_replace::strict)
        .since(Version::Ocata)
        .check(str_replace::check_named),
    Function::new("str_replace_vstrict", str_replace::very_strict)
        .since(Version::Pike)
        .check(str_replace::check_named),
    Function::new("str_split", str_split::split)
        .since(Version::Liberty)
        .check(str_split::check),
    Function::new("yaql", yaql::evaluate)
        .since(Version::Newton)
        .in_conditions(Version::Pike)
        .check(yaql::check)
        .validate(yaql::validate),
];

/// Where a mapping stands that may be a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Value,
    Condition,
}

/// The function of that name, if the version knows one.
///
/// # Errors
/// It knows one that cannot be used there.
pub(super) fn find(
    name: &str,
    version: Version,
    place: Place,
) -> Result<Option<&'static Function>> {
    let first = FUNCTIONS.partition_point(|function| function.name < name);
    let rows = FUNCTIONS.get(first..).unwrap_or_default().iter();
    let mut rows = rows.take_while(|function| function.name == name);
    let is_value = |row: &&Function| {
        row.values.is_some_and(|(first, last)| (first..=last).contains(&version))
    };
    let is_condition =
        |row: &&Function| row.conditions.is_some_and(|first| first <= version);
    if place == Place::Value {
        return Ok(rows.find(is_value));
    }
    match (rows.clone().find(is_condition), rows.find(is_value)) {
        (None, Some(_)) => {
            let message = format!("The function \"{name}\" is invalid in this context");
            Err(Exception::of_value(message))
        }
        (found, _) => Ok(found),
    }
}

/// The same with a hint, if conditions have no function of that name: another one may have
/// been meant, or a later version.
pub(super) fn hint(
    raised: Box<Exception>,
    name: &str,
    version: Version,
) -> Box<Exception> {
    let known = FUNCTIONS.iter().filter_map(|f| Some((f.name, f.conditions?)));
    let later = known.clone().find(|(known, _)| *known == name);
    if let Some((_, first)) = later.filter(|(_, first)| *first > version) {
        return raised.hint(first.hint(name));
    }
    let known = known.filter(|(_, first)| *first <= version);
    meant(raised, known.map(|(known, _)| known), name)
}

/// A function and its arguments, among values that are not resolved yet.
#[derive(Debug)]
pub(super) struct Call {
    /// What is called.
    pub(super) function: &'static Function,
    /// With what: parsed, not resolved. What a macro chose stands here alone.
    pub(super) arguments: Value,
    /// Where its name was written.
    pub(super) span: Option<Span>,
}

impl Call {
    /// The call that a value is, if it is one.
    pub(super) fn of(value: &Value) -> Option<&Call> {
        value.downcast()
    }

    /// The name that was called.
    pub(super) fn name(&self) -> &'static str {
        self.function.name
    }
}

impl Object for Call {
    fn type_name(&self) -> &str {
        self.name()
    }

    /// As it is written, in Python's words.
    fn display(&self) -> Result<String> {
        Ok(format!("{{'{}': {}}}", self.name(), python::repr(&self.arguments)?))
    }
}

/// What a macro leaves where it chooses nothing: the item or entry that holds it is left out.
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

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;

    #[test]
    fn stand_in_order() {
        let order = |row: &super::Function| (row.name, row.values);
        assert!(FUNCTIONS.is_sorted_by_key(order));
    }
}
