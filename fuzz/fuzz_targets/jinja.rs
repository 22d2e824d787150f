//! A template and variables, separated by a NUL: rendering never panics and always ends.
//! (Run with `-detect_leaks=0`: variables that refer to each other live as long as the
//! program.)
#![no_main]

use std::sync::Arc;

use interpolate::unstable::eval::Value;
use interpolate::unstable::eval::{
    self, Context, LanguageSettings, Limits, Session, Strict,
};
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let (template, variables) = data.split_once('\0').unwrap_or((data, "{}"));
    let mut sources = Sources::default();
    let file = sources.add("text", variables);
    let Ok(document) = yaml::read(&sources, file, &Options::default()) else { return };
    let root = document.root();
    let Value::Dict(variables) = eval::read(&Arc::new(document), root) else { return };
    for literals in [false, true] {
        let mut world = Memory::default();
        world.files.insert("/a".into(), template.to_owned());
        let allow = Allow { file: true, ..Allow::NOTHING };
        let settings =
            LanguageSettings { python_literals: literals, ..LanguageSettings::default() };
        let dialects = eval::languages(&settings);
        let mut context = Context::new(Arc::new(world), allow, "/", dialects);
        let default = Limits::default();
        context.limits = Limits { fuel: 100_000, output: 1 << 20, depth: 50, ..default };
        let mut session = Session::new(context).variables(variables.clone());
        session.strict = if literals { Strict::Lenient } else { Strict::Cycles };
        drop(session.evaluate(Some("jinja"), &Value::text(template)));
    }
});
