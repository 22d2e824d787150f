//! The arguments of a call, bound to the names of a function as Python binds them.

use super::{Exception, Result, Str, Value};

/// What is given to a function: values by position, then values by name.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// By position.
    pub positional: Vec<Value>,
    /// By name, in the order written.
    pub keywords: Vec<(Str, Value)>,
}

impl Arguments {
    /// Arguments by position only.
    pub fn of(positional: impl IntoIterator<Item = Value>) -> Arguments {
        Arguments { positional: positional.into_iter().collect(), keywords: Vec::new() }
    }

    /// All values, those by position first.
    pub fn values(&self) -> Vec<&Value> {
        let named = self.keywords.iter().map(|(_, value)| value);
        self.positional.iter().chain(named).collect()
    }

    /// Binds all of them to the names of `function`, of which the first `required` must be
    /// given.
    ///
    /// # Errors
    /// A `TypeError` that says which are missing, too many, given twice or unknown.
    pub fn bind<const N: usize>(
        self,
        function: &str,
        names: [&str; N],
        required: usize,
    ) -> Result<[Option<Value>; N]> {
        let mut bound = self.bind_names(function, &names, required)?.into_iter();
        Ok(std::array::from_fn(|_| bound.next().flatten()))
    }

    /// The same for any number of names.
    ///
    /// # Errors
    /// The same.
    pub fn bind_names(
        self,
        function: &str,
        names: &[&str],
        required: usize,
    ) -> Result<Vec<Option<Value>>> {
        let (given, most) = (self.positional.len(), names.len());
        if given > most {
            let (at_least, s) = (required.min(most), if most == 1 { "" } else { "s" });
            let range = if at_least == most {
                format!("{most}")
            } else {
                format!("from {at_least} to {most}")
            };
            return Err(Exception::of_type(format!(
                "{function}() takes {range} positional argument{s} but {given} {} given",
                if given == 1 { "was" } else { "were" }
            )));
        }
        let mut bound = vec![None; most];
        for (slot, value) in bound.iter_mut().zip(self.positional) {
            *slot = Some(value);
        }
        for (name, value) in self.keywords {
            let Some(at) = names.iter().position(|known| **known == *name) else {
                return Err(Exception::of_type(format!(
                    "{function}() got an unexpected keyword argument '{}'",
                    &*name
                )));
            };
            if bound[at].replace(value).is_some() {
                return Err(Exception::of_type(format!(
                    "{function}() got multiple values for argument '{}'",
                    &*name
                )));
            }
        }
        let missing = bound.iter().zip(names).take(required).filter(|(v, _)| v.is_none());
        let missing: Vec<String> = missing.map(|(_, name)| format!("'{name}'")).collect();
        if missing.is_empty() {
            Ok(bound)
        } else {
            Err(Exception::of_type(format!(
                "{function}() missing {} required positional argument{}: {}",
                missing.len(),
                if missing.len() == 1 { "" } else { "s" },
                missing.join(" and ")
            )))
        }
    }

    /// Takes the value given by a name.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.keywords.iter().position(|(known, _)| **known == *name)?;
        Some(self.keywords.remove(at).1)
    }
}
