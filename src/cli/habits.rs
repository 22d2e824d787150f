//! Words that other tools have taught people to type: a command, an option or an expression of
//! yq, jq, sed, kubectl, kustomize or helm comes in; the command line that does it here goes out.

use std::ffi::OsString;
use std::path::Path;

use interpolate::unstable::diagnostic::{near, shell_word};
use interpolate::unstable::language::appended_item;
use interpolate::unstable::select::{condition_of_filter, meant};
use interpolate::unstable::target::Target;

use super::options::COMMANDS;

/// Commands of other tools, and what does the same here: `FILE`, `PATH` and `VALUE` stand for
/// the words of the user.
const WORDS: [(&[&str], &str); 15] = [
    (&["get", "read", "show", "query", "path", "r"], "FILE --path PATH"),
    (&["set", "update", "replace", "write", "assign", "w"], "FILE --set PATH=VALUE"),
    (&["delete", "del", "remove", "rm", "unset", "d"], "FILE --rm PATH"),
    (&["add", "create", "new"], "FILE --set PATH=VALUE"),
    (&["append", "push", "insert"], "FILE --append PATH=VALUE"),
    (&["rename", "move", "mv"], "FILE --mv PATH=VALUE"),
    (&["copy", "cp"], "FILE --cp PATH=VALUE"),
    (&["keys"], "FILE --keys PATH"),
    (&["patch", "apply"], "FILE -o OPS"),
    (&["validate", "lint"], "check FILE"),
    (&["cat", "view", "print"], "FILE"),
    (&["why", "blame", "trace"], "explain FILE PATH"),
    (&["template", "render"], "FILE --eval"),
    (&["build", "config"], "FILE --merge OVERLAY"),
    (&["edit"], "FILE --set PATH.image=NAME:TAG -i"),
];

/// Options of other tools, and what does the same here.
const OPTIONS: [(&[&str], &str); 18] = [
    (&["--rename"], "`--mv FROM=TO` renames a key"),
    (&["--delete", "--del", "--remove", "--unset"], "`--rm PATH` removes a value"),
    (
        &["--add", "--insert", "--push", "--create"],
        "`--set PATH=VALUE` makes a key, `--append PATH=VALUE` an item of a list",
    ),
    (&["--replace", "--update", "--write-value"], "`--set PATH=VALUE` replaces a value"),
    (
        &["--dry-run", "--dry_run", "--what-if"],
        "nothing is written without -i: `--diff` shows the changes, `--check` tells if there are any",
    ),
    (
        &["-f", "--file", "--filename", "--files"],
        "a file is an argument: `interpolate FILE`; `-o FILE` is a list of ops, `--merge FILE` is merged",
    ),
    (
        &["-p", "--patch"],
        "`--merge FILE` merges a mapping, `-o FILE` applies a list of ops, `--path PATH` reads a value",
    ),
    (&["--get", "--query", "--select", "--extract"], "`--path PATH` reads a value"),
    (
        &["--values", "--compose", "--overlay"],
        "`--merge FILE` merges a mapping into BASE",
    ),
    (
        &["--set-file", "--set-json", "--set-literal", "--set-str", "--set-text"],
        "`--set PATH=VALUE` takes YAML and JSON, `--set-string PATH=TEXT` any text: \"a=$(cat FILE)\"",
    ),
    (
        &["--inplace", "--write", "-w", "--save", "--overwrite"],
        "`-i` writes the result back",
    ),
    (
        &["--output-format", "--to-json", "-j", "--yaml-output", "-y", "-oj", "-oy"],
        "the result is YAML; `--format json` prints JSON",
    ),
    (
        &[
            "--indent",
            "-I",
            "--prettyPrint",
            "-P",
            "--pretty",
            "--width",
            "--line-length",
        ],
        "the layout stays as it is in the file: no option changes it",
    ),
    (
        &["--arg", "--argjson", "--env", "--var-value", "--define", "-D", "--param"],
        "`-v NAME=VALUE` fills in ((NAME)), `--vars-env PREFIX` takes variables of the environment",
    ),
    (
        &["--slurp", "-s", "--null-input", "--eval-all"],
        "`--all-documents` is about each document",
    ),
    (
        &["--type"],
        "`--merge FILE` is a merge patch; a JSON Patch is an ops-file: `-o FILE`",
    ),
    (
        &["--recursive", "-R", "-k"],
        "files are named: `interpolate */*.yaml --set PATH=VALUE -i`",
    ),
    (&["--image", "--set-image"], "`--set 'PATH.image=NAME:TAG'` sets one"),
];

