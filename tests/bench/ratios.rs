//! `cargo bench`: whole-process figures of `interpolate` on large inputs, as ratios
//! within one run, because machines differ and are noisy. Prints a table and never fails.

#![allow(clippy::print_stdout)]

mod manifest;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, hint};

use saphyr_parser::Parser;
use wait4::Wait4;

/// Number of runs of each command; the fastest counts, because noise only adds time.
const RUNS: usize = 9;

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the inputs");
    let bench = Bench { folder: folder.path() };
    let size = 10_000_000;
    let text = manifest::manifest(size);
    let base = bench.file("base.yml", &text);
    let read = bench.measure(&[&base]);
    println!("interpolate FILE, {} bytes: {read}", text.len());

    let events = fastest(|| {
        let start = Instant::now();
        hint::black_box(Parser::new_from_str(&text).filter(Result::is_ok).count());
        start.elapsed()
    });
    bench.compare("against the events of saphyr-parser", read.cpu, events, 1.0);
    let memory = read.peak as f64 / text.len() as f64;
    println!(
        "{:<52} {memory:>6.2}   at most {:.1}",
        "peak memory against the input", 8.0
    );

    let name = |group| format!("/instance_groups/name=ig-{group:05}/instances");
    let thousand = bench.ops("name", 1000, name, "7");
    let with = bench.measure(&[&base, &thousand]);
    bench.compare("1,000 ops by name against none", with.cpu, read.cpu, 1.5);
    let memory = with.peak as f64 / text.len() as f64;
    println!("{:<52} {memory:>6.2}   at most {:.1}", "peak memory with 1,000 ops", 8.0);

    let (variables, values) = manifest::variables(size);
    let uses = bench.file("uses.yml", &variables);
    let values = bench.file("values.yml", &values);
    let alone = bench.measure(&[&uses]);
    let filled = bench.fill(&uses, &values);
    bench.compare("200 variables used 10,000 times", filled.cpu, alone.cpu, 2.0);

    let (with, without) = manifest::directives(1_000_000);
    let with = bench.measure(&[&bench.file("with.yml", &with)]);
    let without = bench.measure(&[&bench.file("without.yml", &without)]);
    bench.compare("1,000 directives in 1 MB against none", with.cpu, without.cpu, 10.0);

    let (text, edited) = manifest::edited();
    let source = bench.file("source.yml", &text);
    let edited = bench.file("edited.yml", &edited);
    let alone = bench.measure(&[&source]);
    let saved = bench.run(|command| {
        command.arg("save").arg(&source).arg(&edited);
    });
    let what = format!("saving {} bytes with 1,000 directives", text.len());
    bench.compare(&what, saved.cpu, alone.cpu, 10.0);

    let text = manifest::template(937_000);
    let template = bench.file("template.yml", &text);
    let alone = bench.run(|command| {
        command.arg(&template).args(["--schema", "yaml-1.1"]);
    });
    let resolved = bench.run(|command| {
        command.arg("hot").arg(&template);
    });
    let what = format!("a Heat template of {} bytes", text.len());
    bench.compare(&what, resolved.cpu, alone.cpu, 10.0);

    bench.grow_save("keys that go", |i, kept| {
        if kept || i % 2 == 0 { format!("k{i}: {i}\n") } else { String::new() }
    });
    bench.grow_save("keys that are renamed", |i, kept| {
        if kept { format!("k{i}: [{i}]\n") } else { format!("n{i}: [{i}]\n") }
    });
    bench.grow_save("sources that are renamed", |i, kept| {
        if kept {
            format!("b{i}: {{a: {i}}}\nu{i}:\n  +/b{i}:\n")
        } else {
            format!("c{i}: {{a: {i}}}\nu{i}: {{a: {i}}}\n")
        }
    });
    bench.evaluate();
    bench.grow("by name", &base, name, "7");
    bench.grow(
        "by index",
        &base,
        |group| format!("/instance_groups/{group}/instances"),
        "7",
    );
    let before = |group| format!("/instance_groups/name=ig-{group:05}:before");
    bench.grow(":before into one list", &base, before, "{name: new, instances: 1}");
}

/// The cost of one process.
#[derive(Clone, Copy)]
struct Run {
    cpu: Duration,
    /// Peak memory in bytes.
    peak: u64,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (ms, mb) = (self.cpu.as_secs_f64() * 1e3, self.peak as f64 / 1e6);
        write!(f, "{ms:.1} ms of processor time, {mb:.0} MB at the peak")
    }
}

