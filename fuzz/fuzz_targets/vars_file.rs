//! A vars file: reading it and its dotted names never panics, and a document filled in
//! with its values reads back as these values.
#![no_main]

use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions};
use interpolate::unstable::yaml::{self, DecodeTarget, Expansion, Options};
use interpolate_fuzz::{difference, difference_of, is_left_out};
use libfuzzer_sys::fuzz_target;

const BASE: &str = "x: ((a))\ny: [((a.b)), 'p((a.b.0))']\n((k)): &k ((c.d))\nz: *k\n\
    ---\n- - ((a)) # a\n- {k: \"((a))\"}\n- '((b))'\n";

fuzz_target!(|data: &str| {
    if is_left_out(data) {
        return;
    }
    let mut sources = Sources::default();
    let (base, file) = (sources.add("base.yml", BASE), sources.add("vars.yml", data));
    let options = Options {
        dialect: Dialect::Go,
        target: DecodeTarget::Entries,
        ..Options::default()
    };
    let Ok(file) = yaml::read(&sources, file, &options) else { return };
    let mut given = Bindings::default();
    let options = Options::default();
    if given.add_entries(&file).is_err() {
        return;
    }
    let mut document =
        yaml::read(&sources, base, &options).expect("the base can be read");
    let rules = FillOptions { expansion: Expansion(1 << 20), ..FillOptions::default() };
    let world = Os::default();
    if variables::fill(&mut document, 0..2, &given, None, &world, &rules).is_err() {
        return;
    }
    let printed = document.to_string();
    let printed = sources.add("printed.yml", printed);
    let again = yaml::read(&sources, printed, &options).expect("it can be read");
    let meant = difference(&document, &again).and_then(|()| {
        let Some(value) = file.get(file.root(), "a") else { return Ok(()) };
        let uses = again.items(again.roots()[1]);
        let uses = [again.items(uses[0])[0], again.get(uses[1], "k").expect("k")];
        uses.into_iter()
            .try_for_each(|used| difference_of((&file, value), (&again, used)))
    });
    if let Err(why) = meant {
        panic!("{why}\n{again}");
    }
});
