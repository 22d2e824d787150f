//! Merges a change of the lines above an entry with a change of a value.

use interpolate::unstable::source::Sources;
use interpolate::unstable::three_way::{Markers, merge};
use interpolate::unstable::yaml::{self, Options};

/// The comments above an entry, by number; `None` for a blank line.
pub type Lead = Vec<Option<u8>>;

/// What is above each entry and before it on its line.
const FRAMES: [(&str, &str, &str); 4] =
    [("", "", "k"), ("w:\n", "  ", "k"), ("", "", "- "), ("w:\n", "  ", "- ")];

/// A collection whose entries have comments.
#[derive(Clone)]
pub struct Commented {
    /// The lines above each entry.
    pub leads: Vec<Lead>,
    /// The value of each entry.
    pub values: Vec<u8>,
    /// Number of the frame.
    pub frame: usize,
    /// Line break of the text.
    pub line_break: &'static str,
}

impl Commented {
    fn text(&self) -> String {
        let (head, indent, before) = FRAMES[self.frame];
        let mut text = head.to_owned();
        for (at, (lead, value)) in self.leads.iter().zip(&self.values).enumerate() {
            for line in lead {
                let comment = line.map(|line| format!("{indent}# {at}-{line}"));
                text += &(comment.unwrap_or_default() + "\n");
            }
            let key = if before == "k" { format!("k{at}: ") } else { before.to_owned() };
            text += &format!("{indent}{key}{value}\n");
        }
        text.replace('\n', self.line_break)
    }
}

/// Returns an error if the merged text does not have both changes, whichever side has which.
pub fn check(
    base: &Commented,
    lead: (usize, Lead),
    value: (usize, u8),
) -> Result<(), String> {
    let count = base.leads.len();
    let (mut commented, mut changed) = (base.clone(), base.clone());
    commented.leads[lead.0 % count] = lead.1;
    changed.values[value.0 % count] = value.1;
    let wanted = Commented { values: changed.values.clone(), ..commented.clone() };
    let texts = [base, &commented, &changed].map(Commented::text);
    let mut sources = Sources::default();
    let [base, commented, changed] = texts.each_ref().map(|text| {
        let file = sources.add("version.yml", &text[..]);
        yaml::read(&sources, file, &Options::default())
    });
    let story = |why: &str| format!("{why}\n{}", texts.join("---\n"));
    let all = base.and_then(|base| Ok((base, commented?, changed?)));
    let (base, commented, changed) = all.map_err(|_| story("unreadable"))?;
    for (ours, theirs) in [(&commented, &changed), (&changed, &commented)] {
        let merged = merge(&base, ours, theirs).marked(&Markers::default());
        if merged != wanted.text() {
            return Err(story(&format!("merged: {merged:?}")));
        }
    }
    Ok(())
}
