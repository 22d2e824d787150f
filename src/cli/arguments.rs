//! The whole command line, with completion scripts and the manual page.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Subcommand};
use interpolate::unstable::diagnostic::near;
use interpolate::unstable::source::Os;

use super::completion::ShellName;
use super::failure::{ErrorRecord, Failure, Result, print_lines, unwritable};
use super::habits::{extra_word_hint, missing_word_hint, option_hint};
use super::main_options::MainOptions;
use super::options::{COMMANDS, Output};
use super::output::print;
use super::replacement::prepare;
use super::{check, completion, diff, eval, explain, hot, merge, plan, rebase, save};

/// The whole command line.
#[derive(Args, Debug)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub main: MainOptions,
    /// The arguments of the command, with their positions.
    #[arg(skip)]
    pub given: ArgMatches,
}

/// The page that `interpolate` alone prints, in 80 columns.
pub const BARE_HELP: &str = "\
Usage: interpolate FILE... [OPTIONS]
       interpolate COMMAND [OPTIONS]

  interpolate values.yaml --set image.tag=1.10.0     print it with a new value
  interpolate values.yaml --set image.tag=1.10.0 -i  change the file itself
  interpolate values.yaml --path image.tag           read a value
  interpolate base.yml -o ops.yml --diff             show what a patch changes
  interpolate explain base.yml -o ops.yml a.b        tell who set a value
  interpolate check base.yml -o ops.yml              find what is likely wrong

`interpolate -h` lists the commands and daily options, `--help` all options.
";

const SHORT_HELP: &str = "\
Examples:
  interpolate values.yaml --set image.tag=1.10.0 -i
  interpolate deployment.yaml -o ops.yaml --diff
  interpolate all.yaml --where kind=Deployment --set spec.replicas=3
  interpolate values.yaml -r --path image.tag
  interpolate */values.yaml --set image.tag=1.10.0 --check
  kubectl get deploy web -o yaml | interpolate - --rm status

`--help` lists all options.";

const LONG_HELP: &str = "\
Examples:
  Change a value in a file, and keep every comment:
    interpolate values.yaml --set image.tag=1.10.0 -i
  Apply two ops-files and a folder of ops-files to a manifest:
    interpolate base.yml -o scale.yml -o network.yml -o operations/
  Show the changes, and fail in CI if there are any:
    interpolate base.yml -o scale.yml --diff --check
  Patch the documents of a stream that a selector chooses:
    interpolate all.yaml --where kind=Deployment --set spec.replicas=3
  Print one value for a script:
    interpolate values.yaml -r --path image.tag
  Print the output of bosh:
    interpolate base.yml -o scale.yml --format bosh

Exit codes:
  0  done
  1  the input is wrong, or --check found a difference
  2  wrong usage, or a file that cannot be read or written

A failed run prints nothing on standard output and changes no file. Of several
files with -i, those that do not fail are written.";

/// A command other than the main job.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Put an edited result back into the document it was made from
    Save(Box<save::SaveOptions>),
    /// Print the ops-file that turns one document into another
    Diff(Box<diff::Diff>),
    /// Merge two versions of a document that have a common base
    Merge(Box<merge::MergeOptions>),
    /// Print what each op of the patch does to the document
    Plan(Box<plan::PlanOptions>),
    /// Find what is likely wrong with documents and ops-files
    Check(Box<check::CheckOptions>),
    /// Tell where a value comes from: a file, an op, a variable
    Explain(Box<explain::ExplainOptions>),
    /// Tell what the next version of a document breaks, and mend the ops
    Rebase(Box<rebase::RebaseOptions>),
    /// Evaluate an expression or a template on a document
    Eval(Box<eval::Eval>),
    /// Evaluate a Heat template
    Hot(Box<hot::Hot>),
    /// Print or install a completion script for a shell
    Completions {
        /// The shell; with --install, that of $SHELL by default
        #[arg(required_unless_present = "install")]
        shell: Option<ShellName>,
        /// Write the script to the file of the user's folders where the shell looks for it
        #[arg(long)]
        install: bool,
    },
    /// Print the manual page, of the program or of a command
    Man {
        /// The command
        #[arg(value_parser = PossibleValuesParser::new(COMMANDS))]
        command: Option<String>,
    },
}

