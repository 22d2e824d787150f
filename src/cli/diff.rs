//! `diff`: prints the ops-file that turns one document into another. `save` with
//! ops-files prints the ops-file to append to these.

use std::ffi::{OsStr, OsString};
use std::mem::take;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum, ValueHint};
use interpolate::unstable::apply::Reach;
use interpolate::unstable::compare::DocumentPairs;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::diff::{self, TagRule};
use interpolate::unstable::job::{Lens, reread, with_same_keys};
use interpolate::unstable::language;
use interpolate::unstable::node::Tree;
use interpolate::unstable::plan::{self, OpsLanguage};
use interpolate::unstable::restore::has_tags;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;

use super::failure::{Failure, Result, both, warn};
use super::git_diff::GitDiff;
use super::main_options::{MainOptions, Unpatched};
use super::options::{Format, RESULT_OPTIONS, describe, hide};
use super::output;
use super::read::{InputReader, apply_patches, read_patched, read_variables};
use super::stream_ops::{NO_OPS, StreamOps, unpaired};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct Diff {
    /// The document as it is; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    old: OsString,
    /// The document to get, in any order and style
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "git")]
    new: Option<OsString>,
    /// The other arguments of git.
    #[arg(hide = true, requires = "git")]
    more: Vec<OsString>,
    /// Be an external diff of git, which gives seven arguments
    ///
    /// `git config diff.yaml.command 'interpolate diff --git --'`, and `*.yml diff=yaml` in
    /// .gitattributes. What is no YAML, and changes of comments alone, are printed as lines.
    /// Options stand before `--git`: every word after it is a name.
    #[arg(long, conflicts_with_all = ["exit_code", "language", "format", "output"])]
    git: bool,
    /// Exit with 1 if the documents differ
    #[arg(long)]
    exit_code: bool,
    /// The language of the output; with --format json it is printed as JSON
    #[arg(long = "as", value_name = "LANGUAGE", default_value = "ops")]
    language: DiffLanguage,
    /// The format of a language other than ops.
    #[arg(skip = Format::Yaml)]
    form: Format,
    #[command(flatten)]
    common: Unpatched,
}

const EXAMPLE: &str = "\
Example:
  interpolate diff manifest.yml edited.yml --output edit.yml
  interpolate manifest.yml -o edit.yml      prints what edited.yml means

Documents of streams are compared by kind, name and namespace, and each op of the output has
the `where:` of its document. If a document has no kind or name, they are compared by place:
document N of the output is the ops-file for document N.

For documents that bosh reads, `--schema go` compares values as bosh does.";

pub fn command(command: clap::Command) -> clap::Command {
    let command = hide(command, &RESULT_OPTIONS);
    describe(command, "schema", "Dialect of OLD and NEW [default: core]")
}

impl Diff {
    /// Returns the options of the main job for OLD, and the others.
    pub fn split(mut self) -> (MainOptions, Diff) {
        if self.language != DiffLanguage::Ops {
            self.form = self.common.output.take_format();
        }
        let common = take(&mut self.common).into();
        (MainOptions::of(Some(self.old.clone()), common), self)
    }
}

/// Prints the ops that turn OLD into NEW, each with its directives expanded.
pub fn run(options: &MainOptions, job: &Diff, sources: &mut Sources) -> Result<ExitCode> {
    check(options)?;
    if job.git {
        let words = [&job.old].into_iter().chain(&job.new).chain(&job.more);
        let words: Vec<OsString> = words.filter(|it| !it.is_empty()).cloned().collect();
        return GitDiff::new(&words)?.run(options, sources);
    }
    let Diff { exit_code, language, form, .. } = *job;
    let new = job.new.as_deref().unwrap_or_default();
    if options.base() == "-" && new == "-" {
        return Err(Failure::usage("only one of OLD and NEW can be standard input"));
    }
    let old = patched(options, &options.base(), sources)?;
    let new = patched(options, new, sources)?;
    check_given(&old, &new, "NEW")?;
    check_merged(options, &[&old, &new])?;
    let reading = options.input.reading(new.dialect());
    let new = reread(sources, new, &reading).map_err(Failure::input)?;
    let versions = with_same_keys(sources, [old, new], &reading);
    let [old, new] = versions.map_err(Failure::input)?;
    if language != DiffLanguage::Ops {
        let text = language.text(options, form, &old, &new)?;
        output::put(options, &[text.as_bytes()])?;
        let differ = language::print_ops(&diff::diff(&old, &new)?)? != NO_OPS;
        return Ok(ExitCode::from(u8::from(exit_code && differ)));
    }
    let pairs = DocumentPairs::new(&old, &new);
    let printed = StreamOps::new(&old, &new, &pairs, TagRule::Count)?;
    let mut notes = printed.notes(&new);
    notes.extend(unpaired(&pairs, &old, &new));
    warn(&notes, sources, &options.output);
    output::put(options, &[printed.text().as_bytes()])?;
    let differ = !printed.is_empty() || old.roots().len() != new.roots().len();
    let differ = differ || !pairs.only_old.is_empty();
    Ok(ExitCode::from(u8::from(exit_code && differ)))
}

