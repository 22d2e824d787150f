//! An expression and a document, separated by a NUL: evaluating never panics and always
//! ends. (Run with `-detect_leaks=0`: variables that refer to each other live as long as
//! the program.)
#![no_main]

use std::sync::Arc;

use interpolate::unstable::eval::Value;
use interpolate::unstable::eval::{
    self, Context, LanguageSettings, Limits, Session, Start, Strict,
};
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let Some((expression, document)) = data.split_once('\0') else { return };
    let mut sources = Sources::default();
    let mut read = |text: &str| {
        let file = sources.add("text", text);
        let document = yaml::read(&sources, file, &Options::default()).ok()?;
        let root = document.root();
        Some(eval::read(&Arc::new(document), root))
    };
    let Some(document) = read(document) else { return };
    let source = if expression.trim_start().starts_with('{') {
        match read(expression) {
            Some(source) => source,
            None => return,
        }
    } else {
        Value::text(expression)
    };
    for (instances, strict) in [(false, Strict::Undefined), (true, Strict::Cycles)] {
        let world = Arc::new(Memory::default());
        let settings = LanguageSettings {
            python_literals: instances,
            ..LanguageSettings::default()
        };
        let mut context =
            Context::new(world, Allow::NOTHING, "/", eval::languages(&settings));
        let default = Limits::default();
        context.limits = Limits { fuel: 100_000, output: 1 << 20, depth: 50, ..default };
        let mut session = Session::new(context);
        session.strict = strict;
        let start = Start { instances, ..Start::default() };
        let session = session.document(document.clone(), start);
        drop(session.evaluate(Some("unfurl"), &source));
    }
});