/// Reads the command line.
///
/// # Errors
/// Help that was asked for, or a wrong argument.
pub fn arguments() -> clap::error::Result<CommandLine> {
    let matches = matches()?;
    let mut arguments = CommandLine::from_arg_matches(&matches)?;
    arguments.given = matches.subcommand().map_or(&matches, |(_, it)| it).clone();
    arguments.main.input.matches = matches;
    // A word `--` is never the value of an option.
    let after = std::env::args_os().skip_while(|word| word != "--");
    arguments.main.after_dashes = after.skip(1).count();
    Ok(arguments)
}

/// Parses the words of the command line.
fn matches() -> clap::error::Result<ArgMatches> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    // Only the first word names a command. To set up the hundreds of options of all
    // commands takes more time than to patch a small file.
    let first = words.get(1).cloned().unwrap_or_default();
    if first == "merge" || first == "diff" {
        protect_names(&mut words);
    }
    let is_command = first == "help" || COMMANDS.iter().any(|name| first == *name);
    if !is_command {
        let mut main = program(MainOptions::augment_args);
        let done = main.try_get_matches_from_mut(&words);
        // These two need the commands, too.
        match done.as_ref().map_err(clap::Error::kind) {
            Err(ErrorKind::DisplayHelp | ErrorKind::InvalidSubcommand) => {}
            _ => return done.map_err(|error| with_value_tip(error, &words, &main)),
        }
    }
    let mut all = command();
    let done = all.try_get_matches_from_mut(&words);
    let used = first.to_str().and_then(|name| all.find_subcommand(name));
    done.map_err(|error| with_value_tip(error, &words, used.unwrap_or(&all)))
}

/// Returns an error of the parser for a program.
pub fn record(error: &clap::Error) -> ErrorRecord {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let message = paragraphs.next().unwrap_or_default().trim_start_matches("error: ");
    let hints = paragraphs.filter_map(|it| it.strip_prefix("tip: ")).map(str::to_owned);
    ErrorRecord {
        message: message.to_owned(),
        hints: hints.collect(),
        ..ErrorRecord::default()
    }
}

/// Replaces the tip about an option of another tool, and about a word that begins with `-` and
/// stands behind an option with a value: `--` before it would end the options.
fn with_value_tip(
    mut error: clap::Error,
    words: &[OsString],
    command: &clap::Command,
) -> clap::Error {
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.clone(),
        Some(ContextValue::Strings(_)) => String::new(),
        _ => return error,
    };
    let words: Vec<Cow<'_, str>> = words.iter().map(|it| it.to_string_lossy()).collect();
    let at = words.iter().position(|word| word.starts_with(&argument));
    let before = at.and_then(|at| words.get(at.checked_sub(1)?));
    let option = before.filter(|word| takes_value(command, word));
    let name = command.get_name();
    let tip = match (error.kind(), option) {
        (ErrorKind::UnknownArgument, Some(option)) => {
            Some(format!("to pass '{argument}' as a value, use '{option}={argument}'"))
        }
        (ErrorKind::UnknownArgument, None) => {
            option_hint(&argument).or_else(|| extra_word_hint(name, &argument))
        }
        (ErrorKind::MissingRequiredArgument, _) => missing_word_hint(name),
        _ => None,
    };
    let is_near = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(other)) => near([&**other], &argument).is_some(),
        _ => false,
    };
    if tip.is_none() && error.kind() == ErrorKind::UnknownArgument && !is_near {
        // Far names, and a '-' that nobody meant as a value, mislead.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Suggested);
    }
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Returns true if a word is an option that takes a value.
fn takes_value(command: &clap::Command, word: &str) -> bool {
    let mut options =
        command.get_arguments().filter(|option| option.get_action().takes_values());
    options.any(|option| {
        let long = option.get_long().map(|name| format!("--{name}"));
        let short = option.get_short().map(|letter| format!("-{letter}"));
        [long, short].into_iter().flatten().any(|name| name == word)
    })
}

/// Makes names of all words behind `--git`. Git puts the paths of the repository there, of
/// which one may be `-h.yml`, or `-`, which is not standard input then.
fn protect_names(words: &mut Vec<OsString>) {
    let mut options = words.iter().take_while(|word| *word != "--");
    let Some(at) = options.position(|word| word == "--git") else { return };
    if words.get(at + 1).is_none_or(|next| next != "--") {
        words.insert(at + 1, "--".into());
    }
    for word in words[at..].iter_mut().filter(|word| *word == "-") {
        *word = "./-".into();
    }
}

