//! Requests to URLs. A build without the Cargo feature `network` refuses them.

use std::io;

/// Returns the first bytes of the resource at a URL, at most `most`.
#[cfg(feature = "network")]
pub(super) fn fetch(url: &str, most: u64) -> io::Result<Vec<u8>> {
    use std::io::Read;
    use std::time::Duration;

    let agent: ureq::Agent = ureq::Agent::config_builder()
        // Redirects and body included. Half a minute is longer than a person waits for a
        // server that does not answer.
        .timeout_global(Some(Duration::from_secs(30)))
        // More than a mirror behind a shortened URL needs.
        .max_redirects(5)
        .build()
        .into();
    let mut response = agent.get(url).call().map_err(unanswered)?;
    let mut bytes = Vec::new();
    response.body_mut().as_reader().take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Converts the answers "not found" and "gone" to the error of a missing file.
#[cfg(feature = "network")]
fn unanswered(error: ureq::Error) -> io::Error {
    match error {
        ureq::Error::StatusCode(404 | 410) => {
            io::Error::new(io::ErrorKind::NotFound, error)
        }
        error => error.into_io(),
    }
}

/// Fails: there is no client.
#[cfg(not(feature = "network"))]
pub(super) fn fetch(_: &str, _: u64) -> io::Result<Vec<u8>> {
    let why = "this build cannot read URLs: it lacks the Cargo feature 'network'";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}
