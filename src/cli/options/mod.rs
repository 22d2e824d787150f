//! The groups of options that commands share, one file for each group. Nothing of the
//! program but options is imported here, so that every other file can use them.

mod help;
mod input;
mod output;
mod patching;
mod reading;
mod safety;
mod values;

pub use help::{COMMANDS, RESULT_OPTIONS, describe, describe_alone, hide};
pub use input::Input;
pub use output::{Color, ErrorFormat, Format, Output, PathArgument};
pub use output::{Question, QuestionKind};
pub use patching::GivenPatch;
pub use reading::Reading;
pub use safety::{LIMITS, Safety};
