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
    let page = String::from_utf8_lossy(&page)
        .replace(".SH EXTRA\nExamples:", ".SH EXAMPLES\n.nf")
        .replace("\nExit codes:", ".fi\n.SH \"EXIT STATUS\"\n.nf")
        .replace("\n.SH VERSION", "\n.fi\n.SH VERSION")
        // The commands have no pages of their own.
        .replace("\ninterpolate\\-", "\ninterpolate ")
        .replace("(1)\n", "\n");
    print(&[page.as_bytes()])?;
    Ok(ExitCode::SUCCESS)
}
