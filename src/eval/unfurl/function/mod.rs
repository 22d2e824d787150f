//! The functions of expressions. A function is a row in the table `FUNCTIONS` of its
//! file: its name, its parameters, and whether it needs `eval`. `registry` joins the
//! tables, `call` evaluates arguments.

mod call;
mod env;
mod file;
mod label;
mod misc;
mod operator;
mod registry;
mod schema;
mod template;
mod text;

pub(super) use call::FunctionCall;
pub(super) use file::to_yaml;
pub(super) use registry::{find, is_top_level, names, unknown};
