//! An expression and data, separated by a NUL: evaluating never panics and always ends,
//! with Heat's limits and without.
#![no_main]

use std::sync::Arc;

use interpolate::unstable::eval::Value;
use interpolate::unstable::eval::{self, Context, Limits, Quota, yaql};
use interpolate::unstable::source::{Allow, Memory, Sources};
use interpolate::unstable::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let (expression, data) =
        data.split_once('\0').unwrap_or((data, "{a: [1, x], b: {c: 2.5}}"));
    let mut sources = Sources::default();
    let file = sources.add("text", data);
    let Ok(document) = yaml::read(&sources, file, &Options::default()) else { return };
    let root = document.root();
    let data: Value = eval::read(&Arc::new(document), root);
    let none = Quota { iterators: -1, memory: 0 };
    for limits in [Quota::default(), none] {
        let world = Arc::new(Memory::default());
        let mut context = Context::new(world, Allow::NOTHING, "/", Vec::new());
        context.limits = Limits { fuel: 100_000, ..Limits::default() };
        drop(yaql::evaluate(expression, &data, limits, &Arc::new(context)));
    }
});
