//! Runs `interpolate save` on the cases of fixtures/save, an archive each: `source.yml`
//! with its includes, `edited.yml`, and `options` if there are any. The expected results
//! are `out.yml` and the messages in `note.txt`; a refused save has only the latter.
//! `BLESS=1` rewrites both. In every case the result must expand to the edited document,
//! and saving the unchanged expansion must give the source.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use interpolate_fixtures::archive::Archive;

/// Checks a case.
pub(crate) fn check(mut case: Archive) -> Result<(), String> {
    let name = case.name();
    let all: Vec<String> =
        case.text("options").split_whitespace().map(str::to_owned).collect();
    let all: Vec<&str> = all.iter().map(|option| &**option).collect();
    let of_save = |option: &str| {
        option.starts_with("--comments")
            || ["--explain-save", "--accept-code"].contains(&option)
    };
    let options = all.iter().copied().filter(|option| !of_save(option));
    let options: Vec<&str> = options.collect();
    let home = home(&case);
    let saved = save(home.path(), &all);
    let said = String::from_utf8(saved.stderr).unwrap();
    let out = saved.status.success().then(|| String::from_utf8(saved.stdout).unwrap());
    case.expect("note.txt", Some(said.as_bytes()).filter(|said| !said.is_empty()))?;
    case.expect("out.yml", out.as_ref().map(String::as_bytes))?;
    if let Some(out) = out {
        // The edited document is data: its keys are never read as directives.
        let plain = [&options[..], &["--no-directives"]].concat();
        let wanted = json(home.path(), "edited.yml", &plain);
        if expand(&case, &out, &options) != wanted {
            return Err(format!("{name}: what was saved is not what was given:\n{out}"));
        }
    }
    let expansion = run(home.path(), &[&["source.yml"][..], &options].concat());
    fs::write(home.path().join("edited.yml"), expansion.stdout).unwrap();
    let back = save(home.path(), &options).stdout;
    if back != case.bytes("source.yml").unwrap() {
        let back = String::from_utf8(back).unwrap();
        return Err(format!("{name}: the source does not come back:\n{back}"));
    }
    Ok(())
}

/// Creates a folder with the inputs of a case.
fn home(case: &Archive) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    case.extract(home.path(), |name| !["out.yml", "note.txt", "options"].contains(&name));
    home
}

/// Returns the data of a saved document.
fn expand(case: &Archive, out: &str, options: &[&str]) -> serde_json::Value {
    let home = home(case);
    fs::write(home.path().join("source.yml"), out).unwrap();
    json(home.path(), "source.yml", options)
}

fn json(home: &Path, file: &str, options: &[&str]) -> serde_json::Value {
    let run = run(home, &[&["--format", "json", file][..], options].concat());
    let text = String::from_utf8(run.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| {
        serde_json::Value::String(String::from_utf8_lossy(&run.stderr).into_owned())
    })
}

fn save(home: &Path, options: &[&str]) -> Output {
    run(home, &[&["save", "source.yml", "edited.yml"][..], options].concat())
}

fn run(home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(arguments)
        .current_dir(home)
        .env_remove("NO_COLOR")
        .output()
        .unwrap()
}
