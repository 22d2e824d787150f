//! Applies ops-files to a document, as `interpolate base.yml -o ops.yml` does:
//! `cargo run --example patch -- ops/scale/manifest.yml ops/scale/ops.yml`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use interpolate::{Document, Os, Patch, Reader, Result};

fn main() -> ExitCode {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        files = vec!["ops/scale/manifest.yml".into(), "ops/scale/ops.yml".into()];
    }
    match patch(&files[0], &files[1..]) {
        Ok(document) => {
            print!("{document}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn patch(base: &str, ops: &[String]) -> Result<Document> {
    let reader = Reader::new().world(Os::default());
    let mut document = reader.read(base)?;
    for file in ops {
        let ops = reader.read(file)?.to_string();
        document.apply(&Patch::parse(file, &ops)?)?;
    }
    Ok(document)
}
