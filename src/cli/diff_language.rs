//! `diff --as`: the difference of two documents in the language of other tools.

use clap::ValueEnum;
use interpolate::unstable::apply::Reach;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::diff;
use interpolate::unstable::node::Tree;
use interpolate::unstable::plan::{self, Language};
use interpolate::unstable::yaml;

use super::failure::Failure;
use super::main_options::MainOptions;
use super::options::Format;

/// The values of `--as`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffLanguage {
    /// An ops-file, which bosh can run
    #[default]
    Ops,
    /// A JSON Patch (RFC 6902)
    JsonPatch,
    /// A JSON Merge Patch (RFC 7396)
    MergePatch,
    /// An OpenAPI Overlay 1.0
    Overlay,
}

impl DiffLanguage {
    /// Returns the text that turns OLD into NEW, which are single documents.
    pub fn text(
        self,
        options: &MainOptions,
        format: Format,
        (old, new): (&Tree, &Tree),
    ) -> Result<String, Failure> {
        for tree in [old, new] {
            if let Some(place) = tree.roots().get(1).and_then(|&second| tree.span(second))
            {
                let message = "--as is about single documents, and this is a stream";
                let error = Diagnostic::error(message);
                return Err(Failure::input([*error.label(place, "the second one")]));
            }
        }
        if self != DiffLanguage::Ops {
            diff::check_member_names(old)?;
            diff::check_member_names(new)?;
        }
        let title = format!("Changes of {}", options.base().to_string_lossy());
        let patch = match self {
            DiffLanguage::Ops => return Ok(yaml::print_ops(&diff::diff(old, new)?)?),
            DiffLanguage::JsonPatch => {
                let ops = diff::diff(old, new)?;
                let reach = Reach::of(old, [0]);
                let plain = plan::resolved(&ops, old, &reach, Language::JsonPatch);
                yaml::json_patch(&plain.map_err(Failure::input)?.patch)?
            }
            DiffLanguage::MergePatch => diff::merge_patch(old, new, 0)?,
            DiffLanguage::Overlay => diff::overlay(old, new, 0, &title)?,
        };
        let limit = options.input.expansion();
        Ok(match format {
            Format::Json => yaml::json::print(&patch, patch.root(), limit)?,
            Format::Yaml | Format::Bosh => {
                let text = yaml::print_found(&patch, patch.root())?;
                String::from_utf8_lossy(&text).into_owned()
            }
        })
    }
}
