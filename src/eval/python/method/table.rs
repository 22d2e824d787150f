//! The tables of methods: a row has the signature of a method and the function that runs it.

use super::super::{Arguments, Bound, Result, Signature, Value};

/// A method of the built-in type that `T` stands for.
pub struct MethodRow<T: 'static> {
    signature: Signature<'static>,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
}

/// The methods of a type.
pub type MethodTable<T> = &'static [MethodRow<T>];

/// Makes a row.
pub const fn method<T>(
    signature: Signature<'static>,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
) -> MethodRow<T> {
    MethodRow { signature, run }
}

/// Returns the row of a name.
pub fn find<T>(table: MethodTable<T>, name: &str) -> Option<&'static MethodRow<T>> {
    table.iter().find(|row| row.name() == name)
}

impl<T> MethodRow<T> {
    /// The name of the method.
    pub fn name(&self) -> &'static str {
        self.signature.name()
    }

    /// Binds the arguments of a call on a value of the type `of`.
    ///
    /// # Errors
    /// A `TypeError` if they do not fit the signature.
    pub fn bind(&self, of: &str, arguments: Arguments) -> Result<Bound<'static>> {
        self.signature.bind_method(of, arguments)
    }

    /// Runs the method.
    ///
    /// # Errors
    /// The exceptions of the method.
    pub fn run(&self, receiver: &T, arguments: &Bound<'_>) -> Result<Value> {
        (self.run)(receiver, arguments)
    }
}
