//! Jinja as Ansible speaks it: the text of a template comes in, the value it stands for
//! goes out.

mod access;
mod ast;
mod dialect;
mod evaluate;
pub mod filter;
pub mod function;
mod lexer;
pub mod lookup;
mod loop_context;
mod native;
mod parser;
mod plugin;
mod render;
mod rewrite;
mod scope_names;
mod syntax;
mod templates;
pub mod test;
mod undefined;
mod value;

pub use dialect::Jinja;
pub use plugin::{CallSite, Plugin, PluginKind, PluginTable, Registry};
pub use undefined::{
    NoBranch, Omit, Undefined, caught, defined, is_omit, is_undefined, refuse,
};
