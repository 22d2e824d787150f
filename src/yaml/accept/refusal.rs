//! A refusal by yaml.v2.

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What yaml.v2 says, without its leading `yaml: `; the line it names is its own.
    pub message: String,
    /// Where the trouble really is: a byte offset.
    pub offset: usize,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>, offset: usize) -> Refusal {
        Refusal { message: message.into(), offset }
    }

    /// A refusal in a line counted from 0. yaml.v2 keeps quiet about the first line.
    pub(super) fn in_line(
        line: usize,
        named: usize,
        message: &str,
        offset: usize,
    ) -> Box<Refusal> {
        Box::new(match line {
            0 => Refusal::new(message, offset),
            _ => Refusal::new(format!("line {named}: {message}"), offset),
        })
    }
}

pub(super) type Result<T> = std::result::Result<T, Box<Refusal>>;
