//! The refusal of a text by yaml.v2.

/// The refusal of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The message without `yaml: `, with the line number that yaml.v2 computes.
    pub message: String,
    /// Offset in bytes of the cause.
    pub offset: usize,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>, offset: usize) -> Refusal {
        Refusal { message: message.into(), offset }
    }

    /// Returns a refusal on `line`, from 0; the message says `named` for all but line 0.
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

pub(super) type Accepted<T> = std::result::Result<T, Box<Refusal>>;