/// Returns the way to do what an option of another tool does, for one that is unknown.
pub fn option_hint(option: &str) -> Option<String> {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    let known = OPTIONS.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, hint)| (*hint).to_owned())
}

/// Returns a hint for a word beside BASE that is no file: a path, with or without a value.
pub fn path_word_hint(base: &str, word: &str) -> Option<String> {
    let (path, value) = match word.split_once('=') {
        Some((path, value)) => (path, Some(value)),
        None => (word, None),
    };
    let is_path = !word.contains('/')
        && (value.is_some() || path.contains(['.', '[']))
        && Target::parse_argument(path).is_ok()
        && !Path::new(word).exists();
    is_path.then(|| {
        let option = if value.is_some() { "--set" } else { "--path" };
        format!("write `interpolate {} {option} {}`", shell_word(base), shell_word(word))
    })
}

/// Returns a hint for a word that a command has no place for.
pub fn extra_word_hint(command: &str, word: &str) -> Option<String> {
    let is_ops = matches!(command, "rebase" | "plan") && !word.starts_with('-');
    if is_ops {
        return Some(format!("an ops-file stands behind -o: `-o {}`", shell_word(word)));
    }
    if command == "explain" && !word.starts_with('-') {
        return Some("each ops-file needs an -o of its own; PATH comes last".into());
    }
    (word == "-.")
        .then(|| "-i has no suffix: copy the file before, to keep it".to_owned())
}

/// Returns a question about a word in the place of a BASE that may be an ops-file.
pub fn is_it_ops(word: &str) -> String {
    format!("is '{word}' an ops-file? Then write -o {}", shell_word(word))
}

/// Returns a hint for an ops-file that is not there: with other tools, `-o` is a format or the
/// file of the result.
pub fn output_hint(name: &str) -> &'static str {
    if name.starts_with("jsonpath=") {
        "-o is an ops-file here: `--path PATH` reads a value"
    } else if matches!(name, "json" | "yaml" | "y" | "j" | "wide" | "name") {
        "-o is an ops-file here: `--format json` prints JSON"
    } else {
        "-o is an ops-file here: `--output FILE` writes the result"
    }
}

