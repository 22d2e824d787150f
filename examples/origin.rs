//! Shows for each scalar of a patched document the place that set it.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use interpolate::{Document, Kind, Patch, Reader, Result};

const BASE: &str = "name: shop\nweb: {replicas: 1, port: 80}\n";
const SCALE: &str = "- {type: replace, path: /web/replicas, value: 5}\n";

fn main() -> Result<()> {
    let mut document = Reader::new().parse("base.yml", BASE)?;
    document.apply(&Patch::parse("scale.yml", SCALE)?)?;
    // A patch that is built in code, and the ops-file that says the same.
    let patch = Patch::default().replace("/web/tls?", true)?.remove("/name")?;
    println!("{patch}");
    document.apply(&patch)?;

    let lines: Vec<String> = scalars(&document).collect();
    assert_eq!(
        lines,
        [
            "/web/replicas = 5, from scale.yml:1:47",
            "/web/port = 80, from base.yml:2:26",
            "/web/tls = true, from this program",
        ]
    );
    println!("{}", lines.join("\n"));
    Ok(())
}

fn scalars(document: &Document) -> impl Iterator<Item = String> {
    let scalars = document.nodes().filter(|node| node.kind() == Kind::Scalar);
    scalars.map(|node| {
        let written = node.origin().written;
        let from = written.map_or("this program".into(), |place| place.to_string());
        format!("{} = {node}, from {from}", node.path())
    })
}
