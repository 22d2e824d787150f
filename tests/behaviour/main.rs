//! Tests of behaviour beyond one case of `fixtures/`, a module for each subject.
//! `cargo test --test behaviour fault::` runs those of one module.

#![allow(clippy::unwrap_used)]

#[cfg(target_os = "linux")]
mod bounded;
mod check;
#[cfg(unix)]
mod completion;
mod cookbook;
#[cfg(unix)]
mod copied_program;
mod directive;
mod document_selector;
#[cfg(unix)]
mod fault;
mod fixture;
mod generate;
#[cfg(unix)]
mod git;
mod go;
mod large;
#[cfg(unix)]
mod odd_name;
#[cfg(target_os = "linux")]
mod open_file;
mod print_value;
mod printed_patch;
mod put;
mod rebase;
#[cfg(target_os = "linux")]
mod replaced_file;
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
