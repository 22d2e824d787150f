//! Functions that templates call by name: arguments come in, a value goes out.

mod lookup;
mod value;

use super::plugin::PluginTable;

/// The tables of functions.
pub const FUNCTIONS: &[PluginTable] = &[lookup::FUNCTIONS, value::FUNCTIONS];
