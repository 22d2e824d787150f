//! The command line as bosh reads it: its error messages, where they differ from ours.

use std::ffi::{OsStr, OsString};

use clap::{Arg, Args, Command};
use interpolate::unstable::pointer::Pointer;

use super::completion::spellings;
use super::failure::Failure;
use super::options::{Input, Output};

/// The options that bosh parses while it reads the command line, and their Go types.
// An error in one of them comes before all others, and its message names the type.
const PARSED_ARGUMENTS: [(&str, &str); 7] = [
    ("ops_file", "[]opts.OpsFileArg"),
    ("var", "[]template.VarKV"),
    ("var_file", "[]template.VarFileArg"),
    ("vars_file", "[]template.VarsFileArg"),
    ("vars_env", "[]template.VarsEnvArg"),
    ("vars_store", "opts.VarsFSStore"),
    ("path", "patch.Pointer"),
];

/// Gives a failure the place and the message of bosh: at value `number` of an option or,
/// if `id` is not listed, at BASE.
pub fn argument(input: &Input, id: &str, number: usize, failure: Failure) -> Failure {
    // Other commands do not record their arguments.
    let known = input.matches.try_contains_id(id).is_ok();
    let places = known.then(|| input.matches.indices_of(id)).flatten();
    let place = places.and_then(|mut places| places.nth(number));
    failure.argument(place.unwrap_or(usize::MAX), &invalid(&options(), id))
}

/// Returns the options of the main job, for their names.
fn options() -> Command {
    Output::augment_args(Input::augment_args(Command::new("interpolate")))
}

fn invalid(command: &Command, id: &str) -> String {
    let wanted = PARSED_ARGUMENTS.iter().find(|(name, _)| *name == id);
    let option = command.get_arguments().find(|option| option.get_id() == id);
    let (Some((_, wanted)), Some(option)) = (wanted, option) else {
        return String::new();
    };
    format!("invalid argument for flag `{}' (expected {wanted}): ", name(option))
}

/// Returns bosh's message for arguments that cannot be parsed, for its format.
// Called only where the parser has failed: it reads the words again as Go's parser does.
pub fn refusal(mut command: Command, words: &[OsString]) -> Option<String> {
    let asked = words.windows(2).any(|two| two[0] == "--format" && two[1] == "bosh");
    (asked || words.iter().any(|word| word == "--format=bosh")).then_some(())?;
    // `-vNAME=VALUE` has its value in the same word.
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let vars = words.iter().any(|it| it.starts_with("-v") || it.starts_with("--var"));
    command.build();
    let mut words = words.into_iter();
    let mut places = Vec::new();
    while let Some(word) = words.next() {
        let refused = match word.strip_prefix("--") {
            Some("") => break,
            Some(long) if !long.starts_with('-') => {
                self::long(&command, long, &mut words)
            }
            None if word.len() > 1 && word.starts_with('-') => {
                short(&command, &word[1..], &mut words)
            }
            Some(_) | None => {
                places.push(word);
                Ok(())
            }
        };
        if let Err(refusal) = refused {
            return Some(refusal);
        }
    }
    places.extend(words);
    match &places[..] {
        [] => Some("the required argument `PATH` was not provided".into()),
        [_] => None,
        [_, extra @ ..] => Some(unsupported(extra, vars)),
    }
}

/// Returns bosh's message for extra arguments; `-v` hides them: they may be values.
pub fn unsupported(extra: &[impl AsRef<OsStr>], secret: bool) -> String {
    let extra = extra
        .iter()
        .map(|word| if secret { "…".into() } else { word.as_ref().to_string_lossy() });
    let extra = extra.collect::<Vec<_>>().join(", ");
    format!("Command '*opts.InterpolateOpts' does not support extra arguments: {extra}")
}

type Words = std::vec::IntoIter<String>;

/// Reads `--name`, `--name=value` or `--name value`.
fn long(command: &Command, word: &str, words: &mut Words) -> Result<(), String> {
    let (long, value) = match word.split_once('=') {
        Some((long, value)) => (long, Some(value.to_owned())),
        None => (word, None),
    };
    let option = command.get_arguments().find(|option| option.get_long() == Some(long));
    let option = option.ok_or_else(|| format!("unknown flag `{long}'"))?;
    take(command, option, value, Some(words))
}

/// Reads `-o value`, `-ovalue`, `-o=value`, or several options at once.
fn short(command: &Command, word: &str, words: &mut Words) -> Result<(), String> {
    let mut letters = word.chars();
    let first = letters.next().and_then(|letter| lettered(command, letter));
    let rest = letters.as_str();
    let glued = first.is_some_and(valued) && !rest.is_empty();
    let value = rest.strip_prefix('=').or(glued.then_some(rest));
    let group = word.strip_suffix(rest).filter(|_| value.is_some()).unwrap_or(word);
    let last = group.chars().count();
    for (number, letter) in (1..).zip(group.chars()) {
        let option = lettered(command, letter);
        let option = option.ok_or_else(|| format!("unknown flag `{letter}'"))?;
        let value = value.map(str::to_owned);
        take(command, option, value, (number == last).then_some(&mut *words))?;
    }
    Ok(())
}

/// Reads the value of an option, from the next word if it has none of its own.
fn take(
    command: &Command,
    option: &Arg,
    value: Option<String>,
    words: Option<&mut Words>,
) -> Result<(), String> {
    let name = name(option);
    if !valued(option) {
        let refusal = format!("bool flag `{name}' cannot have an argument");
        return value.map_or(Ok(()), |_| Err(refusal));
    }
    let expected = format!("expected argument for flag `{name}'");
    let value = match value.map(Ok).or_else(|| words?.next().map(Err)) {
        None => return Err(expected),
        Some(Err(word)) if word == "--" => {
            return Err(format!("{expected}, but got double dash `--'"));
        }
        Some(Err(word)) if is_option(&word) => {
            // The value of a variable may follow `=`.
            let (word, hidden) = match word.split_once('=') {
                Some((option, _)) => (option, "=…"),
                None => (shown(&word), ""),
            };
            return Err(format!("{expected}, but got option `{word}{hidden}'"));
        }
        Some(Ok(value) | Err(value)) => value,
    };
    if option.get_id() == "path" {
        Pointer::parse(&value).map(drop).map_err(|why| invalid(command, "path") + &why)
    } else {
        Ok(())
    }
}

fn lettered(command: &Command, letter: char) -> Option<&Arg> {
    command.get_arguments().find(|option| option.get_short() == Some(letter))
}

fn valued(option: &Arg) -> bool {
    option.get_action().takes_values()
}

fn is_option(word: &str) -> bool {
    let dashes = word.len() - word.trim_start_matches('-').len();
    matches!(dashes, 1 | 2) && word.len() > dashes
}

fn name(option: &Arg) -> String {
    spellings(option).join(", ")
}

/// Hides a word of the command line that may be the value of a variable.
// A word of up to four letters is no secret, and mostly a misplaced option.
pub fn shown(word: &str) -> &str {
    if word.len() > 4 { "…" } else { word }
}
