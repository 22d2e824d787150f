//! `cargo bench`: figures of whole processes on large inputs, as ratios within one run,
//! because machines differ and are noisy. Prints a table, writes it as Markdown with a plot
//! to `target/bench/`, and never fails.

#![allow(clippy::print_stdout)]

mod bench;
mod cost;
mod instructions;
mod peer;
mod plot;
mod report;

use std::path::Path;
use std::time::Instant;
use std::{fs, hint};

use interpolate_fixtures::manifest;
use saphyr_parser::Parser;

use bench::{Bench, RUNS};
use cost::Cost;
use peer::PEERS;
use plot::Line;
use report::Report;

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the inputs");
    let bench = Bench { folder: folder.path() };
    let mut report = Report::default();
    report.table(["work", "ratio", "goal", "processor time and peak memory"]);
    start(&bench, &mut report);
    large(&bench, &mut report);
    directives(&bench, &mut report);
    evaluation(&bench, &mut report);
    many_files(&bench, &mut report);
    growth(&bench, &mut report);
    peers(&bench, &mut report);
    let plot = plot(&bench);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("bench");
    let written = fs::create_dir_all(&target)
        .and_then(|()| fs::write(target.join("table.md"), report.markdown()))
        .and_then(|()| fs::write(target.join("cost.svg"), plot));
    match written {
        Ok(()) => println!("\nwritten: {0}/table.md, {0}/cost.svg", target.display()),
        Err(error) => println!("\nnot written: {}: {error}", target.display()),
    }
}

/// The start of the program.
fn start(bench: &Bench, report: &mut Report) {
    match instructions::tiny(bench) {
        Some((ours, hello)) => {
            let detail = format!("{ours} : {hello} instructions");
            let work = "a tiny file and one op against printing a line";
            report.row(work, ours as f64 / hello as f64, "≤ 3", &detail);
        }
        None => println!("skipped: instructions are counted by valgrind"),
    }
}

/// Ten megabytes: read, patched by name, printed as bosh does, filled in.
fn large(bench: &Bench, report: &mut Report) {
    let text = manifest::manifest(10_000_000);
    bench.file("base.yml", &text);
    bench.ops("name", 1000, by_name, "7");
    let read = bench.ours(&["base.yml"]);
    let with = bench.ours(&["base.yml", "-o", "name-1000.yml"]);
    let events = fastest(|| Parser::new_from_str(&text).filter(Result::is_ok).count());
    let work = "read and print 10 MB against the events of saphyr-parser";
    report.compare(work, &read, &events, "≤ 1");
    if let Some(parse) = PEERS[0].measure(bench, "base.yml") {
        report.compare("read and print 10 MB against rapidyaml", &read, &parse, "≤ 0.10");
        let work = "the same with 1,000 ops by name against rapidyaml";
        report.compare(work, &with, &parse, "≤ 0.12");
    }
    report.compare("1,000 ops by name against none", &with, &read, "≤ 1.2");
    if let Some(peak) = with.peak {
        let detail = format!("{:.0} MB", peak as f64 / 1e6);
        let ratio = peak as f64 / text.len() as f64;
        report.row(
            "peak memory with 1,000 ops against the input",
            ratio,
            "≤ 3.5",
            &detail,
        );
    }
    let bosh = bench.ours(&["base.yml", "-o", "name-1000.yml", "--format", "bosh"]);
    report.compare("`--format bosh` against the own format", &bosh, &with, "≤ 4");
    let (uses, values) = manifest::variables(10_000_000);
    bench.file("uses.yml", &uses);
    bench.file("values.yml", &values);
    let filled = bench.ours(&["uses.yml", "-l", "values.yml"]);
    let alone = bench.ours(&["uses.yml"]);
    report.compare("200 variables used 10,000 times", &filled, &alone, "≤ 2");
}

/// Directives: expanded, and restored by a save.
fn directives(bench: &Bench, report: &mut Report) {
    let (with, without) = manifest::directives(840_000);
    bench.file("with.yml", &with);
    bench.file("without.yml", &without);
    let (with, without) = (bench.ours(&["with.yml"]), bench.ours(&["without.yml"]));
    report.compare("1,000 directives in 0.8 MB against none", &with, &without, "≤ 3");
    let (text, edited) = manifest::edited();
    bench.file("source.yml", &text);
    bench.file("edited.yml", &edited);
    let alone = bench.ours(&["source.yml", "--no-directives"]);
    let saved = bench.ours(&["save", "source.yml", "edited.yml"]);
    let work = "save of 1.1 MB with 1,000 directives against reading it";
    report.compare(work, &saved, &alone, "≤ 10");
}

