//! A copy of the program in a folder that other users may enter.

use std::path::Path;
use std::process::Command;

/// Copies the program. Another process does: while a copy of our own is open for writing,
/// the program that another test starts at that moment may inherit it, and then a system
/// refuses to run the copy ("text file busy").
pub(crate) fn copy_program(to: &Path) {
    let copied =
        Command::new("cp").arg(env!("CARGO_BIN_EXE_interpolate")).arg(to).status();
    assert!(copied.unwrap().success());
}
