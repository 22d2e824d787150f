//! Inputs that are far larger, or nest far deeper, than those of the cases.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use interpolate::unstable::eval::{
    self, Context, LanguageSettings, Session, Start, Value,
};
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::yaml::{self, Options};
use interpolate_fixtures::manifest;

/// A save changes the lines of the edit and no other lines.
#[test]
fn a_save_of_a_large_manifest() {
    let (source, edited) = manifest::edited();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("source.yml"), &source).unwrap();
    fs::write(folder.path().join("edited.yml"), &edited).unwrap();
    let saved = run(folder.path(), &["save", "source.yml", "edited.yml"]);
    let saved = String::from_utf8(saved.stdout).unwrap();
    let (mut lines, mut overrides) = (saved.lines(), 0);
    for line in source.lines() {
        let mut found = lines.next().unwrap();
        if found == "    host: h7.example" && line != found {
            (found, overrides) = (lines.next().unwrap(), overrides + 1);
        }
        let wanted = match line {
            "    host: h7.example" => "    host: h7.test",
            "    name: service-500 # own" => "    name: other # own",
            _ => line,
        };
        assert_eq!(found, wanted);
    }
    overrides += lines.filter(|line| *line == "    host: h7.example").count();
    assert_eq!(overrides, 10);
}

#[test]
fn deep_values_in_flow_style() {
    let home = tempfile::tempdir().unwrap();
    let deep = "[".repeat(30_000) + "2" + &"]".repeat(30_000);
    let written = "- ".repeat(30_000) + "2";
    let op = format!("- type: replace\n  path: /a/-\n  value:\n    {written}\n");
    fs::write(home.path().join("base.json"), "{\"a\": [1]}\n").unwrap();
    fs::write(home.path().join("ops.yml"), op).unwrap();
    let arguments = ["base.json", "-o", "ops.yml", "--limit", "depth=100000"];
    let output = run(home.path(), &arguments);
    let printed = String::from_utf8(output.stdout).unwrap();
    let wanted = format!("{{\"a\": [1, {deep}]}}\n");
    assert!(printed == wanted, "{}", String::from_utf8_lossy(&output.stderr));
}

/// Each search for an alias, a key or a moved item reads few of them: else these runs took hours.
#[test]
fn many_small_edits() {
    let home = tempfile::tempdir().unwrap();
    let count = 20_000;
    let write =
        |name: &str, text: String| fs::write(home.path().join(name), text).unwrap();
    let lines = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let anchors = lines(&|i| format!("a{i}: &a{i} {{x: 1}}\n"));
    write("anchors.yml", anchors + &lines(&|i| format!("b{i}: *a{i}\n")));
    let gone = lines(&|i| format!("- {{type: remove, path: /a{i}}}\n"));
    let edits = lines(&|i| format!("- {{type: replace, path: /b{i}/x, value: 2}}\n"));
    write("follow.yml", gone + &edits);
    write("keys.yml", lines(&|i| format!("{i}: 1\n")));
    write("more.yml", lines(&|i| format!("{}: 2\n", count + i)));
    write("names.yml", lines(&|i| format!("name{i}x: 1\n")));
    write(
        "near.yml",
        lines(&|i| format!("- {{type: replace, path: /name{i}y?, value: 2}}\n")),
    );
    let runs = [
        (&["anchors.yml", "-q", "--anchors", "follow", "-o", "follow.yml"][..], count),
        (&["keys.yml", "--merge", "more.yml"][..], 2 * count),
        (&["names.yml", "-o", "near.yml"][..], 2 * count),
    ];
    for (arguments, wanted) in runs {
        let output = run(home.path(), arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed.lines().count(), wanted);
        let last = printed.lines().last().unwrap();
        assert!(last.ends_with(['2', '}']), "{last}");
    }
}

/// Nested languages of any mixture fit on the stack.
#[test]
fn nesting_is_bounded() {
    let (mut names, count) = (String::new(), 6_000);
    for i in 0..count {
        let (open, close) = ("[".repeat(150), "]".repeat(150));
        names += &format!("v{i}: \"{{{{ {open}v{}{close} }}}}\"\n", i + 1);
    }
    names += &format!("v{count}: x\n");
    let mut sources = Sources::default();
    let file = sources.add("text", names);
    let document = yaml::read(&sources, file, &Options::default()).unwrap();
    let root = document.root();
    let document = eval::read(&Arc::new(document), root);
    let world = Arc::new(Memory::default());
    let mut context = Context::new(
        world,
        Allow::default(),
        "",
        eval::languages(&LanguageSettings::default()),
    );
    context.limits.depth = usize::MAX;
    let session = Session::new(context).document(document, Start::default());
    let found = session.evaluate(Some("jinja"), &Value::text("{{ v0 }}"));
    let message = found.map(drop).unwrap_err().message;
    assert!(message.contains("deeper than there is room for"), "{message}");
}

fn run(home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(arguments)
        .current_dir(home)
        .output()
        .unwrap()
}
