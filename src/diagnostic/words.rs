//! The words of Go in messages of the reference, in plain words: a message keeps the words
//! of the reference, and people read these.

use std::borrow::Cow;

/// The names of Go's types with plain words for them, longer names first.
const TYPES: [(&str, &str); 11] = [
    ("[]template.VariableDefinition", "a list of definitions"),
    ("template.VariableDefinition", "a definition"),
    ("template.StaticVariables", "a mapping of names to values"),
    ("[]patch.OpDefinition", "an ops-file, which is a list of operations"),
    ("patch.OpDefinition", "an operation, which is a mapping"),
    ("*interface {}", "a value"),
    ("[]string", "a list of strings"),
    ("*bool", "a boolean"),
    ("bool", "a boolean"),
    ("string", "a string"),
    ("int", "an integer"),
];

/// The tags of yaml.v2 with plain words for them.
const TAGS: [(&str, &str); 8] = [
    ("!!map", "a mapping"),
    ("!!seq", "a list"),
    ("!!str", "the string"),
    ("!!int", "the number"),
    ("!!float", "the number"),
    ("!!bool", "the boolean"),
    ("!!timestamp", "the date"),
    ("!!null", "the null"),
];

/// Names in quotes, and keys that yaml.v2 prints as Go does.
const QUOTED: [(&str, &str); 10] = [
    ("'map[interface {}]interface {}'", "a mapping"),
    ("'[]interface {}'", "a list"),
    ("'<nil>'", "null"),
    ("'float64'", "'float'"),
    ("'uint64'", "'int'"),
    ("'patch.PrevModifier'", "'prev'"),
    ("'patch.NextModifier'", "'next'"),
    ("'patch.BeforeModifier'", "'before'"),
    ("'patch.AfterModifier'", "'after'"),
    ("'patch.AfterLastIndexToken'", "'-'"),
];

/// Returns a message without the words of Go.
pub(crate) fn plain(message: &str) -> Cow<'_, str> {
    if !["'", "cannot unmarshal", "invalid map key: "]
        .iter()
        .any(|it| message.contains(it))
    {
        return Cow::Borrowed(message);
    }
    let lines: Vec<Cow<'_, str>> = message.split('\n').map(line).collect();
    Cow::Owned(lines.join("\n"))
}

fn line(line: &str) -> Cow<'_, str> {
    if let Some((before, what)) = line.split_once("cannot unmarshal !!")
        && let Some((found, wanted)) = what.rsplit_once(" into ")
    {
        let found = format!("!!{found}");
        let found = named(&found, &TAGS);
        let wanted = named(wanted, &TYPES);
        return Cow::Owned(format!("{before}{found} cannot be {wanted}"));
    }
    if let Some((before, key)) = line.split_once("invalid map key: ") {
        let kind = if key.starts_with("[]") {
            "a list"
        } else if key.starts_with("map[") {
            "a mapping"
        } else {
            return Cow::Borrowed(line);
        };
        return Cow::Owned(format!("{before}{kind} cannot be a key"));
    }
    let mut line = Cow::Borrowed(line);
    for (word, plain) in QUOTED {
        if line.contains(word) {
            line = Cow::Owned(line.replace(word, plain));
        }
    }
    line
}

/// Returns `text` with the word at its start replaced as the table has it.
fn named(text: &str, words: &[(&str, &str)]) -> String {
    let found = words.iter().find_map(|(word, name)| {
        let rest = text.strip_prefix(word)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| format!("{name}{rest}"))
    });
    found.unwrap_or_else(|| text.to_owned())
}
