//! No error message shows the value of a variable.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Marks a secret. No message may contain it.
const SECRET: &str = "hunter2";

/// Texts that are not valid YAML, with the secret in them.
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

    /// Runs the program in both formats. Its messages must not contain the secret.
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

/// Expressions that make a result from a secret `s`. The result must not show it.
const MADE: [&str; 28] = [
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
    "{{ s.encode()[0] }}",
    "{% for byte in s.encode() %}{{ byte }}{% endfor %}",
    "{{ ('202' ~ s[6:]) | to_datetime('%Y') }}",
    "{{ (('202' ~ s[6:]) | to_datetime('%Y')).strftime('%j') }}",
];

/// Expressions on a variable `s` that fail. No message may show its value.
const REFUSED: [&str; 17] = [
    "{{ s | to_datetime }}",
    "{{ [s] | map('to_datetime') | list }}",
    "{{ {}[s].x }}",
    "{{ '%d' % s }}",
    "{{ ('{' ~ s) | from_json }}",
    "{{ s.index('#') }}",
    "{{ lookup(s) }}",
    "{{ {}[s[:2]] }}{{ {}[s] }}",
    "{{ 'a' | attr(s) }}",
    "{{ dict(**{s: 1}).x }}{{ range(**{s: 1}) }}",
    "{% macro m(x) %}{% endmacro %}{{ m(**{s: 1}) }}",
    "{% set t %}<{{ s }}>{% endset %}{{ {}[t] }}",
    "{% for c in [s] %}{{ {}[c] }}{% endfor %}",
    "{% include s %}",
    "{% include [s, 'nope'] without context %}",
    "{% import s as x %}",
    "{% extends s %}",
];

/// Expressions that change the value of `s`, with the changed text that no message may
/// show.
const CHANGED: [(&str, &str); 12] = [
    ("(s ~ 'x')", "hunter2"),
    ("(s | upper)", "HUNTER2"),
    ("(s.upper())", "HUNTER2"),
    ("s[1:]", "unter2"),
    ("(s | reverse)", "2retnuh"),
    ("('%s!' % s)", "hunter2"),
    ("('{}!'.format(s))", "hunter2"),
    ("([s, 'x'] | join('-'))", "hunter2"),
    ("(s.encode() | string)", "hunter2"),
    ("(s | b64encode)", "aHVudGVyMg"),
    ("([s] | to_json)", "hunter2"),
    ("(s | hash('md5'))", "2ab96390c7db"),
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
    for (changed, secret) in CHANGED.into_iter().chain([("s", SECRET)]) {
        for refused in REFUSED {
            let refused = format!("{{% set s = {changed} %}}{refused}");
            let output = evaluate(&home, &[&refused, "-v", "s=hunter2", "--allow=file"]);
            assert!(output.contains("error"), "{refused}\n{output}");
            assert!(!output.contains(secret), "{refused}\n{output}");
        }
    }
    for refused in ["{{ {}[n] }}", "{{ {}[n + 1] }}", "{{ n | string | to_datetime }}"] {
        let output = evaluate(&home, &[refused, "-v", "n=8675309"]);
        assert!(output.contains("error"), "{refused}\n{output}");
        assert!(!output.contains("86753"), "{refused}\n{output}");
    }
    let output =
        evaluate(&home, &["{{ s | upper }}{{ n + 1 }}", "-v", "s=x", "-v", "n=1"]);
    assert_eq!(output, "X2\n");
}

#[test]
fn messages_of_expressions() {
    let home = Home::new();
    for (source, secret) in [
        ("{eval: {concat: [a, {eval: $s}]}, trace: 1}", SECRET),
        ("{eval: {to_label: [{eval: $s}], sep_case: x}, trace: 1}", SECRET),
        ("{eval: {template: '{{ s | upper }}'}, trace: 1}", "HUNTER2"),
        ("{eval: {template: '{{ __unfurl.trace(s[1:]) }}'}}", "unter2"),
        ("{eval: {add: [{eval: $n}, 1]}, trace: 1}", "8675310"),
    ] {
        let arguments = ["--lang=unfurl", source, "-v", "s=hunter2", "-v", "n=8675309"];
        let output = run(&home, "eval", &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("trace"), "{source}\n{said}");
        assert!(!said.contains(secret), "{source}\n{said}");
    }
    for (source, secret) in [
        ("$s.nope()", SECRET),
        ("$s.toUpper().nope()", "HUNTER2"),
        ("int($s)", SECRET),
        ("int($s.toUpper())", "HUNTER2"),
        ("{a => 1}.get($s).nope()", SECRET),
        ("datetime($s.toUpper())", "HUNTER2"),
        ("call($s.toUpper(), [], {})", "HUNTER2"),
        ("assert(false, $s.toUpper())", "HUNTER2"),
    ] {
        let output = evaluate(&home, &["--lang=yaql", source, "-v", "s=hunter2"]);
        assert!(output.contains("error"), "{source}\n{output}");
        assert!(!output.contains(secret), "{source}\n{output}");
    }
}

