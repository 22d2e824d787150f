//! What a file keeps when a command writes it: owner, group, permissions, access control
//! list and extended attributes. Other users are root's to be: without root some tests say
//! that they are skipped.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};

use crate::copied_program::copy_program;

const ACL: &str = "system.posix_acl_access";

/// A user without rights, and a group that it is not in.
const NOBODY: u32 = 65_534;
const GROUP: u32 = 54_321;

/// A folder that everybody may write, with a program that everybody may run.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        fs::set_permissions(home.0.path(), Permissions::from_mode(0o777)).unwrap();
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str, mode: u32) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    }

    /// Runs the program. Returns its exit code and its messages.
    fn run(&self, arguments: &str) -> (i32, String) {
        self.end(Command::new(env!("CARGO_BIN_EXE_interpolate")), arguments)
    }

    /// As [`run`](Home::run), as a user without rights who is in some groups.
    fn run_as_nobody(&self, groups: &str, arguments: &str) -> (i32, String) {
        let program = self.path("interpolate");
        if !program.exists() {
            copy_program(&program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", groups]).arg(program);
        self.end(command, arguments)
    }

    fn end(&self, mut command: Command, arguments: &str) -> (i32, String) {
        let output = command
            .args(arguments.split(' '))
            .current_dir(self.0.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code().unwrap(), said)
    }

    /// Returns the names of temporary files.
    fn left_over(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with('.')).collect()
    }
}

fn skip(why: &str) {
    writeln!(io::stderr(), "skipped: {why}").ok();
}

/// Returns true if the test can be another user.
fn can_be_others(test: &str) -> bool {
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    let can = is_root
        && Command::new("setpriv")
            .arg("--version")
            .output()
            .is_ok_and(|it| it.status.success());
    if !can {
        skip(&format!("{test} needs root and setpriv"));
    }
    can
}

fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    setxattr(path, name, value, XattrFlags::empty()).is_ok()
}

/// An access control list that lets one more user read.
fn list() -> Vec<u8> {
    let entries = [(1, 6, !0), (2, 4, 1234), (4, 4, !0), (16, 4, !0), (32, 0, !0_u32)];
    let bytes = entries.into_iter().flat_map(|(kind, rights, who): (u16, u16, u32)| {
        [&kind.to_le_bytes()[..], &rights.to_le_bytes(), &who.to_le_bytes()].concat()
    });
    2_u32.to_le_bytes().into_iter().chain(bytes).collect()
}

/// Returns all that a file has beside its content.
fn attributes(path: &Path) -> (u32, u32, String, Vec<(String, Vec<u8>)>) {
    let mut names = vec![0; 1 << 16];
    let size = listxattr(path, &mut names[..]).unwrap();
    let mut all: Vec<_> = names[..size]
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| {
            let mut value = vec![0; 1 << 16];
            let size = getxattr(path, name, &mut value[..]).unwrap();
            (String::from_utf8(name.to_vec()).unwrap(), value[..size].to_vec())
        })
        .collect();
    all.sort();
    let found = fs::metadata(path).unwrap();
    (found.uid(), found.gid(), format!("{:o}", found.mode() & 0o7777), all)
}

fn has_list(path: &Path) -> bool {
    attributes(path).3.iter().any(|(name, _)| name == ACL)
}

const OPS: &str = "- {type: replace, path: /a, value: 2}\n";

#[test]
fn each_command_keeps_all() {
    let home = Home::new();
    home.write("ops.yml", OPS, 0o600);
    home.write("old.yml", "a: 1\nb: {c: 1}\n", 0o600);
    home.write("new.yml", "a: 1\nd: {b: {c: 1}}\n", 0o600);
    let secret = "variables: [{name: p, type: password}]\na: ((p))\n";
    home.write("secret.yml", secret, 0o600);
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    let web = "{image: shop/web, replicas: 2, env: {LOG: info}}";
    home.write(
        "v1.yml",
        &format!("services: {{web: {web}, db: {{image: pg}}}}\n"),
        0o600,
    );
    home.write(
        "v2.yml",
        &format!("services: {{www: {web}, db: {{image: pg}}}}\n"),
        0o600,
    );
    let moved = "- {type: replace, path: /services/web/replicas, value: 3}\n";
    for (text, arguments) in [
        ("a: 1\n", "file.yml -o ops.yml -i"),
        ("a: 1\n", "old.yml -o ops.yml --output file.yml"),
        ("a: 1\n", "merge file.yml file.yml new.yml --output file.yml"),
        ("a: 1\n", "save file.yml new.yml -i"),
        ("b: 1\n", "secret.yml --vars-store file.yml"),
        (moved, "rebase v1.yml v2.yml -o file.yml --fix"),
        ("a: 1\nb: 2\na: 1\n", "check file.yml --fix"),
    ] {
        let path = home.write("file.yml", text, 0o640);
        if is_root {
            chown(&path, Some(NOBODY), Some(GROUP)).unwrap();
            assert!(set(&path, "security.note", b"s"));
        }
        let has_attributes = set(&path, "user.note", b"u") && set(&path, ACL, &list());
        if !has_attributes {
            skip("the file system has no attributes");
        }
        let inode = fs::metadata(&path).unwrap().ino();
        let before = attributes(&path);
        let (code, said) = home.run(arguments);
        let after = fs::metadata(&path).unwrap().ino();
        assert_ne!(inode, after, "{arguments} writes the file: {code} {said}");
        assert_eq!(attributes(&path), before, "{arguments}");
        assert_eq!(home.left_over(), [""; 0]);
    }
}

