//! `merge`: merges two versions of a document with a common base; as a merge driver of git
//! too.

use std::ffi::{OsStr, OsString};
use std::mem::take;
use std::process::{Command, ExitCode};
use std::sync::Arc;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueHint};
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::job::with_keys_of_ours;
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::{Encoding, Source, Sources};
use interpolate::unstable::three_way::{self, MARKER_SIZE, MarkedBase, Markers, Merged};
use interpolate::unstable::yaml::{self, DecodeTarget};

use super::diff::check_merged;
use super::failure::{Failure, Result, both, print_lines, warn};
use super::git_diff::shown_side;
use super::main_options::{MainOptions, Unpatched};
use super::options::{Format, RESULT_OPTIONS, describe, describe_alone, hide};
use super::output;
use super::read::InputReader;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct MergeOptions {
    /// The version that both sides began with
    #[arg(value_hint = ValueHint::FilePath)]
    base: OsString,
    /// One side: the merged text is this one, with the changes of THEIRS
    #[arg(value_hint = ValueHint::FilePath)]
    ours: OsString,
    /// The other side
    #[arg(value_hint = ValueHint::FilePath)]
    theirs: OsString,
    /// Merge as a driver of git: write the result to OURS, and merge by lines what is no YAML
    ///
    /// Options stand before `--git`: every word after it is a name.
    #[arg(long, conflicts_with_all = ["output", "format"])]
    git: bool,
    /// With --git: the length of conflict markers (%L)
    #[arg(requires = "git", default_value_t = MARKER_SIZE, value_parser = marker_sizes())]
    marker_size: usize,
    /// With --git: the name of the file in messages (%P)
    #[arg(requires = "git")]
    name: Option<OsString>,
    /// With --git: the names of the base, of OURS and of THEIRS in the markers (%S %X %Y)
    #[arg(requires = "git", value_name = "LABEL", num_args = 0..=3)]
    labels: Vec<String>,
    /// Show the lines of BASE in each conflict, too
    ///
    /// With --git, the setting `merge.conflictStyle` of git asks for it: `diff3` or `zdiff3`.
    #[arg(long)]
    diff3: bool,
    #[command(flatten)]
    common: Unpatched,
}

/// Maximum length of a conflict marker.
// Each conflict has four lines of that length.
const MAX_MARKER_SIZE: u64 = 1000;

fn marker_sizes() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_MARKER_SIZE)
}

const EXAMPLE: &str = "\
Example:
  interpolate merge base.yml ours.yml theirs.yml --output merged.yml

What both sides changed differently is a conflict: its path is printed on standard error, its
lines have the conflict markers of git, and the exit code is 1. In JSON, OURS is kept there.

As a merge driver of git:
  git config merge.yaml.driver 'interpolate merge --git -- %O %A %B %L %P %S %X %Y'
  printf '*.yml merge=yaml\\n*.yaml merge=yaml\\n' >> .gitattributes";

/// Changes the help: three documents are read and one is printed.
pub fn command(command: clap::Command) -> clap::Command {
    let output = "Write the merged text to a file, with its conflict markers";
    let schema = "Dialect of all three documents [default: core]";
    let command = hide(command, &RESULT_OPTIONS)
        .override_usage("interpolate merge [OPTIONS] <BASE> <OURS> <THEIRS>");
    let format =
        "Format of the result: that of OURS, or `json`, which keeps OURS at conflicts";
    let command = describe_alone(command, "format", format);
    describe(describe(command, "output", output), "schema", schema)
}

impl MergeOptions {
    /// Returns the options of the main job for OURS, and the others. Only for git the file has
    /// a name.
    pub fn split(mut self) -> (MainOptions, MergeOptions) {
        let ours = take(&mut self.ours);
        self.name = self.git.then(|| self.name.unwrap_or_else(|| ours.clone()));
        if self.git {
            self.common.output.output = Some(ours.clone().into());
        }
        let common = take(&mut self.common).into();
        (MainOptions::of(Some(ours), common), self)
    }
}

/// Merges BASE, OURS and THEIRS. Exits with 1 if there are conflicts.
pub fn run(
    options: &MainOptions,
    job: &MergeOptions,
    sources: &mut Sources,
) -> Result<ExitCode> {
    check(options, job)?;
    let ours = options.base();
    let paths = [&*job.base, &ours, &job.theirs];
    let (merged, encoding, base) = match read(options, job, paths, sources) {
        Ok([base, ours, theirs]) => {
            let encoding = ours.base().source().encoding;
            let merged = three_way::merge(&base, &ours, &theirs);
            (merged, encoding, base.base().source().clone())
        }
        Err(failure) => {
            let Some(name) = &job.name else { return Err(failure) };
            by_lines(options, paths, sources, failure, name)?
        }
    };
    let name = job.name.as_ref().map(|name| format!("{}: ", name.display()));
    let name = name.unwrap_or_default();
    let conflicts = merged.conflicts.iter();
    let conflicts = conflicts.map(|conflict| format!("{name}conflict: {conflict}"));
    print_lines(&conflicts.collect::<Vec<String>>());
    let text = match options.format() {
        Format::Json => json(options, &merged.ours(), sources)?,
        Format::Yaml | Format::Bosh => {
            let base = Some(&*base.text).filter(|_| job.shows_base(&merged));
            merged.marked(&job.markers(base))
        }
    };
    output::put(options, &[&yaml::bytes::bytes(&text, encoding)])?;
    Ok(ExitCode::from(u8::from(merged.has_conflicts())))
}

