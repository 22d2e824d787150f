//! A Heat template, and after a NUL what is given to it: evaluating never panics and always
//! ends, and printing what it resolves to succeeds.
#![no_main]

use std::sync::Arc;

use interpolate::eval::hot::{self, Input, Unresolved};
use interpolate::eval::{self, Context, Limits};
use interpolate::python::{Dict, Value};
use interpolate::scalar::Dialect;
use interpolate::source::{Allow, Memory, Sources};
use interpolate::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let (template, given) = data.split_once('\0').unwrap_or((data, ""));
    let mut sources = Sources::default();
    let options = Options { dialect: Dialect::Yaml11, ..Options::default() };
    let mut read = |text: &str| {
        let file = sources.add("text", text);
        yaml::read(&sources, file, &options).ok().map(Arc::new)
    };
    let Some(document) = read(template) else { return };
    let given = read(given).and_then(|given| {
        let (root, text) = (given.root(), "");
        hot::data(&given, root, text).ok()
    });
    let part = |name: &str| match &given {
        Some(Value::Dict(given)) => match given.get_text(name) {
            Ok(Some(Value::Dict(part))) => part,
            _ => Dict::default(),
        },
        _ => Dict::default(),
    };
    for unresolved in [Unresolved::Null, Unresolved::Keep] {
        let input = Input {
            environments: given.iter().map(|v| ("given".into(), v.clone())).collect(),
            attributes: part("attributes"),
            ids: part("ids"),
            unresolved,
            ..Input::default()
        };
        let world = Arc::new(Memory::default());
        let mut context = Context::new(world, Allow::NOTHING, "/", eval::languages());
        context.limits = Limits { fuel: 100_000, output: 1 << 20, depth: 50, ..Limits::default() };
        let root = document.root();
        let evaluated =
            hot::evaluate(document.clone(), root, template, input, context, false);
        let Ok(evaluated) = evaluated else { continue };
        for part in [evaluated.shown_parameters(), evaluated.resources, evaluated.outputs] {
            let file = sources.add("", "");
            let blank = yaml::read(&sources, file, &Options::default());
            let mut blank = blank.expect("nothing is a document");
            let printed = eval::to_yaml(&mut blank, &Value::Dict(part));
            printed.expect("what was evaluated can be printed");
        }
    }
});
