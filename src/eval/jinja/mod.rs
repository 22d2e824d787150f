//! Jinja as Ansible speaks it: the text of a template comes in, the value it stands for
//! goes out.

pub mod filter;
pub mod function;
pub mod lookup;
mod plugin;
pub mod test;
mod undefined;

pub use plugin::{Call, Engine, Entry, Kind, Plugin, Table};
pub use undefined::{
    Nothing, Omit, Undefined, caught, defined, is_omit, is_undefined, refuse,
};
