//! The functions of expressions: a name comes in, what computes it goes out.

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
