//! Ops with values in all styles, one after another: the printed text reads back as the patched
//! document, in each dialect.
#![no_main]

use interpolate_fuzz::edits_are_printed;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| edits_are_printed(data));
