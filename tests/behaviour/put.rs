//! Puts the edits of the cases of `fixtures/save` that have variables or templates back by the
//! library: it gives the texts that the program gives.

use interpolate::{Documents, Job, Memory, Reader, Variables};
use interpolate_fixtures::archive::Archive;

#[test]
fn variables_and_templates_stay() {
    let mut count = 0;
    for case in Archive::all("save") {
        let Some(job) = job(&case) else { continue };
        count += 1;
        let mut world = Memory::default();
        for file in case.names() {
            world.files.insert(file.into(), case.text(file).into());
        }
        let reader = Reader::new().world(world);
        let read = |name| reader.parse(name, case.text(name)).unwrap();
        let mut document = read("source.yml");
        let saved = document.put_with(&read("edited.yml"), &job);
        let saved = saved.map(|_| document.to_string()).ok();
        let wanted = case.bytes("out.yml").map(|_| case.text("out.yml"));
        assert_eq!(saved.as_deref(), wanted, "{}", case.name());
    }
    assert!(count > 20, "{count}");
}

/// Returns the job of a case with variables or templates; `None` for other cases, and for
/// options that a job does not have.
fn job(case: &Archive) -> Option<Job> {
    let mut variables = Variables::new();
    let mut job = Job::new();
    let mut has_values = false;
    let mut words = case.text("options").split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-v" => {
                let (name, value) = words.next()?.split_once('=')?;
                variables.parse("-v", &format!("{name}: {value}\n")).unwrap();
            }
            "-l" => variables.parse("vars.yml", case.text(words.next()?)).unwrap(),
            "--eval" => job = job.templates(true),
            "--all-documents" => job = job.documents(Documents::All),
            "--explain-save" => continue,
            _ => return None,
        }
        has_values |= matches!(word, "-v" | "-l" | "--eval");
    }
    has_values.then(|| job.variables(variables))
}
