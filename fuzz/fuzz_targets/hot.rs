//! A Heat template, and after a NUL each an environment, attributes, ids and the last
//! run: evaluating never panics and always ends, and the result can be printed.
#![no_main]

use std::sync::Arc;

use interpolate::unstable::eval::Value;
use interpolate::unstable::eval::{self, Context, Limits};
use interpolate::unstable::hot::{self, File, Input, Unresolved};
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::yaml::{self, Expansion, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let (template, others) = data.split_once('\0').unwrap_or((data, ""));
    let mut sources = Sources::default();
    let options = Options { dialect: Dialect::Yaml11, ..Options::default() };
    let mut read = |text: &str| {
        let file = sources.add("text", text);
        yaml::read(&sources, file, &options).ok()
    };
    let Some(document) = read(template).map(Arc::new) else { return };
    let mut given = |text: &str| {
        let file = read(text).map(|d| File::read("given", d, Expansion::default()));
        file.and_then(Result::ok)
    };
    let parts: Vec<_> = others.split('\0').map(&mut given).collect();
    let part = |at: usize| parts.get(at).cloned().flatten();
    for unresolved in [Unresolved::Null, Unresolved::Keep] {
        let input = Input {
            environments: part(0).into_iter().collect(),
            attributes: part(1),
            ids: part(2),
            previous: part(3),
            unresolved,
            ..Input::default()
        };
        let world = Arc::new(Memory::default());
        let mut context = Context::new(
            world,
            Allow::NOTHING,
            "/",
            eval::languages(&eval::LanguageSettings::default()),
        );
        context.limits =
            Limits { fuel: 100_000, output: 1 << 20, depth: 50, ..Limits::default() };
        let evaluated = hot::evaluate(document.clone(), input, context, false);
        let Ok(evaluated) = evaluated else { continue };
        for part in [evaluated.shown_parameters(), evaluated.resources, evaluated.outputs]
        {
            let file = sources.add("", "");
            let blank = yaml::read(&sources, file, &Options::default());
            let mut blank = blank.expect("nothing is a document");
            let printed = eval::to_yaml(&mut blank, &Value::Dict(part));
            printed.expect("what was evaluated can be printed");
        }
    }
});
