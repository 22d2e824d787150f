//! Patch YAML without losing a byte.

pub mod apply;
pub mod arena;
pub mod compile;
pub mod diagnostic;
pub mod node;
pub mod patch;
pub mod pointer;
pub mod scalar;
pub mod source;
pub mod yaml;
