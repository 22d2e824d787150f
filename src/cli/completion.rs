//! Completion scripts for shells: commands, options at every place behind BASE, and the
//! values of options. Options of bosh without a meaning here are left out.
// The scripts of `clap_complete` offer options before BASE only, or no commands beside it.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::builder::{Resettable, StyledStr};
use clap::{Arg, ArgAction, Command, ValueEnum, ValueHint};
use clap_complete::Generator;

use super::options::{COMMANDS, LIMITS};

/// The kind of value that an option takes.
enum OptionValue {
    /// Nothing: a flag.
    None,
    Words(Vec<String>),
    File,
    Folder,
    /// A text that only the user knows.
    Text,
}

/// Values of options that are parsed from text.
const ALLOWED: [&str; 6] = ["env", "file", "url", "pipe", "write", "all"];

/// The script for bash; `@…@` is replaced.
const BASH: &str = r#"# Completes the command line of `interpolate` in bash.
_interpolate() {
    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}
    local command= options= equals= IFS=$' \t\n'
    COMPREPLY=()
    if [[ $current == = ]]; then
        current= equals='='
    elif [[ $option == = ]] && ((COMP_CWORD > 1)); then
        option=${COMP_WORDS[COMP_CWORD-2]} equals='='
    fi
    if ((COMP_CWORD > 1)); then
        case ${COMP_WORDS[1]} in
            @either@) command=${COMP_WORDS[1]} ;;
        esac
    fi
    case "$command $option$equals" in
@values@    esac
    if [[ $current == -* ]]; then
        case $command in
@options@        esac
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif ((COMP_CWORD == 1)); then
        IFS=$'\n'
        COMPREPLY=($(compgen -W $'@lines@' -- "$current"; compgen -f -- "$current"))
        compopt -o filenames 2>/dev/null
    else
        case $command in
@places@        esac
    fi
}
complete -o bashdefault -o default -F _interpolate interpolate
"#;

/// The script for zsh; `@…@` is replaced.
const ZSH: &str = r#"#compdef interpolate
# Completes the command line of `interpolate` in zsh.
_interpolate_commands() {
    local -a commands=(
@described@    )
    _describe -t commands command commands
}

_interpolate_first() {
    _alternative 'commands:command:_interpolate_commands' 'files:BASE:_files'
}

_interpolate() {
    local command=
    if ((CURRENT > 2)); then
        case $words[2] in
            @either@) command=$words[2]; shift words; ((CURRENT--)) ;;
        esac
    fi
    case $command in
@cases@    esac
}

if [[ $funcstack[1] == _interpolate ]]; then
    _interpolate "$@"
else
    compdef _interpolate interpolate
fi
"#;

/// The script for fish; `@…@` is replaced.
const FISH: &str = r#"# Completes the command line of `interpolate` in fish.
function __interpolate_uses
    set -l words (commandline -opc)
    set -l command ''
    if contains -- "$words[2]" @names@
        set command $words[2]
    end
    test "$command" = "$argv[1]"
end
@lines@"#;

/// A shell that scripts are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShellName {
    Bash,
    Elvish,
    Fish,
    Nushell,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
}

impl ShellName {
    /// Returns the shell of a program such as `/bin/zsh`.
    pub fn of_program(path: &Path) -> Option<ShellName> {
        match path.file_name()?.to_str()? {
            "nu" => Some(ShellName::Nushell),
            "pwsh" => Some(ShellName::PowerShell),
            name => ShellName::from_str(name, true).ok(),
        }
    }

    /// Returns the file in a user's folders from which the shell takes the script; `None` if it
    /// has no such folder.
    pub fn file(
        self,
        home: &Path,
        world: &dyn Fn(&str) -> Option<OsString>,
    ) -> Option<PathBuf> {
        let folder = |name: &str, default: &str| {
            let given = world(name).filter(|folder| !folder.is_empty());
            given.map_or_else(|| home.join(default), PathBuf::from)
        };
        let data = || folder("XDG_DATA_HOME", ".local/share");
        let config = || folder("XDG_CONFIG_HOME", ".config");
        match self {
            ShellName::Bash => {
                Some(data().join("bash-completion/completions/interpolate"))
            }
            ShellName::Fish => Some(config().join("fish/completions/interpolate.fish")),
            ShellName::Nushell => Some(config().join("nushell/autoload/interpolate.nu")),
            ShellName::Zsh => Some(folder("ZDOTDIR", "").join(".zfunc/_interpolate")),
            ShellName::Elvish | ShellName::PowerShell => None,
        }
    }

