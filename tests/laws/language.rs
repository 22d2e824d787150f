//! The languages of patches.

/// A language of patches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    Ops,
    JsonPatch,
    MergePatch,
    Overlay,
    Argument,
}

/// All languages.
pub(crate) const LANGUAGES: &[Language] = &[
    Language::Ops,
    Language::JsonPatch,
    Language::MergePatch,
    Language::Overlay,
    Language::Argument,
];