/// Returns a flag that the short help leaves out.
fn flag(name: &'static str, short: char, action: ArgAction) -> Arg {
    Arg::new(name).long(name).short(short).action(action).hide_short_help(true)
}

/// Returns the program with the options and commands that `add` adds.
fn program(add: fn(clap::Command) -> clap::Command) -> clap::Command {
    // The texts come last: options that are shared would put theirs over them.
    add(clap::Command::new("interpolate"))
        .version(env!("CARGO_PKG_VERSION"))
        .about("Change YAML files and keep everything that you did not ask to change")
        .override_usage(
            "interpolate BASE... [OPTIONS]\n       interpolate COMMAND [OPTIONS]",
        )
        .disable_help_flag(true)
        .disable_version_flag(true)
        .next_help_heading(None::<&str>)
        .arg(
            flag("help", 'h', ArgAction::Help)
                .help("Print help, with --help all of it")
                .global(true),
        )
        .arg(flag("version", 'V', ArgAction::Version).help("Print the version"))
        .after_help(SHORT_HELP)
        .after_long_help(LONG_HELP)
        .max_term_width(100)
        .args_override_self(true)
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
}

/// Returns the command line; each command hides options that it has no use for.
pub fn command() -> clap::Command {
    let command = program(CommandLine::augment_args);
    command
        .mut_subcommand("save", save::command)
        .mut_subcommand("diff", diff::command)
        .mut_subcommand("merge", merge::command)
        .mut_subcommand("eval", eval::command)
        .mut_subcommand("plan", plan::command)
        .mut_subcommand("check", check::command)
        .mut_subcommand("rebase", rebase::command)
        .mut_subcommand("hot", hot::command)
}

/// Prints the completion script of a shell.
pub fn completions(shell: ShellName) -> Result<ExitCode> {
    print(&[completion::script(shell, command()).as_bytes()])?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the completion script of a shell to the file where the shell looks for it.
pub fn install_completions(shell: Option<ShellName>) -> Result<ExitCode> {
    let variable = |name: &str| std::env::var_os(name);
    let used = || ShellName::of_program(Path::new(&variable("SHELL")?));
    let shell = shell.or_else(used);
    let shell = shell.ok_or_else(|| {
        Failure::usage(
            "$SHELL names no known shell: name one, such as `completions zsh --install`",
        )
    })?;
    let home = variable("HOME").filter(|home| !home.is_empty());
    let home = home.ok_or_else(|| Failure::usage("$HOME is not set"))?;
    let Some(path) = shell.file(Path::new(&home), &variable) else {
        let wrong = "this shell has no folder of scripts: print the script, and read it in the \
                     file that the shell starts with";
        return Err(Failure::usage(wrong));
    };
    let unwritten = |error| unwritable(&path, &error);
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(unwritten)?;
    let script = completion::script(shell, command());
    let ready =
        prepare(&Os::default(), &path, script.as_bytes(), false, &Output::default())?;
    ready.commit().map_err(unwritten)?;
    let done = format!("wrote {}; {}", path.display(), shell.after_install());
    print_lines(&[done]);
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page of the program or of one of its commands.
pub fn page(name: Option<&str>) -> Result<ExitCode> {
    let mut page = Vec::new();
    let mut command = command();
    command.build();
    if let Some(found) = name.and_then(|name| command.find_subcommand(name)) {
        command = found.clone();
    }
    let source = concat!("interpolate ", env!("CARGO_PKG_VERSION"));
    let written = clap_mangen::Man::new(command).source(source).render(&mut page);
    written.map_err(|error| Failure::file(error.to_string()))?;
    let page = String::from_utf8_lossy(&page)
        .replace(".SH EXTRA\nExamples:", ".SH EXAMPLES\n.nf")
        .replace(".SH EXTRA\nExample:", ".SH EXAMPLE\n.nf")
        .replace("\nExit codes:", ".fi\n.SH \"EXIT STATUS\"\n.nf")
        .replace("\n.SH VERSION", "\n.fi\n.SH VERSION");
    print(&[page.as_bytes()])?;
    Ok(ExitCode::SUCCESS)
}
