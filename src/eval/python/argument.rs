//! The arguments of a call.

use super::{Result, Signature, Str, Value};

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
        let at = self.keywords.iter().position(|(known, _)| **known == *name)?;
        Some(self.keywords.remove(at).1)
    }
}
