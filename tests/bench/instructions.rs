//! Instructions of a process, counted by valgrind where it is at hand.

use std::path::Path;
use std::process::Command;

use crate::bench::Bench;

/// Returns the number of instructions of `interpolate` on a tiny file and of a program
/// that prints one line; `None` without valgrind or rustc.
pub(crate) fn tiny(bench: &Bench) -> Option<(u64, u64)> {
    bench.file("tiny.yml", "name: web\ninstances: 2\n");
    bench.file("tiny-ops.yml", "- {type: replace, path: /instances, value: 3}\n");
    bench.file("hello.rs", "fn main() {\n    println!(\"hello\");\n}\n");
    let options = ["-O", "-C", "panic=abort", "-C", "strip=symbols", "hello.rs"];
    let built = Command::new("rustc").args(options).current_dir(bench.folder).status();
    built.ok().filter(std::process::ExitStatus::success)?;
    let ours = env!("CARGO_BIN_EXE_interpolate");
    let ours = count(bench, Path::new(ours), &["tiny.yml", "-o", "tiny-ops.yml"])?;
    Some((ours, count(bench, &bench.folder.join("hello"), &[])?))
}

fn count(bench: &Bench, program: &Path, words: &[&str]) -> Option<u64> {
    let tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
    let mut command = Command::new("valgrind");
    let command = command.args(tool).arg(program).args(words).current_dir(bench.folder);
    let told = command.output().ok()?.stderr;
    let told = String::from_utf8_lossy(&told);
    let (_, number) = told.split_once("Collected : ")?;
    number.split_whitespace().next()?.parse().ok()
}
