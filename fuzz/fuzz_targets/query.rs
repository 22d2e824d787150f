//! A query and a document, separated by a NUL: parsing and evaluating never panic and stay
//! within the limit, and the normalized paths of the result select the same nodes.
#![no_main]

use interpolate::unstable::select::{
    DocumentSelector, NormalizedPaths, Query, QueryBudget, Selection,
};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

/// Maximum number of steps of a run: some milliseconds.
const STEPS: u64 = 100_000;

/// Maximum number of selected nodes whose paths are evaluated.
const PATHS: usize = 100;

fuzz_target!(|data: &str| {
    let (query, document) =
        data.split_once('\0').unwrap_or((data, "{a: [1, x, {b: 1.0}], b: {c: 2.5}}"));
    let mut sources = Sources::default();
    let file = sources.add("base.yml", document);
    let Ok(document) = yaml::read(&sources, file, &Options::default()) else { return };
    let root = document.root();
    if let Ok(selector) = DocumentSelector::parse(query) {
        drop(selector.selects(&document, root, &mut QueryBudget::of_steps(STEPS)));
    }
    let Ok(query) = Query::parse(query) else { return };
    let mut budget = QueryBudget::of_steps(STEPS);
    let found = Selection::new(&document, root, &mut budget).select(&query);
    let mut paths = NormalizedPaths::new(&document, root);
    for (node, steps) in found.unwrap_or_default().into_iter().take(PATHS) {
        let Ok(path) = paths.path(&steps) else { continue };
        let again = Query::parse(&path).expect("a normalized path is a query");
        let mut budget = QueryBudget::of_steps(STEPS);
        let again = Selection::new(&document, root, &mut budget).select(&again);
        assert_eq!(again.expect("a path takes few steps"), [(node, steps)], "{path}");
    }
});