/// Returns a hint for a command that lacks a word.
pub fn missing_word_hint(command: &str) -> Option<String> {
    let hint = match command {
        "interpolate" => "name a file, or `-` for standard input",
        "merge" => {
            "the first one is what both versions come from; to put one file into another, write \
             `interpolate FILE --merge OTHER`"
        }
        "diff" => {
            "two files are compared; the changes since the last commit: \
             `git show HEAD:./FILE | interpolate diff - FILE`"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns a hint for a `word` in the place of BASE that is no file. `others` are the words in
/// the places of other BASEs.
pub fn word_hint(word: &str, others: &[OsString]) -> Option<String> {
    if matches!(word, "int" | "interpolate") {
        return Some(format!(
            "`interpolate BASE` does what `bosh {word} BASE` does: leave out '{word}'"
        ));
    }
    if word == "version" {
        return Some("`interpolate -V` prints the version".into());
    }
    if COMMANDS.contains(&word) {
        return Some(format!("the command stands in front: `interpolate {word} …`"));
    }
    let words = TypedWords::of(others);
    if let Some((_, form)) = WORDS.iter().find(|(names, _)| names.contains(&word)) {
        return Some(format!("write `{}`", words.fill(form)));
    }
    if let Some(form) = Filter::parse(word).map(|filter| filter.form()) {
        return Some(format!("write `{}`", words.fill(&form)));
    }
    let names = COMMANDS.into_iter().chain(["help"]);
    near(names, word).map(|name| format!("did you mean the command '{name}'?"))
}

/// Returns true if a word in the place of BASE is a word of another tool, and no file.
pub fn is_foreign(word: &str) -> bool {
    let is_word = WORDS.iter().any(|(names, _)| names.contains(&word));
    (is_word || Filter::parse(word).is_some())
        && (word == "." || !Path::new(word).exists())
}

/// Returns the options that do what an expression of yq, jq or sed does: `--path PATH`.
pub fn expression_hint(text: &str) -> Option<String> {
    let form = Filter::parse(text)?.form();
    Some(form.trim_start_matches("FILE ").to_owned())
}

/// Words of the command line that stand for a file, a path and a value.
struct TypedWords<'a> {
    file: Option<&'a str>,
    path: Option<&'a str>,
    value: Option<&'a str>,
}

impl<'a> TypedWords<'a> {
    fn of(others: &'a [OsString]) -> TypedWords<'a> {
        let words: Vec<&str> = others.iter().filter_map(|word| word.to_str()).collect();
        let is_file = |word: &str| word == "-" || Path::new(word).is_file();
        let file = words.iter().copied().find(|word| is_file(word));
        let mut rest = words.into_iter().filter(|&word| Some(word) != file);
        let path = rest.next();
        let (path, value) = match path.and_then(|path| path.split_once('=')) {
            Some((path, value)) => (Some(path.trim()), Some(value.trim())),
            None => (path, rest.next()),
        };
        TypedWords { file, path, value }
    }

    /// Returns the command line of a form, with the words in their places.
    fn fill(&self, form: &str) -> String {
        let file = self.file.map_or("FILE".into(), shell_word);
        let words = form.split(' ').map(|part| match part {
            "FILE" => file.clone(),
            "PATH" => self.path.map_or("PATH".into(), shell_word),
            "PATH=VALUE" => {
                let [path, value] =
                    [self.path.unwrap_or("PATH"), self.value.unwrap_or("VALUE")];
                shell_word(&format!("{path}={value}"))
            }
            part => part.to_owned(),
        });
        format!("interpolate {}", words.collect::<Vec<_>>().join(" "))
    }
}

/// An expression of yq, jq or sed.
enum Filter {
    /// `.image.tag`, `.items[] | select(.name == "web")`
    Read(String),
    /// `select(.kind == "Service")`: its condition.
    Documents(String),
    /// `.image.tag = "1.10"`, `.hosts += ["b"]`
    Assign(Assignment),
    /// `del(.image.tag)`
    Delete(String),
    /// `.image | keys`
    Keys(String),
    /// `s/a/b/`
    Substitute,
    /// `.`
    Whole,
    /// `sort_keys(.)`, `.a * .b`: nothing does the same.
    Other,
}

impl Filter {
    fn parse(text: &str) -> Option<Filter> {
        let text = text.trim();
        // A file that is missing is no expression.
        let is_file = [".yml", ".yaml", ".json"].iter().any(|end| text.ends_with(end));
        if is_file && !text.contains([' ', '(', '=']) {
            return None;
        }
        if text == "." {
            return Some(Filter::Whole);
        }
        if is_substitution(text) {
            return Some(Filter::Substitute);
        }
        if let Some(condition) = argument_of(text, "select") {
            return Some(Filter::Documents(condition_of_filter(condition)));
        }
        if let Some(inner) = argument_of(text, "del").or(argument_of(text, "delete")) {
            return Some(Filter::Delete(path(inner)));
        }
        if let Some(of) = text.strip_suffix("| keys").or(text.strip_suffix("|keys")) {
            return Some(Filter::Keys(path(of)));
        }
        let is_path = text.starts_with(['.', '$'])
            && !text.starts_with("./")
            && !text.starts_with("../")
            && text != "..";
        if !is_path {
            let name = text.strip_suffix(')').and_then(|text| text.split_once('('))?.0;
            let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
            let is_call = !name.is_empty() && name.chars().all(is_name);
            return is_call.then_some(Filter::Other);
        }
        if let Some(assignment) = Assignment::parse(text) {
            return Some(Filter::Assign(assignment));
        }
        let path = path(text);
        let is_one = path.starts_with('$') || !path.contains([' ', '(']);
        let is_read = is_one && Target::parse_argument(&path).is_ok();
        Some(if is_read { Filter::Read(path) } else { Filter::Other })
    }

    /// Returns the command line, in which `FILE` stands for the file.
    fn form(&self) -> String {
        match self {
            Filter::Whole => "FILE".into(),
            Filter::Read(path) => format!("FILE --path {}", shell_word(path)),
            Filter::Documents(condition) => {
                format!("FILE --where {}", shell_word(condition))
            }
            Filter::Assign(assignment) => assignment.form(),
            Filter::Delete(path) => format!("FILE --rm {}", shell_word(path)),
            Filter::Keys(path) => format!("FILE --keys {}", shell_word(path)),
            Filter::Substitute => "FILE --set PATH=VALUE".into(),
            Filter::Other => "FILE --path PATH".into(),
        }
    }
}

/// Returns the argument of a call of a function.
fn argument_of<'t>(text: &'t str, function: &str) -> Option<&'t str> {
    text.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')')
}

