//! The tables of methods: a row has the signature of a method and the function that runs it.

use super::super::{Arguments, Bound, Result, Signature, Value};

/// A method of the built-in type that `T` stands for.
pub struct MethodRow<T: 'static> {
    signature: Signature<'static>,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
}

pub type MethodTable<T> = &'static [MethodRow<T>];

pub const fn method<T>(
    signature: Signature<'static>,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
) -> MethodRow<T> {
    MethodRow { signature, run }
}

pub fn find<T>(table: MethodTable<T>, name: &str) -> Option<&'static MethodRow<T>> {
    table.iter().find(|row| row.name() == name)
}

impl<T> MethodRow<T> {
    pub fn name(&self) -> &'static str {
        self.signature.name()
    }

    /// Binds the arguments of a call on a value of the type `of`.
    pub fn bind(&self, of: &str, arguments: Arguments) -> Result<Bound<'static>> {
        self.signature.bind_method(of, arguments)
    }

    pub fn run(&self, receiver: &T, arguments: &Bound<'_>) -> Result<Value> {
        (self.run)(receiver, arguments)
    }
}
