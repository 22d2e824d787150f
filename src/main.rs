//! The `interpolate` program.

fn main() {}