/// Templates, expressions and Heat.
fn evaluation(bench: &Bench, report: &mut Report) {
    bench.file("template.yml", &manifest::template(937_000));
    let alone = bench.ours(&["template.yml", "--schema", "yaml-1.1"]);
    let made = bench.ours(&["hot", "template.yml"]);
    report.compare("a Heat template of 0.9 MB against reading it", &made, &alone, "≤ 6");
    bench.file("templates.yml", &manifest::templates(10_000));
    let alone = bench.ours(&["templates.yml"]);
    let made = bench.ours(&["templates.yml", "--eval"]);
    report.compare("10,000 templates against reading them", &made, &alone, "≤ 20");
    let list = |template: &dyn Fn(usize) -> String| -> String {
        let line = |i| format!("  k{i}: \"{}\"\n", template(i));
        (0..20_000)
            .map(line)
            .fold("port: 80\nmade:\n".to_owned(), |all, line| all + &line)
    };
    let statement =
        |i| format!("{{% if port > {i} %}}low{{% else %}}high {i}{{% endif %}}");
    let expression = |i| format!("{{{{ 'low' if port > {i} else 'high {i}' }}}}");
    bench.file("statements.yml", &list(&statement));
    bench.file("ternaries.yml", &list(&expression));
    let statements = bench.ours(&["statements.yml", "--eval"]);
    let ternaries = bench.ours(&["ternaries.yml", "--eval"]);
    let work = "20,000 templates with a statement against expressions";
    report.compare(work, &statements, &ternaries, "≤ 1.3");
    bench.file("one.yml", &manifest::expressions(1_000_000));
    let (alone, made) = (bench.ours(&["one.yml"]), bench.ours(&["one.yml", "--eval"]));
    report.compare("1,000 expressions in 1 MB against none", &made, &alone, "≤ 5");
}

/// A thousand files in one process, against a process each.
fn many_files(bench: &Bench, report: &mut Report) {
    let text = manifest::manifest(10_000_000);
    let text: String = text.lines().take(250).map(|line| format!("{line}\n")).collect();
    let names: Vec<String> = (0..1000).map(|i| format!("file-{i}.yml")).collect();
    for name in &names {
        bench.file(name, &text);
    }
    let wall = |run: &dyn Fn()| {
        let start = Instant::now();
        run();
        Cost { cpu: start.elapsed(), peak: None }
    };
    let ours = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_interpolate"));
        let done = command.args(words).current_dir(bench.folder).status();
        assert!(done.is_ok_and(|status| status.success()));
    };
    let each =
        wall(&|| names.iter().for_each(|name| ours(&[name, "--set", "name=a", "-i"])));
    let one = wall(&|| {
        let names = names.iter().map(String::as_str);
        let words: Vec<&str> = names.chain(["--set", "name=b", "-i"]).collect();
        ours(&words);
    });
    let work = "1,000 files with -i in one process against one each (wall)";
    report.compare(work, &one, &each, "≤ 0.2");
}

/// Twice or ten times as much.
fn growth(bench: &Bench, report: &mut Report) {
    let text = manifest::manifest(10_000_000);
    bench.file("base.yml", &text);
    let small = bench.ours(&["base.yml"]);
    bench.file("big.yml", &manifest::manifest(200_000_000));
    let big = bench.ours(&["big.yml"]);
    report.compare("200 MB against 10 MB", &big, &small, "≤ 21");
    let by_index = |group| format!("/instance_groups/{group}/instances");
    let before = |group| format!("/instance_groups/name=ig-{group:05}:before");
    grow_ops(bench, report, "by name", by_name, "7");
    grow_ops(bench, report, "by index", by_index, "7");
    let new = "{name: new, instances: 1}";
    grow_ops(bench, report, ":before into one list", before, new);
    grow_save(bench, report, "keys that go", |i, kept| {
        if kept || i % 2 == 0 { format!("k{i}: {i}\n") } else { String::new() }
    });
    grow_save(bench, report, "keys that are renamed", |i, kept| {
        if kept { format!("k{i}: [{i}]\n") } else { format!("n{i}: [{i}]\n") }
    });
    grow_save(bench, report, "sources that are renamed", |i, kept| {
        if kept {
            format!("b{i}: {{a: {i}}}\nu{i}:\n  +/b{i}:\n")
        } else {
            format!("c{i}: {{a: {i}}}\nu{i}: {{a: {i}}}\n")
        }
    });
}

