//! Options that belong to a later version.

use std::ffi::OsString;

use clap::Args;

/// Options that belong to a later version, and are refused by name.
#[derive(Debug, Default, Args)]
pub struct LaterOptions {
    #[arg(long, value_name = "PATH", hide = true)]
    strategic: Vec<OsString>,
    #[arg(long, value_name = "PATH", hide = true)]
    merge_keys: Vec<OsString>,
}

impl LaterOptions {
    /// Returns the name of the first one that was given.
    pub fn first(&self) -> Option<&'static str> {
        let given =
            [("--strategic", &self.strategic), ("--merge-keys", &self.merge_keys)];
        given.into_iter().find(|(_, values)| !values.is_empty()).map(|(name, _)| name)
    }
}
