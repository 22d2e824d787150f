//! One option that gives a patch.

use std::ffi::OsString;

use interpolate::unstable::compile::Verb;

/// A patch as the command line gives it.
#[derive(Clone, Debug)]
pub enum GivenPatch {
    /// `-o PATH`, and its number among the values of this option.
    OpsFile(usize, OsString),
    /// `--merge PATH`
    Merge(OsString),
    /// `--set PATH=VALUE` and the like.
    Argument(Verb, String),
}
