//! The identity of a document of Kubernetes: its kind, its name and its namespace.

use std::fmt;

use hashbrown::HashMap;

use super::normalized::quoted;
use crate::node::{Kind, NodeId, Tree};

/// The kind, name and namespace of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentName {
    /// Empty if it has none, like the name.
    pub kind: String,
    /// `metadata.name`
    pub name: String,
    /// The effective namespace: `default` if none is written, and one that no object can be
    /// in for the kinds that stand in none.
    pub namespace: String,
}

/// The namespace of an object that names none, as kustomize has it.
const NO_NAMESPACE: &str = "_non_namespaceable_";

/// The groups and kinds of Kubernetes whose objects stand in no namespace.
const CLUSTER_KINDS: [(&str, &str); 28] = [
    ("", "ComponentStatus"),
    ("", "Namespace"),
    ("", "Node"),
    ("", "PersistentVolume"),
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("apiregistration.k8s.io", "APIService"),
    ("authentication.k8s.io", "SelfSubjectReview"),
    ("authentication.k8s.io", "TokenReview"),
    ("authorization.k8s.io", "SelfSubjectAccessReview"),
    ("authorization.k8s.io", "SelfSubjectRulesReview"),
    ("authorization.k8s.io", "SubjectAccessReview"),
    ("certificates.k8s.io", "CertificateSigningRequest"),
    ("flowcontrol.apiserver.k8s.io", "FlowSchema"),
    ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
    ("networking.k8s.io", "IngressClass"),
    ("node.k8s.io", "RuntimeClass"),
    ("policy", "PodSecurityPolicy"),
    ("rbac.authorization.k8s.io", "ClusterRole"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ("scheduling.k8s.io", "PriorityClass"),
    ("storage.k8s.io", "CSIDriver"),
    ("storage.k8s.io", "CSINode"),
    ("storage.k8s.io", "StorageClass"),
    ("storage.k8s.io", "VolumeAttachment"),
];

/// Maximum number of documents that a hint names.
// Their kinds and names fit a line or two.
const MAX_NAMED: usize = 5;

impl DocumentName {
    /// Returns the name of the document with this root; its parts may be empty.
    pub fn of(tree: &Tree, root: NodeId) -> DocumentName {
        let kind = kind(tree, root);
        let (group, _) = group_and_version(tree, root);
        let is_global = CLUSTER_KINDS.contains(&(&*group, &*kind));
        let written = metadata_text(tree, root, "namespace");
        let namespace = if is_global {
            NO_NAMESPACE.into()
        } else if written.is_empty() {
            "default".into()
        } else {
            written
        };
        DocumentName { kind, name: name_of_document(tree, root), namespace }
    }

    /// Returns the names of all documents of a stream, if each has a kind and a name, and no
    /// two have the same.
    pub fn all(tree: &Tree) -> Option<Vec<DocumentName>> {
        let names = tree.roots().iter().map(|&root| DocumentName::of(tree, root));
        let names: Vec<DocumentName> = names.collect();
        let mut sorted: Vec<&DocumentName> = names.iter().collect();
        sorted.sort_unstable();
        let are_unique = sorted.windows(2).all(|two| two[0] != two[1]);
        (are_unique && names.iter().all(DocumentName::is_complete)).then_some(names)
    }

    /// Returns true if the document has a kind and a name.
    pub(crate) fn is_complete(&self) -> bool {
        !self.kind.is_empty() && !self.name.is_empty()
    }

    /// Returns a selector of documents with this kind and name, and with this namespace if
    /// one of `others` has the same kind and name in another. `None` if there is none.
    pub fn selector(&self, others: &[DocumentName]) -> Option<String> {
        let is_namesake = |other: &DocumentName| {
            other != self && (&other.kind, &other.name) == (&self.kind, &self.name)
        };
        self.selector_with(others.iter().any(is_namesake))
    }

    /// Returns the selector of each document of a stream, in which no two have the same name.
    pub fn selectors(names: &[DocumentName]) -> Vec<Option<String>> {
        let mut namesakes = HashMap::<(&str, &str), usize>::new();
        for DocumentName { kind, name, .. } in names {
            *namesakes.entry((kind, name)).or_default() += 1;
        }
        let selector =
            |it: &DocumentName| it.selector_with(namesakes[&(&*it.kind, &*it.name)] > 1);
        names.iter().map(selector).collect()
    }

    fn selector_with(&self, needs_namespace: bool) -> Option<String> {
        let DocumentName { kind, name, namespace } = self;
        let fields = [("kind", kind), ("name", name), ("namespace", namespace)];
        let fields = &fields[..if needs_namespace { 3 } else { 2 }];
        let patterns = fields.iter().map(|(field, text)| {
            let pattern = pattern(text)?;
            Some(format!("{field}={pattern}"))
        });
        if let Some(patterns) = patterns.collect::<Option<Vec<_>>>() {
            return Some(patterns.join(","));
        }
        let condition = || {
            let (kind, name) = (quoted(kind), quoted(name));
            format!("@.kind == {kind} && @.metadata.name == {name}")
        };
        (!needs_namespace).then(condition)
    }
}

/// Returns a selector of just the documents at `chosen`, for a hint: of all with their kind,
/// if there are no others of that kind.
pub(crate) fn choosing(tree: &Tree, chosen: &[usize], all: &[usize]) -> Option<String> {
    let name = |&at: &usize| DocumentName::of(tree, tree.roots()[at]);
    let wanted: Vec<DocumentName> = chosen.iter().map(name).collect();
    let all: Vec<DocumentName> = all.iter().map(name).collect();
    let mut kinds: Vec<&str> = wanted.iter().map(|name| &*name.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of_kinds = all.iter().filter(|name| kinds.contains(&&*name.kind)).count();
    let patterns = kinds.iter().map(|kind| pattern(kind)).collect::<Option<Vec<_>>>();
    match (patterns, &wanted[..]) {
        (Some(patterns), _) if of_kinds == chosen.len() && !kinds.contains(&"") => {
            Some(format!("kind={}", patterns.join("|")))
        }
        (_, [one]) if !one.kind.is_empty() && !one.name.is_empty() => {
            let same = all.iter().filter(|name| *name == one).count();
            one.selector(&all).filter(|_| same == 1)
        }
        _ => None,
    }
}

/// Describes documents of a stream, of which there are `count`; `None` if no document has a
/// name.
pub(super) fn describe(names: &[DocumentName], count: usize) -> Option<String> {
    let named =
        names.iter().filter(|name| !name.kind.is_empty() || !name.name.is_empty());
    let mut shown: Vec<String> =
        named.take(MAX_NAMED).map(DocumentName::to_string).collect();
    if shown.is_empty() {
        return None;
    }
    let more = count - shown.len();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    let last = shown.pop().unwrap_or_default();
    Some(match &shown[..] {
        [] => format!("the document is {last}"),
        others => format!("the documents are {} and {last}", others.join(", ")),
    })
}

/// Prints the kind and the name: `Deployment 'web'`.
impl fmt::Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DocumentName { kind, name, .. } = self;
        match (&kind[..], &name[..]) {
            ("", name) => write!(f, "'{name}'"),
            (kind, "") => f.write_str(kind),
            (kind, name) => write!(f, "{kind} '{name}'"),
        }
    }
}

