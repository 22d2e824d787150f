//! The engine, as the program uses it. Its names and signatures change between versions
//! without notice; the stable names stand at the root of the crate.

/// Numbered texts, spans in them, and the interface to everything outside.
pub mod source {
    pub use crate::source::*;
}

/// Errors and warnings with their places, and their renderer.
pub mod diagnostic {
    pub use crate::diagnostic::*;
}

/// bosh's paths: `/a/name=b?/0:after`.
pub mod pointer {
    pub use crate::pointer::*;
}

/// The meaning of a scalar in each dialect.
pub mod scalar {
    pub use crate::scalar::*;
}

/// The flat span tree of one text.
pub mod arena {
    pub use crate::arena::*;
}

/// The tree that all passes read and edit.
pub mod node {
    pub use crate::node::*;
}

/// The patch IR.
pub mod patch {
    pub use crate::patch::*;
}

/// Reading and printing: YAML, JSON, and the bytes of bosh.
pub mod yaml {
    pub use crate::yaml::*;
}

/// The ops that turn one document into another.
pub mod diff {
    pub use crate::diff::*;
}

/// Rust values to nodes and back, through serde.
pub mod convert {
    pub use crate::convert::*;
}

/// Applies a patch to a tree.
pub mod apply {
    pub use crate::apply::*;
}

/// Ops-files and merge directives to patches.
pub mod compile {
    pub use crate::compile::*;
}

/// `((names))`: their values, definitions and generators.
pub mod variables {
    pub use crate::variables::*;
}

/// Unfurl expressions, Jinja templates and yaql.
#[cfg(feature = "eval")]
pub mod eval {
    pub use crate::eval::*;
}

/// Heat templates.
#[cfg(feature = "hot")]
pub mod hot {
    pub use crate::hot::*;
}

/// Saves an edited expansion into the document that was expanded.
pub mod restore {
    pub use crate::restore::*;
}
