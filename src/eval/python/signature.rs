//! Calls: a signature binds the arguments of a call to its parameters, and refuses them in
//! the words of the Python function it stands for.

use super::slice::slice_index;
use super::{Exception, Result, Str, Value, index, truth};

/// The arguments of a call: values by position, then values by name.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    pub positional: Vec<Value>,
    /// Values by name, in the order written.
    pub keywords: Vec<(Str, Value)>,
}

impl Arguments {
    /// Makes arguments by position.
    pub fn of(positional: impl IntoIterator<Item = Value>) -> Arguments {
        Arguments { positional: positional.into_iter().collect(), keywords: Vec::new() }
    }

    /// Returns all values, those by position first.
    pub fn values(&self) -> Vec<&Value> {
        let named = self.keywords.iter().map(|(_, value)| value);
        self.positional.iter().chain(named).collect()
    }

    /// Binds the arguments to the parameters of a function that is in no table; the first
    /// `required` ones must be given. Raises a `TypeError` if the arguments do not fit.
    pub fn bind<const N: usize>(
        self,
        function: &str,
        names: [&str; N],
        required: usize,
    ) -> Result<[Option<Value>; N]> {
        let (required, optional) = names.split_at(required);
        let bound = Signature::new(function, required, optional).bind(self)?;
        let mut values = bound.into_values().into_iter();
        Ok(std::array::from_fn(|_| values.next().flatten()))
    }

    pub fn take(&mut self, name: &str) -> Option<Value> {
        take_keyword(&mut self.keywords, name)
    }
}

/// The name and the parameters of a function.
///
/// ```ignore
/// // def do_batch(value, linecount, fill_with=None)
/// Signature::new("do_batch", &["value", "linecount"], &["fill_with"])
/// // def zip(*iterables, strict=False)
/// Signature::new("zip", &[], &[]).rest().keyword_only(&["strict"])
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    name: &'a str,
    required: Params<'a>,
    optional: Params<'a>,
    keyword_only: Params<'a>,
    rest: bool,
    keywords: bool,
    wording: Wording,
}

/// Names of parameters.
type Params<'a> = &'a [&'a str];

/// Wordings of errors: CPython has another one for each of its calling conventions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wording {
    /// A function written in Python.
    Function,
    /// `METH_NOARGS`
    NoArguments,
    /// `METH_O`
    OneArgument,
    /// `METH_FASTCALL`, with `_PyArg_CheckPositional`.
    Positional,
    /// `PyArg_ParseTuple`
    Parsed,
    /// `PyArg_ParseTupleAndKeywords`
    Named,
    /// The same where all parameters are keyword-only.
    KeywordOnly,
}

/// The arguments of one call, bound to the parameters of a signature. Parameters are
/// numbered as the signature lists them: required, optional, keyword-only.
#[derive(Clone, Debug)]
pub struct Bound<'a> {
    name: &'a str,
    required: usize,
    values: Vec<Option<Value>>,
    /// Positional arguments beyond the parameters: `*args`.
    pub rest: Vec<Value>,
    /// Keyword arguments that are no parameters, in the order written: `**kwargs`.
    pub keywords: Vec<(Str, Value)>,
}

impl<'a> Signature<'a> {
    /// A function written in Python: parameters may be given by position or by name.
    pub const fn new(name: &'a str, required: Params<'a>, optional: Params<'a>) -> Self {
        Signature {
            name,
            required,
            optional,
            keyword_only: &[],
            rest: false,
            keywords: false,
            wording: Wording::Function,
        }
    }

    /// A function with the single required parameter `value`.
    pub const fn of_value(name: &'a str) -> Signature<'a> {
        Signature::new(name, &["value"], &[])
    }

    pub const fn any(name: &'a str) -> Signature<'a> {
        Signature::new(name, &[], &[]).rest().keywords()
    }

    /// Adds parameters that are optional and accepted by name only.
    pub const fn keyword_only(self, names: &'a [&'a str]) -> Signature<'a> {
        Signature { keyword_only: names, ..self }
    }

