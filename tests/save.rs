//! Runs `interpolate save` on the cases of fixtures/save, a folder each: `source.yml`
//! with its includes, `edited.yml`, and `options` if there are any. The expected results
//! are `out.yml` and the messages in `note.txt`; a refused save has only the latter.
//! `BLESS=1` rewrites both. In every case the result must expand to the edited document,
//! and saving the unchanged expansion must give the source.

#![allow(clippy::unwrap_used)]

#[path = "bench/manifest.rs"]
#[allow(dead_code)]
mod manifest;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/save");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let failed: Vec<String> = cases.iter().filter_map(|case| check(case).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// A save changes the lines of the edit and no other lines.
#[test]
fn large() {
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

fn check(case: &Path) -> Result<(), String> {
    let name = case.file_name().unwrap().to_string_lossy();
    let options = fs::read_to_string(case.join("options")).unwrap_or_default();
    let all: Vec<&str> = options.split_whitespace().collect();
    let options = all.iter().copied().filter(|option| *option != "--explain-save");
    let options: Vec<&str> = options.collect();
    let saved = run(case, &[&["save", "source.yml", "edited.yml"][..], &all].concat());
    let said = String::from_utf8(saved.stderr).unwrap();
    let out = saved.status.success().then(|| String::from_utf8(saved.stdout).unwrap());
    compare(&case.join("note.txt"), Some(&said).filter(|said| !said.is_empty()))
        .and_then(|()| compare(&case.join("out.yml"), out.as_ref()))
        .map_err(|why| format!("{name}: {why}"))?;
    if let Some(out) = out {
        let wanted = json(case, "edited.yml", &plain(&options));
        if expand(case, &out, &options) != wanted {
            return Err(format!("{name}: what was saved is not what was given:\n{out}"));
        }
    }
    let expansion = run(case, &[&["source.yml"][..], &options].concat());
    let back = with(case, "edited.yml", &expansion.stdout, |case| {
        run(case, &[&["save", "source.yml", "edited.yml"][..], &options].concat()).stdout
    });
    if back != fs::read(case.join("source.yml")).unwrap() {
        let back = String::from_utf8(back).unwrap();
        return Err(format!("{name}: the source does not come back:\n{back}"));
    }
    Ok(())
}

/// The edited document is data: its keys are never read as directives.
fn plain<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [options, &["--no-directives"]].concat()
}

fn compare(file: &Path, text: Option<&String>) -> Result<(), String> {
    if std::env::var_os("BLESS").is_some() {
        match text {
            Some(text) => fs::write(file, text).unwrap(),
            None => drop(fs::remove_file(file)),
        }
    }
    let wanted = fs::read_to_string(file).ok();
    if wanted.as_ref() == text {
        Ok(())
    } else {
        Err(format!("{}\nwanted {wanted:?}\ngot {text:?}", file.display()))
    }
}

fn expand(case: &Path, out: &str, options: &[&str]) -> serde_json::Value {
    with(case, "source.yml", out.as_bytes(), |case| json(case, "source.yml", options))
}

fn json(case: &Path, file: &str, options: &[&str]) -> serde_json::Value {
    let run = run(case, &[&["--format", "json", file][..], options].concat());
    let text = String::from_utf8(run.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| {
        serde_json::Value::String(String::from_utf8_lossy(&run.stderr).into_owned())
    })
}

/// Runs an action in a copy of a case in which one file is replaced.
fn with<T>(case: &Path, file: &str, text: &[u8], what: impl Fn(&Path) -> T) -> T {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(case).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    fs::write(copy.path().join(file), text).unwrap();
    what(copy.path())
}

fn run(case: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(arguments)
        .current_dir(case)
        .env_remove("NO_COLOR")
        .output()
        .unwrap()
}
