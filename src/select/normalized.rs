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
                path += "['";
                path.extend(
                    tree.member_name(key).unwrap_or_default().chars().map(escaped),
                );
                path += "']";
            }
        }
    }
    path
}

/// Returns the step to the member with a name: `['a']`.
pub(crate) fn normalized_name(name: &str) -> String {
    format!("['{}']", name.chars().map(escaped).collect::<String>())
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