/// Returns a regular expression that matches just this text, if it is a name as people
/// write them.
fn pattern(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_:/.".contains(c);
    text.chars().all(is_plain).then(|| text.replace('.', "\\."))
}

pub(super) fn kind(tree: &Tree, root: NodeId) -> String {
    text(tree, tree.get(root, "kind"))
}

/// Returns the group and the version of `apiVersion`; that of a core kind is empty.
pub(super) fn group_and_version(tree: &Tree, root: NodeId) -> (String, String) {
    let api = text(tree, tree.get(root, "apiVersion"));
    match api.split_once('/') {
        Some((group, version)) => (group.to_owned(), version.to_owned()),
        None => (String::new(), api),
    }
}

/// Returns the text of `metadata.name`; an empty one if it is missing.
pub(crate) fn name_of_document(tree: &Tree, root: NodeId) -> String {
    metadata_text(tree, root, "name")
}

/// Returns the text of an entry of `metadata`; an empty one if it is missing.
pub(super) fn metadata_text(tree: &Tree, root: NodeId, key: &str) -> String {
    let metadata = tree.get(root, "metadata");
    text(tree, metadata.and_then(|metadata| tree.get(metadata, key)))
}

fn text(tree: &Tree, node: Option<NodeId>) -> String {
    let is_text = |&node: &NodeId| tree.kind(node) == Kind::Scalar && !tree.is_null(node);
    node.filter(is_text).map(|node| tree.text_of(node).into_owned()).unwrap_or_default()
}
