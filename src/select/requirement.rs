//! Requirements of label selectors: `app`, `!app`, `app=web`, `app notin (a, b)`.

/// A requirement of a label selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub key: String,
    /// The values that it may have; any if there are none.
    values: Vec<String>,
    /// True if the label must be absent, or have another value.
    negated: bool,
}

impl Requirement {
    /// Parses `app`, `!app`, `app=web`, `app==web`, `app!=web`, `app in (a, b)` or
    /// `app notin (a, b)`.
    ///
    /// # Errors
    /// The text is none of these.
    pub(super) fn parse(text: &str) -> Result<Requirement, String> {
        let text = text.trim();
        let wrong = || format!("'{text}' is no requirement of a label: write app=web");
        parsed(text).ok_or_else(wrong)
    }

    /// Returns true if a label fulfils it that has this value, or is missing.
    pub(super) fn holds(&self, value: Option<&str>) -> bool {
        let is_there = value.is_some_and(|value| {
            self.values.is_empty() || self.values.iter().any(|wanted| wanted == value)
        });
        is_there != self.negated
    }
}

fn parsed(text: &str) -> Option<Requirement> {
    let made = |key: &str, values, negated| {
        let key = key.to_owned();
        Some(Requirement { key, values, negated })
    };
    if let Some(key) = text.strip_prefix('!') {
        let (key, rest) = key_and_rest(key.trim_start())?;
        return if rest.is_empty() { made(key, Vec::new(), true) } else { None };
    }
    let (key, rest) = key_and_rest(text)?;
    if rest.is_empty() {
        return made(key, Vec::new(), false);
    }
    for (sign, negated) in [("!=", true), ("==", false), ("=", false)] {
        if let Some(value) = rest.strip_prefix(sign) {
            return made(key, vec![value_of(value)?], negated);
        }
    }
    for (word, negated) in [("notin", true), ("in", false)] {
        if let Some(list) = rest.strip_prefix(word) {
            let inner = list.trim().strip_prefix('(')?.strip_suffix(')')?;
            let values = inner.split(',').map(value_of).collect::<Option<_>>()?;
            return made(key, values, negated);
        }
    }
    None
}

/// Splits a text after the key of a label.
fn key_and_rest(text: &str) -> Option<(&str, &str)> {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let end = text.find(|c| !is_of_key(c)).unwrap_or(text.len());
    let (key, rest) = text.split_at(end);
    (!key.is_empty()).then_some((key, rest.trim_start()))
}

fn value_of(text: &str) -> Option<String> {
    let text = text.trim();
    let is_wrong = |c: char| c.is_whitespace() || "()!=<>,".contains(c);
    (!text.contains(is_wrong)).then(|| text.to_owned())
}
