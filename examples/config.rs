//! Reads parts of a document: as Rust types, as nodes, and all nodes that match.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;

use interpolate::{Document, Result};
use serde::Deserialize;

#[derive(Deserialize)]
struct Service<'d> {
    image: &'d str,
    ports: Vec<u16>,
}

const COMPOSE: &str = "\
defaults: &defaults {restart: always, ports: [80]}
services:
  web: {<<: *defaults, image: nginx:1.27}
  db: {image: postgres:17, ports: [5432, 5433]}
";

fn main() -> Result<()> {
    let document = Document::parse(COMPOSE)?;

    // Aliases and `<<` are followed.
    let ports: Vec<u16> = document.find("/services/web/ports")?.deserialize()?;
    assert_eq!(ports, [80]);

    let services: BTreeMap<&str, Service> = document.find("/services")?.deserialize()?;
    assert_eq!(services["db"].image, "postgres:17");
    assert_eq!(services["web"].ports, [80]);

    // An error knows the place of the value that does not fit.
    let error =
        document.find("/services/db/image")?.deserialize::<u8>().expect_err("a text");
    assert!(error.to_string().contains("document:4:15"), "{error}");

    let services = document.find("/services")?;
    for (name, service) in services.entries() {
        let image = service.get("/image").and_then(|image| image.as_str());
        println!("{name}: {}", image.unwrap_or_default());
    }

    let images = document.nodes().filter(|node| node.path().ends_with("/image"));
    let images: Vec<String> = images.map(|node| node.to_string()).collect();
    assert_eq!(images, ["nginx:1.27", "postgres:17"]);
    Ok(())
}
