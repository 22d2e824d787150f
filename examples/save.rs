//! Edits the expansion of a document with merge directives, and saves the edit into the
//! document: directives and comments stay.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use interpolate::{Document, Patch, Result};

const SOURCE: &str = "\
defaults: &defaults   # for all services
  replicas: 1
  image: shop:1
services:
  web:
    +*defaults:
    replicas: 3       # it is busy
  batch: {+*defaults: }
";

const SAVED: &str = "\
defaults: &defaults   # for all services
  replicas: 1
  image: shop:1
services:
  web:
    +*defaults:
    replicas: 5       # it is busy
  batch: {+*defaults: , image: batch:7}
";

fn main() -> Result<()> {
    let mut source = Document::parse(SOURCE)?;
    let mut expanded = source.clone();
    expanded.apply(&Patch::directives(&source)?)?;
    assert_eq!(expanded.find("/services/batch/image")?.text(), "shop:1");

    expanded.set("/services/web/replicas", 5)?;
    expanded.set("/services/batch/image", "batch:7")?;

    for note in source.put(&expanded)? {
        eprintln!("{note}");
    }
    assert_eq!(source.to_string(), SAVED);
    print!("{source}");
    Ok(())
}