/// Heat templates that fail on a variable `s`.
const UNMADE: [&str; 9] = [
    "outputs: {o: {value: {list_join: [',', [((s))]]}}}",
    "outputs: {o: {value: {list_join: [',', [{k: [((s))]}]]}}}",
    "outputs: {o: {value: {map_merge: [((s))]}}}",
    "outputs: {o: {value: {get_file: ((s))}}}",
    "outputs: {o: {value: {get_param: ((s))}}}",
    "parameters: {p: {type: number, default: ((s))}}",
    "parameters: {p: {type: json, default: [((s))], constraints: [{length: {max: 0}}]}}",
    "resources: {r: {type: OS::Heat::None, deletion_policy: ((s))}}",
    "conditions: {c: ((s))}",
];

/// Heat templates that fail on the hidden parameter `s`, a map with the secret.
const UNSAID: [&str; 12] = [
    "{map_merge: [{get_param: [s, a]}]}",
    "{list_concat: [{get_param: [s, a]}]}",
    "{list_join: [',', [{get_param: s}]]}",
    "{list_join: [',', [[{get_param: [s, n]}]]]}",
    "{get_file: {get_param: [s, a]}}",
    "{get_file: {list_join: ['-', [x, {get_param: [s, a]}]]}}",
    "{map_merge: {str_split: ['-', {get_param: [s, split]}]}}",
    "{map_merge: [{get_param: [s, lines]}]}",
    "{yaql: {expression: '$.data.nope(1)', data: {get_param: [s, a]}}}",
    "{yaql: {expression: '$.data.toUpper().toLower().nope(1)', data: {get_param: [s, a]}}}",
    "{repeat: {for_each: {'%': [{get_param: [s, a]}]}, template: {map_merge: [x%y]}}}",
    "{str_replace: {template: {get_param: [s, a]}, params: [{get_param: [s, a]}]}}",
];

#[test]
fn messages_of_heat() {
    let home = Home::new();
    let hot = |text: &str, arguments: &[&str], secret: &str| {
        home.write("t.yaml", &format!("heat_template_version: rocky\n{text}\n"));
        let output = run(&home, "hot", &[&["t.yaml"], arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains(secret), "{text}\n{said}");
    };
    for unmade in UNMADE {
        for secret in ["hunter2", "12345678"] {
            // A numeric secret is a valid number, so the parameter asks for a boolean.
            let text = unmade.replace("number", "boolean");
            hot(&text, &["-v", &format!("s={secret}")], secret);
        }
        hot(unmade, &["-v", "s=hunter2"], SECRET);
        home.write("vars.yml", "s: |\n  a\n  hunter2's \"b\"\n");
        hot(unmade, &["-l", "vars.yml"], SECRET);
    }
    for unsaid in UNSAID {
        let default =
            r#"{a: hunter2, n: 8675309, split: hunter2-b, lines: "'\na\nhunter2\""}"#;
        let schema = format!("s: {{type: json, hidden: true, default: {default}}}");
        let text =
            format!("parameters:\n  {schema}\noutputs:\n  o:\n    value: {unsaid}");
        hot(&text, &[], SECRET);
        hot(&text, &[], "8675309");
    }
}

#[test]
fn parameters_of_heat() {
    let home = Home::new();
    home.write("old.yaml", "p: hunter2\n");
    for (schema, arguments) in [
        ("type: string, default: hunter2, constraints: 5", &[][..]),
        ("type: string, default: hunter2, tags: 5", &[]),
        ("type: strings, default: hunter2", &[]),
        ("type: number, default: hunter2", &[]),
        (
            "type: comma_delimited_list, default: 'a,hunter2', constraints: [{length: {max: 1}}]",
            &[],
        ),
        (
            "type: comma_delimited_list, default: 'a,hunter2', constraints: [{allowed_values: [a]}]",
            &[],
        ),
        (
            "type: string, default: 'a.-hunter2.', constraints: [{custom_constraint: dns_name}]",
            &[],
        ),
        ("type: number, default: 1, immutable: true", &["--previous", "old.yaml"]),
    ] {
        let text = format!("parameters:\n  p: {{hidden: true, {schema}}}");
        home.write("t.yaml", &format!("heat_template_version: rocky\n{text}\n"));
        let output = run(&home, "hot", &[&["t.yaml"], arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("error"), "{text}\n{said}");
        assert!(!said.contains(SECRET), "{text}\n{said}");
    }
}

/// Returns the output and the messages of an evaluation.
fn evaluate(home: &Home, arguments: &[&str]) -> String {
    let output = run(home, "eval", arguments);
    [output.stdout, output.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat()
}

fn run(home: &Home, name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
    command.current_dir(home.path()).arg(name).args(arguments).output().unwrap()
}
