//! Several BASEs: the same patch is applied to each. A file that fails does not keep the
//! others from being patched.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use interpolate::unstable::compile;
use interpolate::unstable::source::Sources;

use super::failure::{Failure, both, print_lines};
use super::interpolate::{draft_with, warn_of_patterns};
use super::main_options::MainOptions;
use super::output;
use super::read::{InputReader, read_ops, read_variables};

/// Maximum number of files that differ and are named.
// A screenful: with more, the number of all tells enough.
const MAX_NAMED: usize = 20;

/// Patches each BASE, and compares or writes it. Returns the exit code of the worst one.
pub fn run(
    options: &mut MainOptions,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    options.check()?;
    warn_of_patterns(options, sources);
    let bases: Vec<OsString> = options.bases().cloned().collect();
    let mut reader = InputReader::new(options, sources)?;
    let (ops, given) = both(read_ops(&mut reader), read_variables(&mut reader))?;
    check(options, &bases, sources)?;
    let given = Arc::new(given);
    let (mut worst, mut failed, mut differ) = (0, 0, Vec::new());
    for base in &bases {
        options.base = Some(base.clone());
        let before = sources.count();
        let options = &*options;
        let draft = draft_with(options, &ops, &given, sources);
        let done = draft.and_then(|(draft, store)| {
            draft.settle(options, store, sources, |mut patched, sources| {
                output::deliver(options, sources, &mut patched)
            })
        });
        match done {
            Ok(ExitCode::SUCCESS) => {}
            Ok(_) => differ.push(base.display().to_string()),
            Err(failure) => {
                failed += 1;
                worst = worst.max(failure.code());
                failure.of_file(base).report(sources, &options.output);
            }
        }
        // A thousand files are read one after another.
        sources.release(before..sources.count(), &[]);
    }
    if failed > 0 && !options.output.quiet {
        print_lines(&[format!("\n{failed} of {} files failed", bases.len())]);
    }
    if !differ.is_empty() && !options.output.quiet {
        let names = differ[..differ.len().min(MAX_NAMED)].join(", ");
        let more = if differ.len() > MAX_NAMED { ", …" } else { "" };
        let count = format!("{} of {} files differ", differ.len(), bases.len());
        print_lines(&[format!("{count}: {names}{more}")]);
    }
    let worst = worst.max(u8::from(!differ.is_empty()));
    Ok(ExitCode::from(worst))
}

/// Refuses standard input, and files that look like ops-files, before anything is written.
// A shell expands `-o ops/*.yml` to one ops-file and several BASEs.
fn check(
    options: &MainOptions,
    bases: &[OsString],
    sources: &mut Sources,
) -> Result<(), Failure> {
    if bases.iter().any(|base| base == "-") {
        let wrong = "standard input is a BASE of its own: it goes with no other BASE";
        return Err(Failure::usage(wrong));
    }
    let asked = bases.len().saturating_sub(options.after_dashes);
    for base in &bases[..asked] {
        let before = sources.count();
        let mut reader = InputReader::new(options, sources)?;
        if reader.begins_with_item(base)
            && reader.base(base).is_ok_and(|document| compile::is_patch(&document))
        {
            return Err(refusal(base));
        }
        sources.release(before..sources.count(), &[]);
    }
    Ok(())
}

fn refusal(base: &OsString) -> Failure {
    let name = Path::new(base).display();
    let message = format!("is '{name}' an ops-file? Then write -o {name}");
    let hint = "each file needs an -o of its own, or give their folder: a shell reads \
                `-o ops/*.yml` as one ops-file and other BASEs; a BASE that reads as an \
                ops-file stands after `--`";
    Failure::usage(&message).hint(Some(hint.into()))
}
