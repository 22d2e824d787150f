//! Faults while files are written: a file is the old one or the new one, whole, the error is
//! told, and nothing is left over. `FAULTS=2000` tries more moments; CONTRIBUTING.md has the
//! command.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use interpolate::unstable::compile::{self, Rules};
use interpolate::unstable::diagnostic::Diagnostics;
use interpolate::unstable::eval::{Context, LanguageSettings, languages};
use interpolate::unstable::source::{Allow, Moment, Os, Replacement, Sources, World};
use interpolate::unstable::yaml;

use crate::copied_program::copy_program;

const PROGRAM: &str = env!("CARGO_BIN_EXE_interpolate");

/// Returns the number of faults to try.
fn faults(few: usize) -> usize {
    std::env::var("FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// A folder with the files of a run.
struct Home(tempfile::TempDir);

impl Home {
    fn new(files: &[(&str, &str)]) -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        for (name, text) in files {
            fs::write(home.path(name), text).unwrap();
            let private = Permissions::from_mode(0o600);
            fs::set_permissions(home.path(name), private).unwrap();
        }
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn start(&self, arguments: &str) -> Child {
        self.command(PROGRAM).args(arguments.split(' ')).spawn().unwrap()
    }

    fn run(&self, arguments: &str) -> Output {
        self.start(arguments).wait_with_output().unwrap()
    }

    /// Runs a shell, in which `$0` is the program.
    fn shell(&self, script: &str) -> Output {
        self.command("sh").args(["-c", script, PROGRAM]).output().unwrap()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn files(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(self.0.path()).unwrap().map(Result::unwrap);
        let file = |it: fs::DirEntry| {
            Some((
                it.file_name().into_string().unwrap(),
                fs::read_to_string(it.path()).ok()?,
            ))
        };
        entries.filter_map(file).collect()
    }

    /// Returns the names of temporary files.
    fn left_over(&self) -> Vec<String> {
        self.files().into_keys().filter(|name| name.starts_with('.')).collect()
    }
}

/// A text that takes a moment to be written.
fn long(first: &str) -> String {
    let lines = (0..20_000).map(|i| format!("key{i}: a value of some length\n"));
    first.to_owned() + &lines.collect::<String>()
}

const SECRETS: &str =
    "variables: [{name: p, type: password}, {name: q, type: password}]\n";

/// The command lines that write, with the files that they begin with.
fn jobs() -> Vec<(Vec<(&'static str, String)>, &'static str)> {
    let base = || long("a: 1\n");
    vec![
        (vec![("base.yml", base())], "base.yml --set a=2 -i"),
        (
            vec![("base.yml", base()), ("out.yml", "old: 1\n".into())],
            "base.yml --set a=2 --output out.yml",
        ),
        (vec![("base.yml", long("a: 1\na: 1\n"))], "check base.yml --fix"),
        (
            vec![("1.yml", base()), ("2.yml", base()), ("3.yml", base())],
            "1.yml 2.yml 3.yml --set a=2 -i",
        ),
        (
            vec![("base.yml", format!("{SECRETS}{}", base())), ("s", "z: 1\n".into())],
            "base.yml --vars-store s --output out.yml",
        ),
    ]
}

/// Texts by names.
type Files = BTreeMap<String, String>;

/// Returns a home with the files of a job, what these are before and after a run, and the
/// time that it takes.
fn prepared(job: &[(&str, String)], arguments: &str) -> (Home, Files, Files, Duration) {
    let files: Vec<(&str, &str)> =
        job.iter().map(|(name, text)| (*name, &**text)).collect();
    let home = Home::new(&files);
    let before = home.files();
    let start = Instant::now();
    home.run(arguments);
    let took = start.elapsed();
    let after = without_secrets(arguments, home.0.path());
    (home, before, after, took)
}

/// Returns the files with the letters of passwords, which differ from run to run, as `x`.
fn without_secrets(arguments: &str, home: &Path) -> Files {
    let entries = fs::read_dir(home).unwrap().map(Result::unwrap);
    let hides = arguments.contains("--vars-store");
    let text = |it: &fs::DirEntry| {
        let text = fs::read_to_string(it.path()).unwrap_or_default();
        let hidden = text.lines().map(|line| match line.split_once(": ") {
            Some((name @ ("p" | "q"), value)) => {
                format!("{name}: {}\n", "x".repeat(value.len()))
            }
            _ => format!("{line}\n"),
        });
        if hides { hidden.collect() } else { text }
    };
    entries.map(|it| (it.file_name().into_string().unwrap(), text(&it))).collect()
}

fn shown(files: &Files) -> Files {
    let shown = files.iter().filter(|(name, _)| !name.starts_with('.'));
    shown.map(|(name, text)| (name.clone(), text.clone())).collect()
}

/// Kills a run at some moment. Each file is the old one or the new one, and the next run
/// finishes the job and leaves nothing over.
#[test]
#[expect(clippy::print_stdout, reason = "figures of a long run, with --nocapture")]
fn kills() {
    let all = faults(30).div_ceil(2);
    let jobs = jobs();
    let (mut moved, mut left) = (0, 0);
    for (number, (job, arguments)) in jobs.iter().enumerate() {
        let (home, before, after, took) = prepared(job, arguments);
        for i in (number..all).step_by(jobs.len()) {
            for name in home.files().keys().filter(|&name| !before.contains_key(name)) {
                fs::remove_file(home.path(name)).unwrap();
            }
            for (name, text) in &before {
                fs::write(home.path(name), text).unwrap();
            }
            let mut child = home.start(arguments);
            // Multiples of the golden ratio are spread evenly.
            thread::sleep(took.mul_f64((i as f64 * 0.618_034).fract() * 1.1));
            child.kill().unwrap();
            child.wait().unwrap();
            let found = without_secrets(arguments, home.0.path());
            left += found.len() - shown(&found).len();
            for (name, text) in shown(&found) {
                let is_old = before.get(&name) == Some(&text);
                let is_new = after.get(&name) == Some(&text);
                assert!(is_old || is_new, "{arguments}: {name} is neither old nor new");
                moved += usize::from(is_new && !is_old);
            }
            home.run(arguments);
            assert_eq!(without_secrets(arguments, home.0.path()), after, "{arguments}");
        }
    }
    println!("{all} kills: {moved} files were new, {left} were left over");
}

/// A run that waits with complete temporary files: the store's folder is locked.
struct Waiting {
    home: Home,
    child: Child,
    lock: File,
}

impl Waiting {
    fn new(before: &str) -> Waiting {
        let home = Home::new(&[("base.yml", SECRETS), ("out.yml", "old: 1\n")]);
        let lock = File::open(home.0.path()).unwrap();
        lock.lock().unwrap();
        let script =
            format!("{before} exec \"$0\" base.yml --vars-store s --output out.yml");
        let child = home.command("sh").args(["-c", &script, PROGRAM]).spawn().unwrap();
        while home.left_over().len() < 2 {
            thread::sleep(Duration::from_millis(5));
        }
        Waiting { home, child, lock }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Ends the run, and returns its status.
    fn end(self) -> (Home, ExitStatus) {
        let Waiting { home, mut child, lock } = self;
        let status = child.wait().unwrap();
        drop(lock);
        (home, status)
    }
}

#[test]
fn signals_leave_nothing_over() {
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        if is_ignored(number) {
            writeln!(io::stderr(), "skipped: the tests were told to ignore {name}").ok();
            continue;
        }
        let waiting = Waiting::new("");
        waiting.signal(name);
        let (home, status) = waiting.end();
        assert_eq!(status.signal(), Some(number));
        let left: Vec<String> = home.files().into_keys().collect();
        assert_eq!(left, ["base.yml", "out.yml"], "{name}");
        assert_eq!(home.files()["out.yml"], "old: 1\n");
    }
}

/// Returns true for a signal that this process ignores, as jobs in the background do, and so
/// all that it starts.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    mask >> (signal - 1) & 1 == 1
}

/// `nohup` ignores a signal, and so does the run.
#[test]
#[cfg(target_os = "linux")]
fn ignored_signals_end_nothing() {
    let waiting = Waiting::new("trap '' HUP;");
    waiting.signal("-HUP");
    thread::sleep(Duration::from_millis(100));
    assert_eq!(waiting.home.left_over().len(), 2);
    waiting.lock.unlock().unwrap();
    let (home, status) = waiting.end();
    assert_eq!(status.code(), Some(0));
    assert_eq!(home.left_over(), [""; 0]);
}

#[test]
fn the_next_run_removes_what_is_left_over() {
    let waiting = Waiting::new("");
    waiting.signal("-KILL");
    let (home, _) = waiting.end();
    assert_eq!(home.left_over().len(), 2);
    // Names of others, and files that are not the user's to remove.
    let name = |i: usize| format!(".interpolate-{i:016x}.tmp");
    fs::write(home.path(".interpolate-1.tmp"), "").unwrap();
    fs::create_dir(home.path(&name(1))).unwrap();
    symlink("base.yml", home.path(&name(2))).unwrap();
    let is_pipe = Command::new("mkfifo").arg(home.path(&name(3))).status();
    // Of a run that still lives.
    let living = File::create(home.path(&name(4))).unwrap();
    living.lock().unwrap();
    home.run("base.yml --set b=1 -i");
    let entries = fs::read_dir(home.0.path()).unwrap().map(Result::unwrap);
    let mut left: Vec<_> =
        entries.map(|it| it.file_name().into_string().unwrap()).collect();
    left.retain(|name| name.starts_with('.'));
    left.sort();
    let mut kept: Vec<String> = [1, 2, 3, 4].map(name).into();
    kept.retain(|it| *it != name(3) || is_pipe.as_ref().is_ok_and(|it| it.success()));
    kept.push(".interpolate-1.tmp".into());
    assert_eq!(left, kept);
}

/// The limit of the user on the size of files is an error of writing.
#[test]
fn a_limit_on_the_size_of_files() {
    let home = Home::new(&[("base.yml", &long("a: 1\n")), ("s", "z: 1\n")]);
    let before = home.files();
    for arguments in
        ["base.yml --set a=2 -i", "base.yml --output out.yml", "check base.yml --fix"]
    {
        let text = if arguments.starts_with("check") { "a: 1\na: 1\n" } else { "a: 1\n" };
        fs::write(home.path("base.yml"), long(text)).unwrap();
        let output = home.shell(&format!("ulimit -f 20; exec \"$0\" {arguments}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments} {said}");
        assert!(said.contains("file too large"), "{said}");
        assert_eq!(home.files()["base.yml"], long(text));
        assert_eq!(home.files().len(), before.len(), "{:?}", home.files().keys());
    }
}

/// Each time one more file may be open.
#[test]
fn a_limit_on_open_files() {
    let files = [("1.yml", SECRETS), ("2.yml", SECRETS), ("3.yml", SECRETS)];
    let mut succeeded = 0;
    for limit in 3..20 {
        let home = Home::new(&files);
        let run = "1.yml 2.yml 3.yml --set a=2 -i --vars-store s";
        let output = home.shell(&format!("ulimit -n {limit}; exec \"$0\" {run}"));
        let said = String::from_utf8_lossy(&output.stderr);
        let after = home.files();
        assert_eq!(home.left_over(), [""; 0], "{limit}");
        for (name, old) in files {
            let is_new = after[name] == "variables: []\na: 2\n";
            assert!(is_new || after[name] == old, "{limit} {name}");
        }
        let all_new = files.iter().all(|(name, old)| after[*name] != *old);
        assert_eq!(output.status.success(), all_new, "{limit} {said}");
        assert!(output.status.success() || !said.is_empty());
        succeeded += usize::from(all_new);
    }
    assert!(succeeded > 0);
}

/// A disk of 100 kB, where the machine lets us have one.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let text = format!("a: 1\nb: {}\n", "x".repeat(60_000));
    let home = Home::new(&[("base.yml", &text)]);
    fs::create_dir(home.path("disk")).unwrap();
    let script = "mount -t tmpfs -o size=100k none disk && cp base.yml disk && cd disk && \
                  echo mounted && { \"$0\" base.yml --set a=2 -i; echo $?; ls -A; cmp base.yml ../base.yml; }";
    let output =
        home.command("unshare").args(["-m", "sh", "-c", script, PROGRAM]).output();
    let output = output.ok().filter(|it| it.stdout.starts_with(b"mounted"));
    let Some(output) = output else {
        writeln!(io::stderr(), "skipped: a disk needs root and unshare").ok();
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no space left") || said.contains("storage"), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "mounted\n2\nbase.yml\n");
}

/// A folder that belongs to somebody else.
#[test]
fn a_folder_of_others() {
    let home = Home::new(&[("base.yml", "a: 1\n")]);
    copy_program(&home.path("program"));
    for (name, mode) in [(".", 0o755), ("base.yml", 0o666)] {
        fs::set_permissions(home.path(name), Permissions::from_mode(mode)).unwrap();
    }
    let script = "exec setpriv --reuid=65534 --regid=65534 --clear-groups ./program base.yml \
                  --set a=2 -i";
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    if !is_root || !home.shell("setpriv --version").status.success() {
        writeln!(io::stderr(), "skipped: another user needs root and setpriv").ok();
        return;
    }
    let output = home.shell(script);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("permission denied in folder"), "{said}");
    assert_eq!(home.files()["base.yml"], "a: 1\n");
}

#[test]
fn two_writers_at_once() {
    let home = Home::new(&[("base.yml", &long("a: 1\n"))]);
    for _ in 0..faults(10).div_ceil(10) {
        let runs = [2, 3].map(|a| home.start(&format!("base.yml --set a={a} -i")));
        let done = runs.map(|run| run.wait_with_output().unwrap().status.success());
        assert_eq!(done, [true, true]);
        let text = &home.files()["base.yml"];
        assert!(*text == long("a: 2\n") || *text == long("a: 3\n"));
        assert_eq!(home.left_over(), [""; 0]);
    }
}

/// The world, in which one call fails.
struct Faulty {
    world: Os,
    calls: Arc<AtomicUsize>,
    failing: usize,
    kind: io::ErrorKind,
}

impl Faulty {
    fn call<T>(&self, call: impl FnOnce(&Os) -> io::Result<T>) -> io::Result<T> {
        if self.calls.fetch_add(1, Ordering::Relaxed) == self.failing {
            return Err(self.kind.into());
        }
        call(&self.world)
    }
}

impl World for Faulty {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.call(|world| world.read(path))
    }

    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.call(|world| world.head(path, most))
    }

    fn fetch(&self, url: &str, most: u64) -> io::Result<Vec<u8>> {
        self.call(|world| world.fetch(url, most))
    }

    fn run(
        &self,
        it: &str,
        folder: &Path,
        most: u64,
    ) -> io::Result<(Vec<u8>, Option<i32>)> {
        self.call(|world| world.run(it, folder, most))
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.call(|world| world.real(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.call(|world| world.list(folder))
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.world.is_folder(path)
    }

    fn prepare(
        &self,
        path: &Path,
        bytes: &[u8],
        private: bool,
    ) -> io::Result<Replacement> {
        self.call(|world| world.prepare(path, bytes, private))
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        self.world.is_same(one, other)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.world.env(name)
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.world.environment()
    }

    fn moment(&self) -> io::Result<Moment> {
        self.call(World::moment)
    }
}

/// Reads a document with an include, and writes files, in a world in which one call fails.
/// Returns the error that is told, and whether a call failed.
fn run_in(home: &Home, kind: io::ErrorKind, failing: usize) -> (Option<String>, bool) {
    let calls = Arc::new(AtomicUsize::new(0));
    let world = Faulty { world: Os::default(), calls: calls.clone(), failing, kind };
    let told = expand(home, &world).and_then(|()| {
        let languages = languages(&LanguageSettings::default());
        let world = Arc::new(world);
        let context = Context::new(world, Allow::default(), home.0.path(), languages);
        for name in ["one", "two", "three"] {
            context.world.write(&home.path(name), b"new", false);
        }
        let wrong =
            |(path, error): (PathBuf, io::Error)| format!("{}: {error}", path.display());
        context.world.commit().map(drop).map_err(wrong)
    });
    (told.err(), calls.load(Ordering::Relaxed) > failing)
}

/// Applies the directives of a document.
fn expand(home: &Home, world: &Faulty) -> Result<(), String> {
    let path = home.path("base.yml");
    let text = world.read(&path).map_err(|error| error.to_string())?;
    let mut sources = Sources::default();
    let file = sources.add(path.to_str().unwrap(), String::from_utf8(text).unwrap());
    let tree = yaml::read(&sources, file, &yaml::Options::default()).unwrap();
    let patch = compile::directives(&tree, 0, &mut sources, world, &Rules::default());
    patch.map(drop).map_err(|Diagnostics(all)| all[0].message.clone())
}

/// Each call fails once, for each reason. All files are written, or none, which is told.
#[test]
#[expect(clippy::print_stdout, reason = "figures of a long run, with --nocapture")]
fn a_call_that_fails() {
    let base = "a:\n  +include: {file: included.yml}\n";
    let old = ["one", "two", "three"].map(|name| (name, "old"));
    let files = [("base.yml", base), ("included.yml", "b: 1\n")];
    let home = Home::new(&[&files[..], &old].concat());
    let reasons = [
        io::ErrorKind::StorageFull,
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::ReadOnlyFilesystem,
        io::ErrorKind::Other,
    ];
    let (mut failed, mut failing, mut errors) = (0, 0, 0);
    for (i, kind) in reasons.into_iter().cycle().enumerate() {
        let (told, has_failed) = run_in(&home, kind, failing);
        let found = home.files();
        for (name, old) in old {
            let text = if told.is_some() { old } else { "new" };
            assert_eq!(found[name], text, "{kind} {failing} {told:?}");
            fs::write(home.path(name), old).unwrap();
        }
        // Not every call is needed: a path that cannot be resolved is taken as it is.
        assert!(told.is_none() || has_failed, "{kind} {failing} {told:?}");
        errors += usize::from(told.is_some());
        assert_eq!(home.left_over(), [""; 0]);
        failed += usize::from(has_failed);
        // The next call with all reasons; after the last one, begin again.
        if i % reasons.len() == reasons.len() - 1 {
            failing = if has_failed { failing + 1 } else { 0 };
        }
        if failed >= faults(20) && failing == 0 {
            break;
        }
    }
    assert!(errors > 0);
    println!("{failed} calls failed, {errors} of them are errors");
}
