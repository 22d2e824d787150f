//! Runs the cases of `fixtures/` and the recipes of `ops/`. Each file is a test, which is
//! named after its area and itself: `cargo cases cli::anchors` runs one, `cargo cases save::`
//! those of an area. `BLESS=1` rewrites the expected results.
//! `YAML_EVENTS=FILE` runs the cases of a test suite of YAML, too.

#![allow(clippy::unwrap_used)]

mod cli;
mod diff;
mod eval;
mod hot;
mod hot_function;
mod merge;
mod museum;
mod patch;
mod print;
mod save;
mod yaml;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use interpolate_fixtures::archive::{Archive, files, folders};
use libtest_mimic::{Arguments, Failed, Trial};

/// A kind of cases, with what checks one of its files. `Err` tells how a result differs.
#[derive(Clone, Copy)]
enum Check {
    /// Each archive of a folder of `fixtures/` is a case.
    Archive(fn(Archive) -> Result<(), String>),
    /// Each folder of a folder of the project is a case.
    Folder(fn(Archive) -> Result<(), String>),
    /// A text file of a folder of `fixtures/` is a table of cases.
    Table(fn(&Path) -> Result<(), String>),
}

/// The areas: name, folder, and how their cases are checked.
const AREAS: [(&str, &str, Check); 14] = [
    ("cli", "cli", Check::Archive(cli::check)),
    ("cookbook", "ops", Check::Folder(cli::check_recipe)),
    ("diff", "diff", Check::Archive(diff::check)),
    ("eval", "eval", Check::Table(eval::check)),
    ("hot", "hot", Check::Table(hot::check)),
    ("hot-function", "hot-function", Check::Table(hot_function::check)),
    (
        "hot-specification",
        "hot-specification",
        Check::Archive(hot_function::check_template),
    ),
    ("merge", "merge", Check::Archive(merge::check)),
    ("museum", "museum", Check::Archive(museum::check)),
    ("patch", "patch", Check::Archive(patch::check)),
    ("print::go", "print/go", Check::Archive(print::check_go)),
    ("print::json", "print/json", Check::Archive(print::check_json)),
    ("save", "save", Check::Archive(save::check)),
    ("yaml", "yaml", Check::Archive(yaml::check)),
];

fn main() -> ExitCode {
    let tests = AREAS.into_iter().flat_map(|(area, folder, check)| {
        let paths = check.paths(folder).into_iter();
        paths.map(move |path| Trial::test(name(area, &path), move || check.run(path)))
    });
    let others = std::env::var_os("YAML_EVENTS").map(|path| {
        Trial::test("yaml::YAML_EVENTS", move || Ok(yaml::check_lines(path.as_ref())?))
    });
    let tests = tests.chain(others).collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

fn name(area: &str, path: &Path) -> String {
    format!("{area}::{}", path.file_stem().unwrap().display())
}

impl Check {
    fn paths(self, folder: &str) -> Vec<PathBuf> {
        match self {
            Check::Archive(_) => files(folder, "txtar"),
            Check::Folder(_) => folders(folder),
            Check::Table(_) => files(folder, "txt"),
        }
    }

    fn run(self, path: PathBuf) -> Result<(), Failed> {
        let checked = match self {
            Check::Archive(check) | Check::Folder(check) => check(Archive::open(path)),
            Check::Table(check) => check(&path),
        };
        Ok(checked?)
    }
}
