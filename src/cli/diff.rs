//! `diff`: prints the ops-file that turns one document into another. `save` with
//! ops-files prints the ops-file to append to these.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::{ArgMatches, Args, ValueHint};
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::diff;
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml;

use super::diff_language::DiffLanguage;
use super::expansion::Expansion;
use super::failure::{Failure, both, warn};
use super::main_options::MainOptions;
use super::options::{
    Evaluation, Format, Globals, Input, Output, Patching, Reading, Safety, Variables,
};
use super::output::{self, SideOutput};
use super::read::InputReader;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct Diff {
    /// The document as it is; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    old: OsString,
    /// The document to get, in any order and style
    #[arg(value_hint = ValueHint::FilePath)]
    new: OsString,
    /// Exit with 1 if the documents differ
    #[arg(long)]
    exit_code: bool,
    /// The language of the output; with --format json it is printed as JSON
    #[arg(long = "as", value_name = "LANGUAGE", default_value = "ops")]
    language: DiffLanguage,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    safety: Safety,
    #[command(flatten)]
    globals: Globals,
}

const EXAMPLE: &str = "\
Example:
  interpolate diff manifest.yml edited.yml --output edit.yml
  interpolate manifest.yml -o edit.yml      prints what edited.yml means

Of streams, each document is compared with the one at its place. Document N of the output
is the ops-file for document N, if more than the first ones differ.

For documents that bosh reads, `--schema go` compares values as bosh does.";

pub fn command(command: clap::Command) -> clap::Command {
    let hide = |command: clap::Command, name| command.mut_arg(name, |arg| arg.hide(true));
    let refused = ["in_place", "path", "paths", "diff", "check", "all_documents"];
    let schema = "Dialect of OLD and NEW [default: core]";
    let command = command.mut_arg("schema", |arg| arg.help(schema).long_help(schema));
    refused.into_iter().fold(command, hide)
}

/// The options of `diff` beside those of the main job.
#[derive(Debug)]
pub struct DiffJob {
    /// The path of NEW.
    new: OsString,
    /// A difference is told by the exit code.
    exit_code: bool,
    language: DiffLanguage,
    format: Format,
}

impl Diff {
    /// Returns the options of the main job for OLD, and the others.
    pub fn split(mut self) -> (MainOptions, DiffJob) {
        self.reading.all_documents = true;
        let (language, mut format) = (self.language, Format::Yaml);
        if language != DiffLanguage::Ops {
            format = self.output.take_format();
        }
        let exit_code = self.exit_code;
        let job = DiffJob { new: self.new, exit_code, language, format };
        let input = Input {
            patching: Patching::default(),
            variables: Variables::default(),
            reading: self.reading,
            evaluation: Evaluation::default(),
            safety: self.safety,
            matches: ArgMatches::default(),
        };
        let main = MainOptions {
            base: Some(self.old),
            extra: Vec::new(),
            input,
            output: self.output,
            globals: self.globals,
        };
        (main, job)
    }
}

/// Prints the ops that turn OLD into NEW, each with its directives expanded.
pub fn run(
    options: &MainOptions,
    job: &DiffJob,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    check(options)?;
    let DiffJob { exit_code, language, format, .. } = *job;
    let new: &OsStr = &job.new;
    if options.base() == "-" && new == "-" {
        return Err(Failure::usage("only one of OLD and NEW can be standard input"));
    }
    let old = patched(options, &options.base(), sources)?;
    let new = patched(options, new, sources)?;
    check_given(&old, &new, "NEW")?;
    let new = reread(options, new, sources)?;
    if language != DiffLanguage::Ops {
        let text = language.text(options, format, (&old, &new))?;
        output::put(options, &[text.as_bytes()], SideOutput::default())?;
        let differ = yaml::print_ops(&diff::diff(&old, &new)?)? != NO_OPS;
        return Ok(ExitCode::from(u8::from(exit_code && differ)));
    }
    let (mut files, mut notes) = (Vec::new(), Vec::new());
    for root in 0..old.roots().len().min(new.roots().len()).max(1) {
        files.push(yaml::print_ops(&diff::diff_at(&old, &new, root)?)?);
    }
    let last = files.iter().rposition(|ops| ops != NO_OPS);
    files.truncate(last.map_or(1, |last| last + 1));
    if let (true, Some(place)) = (files.len() > 1, new.span(new.roots()[files.len() - 1]))
    {
        let note = "not only the first documents differ: document N of this output is the \
                    ops-file for document N";
        notes.push(*Diagnostic::warning(note).at(place));
    }
    let counts = (old.roots().len(), new.roots().len());
    if counts.0 != counts.1 {
        let note = format!(
            "OLD has {} documents and NEW {}; ops cannot add or remove one",
            counts.0, counts.1
        );
        notes.push(*Diagnostic::warning(note));
    }
    warn(&notes, sources, &options.output);
    output::put(options, &[files.join("---\n").as_bytes()], SideOutput::default())?;
    let differ = last.is_some() || counts.0 != counts.1;
    Ok(ExitCode::from(u8::from(exit_code && differ)))
}

