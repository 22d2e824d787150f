//! The groups of options that commands share, one file for each group. Nothing of the
//! program but options is imported here, so that every other file can use them.

mod color;
mod evaluation;
mod format;
mod given_patch;
mod globals;
mod help;
mod input;
mod later_options;
mod limit;
mod output;
mod patching;
mod reading;
mod safety;
mod variables;

pub use color::Color;
pub use format::Format;
pub use given_patch::GivenPatch;
pub use globals::Globals;
pub use help::{RESULT_OPTIONS, describe, describe_alone, hide};
pub use input::Input;
pub use limit::LIMITS;
pub use output::Output;
pub use reading::Reading;
pub use safety::Safety;