/// Compares 10,000 ops with 1,000 of the same kind.
fn grow_ops(
    bench: &Bench,
    report: &mut Report,
    what: &str,
    path: impl Fn(usize) -> String,
    value: &str,
) {
    bench.ops("ops", 1000, &path, value);
    bench.ops("ops", 10_000, &path, value);
    let few = bench.ours(&["base.yml", "-o", "ops-1000.yml"]);
    let many = bench.ours(&["base.yml", "-o", "ops-10000.yml"]);
    report.compare(&format!("10,000 ops {what} against 1,000"), &many, &few, "≤ 1.4");
}

/// Compares saving 20,000 entries with 10,000 of the same kind. `entry` gets the number of
/// the entry, and true for the source.
fn grow_save(
    bench: &Bench,
    report: &mut Report,
    what: &str,
    entry: impl Fn(usize, bool) -> String,
) {
    let save = |count: usize| {
        let text = |kept| -> String { (0..count).map(|i| entry(i, kept)).collect() };
        bench.file("source.yml", &text(true));
        bench.file("edited.yml", &text(false));
        bench.ours(&["save", "source.yml", "edited.yml"])
    };
    let (few, many) = (save(10_000), save(20_000));
    report.compare(&format!("saving 20,000 {what} against 10,000"), &many, &few, "≤ 3");
}

/// Other programs, on one megabyte: some of them take seconds for it.
fn peers(bench: &Bench, report: &mut Report) {
    bench.file("one-mb.yml", &manifest::manifest(1_000_000));
    let ours = bench.ours(&["one-mb.yml"]);
    report.table(["read and print 1 MB", "× ours", "", "processor time and peak memory"]);
    for peer in &PEERS {
        match peer.measure(bench, "one-mb.yml") {
            Some(cost) => report.compare(peer.name, &cost, &ours, ""),
            None => println!("{:<58} not on this machine", peer.name),
        }
    }
}

/// Plots reading and printing against the size of the file.
fn plot(bench: &Bench) -> String {
    let sizes = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    let (mut ours, mut events, mut others) = (Vec::new(), Vec::new(), Vec::new());
    others.extend(PEERS.iter().map(|peer| (peer, Vec::new())));
    for size in sizes {
        let text = manifest::manifest_of(size);
        bench.file("sized.yml", &text);
        let size = text.len() as f64;
        let point = |cost: Cost| (size, cost.cpu.as_secs_f64().max(1e-4));
        ours.push(point(bench.ours(&["sized.yml"])));
        let read = || Parser::new_from_str(&text).filter(Result::is_ok).count();
        events.push(point(fastest(read)));
        for (peer, points) in &mut others {
            // The slowest take a second for a megabyte.
            if size < 2e6 {
                points.extend(peer.measure(bench, "sized.yml").map(point));
            }
        }
    }
    let others = others.into_iter().map(|(peer, points)| (peer.name, points));
    let lines = [("interpolate", ours), ("saphyr-parser, events", events)];
    let lines = lines.into_iter().chain(others).filter(|(_, points)| !points.is_empty());
    let line = |(name, points): (&str, Vec<_>)| Line { name: name.to_owned(), points };
    let lines: Vec<Line> = lines.map(line).collect();
    plot::svg("Processor time to read and print a file", &lines)
}

fn by_name(group: usize) -> String {
    format!("/instance_groups/name=ig-{group:05}/instances")
}

/// Returns the cost of the fastest of several calls.
fn fastest<T>(call: impl Fn() -> T) -> Cost {
    let run = || {
        let start = Instant::now();
        hint::black_box(call());
        start.elapsed()
    };
    let cpu = (0..RUNS).map(|_| run()).min().unwrap_or_default();
    Cost { cpu, peak: None }
}
