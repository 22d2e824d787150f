//! The identity of a document of Kubernetes: its kind, its name and its namespace.

use std::fmt;

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

/// Returns the kind of the document with this root; an empty text if it is missing.
pub(crate) fn kind(tree: &Tree, root: NodeId) -> String {
    text(tree, tree.get(root, "kind"))
}

/// Returns the group and the version of `apiVersion`; that of a core kind is empty.
pub(crate) fn group_and_version(tree: &Tree, root: NodeId) -> (String, String) {
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
pub(crate) fn metadata_text(tree: &Tree, root: NodeId, key: &str) -> String {
    let metadata = tree.get(root, "metadata");
    text(tree, metadata.and_then(|metadata| tree.get(metadata, key)))
}

fn text(tree: &Tree, node: Option<NodeId>) -> String {
    let text = node.filter(|&it| tree.kind(it) == Kind::Scalar && !tree.is_null(it));
    text.map(|node| tree.text_of(node).into_owned()).unwrap_or_default()
}
