//! Options of a generator: typed entries of a mapping, as yaml.v2 unmarshals them.
//! Entries of a wrong type are collected and reported together.

use crate::language::mismatch;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Dialect, Scalar};
use crate::source::Sources;
use crate::variables::secret::{ErrorChain, ErrorLine, within};
use crate::yaml;

pub(super) struct GeneratorOptions {
    document: Tree,
    asked: Vec<&'static str>,
    /// The messages for entries of a wrong type, with their byte offsets.
    misfits: Vec<(u32, String)>,
}

impl GeneratorOptions {
    /// Reads options. Options that `ask` does not read are errors.
    pub(super) fn read<T>(
        text: &str,
        ask: impl FnOnce(&mut GeneratorOptions) -> T,
    ) -> Result<T, ErrorChain> {
        let unfit = within("Expected input to be deserializable");
        let mut options = GeneratorOptions::open(text)?;
        let found = ask(&mut options);
        if let Some(name) = options.unknown() {
            return Err(vec![ErrorLine::quoting("Unsupported parameter '", name, "'")]);
        }
        if !options.is_mapping() {
            options.misfit(options.document.root(), "map[string]interface {}");
        }
        options.finish().map_err(unfit).map(|()| found)
    }

    pub(super) fn open(text: &str) -> Result<GeneratorOptions, ErrorChain> {
        let mut sources = Sources::default();
        let file = sources.add("options", text);
        let options = yaml::Options { dialect: Dialect::Go, ..yaml::Options::default() };
        let document = yaml::read(&sources, file, &options)
            .map_err(|diagnostic| vec![diagnostic.message.into()])?;
        Ok(GeneratorOptions { document, asked: Vec::new(), misfits: Vec::new() })
    }

    /// Returns true for a mapping, and for null, which counts as an empty one.
    pub(super) fn is_mapping(&self) -> bool {
        let root = self.document.root();
        self.document.kind(root) == Kind::Mapping || self.document.is_null(root)
    }

    /// Returns the error for all entries of a wrong type.
    pub(super) fn finish(mut self) -> Result<(), ErrorChain> {
        if self.misfits.is_empty() {
            return Ok(());
        }
        self.misfits.sort();
        let text = self.document.base().text();
        let mut report = String::from("yaml: unmarshal errors:");
        let mut hidden = report.clone();
        for (at, what) in &self.misfits {
            let line = 1 + text[..*at as usize].matches('\n').count();
            report += &format!("\n  line {line}: {what}");
            hidden += &format!("\n  line {line}: {}", yaml::hide(what));
        }
        Err(vec![ErrorLine::new(report, hidden)])
    }

    /// Returns an integer; fractions are cut off, and 0 stands for a missing entry.
    pub(super) fn int(&mut self, name: &'static str, wanted: &str) -> i64 {
        let Some(node) = self.given(name) else { return 0 };
        let fits = match self.document.scalar(node) {
            Scalar::Int(x) => i64::try_from(x).ok(),
            Scalar::Float(x) if x <= i64::MAX as f64 => Some(x as i64),
            _ => None,
        };
        if fits.is_none() {
            self.misfit(node, wanted);
        }
        fits.unwrap_or_default()
    }

    /// Returns a boolean; false if it is missing.
    pub(super) fn bool(&mut self, name: &'static str) -> bool {
        let Some(node) = self.given(name) else { return false };
        if let Scalar::Bool(x) = self.document.scalar(node) {
            return x;
        }
        self.misfit(node, "bool");
        false
    }

    /// Returns the text of any scalar; empty if it is missing.
    pub(super) fn text(&mut self, name: &'static str) -> String {
        self.given(name).map(|node| self.text_of(node)).unwrap_or_default()
    }

    /// Returns the texts of a list; empty if it is missing.
    pub(super) fn texts(&mut self, name: &'static str) -> Vec<String> {
        let Some(node) = self.given(name) else { return Vec::new() };
        self.demand(node, Kind::Sequence, "[]string");
        self.document.items(node).into_iter().map(|item| self.text_of(item)).collect()
    }

    fn given(&mut self, name: &'static str) -> Option<NodeId> {
        self.asked.push(name);
        let node = self.document.get(self.document.root(), name);
        node.filter(|&node| !self.document.is_null(node))
    }

    fn unknown(&self) -> Option<String> {
        let pairs = self.document.pairs(self.document.root());
        let mut names = pairs.iter().map(|&(key, _)| self.document.text_of(key));
        names.find(|name| !self.asked.contains(&&**name)).map(Into::into)
    }

    fn text_of(&mut self, node: NodeId) -> String {
        self.demand(node, Kind::Scalar, "string");
        if self.document.is_null(node) {
            return String::new();
        }
        self.document.text_of(node).into_owned()
    }

    fn demand(&mut self, node: NodeId, kind: Kind, wanted: &str) {
        if self.document.kind(node) != kind {
            self.misfit(node, wanted);
        }
    }

    fn misfit(&mut self, node: NodeId, wanted: &str) {
        let misfit = mismatch(&self.document, node, wanted);
        self.misfits.push((misfit.place.start, misfit.why));
    }
}
