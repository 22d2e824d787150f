//! Tests the cookbook: applies each ops-file in `ops/` to the manifest beside it and
//! compares the result with `fixtures/ops`. `BLESS=1 cargo test` rewrites the expected
//! results.

use std::fs;
use std::path::Path;

use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, compile};

#[test]
fn cookbook() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let base = fs::read_to_string(root.join("ops/manifest.yml")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(root.join("ops")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".yml") || name == "manifest.yml" {
            continue;
        }
        count += 1;
        let out = patched(&base, &fs::read_to_string(&path).unwrap());
        let expected = root.join("fixtures/ops").join(&name);
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(expected.parent().unwrap()).unwrap();
            fs::write(&expected, &out).unwrap();
        }
        assert_eq!(out, fs::read_to_string(&expected).unwrap_or_default(), "{name}");
    }
    assert!(count > 0, "the cookbook is empty");
}

fn patched(base: &str, ops: &str) -> String {
    let mut sources = Sources::default();
    let (base, ops) = (sources.add("manifest.yml", base), sources.add("ops.yml", ops));
    let mut document = yaml::read(&sources, base, &Options::default()).unwrap();
    let ops = yaml::read(&sources, ops, &Options::default()).unwrap();
    let patch = compile::ops(&ops, "ops.yml").unwrap();
    apply::apply(&patch, &mut document, 0..1).unwrap();
    document.to_string()
}
