//! Runs the completion script of each shell that is installed: commands, options before
//! and behind BASE, values of options.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A command line up to the cursor, words that are offered, and words that are not.
type Case = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    (&["sa"], &["save"], &["diff"]),
    (&["ba"], &["base.yml"], &["save"]),
    (&["--form"], &["--format"], &["--path"]),
    (&["base.yml", "--vars-"], &["--vars-file", "--vars-env"], &["--var-errs"]),
    (&["base.yml", "-o", "op"], &["ops.yml"], &["save"]),
    (&["base.yml", "--format", ""], &["yaml", "bosh", "json"], &["core"]),
    (&["base.yml", "--allow", "e"], &["env"], &["file"]),
    (&["base.yml", "--cl"], &[], &["--client"]),
    (&["base.yml", "--en"], &[], &["--environment"]),
    (&["save", "base.yml", "--explain"], &["--explain-save"], &["--format"]),
    (&["diff", "--exit"], &["--exit-code"], &["--format"]),
    (&["completions", "z"], &["zsh"], &["bash"]),
];

#[test]
fn bash() {
    each("bash", |script, words| {
        let last = words.len();
        let words = quoted(words);
        format!(
            "source {script}; COMP_WORDS=(interpolate {words}); COMP_CWORD={last}; \
             _interpolate; printf '%s\\n' \"${{COMPREPLY[@]}}\"; \
             ((${{#COMPREPLY[@]}})) || compgen -f -- \"${{COMP_WORDS[COMP_CWORD]}}\""
        )
    });
}

#[test]
fn fish() {
    each("fish", |script, words| {
        format!("source {script}; complete -C \"interpolate {}\"", words.join(" "))
    });
}

#[test]
fn zsh() {
    // Completion runs in a line editor only: a second shell in a terminal, which prints
    // what would be added.
    each("zsh", |script, words| {
        let line = words.join(" ");
        format!(
            r#"zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PS2= RPS1=; stty columns 200; autoload -Uz compinit; compinit -D -u; source {script}"
zpty -w shell "zstyle ':completion:*' verbose no; LISTMAX=1000; bindkey '^I' list-choices; bindkey '^X' undefined-key; print RE''ADY"
zpty -r -m shell text '*READY*'
zpty -n -w shell $'interpolate {line}\t'
quiet=0
repeat 100; do
    sleep 0.1
    if zpty -r -t shell text; then print -r -- $text; quiet=0; fi
    ((++quiet > 6)) && break
done
zpty -d shell"#
        )
    });
}

/// Runs the cases in a shell, if it is installed.
fn each(shell: &str, program: impl Fn(&str, &[&str]) -> String) {
    if !Command::new(shell).args(["-c", "exit"]).status().is_ok_and(|s| s.success()) {
        // Not captured: a passing test shows nothing else.
        let missing = format!("skipped: {shell} is not installed\n");
        std::io::stderr().write_all(missing.as_bytes()).unwrap();
        return;
    }
    let home = tempfile::tempdir().unwrap();
    for file in ["base.yml", "ops.yml"] {
        std::fs::write(home.path().join(file), "a: 1\n").unwrap();
    }
    let script = home.path().join("script");
    let interpolate = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(["completions", shell])
        .output()
        .unwrap();
    std::fs::write(&script, interpolate.stdout).unwrap();
    for &(words, offered, others) in CASES {
        let found =
            run(shell, &program(&script.display().to_string(), words), home.path());
        let has = |word: &&&str| {
            let is = |found: &str| found.trim_end_matches(['=', '/']) == **word;
            found.split_whitespace().any(is)
        };
        let missing: Vec<_> = offered.iter().filter(|word| !has(word)).collect();
        let wrong: Vec<_> = others.iter().filter(has).collect();
        assert!(
            missing.is_empty() && wrong.is_empty(),
            "{shell}, {words:?}: without {missing:?}, with {wrong:?}:\n{found}"
        );
    }
}

fn run(shell: &str, program: &str, home: &Path) -> String {
    let output = Command::new(shell)
        .args(["-c", program])
        .current_dir(home)
        .env("HOME", home)
        .env("TERM", "dumb")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{shell}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}