struct Bench<'a> {
    folder: &'a Path,
}

impl Bench<'_> {
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.join(name);
        fs::write(&path, text).expect("inputs can be written");
        path
    }

    fn ops(
        &self,
        name: &str,
        count: usize,
        path: impl Fn(usize) -> String,
        value: &str,
    ) -> PathBuf {
        self.file(&format!("{name}-{count}.yml"), &manifest::ops(count, path, value))
    }

    /// Runs `interpolate BASE [-o OPS]` and discards the output.
    fn measure(&self, files: &[&Path]) -> Run {
        self.run(|command| {
            command.arg(files[0]);
            for ops in &files[1..] {
                command.arg("-o").arg(ops);
            }
        })
    }

    /// Runs `interpolate BASE -l VARS` and discards the output.
    fn fill(&self, base: &Path, values: &Path) -> Run {
        self.run(|command| {
            command.arg(base).arg("-l").arg(values);
        })
    }

    fn run(&self, arguments: impl Fn(&mut Command)) -> Run {
        let run = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
            arguments(command.stdout(Stdio::null()).stderr(Stdio::null()));
            let done = command.spawn().and_then(|child| child.wait4());
            let done = done.expect("the program runs");
            assert!(done.status.success(), "{command:?} failed");
            let used = done.rusage;
            Run { cpu: used.utime + used.stime, peak: used.maxrss }
        };
        (0..RUNS).map(|_| run()).min_by_key(|run| run.cpu).expect("RUNS is not 0")
    }

    /// Measures templates and expressions.
    fn evaluate(&self) {
        let templates = self.file("templates.yml", &manifest::templates(10_000));
        let (read, made) = (self.measure(&[&templates]), self.eval(&templates));
        self.compare("10,000 templates against reading them", made.cpu, read.cpu, 20.0);
        let one = self.file("one.yml", &manifest::expressions(1_000_000));
        let (read, made) = (self.measure(&[&one]), self.eval(&one));
        self.compare("1,000 expressions in 1 MB against none", made.cpu, read.cpu, 5.0);
        let two = self.file("two.yml", &manifest::expressions(2_000_000));
        self.compare(
            "1,000 expressions in 2 MB against 1 MB",
            self.eval(&two).cpu,
            made.cpu,
            2.5,
        );
    }

    /// Runs `interpolate BASE --eval` and discards the output.
    fn eval(&self, base: &Path) -> Run {
        self.run(|command| {
            command.arg(base).arg("--eval");
        })
    }

    /// Compares 10,000 ops with 1,000 of the same kind.
    fn grow(&self, what: &str, base: &Path, path: impl Fn(usize) -> String, value: &str) {
        let few = self.ops("ops", 1000, &path, value);
        let many = self.ops("ops", 10_000, &path, value);
        let few = self.measure(&[base, &few]);
        let many = self.measure(&[base, &many]);
        self.compare(&format!("10,000 ops {what} against 1,000"), many.cpu, few.cpu, 2.0);
    }

    /// Compares saving 20,000 entries with 10,000 of the same kind. `entry` gets the
    /// number of the entry, and true for the source.
    fn grow_save(&self, what: &str, entry: impl Fn(usize, bool) -> String) {
        let text = |count: usize, kept| (0..count).map(|i| entry(i, kept)).collect();
        let save = |count: usize| {
            let text = |kept| -> String { text(count, kept) };
            let source = self.file("source.yml", &text(true));
            let edited = self.file("edited.yml", &text(false));
            self.run(|command| {
                command.arg("save").arg(&source).arg(&edited);
            })
        };
        let (few, many) = (save(10_000), save(20_000));
        let what = format!("saving 20,000 {what} against 10,000");
        self.compare(&what, many.cpu, few.cpu, 3.0);
    }

    fn compare(&self, what: &str, a: Duration, b: Duration, most: f64) {
        let ratio = a.as_secs_f64() / b.as_secs_f64();
        let (a, b) = (a.as_secs_f64() * 1e3, b.as_secs_f64() * 1e3);
        println!("{what:<52} {ratio:>6.2}   at most {most:.1}   ({a:.1} ms : {b:.1} ms)");
    }
}

fn fastest(run: impl Fn() -> Duration) -> Duration {
    (0..RUNS).map(|_| run()).min().unwrap_or_default()
}
