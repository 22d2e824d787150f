//! Runs git with the program as its merge driver and as its external diff.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_interpolate");

/// A repository that uses the program.
struct Repository(tempfile::TempDir);

impl Repository {
    /// Makes a repository; `None` if there is no git.
    #[expect(clippy::print_stdout, reason = "a skipped test must be seen")]
    fn new(attributes: &str) -> Option<Repository> {
        if Command::new("git").arg("--version").output().is_err() {
            println!("skipped: git is not installed");
            return None;
        }
        let repository = Repository(tempfile::tempdir().unwrap());
        let driver = format!("'{PROGRAM}' merge --git -- %O %A %B %L %P");
        let command = format!("'{PROGRAM}' diff --git --");
        let configuration = [
            ("user.name", "test"),
            ("user.email", "test@example.org"),
            ("commit.gpgsign", "false"),
            ("merge.yaml.driver", &*driver),
            ("diff.yaml.command", &*command),
        ];
        repository.git(&["init", "-q", "-b", "main"]);
        for (name, value) in configuration {
            repository.git(&["config", name, value]);
        }
        repository.write(".gitattributes", attributes);
        Some(repository)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Commits all files.
    fn commit(&self, files: &[(&str, &str)]) {
        files.iter().for_each(|(name, text)| self.write(name, text));
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "change"]);
    }

    /// Makes a branch with a change, and a change of the main branch.
    fn branch(&self, base: &str, ours: &str, theirs: &str) {
        self.commit(&[("deploy/web.yml", base)]);
        self.git(&["checkout", "-q", "-b", "theirs"]);
        self.commit(&[("deploy/web.yml", theirs)]);
        self.git(&["checkout", "-q", "main"]);
        self.commit(&[("deploy/web.yml", ours)]);
    }

    fn try_git(&self, arguments: &[&str]) -> Output {
        Command::new("git")
            .args(arguments)
            .current_dir(self.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_PAGER", "cat")
            .output()
            .unwrap()
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = self.try_git(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }
}

const MERGE: &str = "*.yml merge=yaml\n";

#[test]
fn neighbouring_lines_merge() {
    let Some(repository) = Repository::new(MERGE) else { return };
    repository.branch(
        "image: web:1\nreplicas: 1\n",
        "image: web:1\nreplicas: 2 # more\n",
        "image: web:2 # new\nreplicas: 1\n",
    );
    repository.git(&["merge", "-q", "theirs", "-m", "merge"]);
    let merged = "image: web:2 # new\nreplicas: 2 # more\n";
    assert_eq!(repository.read("deploy/web.yml"), merged);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_conflict_is_one_for_git() {
    let Some(repository) = Repository::new(MERGE) else { return };
    repository.branch("n: 1\nm: 1\n", "n: 2\nm: 1\n", "n: 3\nm: 2\n");
    let output = repository.try_git(&["merge", "theirs", "-m", "merge"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("deploy/web.yml: conflict: /n\n"), "{told}");
    let marked = "<<<<<<< ours\nn: 2\n=======\nn: 3\n>>>>>>> theirs\nm: 2\n";
    assert_eq!(repository.read("deploy/web.yml"), marked);
    let status = repository.git(&["status", "--porcelain"]);
    assert_eq!(status, "UU deploy/web.yml\n");
}

#[test]
fn both_sides_add_a_file() {
    let Some(repository) = Repository::new(MERGE) else { return };
    repository.commit(&[]);
    repository.git(&["checkout", "-q", "-b", "theirs"]);
    repository.commit(&[("a.yml", "b: 1\n")]);
    repository.git(&["checkout", "-q", "main"]);
    repository.commit(&[("a.yml", "a: 1\n")]);
    repository.git(&["merge", "-q", "theirs", "-m", "merge"]);
    assert_eq!(repository.read("a.yml"), "a: 1\nb: 1\n");
}

#[test]
fn a_template_is_merged_by_lines() {
    let Some(repository) = Repository::new(MERGE) else { return };
    let text =
        |first: &str, last: &str| format!("a: {first}\n{{{{ if x }}}}\nb: {last}\n");
    repository.branch(&text("1", "1"), &text("2", "1"), &text("1", "2"));
    repository.git(&["merge", "-q", "theirs", "-m", "merge"]);
    assert_eq!(repository.read("deploy/web.yml"), text("2", "2"));
}

#[test]
fn a_rebase_merges_too() {
    let Some(repository) = Repository::new(MERGE) else { return };
    repository.branch("a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n");
    repository.git(&["checkout", "-q", "theirs"]);
    repository.git(&["rebase", "-q", "main"]);
    assert_eq!(repository.read("deploy/web.yml"), "a: 2\nb: 2\n");
}

#[test]
fn a_diff_shows_ops() {
    let Some(repository) = Repository::new("*.yml diff=yaml\n") else { return };
    repository.commit(&[("deploy/web.yml", "a: 1\nb: 1\n"), ("old.yml", "c: 1\n")]);
    repository.write("deploy/web.yml", "b: 2\na: 1\n");
    std::fs::remove_file(repository.path().join("old.yml")).unwrap();
    let ops = "# deploy/web.yml\n- type: replace\n  path: /b\n  value: 2\n\
               # old.yml was removed\n--- old.yml\n+++ /dev/null\n@@ -1 +0,0 @@\n-c: 1\n";
    assert_eq!(repository.git(&["diff"]), ops);
    repository.git(&["add", "-A"]);
    assert_eq!(repository.git(&["diff", "--staged"]), ops);
}

#[test]
fn a_diff_shows_a_renamed_file() {
    let Some(repository) = Repository::new("*.yml diff=yaml\n") else { return };
    let lines: String = (0..30).map(|n| format!("key-{n}: value\n")).collect();
    repository.commit(&[("old.yml", &lines)]);
    repository.git(&["mv", "old.yml", "new.yml"]);
    repository.write("new.yml", &(lines + "more: 1\n"));
    repository.git(&["add", "-A"]);
    let shown = repository.git(&["diff", "--staged", "-M"]);
    let ops = "# old.yml -> new.yml\n- type: replace\n  path: /more?\n  value: 1\n";
    assert_eq!(shown, ops);
}

/// A name is a name, whatever it begins with.
#[test]
fn names_are_no_options() {
    let Some(repository) = Repository::new("* diff=yaml merge=yaml\n") else { return };
    let names = ["-h.yml", "--format=json", "-", "--git", "--"];
    repository.commit(&names.map(|name| (name, "a: 1\n\nb: 1\n")));
    repository.git(&["checkout", "-q", "-b", "theirs"]);
    repository.commit(&names.map(|name| (name, "a: 1\n\nb: 2 # theirs\n")));
    repository.git(&["checkout", "-q", "main"]);
    repository.commit(&names.map(|name| (name, "a: 2 # ours\n\nb: 1\n")));
    repository.git(&["merge", "-q", "theirs", "-m", "merge"]);
    for name in names {
        assert_eq!(repository.read(name), "a: 2 # ours\n\nb: 2 # theirs\n", "{name}");
        repository.write(name, "a: 3 # ours\n\nb: 2 # theirs\n");
    }
    let shown = repository.git(&["diff"]);
    assert_eq!(shown.matches("path: /a\n  value: 3\n").count(), names.len(), "{shown}");
}

#[test]
fn a_diff_of_conflicts_goes_on() {
    let Some(repository) = Repository::new("*.yml diff=yaml merge=yaml\n") else {
        return;
    };
    repository.branch("n: 1\n", "n: 2\n", "n: 3\n");
    assert!(!repository.try_git(&["merge", "theirs"]).status.success());
    // Git shows both sides itself, unless the program is set by GIT_EXTERNAL_DIFF.
    assert!(repository.git(&["diff"]).contains("++<<<<<<< ours\n"));
}