impl MergeOptions {
    /// Returns true if the lines of BASE are shown in conflicts.
    fn shows_base(&self, merged: &Merged) -> bool {
        merged.has_conflicts() && (self.diff3 || self.git && git_shows_base())
    }

    /// Returns the markers of conflicts, which may show the text of BASE.
    fn markers<'m>(&'m self, base: Option<&'m str>) -> Markers<'m> {
        let label = |at: usize, default: &'m str| {
            let given = self.labels.get(at).map(String::as_str);
            given.filter(|label| !label.is_empty()).unwrap_or(default)
        };
        Markers {
            size: self.marker_size,
            ours: label(1, "ours"),
            theirs: label(2, "theirs"),
            base: base.map(|text| MarkedBase { name: label(0, "base"), text }),
        }
    }
}

/// Returns true if git's configuration asks for the base in conflicts.
fn git_shows_base() -> bool {
    let asked = Command::new("git").args(["config", "merge.conflictStyle"]).output();
    let style = asked.map(|output| output.stdout).unwrap_or_default();
    matches!(style.trim_ascii(), b"diff3" | b"zdiff3")
}

/// Reads the three documents. Fails with all errors of any of them.
fn read(
    options: &MainOptions,
    job: &MergeOptions,
    paths: [&OsStr; 3],
    sources: &mut Sources,
) -> Result<[Tree; 3]> {
    let mut reader = InputReader::new(options, sources)?;
    let mut read = |at: usize, side: &str| {
        let path = paths[at];
        // Git gives the paths of temporary files.
        match job.name.as_ref().filter(|&name| name != paths[1]) {
            Some(name) => reader.base_shown_as(path, &shown_side(name, side)),
            None => reader.base(path),
        }
    };
    let base = read(0, "base");
    let ours = read(1, "ours");
    let theirs = read(2, "theirs");
    let ((base, ours), theirs) = both(both(base, ours), theirs)?;
    let reading = options.input.reading(ours.dialect());
    let versions = with_keys_of_ours(sources, [base, ours, theirs], &reading);
    let versions = versions.map_err(Failure::input)?;
    check_merged(options, &versions.each_ref())?;
    Ok(versions)
}

/// Merges by lines what cannot be read as YAML, as git would.
fn by_lines(
    options: &MainOptions,
    paths: [&OsStr; 3],
    sources: &mut Sources,
    failure: Failure,
    name: &OsStr,
) -> Result<(Merged, Encoding, Arc<Source>)> {
    let mut reader = InputReader::new(options, sources)?;
    let [base, ours, theirs] = paths.map(|path| reader.source(path));
    let ((base, ours), theirs) = match both(both(base, ours), theirs) {
        Ok(texts) => texts,
        Err(other) if other.code == 1 => return Err(no_text(failure, name)),
        Err(_) => return Err(failure),
    };
    let note =
        format!("'{}' cannot be read as YAML, and is merged by lines", name.display());
    warn(&[failure.into_warning(note)], sources, &options.output);
    let merged = three_way::merge_lines(&base.text, &ours.text, &theirs.text);
    Ok((merged, ours.encoding, Arc::new(base)))
}

/// Returns the failure for a file that is no text. Git leaves it as it is.
fn no_text(failure: Failure, name: &OsStr) -> Failure {
    let name = name.display();
    let message = format!("'{name}' is no text: it stays as it is, as a conflict");
    let mut error = *Diagnostic::error(message);
    let details = failure.diagnostics.into_iter();
    error.hints.extend(details.flat_map(|detail| detail.hints));
    Failure::input([error])
}

fn json(options: &MainOptions, text: &str, sources: &mut Sources) -> Result<String> {
    let ours = options.base();
    let mut reader = InputReader::new(options, sources)?;
    let tree = reader.document(&ours, text.into(), DecodeTarget::Value)?;
    let roots = tree.roots().iter().filter(|&&root| !tree.is_absent(root));
    let expansion = options.input.expansion();
    let pages = roots.map(|&root| yaml::json::print(&tree, root, expansion));
    let pages: std::result::Result<String, _> = pages.collect();
    pages.map_err(Failure::from)
}

fn check(options: &MainOptions, job: &MergeOptions) -> Result<()> {
    options.check()?;
    let output = &options.output;
    let ours = options.base();
    let inputs = [&*job.base, &ours, &job.theirs];
    let wrong = if options.format() == Format::Bosh {
        "a merge has the form of OURS: it goes with no --format bosh"
    } else if let Some(option) = output.asking() {
        let wrong = format!("whole documents are merged: that goes with no {option}");
        return Err(Failure::usage(&wrong));
    } else if output.compares() {
        "three documents are merged into a new one: `--output FILE` writes it, and -i, --diff \
         and --check have no meaning"
    } else if inputs.into_iter().filter(|&path| path == "-").count() > 1 {
        "only one of BASE, OURS and THEIRS can be standard input"
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}