#[test]
fn set_id_bits_survive() {
    let home = Home::new();
    home.write("ops.yml", OPS, 0o644);
    let path = home.write("file.yml", "a: 1\n", 0o6755);
    assert_eq!(home.run("file.yml -o ops.yml -i").0, 0);
    assert_eq!(attributes(&path).2, "6755");
    if can_be_others("set_id_bits_survive") {
        let path = home.write("file.yml", "a: 1\n", 0o644);
        chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o6755)).unwrap();
        let (code, said) = home.run_as_nobody("--clear-groups", "file.yml -o ops.yml -i");
        assert_eq!((code, attributes(&path).2), (0, "6755".into()), "{said}");
    }
}

#[test]
fn a_list_of_the_folder_is_not_taken() {
    let home = Home::new();
    home.write("ops.yml", OPS, 0o600);
    let path = home.write("file.yml", "a: 1\n", 0o640);
    if set(home.0.path(), "system.posix_acl_default", &list()) {
        assert!(has_list(&home.write("new.yml", "", 0o640)));
        assert_eq!(home.run("file.yml -o ops.yml -i").0, 0);
        assert!(!has_list(&path));
    }
}

/// Replaces a file of other people, who would lose what the messages name.
#[test]
fn what_cannot_be_kept_is_an_error() {
    if !can_be_others("what_cannot_be_kept_is_an_error") {
        return;
    }
    let with = "--groups=54321";
    let none = "--clear-groups";
    let mine = (NOBODY, NOBODY);
    // Owner, group and mode; groups of the user; what is lost; the file afterwards.
    for ((owner, group, mode), groups, losses, (new_owner, new_group, new_mode)) in [
        ((0, NOBODY, 0o666), none, &["its owner (uid 0)"][..], (NOBODY, NOBODY, "666")),
        // The owner cannot be kept, the group can.
        ((0, GROUP, 0o660), with, &["its owner (uid 0)"], (NOBODY, GROUP, "660")),
        (
            (NOBODY, GROUP, 0o664),
            none,
            &["its group (gid 54321)"],
            (mine.0, mine.1, "644"),
        ),
        (
            (NOBODY, GROUP, 0o660),
            none,
            &["its group (gid 54321)"],
            (mine.0, mine.1, "600"),
        ),
        (
            (0, GROUP, 0o4666),
            none,
            &["its owner (uid 0)", "its group (gid 54321)"],
            (mine.0, mine.1, "666"),
        ),
    ] {
        let home = Home::new();
        home.write("ops.yml", OPS, 0o644);
        let path = home.write("file.yml", "a: 1\n", 0o600);
        chown(&path, Some(owner), Some(group)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let before = attributes(&path);
        for arguments in [
            "file.yml -o ops.yml -i",
            "ops.yml --output file.yml",
            "save file.yml ops.yml -i",
        ] {
            let (code, said) = home.run_as_nobody(groups, arguments);
            assert_eq!(code, 2, "{arguments}: {said}");
            assert!(said.contains("--force"), "{said}");
            for loss in losses {
                assert!(said.contains(loss), "{said}");
            }
            assert_eq!(attributes(&path), before);
            assert_eq!(fs::read_to_string(&path).unwrap(), "a: 1\n");
            assert_eq!(home.left_over(), [""; 0]);
        }
        let (code, said) = home.run_as_nobody(groups, "file.yml -o ops.yml -i --force");
        assert_eq!(code, 0, "{said}");
        for loss in losses {
            assert!(said.starts_with("warning") && said.contains(loss), "{said}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 2\n");
        let (owner, group, mode, _) = attributes(&path);
        assert_eq!(
            (owner, group, &*mode),
            (new_owner, new_group, new_mode),
            "{losses:?}"
        );
    }
}

#[test]
fn a_list_about_another_group_opens_nothing() {
    if !can_be_others("a_list_about_another_group_opens_nothing") {
        return;
    }
    let home = Home::new();
    home.write("ops.yml", OPS, 0o644);
    let path = home.write("file.yml", "a: 1\n", 0o600);
    if !set(&path, ACL, &list()) {
        skip("the file system has no lists");
        return;
    }
    chown(&path, Some(NOBODY), Some(GROUP)).unwrap();
    let arguments = "file.yml -o ops.yml -i";
    let (code, said) = home.run_as_nobody("--clear-groups", arguments);
    assert!(code == 2 && said.contains("access control list"), "{said}");
    let (code, said) =
        home.run_as_nobody("--clear-groups", &format!("{arguments} --force"));
    assert_eq!(code, 0, "{said}");
    let (owner, group, mode, _) = attributes(&path);
    assert_eq!((owner, group, &*mode), (NOBODY, NOBODY, "600"));
    assert!(!has_list(&path));
}