/// Refuses a file without a document: that is the output of a command that failed.
pub fn check_given(old: &Tree, new: &Tree, name: &str) -> Result<()> {
    let empty =
        |document: &Tree| document.roots().iter().all(|&root| document.is_absent(root));
    if !empty(new) || empty(old) {
        return Ok(());
    }
    let message = format!("{name} is empty");
    let error = Diagnostic::error(message).hint("did the command before it fail?");
    Err(Failure::input([*error]))
}

/// Refuses documents that are too large with their `<<` written out.
pub fn check_merged(options: &MainOptions, documents: &[&Tree]) -> Result<()> {
    let limit = options.input.expansion();
    Ok(documents.iter().try_for_each(|one| limit.check_merged(one))?)
}

/// Prints the ops that turn BASE, expanded and patched, into the document at `edited`.
/// `accepts_code`: with templates and `((names))` that it adds.
pub fn append(
    options: &MainOptions,
    edited: &OsStr,
    accepts_code: bool,
    sources: &mut Sources,
) -> Result<ExitCode> {
    check(options)?;
    if options.input.reading.all_documents {
        let wrong = "ops work on one document: this goes with no --all-documents";
        return Err(Failure::usage(wrong));
    }
    let base = patched(options, &options.base(), sources)?;
    let mut reader = InputReader::new(options, sources)?;
    let (edited, given) =
        both(reader.read_filled(edited, base.dialect()), read_variables(&mut reader))?;
    let store = reader.store(options.target().as_deref())?.map(|kept| kept.store);
    check_given(&base, &edited, "EDITED")?;
    check_merged(options, &[&base, &edited])?;
    let pipeline = options.pipeline(reader.documents.clone(), Arc::new(given));
    let mut lens = Lens { pipeline: &pipeline, store, accepts_code };
    let restored = lens.restored(sources, &base, &edited).map_err(Failure::input)?;
    warn(&restored.notes, sources, &options.output);
    let tags = if has_tags(&edited) { TagRule::Count } else { TagRule::Ignore };
    let new = &restored.document;
    let printed = StreamOps::new(&base, new, &DocumentPairs::new(&base, new), tags)?;
    warn(printed.unusable(new).as_slice(), sources, &options.output);
    output::put(options, &[printed.first().as_bytes()])
}

fn patched(options: &MainOptions, path: &OsStr, sources: &mut Sources) -> Result<Tree> {
    let mut reader = InputReader::new(options, sources)?;
    let (mut document, patches) = read_patched(&mut reader, path)?;
    apply_patches(&patches, &mut document, None, sources)?;
    Ok(document)
}

fn check(options: &MainOptions) -> Result<()> {
    options.check()?;
    let output = &options.output;
    let wrong = if options.format() != Format::Yaml {
        "an ops-file is printed: that goes with no --format"
    } else if let Some(option) = output.asking() {
        let wrong = format!("whole documents are compared: that goes with no {option}");
        return Err(Failure::usage(&wrong));
    } else if output.compares() {
        "an ops-file is printed: that goes with no -i, --diff or --check; --exit-code \
         tells a difference"
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}

/// The values of `--as`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffLanguage {
    /// An ops-file, which bosh can run
    #[default]
    Ops,
    /// A JSON Patch (RFC 6902)
    JsonPatch,
    /// A JSON Merge Patch (RFC 7396)
    MergePatch,
    /// An OpenAPI Overlay 1.0
    Overlay,
}

impl DiffLanguage {
    /// Returns the text that turns OLD into NEW, which are single documents.
    fn text(
        self,
        options: &MainOptions,
        format: Format,
        old: &Tree,
        new: &Tree,
    ) -> Result<String> {
        for tree in [old, new] {
            if let Some(place) = tree.roots().get(1).and_then(|&second| tree.span(second))
            {
                let message = "--as is about single documents, and this is a stream";
                let error = Diagnostic::error(message);
                return Err(Failure::input([*error.label(place, "the second one")]));
            }
        }
        if self != DiffLanguage::Ops {
            diff::check_member_names(old)?;
            diff::check_member_names(new)?;
        }
        let title = format!("Changes of {}", options.base().to_string_lossy());
        let patch = match self {
            DiffLanguage::Ops => return Ok(language::print_ops(&diff::diff(old, new)?)?),
            DiffLanguage::JsonPatch => {
                let ops = diff::diff(old, new)?;
                let reach = Reach::of(old, [0]);
                let plain = plan::resolved(&ops, old, &reach, OpsLanguage::JsonPatch);
                language::json_patch(&plain.map_err(Failure::input)?.patch)?
            }
            DiffLanguage::MergePatch => diff::merge_patch(old, new, 0)?,
            DiffLanguage::Overlay => diff::overlay(old, new, 0, &title)?,
        };
        diff::check_tags(&patch, old)?;
        let limit = options.input.expansion();
        Ok(match format {
            Format::Json => yaml::json::print(&patch, patch.root(), limit)?,
            Format::Yaml | Format::Bosh => {
                let text = yaml::print_found(&patch, patch.root())?;
                String::from_utf8_lossy(&text).into_owned()
            }
        })
    }
}
