//! Types of variables that the fuzz targets leave out.

/// Types whose values take seconds to generate.
const SLOW: [&str; 3] = ["rsa", "ssh", "certificate"];

/// Returns true if `data` contains one of them.
pub fn is_left_out(data: &str) -> bool {
    SLOW.iter().any(|it| data.contains(it))
}
