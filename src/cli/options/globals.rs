//! Options of bosh without a meaning here.

use std::ffi::OsString;

use clap::Args;

/// Options of bosh without a meaning here.
// They are accepted so that pipelines need no change.
#[derive(Debug, Default, Args)]
pub struct Globals {
    #[arg(short, long, hide = true)]
    non_interactive: bool,
    #[arg(long, hide = true)]
    tty: bool,
    #[arg(long, hide = true)]
    sha2: bool,
    #[arg(short, long, hide = true)]
    environment: Option<OsString>,
    #[arg(short, long, hide = true)]
    deployment: Option<OsString>,
    #[arg(long, hide = true)]
    client: Option<OsString>,
    #[arg(long, hide = true)]
    client_secret: Option<OsString>,
    #[arg(long, hide = true)]
    ca_cert: Option<OsString>,
    #[arg(long, hide = true)]
    config: Option<OsString>,
    #[arg(long, hide = true)]
    parallel: Option<OsString>,
    #[arg(long, hide = true)]
    column: Vec<OsString>,
}

impl Globals {
    /// Returns the given options that take a value, which has no effect.
    pub fn ineffective(&self) -> Vec<&'static str> {
        let one = [
            ("-e", &self.environment),
            ("-d", &self.deployment),
            ("--client", &self.client),
            ("--client-secret", &self.client_secret),
            ("--ca-cert", &self.ca_cert),
            ("--config", &self.config),
            ("--parallel", &self.parallel),
        ];
        let one = one.into_iter().filter(|(_, value)| value.is_some());
        let column = (!self.column.is_empty()).then_some("--column");
        one.map(|(name, _)| name).chain(column).collect()
    }
}
