//! Functions that templates call by name: arguments come in, a value goes out.

mod lipsum;
mod lookup;
mod value;

use super::plugin::PluginTable;

/// The tables of functions.
pub const FUNCTIONS: &[PluginTable] =
    &[lipsum::FUNCTIONS, lookup::FUNCTIONS, value::FUNCTIONS];
