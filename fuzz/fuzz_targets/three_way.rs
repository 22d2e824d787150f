//! Three documents, separated by NULs: merging them never panics, no change of a side is lost
//! without a conflict, an unchanged side leaves the other one as it is, and the results with
//! ours and with theirs at the conflicts can be read.
#![no_main]

use interpolate_fuzz::any_merge_loses_no_change;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let [base, ours, theirs] = data.split('\0').collect::<Vec<_>>()[..] else { return };
    any_merge_loses_no_change([base, ours, theirs]);
});
