//! Tests that run the cases of fixtures/, and tests of behaviour beyond one case: a
//! module for each area. `cargo test --test cases save::` runs those of one module.

#![allow(clippy::unwrap_used)]

mod archive;
mod check;
mod cli;
#[cfg(unix)]
mod completion;
mod cookbook;
#[cfg(unix)]
mod copied_program;
mod diff;
mod directive;
mod document_selector;
mod eval;
#[cfg(unix)]
mod fault;
mod fixture;
mod generate;
#[cfg(unix)]
mod git;
mod go;
mod hot;
mod hot_function;
#[path = "../bench/manifest.rs"]
#[allow(dead_code)]
mod manifest;
mod merge;
mod museum;
#[cfg(target_os = "linux")]
mod open_file;
mod patch;
mod print_value;

mod printed_patch;
mod put;
mod rebase;
#[cfg(target_os = "linux")]
mod replaced_file;
mod save;
mod scalar;
mod secret;
mod select;
#[cfg(unix)]
mod store;
#[cfg(unix)]
mod store_file;
#[cfg(unix)]
mod terminal;
mod tidy;
mod url;
mod variable;
