//! Reading: documents, ops-files, variables and the vars-store from the paths in the
//! options. Messages about files are those of bosh.

mod input_reader;
mod ops_reader;
mod variable_reader;

pub use input_reader::InputReader;
pub use ops_reader::{
    apply_patches, compile_patches, is_hidden, is_yaml_file, read_patched,
};
pub use variable_reader::read_variables;
