//! The verdict of Go's yaml.v2 on a text: where its first document ends, or the message
//! with which it is refused. The tree itself is not built here.
//!
//! Bytes go through a [`cursor`], a [`scan`]ner makes tokens of them (guessing which
//! ones begin a key), and a [`grammar`] with an explicit stack asks for one token at a
//! time, so that errors come up in the order in which yaml.v2 meets them.

mod cursor;
mod decode;
mod grammar;
mod property;
mod reader;
mod scalar;
mod scan;
mod syntax;
mod token;

use crate::source::Encoding;
use crate::yaml::bytes::BytesError;

pub use decode::decode;

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What yaml.v2 says, without its leading `yaml: `; the line it names is its own.
    pub message: String,
    /// Where the trouble really is: a byte offset.
    pub offset: usize,
}

impl Refusal {
    fn new(message: impl Into<String>, offset: usize) -> Refusal {
        Refusal { message: message.into(), offset }
    }

    /// A refusal in a line counted from 0. yaml.v2 keeps quiet about the first line.
    fn in_line(line: usize, named: usize, message: &str, offset: usize) -> Box<Refusal> {
        Box::new(match line {
            0 => Refusal::new(message, offset),
            _ => Refusal::new(format!("line {named}: {message}"), offset),
        })
    }
}

type Result<T> = std::result::Result<T, Box<Refusal>>;

/// What the grammar has recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A sequence begins at this offset.
    SequenceStart(u32),
    /// The innermost sequence ends.
    SequenceEnd,
    /// A mapping begins at this offset.
    MappingStart(u32),
    /// The innermost mapping ends.
    MappingEnd,
    /// A scalar with its quotes or block header; an empty range if nothing is written.
    Scalar(u32, u32),
    /// `*name`
    Alias(u32, u32),
}

/// Finds the end of the first document, the only one that yaml.v2 reads, or says why it
/// is refused.
pub fn accept(text: &str) -> std::result::Result<usize, Refusal> {
    observe(text, Encoding::Utf8, |_| {})
}

/// Accepts a text that was stored in `encoding`, telling `seen` what is recognized.
pub fn observe(
    text: &str,
    encoding: Encoding,
    seen: impl FnMut(Event),
) -> std::result::Result<usize, Refusal> {
    grammar::document(cursor::Cursor::new(text, reader::flaw(text, encoding)), seen)
        .map_err(|refusal| *refusal)
}

/// What yaml.v2 says of bytes that are no text: it reads them in pieces, so that an
/// error before the bad one comes first.
pub fn refuse(bytes: &BytesError) -> std::result::Result<usize, Refusal> {
    grammar::document(
        cursor::Cursor::new(&bytes.before, Some(reader::broken(bytes))),
        |_| {},
    )
    .map_err(|refusal| *refusal)
}
