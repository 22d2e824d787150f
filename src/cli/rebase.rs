//! `rebase`: tells what becomes of each op on the next version of its document, and mends
//! the ops-files.

use std::ffi::OsString;
use std::fmt::Write;
use std::mem::take;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use interpolate::unstable::diagnostic::{Diagnostic, listed, visible_line};
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::{self, Patch};
use interpolate::unstable::rebase::{self, Fixed, Status, Verdict};
use interpolate::unstable::source::Sources;
use interpolate::unstable::target::Target;
use interpolate::unstable::yaml::json::quoted;

use super::diff::check_given;
use super::failure::{Failure, Result, both};
use super::main_options::{Common, MainOptions};
use super::options::{Format, RESULT_OPTIONS, describe, describe_alone, hide};
use super::output;
use super::printed::{PrintedPosition, counted, json_list, named};
use super::read::{InputReader, apply_patches, compile_patches};
use super::replacement::{PreparedFiles, prepare_texts};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct RebaseOptions {
    /// The document that the ops were written for; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    old: OsString,
    /// The next version of it
    #[arg(value_hint = ValueHint::FilePath)]
    new: OsString,
    /// Write to the ops-files what is sure: the new path of an op whose target has moved;
    /// an op that removes what is gone is removed
    #[arg(long)]
    fix: bool,
    /// With --fix: also write the new path of a finding that is not sure, by the number that
    /// the report shows
    #[arg(long, value_name = "N", requires = "fix")]
    accept: Vec<usize>,
    #[command(flatten)]
    common: Common,
}

const EXAMPLE: &str = "\
Example:
  interpolate rebase v1.yml v2.yml -o scale.yml -o network.yml
  interpolate rebase v1.yml v2.yml -o operations/ --fix

Each op is one of:
  same      it does on NEW what it did on OLD
  changed   it still works, but what it changes held something else
  moved     its target is somewhere else in NEW
  gone      its target is nowhere in NEW
  follows   it fails only because an op before it does

Ops that do the same are not listed. The exit code is 1 if an op does not work on NEW, or if
somebody has to look at one.";

/// Changes the help: a report is printed, and not the result.
pub fn command(command: clap::Command) -> clap::Command {
    let format =
        "Format of the report: lines for people, or with `json` a list of all ops";
    let schema = "Dialect of OLD, NEW and the ops-files [default: core]";
    let command = hide(hide(command, &RESULT_OPTIONS), &["output"]);
    describe(describe_alone(command, "format", format), "schema", schema)
}

impl RebaseOptions {
    /// Returns the options of the main job for OLD, and the others.
    pub fn split(mut self) -> (MainOptions, RebaseOptions) {
        (MainOptions::of(Some(take(&mut self.old)), take(&mut self.common)), self)
    }
}

pub fn run(
    options: &MainOptions,
    job: &RebaseOptions,
    sources: &mut Sources,
) -> Result<ExitCode> {
    options.check()?;
    check(options, job)?;
    let mut reader = InputReader::new(options, sources)?;
    let old = reader.base(&options.base());
    let (old, new) = both(old, reader.base(&job.new))?;
    let ops = reader.read_ops()?;
    check_given(&old, &new, "NEW")?;
    let (old, of_old) = expanded(&mut reader, old)?;
    let (new, of_new) = expanded(&mut reader, new)?;
    let verdicts = rebase::rebase(&old, &new, &ops, [of_old, of_new]);
    let mut verdicts = verdicts.map_err(Failure::input)?;
    accept(&mut verdicts, &job.accept)?;
    let fixed = rebase::fixed(&ops, &verdicts)?;
    let mended = if job.fix {
        let texts = fixed.iter().map(|fixed| (fixed.file, fixed.text.clone()));
        prepare_texts(texts, options, sources)?
    } else {
        PreparedFiles::default()
    };
    let report = RebaseReport {
        ops: &ops,
        verdicts: &verdicts,
        fixed: &fixed,
        is_written: job.fix,
        sources,
    };
    let text = match options.format() {
        Format::Json => report.json(),
        Format::Yaml | Format::Bosh => report.lines(),
    };
    output::put(options, &[text.as_bytes()])?;
    mended.commit()?;
    Ok(ExitCode::from(u8::from(!verdicts.iter().all(|it| report.works(it)))))
}

