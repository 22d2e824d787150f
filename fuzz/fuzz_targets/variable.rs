//! Manifests, the values of their variables and a vars-store, separated by NULs: filling
//! in never panics, the printed text has the generated values, and the next run prints
//! the same.
#![no_main]

use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions, Store};
use interpolate::unstable::yaml::{self, DecodeTarget, Expansion, Options};
use interpolate_fuzz::{difference, is_left_out};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let [base, values, store] = data.split('\0').collect::<Vec<_>>()[..] else { return };
    if is_left_out(data) {
        return;
    }
    for found in variables::uses(base) {
        assert!(base[found.range].contains(found.name));
    }
    let mut sources = Sources::default();
    let file = sources.add("base.yml", base);
    let Ok(base) = yaml::read(&sources, file, &Options::default()) else { return };
    let mut given = Bindings::default();
    let Ok(file) = entries(&mut sources, values) else { return };
    if given.add_entries(&file).is_err() {
        return;
    }
    let mut run = |store: &str, missing| {
        let mut found = Store::new("store.yml", entries(&mut sources, store));
        let mut document = base.clone();
        let rules = FillOptions {
            missing,
            expansion: Expansion(1 << 20),
            ..FillOptions::default()
        };
        let roots = 0..document.roots().len();
        let world = Os::default();
        variables::fill(&mut document, roots, &given, Some(&mut found), &world, &rules)
            .ok()?;
        let printed = document.to_string();
        let file = sources.add("printed.yml", &*printed);
        let again = yaml::read(&sources, file, &Options::default())
            .expect("what is printed can be read");
        if let Err(why) = difference(&document, &again) {
            panic!("{why}\n{printed}");
        }
        Some((printed, found.changed()))
    };
    run(store, false);
    // A value that one document lacks may exist in the next run, if another document
    // defines it.
    if let Some((printed, Some(store))) = run(store, true) {
        assert_eq!(run(&store, true), Some((printed, None)), "{store}");
    }
});

fn entries(
    sources: &mut Sources,
    text: &str,
) -> interpolate::unstable::diagnostic::Result<Tree> {
    let file = sources.add("values.yml", text);
    let target = DecodeTarget::Entries;
    yaml::read(
        sources,
        file,
        &Options { dialect: Dialect::Go, target, ..Options::default() },
    )
}
