//! `save`: prints a document with the edit of its expansion put back into it.

use std::ffi::{OsStr, OsString};
use std::mem::take;
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use interpolate::unstable::job::Lens;
use interpolate::unstable::restore::Comments;
use interpolate::unstable::source::Sources;

use super::diff;
use super::failure::{Failure, Result, both, print_lines, warn};
use super::main_options::{Common, MainOptions};
use super::options::{Format, describe, hide};
use super::output;
use super::read::{InputReader, read_variables};
use super::side_output::SideOutput;

#[derive(Debug, Args)]
pub struct SaveOptions {
    /// The document with directives, as it was written
    #[arg(value_hint = ValueHint::FilePath)]
    source: OsString,
    /// Its expansion, edited: YAML or JSON; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    edited: OsString,
    /// Report on standard error how each changed path was saved
    #[arg(long)]
    explain_save: bool,
    /// Whose comments, blank lines and order of keys are saved: those of EDITED if its text
    /// was edited (a fifth of its lines differ from the expansion, or three, at most), those
    /// of SOURCE if a program printed it anew; comments of SOURCE stay if none is left
    #[arg(long, value_name = "WHOSE", default_value = "auto",
        value_parser = comments_parser())]
    comments: Comments,
    /// Also change the values that inherit an edited value, where EDITED still has the old
    /// one
    #[arg(long)]
    follow_sources: bool,
    /// Save templates, expressions and ((variables)) that EDITED adds as code; without it,
    /// they are refused where they are given values
    #[arg(long)]
    accept_code: bool,
    #[command(flatten)]
    common: Common,
}

/// Returns the parser of `--comments`.
fn comments_parser() -> impl TypedValueParser<Value = Comments> {
    PossibleValuesParser::new(["auto", "edited", "source"]).map(|name| match &*name {
        "edited" => Comments::Edited,
        "source" => Comments::Source,
        _ => Comments::Auto,
    })
}

const EXAMPLE: &str = "\
Example:
  interpolate services.yml > edited.yml     then edit edited.yml
  interpolate save services.yml edited.yml -i

With -o, the ops-file to append to those is printed; SOURCE stays as it is.";

/// Changes the help: SOURCE is saved as a whole and in its own format.
pub fn command(command: clap::Command) -> clap::Command {
    let helps = [
        ("in_place", "Write the result back to SOURCE"),
        ("diff", "Print a unified diff of SOURCE and the result"),
        ("check", "Print nothing; exit with 1 if SOURCE and the result differ"),
        ("schema", "Dialect of SOURCE and EDITED [default: core]"),
        ("all_documents", "Save all documents of a stream, not only the first"),
    ];
    let command = helps
        .into_iter()
        .fold(command, |command, (name, help)| describe(command, name, help));
    let others = ["format", "path", "paths", "keys", "raw", "default", "with_filename"];
    hide(command, &others).after_help(EXAMPLE)
}

impl SaveOptions {
    /// Returns the options of the main job for SOURCE, and the others.
    pub fn split(mut self) -> (MainOptions, SaveOptions) {
        (MainOptions::of(Some(take(&mut self.source)), take(&mut self.common)), self)
    }
}

pub fn run(
    options: &MainOptions,
    job: &SaveOptions,
    sources: &mut Sources,
) -> Result<ExitCode> {
    let edited: &OsStr = &job.edited;
    if !options.input.patching.given.is_empty() {
        return diff::append(options, edited, job.accept_code, sources);
    }
    options.check()?;
    check(options)?;
    if options.base() == "-" && edited == "-" {
        let wrong = "only one of SOURCE and EDITED can be standard input";
        return Err(Failure::usage(wrong));
    }
    let mut reader = InputReader::new(options, sources)?;
    let (source, given) =
        both(reader.base(&options.base()), read_variables(&mut reader))?;
    let dialect = source.dialect();
    let (edited, store) = both(reader.read_filled(edited, dialect), reader.store(None))?;
    diff::check_given(&source, &edited, "EDITED")?;
    diff::check_merged(options, &[&source, &edited])?;
    let pipeline = options.pipeline(reader.documents.clone(), Arc::new(given));
    let mut lens = Lens {
        pipeline: &pipeline,
        store: store.map(|kept| kept.store),
        accepts_code: job.accept_code,
    };
    let saved = lens.put(sources, &source, &edited, job.comments, job.follow_sources);
    let saved = saved.map_err(Failure::input)?;
    warn(&saved.notes, sources, &options.output);
    if job.explain_save {
        print_lines(&saved.explain());
    }
    let base = sources.get(source.file());
    let done = output::deliver_text(options, base, &saved.text, SideOutput::default());
    done.map_err(Failure::from)
}

fn check(options: &MainOptions) -> Result<()> {
    let wrong = if !options.input.patching.selectors.is_empty() {
        "--where chooses the documents of a patch: save without -o saves the whole stream"
    } else if options.format() != Format::Yaml {
        "save keeps the form of SOURCE: it goes with no --format"
    } else if let Some(option) = options.output.asking() {
        let wrong = format!("save saves SOURCE as a whole: it goes with no {option}");
        return Err(Failure::usage(&wrong));
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}