/// Makes findings sure that somebody has accepted, by their number.
fn accept(verdicts: &mut [Verdict], numbers: &[usize]) -> Result<()> {
    for &number in numbers {
        let verdict = verdicts.iter_mut().find(|it| it.number + 1 == number);
        match verdict.filter(|it| it.is_acceptable()) {
            Some(verdict) => verdict.sure = true,
            None => {
                let wrong =
                    format!("--accept {number}: no finding of this number is open");
                let hint = "`rebase` without --fix prints the numbers";
                return Err(Failure::usage(&wrong).hint(Some(hint.into())));
            }
        }
    }
    Ok(())
}

fn check(options: &MainOptions, job: &RebaseOptions) -> Result<()> {
    let output = &options.output;
    let given = &options.input.patching;
    let wrong = if options.base() == "-" && job.new == "-" {
        "only one of OLD and NEW can be standard input"
    } else if given.given.is_empty() {
        "there is nothing to rebase: name the ops-files with -o"
    } else if options.format() == Format::Bosh {
        "a report is printed: it goes with --format json at most"
    } else if let Some(option) = output.asking() {
        return Err(Failure::usage(&format!(
            "a report is printed: it goes with no {option}"
        )));
    } else if output.compares() || output.output.is_some() {
        "a report is printed: it goes with no -i, --output, --diff or --check"
    } else if options.input.reading.all_documents {
        "ops are rebased for one document: `where:` and --where choose others"
    } else {
        return Ok(());
    };
    Err(Failure::usage(wrong))
}

/// Applies the directives of a document. Returns it, and the position in the stream of the
/// document that the ops are for.
fn expanded(reader: &mut InputReader<'_>, mut document: Tree) -> Result<(Tree, usize)> {
    let patches = compile_patches(reader, &document, Patch::default())?;
    let [root] = patches.reach.default[..] else {
        let count = patches.reach.default.len();
        let message =
            format!("--where selects {count} documents, and ops are rebased for one");
        return Err(Failure::input([*Diagnostic::error(message)]));
    };
    apply_patches(&patches, &mut document, None, reader.sources)?;
    Ok((document, root))
}

/// The report that is printed.
struct RebaseReport<'a> {
    ops: &'a Patch,
    verdicts: &'a [Verdict],
    /// The ops-files with what is sure.
    fixed: &'a [Fixed],
    /// True if these were written.
    is_written: bool,
    sources: &'a Sources,
}