/// The ops-file of equal documents.
const NO_OPS: &str = "[]\n";

/// Refuses a file without a document: that is the output of a command that failed.
pub fn check_given(old: &Tree, new: &Tree, name: &str) -> Result<(), Failure> {
    let is_blank = |line: &str| line.is_empty() || line.starts_with('#');
    let empty = |document: &Tree| {
        let text = document.to_string();
        text.trim_start_matches('\u{feff}').lines().all(|line| is_blank(line.trim()))
    };
    if !empty(new) || empty(old) {
        return Ok(());
    }
    let message = format!("{name} is empty");
    let error = Diagnostic::error(message).hint("did the command before it fail?");
    Err(Failure::input([*error]))
}

/// Prints the ops that turn BASE, expanded and patched, into the document at `edited`.
pub fn append(
    options: &MainOptions,
    edited: &OsStr,
    sources: &mut Sources,
) -> Result<ExitCode, Failure> {
    check(options)?;
    if options.input.reading.all_documents {
        let wrong = "ops work on one document: this goes with no --all-documents";
        return Err(Failure::usage(wrong));
    }
    let base = patched(options, &options.base(), sources)?;
    let mut reader = reader(options, sources)?;
    let (edited, given) = both(reader.read_as(edited, base.dialect()), reader.given())?;
    let store = reader.store(options.target().as_deref())?.map(|kept| kept.store);
    check_given(&base, &edited, "EDITED")?;
    let (world, rules) = (reader.world.clone(), options.rules());
    let mut get = Expansion { options, world, given, store, rules };
    let (restored, notes) = get.unfilled(sources, &base, &edited)?;
    let restored = reread(options, restored, sources)?;
    warn(&notes, sources, &options.output);
    print(options, &base, &restored)
}

/// Prints an edited document and reads it again.
// Ops name places of a text, so that every node needs one.
pub fn reread(
    options: &MainOptions,
    document: Tree,
    sources: &mut Sources,
) -> Result<Tree, Failure> {
    // A document without a change has its own text already.
    if document.is_clean() {
        return Ok(document);
    }
    let name = sources.get(document.file()).name.clone();
    let file = sources.add(name, document.to_string());
    let rules = options.input.reading(document.dialect());
    yaml::read(sources, file, &rules).map_err(Failure::from)
}

fn reader<'a>(
    options: &'a MainOptions,
    sources: &'a mut Sources,
) -> Result<InputReader<'a>, Failure> {
    InputReader::new(&options.input, &options.output, options.dialect(), sources)
}

fn patched(
    options: &MainOptions,
    path: &OsStr,
    sources: &mut Sources,
) -> Result<Tree, Failure> {
    let (mut document, patches) = reader(options, sources)?.read(path)?;
    let roots = options.input.roots(&document);
    patches.apply(&mut document, &roots, sources)?;
    Ok(document)
}

fn print(options: &MainOptions, old: &Tree, new: &Tree) -> Result<ExitCode, Failure> {
    let text = yaml::print_ops(&diff::diff(old, new)?)?;
    output::put(options, &[text.as_bytes()], SideOutput::default())
}

fn check(options: &MainOptions) -> Result<(), Failure> {
    options.check()?;
    let output = &options.output;
    let wrong = if options.format() != Format::Yaml {
        "an ops-file is printed: that goes with no --format"
    } else if !output.path.is_empty() {
        "whole documents are compared: that goes with no --path"
    } else if output.compares() {
        "an ops-file is printed: that goes with no -i, --diff or --check; --exit-code \
         tells a difference"
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}
