//! The spelling of names in normalized paths: `['name']`.

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
