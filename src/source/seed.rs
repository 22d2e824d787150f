//! Unpredictable bytes. A build without the Cargo feature `random` has none, nor has a
//! target without a system, such as `wasm32-unknown-unknown`.

use std::io;

/// Returns unpredictable bytes of the system.
#[cfg(all(feature = "random", not(target_os = "unknown")))]
pub(super) fn seed() -> io::Result<[u8; 32]> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(io::Error::other)?;
    Ok(seed)
}

/// Fails: there is no source of such bytes.
#[cfg(not(all(feature = "random", not(target_os = "unknown"))))]
pub(super) fn seed() -> io::Result<[u8; 32]> {
    let why = "this build has neither a clock nor random numbers";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}
