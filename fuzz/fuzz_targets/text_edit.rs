//! Edits of the text of a document without directives: what is saved is that text, byte for byte.
#![no_main]

use interpolate_fuzz::an_edited_text_is_saved_as_it_is;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| an_edited_text_is_saved_as_it_is(data));
