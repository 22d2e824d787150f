//! Patches and the next version of their document: an op that is surely mended does to it what
//! it did before.
#![no_main]

use interpolate_fuzz::rebased_patches_mean_the_same;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| rebased_patches_mean_the_same(data));