/// Returns true for a command of sed such as `s/a/b/g`.
fn is_substitution(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('s') else { return false };
    let Some(separator) = rest.chars().next().filter(|c| "/|#,".contains(*c)) else {
        return false;
    };
    let parts: Vec<&str> = rest.split(separator).collect();
    matches!(parts[..], [_, _, _, flags] if flags.chars().all(|c| "gimp".contains(c)))
}

/// An assignment of yq or jq.
struct Assignment {
    path: String,
    value: String,
    /// The option that does the same.
    option: &'static str,
}

impl Assignment {
    /// Parses `.a = "x"`, `.a |= 1`, `.a += ["x"]` or `.a = .b`.
    fn parse(text: &str) -> Option<Assignment> {
        let is_compared = |at: usize| {
            let around = [text[..at].chars().next_back(), text[at + 1..].chars().next()];
            around.iter().flatten().any(|c| "=!<>".contains(*c))
        };
        let mut signs = text.match_indices('=').map(|(at, _)| at);
        let at = signs.find(|&at| !is_compared(at))?;
        let left = text[..at].trim_end();
        let right = text[at + 1..].trim();
        if left.contains(['(', '?']) {
            return None;
        }
        let joined = left.strip_suffix('+');
        let path = path(joined.or(left.strip_suffix('|')).unwrap_or(left));
        let value = if joined.is_some() { appended_item(right) } else { right };
        let text = quoted_text(value);
        let is_path = value.starts_with('.') && Target::parse_argument(value).is_ok();
        let option = match (joined, text) {
            (Some(_), _) => "--append",
            (None, Some(_)) => "--set-string",
            (None, None) if is_path => "--cp",
            (None, None) => "--set",
        };
        if option == "--cp" {
            return Some(Assignment { path: value.into(), value: path, option });
        }
        // The result of a function is no value here.
        let value = text.unwrap_or(if value.ends_with(')') { "VALUE" } else { value });
        Some(Assignment { path, value: value.to_owned(), option })
    }

    fn form(&self) -> String {
        let Assignment { path, value, option } = self;
        format!("FILE {option} {}", shell_word(&format!("{path}={value}")))
    }
}

/// Returns the text that stands between two quotes.
fn quoted_text(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = text[1..].strip_suffix(quote)?;
    (!inner.contains(quote)).then_some(inner)
}

/// Returns a path of another tool as it is spelled here: dotted, or a query if it has to be one.
fn path(text: &str) -> String {
    let text = text.trim();
    let is_query =
        text.contains(['|', '*', '(']) || text.contains("[]") || text.starts_with("..");
    meant(text).filter(|_| is_query).unwrap_or_else(|| text.to_owned())
}
