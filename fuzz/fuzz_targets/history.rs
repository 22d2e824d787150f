//! Patches, one after another: the history of each value tells what the documents between them
//! show, and nothing else.
#![no_main]

use interpolate_fuzz::histories_tell_every_change;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| histories_tell_every_change(data));
