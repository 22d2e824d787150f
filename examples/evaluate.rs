//! Evaluates Jinja templates and expressions about a document, with variables.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use interpolate::{Document, Result, Variables};

const TEMPLATE: &str = "\
zones: [a, b]
hosts: \"{{ zones | map('regex_replace', '^', 'web-') | list }}\"
url: https://((domain))/{{ zones | length }}
";

fn main() -> Result<()> {
    let mut variables = Variables::new();
    variables.set("domain", "shop.example")?;
    let mut document = Document::parse(TEMPLATE)?;
    document.fill(&variables)?;

    let count = document.evaluate("{{ hosts | length }}", &variables)?;
    assert_eq!(count.deserialize::<usize>()?, 2);

    document.evaluate_all(&variables)?;
    let hosts: Vec<&str> = document.find("/hosts")?.deserialize()?;
    assert_eq!(hosts, ["web-a", "web-b"]);
    assert_eq!(document.find("/url")?.text(), "https://shop.example/2");
    print!("{document}");
    Ok(())
}
