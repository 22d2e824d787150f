//! Includes from a server of our own.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

/// Starts a server that answers every request from a few pages. Returns its address.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            lines.take_while(|line| line.as_ref().is_ok_and(|it| !it.is_empty())).count();
            let (status, body) = match request.split(' ').nth(1).unwrap() {
                "/a/b.yaml" => ("200 OK", "b: 1\nc: {+include: ../c.yaml}\n"),
                "/c.yaml" => ("200 OK", "- c\n"),
                "/moved.yaml" => ("302 Found\r\nlocation: /c.yaml", ""),
                _ => ("404 Not Found", "no"),
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close"
            );
            write!(stream, "{head}\r\n\r\n{body}").unwrap();
        }
    });
    format!("http://{address}")
}

/// Returns standard output and standard error.
fn run(document: &str, options: &[&str]) -> (String, String) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("base.yml");
    std::fs::write(&path, document).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
    let output = command.arg(path).args(options).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn includes() {
    let server = serve();
    let allow = &["--allow", "file,url"][..];
    let (found, _) = run(&format!("x:\n  +include: {server}/a/b.yaml\n"), allow);
    assert_eq!(found, "x:\n  b: 1\n  c:\n    - c\n");
    let (found, _) = run(&format!("+include/0: {server}/moved.yaml\n"), allow);
    assert_eq!(found, "c\n");
    let (found, _) = run(&format!("x: 1\n+?include: {server}/none.yaml\n"), allow);
    assert_eq!(found, "x: 1\n");
    let (_, wrong) = run(&format!("+include: {server}/none.yaml\n"), allow);
    assert!(wrong.contains("/none.yaml: http status: 404"), "{wrong}");
    let (_, wrong) = run(&format!("+include: {server}/c.yaml\n"), &[]);
    assert!(wrong.contains("`--allow env,file,url` allows it"), "{wrong}");
    let limit = &["--allow", "all", "--limit", "include-bytes=3"];
    let (_, wrong) = run(&format!("+include: {server}/c.yaml\n"), limit);
    assert!(wrong.contains("the included files exceed 3 bytes"), "{wrong}");
    let (_, wrong) = run("+include: http://127.0.0.1:1/x\n", allow);
    assert!(wrong.contains("127.0.0.1:1/x: connection refused"), "{wrong}");
}