impl RebaseReport<'_> {
    /// Returns true for an op of a file, which can be written.
    fn is_of_file(&self, verdict: &Verdict) -> bool {
        patch::ops(self.ops)[verdict.number].typed.is_none() && verdict.origin.is_some()
    }

    /// Returns true for an op that one of the new ops-files mends.
    fn is_mended(&self, verdict: &Verdict) -> bool {
        let file = verdict.origin.map(|origin| origin.path.file);
        let is_file = self.fixed.iter().any(|fixed| Some(fixed.file) == file);
        verdict.is_mended() && is_file
    }

    /// Returns true if an op works on NEW as it is written now.
    fn works(&self, verdict: &Verdict) -> bool {
        let is_mended = self.is_written && self.is_mended(verdict);
        let waits = verdict.status == Status::Follows && !self.is_written;
        verdict.sure && !waits && (is_mended || !verdict.is_mended())
    }

    /// Returns the report for people: some lines for each op that does not do the same.
    fn lines(&self) -> String {
        let mut text = String::new();
        for verdict in self.verdicts {
            let Verdict { status, path, to, why, .. } = verdict;
            if *status == Status::Same && verdict.sure {
                continue;
            }
            let place = PrintedPosition::prefix(self.place(verdict));
            let path = named(path);
            let word = if fails_before(verdict) { "fails" } else { status.name() };
            let line = format!("{place}{word}: {path}");
            writeln!(text, "{}", visible_line(line)).ok();
            if let Some(to) = to {
                writeln!(text, "    {}", visible_line(format!("to {to}"))).ok();
            }
            let number = verdict.number + 1;
            let way = if verdict.is_acceptable() && self.is_of_file(verdict) {
                format!("; `--fix --accept {number}` takes it")
            } else {
                String::new()
            };
            let line = format!("    {}{why}{way}", self.certainty(verdict));
            writeln!(text, "{}", visible_line(line)).ok();
        }
        text + &self.summary()
    }

    /// Returns the words before the reason of a verdict.
    fn certainty(&self, verdict: &Verdict) -> &'static str {
        let is_plain = verdict.status == Status::Gone || fails_before(verdict);
        match (self.is_mended(verdict), verdict.sure) {
            (true, _) if !self.is_written => "sure: ",
            (true, _) if verdict.is_done => "removed: ",
            (true, _) => "fixed: ",
            (false, true) if verdict.is_mended() => "sure: ",
            (false, false) if !is_plain => "not sure: ",
            (false, _) => "",
        }
    }

    fn summary(&self) -> String {
        let all = self.verdicts;
        let failed = all.iter().filter(|it| fails_before(it)).count();
        let count = |status: Status| {
            let others = if status == Status::Same { failed } else { 0 };
            (all.iter().filter(|it| it.status == status).count() - others, status.name())
        };
        let statuses =
            [Status::Same, Status::Changed, Status::Follows, Status::Moved, Status::Gone];
        let counts = statuses.map(count).into_iter();
        let counts: Vec<String> = counts
            .chain([(failed, "failing on OLD, too")])
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let ops = counted(all.len(), "op");
        let more = match all.iter().filter(|it| self.is_mended(it)).count() {
            0 => String::new(),
            mended if self.is_written => format!("; {mended} mended in {}", self.files()),
            mended => format!("; `--fix` mends {mended}"),
        };
        let lost: Vec<&Verdict> =
            all.iter().filter(|it| it.status == Status::Gone && !it.sure).collect();
        let help = if lost.iter().any(|it| self.may_be_optional(it)) {
            "help: remove an op that is gone, or add `optional: true` to it\n"
        } else if lost.is_empty() {
            ""
        } else {
            "help: remove an op that is gone\n"
        };
        if all.is_empty() {
            return "no ops\n".into();
        }
        format!("{ops}: {}{more}\n{help}", counts.join(", "))
    }

    /// Returns the names of the files that were written.
    fn files(&self) -> String {
        let names = self.fixed.iter();
        let names = names.map(|fixed| self.sources.get(fixed.file).name.clone());
        visible_line(listed(names.collect(), 0)).into_owned()
    }

    /// Returns true for an op that can have the field `optional`.
    fn may_be_optional(&self, verdict: &Verdict) -> bool {
        let op = &patch::ops(self.ops)[verdict.number];
        op.typed.is_none() && !matches!(op.at, Target::Json(_))
    }

    /// Returns the place that an op was written at.
    fn place(&self, verdict: &Verdict) -> Option<PrintedPosition> {
        Some(PrintedPosition::of(verdict.origin?.path, self.sources))
    }

    /// Returns the report as a JSON list of all ops.
    fn json(&self) -> String {
        let ops: Vec<String> = self.verdicts.iter().map(|it| self.json_op(it)).collect();
        json_list(&ops)
    }

    fn json_op(&self, verdict: &Verdict) -> String {
        let place = PrintedPosition::json(self.place(verdict));
        let to = verdict.to.as_deref().map_or("null".into(), quoted);
        let Verdict { path, status, sure, why, number, .. } = verdict;
        let number = number + 1;
        let path = quoted(path);
        let status = quoted(status.name());
        let why = quoted(why);
        format!(
            "  {{\"number\": {number}, {place}, \"path\": {path}, \"status\": {status}, \
             \"to\": {to}, \"sure\": {sure}, \"why\": {why}}}"
        )
    }
}

/// Returns true for an op that failed on OLD already.
fn fails_before(verdict: &Verdict) -> bool {
    verdict.status == Status::Same && !verdict.sure
}
