//! Filling in variables: a document of lines and values for its variables come in; what
//! is around the uses must stay, and each use must read back as its value.

#![allow(clippy::unwrap_used)]

use interpolate::source::{Os, Sources};
use interpolate::variables::{self, Given, Rules};
use interpolate::yaml::{self, Options};

/// How a use may stand in a line, before and after its text.
pub(crate) const SHAPES: &[(&str, &str)] = &[
    ("", " # plain"),
    ("'", "'   # single"),
    ("\"", "\""),
    ("[", ", other]  # flow"),
    ("{k: ", ", l: [1]}"),
    ("!!str ", ""),
    ("&x", " # anchored"),
];

/// The document that says `lines`: the shape of each, and the text in it if it is one.
pub(crate) fn base(lines: &[(usize, String)]) -> String {
    let line = |(i, (shape, text)): (usize, &(usize, String))| {
        let (before, after) = SHAPES[*shape];
        let before = if before == "&x" { format!("&x{i} ") } else { before.to_owned() };
        format!("key{i}:  {before}{text}{after}\n\n# about {i}\n")
    };
    lines.iter().enumerate().map(line).collect()
}

/// Fills in `base` and returns what is printed, and the string at each key.
pub(crate) fn fill(base: &str, values: &[(String, String)]) -> (String, Vec<String>) {
    let mut given = Given::default();
    for (name, value) in values {
        given.add_text(name, value.as_str());
    }
    let mut sources = Sources::default();
    let file = sources.add("base.yml", base);
    let mut document = yaml::read(&sources, file, &Options::default()).unwrap();
    let rules = Rules::default();
    variables::fill(&mut document, 0..1, &given, None, &Os::default(), &rules).unwrap();
    let printed = document.to_string();
    let file = sources.add("printed.yml", &*printed);
    let again = yaml::read(&sources, file, &Options::default()).unwrap();
    let values = again.pairs(again.root()).into_iter().map(|(_, value)| {
        let inner = again.items(value).first().copied().or_else(|| again.get(value, "k"));
        format!("{:?}", again.scalar(inner.unwrap_or(value)))
    });
    let values = values.collect();
    (printed, values)
}
