//! Two edited versions of a document: their merge has the changes of both, or a conflict at the
//! place, whichever side is ours.
#![no_main]

use interpolate_fuzz::a_merge_loses_no_change;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| a_merge_loses_no_change(data));
