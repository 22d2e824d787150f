//! What one process, or one call, uses.

use std::fmt;
use std::time::Duration;

/// Processor time, and the peak of memory where it is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) cpu: Duration,
    /// Peak memory in bytes.
    pub(crate) peak: Option<u64>,
}

impl Cost {
    /// Returns how many times the processor time of another cost this is.
    pub(crate) fn against(&self, other: &Cost) -> f64 {
        self.cpu.as_secs_f64() / other.cpu.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ms", self.cpu.as_secs_f64() * 1e3)?;
        match self.peak {
            Some(peak) => write!(f, ", {:.0} MB", peak as f64 / 1e6),
            None => Ok(()),
        }
    }
}
