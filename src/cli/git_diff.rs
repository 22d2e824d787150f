//! `diff --git`: prints what changed in a file, as an external diff of git.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use interpolate::unstable::diff::{DocumentPairs, unified};
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::Sources;

use super::failure::{Failure, both, warn};
use super::main_options::MainOptions;
use super::output;
use super::read::InputReader;
use super::stream_ops::{StreamOps, unpaired};

/// The arguments of an external diff of git.
#[derive(Debug)]
pub struct GitDiff {
    /// The path of the file in the repository.
    name: OsString,
    /// The files with the old and the new text; `None` for a file with conflicts.
    files: Option<(OsString, OsString)>,
    /// The new path of a file that was renamed.
    renamed: Option<OsString>,
}

impl GitDiff {
    /// Takes the arguments that git gives: `path old-file old-hex old-mode new-file new-hex
    /// new-mode`, two more for a renamed file, and the path alone for one with conflicts.
    pub fn new(arguments: &[OsString]) -> Result<GitDiff, Failure> {
        let (name, files, renamed) = match arguments {
            [name] => (name, None, None),
            [name, old, _, _, new, _, _, rest @ ..] if rest.len() != 1 => {
                (name, Some((old.clone(), new.clone())), rest.first().cloned())
            }
            _ => {
                let wrong = "diff --git takes the seven arguments of a git external diff; \
                             set diff.yaml.command to 'interpolate diff --git'";
                return Err(Failure::usage(wrong));
            }
        };
        Ok(GitDiff { name: name.clone(), files, renamed })
    }

    /// Prints the ops behind a line with the path. Git takes any exit code but 0 for a crash:
    /// what is no YAML, and changes beside the data, are printed as lines.
    pub fn run(
        &self,
        options: &MainOptions,
        sources: &mut Sources,
    ) -> Result<ExitCode, Failure> {
        let name = self.name.display();
        let Some(files) = &self.files else {
            let line = format!("# {name} has conflicts\n");
            return print(&line);
        };
        let to = self.renamed.as_ref().map(|to| format!(" -> {}", to.display()));
        let head = format!("# {name}{}\n", to.unwrap_or_default());
        let is_new = files.0 == "/dev/null";
        if is_new || files.1 == "/dev/null" {
            let verb = if is_new { "added" } else { "removed" };
            return print(&format!("# {name} was {verb}\n"));
        }
        let mut reader = InputReader::new(
            &options.input,
            &options.output,
            options.dialect(),
            sources,
        )?;
        let sides = [&files.0, &files.1];
        let texts = both(reader.source(sides[0]), reader.source(sides[1]));
        let (old, new) = match texts {
            Ok((old, new)) => (old.text, new.text),
            Err(failure) if failure.code() == 1 => {
                return print(&format!("# {name} differs, and is no text\n"));
            }
            Err(failure) => {
                failure.report(sources, &options.output);
                return print(&head);
            }
        };
        // Git gives the paths of temporary files.
        let mut read = |path: &OsStr, side: &str| {
            reader.base_shown_as(path, &shown_side(&self.name, side))
        };
        let (old_tree, new_tree) = (read(sides[0], "old"), read(sides[1], "new"));
        let name = name.to_string();
        let lines = || unified((&name, &name), &old, &new, 3);
        let body = match both(old_tree, new_tree) {
            Ok((old, new)) => ops(&old, &new, options, sources)?,
            Err(failure) => {
                let note =
                    format!("'{name}' cannot be read as YAML, and is compared by lines");
                warn(&[failure.into_warning(note)], sources, &options.output);
                None
            }
        };
        print(&(head + &body.unwrap_or_else(lines)))
    }
}

/// Returns the ops; `None` if the data is the same.
fn ops(
    old: &Tree,
    new: &Tree,
    options: &MainOptions,
    sources: &Sources,
) -> Result<Option<String>, Failure> {
    let pairs = DocumentPairs::new(old, new);
    let ops = StreamOps::new(old, new, &pairs)?;
    let mut notes = ops.notes(new);
    notes.extend(unpaired(&pairs, old, new));
    warn(&notes, sources, &options.output);
    Ok((!ops.is_empty()).then(|| ops.text()))
}

/// Returns the name that messages show for one of the versions of a file.
pub fn shown_side(name: &OsStr, side: &str) -> OsString {
    let mut shown = name.to_owned();
    shown.push(format!(" ({side})"));
    shown
}

fn print(text: &str) -> Result<ExitCode, Failure> {
    output::print(&[text.as_bytes()])?;
    Ok(ExitCode::SUCCESS)
}
