//! Tests generated secrets with the programs that people use them with: openssl and
//! ssh-keygen. Refused definitions and their messages are in fixtures/generate/.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};
use std::{fs, io};

use interpolate::unstable::source::{Moment, Replacement, Sources, World};
use interpolate::unstable::variables::generate::{
    ErrorChain, KeySource, Secret, generate,
};
use interpolate::unstable::variables::{self, Bindings, FillOptions, Store};
use interpolate::unstable::yaml;
use serde_json::Value;
use sha1::{Digest, Sha1};
use tempfile::TempDir;

/// A fixed time: a night in October 2025.
const NOW: u64 = 1_760_000_000;

type Entries = BTreeMap<&'static str, String>;

#[test]
fn refusals() {
    for line in include_str!("../../fixtures/generate/refuse.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect(line);
        let text = |key: &str| case[key].as_str();
        let (kind, options) = (text("type").expect(line), text("options").expect(line));
        let find = |name: &str| Ok(text(name).map(str::to_owned));
        let refused = generate(&mut source(0), kind, options, find);
        let refused = refused.err().map(|chain| {
            let texts = chain.into_iter().map(|line| Value::from(line.text));
            Value::from_iter(texts)
        });
        assert_eq!(refused.as_ref(), Some(&case["error"]), "{line}");
    }
}

#[test]
fn passwords() {
    for (options, length) in [("", 20), ("length: 0", 20), ("length: 7.9", 7)] {
        assert_eq!(password(options, 1).len(), length);
    }
    let long = password("length: 5000", 1);
    assert_eq!(long, password("length: 5000", 1), "a seed gives one secret");
    assert_ne!(long, password("length: 5000", 2));
    let letters: String = BTreeSet::from_iter(long.chars()).into_iter().collect();
    assert_eq!(letters, "0123456789abcdefghijklmnopqrstuvwxyz");
}

#[test]
fn rsa() {
    let key = entries("rsa", "ignored: 1", None);
    let folder = folder(&[("key", &key)]);
    if let Some(out) = run(&folder, "openssl rsa -in key.private_key -check -pubout") {
        assert!(out.contains("RSA key ok\n"), "{out}");
        assert!(out.contains(&key["public_key"]), "{out}");
    }
    assert!(key["private_key"].starts_with("-----BEGIN RSA PRIVATE KEY-----\n"));
}

#[test]
fn ssh() {
    let key = entries("ssh", "", None);
    let folder = folder(&[("key", &key)]);
    if let Some(out) = run(&folder, "ssh-keygen -y -f key.private_key") {
        assert_eq!(out, key["public_key"]);
    }
    if let Some(out) = run(&folder, "ssh-keygen -l -E md5 -f key.public_key") {
        let fingerprint = &key["public_key_fingerprint"];
        assert!(out.starts_with(&format!("2048 MD5:{fingerprint} ")), "{out}");
    }
}

