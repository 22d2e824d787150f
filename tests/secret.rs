//! Whatever is wrong with the value of a variable, no message shows it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Stands for a secret: no message may hold it.
const SECRET: &str = "hunter2";

/// What a reader of YAML trips over, with the secret in it.
const BROKEN: [&str; 26] = [
    "*hunter2",
    "&hunter2 [*hunter2]",
    "@hunter2",
    "%hunter2",
    "\"hunter2",
    "[hunter2",
    "{hunter2",
    "- hunter2\na",
    "`hunter2`",
    "|hunter2",
    "\"\\hunter2\"",
    "!<hunter2 x",
    "!hunter2!x y",
    "%YAML 9.hunter2\n---\na",
    "%TAG hunter2 x\n--- a",
    "!!int hunter2",
    "!!binary hunter2!",
    "!!int 'a` hunter2 `b'",
    "{!!int hunter2: 1}",
    "{[hunter2]: 1}",
    "{{hunter2: 1}: 2}",
    "{[hunter2, *x]: 1}",
    "? [hunter2]\n: 1",
    "{a: {<<: hunter2}}",
    "{a: hunter2, <<: [hunter2]}",
    "*x hunter2",
];

const BASE: &str = "\
a: ((a))
list: [{name: ((a)), part: x((a))y}]
map: {((a)): 1, k((a)): 2}
inside: x((a))y
dotted: ((a.hunter.x)) ((a.0)) ((a.hunt))
";

const OPTIONS: [&str; 9] = [
    "ca: ((h))",
    "{((h)): 1}",
    "((h))",
    "{length: ((h))}",
    "{is_ca: ((h))}",
    "{is_ca: true, key_length: ((h))}",
    "{ca: c, extended_key_usage: [((h))]}",
    "{ca: c, alternative_names: ['((h))é']}",
    "{alternative_names: ((h))}",
];

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    /// Runs the program in both formats; what it says must not hold the secret.
    fn run(&self, arguments: &[&str]) {
        for format in ["--format=yaml", "--format=bosh"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
            command.current_dir(self.path()).env("P_a", arguments.concat());
            let output = command.args(arguments).arg(format).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!said.contains(SECRET), "{arguments:?}\n{said}");
        }
    }
}

#[test]
fn values_that_cannot_be_read() {
    let home = Home::new();
    home.write("base.yml", "a: ((a))\n");
    for value in BROKEN {
        home.run(&["base.yml", "-v", &format!("a={value}")]);
        home.run(&["base.yml", "-v", value]);
        home.run(&["base.yml", "-v", "a=", value]);
        home.run(&["base.yml", "--var", "a", value]);
        for text in [format!("a: {value}\n"), format!("{value}\n")] {
            home.write("vars.yml", &text);
            home.run(&["base.yml", "-l", "vars.yml"]);
            home.run(&["base.yml", "--vars-store", "vars.yml"]);
        }
    }
}

#[test]
fn values_that_do_not_fit() {
    let home = Home::new();
    home.write("base.yml", BASE);
    let paths =
        ["/list/name=hunter", "/map/hunter", "/a/name", "/a/0", "/list/part=xhunt"];
    for value in ["hunter2", "{key: hunter2}", "[hunter2]", "{hunter: hunter2}"] {
        let pair = format!("a={value}");
        home.run(&["base.yml", "-v", &pair]);
        home.write("vars.yml", &format!("a: {value}\n"));
        for path in paths {
            let part = BASE.lines().take(3).map(|line| format!("{line}\n"));
            home.write("part.yml", &part.collect::<String>());
            home.run(&["part.yml", "-v", &pair, "--path", path]);
            home.run(&["part.yml", "-l", "vars.yml", "--path", path]);
        }
    }
}

#[test]
fn options_of_what_is_made() {
    let home = Home::new();
    for kind in ["password", "certificate"] {
        for options in OPTIONS {
            let text = format!("- {{name: x, type: {kind}, options: {options}}}\n");
            home.write("base.yml", &format!("variables:\n- {{name: c}}\n{text}"));
            for value in ["hunter2", "[hunter2]", "{hunter2: {a: 1}}"] {
                let pair = format!("h={value}");
                home.run(&["base.yml", "-v", &pair, "--vars-store", "store.yml"]);
            }
        }
    }
}

