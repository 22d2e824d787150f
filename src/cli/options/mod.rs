//! The groups of options that commands share, one file for each group. Nothing of the
//! program but options is imported here, so that every other file can use them.

mod evaluation;
mod globals;
mod help;
mod input;
mod output;
mod patching;
mod reading;
mod safety;
mod variables;

pub use globals::Globals;
pub use help::{RESULT_OPTIONS, describe, describe_alone, hide};
pub use input::Input;
pub use output::Color;
pub use output::Format;
pub use output::Output;
pub use patching::GivenPatch;
pub use reading::Reading;
pub use safety::LIMITS;
pub use safety::Safety;