#[test]
fn chain() {
    let root = certificate("is_ca: true\ncommon_name: Root\nduration: 99999", None);
    let middle = "is_ca: true\ncommon_name: M & Söhne\nca: root\norganization: Shop";
    let middle = certificate(middle, Some(&root));
    let names = "['*.a.test', 10.0.0.1, '::ffff:10.0.0.2', 'fd00::1', 010.1.1.1]";
    let more = "duration: 2\nextended_key_usage: [client_auth, server_auth]";
    let leaf =
        format!("common_name: a.test\nca: middle\nalternative_names: {names}\n{more}");
    let leaf = certificate(&leaf, Some(&middle));
    let plain = certificate("ca: middle\nduration: -1", Some(&middle));
    assert_eq!(root["ca"], root["certificate"]);
    assert_eq!(middle["ca"], root["certificate"]);
    assert_eq!(leaf["ca"], middle["certificate"]);

    let all = [("root", &root), ("middle", &middle), ("leaf", &leaf), ("plain", &plain)];
    let folder = folder(&all);
    let verify = format!("openssl verify -attime {} -x509_strict", NOW + 60);
    let verify = format!("{verify} -CAfile root.certificate");
    run(&folder, &format!("{verify} root.certificate middle.certificate"));
    let verify = format!("{verify} -untrusted middle.certificate -purpose");
    run(&folder, &format!("{verify} sslserver plain.certificate"));
    run(&folder, &format!("{verify} sslclient -verify_ip fd00::1 leaf.certificate"));
    run(
        &folder,
        &format!("{verify} sslserver -verify_hostname b.a.test leaf.certificate"),
    );
    if let Some(found) = describe(&folder, &["root", "middle", "leaf", "plain"]) {
        let fixture = "fixtures/generate/chain.txt";
        if std::env::var_os("BLESS").is_some() {
            fs::write(fixture, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(fixture).unwrap());
    }
}

#[test]
fn authority_from_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let name = "/C=DE/O=Old+OU=Two/OU=One/OU=Two/CN=elsewhere";
    let options =
        "-x509 -text -newkey rsa:2048 -noenc -keyout pkcs8 -out certificate -subj";
    let Some(_) = run(&folder, &format!("openssl req {options} {name}")) else { return };
    run(&folder, "openssl rsa -in pkcs8 -traditional -out private_key");
    let file = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let mut ca = Entries::new();
    ca.insert("certificate", file("certificate"));
    ca.insert("private_key", file("private_key"));

    let leaf = certificate("ca: elsewhere", Some(&ca));
    fs::write(folder.path().join("leaf"), &leaf["certificate"]).unwrap();
    run(&folder, "openssl verify -no_check_time -CAfile certificate leaf");
    assert!(file("certificate").ends_with(&leaf["ca"]));

    ca.insert("private_key", file("pkcs8"));
    let refused = make("certificate", "ca: elsewhere", 1, Some(&ca)).err().unwrap();
    assert!(refused[2].text.contains("ParsePKCS8PrivateKey"), "{refused:?}");

    ca.insert("private_key", leaf["private_key"].clone());
    let refused = make("certificate", "ca: elsewhere", 1, Some(&ca)).err().unwrap();
    assert!(refused[1].text.contains("doesn't match"), "{refused:?}");
}

/// A world that gives another seed each time.
struct Seeds(Cell<u8>);

/// The keys of a document are made on all cores, and each is the one that its seed gives.
#[test]
fn keys_on_all_cores() {
    let kinds = ["rsa", "ssh", "certificate", "password", "rsa", "certificate"];
    let options = |kind: &str| match kind {
        "certificate" => "options: {is_ca: true, key_length: 2048}",
        _ => "options: {}",
    };
    let definition = |(i, kind): (usize, &&str)| {
        format!("- {{name: v{i}, type: {kind}, {}}}\n", options(kind))
    };
    let definitions: String = kinds.iter().enumerate().map(definition).collect();
    let text = format!("variables:\n{definitions}");
    let mut sources = Sources::default();
    let mut read = |name, text: &str| {
        let file = sources.add(name, text);
        yaml::read(&sources, file, &yaml::Options::default())
    };
    let (mut document, empty) = (read("base.yml", &text).unwrap(), read("store", ""));
    let mut store = Store::new("store", empty);
    let told = Rc::new(Cell::new((0, 0)));
    let last = told.clone();
    store.tell(Some(Box::new(move |made, all| last.set((made, all)))));
    let given = Bindings::default();
    let rules = FillOptions { names_of_bosh: true, ..FillOptions::default() };
    let world = Seeds(Cell::new(0));
    let filled =
        variables::fill(&mut document, 0..1, &given, Some(&mut store), &world, &rules);
    filled.unwrap();
    assert_eq!(told.get(), (5, 5));
    let made = store.changed().unwrap();
    let mut seed = 0;
    for kind in kinds.into_iter().filter(|&kind| kind != "password") {
        seed += 1;
        let options = "is_ca: true\nkey_length: 2048\n";
        let options = if kind == "certificate" { options } else { "" };
        let Ok(Secret::Entries(entries)) = make(kind, options, seed, None) else {
            panic!("{kind}");
        };
        for line in entries.iter().flat_map(|(_, text)| text.lines()) {
            assert!(made.contains(line), "{kind} {line}");
        }
    }
}

