//! Tests that no message about templates and expressions contains a secret, that a secret
//! which equals a name of the document changes no message, and that no history shows one.

use std::sync::Arc;

use interpolate::unstable::diagnostic::Printer;
use interpolate::unstable::eval::{self, Context, Exception, Session};
use interpolate::unstable::history::{
    DocumentHistory, Length, PastValue, Recorder, Redaction,
};
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions};
use interpolate::unstable::yaml::{self, Expansion, Options};

/// Values that a secret can be a part of. `s` is the secret, `@` another operand.
const OPERANDS: &[&str] = &[
    "s",
    r#""x""#,
    "3",
    "nofilter",
    "data.k",
    "(s ~ @)",
    r#"(@ ~ s ~ "y")"#,
    "[s, @]",
    r#"{"k": s, s: %}"#,
    "(s | upper | lower)",
    r#"("<%s>" % s)"#,
    r#"("{}!".format(s))"#,
    r#"([s, @] | join("-"))"#,
    "(s if @ else 1)",
    "(@ | default(s))",
    r#"(s.split("q") | join("q"))"#,
    "([s] | to_json)",
    r#"([@, s] | map("string") | list)"#,
    "(s | b64encode | b64decode)",
    r#"("((s))" ~ @)"#,
];

/// Uses of an operand `@`, most of which fail.
const USES: &[&str] = &[
    "'{{ @ }}'",
    "'{{ @ | nofilter }}'",
    "'{{ @ is nofilter }}'",
    "'{{ data[@] }}'",
    "'{{ data.nofilter ~ @ }}'",
    "'{{ data[\"nofilter\"] ~ data[@] }}'",
    "'{{ @.nofilter }}'",
    "'{{ @.nofilter() }}'",
    "'{{ lookup(@) }}'",
    "'{{ lookup(\"nofilter\", @) }}'",
    "'{{ [1] | map(@) | list }}'",
    "'{{ [1] | map(\"nofilter\") | list ~ @ }}'",
    "'{{ @ | int + \"a\" }}'",
    "'{{ @ | to_datetime }}'",
    "'{{ @ | from_json }}'",
    "'{{ @ | upper(nofilter=@) }}'",
    "'{{ dict(**{%: 1}).nofilter }}'",
    "'{{ \"a\" | upper(**{%: 1}) }}'",
    "'{% include @ %}'",
    "'{% include \"nofilter\" %}'",
    "'{% set t %}<{{ @ }}>{% endset %}{{ data[t] }}'",
    "'{% for c in [@] %}{{ data[c] }}{% endfor %}'",
    "'{% macro m(a) %}{{ data[a] }}{% endmacro %}{{ m(@) }}'",
    "'{% macro m() %}{% endmacro %}{{ m(nofilter=@) }}'",
    "'{% nofilter %}{{ @ }}'",
    "'{{ 1 | ((s)) }}'",
    "'{{ a((s)) }}'",
    "((s))",
    "{eval: '::nofilter'}",
    "{eval: '::((s))'}",
    "{eval: {nofilter: {eval: $s}}}",
    "{get_input: nofilter}",
    "{get_input: {eval: $s}}",
    "{eval: {template: '{{ @ | to_datetime }}'}}",
    "{eval: {concat: [{eval: $s}, {get_input: {eval: $s}}]}}",
    "{lookup: {nofilter: {eval: $s}}}",
];

/// A name of the templates, as a secret.
const NAME: &str = "nofilter";

/// Checks the messages of a document. A secret has as many letters as the name, and none
/// of the templates contains it.
pub fn check(uses: &[[usize; 3]], secret: &str) -> Result<(), String> {
    let text = document(uses);
    if text.contains(secret) {
        return Ok(());
    }
    let hidden = messages(&text, secret)?;
    if hidden.contains(secret) {
        return Err(format!("--- {secret} in\n{text}--- shown\n{hidden}"));
    }
    // The names of a template that a secret was written into may be secret.
    if text.contains("((") {
        return Ok(());
    }
    let named = messages(&text, NAME)?;
    if named != hidden {
        return Err(format!("--- in\n{text}--- {secret}\n{hidden}--- {NAME}\n{named}"));
    }
    Ok(())
}

