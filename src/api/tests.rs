//! The public face: what each operation leaves of a document, and what it refuses.

#![allow(clippy::unwrap_used)]

use super::{Bookmark, Document, Documents, Job, Reader, Recording, Result, Variables};
use crate::node::Kind;
use crate::patch::Patch;
use crate::source::Memory;

fn parse(text: &str) -> Document {
    Document::parse(text).unwrap()
}

/// Returns the origin of a node as `written` and `op`.
fn origin(document: &Document, path: &str) -> (String, String) {
    let origin = document.find(path).unwrap().origin();
    let show =
        |place: Option<super::Place>| place.map_or("-".into(), |it| it.to_string());
    (show(origin.written), show(origin.op))
}

#[test]
fn paths() {
    let text = "a: [{n: x, v: 1}, {n: y, v: 2}]\nb: &b {c: 1}\nd: *b\ne: {<<: *b, f: 2}\n1: one\na/b: [3]\n";
    let document = parse(text);
    for (path, wanted) in [
        ("/a/0/v", Some("1")),
        ("/a/-1/v", Some("2")),
        ("/a/n=y/v", Some("2")),
        ("/a/n=x:next/v", Some("2")),
        ("/a/n=z", None),
        ("/a/2", None),
        ("/a/-", None),
        ("/a/0:before", None),
        ("/d/c", Some("1")),
        ("/e/c", Some("1")),
        ("/e/f", Some("2")),
        ("/a~1b/0", Some("3")),
        ("/b/c?", Some("1")),
        ("/b/d?", None),
        ("b", Some("{c: 1}")),
        ("b[", None),
    ] {
        let found = document.get(path).map(|node| node.to_string());
        assert_eq!(found.as_deref(), wanted, "{path}");
        assert_eq!(document.find(path).is_ok(), wanted.is_some(), "{path}");
    }
}

#[test]
fn nodes_are_found_by_their_paths() {
    let mut document = parse("a: [{n: x}, [1, 2]]\n'-': {'1': 2, 'x?': [3], a/b: 4}\n");
    document.set("/a/-", [5]).unwrap();
    let mut count = 0;
    for node in document.nodes() {
        let found = document.get(&node.path()).expect("a path");
        assert_eq!(found.origin(), node.origin());
        assert_eq!(found.to_string(), node.to_string());
        count += 1;
    }
    assert_eq!(count, 14);
}

#[test]
fn a_failed_edit_changes_nothing() {
    let text = "a: &a {x: 1}\nb: *a # alias\nc: [1]\n";
    let mut document = parse(text);
    for path in ["/b/y/z", "/b/x/0", "/c/5", "/d", "/b/n?/0", "x[", "/c/k=v/z"] {
        assert!(document.set(path, 1).is_err(), "{path}");
        // An optional value that is missing is removed already.
        assert_eq!(document.remove(path).is_err(), !path.contains('?'), "{path}");
        assert_eq!(document.to_string(), text, "{path}");
    }
    let patch = Patch::default().replace("/b/x", 2).unwrap();
    let patch = patch.remove("/d").unwrap();
    assert_eq!(document.apply(&patch).unwrap_err().problems().len(), 1);
    assert_eq!(document.to_string(), text);
}

#[test]
fn a_patch_applies_to_any_document() {
    let patch = Patch::default().replace("/a/-", ["x"]).unwrap();
    let mut other = parse("a: [] # other\n");
    let mut one = parse("z: 0\na:\n- 1\n");
    other.apply(&patch).unwrap();
    one.apply(&patch).unwrap();
    one.apply(&patch).unwrap();
    assert_eq!(other.to_string(), "a: # other\n- - x\n");
    assert_eq!(one.to_string(), "z: 0\na:\n- 1\n- - x\n- - x\n");
    // Each text has its own number, also if documents were read alike.
    let (a, b) = (parse("a: 1\n"), parse("a: {b: [2]}\n"));
    let patch = a.diff(&b).unwrap();
    let mut c = parse("a: 1 # c\n");
    c.apply(&patch).unwrap();
    assert_eq!(c.to_string(), "a: {b: [2]} # c\n");
}