    /// Returns what is left to do for a user once the script is in its file.
    pub fn after_install(self) -> &'static str {
        match self {
            ShellName::Zsh => {
                "zsh finds it if ~/.zshrc has, before `compinit`: fpath+=(${ZDOTDIR:-~}/.zfunc)"
            }
            ShellName::Bash => {
                "new shells have it, if the package bash-completion is installed; else `source` it in ~/.bashrc"
            }
            _ => "new shells have it",
        }
    }
}

/// Returns the completion script of a command line for `shell`.
pub fn script(shell: ShellName, mut command: Command) -> String {
    command.build();
    match shell {
        ShellName::Bash => bash(&command),
        ShellName::Fish => fish(&command),
        ShellName::Zsh => zsh(&command),
        ShellName::Elvish => generated(clap_complete::Shell::Elvish, &command),
        ShellName::PowerShell => generated(clap_complete::Shell::PowerShell, &command),
        ShellName::Nushell => generated(clap_complete_nushell::Nushell, &command),
    }
}

fn generated(shell: impl Generator, command: &Command) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut visible(command), "interpolate", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Returns a command without its hidden options.
fn visible(command: &Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let name = COMMANDS.into_iter().find(|name| *name == command.get_name());
    Command::new(name.unwrap_or("interpolate"))
        .about(about)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(command.get_arguments().filter(|arg| !arg.is_hide_set()).map(alone))
        .subcommands(command.get_subcommands().map(visible))
}

/// Returns an option without its relations to others, which may be left out.
fn alone(arg: &Arg) -> Arg {
    let arg = arg.clone();
    arg.conflicts_with(Resettable::Reset)
        .requires(Resettable::Reset)
        .required_unless_present(Resettable::Reset)
}

fn bash(command: &Command) -> String {
    let names = names(command);
    let mut values = String::new();
    let mut options = String::new();
    let mut places = String::new();
    for (name, command) in commands(command) {
        let mut words = Vec::new();
        for option in shown_options(command) {
            let spellings = spellings(option);
            let mut patterns: Vec<String> = Vec::new();
            for spelling in &spellings {
                let glued = option.is_require_equals_set();
                patterns.extend((!glued).then(|| format!("'{name} {spelling}'")));
                patterns.push(format!("'{name} {spelling}='"));
            }
            let reply = bash_reply(&value(option));
            if let Some(reply) = reply {
                let patterns = patterns.join("|");
                let _ = writeln!(values, "        {patterns}) {reply}return ;;");
            }
            words.extend(spellings);
        }
        let words = words.join(" ");
        let _ = writeln!(options, "            '{name}') options='{words}' ;;");
        if let Some(words) = command.get_positionals().find_map(place_words) {
            let reply = bash_reply(&OptionValue::Words(words)).unwrap_or_default();
            let _ = writeln!(places, "            '{name}') {reply};;");
        }
    }
    let either = names.join("|");
    BASH.replace("@either@", &either)
        .replace("@values@", &values)
        .replace("@options@", &options)
        .replace("@lines@", &names.join("\\n"))
        .replace("@places@", &places)
}

/// Returns the command that completes a value; bash itself completes files.
fn bash_reply(value: &OptionValue) -> Option<String> {
    match value {
        OptionValue::None => None,
        OptionValue::Words(words) => {
            let words = words.join(" ");
            Some(format!("COMPREPLY=($(compgen -W '{words}' -- \"$current\")); "))
        }
        OptionValue::Folder => {
            Some("IFS=$'\\n'; COMPREPLY=($(compgen -d -- \"$current\")); ".into())
        }
        OptionValue::File | OptionValue::Text => Some(String::new()),
    }
}

fn zsh(command: &Command) -> String {
    let mut cases = String::new();
    for (name, command) in commands(command) {
        let mut specs = String::new();
        for option in shown_options(command) {
            zsh_option(option, &mut specs);
        }
        let first = command.get_positionals().find_map(place_words);
        let first = match first {
            _ if name.is_empty() => "'1:BASE or command:_interpolate_first' ".to_owned(),
            Some(words) => format!("'1:value:({})' ", words.join(" ")),
            None => String::new(),
        };
        let _ = write!(
            cases,
            "        '{name}')\n            _arguments -s -S \\\n{specs}                \
             {first}'*:file:_files' ;;\n"
        );
    }
    let described = command.get_subcommands().map(|command| {
        let about = quoted(&help(command.get_about())).replace(':', "\\:");
        format!("        '{}:{about}'\n", command.get_name())
    });
    let described = described.collect::<String>();
    ZSH.replace("@described@", &described)
        .replace("@either@", &names(command).join("|"))
        .replace("@cases@", &cases)
}