/// Checks what is told of each value of a document, and of each event that made it.
pub fn check_history(uses: &[[usize; 3]], secret: &str) -> Result<(), String> {
    // The values of the document may be evaluated from each other.
    let more = "copy: '{{ u0 }}'\nnested: '{{ [{\"k\": u0}, data] }}'\n";
    let text = document(uses) + more + "((s)): '((s)) {{ 1 }}'\n";
    if text.contains(secret) {
        return Ok(());
    }
    let told = told(&evaluated(&mut Sources::default(), &text, secret)?.history);
    if told.contains(secret) {
        return Err(format!("--- {secret} in\n{text}--- told\n{told}"));
    }
    Ok(())
}

/// Returns all that may be told of a history.
fn told(history: &DocumentHistory) -> String {
    let mut places = history.values(0, Expansion::default()).unwrap();
    let visited = history.visit(0, &mut |place| {
        places.push(place);
        Ok(true)
    });
    visited.unwrap();
    let (mut told, whole) = (String::new(), Length::Whole(Expansion::default()));
    for place in places {
        let text = |value: &PastValue| {
            let print = |redaction| history.print(value, redaction, whole);
            [Redaction::Json, Redaction::People].map(|it| print(it).unwrap())
        };
        let value = place.value.as_ref().map(text);
        told += &format!("{}: {value:?}\n", place.path);
        for event in history.events(&place) {
            let (before, after) = (event.before.as_ref(), event.after.as_ref());
            let values = (before.map(text), after.map(text));
            told += &format!("{values:?} {:?} {:?}\n", event.from, event.names);
        }
    }
    told
}

fn document(uses: &[[usize; 3]]) -> String {
    let mut text = "data: {k: v}\n".to_owned();
    for (i, [of, outer, inner]) in uses.iter().enumerate() {
        let simple = OPERANDS[inner % 5];
        let operand = OPERANDS[outer % OPERANDS.len()].replace('@', simple);
        let used = USES[of % USES.len()].replace('@', &operand);
        text += &format!("u{i}: {used}\n");
    }
    text
}

/// Returns the errors and warnings of a document, as they are printed.
fn messages(text: &str, secret: &str) -> Result<String, String> {
    let mut sources = Sources::default();
    let Evaluated { session, failed, .. } = evaluated(&mut sources, text, secret)?;
    let mut printer = Printer::new(&sources, false);
    let warnings = session.context.warnings();
    let raised = failed.into_iter().chain(warnings);
    let pages = raised.map(|raised| printer.print(&eval::report(&raised, &sources)));
    Ok(pages.collect::<Vec<_>>().join("\n\n"))
}

/// A document whose variables are filled in, and whose templates are evaluated, as far as
/// they do not fail.
struct Evaluated {
    session: Session,
    failed: Vec<Exception>,
    history: DocumentHistory,
}

fn evaluated(
    sources: &mut Sources,
    text: &str,
    secret: &str,
) -> Result<Evaluated, String> {
    let file = sources.add("base.yml", text);
    let document = yaml::read(sources, file, &Options::default());
    let mut document = document.map_err(|error| format!("{error}\n{text}"))?;
    let mut recorder = Recorder::default();
    recorder.start(&mut document);
    let mut given = Bindings::default();
    given.add_text("s", secret);
    let filled = variables::fill(
        &mut document,
        0..1,
        &given,
        None,
        &Memory::default(),
        &FillOptions::default(),
    );
    filled.map_err(|e| format!("{e:?}"))?;
    recorder.record_variables(&mut document);
    let blank = yaml::blank().map_err(|e| e.to_string())?;
    let variables = eval::given(&given, blank).map_err(|e| e.to_string())?;
    let languages = eval::languages(&eval::LanguageSettings::default());
    let world = Arc::new(Memory::default());
    let context = Context::new(world, Allow::default(), "", languages);
    let mut session = Session::new(context).variables(variables);
    let failed = eval::fill(&mut document, 0..1, &mut session).err();
    recorder.record_templates(&mut document);
    let history = recorder.finish(document);
    Ok(Evaluated { session, failed: failed.unwrap_or_default(), history })
}
