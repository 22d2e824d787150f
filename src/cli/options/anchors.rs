//! The values of `--anchors`.

use clap::ValueEnum;
use interpolate::unstable::node::Aliases;

/// The values of `--anchors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Anchors {
    /// Aliases keep the old value, as in bosh (the default)
    Copy,
    /// Aliases have the new value, and an edit of an alias edits the anchor's node
    Follow,
    /// The op fails
    Refuse,
}

impl Anchors {
    pub fn aliases(self) -> Aliases {
        match self {
            Anchors::Copy => Aliases::Keep,
            Anchors::Follow => Aliases::Follow,
            Anchors::Refuse => Aliases::Refuse,
        }
    }
}
