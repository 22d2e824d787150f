//! Edits of the expansion of a document with directives, variables and includes: the saved
//! document expands to the edited one, and saving again changes nothing.
#![no_main]

use interpolate_fuzz::saved_means_what_was_given;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| saved_means_what_was_given(data));
