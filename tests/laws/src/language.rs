//! The languages of patches.

/// A language of patches.
#[derive(Clone, Copy, Debug)]
pub enum Language {
    /// An ops-file of bosh.
    Ops,
    /// A JSON Patch.
    JsonPatch,
    /// A JSON Merge Patch.
    MergePatch,
    /// An overlay.
    Overlay,
    /// An argument of the command line.
    Argument,
}

/// All languages.
pub const LANGUAGES: &[Language] = &[
    Language::Ops,
    Language::JsonPatch,
    Language::MergePatch,
    Language::Overlay,
    Language::Argument,
];