#[test]
fn words_astray() {
    let home = Home::new();
    home.write("base.yml", "a: 1\n");
    for words in [
        ["base.yml", "-v=hunter2", ""],
        ["base.yml", "--var=hunter2", ""],
        ["base.yml", "-v", "-a=hunter2"],
        ["base.yml", "-v", "-hunter2"],
        ["base.yml", "-v", "=hunter2"],
    ] {
        let words: Vec<&str> =
            words.into_iter().filter(|word| !word.is_empty()).collect();
        home.run(&words);
    }
}

/// What makes something of a secret `s`, which must not be seen in the result.
const MADE: [&str; 24] = [
    "{{ 'a' ~ s }}",
    "{{ [s] }}",
    "{{ [s] | string }}",
    "{{ '%s' % s }}",
    "{{ '%s' % [s] }}",
    "{{ '%r %r' % (1, s) }}",
    "{{ '%(k)s' % {'k': {'n': s}} }}",
    "{{ '{}'.format(s) }}",
    "{{ '{!r}'.format(s) }}",
    "{{ '{0[k]}'.format({'k': s}) }}",
    "{{ '{}'.format([s]) }}",
    "x{{ {'a': (s, 1)} }}y",
    "{{ s[:6] }}{{ s[6:] }}",
    "{{ (s ~ ' ') | trim }}",
    "{{ [s] | to_json }}",
    "{{ {'a': s} | to_nice_yaml }}",
    "{{ [s, 'b'] | join('-') }}",
    "{{ s | b64encode | b64decode }}",
    "{{ s | regex_replace('^', 'x') }}",
    "{{ s | replace('x', 'y') }}",
    "{{ s.encode() }}",
    "{{ [s] | map('upper') | map('lower') | list }}",
    "{% set t %}<{{ [s] }}>{% endset %}{{ t }}",
    "{% macro m(x) %}{{ x }}!{% endmacro %}{{ m([s]) }}",
];

/// What cannot be made of a variable `s`, of which no message says the value.
const REFUSED: [&str; 7] = [
    "{{ s | to_datetime }}",
    "{{ [s] | map('to_datetime') | list }}",
    "{{ {}[s].x }}",
    "{{ '%d' % s }}",
    "{{ s | from_json }}",
    "{{ s.index('x') }}",
    "{{ lookup(s) }}",
];

#[test]
fn what_is_made_of_secrets() {
    let home = Home::new();
    for made in MADE {
        let source = format!("{{% set s = 'hunter2' | sensitive %}}{made}");
        let output = evaluate(&home, &[&*source]);
        assert!(!output.contains(SECRET), "{made}\n{output}");
        assert!(output.contains("REDACTED"), "{made}\n{output}");
    }
    let given = "vars: {s: {eval: {sensitive: hunter2}}}";
    for made in [
        "concat: [a, {eval: $s}]",
        "token: [{concat: [a., x., {eval: $s}]}, '.', 2]",
        "to_label: [{eval: $s}, x]",
        "add: [x, {eval: $s}]",
        "mod: ['%s', {eval: $s}]",
        "urljoin: [http, {eval: $s}]",
        "to_env: {A: {eval: $s}, B: 'x${A}'}",
        "template: '{{ [s] }}!'",
    ] {
        let source = format!("{{eval: {{{made}}}, {given}}}");
        let output = evaluate(&home, &["--lang=unfurl", &source]);
        assert!(!output.contains(SECRET), "{made}\n{output}");
        assert!(output.contains("REDACTED"), "{made}\n{output}");
    }
}

#[test]
fn messages_of_templates() {
    let home = Home::new();
    for refused in REFUSED {
        let output = evaluate(&home, &[refused, "-v", "s=hunter2"]);
        assert!(output.contains("error"), "{refused}\n{output}");
        assert!(!output.contains(SECRET), "{refused}\n{output}");
    }
}

/// What evaluating prints and says.
fn evaluate(home: &Home, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
    let output = command.current_dir(home.path()).arg("eval").args(arguments).output();
    let output = output.unwrap();
    [output.stdout, output.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat()
}