/// An edited document and the one it was made of share their text.
#[test]
fn edited_documents_are_compared() {
    let old = parse("items:\n- name: a\n  n: 1\n");
    let mut new = old.clone();
    let ops = "- {type: replace, path: /items/name=a/limits?, value: {cpu: 1}}\n";
    new.apply(&Patch::parse("ops.yml", ops).unwrap()).unwrap();
    let there = old.diff(&new).unwrap();
    let mut again = old.clone();
    again.apply(&there).unwrap();
    assert_eq!(again.to_json().unwrap(), new.to_json().unwrap());
    assert!(new.diff(&again).unwrap().is_empty());
    again.apply(&new.diff(&old).unwrap()).unwrap();
    assert_eq!(again.to_json().unwrap(), old.to_json().unwrap());
    // The alias in a value stands for the edited anchor.
    let old = parse("a: &a {x: 1}\nb: 0\n");
    let mut new = parse("a: &a {x: 1}\nb: {c: *a}\n");
    new.set("/a/x", 2).unwrap();
    let mut again = old.clone();
    again.apply(&old.diff(&new).unwrap()).unwrap();
    assert_eq!(again.to_json().unwrap(), new.to_json().unwrap());
}

#[test]
fn origins() {
    let mut files = Memory::default();
    files.files.insert("common.yml".into(), "x: {y: 1}\n".into());
    let reader = Reader::new().world(files);
    let text = "web:\n  +include: common.yml\n  n: 1\nk: 0\n";
    let mut document = reader.parse("app.yml", text).unwrap();
    document.apply(&Patch::directives(&document).unwrap()).unwrap();
    let ops =
        "- type: remove\n  path: /k\n- type: replace\n  path: /v?/w\n  value: [7]\n";
    document.apply(&Patch::parse("ops.yml", ops).unwrap()).unwrap();
    document.set("/m?", [1]).unwrap();
    for (path, written, op) in [
        ("/web/n", "app.yml:3:6", "-"),
        ("/web/x/y", "common.yml:1:8", "app.yml:2:3"),
        ("/v/w/0", "ops.yml:5:11", "ops.yml:3:3"),
        ("/v", "-", "ops.yml:3:3"),
        ("/m/0", "-", "-"),
        ("/web", "app.yml:2:3", "-"),
    ] {
        let (found, by) = origin(&document, path);
        assert_eq!((&*found, &*by), (written, op), "{path}");
    }
}

#[test]
fn streams() {
    let mut document = parse("a: 1\n---\na: 2\n");
    let patch = Patch::default().replace("/a", 3).unwrap();
    document.apply(&patch).unwrap();
    assert_eq!(document.to_string(), "a: 3\n---\na: 2\n");
    document.apply_to_all(&patch).unwrap();
    assert_eq!(document.to_string(), "a: 3\n---\na: 3\n");
    let kinds: Vec<Kind> = document.documents().map(|root| root.kind()).collect();
    assert_eq!(kinds, [Kind::Mapping, Kind::Mapping]);
}

#[test]
fn variables_of_any_type() {
    let mut variables = Variables::new();
    variables.set("list", [1, 2]).unwrap();
    variables.set("db.port", 5432).unwrap();
    let mut document = parse("a: ((list)) # l\nb: x:((db.port))\nc: ((none))\n");
    document.fill(&variables).unwrap();
    assert_eq!(document.to_string(), "a: # l\n- 1\n- 2\nb: x:5432\nc: ((none))\n");
    assert!(variables.parse("vars.yml", "- 1\n").is_err());
}