/// Appends the specifications of an option for `_arguments`.
fn zsh_option(option: &Arg, out: &mut String) {
    let help = quoted(&help(option.get_help())).replace('[', "\\[").replace(']', "\\]");
    let help = help.replace(':', "\\:");
    let again = if matches!(option.get_action(), ArgAction::Append) { "*" } else { "" };
    let action = match value(option) {
        OptionValue::None => None,
        OptionValue::Words(words) => Some(format!("({})", words.join(" "))),
        OptionValue::File => Some("_files".into()),
        OptionValue::Folder => Some("_files -/".into()),
        OptionValue::Text => Some(" ".into()),
    };
    let name = option.get_value_names().and_then(<[_]>::first);
    let name = name.map_or("value", |name| name.as_str());
    for spelling in spellings(option) {
        let value = match &action {
            None => String::new(),
            Some(action) if option.is_require_equals_set() => {
                format!("::{name}:{action}")
            }
            Some(action) => format!(":{name}:{action}"),
        };
        let join = match (&action, spelling.starts_with("--")) {
            (None, _) => "",
            (Some(_), true) if option.is_require_equals_set() => "=-",
            (Some(_), true) => "=",
            (Some(_), false) => "+",
        };
        let _ =
            writeln!(out, "                '{again}{spelling}{join}[{help}]{value}' \\");
    }
}

fn fish(command: &Command) -> String {
    let mut lines = String::new();
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        let about = escaped(&help(subcommand.get_about()));
        let _ = writeln!(
            lines,
            "complete -c interpolate -n 'test (count (commandline -opc)) -eq 1' -a {name} \
             -d '{about}'"
        );
    }
    for (name, command) in commands(command) {
        let within =
            format!("complete -c interpolate -n '__interpolate_uses \"{name}\"'");
        for option in shown_options(command) {
            let mut line = within.clone();
            let short = option.get_short().map(|short| format!(" -s {short}"));
            let long = option.get_long().map(|long| format!(" -l {long}"));
            line.extend(short.into_iter().chain(long));
            line.push_str(&match value(option) {
                OptionValue::None => String::new(),
                OptionValue::Words(words) if option.is_require_equals_set() => {
                    format!(" -f -a '{}'", words.join(" "))
                }
                OptionValue::Words(words) => format!(" -x -a '{}'", words.join(" ")),
                OptionValue::File => " -r -F".into(),
                OptionValue::Folder => " -x -a '(__fish_complete_directories)'".into(),
                OptionValue::Text => " -x".into(),
            });
            let _ = writeln!(lines, "{line} -d '{}'", escaped(&help(option.get_help())));
        }
        if let Some(words) = command.get_positionals().find_map(place_words) {
            let _ = writeln!(lines, "{within} -x -a '{}'", words.join(" "));
        }
    }
    let names = names(command).join(" ");
    FISH.replace("@names@", &names).replace("@lines@", &lines)
}

/// Returns the main job, whose name is empty, and every other command.
fn commands(command: &Command) -> impl Iterator<Item = (&str, &Command)> {
    let others = command.get_subcommands().map(|command| (command.get_name(), command));
    std::iter::once(("", command)).chain(others)
}

fn names(command: &Command) -> Vec<&str> {
    command.get_subcommands().map(Command::get_name).collect()
}

fn shown_options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set())
}

/// Returns `-o` and `--ops-file`.
pub fn spellings(option: &Arg) -> Vec<String> {
    let short = option.get_short().map(|short| format!("-{short}"));
    short.into_iter().chain(option.get_long().map(|long| format!("--{long}"))).collect()
}

fn value(option: &Arg) -> OptionValue {
    if !option.get_action().takes_values() {
        return OptionValue::None;
    }
    if let Some(words) = place_words(option) {
        return OptionValue::Words(words);
    }
    match (option.get_id().as_str(), option.get_value_hint()) {
        ("allow", _) => OptionValue::Words(ALLOWED.map(str::to_owned).to_vec()),
        ("limit", _) => {
            OptionValue::Words(LIMITS.iter().map(|name| format!("{name}=")).collect())
        }
        (_, ValueHint::FilePath | ValueHint::AnyPath) => OptionValue::File,
        (_, ValueHint::DirPath) => OptionValue::Folder,
        _ => OptionValue::Text,
    }
}

/// Returns the words that an argument accepts, if these are all.
fn place_words(arg: &Arg) -> Option<Vec<String>> {
    let words = arg.get_possible_values();
    let words: Vec<String> = words
        .iter()
        .filter(|word| !word.is_hide_set())
        .map(|word| word.get_name().to_owned())
        .collect();
    (arg.get_action().takes_values() && !words.is_empty()).then_some(words)
}

fn help(text: Option<&StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default().replace('\n', " ")
}

/// Quotes a text for the inside of `'…'` in zsh.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "'\\''")
}

/// Quotes a text for the inside of `'…'` in fish.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'")
}
