//! The engine, as the program uses it. Its names and signatures change between versions
//! without notice; the stable names stand at the root of the crate.
//!
//! The steps, in the order data flows:
//!
//! 1. [`source`]: texts are numbered; everything outside is behind one trait.
//! 2. [`yaml::read`]: a text becomes an [`arena`] of spans and a tree over it.
//! 3. [`compile::directives`] and [`language::ops`]: merge directives and ops-files become
//!    a patch of ops that know their [pointers](pointer::Pointer).
//! 4. [`apply::apply`]: nodes are opened along the paths of the ops, and changed.
//! 5. [`variables::fill`]: `((names))` are replaced by their values.
//! 6. [`yaml::print`]: the tree is printed: losslessly, as bosh does, or as JSON.
//!
//! Invariants: only [`source::World`] touches the outside; `apply` does no input or output;
//! nothing recurses on the depth of its input without a bound; a hash map is never iterated.
//!
//! ```
//! use interpolate::unstable::source::Sources;
//! use interpolate::unstable::yaml::{self, Options};
//! use interpolate::unstable::{apply, language};
//!
//! let mut sources = Sources::default();
//! let base = sources.add("base.yml", "azs: [z1, z2] # both\n");
//! let ops = sources.add("ops.yml", "- {type: replace, path: /azs/-, value: z3}\n");
//! let mut tree = yaml::read(&sources, base, &Options::default())?;
//! let ops = yaml::read(&sources, ops, &Options::default())?;
//! let patch = language::ops(&ops, "ops.yml")?;
//! apply::apply(&patch, &mut tree, 0..1)?;
//! assert_eq!(tree.to_string(), "azs: [z1, z2, z3] # both\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

/// Faults of documents and patches that are no errors yet.
pub mod check {
    pub use crate::check::*;
}

/// The effects of each op of a patch on a document.
pub mod plan {
    pub use crate::plan::*;
}

/// The origins of the values of a document.
pub mod history {
    pub use crate::history::*;
}

/// Which parts of two documents are the same.
pub mod compare {
    pub use crate::compare::*;
}

/// JSONPath queries.
pub mod select {
    pub use crate::select::*;
}

/// Pointers and queries, as one.
pub mod target {
    pub use crate::target::*;
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

/// Merge directives to patches.
pub mod compile {
    pub use crate::compile::*;
}

/// The languages of patches: ops-files, JSON Patches, Merge Patches, Overlays, arguments.
pub mod language {
    pub use crate::language::*;
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

/// Three versions of a document to one.
pub mod three_way {
    pub use crate::three_way::*;
}

/// Saves an edited expansion into the document that was expanded.
pub mod restore {
    pub use crate::restore::*;
}

/// Carries a patch over to the next version of its document.
pub mod rebase {
    pub use crate::rebase::*;
}

/// The pipeline: directives, a patch, variables and templates, in this order; and the way back.
pub mod job {
    pub use crate::job::*;
}
