//! Tests the archives of fixtures/: their spelling is unique, and they hold any bytes.

use std::fs;
use std::path::{Path, PathBuf};

use interpolate_fixtures::archive::{Archive, files_in};

/// An archive that is read and printed is the same text, so that `BLESS=1` rewrites only
/// what differs.
#[test]
fn archives_print_as_they_are() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut count = 0;
    for (name, bytes) in files_in(&fixtures) {
        if name.ends_with(".txtar") {
            let text = String::from_utf8(bytes).unwrap();
            let archive = Archive::read(name.clone().into(), &text);
            assert_eq!(archive.print(), text, "{name}");
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn any_bytes_fit() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("case.txtar");
    let bytes: [&[u8]; 12] = [
        b"",
        b"\n",
        b"a",
        b"a\\",
        b"a\\\n",
        b"a\r\nb\r",
        b"\xef\xbb\xbfa\n",
        b"\xff\xe9 \xc3\xa9\n",
        b"\x00\x1b[1m\x7f\t\n",
        b"-- a --\n",
        b"-- a --",
        b"--  --\n-- a (escaped) --\n\\x41\n",
    ];
    for bytes in bytes {
        let mut archive = Archive::read(path.clone(), "A comment.\n-- b --\nb\n");
        archive.put("a", Some(bytes));
        archive.put("c", Some(b"c\n"));
        let text = archive.print();
        let archive = Archive::read(PathBuf::new(), &text);
        assert_eq!(archive.print(), text);
        assert_eq!(archive.bytes("a"), Some(bytes), "{text}");
        assert_eq!([archive.text("b"), archive.text("c")], ["b\n", "c\n"], "{text}");
    }
}

#[test]
fn an_archive_becomes_a_folder() {
    let text = "-- a/b --\nb\n-- c --\n-- a/link -> b --\n-- hidden --\n";
    let archive = Archive::read(PathBuf::new(), text);
    let home = tempfile::tempdir().unwrap();
    archive.extract(home.path(), |name| name != "hidden");
    assert_eq!(fs::read_link(home.path().join("a/link")).unwrap(), Path::new("b"));
    let files = [("a/b".to_owned(), b"b\n".to_vec()), ("c".to_owned(), Vec::new())];
    assert_eq!(files_in(home.path()), files);
    assert_eq!(archive.print(), text);
}
