//! Paths that callers pass, in one of three languages: `/jobs/name=web` as in an ops-file,
//! `jobs[name=web]`, and `$.jobs[?@.name=='web']`.

use super::error::{Error, Result};
use crate::pointer::{Pointer, Token, parse_argument};
use crate::select::Mistake;
use crate::target::Target;

/// Parses a path to what exists.
pub(super) fn target(path: &str) -> Result<Target> {
    parse(path, false)
}

/// Parses a path to a place for a value: mappings at the end of a dotted path may be missing.
pub(super) fn place(path: &str) -> Result<Target> {
    parse(path, true)
}

/// Parses a path to a list. Returns the place behind its last item, and for a query the list.
pub(super) fn end_of(path: &str) -> Result<Target> {
    let mut target = place(path)?;
    if let Target::Pointer(Pointer { tokens, required }) = &mut target {
        *required += usize::from(*required == tokens.len());
        tokens.push(Token::End);
    }
    Ok(target)
}

fn parse(path: &str, creates: bool) -> Result<Target> {
    let is_dotted = !path.is_empty() && !path.starts_with('/');
    let parsed = Target::parse_with(path, |path| {
        if is_dotted { parse_argument(path, creates) } else { Pointer::parse(path) }
    });
    parsed.map_err(|why| malformed(path, &why))
}

fn malformed(path: &str, why: &Mistake) -> Error {
    Error::message(format!("path '{path}': {why}"))
}