    /// Accepts further positional arguments: `*args`.
    pub const fn rest(self) -> Signature<'a> {
        Signature { rest: true, ..self }
    }

    /// Accepts further keyword arguments: `**kwargs`.
    pub const fn keywords(self) -> Signature<'a> {
        Signature { keywords: true, ..self }
    }

    /// A built-in function without parameters.
    pub const fn no_arguments(name: &'a str) -> Signature<'a> {
        Signature { wording: Wording::NoArguments, ..Signature::new(name, &[], &[]) }
    }

    /// A built-in function with one parameter, by position only.
    pub const fn one_argument(name: &'a str) -> Signature<'a> {
        Signature { wording: Wording::OneArgument, ..Signature::of_value(name) }
    }

    /// A built-in function whose parameters are accepted by position only.
    pub const fn positional(
        name: &'a str,
        required: Params<'a>,
        optional: Params<'a>,
    ) -> Self {
        let signature = Signature::new(name, required, optional);
        Signature { wording: Wording::Positional, ..signature }
    }

    /// [`Signature::positional`] in the words of the older `PyArg_ParseTuple`.
    pub const fn parsed(
        name: &'a str,
        required: Params<'a>,
        optional: Params<'a>,
    ) -> Self {
        Signature { wording: Wording::Parsed, ..Signature::new(name, required, optional) }
    }

    /// A built-in function whose parameters are optional and accepted by position or name.
    pub const fn named(name: &'a str, optional: &'a [&'a str]) -> Signature<'a> {
        Signature { wording: Wording::Named, ..Signature::new(name, &[], optional) }
    }

    /// A built-in function whose parameters are optional and accepted by name only.
    pub const fn named_only(name: &'a str, names: &'a [&'a str]) -> Signature<'a> {
        let signature = Signature::new(name, &[], &[]).keyword_only(names);
        Signature { wording: Wording::KeywordOnly, ..signature }
    }

    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Binds the arguments of a call. Raises a `TypeError` if they do not fit.
    pub fn bind(&self, arguments: Arguments) -> Result<Bound<'a>> {
        self.bind_method("", arguments)
    }

    /// Binds the arguments of a method; some messages name the type `of` the receiver.
    pub fn bind_method(&self, of: &str, arguments: Arguments) -> Result<Bound<'a>> {
        let Arguments { positional, keywords } = arguments;
        self.check(of, positional.len(), keywords.len())?;
        let places = self.required.len() + self.optional.len();
        let mut positional = positional.into_iter();
        let mut values: Vec<Option<Value>> =
            positional.by_ref().take(places).map(Some).collect();
        values.resize(places + self.keyword_only.len(), None);
        let mut bound = Bound {
            name: self.name,
            required: self.required.len(),
            values,
            rest: positional.collect(),
            keywords: Vec::new(),
        };
        for (name, value) in keywords {
            match self.names().position(|known| known == &*name) {
                Some(at) => match bound.values.get_mut(at) {
                    Some(slot @ None) => *slot = Some(value),
                    _ => return Err(self.twice(&name, at).naming_literal(&name)),
                },
                None if self.keywords => bound.keywords.push((name, value)),
                None => return Err(self.unknown(&name).naming_literal(&name)),
            }
        }
        self.complete(&bound)?;
        Ok(bound)
    }

    /// The names of all parameters, in the order of their numbers.
    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.required.iter().chain(self.optional).chain(self.keyword_only).copied()
    }

    /// Checks the number of arguments, which Python does before it looks at their names.
    fn check(&self, of: &str, given: usize, keywords: usize) -> Result<()> {
        let name = self.name;
        let least = self.required.len();
        let most = least + self.optional.len();
        let range = || match (least == most, given < least) {
            (true, _) => plural(least),
            (_, true) => format!("at least {}", plural(least)),
            (_, false) => format!("at most {}", plural(most)),
        };
        let dot = if of.is_empty() { "" } else { "." };
        let message = match self.wording {
            Wording::Function if given > most && !self.rest => {
                self.too_many(least, most, given)
            }
            Wording::KeywordOnly if given > 0 => {
                format!("{name}() takes no positional arguments")
            }
            Wording::Named | Wording::KeywordOnly
                if given + keywords > self.names().count() =>
            {
                let most = plural(self.names().count());
                format!("{name}() takes at most {most} ({} given)", given + keywords)
            }
            Wording::Function | Wording::Named | Wording::KeywordOnly => return Ok(()),
            _ if keywords > 0 => format!("{of}{dot}{name}() takes no keyword arguments"),
            _ if (least..=most).contains(&given) => return Ok(()),
            Wording::NoArguments => {
                format!("{of}{dot}{name}() takes no arguments ({given} given)")
            }
            Wording::OneArgument => {
                format!("{of}{dot}{name}() takes exactly one argument ({given} given)")
            }
            Wording::Positional => format!("{name} expected {}, got {given}", range()),
            Wording::Parsed => format!("{name}() takes {} ({given} given)", range()),
        };
        Err(Exception::of_type(message))
    }

    fn too_many(&self, least: usize, most: usize, given: usize) -> String {
        let range = if least == most {
            format!("{most}")
        } else {
            format!("from {least} to {most}")
        };
        format!(
            "{}() takes {range} positional argument{} but {given} {} given",
            self.name,
            if most == 1 { "" } else { "s" },
            if given == 1 { "was" } else { "were" }
        )
    }

    /// The error of a keyword argument that is no parameter.
    fn unknown(&self, name: &str) -> Box<Exception> {
        let function = self.name;
        let error = Exception::of_type(match self.wording {
            Wording::Named | Wording::KeywordOnly => {
                format!("'{name}' is an invalid keyword argument for {function}()")
            }
            _ => format!("{function}() got an unexpected keyword argument '{name}'"),
        });
        error.did_you_mean(self.names(), name)
    }

    /// The error of an argument that is given by position and by name.
    fn twice(&self, name: &str, at: usize) -> Box<Exception> {
        let function = self.name;
        Exception::of_type(match self.wording {
            Wording::Named | Wording::KeywordOnly => format!(
                "argument for {function}() given by name ('{name}') and position ({})",
                at + 1
            ),
            _ => format!("{function}() got multiple values for argument '{name}'"),
        })
    }

    /// Checks that the required arguments are given.
    fn complete(&self, bound: &Bound<'_>) -> Result<()> {
        let missing = self.required.iter().zip(&bound.values);
        let missing = missing.filter(|(_, value)| value.is_none());
        let missing: Vec<String> = missing.map(|(name, _)| format!("'{name}'")).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(Exception::of_type(format!(
            "{}() missing {} required positional argument{}: {}",
            self.name,
            missing.len(),
            if missing.len() == 1 { "" } else { "s" },
            missing.join(" and ")
        )))
    }
}

/// Removes a keyword argument.
pub fn take_keyword(keywords: &mut Vec<(Str, Value)>, name: &str) -> Option<Value> {
    let at = keywords.iter().position(|(known, _)| **known == *name)?;
    Some(keywords.remove(at).1)
}

fn plural(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}

impl<'a> Bound<'a> {
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Returns required and other arguments: `let ([value, size], [fill]) =
    /// bound.split();`
    pub fn split<const R: usize, const O: usize>(
        self,
    ) -> ([Value; R], [Option<Value>; O]) {
        debug_assert_eq!(
            (R, R + O),
            (self.required, self.values.len()),
            "{} has other parameters in its table",
            self.name
        );
        let mut values = self.values.into_iter();
        let required =
            std::array::from_fn(|_| values.next().flatten().unwrap_or(Value::None));
        (required, std::array::from_fn(|_| values.next().flatten()))
    }

    /// Returns the arguments of all parameters.
    pub fn into_values(self) -> Vec<Option<Value>> {
        self.values
    }

    pub fn only(self) -> Value {
        let ([value], []) = self.split();
        value
    }

    /// Replaces the argument of each parameter.
    pub fn convert(&mut self, change: impl Fn(&Value) -> Result<Value>) -> Result<()> {
        for value in self.values.iter_mut().flatten() {
            *value = change(value)?;
        }
        Ok(())
    }

    /// Returns the argument of a parameter, if it is given.
    pub fn get(&self, at: usize) -> Option<&Value> {
        self.values.get(at)?.as_ref()
    }

    /// Returns the argument of a parameter, or `None` if it is not given.
    pub fn value(&self, at: usize) -> Value {
        self.get(at).cloned().unwrap_or(Value::None)
    }

    /// Returns an argument as a string. `wrong` makes the message of the `TypeError`.
    pub fn text(&self, at: usize, wrong: impl Fn(&str) -> String) -> Result<Str> {
        match self.get(at) {
            Some(Value::Str(text)) => Ok(text.clone()),
            Some(other) => Err(Exception::of_type(wrong(other.type_name()))),
            None => Err(Exception::of_type(wrong("NoneType"))),
        }
    }

    /// Returns an integer. Raises a `TypeError`, or an `OverflowError` beyond 64 bits.
    pub fn integer(&self, at: usize, default: i64) -> Result<i64> {
        self.get(at).map_or(Ok(default), |value| index(value, "ssize_t"))
    }

    /// Returns the truth of a parameter's argument.
    pub fn flag(&self, at: usize, default: bool) -> Result<bool> {
        self.get(at).map_or(Ok(default), truth)
    }

    /// Returns the range that the parameters `at` and `at + 1` select as the start and
    /// end of a slice of `length` members; nothing if the start exceeds the end.
    pub fn window(&self, at: usize, length: usize) -> Result<Option<(usize, usize)>> {
        let place = |at: i64| match usize::try_from(at) {
            Ok(at) => at,
            Err(_) => length.saturating_sub(at.unsigned_abs() as usize),
        };
        let start = slice_index(self.get(at))?.map_or(0, place);
        let stop = slice_index(self.get(at + 1))?.map_or(length, place).min(length);
        Ok((start <= stop).then_some((start, stop)))
    }
}
