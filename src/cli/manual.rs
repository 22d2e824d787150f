//! The completion scripts and the manual page, made from the options.

use std::process::ExitCode;

use clap::CommandFactory;

use super::failure::Failure;
use super::option::Arguments;
use super::output::print;

/// Prints a completion script.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(shell, &mut command, "interpolate", &mut script);
    print(&[&script])?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page.
pub(crate) fn page() -> Result<ExitCode, Failure> {
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(Arguments::command()).render(&mut page);
    written.map_err(|error| Failure::file(error.to_string()))?;
    print(&[&page])?;
    Ok(ExitCode::SUCCESS)
}