#[test]
fn what_was_put_expands_to_it() {
    let text = "base: &b {a: 1} # base\nweb: {+*b: , c: ((v))}\n";
    let mut document = parse(text);
    document.put(&parse("base: {a: 1}\nweb: {a: 1, c: ((v))}\n")).unwrap();
    assert_eq!(document.to_string(), text);
    let mut edited = parse("base: {a: 1}\nweb: {a: 1, c: ((v))}\n");
    edited.set("/web/d?", true).unwrap();
    document.put(&edited).unwrap();
    let saved = "base: &b {a: 1} # base\nweb: {+*b: , c: ((v)), d: true}\n";
    assert_eq!(document.to_string(), saved);
}

#[test]
fn errors_have_places() {
    let error = Document::parse("a: [1\n").unwrap_err();
    assert!(error.to_string().contains("\n  at document:"), "{error}");
    let mut document = parse("jobs: []\n");
    let ops = "- {type: replace, path: /job, value: 1}\n- {type: remove, path: /x}\n";
    let patch = Patch::parse("ops.yml", ops).unwrap();
    let error = document.apply(&patch).unwrap_err();
    let problems = error.problems();
    let places = |i: usize| {
        let places = problems[i].places.iter();
        places.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(places(0), ["ops.yml:1:25", "document:1:1"]);
    assert_eq!(places(1), ["ops.yml:2:24", "document:1:1"]);
    let error = Patch::parse("ops.yml", "- {type: replac, path: /a}\n").unwrap_err();
    assert_eq!(error.problems()[0].hints, ["did you mean 'replace'?"]);
}

#[test]
fn patches_of_one_document_fit_others() {
    let base = parse("b: {x: 1}\nw: {+/b: , y: 2}\n");
    let directives = Patch::directives(&base).unwrap();
    let mut other = parse("w: {+/b: , z: 3}\nb: {x: 9}\n");
    other.apply(&directives).unwrap();
    assert_eq!(other.to_string(), "w: {z: 3, x: 1}\nb: {x: 9}\n");
    assert!(parse("a: 1\n").apply(&directives).is_err());
    // Directives go first, in whatever order patches are joined.
    let mut joined = Patch::default().replace("/w/y", 5).unwrap();
    joined.extend(directives);
    let mut document = base.clone();
    document.apply(&joined).unwrap();
    assert_eq!(document.to_string(), "b: {x: 1}\nw: {y: 5, x: 1}\n");
    // A directive that an edit made counts, too.
    let mut edited = parse("b: {x: 1}\n");
    edited.set("/w?", std::collections::BTreeMap::from([("+/b", ())])).unwrap();
    edited.apply(&Patch::directives(&edited).unwrap()).unwrap();
    assert_eq!(edited.to_json().unwrap().matches("\"x\": 1").count(), 2);
}

#[test]
fn a_printed_patch_is_read_as_the_same_patch() {
    let patch = Patch::default().test("/n", ()).unwrap().replace("/n", "~").unwrap();
    let again = Patch::parse("again.yml", &patch.to_string()).unwrap();
    let mut document = parse("n: null\n");
    document.apply(&again).unwrap();
    assert_eq!(document.to_string(), "n: '~'\n");
}

#[test]
fn a_patch_is_printed_in_its_language() {
    let json = "- op: add\n  path: /a\n  value: 1\n";
    let overlay = "\
overlay: 1.0.0
info:
  title: Changes
  version: 1.0.0
actions:
- target: $['a']
  remove: true
- target: $['a']
  remove: true
  description: Action 2
";
    for text in [json, overlay] {
        assert_eq!(Patch::parse("patch.yml", text).unwrap().to_string(), text);
    }
    let mut joined = Patch::parse("ops.yml", "- {type: remove, path: /b}\n").unwrap();
    joined.extend(Patch::parse("patch.yml", overlay).unwrap());
    joined.extend(Patch::parse("patch.yml", json).unwrap());
    let base = parse("b: {+/a: }\na: {}\n");
    joined.extend(Patch::directives(&base).unwrap());
    let printed = "\
# Left out: an op at \"/b\"; merge directives stay in their document
# Left out: an op at \"/a\"; an ops-file cannot hold it
- type: remove
  path: /b
- type: remove
  path: $['a']
  optional: true
- type: remove
  path: $['a']
  optional: true
";
    assert_eq!(joined.to_string(), printed);
}

#[test]
fn secrets_are_not_shown() {
    let mut variables = Variables::new();
    variables.set("password", "s3cret").unwrap();
    variables.parse("vars.yml", "key: s3cret\non: yes\n").unwrap();
    let mut document = parse("a: ((password))\nb: ((key))\non: ((on))\n");
    document.fill(&variables).unwrap();
    assert!(document.find("/on").unwrap().as_bool().unwrap());
    for path in ["/a", "/b"] {
        let error = document.find(path).unwrap().deserialize::<u16>().unwrap_err();
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
    let shown = format!("{document:?} {:?} {variables:?}", document.root());
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[test]
#[cfg(feature = "eval")]
fn failures_in_variables_have_places() {
    let mut variables = Variables::new();
    variables.parse("vars.yml", "x: '{{ nope }}'\n").unwrap();
    let mut document = parse("a: '{{ x }}'\n");
    // The words of a variable's value are secret, its place is not.
    let error = document.evaluate("{{ x }}", &variables).unwrap_err();
    assert!(error.to_string().contains("vars.yml:1:8"), "{error}");
    let error = document.evaluate_all(&variables).unwrap_err();
    assert!(error.to_string().contains("document:1:4"), "{error}");
}

#[test]
fn long_documents_are_walked_in_linear_time() {
    let depth = 3_000;
    let text =
        format!("{}{}{}", "[".repeat(depth), "1,".repeat(100_000), "]".repeat(depth));
    let document = parse(&text);
    assert_eq!(document.nodes().count(), depth + 100_000);
}

#[test]
fn documents_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<(Document, Patch, Reader, Variables)>();
    shared::<(super::Error, super::Node<'_>, super::Nodes<'_>)>();
}

#[test]
fn an_argument_is_a_patch_like_others() {
    let reader = Reader::new();
    let argument = |text: &str| reader.argument(crate::Verb::Set, text).unwrap();
    let document = parse("jobs: [{name: web, n: 2}]\n");
    let same = document.check(&argument("jobs[name=web].n=2"));
    assert_eq!(same[0].places[0].to_string(), "--set:1:1");
    let wrong = document.clone().apply(&argument("/jobs[name=wbe]/n=3")).unwrap_err();
    assert_eq!(wrong.place().unwrap().to_string(), "--set:1:6");
    let next = parse("tasks: [{name: web, n: 2}]\n");
    let rebased =
        crate::rebase(&document, &next, &argument("jobs[name=web].n=3")).unwrap();
    assert_eq!((rebased.ops.len(), rebased.files.len()), (1, 0));
    let mut recording = crate::Recording::of(document);
    recording.apply(&argument("jobs[name=web].n=3")).unwrap();
    let lines = recording.finish().lines().unwrap();
    let origin = lines[0].origin.as_ref().unwrap();
    assert_eq!(origin.place.as_ref().unwrap().name, "--set");
}

#[test]
fn lines_know_their_document() {
    let mut recording = crate::Recording::of(parse("# A\na: 1\n---\na: 1\nb:\n- 2\n"));
    recording.apply_where(&Patch::new().replace("/a", 5).unwrap(), "@.b").unwrap();
    let history = recording.finish();
    let lines = history.lines().unwrap();
    let shown: Vec<_> = lines
        .iter()
        .map(|it| (it.text.as_str(), it.document, it.paths.join(" ")))
        .collect();
    assert_eq!(
        shown,
        [
            ("# A", 0, String::new()),
            ("a: 1", 0, " /a".into()),
            ("---", 0, String::new()),
            ("a: 5", 1, " /a".into()),
            ("b:", 1, "/b".into()),
            ("- 2", 1, "/b/0".into()),
        ]
    );
    assert_eq!(history.find_in(1, "/a").unwrap()[0].value.as_deref(), Some("5"));
    assert_eq!(history.find_in(2, "/a").unwrap(), []);
}

#[test]
fn data_has_no_comments_to_save() {
    let text = "# Ours.\n\na: 1   # one\n\n# Theirs.\nb: 2\n";
    let mut document = parse(text);
    let mut data = std::collections::BTreeMap::from([("b", 2), ("a", 1)]);
    document.put(&Document::from_value(&data).unwrap()).unwrap();
    assert_eq!(document.to_string(), text);
    data.insert("b", 3);
    document.put(&Document::from_value(&data).unwrap()).unwrap();
    assert_eq!(document.to_string(), text.replace("b: 2", "b: 3"));
}

/// Runs a job on a stream, and returns the text.
fn done(text: &str, job: &Job) -> crate::Result<String> {
    let mut recording = Recording::of(parse(text));
    let before = recording.document().to_string();
    let done = recording.run(job);
    let after = recording.document().to_string();
    assert!(done.is_ok() || before == after, "a failed job changes nothing");
    done.map(|_| after)
}

#[test]
fn a_job_is_for_the_documents_of_its_patch() {
    let mut variables = Variables::new();
    variables.set("v", 5).unwrap();
    let stream = "a: {n: ((v))}\nb: {+/a: }\n---\na: {n: ((v))}\nb: {+/a: }\n";
    let job = Job::new().variables(variables);
    let (first, second) = stream.split_once("---\n").unwrap();
    let expanded = "a: {n: 5}\nb: {n: 5}\n";
    assert_eq!(done(stream, &job).unwrap(), format!("{expanded}---\n{second}"));
    let all = job.clone().documents(Documents::All);
    assert_eq!(done(stream, &all).unwrap(), format!("{expanded}---\n{expanded}"));
    let plain = all.directives(false);
    let filled = first.replace("((v))", "5");
    assert_eq!(done(stream, &plain).unwrap(), format!("{filled}---\n{filled}"));
    // The selector of an op adds a document.
    let ops = "- {type: replace, path: /x?, value: ((v)), where: '@.k == 2'}\n";
    let job = job.patch(Patch::parse("ops.yml", ops).unwrap());
    let text = "k: 1\nn: ((v))\n---\nk: 2\nn: ((v))\n---\nk: 3\nn: ((v))\n";
    let wanted = "k: 1\nn: 5\n---\nk: 2\nn: 5\nx: 5\n---\nk: 3\nn: ((v))\n";
    assert_eq!(done(text, &job).unwrap(), wanted);
}

#[test]
fn a_job_selects_before_its_directives() {
    let stream = "kind: A\nbase: {kind: B}\n+/base: \n---\nkind: B\n";
    let job = Job::new().documents(Documents::Where("kind=A".into()));
    let job = job.patch(Patch::new().replace("/kind", "C").unwrap());
    assert!(done(stream, &job).unwrap().starts_with("kind: C\n"));
    assert!(done(stream, &job.documents(Documents::Where("kind=(".into()))).is_err());
}

#[test]
fn a_failed_job_changes_nothing() {
    let text = "a: {n: 1}\nb: {+/a: }\n";
    assert!(done(text, &Job::new().patch(Patch::new().remove("/c").unwrap())).is_err());
}

#[test]
fn variables_are_put_back() -> Result<()> {
    let text = "url: ((host)):80   # inside\nn: 1\n";
    let edited = Document::parse("url: db:80\nn: 2\n")?;
    let mut variables = Variables::new();
    variables.set("host", "db")?;
    let mut document = Document::parse(text)?;
    let notes = document.put_with(&edited, &Job::new().variables(variables))?;
    assert_eq!(notes.len(), 0);
    assert_eq!(document.to_string(), "url: ((host)):80   # inside\nn: 2\n");
    // Without the value a note tells that the variable is lost.
    let mut document = Document::parse(text)?;
    let notes = document.put(&edited)?;
    assert_eq!(document.to_string(), "url: db:80   # inside\nn: 2\n");
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(note.message.contains("((variable))"), "{note:?}");
    assert!(note.hints.is_empty(), "{note:?}");
    assert_eq!(note.places[0].to_string(), "document:1:6");
    Ok(())
}

#[cfg(feature = "eval")]
#[test]
fn templates_are_put_back() -> Result<()> {
    let text = "sum: '{{ 1 + 1 }}'   # computed\nn: 1\n";
    let edited = Document::parse("sum: 2\nn: 2\n")?;
    let mut document = Document::parse(text)?;
    let notes = document.put_with(&edited, &Job::new().templates(true))?;
    assert_eq!(notes.len(), 0);
    assert_eq!(document.to_string(), "sum: '{{ 1 + 1 }}'   # computed\nn: 2\n");
    let mut document = Document::parse(text)?;
    let notes = document.put(&edited)?;
    assert_eq!(document.to_string(), "sum: 2   # computed\nn: 2\n");
    assert!(notes[0].message.contains("a template"), "{notes:?}");
    Ok(())
}

#[test]
fn a_job_with_a_patch_has_no_way_back() -> Result<()> {
    let mut document = Document::parse("n: 1\n")?;
    let job = Job::new().patch(Patch::new().replace("/n", 2)?);
    let edited = Document::parse("n: 2\n")?;
    let error = document.put_with(&edited, &job).unwrap_err();
    assert!(error.to_string().contains("no way back"), "{error}");
    assert_eq!(document.to_string(), "n: 1\n");
    Ok(())
}

#[test]
fn documents_are_put_back_by_their_names() {
    let text = "kind: A\nmetadata: {name: a}\nn: 1 # a\n---\nkind: A\nmetadata: {name: b}\nn: 1 # b\n";
    let edited = Document::parse("kind: A\nmetadata: {name: b}\nn: 2\n").unwrap();
    let mut document = parse(text);
    let job = Job::new().documents(Documents::All);
    let notes = document.put_with(&edited, &job).unwrap();
    assert_eq!(document.to_string(), text.replace("n: 1 # b", "n: 2 # b"));
    assert!(notes[0].message.contains("not in EDITED"), "{notes:?}");
}

#[test]
fn a_merge_of_json_has_the_keys_of_ours() {
    let base = parse("{\"200\": 1, \"404\": 2}\n");
    let ours = parse("200: 3\n404: 2\n");
    let theirs = parse("{\"200\": 1, \"404\": 4}\n");
    let merge = crate::merge(&base, &ours, &theirs).unwrap();
    assert_eq!(merge.document().to_string(), "200: 3\n404: 4\n");
    assert!(merge.conflicts().is_empty());
}

#[test]
fn a_path_has_three_languages() -> Result<()> {
    let text = "jobs: [{name: web, env: {}}, {name: db}]   # all\n'a.b': {c/d: [1]}\n";
    let mut document = parse(text);
    for path in
        ["/jobs/name=db/name", "jobs[name=db].name", "$.jobs[1].name", ".jobs[1].name"]
    {
        assert_eq!(document.find(path)?.path(), "/jobs/1/name");
    }
    assert_eq!(document.find("['a.b']['c/d'][0]")?.to_string(), "1");
    assert_eq!(document.find("/jobs")?.get("$[1].name").unwrap().path(), "/jobs/1/name");
    assert!(document.get("$.jobs[*]").is_none());
    let failure = |path: &str| document.find(path).unwrap_err().to_string();
    assert!(failure("$.jobs[*]").starts_with("'$.jobs[*]' has 2 matches"));
    assert!(failure("jobs[name=dc].name").contains("did you mean 'db'?"));
    assert!(failure("$.job").contains("nothing matches '$.job'"));
    assert!(failure("jobs[*]").contains("'*' stands in a JSONPath only"));
    document.set("jobs[name=web].env.HOME", "/root")?;
    document.set("$.jobs[*].i", 1)?;
    document.append("jobs[name=db].azs", "z1")?;
    document.append("$.jobs[?@.name=='db'].azs", "z2")?;
    document.remove("$['a.b']")?;
    let saved = "jobs: [{name: web, env: {HOME: /root}, i: 1}, {name: db, i: 1, azs: [z1, z2]}]   # all\n";
    assert_eq!(document.to_string(), saved);
    let patch = Patch::new().test("jobs[name=db].i", 1)?.remove("$.jobs[*].i")?;
    document.apply(&patch.append("jobs[0].azs", "z3")?)?;
    assert!(document.to_string().contains("HOME: /root}, azs: [z3]}"));
    Ok(())
}

#[test]
fn a_bookmark_follows_an_item() -> Result<()> {
    let mut document =
        parse("jobs:\n- {name: web}\n- &db {name: db, l: [{n: 1}]}\n- *db\n");
    let marked =
        |document: &Document, path: &str| document.find(path).unwrap().bookmark();
    let db = marked(&document, "/jobs/name=web:next");
    let deep = marked(&document, "/jobs/1/l/0");
    document.set("/jobs/0:before", ["new"])?;
    document.set("/jobs/1:before", std::collections::BTreeMap::from([("made", 1)]))?;
    let made = marked(&document, "/jobs/1");
    let at = |document: &Document, mark: &Bookmark| {
        mark.find(document).map(|node| node.path()).map_err(|error| error.to_string())
    };
    assert_eq!(at(&document, &deep).as_deref(), Ok("/jobs/3/l/0"));
    // The ops copy what an earlier patch has brought.
    let patch = Patch::new().replace("/jobs/1/made", 2)?.remove("/jobs/0")?;
    document.apply(&patch)?;
    document.set("/jobs/0/made", 3)?;
    assert_eq!(at(&document, &made).as_deref(), Ok("/jobs/0"));
    let list = crate::JsonPointer::of(["jobs"]);
    document.apply(&Patch::new().reorder_at(&list, &[3, 2, 1, 0])?)?;
    assert_eq!(at(&document, &made).as_deref(), Ok("/jobs/3"));
    assert_eq!(at(&document, &db).as_deref(), Ok("/jobs/1"));
    document.set("/jobs/1/name", "DB")?;
    assert_eq!(at(&document, &deep).as_deref(), Ok("/jobs/1/l/0"));
    document.remove("/jobs/-1")?;
    assert_eq!(
        at(&document, &made).unwrap_err(),
        "the item is no longer in the list at '/jobs'"
    );
    document.set("/jobs", [[1], [2]])?;
    let replaced = "the value at '/jobs' has been replaced";
    assert_eq!(at(&document, &db).unwrap_err(), replaced);
    // A document that was read anew has the same places.
    document.put(&parse("jobs: [[3], [4]]\n"))?;
    assert_eq!(at(&document, &db).as_deref(), Ok("/jobs/1"));
    Ok(())
}

#[test]
fn a_bookmark_tells_aliases_apart() -> Result<()> {
    let mut document = parse("- &a {n: 1}\n- *a\n- *a\n- *a\n");
    let marks: Vec<Bookmark> = document.root().items().map(|it| it.bookmark()).collect();
    let at = |document: &Document, number: usize| {
        marks[number].find(document).ok().map(|node| node.path())
    };
    document.remove("/1")?;
    assert_eq!(at(&document, 1), None);
    assert_eq!(at(&document, 3).as_deref(), Some("/2"));
    document.set("/2/n", 5)?;
    document.set("/0:before", 0)?;
    assert_eq!(at(&document, 3).as_deref(), Some("/3"));
    assert_eq!(at(&document, 2).as_deref(), Some("/2"));
    assert_eq!(at(&document, 0).as_deref(), Some("/1"));
    Ok(())
}

#[test]
fn equal_items_stay_themselves() -> Result<()> {
    let text = "l: # list\n- a # A\n# above b\n- b # B\n- {c: 1} # C\n- b # second\n";
    let splice = |range, values: serde_json::Value| {
        let mut document = parse(text);
        let list = crate::JsonPointer::of(["l"]);
        let values = values.as_array().unwrap();
        let patch = Patch::new().splice_at(&document, &list, range, values)?;
        document.apply(&patch)?;
        Ok::<_, crate::Error>(document.to_string())
    };
    use serde_json::json;
    assert_eq!(splice(0..4, json!(["a", "b", {"c": 1}, "b"]))?, text);
    assert_eq!(
        splice(0..4, json!([{"c": 1}, "b"]))?,
        "l: # list\n- {c: 1} # C\n# above b\n- b # B\n"
    );
    let replaced = text.replace("- b # B", "- x # B");
    assert_eq!(splice(1..3, json!(["x", {"c": 1}]))?, replaced);
    assert_eq!(splice(1..4, json!([]))?, "l: # list\n- a # A\n");
    let inserted = text.replace("- a # A\n", "- a # A\n- x\n");
    assert_eq!(splice(1..1, json!(["x"]))?, inserted);
    assert_eq!(splice(0..4, json!([]))?, "l: [] # list\n");
    Ok(())
}

#[test]
fn a_spelling_is_written_everywhere() -> Result<()> {
    use crate::Spelled;
    let day = Spelled("2024-01-02");
    let text = "day: 2024-01-01 # D\nl: [1]\n";
    let mut document = parse(text);
    document.set("/day", day)?;
    document.append("/l", std::collections::BTreeMap::from([("on", day)]))?;
    let saved = "day: 2024-01-02 # D\nl: [1, {'on': 2024-01-02}]\n";
    assert_eq!(document.to_string(), saved);
    let patch = Patch::new().replace("/day", day)?;
    let patch = patch.append("/l", std::collections::BTreeMap::from([("on", day)]))?;
    let mut patched = parse(text);
    patched.apply(&patch)?;
    assert_eq!(patched.to_string(), saved);
    let mut recording = crate::Recording::of(parse(text));
    recording.apply(&patch)?;
    assert_eq!(recording.document().to_string(), saved);
    assert_eq!(Document::from_value([day])?.to_string(), "- 2024-01-02\n");
    for wrong in
        ["", "a: b", "'a'", "a # b", "a\nb", " a", "- a", "--- a", "!x a", "&a b", "[a]"]
    {
        assert!(document.set("/day", Spelled(wrong)).is_err(), "{wrong}");
    }
    assert_eq!(serde_json::to_string(&day).unwrap(), "\"2024-01-02\"");
    Ok(())
}

#[test]
fn an_equal_value_of_code_is_no_edit() -> Result<()> {
    let text = "a: 0x10 # A\nb: &b 1.10\nc: *b\nd: ~\ne: TRUE\nf: |\n  x\n  y\ng: [ 1,  \"t\" ]\n";
    let mut document = parse(text);
    let mut patch = Patch::new();
    let data: serde_json::Value = document.deserialize()?;
    for (key, value) in data.as_object().unwrap() {
        document.set(key, value)?;
        let at = crate::JsonPointer::of([key]);
        document.replace_at(&at, value)?;
        document.add_at(&at, value)?;
        patch = patch.replace(key, value)?.add_at(at, value)?;
    }
    assert_eq!(document.to_string(), text);
    document.apply(&patch)?;
    assert_eq!(document.to_string(), text);
    document.add_at(&crate::JsonPointer::of(["g", "0"]), 1)?;
    document.set("/a", 16.0)?;
    assert!(document.to_string().starts_with("a: 16.0 # A\n"));
    assert!(document.to_string().contains("g: [ 1,  1,  \"t\" ]"));
    Ok(())
}
