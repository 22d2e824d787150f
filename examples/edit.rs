//! Edits a document in place: everything that is not edited keeps its bytes.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;

use interpolate::{Document, Result};

const MANIFEST: &str = "\
name: shop            # shown to customers
jobs:
- name: web
  replicas: 2         # one in each zone
- name: worker

# Owned by the database team.
database: {host: db.example, port: 5432}
";

const EDITED: &str = "\
name: shop            # shown to customers
jobs:
- name: web
  replicas: 4         # one in each zone
  limits:
    cpu: 0.5
    memory: 1.0
- name: cron

# Owned by the database team.
database: {host: db.example}
";

fn main() -> Result<()> {
    let mut document = Document::parse(MANIFEST)?;
    document.set("/jobs/name=web/replicas", 4)?;
    // With `?` what is missing is made. A value is anything that serde can serialize.
    let limits = BTreeMap::from([("cpu", 0.5), ("memory", 1.0)]);
    document.set("/jobs/name=web/limits?", limits)?;
    document.append("/jobs", BTreeMap::from([("name", "cron")]))?;
    document.remove("/jobs/name=worker")?;
    document.remove("/database/port")?;
    assert_eq!(document.to_string(), EDITED);
    print!("{document}");
    Ok(())
}
