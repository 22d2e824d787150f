//! Patch YAML without losing a byte.
//!
//! A text is read into a [`Tree`](node::Tree), ops-files are compiled into a
//! [`Patch`](patch::Patch), the patch is applied op after op, and the document is
//! printed. Whatever no op changed keeps its bytes.
//!
//! ```
//! use interpolate::unstable::source::Sources;
//! use interpolate::unstable::yaml::{self, Options};
//! use interpolate::unstable::{apply, compile};
//!
//! let mut sources = Sources::default();
//! let base = sources.add("base.yml", "name: shop # the old name\nazs: [z1, z2]\n");
//! let ops = sources.add(
//!     "ops.yml",
//!     "- type: replace\n  path: /azs/-\n  value: z3\n",
//! );
//! let mut document = yaml::read(&sources, base, &Options::default())?;
//! let ops = yaml::read(&sources, ops, &Options::default())?;
//! let patch = compile::ops(&ops, "ops.yml")?;
//! apply::apply(&patch, &mut document, 0..1)?;
//! assert_eq!(document.to_string(), "name: shop # the old name\nazs: [z1, z2, z3]\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The steps, in the order data flows:
//!
//! 1. [`source`]: texts are numbered; everything outside is behind one trait.
//! 2. [`yaml::read`]: a text becomes an [`arena`] of spans and a document over it.
//! 3. [`compile::directives`] and [`compile::ops`]: merge directives and ops-files become a
//!    patch of ops that know their [`pointer`]s.
//! 4. [`apply::apply`]: nodes are opened along the paths of the ops, and changed.
//! 5. [`variables::fill`]: `((names))` are replaced by their values.
//! 6. [`yaml`]: the document is printed: losslessly, as bosh does, or as JSON.
//!
//! Invariants: only [`source::World`] touches the outside; `apply` does no input or output;
//! nothing recurses on the depth of its input; a hash map is never iterated.

mod apply;
mod arena;
mod compile;
mod converge;
mod convert;
mod diagnostic;
mod diff;
#[cfg(feature = "eval")]
mod eval;
#[cfg(feature = "hot")]
mod hot;
mod merge;
mod node;
mod patch;
mod pointer;
mod restore;
mod scalar;
mod source;
pub mod unstable;
mod variables;
mod yaml;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
