//! Patches of each language for a document: the printed text has their result, and so have the
//! plain ops and the JSON Patch that they are resolved to.
#![no_main]

use interpolate_fuzz::patches_mean_the_same;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| patches_mean_the_same(data));
