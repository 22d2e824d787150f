//! Tests every edit of the first node of a text: after a byte order mark, comments or a
//! marker, with an explicit key or behind an anchor.

use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::yaml::Options;

use crate::edit;

/// Number of kinds of edits, of the root and of its members.
const KINDS: u32 = 2 * 12;

const MARKS: &[&str] = &["", "\u{feff}"];
const HEADS: &[&str] = &[
    "",
    "\n",
    "# head\n",
    "# head\n\n",
    "---\n",
    "%YAML 1.2\n---\n",
    "--- # x\n",
    "--- ",
];
const FIRST: &[&str] = &[
    "? a0\n:",
    "? a0 # key\n: ",
    "? &k a0\n:",
    "? - a0\n:",
    "? |\n  a0\n:",
    "a0:",
    "'a0':",
    "&k a0:",
    "[k, 0]:",
    "-",
    "- ? a0\n  :",
    "- a0:",
    "?",
];
const VALUES: &[&str] = &[
    "\n",
    " 1\n",
    " 1 # beside\n",
    "\n  b: 1\n",
    "\n  # about b\n  b: 1\n",
    "\n  - 1\n  - 2\n",
    " [1]\n",
    " |\n   text\n",
    " &v {b: 1}\n",
];
const RESTS: &[&str] = &[
    "",
    "? a1\n: 2\n",
    "a1: 2\n",
    "\n# about a1\na1: *k\n",
    "- 2\n",
    "---\nsecond: 1\n",
];

/// Tests that the printed edits have the right result, for about `cases` of the texts
/// that can be read.
pub fn check(cases: usize) -> Result<(), String> {
    let mut texts = vec![String::new()];
    for parts in [MARKS, HEADS, FIRST, VALUES, RESTS] {
        let longer = |text: &String| {
            parts.iter().map(|part| format!("{text}{part}")).collect::<Vec<_>>()
        };
        texts = texts.iter().flat_map(longer).collect();
    }
    let unix = texts.clone();
    texts.extend(unix.iter().map(|text| text.replace('\n', "\r\n")));
    let all = texts.len() * KINDS as usize;
    for number in (0..all).step_by(1 + all / cases) {
        let (text, kind) = (&texts[number % texts.len()], (number / texts.len()) as u32);
        let dialect = [Dialect::Core, Dialect::Go, Dialect::Yaml11][number % 3];
        let options = Options { dialect, ..Options::default() };
        let value = number as u32;
        let edits = [[0, kind % 2, kind / 2, value], [0, 1, kind / 2, value / 24]];
        edit::check(text, &edits[..1 + number / 3 % 2], &options)?;
    }
    Ok(())
}
