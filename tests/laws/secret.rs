//! Tests that no message about templates and expressions contains a secret, and that a
//! secret which equals a name of the document changes no message.

use std::sync::Arc;

use interpolate::unstable::diagnostic::Printer;
use interpolate::unstable::eval::{self, Context, Session};
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions};
use interpolate::unstable::yaml::{self, Options};

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
pub(crate) fn check(uses: &[[usize; 3]], secret: &str) -> Result<(), String> {
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
    let file = sources.add("base.yml", text);
    let document = yaml::read(&sources, file, &Options::default());
    let mut document = document.map_err(|error| format!("{error}\n{text}"))?;
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
    let blank = yaml::blank().map_err(|e| e.to_string())?;
    let variables = eval::given(&given, blank).map_err(|e| e.to_string())?;
    let languages = eval::languages(&eval::LanguageSettings::default());
    let world = Arc::new(Memory::default());
    let context = Context::new(world, Allow::default(), "", languages);
    let mut session = Session::new(context).variables(variables);
    let failed = eval::fill(&mut document, 0..1, &mut session).err();
    let mut printer = Printer::new(&sources, false);
    let warnings = session.context.warnings();
    let raised = failed.into_iter().flatten().chain(warnings);
    let pages = raised.map(|raised| printer.print(&eval::report(&raised, &sources)));
    Ok(pages.collect::<Vec<_>>().join("\n\n"))
}
