//! `diff --git`: prints what changed in a file, as an external diff of git.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use interpolate::unstable::apply;
use interpolate::unstable::compare::DocumentPairs;
use interpolate::unstable::diagnostic::visible_line;
use interpolate::unstable::diff::{TagRule, diff_streams, unified};
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::Sources;

use super::failure::{Failure, Result, both, warn};
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
    /// The old and the new mode, if they differ.
    modes: Option<(String, String)>,
}

impl GitDiff {
    /// Takes the arguments that git gives: `path old-file old-hex old-mode new-file new-hex
    /// new-mode`, two more for a renamed file, and the path alone for one with conflicts.
    pub fn new(arguments: &[OsString]) -> Result<GitDiff> {
        let (name, files, renamed, modes) = match arguments {
            [name] => (name, None, None, None),
            [name, old, _, was, new, _, is, rest @ ..] if rest.len() != 1 => {
                let modes = (was.display().to_string(), is.display().to_string());
                let modes = Some(modes).filter(|(was, is)| was != is);
                (name, Some((old.clone(), new.clone())), rest.first().cloned(), modes)
            }
            _ => {
                let wrong = "diff --git takes the seven arguments of a git external diff; \
                             set diff.yaml.command to 'interpolate diff --git --'";
                return Err(Failure::usage(wrong));
            }
        };
        Ok(GitDiff { name: name.clone(), files, renamed, modes })
    }

    /// Returns the line with the path, and what became of the file.
    fn head(&self, is_new: bool, is_gone: bool) -> String {
        let shown = |name: &OsStr| visible_line(name.display().to_string()).into_owned();
        let mut head = format!("# {}", shown(&self.name));
        if is_new || is_gone {
            return head + if is_new { " was added" } else { " was removed" };
        }
        if let Some(to) = &self.renamed {
            head += &format!(" -> {}", shown(to));
        }
        if let Some((was, is)) = &self.modes {
            head += &format!(" (mode {was} -> {is})");
        }
        head
    }

    /// Prints the ops behind a line with the path. Git takes any exit code but 0 for a crash:
    /// what is no YAML, and changes beside the data, are printed as lines.
    pub fn run(&self, options: &MainOptions, sources: &mut Sources) -> Result<ExitCode> {
        let name = self.name.display();
        let Some(files) = &self.files else {
            return print(&format!(
                "# {} has conflicts\n",
                visible_line(name.to_string())
            ));
        };
        let sides = [&files.0, &files.1];
        let [is_new, is_gone] = sides.map(|path| path == "/dev/null");
        let head = self.head(is_new, is_gone);
        let mut reader = InputReader::new(options, sources)?;
        let mut text = |path: &OsString, is_missing: bool| {
            if is_missing {
                return Ok(String::new());
            }
            reader.source(path).map(|source| source.text.to_string())
        };
        let texts = both(text(sides[0], is_new), text(sides[1], is_gone));
        let (old, new) = match texts {
            Ok(texts) => texts,
            Err(failure) if failure.code == 1 => {
                let differs = if is_new || is_gone { "" } else { " differs" };
                return print(&format!("{head}{differs}, and is no text\n"));
            }
            Err(failure) => {
                failure.report(sources, &options.output);
                return print(&format!("{head}\n"));
            }
        };
        let head = head + "\n";
        let name = visible_line(name.to_string()).into_owned();
        if is_new || is_gone {
            let names =
                if is_new { ["/dev/null", &*name] } else { [&*name, "/dev/null"] };
            return print(&(head + &unified(names, &old, &new, 3)));
        }
        // Git gives the paths of temporary files.
        let old_tree = reader.base_shown_as(sides[0], &shown_side(&self.name, "old"));
        let new_tree = reader.base_shown_as(sides[1], &shown_side(&self.name, "new"));
        let body = match both(old_tree, new_tree) {
            Ok((old_tree, new_tree)) => {
                let pairs = DocumentPairs::new(&old_tree, &new_tree);
                let ops = ops(&old_tree, &new_tree, &pairs, options, sources)?;
                ops.map(|ops| {
                    let patched = patched(&old_tree, &new_tree, &pairs);
                    let patched = patched.map(|it| it.to_string());
                    ops + &rest(&name, patched.as_deref(), &old, &new)
                })
            }
            Err(failure) => {
                let note =
                    format!("'{name}' cannot be read as YAML, and is compared by lines");
                warn(&[failure.into_warning(note)], sources, &options.output);
                None
            }
        };
        print(&(head + &body.unwrap_or_else(|| unified([&name, &name], &old, &new, 3))))
    }
}

/// Returns the ops; `None` if the data is the same.
fn ops(
    old: &Tree,
    new: &Tree,
    pairs: &DocumentPairs,
    options: &MainOptions,
    sources: &Sources,
) -> Result<Option<String>> {
    let ops = StreamOps::new(old, new, pairs, TagRule::Count)?;
    let mut notes = ops.notes(new);
    notes.extend(unpaired(pairs, old, new));
    warn(&notes, sources, &options.output);
    Ok((!ops.is_empty()).then(|| ops.text()))
}

/// Returns the lines in which a text differs from the old one with the ops, as comments of
/// YAML; empty if outside of comments only blanks and the order of lines differ. If an op fails
/// there, all lines that changed are shown.
// A change that is no data for us may be for another reader: `no` instead of `"no"`, `%YAML 1.1`.
fn rest(name: &str, patched: Option<&str>, old: &str, text: &str) -> String {
    let head = match patched {
        Some(_) => "Beside the data, with the ops applied:",
        None => "The lines that changed:",
    };
    let old = patched.unwrap_or(old);
    let lines = unified([name, name], old, text, 3);
    let lines: Vec<&str> = lines.lines().skip(2).collect();
    let is_comment = |line: &&str| line.starts_with(['+', '-']) && line.contains('#');
    if !lines.iter().any(is_comment) && dense_lines(old) == dense_lines(text) {
        return String::new();
    }
    let lines: String = lines.into_iter().map(|line| format!("# {line}\n")).collect();
    format!("# {head}\n{lines}")
}

/// Returns the lines of a text without blanks, sorted.
// The order of keys is no data; that of documents is told by a note.
fn dense_lines(text: &str) -> Vec<String> {
    let dense = |line: &str| line.split_whitespace().collect::<String>();
    let mut lines: Vec<String> = text.lines().map(dense).collect();
    lines.retain(|line| !line.is_empty());
    lines.sort_unstable();
    lines
}

/// Returns the old documents with the ops; `None` if one fails, as on documents that only
/// one of the streams has.
fn patched(old: &Tree, new: &Tree, pairs: &DocumentPairs) -> Option<Tree> {
    let mut patched = old.clone();
    let patches = diff_streams(old, new, pairs, TagRule::Count).ok()?;
    let is_one_for_all = patches.len() < pairs.pairs.len();
    for (patch, &(at, _)) in patches.iter().zip(&pairs.pairs) {
        let roots = if is_one_for_all { 0..old.roots().len() } else { at..at + 1 };
        apply::apply(patch, &mut patched, roots).ok()?;
    }
    Some(patched)
}

/// Returns the name that messages show for one of the versions of a file.
pub fn shown_side(name: &OsStr, side: &str) -> OsString {
    let mut shown = name.to_owned();
    shown.push(format!(" ({side})"));
    shown
}

fn print(text: &str) -> Result<ExitCode> {
    output::print(&[text.as_bytes()])?;
    Ok(ExitCode::SUCCESS)
}
