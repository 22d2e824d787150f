//! Any text: the reader, in strict mode, finds the same events as saphyr-parser, or refuses it
//! as that does, or one of the rules tells why not.
#![no_main]

use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate_fuzz::events::{of_arena, of_saphyr};
use libfuzzer_sys::fuzz_target;

/// Part of the message of a refusal, and why the other reader does not refuse.
type Refusal = (&'static str, &'static str);

/// What only the reader refuses.
const OURS: &[Refusal] = &[
    ("control characters", "saphyr-parser looks at no characters"),
    ("contains itself", "it does not look into anchors"),
    ("not indented deeper", "it accepts a closing bracket in the column of its key"),
    ("incompatible YAML document", "it reads every version"),
    ("not allowed in this context", "it begins a block behind the `:` of an empty key"),
    (
        "cannot start any token",
        "it takes `|`, `?` and tabs in brackets for text, and a tab below `- &a` for indentation",
    ),
    ("expected tag URI", "it accepts an empty tag `!<>`"),
    ("did not find expected '!'", "it accepts `_` in the name of `%TAG !a_b!`"),
    ("did not find expected whitespace", "it accepts `&a{}` and `%TAG !x,1:`"),
    ("expected <document start>", "it skips byte order marks anywhere"),
    ("expected node content", "it accepts a second `:` in `[? : : b]`"),
    (
        "where an indentation space is expected",
        "a line of tabs ends a block scalar to it",
    ),
];

/// Messages that only the reader has, about a text that goes on behind a comment or a tab. The
/// comment ends a plain scalar, but to saphyr-parser it does not if a tab stands before it on
/// its line. Below `- &a` it takes a tab for indentation.
const OURS_AT_TAB: [&str; 4] = [
    "expected key",
    "expected '-' indicator",
    "could not find expected ':'",
    "did not find expected ',' or",
];

/// A message that only the reader has behind a `?` in brackets. There the `:` of a key may
/// stand on the next line to saphyr-parser.
const OURS_BEHIND_QUESTION: &str = "did not find expected ',' or ']'";

/// What only saphyr-parser refuses.
const THEIRS: &[Refusal] = &[
    ("valid YAML whitespace", "it accepts few tabs behind `:`"),
    ("expected whitespace", "it accepts no tab and no end of the text behind `?`"),
    ("tabs disallowed", "it accepts no tab behind `?`"),
    ("cannot start with a tab", "a block scalar may begin with one if its line is empty"),
    ("may not precede any of", "it refuses `{x :{a: 1}}`"),
    ("wrongly indented line", "to it, `---` does not end a block scalar `|2`"),
    ("plain scalar cannot start", "it refuses a line `-}` of a plain scalar"),
    ("expected node content", "it refuses some entries without a value in brackets"),
    ("expected ',' or ']'", "it refuses `[? , a]`"),
    ("expected ',' or '}'", "it refuses a line break before the `:` of `{[] :2}`"),
    ("Unicode character escape", "it does not join halves of a pair: `\\ud83d\\ude00`"),
    ("parsing a tag", "it decodes what a `%` in a tag stands for"),
    ("tab cannot be used as indentation", "a line of tabs in quotes is an empty line"),
    ("long version number", "it reads nine digits of a version at most"),
];

/// Why saphyr-parser finds another event in a text than the reader.
struct Rule {
    reason: &'static str,
    holds: fn(text: &str, ours: &str, theirs: &str) -> bool,
}

const RULES: &[Rule] = &[
    Rule {
        reason: "it ends a block scalar with a line break, also if the text has none",
        holds: |text, ours, theirs| {
            is_block(ours) && !is_ended(text) && *theirs == format!("{ours}\\n")
        },
    },
    Rule {
        reason: "it decodes bytes in a tag that are no UTF-8",
        holds: |_, ours, theirs| {
            [ours, theirs].iter().all(|event| event.contains('<')) && ours.contains('%')
        },
    },
    Rule {
        reason: "to it, a last line of blanks without a break is no line (but to the YAML \
                 test suite: JEF9)",
        holds: |text, ours, theirs| {
            let last = text.rsplit(['\n', '\r']).next().unwrap_or_default();
            let is_blank = last.trim_matches([' ', '\t']).is_empty();
            is_block(ours)
                && !is_ended(text)
                && is_blank
                && *ours == format!("{theirs}\\n")
        },
    },
];

/// Returns true for the event of a block scalar.
fn is_block(event: &str) -> bool {
    let mut words = event.split(' ').skip(1);
    let value = words.find(|word| !word.starts_with(['&', '<']));
    value.is_some_and(|value| value.starts_with(['|', '>']))
}

/// Returns true if a line has blanks with a tab, and then a comment.
fn has_comment_behind_tab(text: &str) -> bool {
    text.split(['\n', '\r'])
        .any(|line| is_indented_by_tab(line) && line.trim_start().starts_with('#'))
}

/// Returns true if a tab is among the blanks before the content of a line.
fn is_indented_by_tab(line: &str) -> bool {
    line.trim_start_matches(' ').starts_with('\t')
}

/// Returns the line with the place of an error.
fn line_of<'a>(text: &'a str, error: &Diagnostic) -> Option<&'a str> {
    let place = error.labels.first()?.span.start as usize;
    let start = text[..place].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    text[start..].split(['\n', '\r']).next()
}

/// Returns what follows each `?` behind the first bracket.
fn behind_questions(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split_once('[').map_or("", |(_, inside)| inside);
    inside.split('?').skip(1)
}

/// Returns true if a text has brackets in which a comma follows a `?`, with blanks at most
/// between them.
fn has_empty_question(text: &str) -> bool {
    behind_questions(text).any(|rest| rest.trim_start().starts_with(','))
}

/// Returns true if the last line of a text has a line break.
fn is_ended(text: &str) -> bool {
    text.ends_with(['\n', '\r'])
}

fuzz_target!(|data: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.yml", data);
    let options = Options { strict: true, ..Options::default() };
    match (yaml::read(&sources, file, &options), of_saphyr(data)) {
        (Ok(ours), Ok(theirs)) => compare(data, &of_arena(ours.base()), &theirs),
        (Err(error), Ok(_)) => {
            let is_known = |part: &&str| error.message.contains(part);
            let has_tab = has_comment_behind_tab(data)
                || line_of(data, &error).is_some_and(is_indented_by_tab);
            let has_question = behind_questions(data).next().is_some();
            if !(has_tab && OURS_AT_TAB.iter().any(is_known)
                || has_question && is_known(&OURS_BEHIND_QUESTION))
            {
                explain(OURS, &error.message);
            }
        }
        (Ok(_), Err(error)) => explain(THEIRS, error.info()),
        (Err(_), Err(_)) => {}
    }
});

fn explain(refusals: &[Refusal], message: &str) {
    let found = refusals.iter().any(|(part, _)| message.contains(part));
    assert!(found, "only one refuses: {message}");
}

fn compare(text: &str, ours: &[String], theirs: &[String]) {
    if ours.len() != theirs.len() {
        // saphyr-parser takes `[? , : c]` for one pair.
        assert!(has_empty_question(text), "{ours:#?}\n{theirs:#?}");
        return;
    }
    for (ours, theirs) in ours.iter().zip(theirs).filter(|(ours, theirs)| ours != theirs)
    {
        let rule = RULES.iter().find(|rule| (rule.holds)(text, ours, theirs));
        let reason = rule.map(|rule| rule.reason);
        assert!(reason.is_some(), "{ours}\n{theirs}");
    }
}
