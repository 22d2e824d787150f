//! Small inputs that stand for exponentially much: each run ends within a bound on memory. In
//! one that does not, the system refuses memory, and the program is aborted.

use std::fs;
use std::process::{Command, Output};

/// The memory that a run may have, in KiB of address space: the programs of the tests are not
/// optimised, and take more than those that are published.
const MEMORY: u32 = 1 << 20;

/// Files of a run.
struct Home(tempfile::TempDir);

impl Home {
    fn new(files: &[(&str, &str)]) -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        for (name, text) in files {
            fs::write(home.0.path().join(name), text).unwrap();
        }
        home
    }

    /// Runs a command line, whose words are set off by blanks.
    fn run(&self, arguments: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_interpolate");
        let bounded = format!("ulimit -v {MEMORY} && exec {program} {arguments}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &bounded]).current_dir(self.0.path()).output().unwrap()
    }
}

/// Returns a document in which each of `levels` mappings has two aliases of the one before.
fn nested(levels: usize, value: u32) -> String {
    let level = |i: usize| format!("a{i}: &a{i} {{l: *a{0}, r: *a{0}}}\n", i - 1);
    let levels: String = (1..=levels).map(level).collect();
    format!("a0: &a0 {{l: {value}, r: 1}}\n{levels}")
}

#[test]
fn a_diff_writes_out_few_aliases() {
    let home = Home::new(&[("old.yml", &nested(160, 1)), ("new.yml", &nested(160, 2))]);
    let output = home.run("diff old.yml new.yml");
    assert!(output.status.success());
    assert!(output.stdout.len() < 20_000);
}

#[test]
fn a_save_tells_few_of_the_changes_of_aliases() {
    let home = Home::new(&[("old.yml", &nested(40, 1)), ("new.yml", &nested(40, 2))]);
    let output = home.run("save old.yml new.yml --explain-save");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), nested(40, 2));
    assert_eq!(told.lines().count(), 1_001);
    assert!(told.lines().last().unwrap().starts_with("… and at least "));
}

#[test]
fn ops_copy_a_value_into_itself() {
    let copy = |i| format!("- {{type: copy, from: /a, path: '/a/k{i}?'}}\n");
    let ops: String = (0..30).map(copy).collect();
    let copy = |i| format!(r#"{{"op": "copy", "from": "/a", "path": "/a/k{i}"}}"#);
    let patch: Vec<String> = (0..30).map(copy).collect();
    let patch = format!("[{}]", patch.join(", "));
    let home = Home::new(&[
        ("base.yml", "a: {x: 1}\n"),
        ("ops.yml", &ops),
        ("patch.json", &patch),
    ]);
    let jobs = ["", "--check", "--diff", "--format json"];
    let jobs = jobs.map(|options| format!("base.yml {options}"));
    let others = ["plan", "explain", "check"].map(|name| format!("{name} base.yml"));
    for job in jobs.iter().chain(&others) {
        for patch in ["ops.yml", "patch.json"] {
            let output = home.run(&format!("{job} -o {patch}"));
            let told = [output.stdout, output.stderr].concat();
            let told = String::from_utf8(told).unwrap();
            assert!(told.contains("the ops copy more than"), "{job}");
        }
    }
}

#[test]
fn histories_of_many_places_are_counted() {
    let copy = |i| format!("- {{type: copy, from: /a, path: '/a/k{i}?'}}\n");
    let ops: String = (0..17).map(copy).collect();
    let home = Home::new(&[("base.yml", "a: {x: 1}\n"), ("ops.yml", &ops)]);
    let output = home.run("explain base.yml -o ops.yml --limit expansion=64000000");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("the histories of all its places"), "{told}");
}

#[test]
fn a_value_is_put_at_all_places_again_and_again() {
    let double = "- {type: replace, path: \"$..[?@ == 1]\", value: {x: 1, y: 1}}\n";
    let home = Home::new(&[("base.yml", "a: 1\n"), ("ops.yml", &double.repeat(30))]);
    let output = home.run("base.yml -o ops.yml");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("the ops copy more than"), "{told}");
}

#[test]
fn ops_combine_aliases_of_aliases() {
    let home = Home::new(&[("base.yml", &nested(40, 1)), ("patch.yml", &nested(40, 2))]);
    for job in ["base.yml", "plan base.yml", "explain base.yml", "check base.yml"] {
        let output =
            home.run(&format!("{job} --merge patch.yml --limit expansion=2000000"));
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8(told).unwrap();
        assert!(told.contains("the ops combine more than 16384 values"), "{job}: {told}");
    }
}

#[test]
fn what_a_query_selects_counts_in_bytes() {
    let deep = format!("{}1{}\n", "{a: ".repeat(900), "}".repeat(900));
    let home = Home::new(&[("deep.yml", &deep)]);
    for job in ["deep.yml --path", "deep.yml --paths", "explain deep.yml"] {
        for query in ["$..*..*", "$..a..a"] {
            let output = home.run(&format!("{job} '{query}' --limit expansion=20000000"));
            let told = String::from_utf8(output.stderr).unwrap();
            let message = "what the query selects takes more than 20000000 bytes";
            assert!(told.contains(message), "{job} {query}: {told}");
        }
    }
}