impl World for Seeds {
    fn moment(&self) -> io::Result<Moment> {
        self.0.set(self.0.get() + 1);
        Ok(moment(self.0.get()))
    }

    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn head(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn fetch(&self, _: &str, _: u64) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn run(&self, _: &str, _: &Path, _: u64) -> io::Result<(Vec<u8>, Option<i32>)> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn real(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn list(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn is_folder(&self, _: &Path) -> bool {
        false
    }

    fn prepare(&self, _: &Path, _: &[u8], _: bool) -> io::Result<Replacement> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn is_same(&self, _: &Path, _: &Path) -> bool {
        false
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }

    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

fn password(options: &str, seed: u8) -> String {
    match make("password", options, seed, None) {
        Ok(Secret::Text(password)) => password,
        _ => panic!("no password"),
    }
}

fn certificate(options: &str, ca: Option<&Entries>) -> Entries {
    entries("certificate", &format!("key_length: 2048\n{options}"), ca)
}

fn entries(kind: &str, options: &str, ca: Option<&Entries>) -> Entries {
    let seed = options.bytes().fold(0, u8::wrapping_add);
    match make(kind, options, seed, ca) {
        Ok(Secret::Entries(entries)) => entries.into_iter().collect(),
        Ok(Secret::Text(_)) => panic!("{kind} has no entries"),
        Err(chain) => panic!("{chain:?}"),
    }
}

fn make(
    kind: &str,
    options: &str,
    seed: u8,
    ca: Option<&Entries>,
) -> Result<Secret, ErrorChain> {
    let ca = ca.map(|ca| serde_json::to_string(ca).expect("texts"));
    generate(&mut source(seed), kind, options, |_| Ok(ca))
}

fn source(seed: u8) -> KeySource {
    KeySource::new(moment(seed))
}

fn moment(seed: u8) -> Moment {
    Moment { now: UNIX_EPOCH + Duration::from_secs(NOW), seed: [seed; 32] }
}

/// Creates a folder with one file for each entry, `name.entry`.
fn folder(secrets: &[(&str, &Entries)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, entries) in secrets {
        for (entry, text) in *entries {
            let file = format!("{name}.{entry}");
            fs::write(folder.path().join(&file), text).expect("a file");
            run(&folder, &format!("chmod 600 {file}"));
        }
    }
    folder
}

/// Returns what openssl prints of certificates, one fact a line. A key is identified by
/// the hash of its modulus, and gets the name of its certificate here.
fn describe(folder: &TempDir, names: &[&str]) -> Option<String> {
    let mut text = String::new();
    let mut keys = Vec::new();
    for name in names {
        let command = format!("openssl x509 -noout -in {name}.certificate");
        let options =
            "-nameopt sep_comma_plus,utf8 -certopt no_serial,no_pubkey,no_sigdump";
        text += &run(folder, &format!("{command} -text {options}"))?;
        let modulus = run(folder, &format!("{command} -modulus"))?;
        keys.push((key_id(modulus.trim().strip_prefix("Modulus=")?), name));
    }
    let text = text.replace("keyid:", "");
    let text = keys.iter().fold(text, |text, (id, name)| text.replace(id, name));
    Some(text.lines().map(|line| format!("{}\n", line.trim())).collect())
}

fn key_id(modulus: &str) -> String {
    let byte = |at| u8::from_str_radix(&modulus[at..at + 2], 16).expect("hex");
    let bytes: Vec<u8> = (0..modulus.len()).step_by(2).map(byte).collect();
    let id: Vec<_> = Sha1::digest(&bytes).iter().map(|b| format!("{b:02X}")).collect();
    id.join(":")
}

/// Returns the output of a program, if it is installed. In CI it must be installed.
#[expect(clippy::print_stdout, reason = "a skipped check must be seen")]
fn run(folder: &TempDir, command: &str) -> Option<String> {
    let mut words = command.split(' ');
    let program = words.next()?;
    let Ok(out) = Command::new(program).args(words).current_dir(folder).output() else {
        assert!(std::env::var_os("CI").is_none(), "{program} is not installed");
        println!("skipped: {program} is not installed");
        return None;
    };
    let text = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    assert!(out.status.success(), "{command}: {text}");
    Some(text)
}
