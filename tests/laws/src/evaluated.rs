//! Tests that edits of evaluated templates and expressions are saved: the saved document
//! evaluates to the edited one, and saving an unchanged one changes no byte.

use std::sync::Arc;

use hashbrown::HashSet;
use interpolate::unstable::compile::Rules;
use interpolate::unstable::eval::{self, Context, Session, Strict};
use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::restore::{self, RestoreOptions};
use interpolate::unstable::source::{Allow, Memory, Sources, Span};
use interpolate::unstable::variables::{TemplateRestorer, UsedValues};
use interpolate::unstable::yaml::{self, Expansion, Options};
use serde_json::Value;

use crate::directives::DirectiveExpander;
use crate::edited::edit;
use crate::save::Choices;

/// Values for keys; `a` to `e` are keys as well. Data that looks like a template is left
/// out, because an edit would turn it into one.
const VALUES: &[&str] = &[
    "1",
    "one  # a word",
    "[1, {n: 1}]",
    "{n: 2, m: [x, y]}",
    "'{{ a }}'",
    "\"{{ b ~ '!' }}\"  # a template",
    "'{{ [a, c] }}'",
    "'{{ {\"n\": a, \"m\": [d]} }}'",
    "['{{ a }}', 1, '{{ b }}']",
    "{n: '{{ c }}', m: [1, '{{ a }}']}",
    "{eval: '::a'}",
    "[{eval: '::b'}, {n: {eval: {concat: [x, y]}}}]",
    "\n  n: >-\n    {{ e | default(1) }}\n  m: 3",
    "'{{ a.n | default(0) }}'",
    "'{% raw %}x{% endraw %}{# y #}'",
    "&q {n: '{{ 1 + 2 }}', m: &r ['{{ x | default(4) }}', &s '{{ 5 }}']}",
    "&q\n  n: 1\n  m: &r {k: &s '{{ [1, 2] }}'}",
    "*q",
    "{<<: *q, n: [*s, *r]}",
    "{n: *s, m: '{{ a.n | default(0) }}'}",
];

/// Saves several edits one after another. A document that does not evaluate is not a
/// case.
pub fn check(values: &[usize], edits: &[Vec<u32>]) -> Result<(), String> {
    let entry = |(i, value): (usize, &usize)| {
        format!("{}: {}\n", ["a", "b", "c", "d", "e"][i], VALUES[value % VALUES.len()])
    };
    let mut text: String = values.iter().take(5).enumerate().map(entry).collect();
    let Ok(mut value) = evaluate(&text) else { return Ok(()) };
    let printed = fill_in(&text)?.to_string();
    for edited in [&value.to_string(), &printed] {
        let same = save(&text, edited);
        if same.as_ref() != Ok(&text) {
            return Err(format!("--- source\n{text}--- GetPut\n{edited}\n{same:?}"));
        }
    }
    for numbers in edits {
        edit(&mut Choices::new(numbers), &mut value);
        let story = format!("--- source\n{text}--- edited\n{value}\n--- ");
        text = save(&text, &value.to_string())
            .map_err(|why| format!("{story}not saved: {why}"))?;
        let again = evaluate(&text);
        if again.as_ref() != Ok(&value) {
            return Err(format!("{story}saved\n{text}--- PutGet: {again:?}"));
        }
        let twice = save(&text, &value.to_string());
        if twice.as_ref() != Ok(&text) {
            return Err(format!("{story}saved\n{text}--- PutPut: {twice:?}"));
        }
    }
    Ok(())
}

fn session() -> Session {
    let world = Arc::new(Memory::default());
    let context = Context::new(
        world,
        Allow::default(),
        "",
        eval::languages(&eval::LanguageSettings::default()),
    );
    let mut session = Session::new(context);
    session.strict = Strict::Cycles;
    session
}

/// Evaluates a document. On failure returns the place.
fn fill(document: &mut Tree) -> Result<HashSet<NodeId>, (String, Vec<Span>)> {
    eval::fill(document, 0..1, &mut session()).map_err(|failed| {
        let places = failed.iter().flat_map(|failed| &failed.places).map(|place| place.0);
        (failed[0].message.clone(), places.collect())
    })
}

fn fill_in(text: &str) -> Result<Tree, String> {
    let mut document = read(&mut Sources::default(), text)?;
    fill(&mut document).map_err(|failed| failed.0)?;
    Ok(document)
}

/// Evaluates a text.
fn evaluate(text: &str) -> Result<Value, String> {
    let document = fill_in(text)?;
    let json = yaml::json::print(&document, document.root(), Expansion::default());
    serde_json::from_str(&json.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}

fn save(text: &str, edited: &str) -> Result<String, String> {
    let mut sources = Sources::default();
    let written = read(&mut sources, text)?;
    let edited = read(&mut sources, edited)?;
    let mut filled = written.clone();
    let volatile = fill(&mut filled).map_err(|failed| failed.0)?;
    let session = session();
    let is_template = |document: &Tree, node| eval::is_source(document, node, &session);
    let restorer = TemplateRestorer {
        is_data: &|_, _| false,
        accepts_code: true,
        written: &written,
        filled: &filled,
        edited: &edited,
        is_template: &is_template,
        volatile: &volatile,
        values: &UsedValues::default(),
    };
    let restored = restorer.restore(&mut fill)?;
    let edited = read(&mut sources, &restored.document.to_string())?;
    let world = Memory::default();
    let mut get = DirectiveExpander { world: &world, rules: Rules::default() };
    restore::save(&mut sources, &written, &edited, &RestoreOptions::default(), &mut get)
        .map(|saved| saved.text)
        .map_err(|e| e.to_string())
}

fn read(sources: &mut Sources, text: &str) -> Result<Tree, String> {
    let file = sources.add("source.yml", text);
    yaml::read(sources, file, &Options::default()).map_err(|e| e.to_string())
}
