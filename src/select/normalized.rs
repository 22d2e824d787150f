//! Normalized paths (RFC 9535, section 2.7): the one spelling of the way to a node, such as
//! `$['jobs'][0]['name']`.

use crate::node::{Step, Tree};

/// Returns the normalized path of a node, to which `steps` lead from the root.
pub fn normalized(tree: &Tree, steps: &[Step]) -> String {
    let mut path = String::from("$");
    for &step in steps {
        match step {
            Step::Index(index) => path += &format!("[{index}]"),
            Step::Key(key) => {
                let name = tree.member_name(key).unwrap_or_default();
                path += &format!("[{}]", quoted(&name));
            }
        }
    }
    path
}

/// Returns the step to the member with a name: `['a']`.
pub(crate) fn normalized_name(name: &str) -> String {
    format!("[{}]", quoted(name))
}

/// Spells a string of a query.
pub(super) fn quoted(text: &str) -> String {
    let text: String = text.chars().map(escaped).collect();
    format!("'{text}'")
}

fn escaped(c: char) -> String {
    match c {
        '\u{8}' => "\\b".into(),
        '\t' => "\\t".into(),
        '\n' => "\\n".into(),
        '\u{c}' => "\\f".into(),
        '\r' => "\\r".into(),
        '\'' => "\\'".into(),
        '\\' => "\\\\".into(),
        '\0'..='\x1f' => format!("\\u{:04x}", u32::from(c)),
        _ => c.into(),
    }
}
